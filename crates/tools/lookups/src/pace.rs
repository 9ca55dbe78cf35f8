//! How fast a database may be asked.

/// No more than `requests` in any `per_seconds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub requests: u32,
    pub per_seconds: u32,
}
