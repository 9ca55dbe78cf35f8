//! How the program ends. The numbers are part of the command line's contract.

use adjutant_app::error::ErrorKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok = 0,
    /// The mission failed or was cancelled, or `verify` found damage.
    NotGood = 1,
    BadInput = 2,
    WaitingForHuman = 3,
    Trouble = 4,
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind.exit_code() {
            0 => Self::Ok,
            1 => Self::NotGood,
            2 => Self::BadInput,
            3 => Self::WaitingForHuman,
            _ => Self::Trouble,
        }
    }
}
