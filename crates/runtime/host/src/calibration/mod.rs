//! How sure was said, and what turned out: so that "80 % sure" can be held against how often it was right.
//!
//! A [`Forecast`] is a confidence that was stated, an [`Outcome`] what somebody later found it worth. A [`History`]
//! keeps both; a [`Table`] is what they come to: how good the confidences were, in all, by agent and by kind, and what
//! a confidence has meant so far ([`calibrated`]). Nothing here stores, asks or decides: it counts.

mod history;
mod records;
mod table;

pub use history::{HISTORY_VERSION, History, Pair};
pub use records::{Forecast, Outcome, Ppm, Worth};
pub use table::{BINS, Bin, OUTCOMES_MIN, Point, Score, TABLE_VERSION, Table, calibrated};
