//! Estimates of several studies with their intervals, and what they give together.

use serde::{Deserialize, Serialize};

use crate::axis::{Axis, AxisScale};
use crate::band;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::STUDIES_MAX;
use crate::page::{Heading, MARGIN, Page, WIDTH};
use crate::plot::{self, Area, Grid};
use crate::scale::range;
use crate::text::{LABEL, STRONG, Type, clean};
use crate::{Refusal, check, number};

const ROW: f64 = 28.0;
const ROW_OF_TWO_LINES: f64 = 36.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForestPlot {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub value_axis: Axis,
    /// Where there is no effect; left out, 1 on a log axis and else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_effect: Option<f64>,
    pub studies: Vec<Study>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pooled: Option<Estimate>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    pub name: String,
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
    /// Any unit; shown as a share of the sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    pub name: String,
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
}

impl ForestPlot {
    fn no_effect(&self) -> f64 {
        self.no_effect.unwrap_or(match self.value_axis.scale {
            AxisScale::Linear => 0.0,
            AxisScale::Log => 1.0,
        })
    }

    fn check_interval(&self, three: (f64, f64, f64), field: &str) -> Result<(), Refusal> {
        let (estimate, low, high) = three;
        for (name, value) in [("estimate", estimate), ("low", low), ("high", high)] {
            self.value_axis
                .check_value(value, || format!("{field}.{name}"))?;
        }
        if low > estimate || estimate > high {
            return Err(Refusal::wrong(
                format!("{field}.estimate"),
                "is not between low and high",
            ));
        }
        Ok(())
    }

    fn row_height(&self, page: &Page) -> f64 {
        let studies = self.studies.iter().map(|s| &s.name);
        let longest = studies
            .chain(self.pooled.iter().map(|p| &p.name))
            .map(|name| page.canvas.fonts.measure(&clean(name), LABEL))
            .fold(0.0, f64::max);
        if longest > band::ROW_NAME_WIDTH_MAX {
            ROW_OF_TWO_LINES
        } else {
            ROW
        }
    }

    fn total_weight(&self) -> f64 {
        self.studies.iter().filter_map(|s| s.weight).sum()
    }
}

fn interval(estimate: f64, low: f64, high: f64) -> String {
    let size = estimate.abs().max(low.abs()).max(high.abs());
    let write = |v: f64| match size {
        s if (0.01..100.0).contains(&s) => number::fixed(v, 2),
        _ => number::value(v),
    };
    format!("{} [{}, {}]", write(estimate), write(low), write(high))
}

