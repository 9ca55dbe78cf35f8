//! Charts from data, as SVG and PNG. The same input gives the same bytes.
//!
//! Text is drawn as outlines of the built-in font, so a chart looks alike in every viewer and what was
//! measured is what is shown. Nothing here reads files, clocks or fonts of the machine.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod axis;
mod band;
mod canvas;
mod chart;
mod check;
mod date;
mod font;
mod kinds;
mod limits;
mod marks;
mod number;
mod page;
mod plot;
mod png;
mod refusal;
mod scale;
mod schema;
mod text;
mod theme;

pub use axis::{Axis, AxisScale, Position};
pub use canvas::Drawing;
pub use chart::{Chart, draw};
pub use check::{TEXT_CHARS_MAX, VALUE_MAX};
pub use font::fonts;
pub use kinds::{
    BarChart, BarDirection, BarLayout, BarSeries, Better, BoxChart, BoxGroup, DecisionTree,
    Estimate, ForestPlot, GanttChart, GanttTask, HeatMap, HeatScale, LineChart, LineSeries,
    NetworkArrows, NetworkChart, NetworkEdge, NetworkLayout, NetworkNode, ScatterChart,
    ScatterSeries, Study, Summary, Timeline, TimelineEvent, TornadoChart, TornadoInput, TreeBranch,
    TreeNode, Trend,
};
pub use png::{PNG_SIDE_MAX, PngRefusal, png};
pub use refusal::Refusal;
pub use schema::schema;
pub use theme::{SERIES_MAX, Theme};

#[cfg(test)]
mod alt_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema_tests;
