//! One file for each kind of chart.

mod bar;
mod boxes;
mod forest;
mod gantt;
mod heat_map;
mod line;
mod network;
mod network_layout;
mod scatter;
mod timeline;
mod tornado;
mod tree;

pub use bar::{BarChart, BarDirection, BarLayout, BarSeries};
pub use boxes::{BoxChart, BoxGroup, Summary};
pub use forest::{Estimate, ForestPlot, Study};
pub use gantt::{GanttChart, GanttTask};
pub use heat_map::{HeatMap, HeatScale};
pub use line::{LineChart, LineSeries};
pub use network::{NetworkArrows, NetworkChart, NetworkEdge, NetworkLayout, NetworkNode};
pub use scatter::{ScatterChart, ScatterSeries, Trend};
pub use timeline::{Timeline, TimelineEvent};
pub use tornado::{TornadoChart, TornadoInput};
pub use tree::{Better, DecisionTree, TreeBranch, TreeNode};

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
