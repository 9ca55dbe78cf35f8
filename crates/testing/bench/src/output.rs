//! Figures go to standard output, one line each, and advice to standard error.

use std::io::{self, Write as _};

use adjutant_app::error::{AppError, ErrorKind};

pub(crate) fn line(text: &str) -> Result<(), AppError> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => AppError::output_closed(),
        _ => AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6009",
            format!("the output cannot be written: {error}"),
            "Check where the output goes, and that its disk has space.",
        ),
    })
}

pub(crate) fn note(text: &str) {
    // A note that cannot be written has no other place to go.
    let _ = writeln!(io::stderr(), "{text}");
}
