//! Points by two numbers, with a straight trend line where asked for.

use serde::{Deserialize, Serialize};

use crate::axis::{Axis, AxisScale};
use crate::canvas::Stroke;
use crate::chart::Kind;
use crate::limits::POINTS_MAX;
use crate::page::{Heading, Page, Swatch};
use crate::plot::{self, Grid};
use crate::scale::range;
use crate::text::clean;
use crate::{Refusal, SERIES_MAX, check};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScatterChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub x: Axis,
    #[serde(default)]
    pub y: Axis,
    pub series: Vec<ScatterSeries>,
    #[serde(default)]
    pub trend: Trend,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScatterSeries {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    #[default]
    None,
    /// Least squares over the points of all series.
    Linear,
}

/// Both ends of the line, and how much of the variance it explains.
struct Fit {
    from: (f64, f64),
    to: (f64, f64),
    explained: f64,
}

impl ScatterChart {
    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.series.iter().flat_map(|s| s.points.iter().copied())
    }

    /// Computed within the unit square, where squares cannot overflow.
    fn fit(&self) -> Option<Fit> {
        if self.trend == Trend::None {
            return None;
        }
        let (x_low, x_high) = range(self.points().map(|p| p.0));
        let (y_low, y_high) = range(self.points().map(|p| p.1));
        let (x_span, y_span) = (x_high - x_low, y_high - y_low);
        if x_span <= 0.0 || y_span <= 0.0 {
            return None;
        }
        let unit = |p: (f64, f64)| ((p.0 - x_low) / x_span, (p.1 - y_low) / y_span);
        let count = self.points().count() as f64;
        let (sx, sy) = self
            .points()
            .map(unit)
            .fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let (mx, my) = (sx / count, sy / count);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in self.points().map(unit) {
            xx += (x - mx) * (x - mx);
            xy += (x - mx) * (y - my);
            yy += (y - my) * (y - my);
        }
        if xx <= 0.0 || yy <= 0.0 {
            return None;
        }
        let slope = xy / xx;
        let height = |x: f64| y_low + (my + slope * (x - mx)) * y_span;
        Some(Fit {
            from: (x_low, height(0.0)),
            to: (x_high, height(1.0)),
            explained: xy * xy / (xx * yy),
        })
    }
}

impl Kind for ScatterChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.x.check("x")?;
        self.y.check("y")?;
        check::count(self.series.len(), SERIES_MAX, "series")?;
        let log = self.x.scale == AxisScale::Log || self.y.scale == AxisScale::Log;
        if self.trend == Trend::Linear && log {
            return Err(Refusal::wrong(
                "trend",
                "is linear, but an axis is log: the line would be curved",
            ));
        }
        for (s, series) in self.series.iter().enumerate() {
            check::text(&series.name, || format!("series[{s}].name"))?;
            check::count(
                series.points.len(),
                POINTS_MAX,
                format!("series[{s}].points"),
            )?;
            for (p, (x, y)) in series.points.iter().enumerate() {
                self.x
                    .check_value(*x, || format!("series[{s}].points[{p}][0]"))?;
                self.y
                    .check_value(*y, || format!("series[{s}].points[{p}][1]"))?;
            }
        }
        check::count(
            self.points().count(),
            POINTS_MAX,
            "the points of all series",
        )
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let fit = self.fit();
        let (x_low, x_high) = range(self.points().map(|p| p.0));
        let ends = fit.iter().flat_map(|f| [f.from.1, f.to.1]);
        let (y_low, y_high) = range(self.points().map(|p| p.1).chain(ends));
        let x = self.x.scale_of(x_low, x_high);
        let y = self.y.scale_of(y_low, y_high);
        let palette = page.canvas.palette();
        let mut keys = Vec::new();
        if self.series.len() > 1 || fit.is_some() {
            for (index, series) in self.series.iter().enumerate() {
                keys.push((series.name.clone(), Swatch::Marker(index)));
            }
        }
        if let Some(fit) = &fit {
            let name = format!("Linear trend, R² = {:.2}", fit.explained);
            keys.push((name, Swatch::Dashed(palette.ink)));
        }
        if !keys.is_empty() {
            page.legend(&keys);
        }
        plot::caption_above(page, self.y.caption().as_deref());
        let area = plot::area_for(page, &y, &x);
        plot::value_axis_left(page, area, &y);
        let labels_end = plot::value_axis_below(page, area, &x, Grid::TicksOnly);
        let place = |(px, py): (f64, f64)| {
            (
                x.at(px, area.left, area.right),
                y.at(py, area.bottom, area.top),
            )
        };
        let size = if self.points().count() > 300 {
            2.6
        } else {
            4.0
        };
        for (index, series) in self.series.iter().enumerate() {
            for point in &series.points {
                page.canvas.marker(place(*point), index, size);
            }
        }
        if let Some(fit) = &fit {
            let stroke = Stroke {
                colour: palette.ink,
                width: 1.8,
                dash: "5 4",
            };
            page.canvas.line(place(fit.from), place(fit.to), stroke);
        }
        Ok(plot::caption_below(
            page,
            area,
            labels_end,
            self.x.caption().as_deref(),
        ))
    }

    fn alt(&self) -> String {
        let mut alt = format!("Scatter plot: {}.", clean(&self.title));
        for series in &self.series {
            let (x_low, x_high) = range(series.points.iter().map(|p| p.0));
            let (y_low, y_high) = range(series.points.iter().map(|p| p.1));
            alt += &format!(
                " {}: {} points, x from {} to {}, y from {} to {}.",
                clean(&series.name),
                series.points.len(),
                self.x.say(x_low),
                self.x.say(x_high),
                self.y.say(y_low),
                self.y.say(y_high)
            );
        }
        if let Some(fit) = self.fit() {
            let direction = if fit.to.1 >= fit.from.1 {
                "rises"
            } else {
                "falls"
            };
            alt += &format!(
                " The linear trend {direction} and explains {} of the variance.",
                crate::number::percent(fit.explained)
            );
        }
        alt
    }
}
