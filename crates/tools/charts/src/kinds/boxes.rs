//! Box plots, from values or from their summary.

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::band;
use crate::canvas::{Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::{GROUPS_MAX, VALUES_MAX};
use crate::page::{Heading, MARGIN, Page, WIDTH};
use crate::plot::{self, Area};
use crate::scale::range;
use crate::text::clean;
use crate::{Refusal, check};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub value_axis: Axis,
    pub groups: Vec<BoxGroup>,
}

/// Has either its values or their summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxGroup {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Where the lower whisker ends.
    pub low: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    /// Where the upper whisker ends.
    pub high: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outliers: Vec<f64>,
}

/// By linear interpolation between the neighbours. `sorted` is not empty.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let part = place - below as f64;
    sorted[below] * (1.0 - part) + sorted[above] * part
}

/// Whiskers reach the last value within one and a half box lengths.
fn summarise(values: &[f64]) -> Summary {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let lower = quantile(&sorted, 0.25);
    let upper = quantile(&sorted, 0.75);
    let reach = 1.5 * (upper - lower);
    let within = |v: &&f64| **v >= lower - reach && **v <= upper + reach;
    let low = sorted.iter().find(within).copied().unwrap_or(lower);
    let high = sorted.iter().rfind(within).copied().unwrap_or(upper);
    Summary {
        low: low.min(lower),
        lower_quartile: lower,
        median: quantile(&sorted, 0.5),
        upper_quartile: upper,
        high: high.max(upper),
        outliers: sorted.iter().filter(|v| !within(v)).copied().collect(),
    }
}

impl BoxGroup {
    fn summary(&self) -> Option<Summary> {
        match (&self.values, &self.summary) {
            (Some(values), None) => Some(summarise(values)),
            (None, Some(summary)) => Some(summary.clone()),
            _ => None,
        }
    }
}

impl BoxChart {
    fn summaries(&self) -> Vec<Summary> {
        self.groups.iter().filter_map(BoxGroup::summary).collect()
    }

    fn check_summary(&self, summary: &Summary, field: &str) -> Result<(), Refusal> {
        let five = [
            ("low", summary.low),
            ("lower_quartile", summary.lower_quartile),
            ("median", summary.median),
            ("upper_quartile", summary.upper_quartile),
            ("high", summary.high),
        ];
        for (name, value) in five {
            self.value_axis
                .check_value(value, || format!("{field}.{name}"))?;
        }
        for pair in five.windows(2) {
            if pair[0].1 > pair[1].1 {
                return Err(Refusal::wrong(
                    format!("{field}.{}", pair[1].0),
                    "is smaller than the number before it",
                ));
            }
        }
        for (index, value) in summary.outliers.iter().enumerate() {
            self.value_axis
                .check_value(*value, || format!("{field}.outliers[{index}]"))?;
        }
        Ok(())
    }
}

impl Kind for BoxChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        check::count(self.groups.len(), GROUPS_MAX, "groups")?;
        for (g, group) in self.groups.iter().enumerate() {
            check::text(&group.name, || format!("groups[{g}].name"))?;
            match (&group.values, &group.summary) {
                (Some(values), None) => {
                    check::count(values.len(), VALUES_MAX, format!("groups[{g}].values"))?;
                    for (index, value) in values.iter().enumerate() {
                        self.value_axis
                            .check_value(*value, || format!("groups[{g}].values[{index}]"))?;
                    }
                }
                (None, Some(summary)) => {
                    let field = format!("groups[{g}].summary");
                    if summary.outliers.len() > VALUES_MAX {
                        check::count(
                            summary.outliers.len(),
                            VALUES_MAX,
                            format!("{field}.outliers"),
                        )?;
                    }
                    self.check_summary(summary, &field)?;
                }
                _ => {
                    return Err(Refusal::wrong(
                        format!("groups[{g}]"),
                        "needs either values or summary",
                    ));
                }
            }
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let summaries = self.summaries();
        let (low, high) = range(
            summaries
                .iter()
                .flat_map(|s| s.outliers.iter().copied().chain([s.low, s.high])),
        );
        let scale = self.value_axis.scale_of(low, high);
        plot::caption_above(page, self.value_axis.caption().as_deref());
        let area = Area {
            left: plot::left_gutter(page, &scale),
            right: WIDTH - MARGIN,
            top: page.top + 6.0,
            bottom: page.top + 6.0 + plot::PLOT_HEIGHT,
        };
        plot::value_axis_left(page, area, &scale);
        let slot = (area.right - area.left) / summaries.len() as f64;
        let half = (slot * 0.28).min(38.0);
        let palette = page.canvas.palette();
        let colour = palette.mark(0);
        let edge = Stroke::solid(colour, 1.6);
        for (index, summary) in summaries.iter().enumerate() {
            let x = area.left + slot * (index as f64 + 0.5);
            let y = |value: f64| scale.at(value, area.bottom, area.top);
            let whiskers = [
                (summary.low, summary.lower_quartile),
                (summary.high, summary.upper_quartile),
            ];
            for (end, start) in whiskers {
                page.canvas.line((x, y(start)), (x, y(end)), edge);
                let cap = half * 0.5;
                page.canvas.line((x - cap, y(end)), (x + cap, y(end)), edge);
            }
            let body = Bounds {
                left: x - half,
                right: x + half,
                top: y(summary.upper_quartile),
                bottom: y(summary.lower_quartile),
            };
            page.canvas
                .rect(body, 2.0, palette.ground.mix(colour, 0.22), Some(edge));
            let middle = y(summary.median);
            let median = Stroke::solid(palette.ink, 2.4);
            page.canvas
                .line((x - half, middle), (x + half, middle), median);
            for outlier in &summary.outliers {
                page.canvas
                    .circle((x, y(*outlier)), 3.0, Some(palette.ground), Some(edge));
            }
        }
        let names: Vec<String> = self.groups.iter().map(|g| g.name.clone()).collect();
        Ok(band::names_below(page, area, &names))
    }

    fn alt(&self) -> String {
        let mut alt = format!("Box plot: {}.", clean(&self.title));
        for (group, s) in self.groups.iter().zip(self.summaries()) {
            alt += &format!(
                " {}: median {}, middle half {} to {}, whiskers {} to {}, {} outliers.",
                clean(&group.name),
                self.value_axis.say(s.median),
                self.value_axis.say(s.lower_quartile),
                self.value_axis.say(s.upper_quartile),
                self.value_axis.say(s.low),
                self.value_axis.say(s.high),
                s.outliers.len()
            );
        }
        alt
    }
}
