//! What a simulation shows: how the results lie, and which input moves them most.

use adjutant_charts::{
    Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart, TornadoChart, TornadoInput,
};

use super::RangeSet;
use crate::text::{short, written};

/// Values of amounts of money are shown in millions.
const MILLION: f64 = 1e6;

fn scale(set: &RangeSet) -> (f64, String) {
    match set.unit.as_str() {
        "eur" => (MILLION, "EUR million".to_owned()),
        "mmhg" => (1.0, "mmHg".to_owned()),
        unit => (1.0, unit.to_owned()),
    }
}

fn axis(label: &str, unit: &str) -> Axis {
    Axis {
        label: Some(label.to_owned()),
        unit: (!unit.is_empty()).then(|| short(unit, 60)),
        ..Axis::default()
    }
}

pub(super) fn histogram(set: &RangeSet, edges: &[f64], shares: &[f64]) -> Option<Chart> {
    let (by, unit) = scale(set);
    let decimals = if set.ranges.iter().any(|at| at.high / by < 20.0) {
        2
    } else {
        1
    };
    let categories: Vec<String> = edges
        .windows(2)
        .map(|pair| written((pair[0] + pair[1]) / 2.0 / by, decimals))
        .collect();
    let mut apart = categories.clone();
    apart.dedup();
    (apart.len() == categories.len() && shares.len() == categories.len()).then(|| {
        Chart::Bar(BarChart {
            title: format!("{}: distribution of the results", short(&set.name, 100)),
            subtitle: Some(format!(
                "Share of draws by result{}",
                if unit.is_empty() {
                    String::new()
                } else {
                    format!(", {unit}")
                }
            )),
            source: None,
            categories,
            series: vec![BarSeries {
                name: "Share of draws".to_owned(),
                values: shares.iter().map(|share| share * 100.0).collect(),
            }],
            layout: BarLayout::default(),
            direction: BarDirection::Vertical,
            value_axis: axis("Share of draws", "%"),
        })
    })
}

/// Each input at its low and high while the others stay at their most likely.
pub(super) fn tornado(set: &RangeSet) -> Option<Chart> {
    if set.ranges.len() < 2 {
        return None;
    }
    let (by, unit) = scale(set);
    let base = set.sum(|at| at.likely);
    let inputs = set.ranges.iter().map(|range| TornadoInput {
        name: short(&range.name, 60),
        low: (base - range.likely + range.low) / by,
        high: (base - range.likely + range.high) / by,
    });
    Some(Chart::Tornado(TornadoChart {
        title: format!("{}: which input matters most", short(&set.name, 100)),
        subtitle: None,
        source: None,
        value_axis: axis("Result", &unit),
        base: base / by,
        inputs: inputs.collect(),
    }))
}
