//! Writing to the terminal or a pipe. A closed pipe is no error: it means that nobody wants more.

use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;

use crate::exit::Exit;
use crate::view::{self, Paint};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Environment;

/// Width when nobody says otherwise.
const COLUMNS: usize = 80;
/// Tables on a pipe are for programs and logs: nothing is cut.
const COLUMNS_PIPED: usize = 200;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Form {
    #[default]
    Text,
    Json,
}

impl From<bool> for Form {
    fn from(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

#[derive(Debug, Clone, Copy)]
struct Wishes {
    colours: bool,
    moves: bool,
}

static WISHES: OnceLock<Wishes> = OnceLock::new();

/// Takes note of what the environment wants of the output.
pub(crate) fn set_up(environment: &Environment) {
    let dumb = environment.term.as_deref() == Some("dumb");
    let wishes = Wishes {
        colours: environment.no_color.is_none() && !dumb,
        moves: !dumb,
    };
    // Set once, by main.
    let _ = WISHES.set(wishes);
}

fn wishes() -> Wishes {
    *WISHES.get().unwrap_or(&Wishes {
        colours: false,
        moves: false,
    })
}

pub(crate) fn paint() -> Paint {
    if wishes().colours && io::stdout().is_terminal() {
        Paint::Colours
    } else {
        Paint::Nothing
    }
}

fn paint_errors() -> Paint {
    if wishes().colours && io::stderr().is_terminal() {
        Paint::Colours
    } else {
        Paint::Nothing
    }
}

/// What kind of place the output goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A terminal that can be drawn on, with somebody at its keyboard.
    Interactive,
    /// A terminal that can be drawn on.
    Drawable,
    /// A pipe, a file, or a terminal that only takes lines.
    Lines,
}

pub(crate) fn stage() -> Stage {
    match (
        io::stdout().is_terminal() && wishes().moves,
        io::stdin().is_terminal(),
    ) {
        (true, true) => Stage::Interactive,
        (true, false) => Stage::Drawable,
        (false, _) => Stage::Lines,
    }
}

/// Columns and rows of the terminal.
pub(crate) fn size() -> (usize, usize) {
    if !io::stdout().is_terminal() {
        return (COLUMNS_PIPED, usize::MAX);
    }
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
        _ => (COLUMNS, 24),
    }
}

/// One line of output.
pub(crate) fn line(text: &str) -> Result<(), AppError> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(unwritten)
}

/// Why a write to the terminal or pipe failed.
pub(crate) fn unwritten(error: io::Error) -> AppError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return AppError::output_closed();
    }
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6009",
        format!("the output cannot be written: {error}"),
        "Check where the output goes, and that its disk has space.",
    )
}

/// Rings the bell, if there is a terminal to ring.
pub(crate) fn ring() {
    if io::stdout().is_terminal() && wishes().moves {
        let mut out = io::stdout().lock();
        // Whoever does not hear it sees the line.
        let _ = out.write_all(b"\x07").and_then(|()| out.flush());
    }
}

/// One line of advice, beside the output.
pub(crate) fn note(text: &str) {
    // A note that cannot be written has no other place to go.
    let _ = writeln!(io::stderr(), "{text}");
}

pub(crate) fn report(failure: &AppError, form: Form) -> ExitCode {
    let text = match form {
        Form::Json if failure.complaints.is_empty() => String::new(),
        Form::Json => failure.json() + "\n",
        Form::Text => view::error_text(failure, paint_errors()),
    };
    let _ = io::stderr().write_all(text.as_bytes());
    Exit::from(failure.kind).into()
}
