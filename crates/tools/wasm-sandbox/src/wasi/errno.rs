//! The error numbers of WASI preview 1 that are used here.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Errno {
    BadFile = 8,
    Exists = 20,
    Fault = 21,
    Invalid = 28,
    IsFolder = 31,
    TooManyOpen = 33,
    NameTooLong = 37,
    NoEntry = 44,
    NoSpace = 51,
    NotSupported = 52,
    NotAFolder = 54,
    NoSeek = 70,
    NotCapable = 76,
}

impl Errno {
    pub(super) const SUCCESS: u32 = 0;

    pub(super) fn number(self) -> u32 {
        self as u32
    }
}
