//! From values to places, with ticks at round values.

use crate::{date, number};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Linear,
    Log,
}

#[derive(Debug, Clone)]
pub(crate) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<Tick>,
}

pub(crate) const TICKS_WANTED: f64 = 6.0;

pub(crate) fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        })
}

/// 1, 2 or 5 times a power of ten.
fn nice_step(span: f64, wanted: f64) -> f64 {
    let rough = span / wanted;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let times = match rough / power {
        r if r <= 1.0 + 1e-9 => 1.0,
        r if r <= 2.0 + 1e-9 => 2.0,
        r if r <= 5.0 + 1e-9 => 5.0,
        _ => 10.0,
    };
    times * power
}

impl Scale {
    /// From a tick at or below `low` to one at or above `high`.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        Self::linear_with(low, high, TICKS_WANTED)
    }

    pub(crate) fn linear_with(low: f64, high: f64, wanted: f64) -> Self {
        let largest = low.abs().max(high.abs());
        // Values closer than this cannot be told apart by their ticks.
        let (low, high) = if high - low > (largest * 1e-9).max(1e-290) {
            (low, high)
        } else if largest < 1e-290 {
            (0.0, 1.0)
        } else {
            (low - largest * 0.1, high + largest * 0.1)
        };
        let step = nice_step(high - low, wanted);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let largest = (first * step).abs().max((last * step).abs());
        let count = (last - first).round() as usize;
        let ticks = (0..=count)
            .map(|i| {
                let at = (first + i as f64) * step;
                Tick {
                    at,
                    label: number::tick(at, step, largest),
                }
            })
            .collect();
        Self {
            kind: Kind::Linear,
            low: first * step,
            high: last * step,
            ticks,
        }
    }

    /// Both must be above zero.
    pub(crate) fn log(low: f64, high: f64) -> Self {
        let (low, high) = (low.max(1e-300), high.max(1e-300));
        let decades = libm::log10(high) - libm::log10(low);
        let times: &[f64] = match decades {
            d if d <= 1.3 => &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
            d if d <= 3.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let first = libm::log10(low).floor() as i32;
        let last = libm::log10(high).ceil() as i32 + 1;
        let stride = ((f64::from(last - first)) / 10.0).ceil().max(1.0) as usize;
        let mut all: Vec<f64> = (first..=last)
            .step_by(stride)
            .flat_map(|power| {
                times
                    .iter()
                    .map(move |t| t * libm::pow(10.0, f64::from(power)))
            })
            .collect();
        let from = all
            .iter()
            .rposition(|v| *v <= low * (1.0 + 1e-9))
            .unwrap_or(0);
        all.drain(..from);
        let to = all.iter().position(|v| *v >= high * (1.0 - 1e-9));
        all.truncate(to.map_or(all.len(), |i| i.max(1) + 1));
        let ticks = all
            .iter()
            .map(|v| Tick {
                at: *v,
                label: number::value(*v),
            })
            .collect();
        Self {
            kind: Kind::Log,
            low: all.first().copied().unwrap_or(low).min(low),
            high: all.last().copied().unwrap_or(high).max(high),
            ticks,
        }
    }

    /// From the first to the last day, ticks at calendar boundaries.
    pub(crate) fn days(low: f64, high: f64, wanted: f64) -> Self {
        let (low, high) = if high > low {
            (low, high)
        } else {
            (low - 1.0, high + 1.0)
        };
        Self {
            kind: Kind::Linear,
            low,
            high,
            ticks: date::ticks(low, high, wanted),
        }
    }

    /// One place for each name, the first at 0.
    pub(crate) fn names(names: &[String]) -> Self {
        let ticks = names
            .iter()
            .enumerate()
            .map(|(index, name)| Tick {
                at: index as f64,
                label: name.clone(),
            })
            .collect();
        let last = names.len().saturating_sub(1) as f64;
        let (low, high) = if last > 0.0 { (0.0, last) } else { (-1.0, 1.0) };
        Self {
            kind: Kind::Linear,
            low,
            high,
            ticks,
        }
    }

    pub(crate) fn at(&self, value: f64, from: f64, to: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Log => {
                let low = libm::log10(self.low);
                (libm::log10(value.max(1e-300)) - low) / (libm::log10(self.high) - low)
            }
        };
        from + share.clamp(0.0, 1.0) * (to - from)
    }

    pub(crate) fn low(&self) -> f64 {
        self.low
    }

    pub(crate) fn high(&self) -> f64 {
        self.high
    }
}

#[cfg(test)]
#[path = "scale_tests.rs"]
mod tests;