impl Kind for ForestPlot {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        check::count(self.studies.len(), STUDIES_MAX, "studies")?;
        self.value_axis
            .check_value(self.no_effect(), || "no_effect".to_owned())?;
        for (s, study) in self.studies.iter().enumerate() {
            check::text(&study.name, || format!("studies[{s}].name"))?;
            self.check_interval(
                (study.estimate, study.low, study.high),
                &format!("studies[{s}]"),
            )?;
            if let Some(weight) = study.weight {
                check::finite(weight, || format!("studies[{s}].weight"))?;
                if weight < 0.0 {
                    return Err(Refusal::wrong(
                        format!("studies[{s}].weight"),
                        "is below zero",
                    ));
                }
            }
        }
        if let Some(pooled) = &self.pooled {
            check::text(&pooled.name, || "pooled.name".to_owned())?;
            self.check_interval((pooled.estimate, pooled.low, pooled.high), "pooled")?;
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let studies = self.studies.iter().flat_map(|s| [s.low, s.high]);
        let pooled = self.pooled.iter().flat_map(|p| [p.low, p.high]);
        let (low, high) = range(studies.chain(pooled).chain([self.no_effect()]));
        let scale = self.value_axis.scale_of(low, high);
        let total = self.total_weight();
        let share = |study: &Study| match study.weight {
            Some(weight) if total > 0.0 => Some(weight / total),
            _ => None,
        };
        let numbers: Vec<String> = self
            .studies
            .iter()
            .map(|s| interval(s.estimate, s.low, s.high))
            .collect();
        let pooled_number = self
            .pooled
            .as_ref()
            .map(|p| interval(p.estimate, p.low, p.high));
        let fonts = &page.canvas.fonts;
        let head = "Estimate [interval]";
        let all = numbers.iter().chain(&pooled_number).map(String::as_str);
        let numbers_width = fonts.widest(all.chain([head]), STRONG);
        let weight_width = if total > 0.0 {
            fonts.measure("Weight", STRONG) + 20.0
        } else {
            0.0
        };
        let names = self.studies.iter().map(|s| s.name.as_str());
        let names = names.chain(self.pooled.iter().map(|p| p.name.as_str()));
        let left = band::name_gutter(page, names.chain(["Study"])) + 8.0;
        let numbers_right = WIDTH - MARGIN - weight_width;
        let palette = page.canvas.palette();
        let head_y = page.top + 12.0;
        let row = self.row_height(page);
        let rows = self.studies.len() + usize::from(self.pooled.is_some());
        let area = Area {
            left,
            right: (numbers_right - numbers_width - 22.0).max(left + 120.0),
            top: head_y + 10.0,
            bottom: head_y + 16.0 + row * rows as f64,
        };
        let say = |page: &mut Page, at, anchor, style: Type, text: &str| {
            page.canvas.text(at, anchor, style, palette.ink, text);
        };
        say(page, (left - 20.0, head_y), Anchor::End, STRONG, "Study");
        say(page, (numbers_right, head_y), Anchor::End, STRONG, head);
        if total > 0.0 {
            say(
                page,
                (WIDTH - MARGIN, head_y),
                Anchor::End,
                STRONG,
                "Weight",
            );
        }
        let labels_end = plot::value_axis_below(page, area, &scale, Grid::TicksOnly);
        let zero = scale.at(self.no_effect(), area.left, area.right);
        let line = Stroke::solid(palette.axis, 1.2);
        page.canvas
            .line((zero, area.top), (zero, area.bottom), line);
        let x = |value: f64| scale.at(value, area.left, area.right);
        let colour = palette.mark(0);
        for (index, study) in self.studies.iter().enumerate() {
            let y = area.top + row * (index as f64 + 0.5) + 2.0;
            let baseline = y + LABEL.drop();
            band::row_name(page, left - 8.0, y, row, &study.name);
            let whisker = Stroke::solid(colour, 1.6);
            page.canvas
                .line((x(study.low), y), (x(study.high), y), whisker);
            let half = share(study).map_or(4.5, |s| 3.0 + 7.0 * s.sqrt());
            let middle = x(study.estimate);
            let square = Bounds {
                left: middle - half,
                right: middle + half,
                top: y - half,
                bottom: y + half,
            };
            page.canvas.rect(square, 0.0, colour, None);
            let at = (numbers_right, baseline);
            say(page, at, Anchor::End, LABEL, &numbers[index]);
            if let Some(share) = share(study) {
                let text = format!("{}%", number::fixed(share * 100.0, 1));
                say(page, (WIDTH - MARGIN, baseline), Anchor::End, LABEL, &text);
            }
        }
        if let (Some(pooled), Some(text)) = (&self.pooled, &pooled_number) {
            let y = area.top + row * (self.studies.len() as f64 + 0.5) + 4.0;
            let rule = Stroke::solid(palette.grid, 1.0);
            let rule_y = y - row / 2.0 - 1.0;
            page.canvas
                .line((MARGIN, rule_y), (WIDTH - MARGIN, rule_y), rule);
            let through = Stroke {
                colour: palette.mark(1),
                width: 1.2,
                dash: "4 3",
            };
            let middle = x(pooled.estimate);
            page.canvas.line((middle, area.top), (middle, y), through);
            page.canvas.diamond(
                x(pooled.low).min(middle - 2.0),
                middle,
                x(pooled.high).max(middle + 2.0),
                y,
                8.0,
                palette.mark(1),
            );
            band::row_name(page, left - 8.0, y, row, &pooled.name);
            let at = (numbers_right, y + STRONG.drop());
            say(page, at, Anchor::End, STRONG, text);
        }
        Ok(plot::caption_below(
            page,
            area,
            labels_end,
            self.value_axis.caption().as_deref(),
        ))
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Forest plot: {}. {} studies.",
            clean(&self.title),
            self.studies.len()
        );
        if let Some(p) = &self.pooled {
            alt += &format!(
                " {}: {}.",
                clean(&p.name),
                interval(p.estimate, p.low, p.high)
            );
        }
        for study in &self.studies {
            alt += &format!(
                " {}: {}.",
                clean(&study.name),
                interval(study.estimate, study.low, study.high)
            );
        }
        alt
    }
}
