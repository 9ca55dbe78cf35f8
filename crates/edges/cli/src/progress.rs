//! Progress of long work, redrawn in one line of the terminal.

use std::io::{IsTerminal as _, Write as _};

use adjutant_app::progress::Progress;

#[derive(Debug, Clone, Copy)]
pub(crate) struct TerminalProgress;

impl Progress for TerminalProgress {
    fn step(&self, doing: &'static str, done: usize, all: usize) {
        if all > 1 && std::io::stderr().is_terminal() {
            let mut terminal = std::io::stderr().lock();
            // Whoever does not see it misses nothing.
            let _ = write!(terminal, "\r  {doing} {done} of {all}");
            let _ = terminal.flush();
        }
    }

    fn end(&self) {
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}
