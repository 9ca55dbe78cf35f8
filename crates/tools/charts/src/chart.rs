//! One chart of any kind, and how it is drawn.

use serde::{Deserialize, Serialize};

use crate::canvas::Sketch;
use crate::kinds::{
    BarChart, BoxChart, DecisionTree, ForestPlot, GanttChart, HeatMap, LineChart, NetworkChart,
    ScatterChart, Timeline, TornadoChart,
};
use crate::page::{Heading, Page};
use crate::{Drawing, Refusal, Theme};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "chart", rename_all = "snake_case")]
pub enum Chart {
    Line(LineChart),
    Bar(BarChart),
    Scatter(ScatterChart),
    Box(BoxChart),
    HeatMap(HeatMap),
    Forest(ForestPlot),
    Timeline(Timeline),
    Gantt(GanttChart),
    Tornado(TornadoChart),
    DecisionTree(DecisionTree),
    Network(NetworkChart),
}

/// What each kind does for itself.
pub(crate) trait Kind {
    fn heading(&self) -> Heading<'_>;
    fn check(&self) -> Result<(), Refusal>;
    /// Draws below `page.top` and returns where it ended.
    fn paint(&self, page: &mut Page) -> Result<f64, Refusal>;
    /// Only asked for once `check` was content.
    fn alt(&self) -> String;
}

impl Chart {
    fn kind(&self) -> &dyn Kind {
        match self {
            Self::Line(chart) => chart,
            Self::Bar(chart) => chart,
            Self::Scatter(chart) => chart,
            Self::Box(chart) => chart,
            Self::HeatMap(chart) => chart,
            Self::Forest(chart) => chart,
            Self::Timeline(chart) => chart,
            Self::Gantt(chart) => chart,
            Self::Tornado(chart) => chart,
            Self::DecisionTree(chart) => chart,
            Self::Network(chart) => chart,
        }
    }
}

pub fn draw(chart: &Chart, theme: Theme) -> Result<Drawing, Refusal> {
    sketch(chart, theme).map(|sketch| sketch.drawing)
}

pub(crate) fn sketch(chart: &Chart, theme: Theme) -> Result<Sketch, Refusal> {
    let kind = chart.kind();
    let heading = kind.heading();
    heading.check()?;
    kind.check()?;
    let mut page = Page::open(&heading, theme)?;
    let bottom = kind.paint(&mut page)?;
    Ok(page.close(&heading, &kind.alt(), bottom))
}
