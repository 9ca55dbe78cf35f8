//! Bars, grouped or stacked, upright or level.

use serde::{Deserialize, Serialize};

use crate::axis::{Axis, AxisScale};
use crate::band;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::CATEGORIES_MAX;
use crate::page::{Heading, MARGIN, Page, Swatch, WIDTH};
use crate::plot::{self, Area, Grid};
use crate::scale::{Scale, range};
use crate::text::{SMALL, clean};
use crate::{Refusal, SERIES_MAX, check, number};

const LEVEL_LABEL_WIDTH_MAX: f64 = 56.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub categories: Vec<String>,
    pub series: Vec<BarSeries>,
    #[serde(default)]
    pub layout: BarLayout,
    #[serde(default)]
    pub direction: BarDirection,
    #[serde(default)]
    pub value_axis: Axis,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarSeries {
    pub name: String,
    /// One for each category.
    pub values: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarLayout {
    #[default]
    Grouped,
    Stacked,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarDirection {
    #[default]
    Vertical,
    Horizontal,
}

/// One bar: which category and series, from which value to which, in which lane of its category.
struct Piece {
    category: usize,
    series: usize,
    from: f64,
    to: f64,
    lane: usize,
}

impl BarChart {
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for category in 0..self.categories.len() {
            let (mut above, mut below) = (0.0, 0.0);
            for (index, series) in self.series.iter().enumerate() {
                let value = series.values[category];
                let (from, to, lane) = match self.layout {
                    BarLayout::Grouped => (0.0, value, index),
                    BarLayout::Stacked => {
                        let base: &mut f64 = if value < 0.0 { &mut below } else { &mut above };
                        let from = *base;
                        *base += value;
                        (from, *base, 0)
                    }
                };
                pieces.push(Piece {
                    category,
                    series: index,
                    from,
                    to,
                    lane,
                });
            }
        }
        pieces
    }

    fn any_negative(&self) -> bool {
        self.series
            .iter()
            .any(|s| s.values.iter().any(|v| *v < 0.0))
    }

    fn lanes(&self) -> usize {
        match self.layout {
            BarLayout::Grouped => self.series.len(),
            BarLayout::Stacked => 1,
        }
    }

    fn upright(&self, page: &mut Page, scale: &Scale) -> f64 {
        plot::caption_above(page, self.value_axis.caption().as_deref());
        let area = Area {
            left: plot::left_gutter(page, scale),
            right: WIDTH - MARGIN,
            top: page.top + 8.0,
            bottom: page.top + 8.0 + plot::PLOT_HEIGHT,
        };
        plot::value_axis_left(page, area, scale);
        let slot = (area.right - area.left) / self.categories.len() as f64;
        let thickness = (slot * 0.74 / self.lanes() as f64).min(64.0);
        let group = thickness * self.lanes() as f64;
        let labelled = self.labels_fit(page, thickness - 2.0);
        for piece in self.pieces() {
            let middle = area.left + slot * (piece.category as f64 + 0.5);
            let left = middle - group / 2.0 + thickness * piece.lane as f64;
            let a = scale.at(piece.from, area.bottom, area.top);
            let b = scale.at(piece.to, area.bottom, area.top);
            let bounds = Bounds {
                left: left + gap(thickness),
                right: left + thickness - gap(thickness),
                top: a.min(b),
                bottom: a.max(b),
            };
            self.bar(page, bounds, piece.series);
            if labelled {
                let y = if piece.to < 0.0 { b + 13.0 } else { b - 5.0 };
                let at = (left + thickness / 2.0, y);
                let soft = page.canvas.palette().soft;
                let text = number::value(piece.to);
                page.canvas.text(at, Anchor::Middle, SMALL, soft, &text);
            }
        }
        self.base_line(page, area, scale);
        // The value of a bar that reaches the bottom stands below it.
        let below = if labelled && self.any_negative() {
            14.0
        } else {
            0.0
        };
        let names = Area {
            bottom: area.bottom + below,
            ..area
        };
        band::names_below(page, names, &self.categories)
    }

    fn level(&self, page: &mut Page, scale: &Scale) -> f64 {
        let lane = match self.lanes() {
            1 => 24.0,
            2 => 17.0,
            _ => 14.0,
        };
        let row = lane * self.lanes() as f64 + 14.0;
        let names = self.categories.iter().map(String::as_str);
        let labelled = self.labels_fit(page, LEVEL_LABEL_WIDTH_MAX);
        let room = if labelled {
            LEVEL_LABEL_WIDTH_MAX
        } else {
            10.0
        };
        let names_end = band::name_gutter(page, names);
        let area = Area {
            left: names_end + if self.any_negative() { room } else { 0.0 },
            right: WIDTH - MARGIN - room,
            top: page.top + 4.0,
            bottom: page.top + 4.0 + row * self.categories.len() as f64,
        };
        let labels_end = plot::value_axis_below(page, area, scale, Grid::Lines);
        for piece in self.pieces() {
            let top = area.top + row * piece.category as f64 + 7.0 + lane * piece.lane as f64;
            let a = scale.at(piece.from, area.left, area.right);
            let b = scale.at(piece.to, area.left, area.right);
            let bounds = Bounds {
                left: a.min(b),
                right: a.max(b),
                top: top + 1.0,
                bottom: top + lane - 1.0,
            };
            self.bar(page, bounds, piece.series);
            if labelled {
                let (x, anchor) = if piece.to < 0.0 {
                    (b - 6.0, Anchor::End)
                } else {
                    (b + 6.0, Anchor::Start)
                };
                let at = (x, top + lane / 2.0 + SMALL.drop());
                let soft = page.canvas.palette().soft;
                let text = number::value(piece.to);
                page.canvas.text(at, anchor, SMALL, soft, &text);
            }
        }
        for (index, name) in self.categories.iter().enumerate() {
            let middle = area.top + row * (index as f64 + 0.5);
            band::row_name(page, names_end, middle, row, name);
        }
        let x = scale.at(0.0, area.left, area.right);
        let stroke = Stroke::solid(page.canvas.palette().axis, 1.2);
        page.canvas.line((x, area.top), (x, area.bottom), stroke);
        let caption = self.value_axis.caption();
        plot::caption_below(page, area, labels_end, caption.as_deref())
    }

    fn bar(&self, page: &mut Page, bounds: Bounds, series: usize) {
        let palette = page.canvas.palette();
        let edge = (self.layout == BarLayout::Stacked).then(|| Stroke::solid(palette.ground, 1.0));
        page.canvas.rect(bounds, 0.0, palette.mark(series), edge);
        page.canvas.hatch(bounds, 0.0, series);
    }

    /// All values or none: some alone would look as if they mattered more.
    fn labels_fit(&self, page: &Page, room: f64) -> bool {
        let texts: Vec<String> = self
            .series
            .iter()
            .flat_map(|s| s.values.iter().map(|v| number::value(*v)))
            .collect();
        let widest = page
            .canvas
            .fonts
            .widest(texts.iter().map(String::as_str), SMALL);
        self.layout == BarLayout::Grouped && widest <= room
    }

    fn base_line(&self, page: &mut Page, area: Area, scale: &Scale) {
        let y = scale.at(0.0, area.bottom, area.top);
        let stroke = Stroke::solid(page.canvas.palette().axis, 1.2);
        page.canvas.line((area.left, y), (area.right, y), stroke);
    }
}

fn gap(thickness: f64) -> f64 {
    if thickness > 10.0 { 1.0 } else { 0.0 }
}

impl Kind for BarChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        if self.value_axis.scale == AxisScale::Log {
            return Err(Refusal::wrong(
                "value_axis.scale",
                "is log, but bars begin at zero",
            ));
        }
        check::count(self.categories.len(), CATEGORIES_MAX, "categories")?;
        check::texts(&self.categories, "categories")?;
        check::count(self.series.len(), SERIES_MAX, "series")?;
        for (s, series) in self.series.iter().enumerate() {
            check::text(&series.name, || format!("series[{s}].name"))?;
            check::same_length(
                series.values.len(),
                || format!("series[{s}].values"),
                self.categories.len(),
                "categories",
            )?;
            check::all_finite(&series.values, &format!("series[{s}].values"))?;
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let (low, high) = range(self.pieces().iter().flat_map(|p| [p.from, p.to, 0.0]));
        let scale = Scale::linear(low, high);
        if self.series.len() > 1 {
            let keys: Vec<_> = self
                .series
                .iter()
                .enumerate()
                .map(|(i, s)| (s.name.clone(), Swatch::Bar(i)))
                .collect();
            page.legend(&keys);
        }
        Ok(match self.direction {
            BarDirection::Vertical => self.upright(page, &scale),
            BarDirection::Horizontal => self.level(page, &scale),
        })
    }

    fn alt(&self) -> String {
        let layout = match self.layout {
            BarLayout::Grouped => "Bar chart",
            BarLayout::Stacked => "Stacked bar chart",
        };
        let mut alt = format!("{layout}: {}.", clean(&self.title));
        for series in &self.series {
            let parts: Vec<String> = self
                .categories
                .iter()
                .zip(&series.values)
                .map(|(c, v)| format!("{} {}", clean(c), self.value_axis.say(*v)))
                .collect();
            alt += &format!(" {}: {}.", clean(&series.name), parts.join(", "));
        }
        alt
    }
}
