//! One file for each kind of chart.

mod bar;
mod line;
mod scatter;

pub use bar::{BarChart, BarDirection, BarLayout, BarSeries};
pub use line::{LineChart, LineSeries};
pub use scatter::{ScatterChart, ScatterSeries, Trend};

/// The fields every chart has, as a heading.
macro_rules! heading {
    ($chart:expr) => {
        crate::page::Heading {
            title: &$chart.title,
            subtitle: $chart.subtitle.as_deref(),
            source: $chart.source.as_deref(),
        }
    };
}
use heading;
