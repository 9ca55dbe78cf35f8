//! Progress of long operations, reported to the caller.

/// Called after every step. Only the command line displays it.
pub trait Progress: Sync {
    fn step(&self, doing: &'static str, done: usize, all: usize);

    fn end(&self);
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn step(&self, _doing: &'static str, _done: usize, _all: usize) {}

    fn end(&self) {}
}
