//! Times that something took, and what is told of them.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::load::round;

#[derive(Debug, Default)]
pub(super) struct Times {
    micros: Vec<u32>,
}

impl Times {
    pub(super) fn add(&mut self, took: Duration) {
        self.micros
            .push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    pub(super) fn take_over(&mut self, mut other: Self) {
        self.micros.append(&mut other.micros);
    }

    pub(super) fn count(&self) -> usize {
        self.micros.len()
    }

    pub(super) fn told(mut self) -> Told {
        self.micros.sort_unstable();
        let at = |share: f64| {
            let last = self.micros.len().saturating_sub(1);
            let place = ((self.micros.len() as f64 * share) as usize).min(last);
            f64::from(self.micros.get(place).copied().unwrap_or(0)) / 1_000.0
        };
        Told {
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            max_ms: at(1.0),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

impl Told {
    pub(super) fn words(self) -> String {
        format!(
            "p50 {:.1} ms, p99 {:.1} ms, at most {:.1} ms",
            self.p50_ms, self.p99_ms, self.max_ms
        )
    }

    /// These times added to a line of figures.
    pub(super) fn add_to(self, line: &mut Value) {
        line["p50_ms"] = json!(round(self.p50_ms));
        line["p99_ms"] = json!(round(self.p99_ms));
        line["max_ms"] = json!(round(self.max_ms));
    }
}
