//! How much one chart holds. Beyond that nobody could read it, or drawing it would take too long.

/// Of a line or scatter chart, over all series.
pub(crate) const POINTS_MAX: usize = 5000;
/// Of a bar chart.
pub(crate) const CATEGORIES_MAX: usize = 60;
/// Of a box plot.
pub(crate) const GROUPS_MAX: usize = 24;
/// Of one box.
pub(crate) const VALUES_MAX: usize = 10_000;
/// Of a heat map.
pub(crate) const COLUMNS_MAX: usize = 40;
/// Of a heat map.
pub(crate) const ROWS_MAX: usize = 60;
/// Of a forest plot.
pub(crate) const STUDIES_MAX: usize = 60;
/// Of a timeline.
pub(crate) const EVENTS_MAX: usize = 40;
/// Of a Gantt chart.
pub(crate) const TASKS_MAX: usize = 80;
/// Of what one task waits for.
pub(crate) const AFTER_MAX: usize = 20;
/// Of a tornado chart.
pub(crate) const INPUTS_MAX: usize = 40;
/// Branches from the root of a decision tree to an outcome.
pub(crate) const DEPTH_MAX: usize = 5;
/// Of a decision tree.
pub(crate) const OUTCOMES_MAX: usize = 40;
/// Of a network.
pub(crate) const NODES_MAX: usize = 60;
/// Of a network.
pub(crate) const EDGES_MAX: usize = 200;
/// Of a network's layered layout: more would not fit side by side.
pub(crate) const LAYERS_MAX: usize = 7;
