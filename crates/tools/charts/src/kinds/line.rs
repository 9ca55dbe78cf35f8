//! Lines over numbers, dates or names.

use serde::{Deserialize, Serialize};

use crate::axis::{Axis, Position, Positions, positions};
use crate::chart::Kind;
use crate::limits::POINTS_MAX;
use crate::marks::series_stroke;
use crate::page::{Heading, Page, Swatch};
use crate::plot::{self, Grid};
use crate::scale::range;
use crate::text::clean;
use crate::{Refusal, SERIES_MAX, check};

const MARKERS_PER_LINE_MAX: usize = 24;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub x: Axis,
    #[serde(default)]
    pub y: Axis,
    pub series: Vec<LineSeries>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineSeries {
    pub name: String,
    /// Where and how much; `None` interrupts the line.
    pub points: Vec<(Position, Option<f64>)>,
}

impl LineChart {
    fn positions(&self) -> Result<Positions, Refusal> {
        let mut all = Vec::new();
        let mut places = Vec::new();
        for (s, series) in self.series.iter().enumerate() {
            for (p, point) in series.points.iter().enumerate() {
                all.push(&point.0);
                places.push((s, p));
            }
        }
        positions(&all, &self.x, |index| {
            let (s, p) = places.get(index).copied().unwrap_or_default();
            format!("series[{s}].points[{p}][0]")
        })
    }

    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.series
            .iter()
            .flat_map(|s| s.points.iter().filter_map(|p| p.1))
    }
}

impl Kind for LineChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.x.check("x")?;
        self.y.check("y")?;
        check::count(self.series.len(), SERIES_MAX, "series")?;
        for (s, series) in self.series.iter().enumerate() {
            check::text(&series.name, || format!("series[{s}].name"))?;
            check::count(
                series.points.len(),
                POINTS_MAX,
                format!("series[{s}].points"),
            )?;
            for (p, point) in series.points.iter().enumerate() {
                if let Some(value) = point.1 {
                    self.y
                        .check_value(value, || format!("series[{s}].points[{p}][1]"))?;
                }
            }
            if series.points.iter().all(|p| p.1.is_none()) {
                return Err(Refusal::wrong(
                    format!("series[{s}].points"),
                    "has no value at all",
                ));
            }
        }
        let total = self.series.iter().map(|s| s.points.len()).sum();
        check::count(total, POINTS_MAX, "the points of all series")?;
        self.positions().map(|_| ())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let places = self.positions()?;
        let (low, high) = range(self.values());
        let y = self.y.scale_of(low, high);
        if self.series.len() > 1 {
            let keys: Vec<_> = self
                .series
                .iter()
                .enumerate()
                .map(|(i, s)| (s.name.clone(), Swatch::Line(i)))
                .collect();
            page.legend(&keys);
        }
        plot::caption_above(page, self.y.caption().as_deref());
        let area = plot::area_for(page, &y, &places.scale);
        plot::value_axis_left(page, area, &y);
        let labels_end = plot::value_axis_below(page, area, &places.scale, Grid::TicksOnly);
        let mut at = places.numbers.iter();
        for (index, series) in self.series.iter().enumerate() {
            let mut points: Vec<(f64, Option<f64>)> = series
                .points
                .iter()
                .zip(&mut at)
                .map(|(p, x)| (*x, p.1))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let placed: Vec<Option<(f64, f64)>> = points
                .iter()
                .map(|(px, py)| {
                    py.map(|v| {
                        (
                            places.scale.at(*px, area.left, area.right),
                            y.at(v, area.bottom, area.top),
                        )
                    })
                })
                .collect();
            paint_line(page, &placed, index);
        }
        Ok(plot::caption_below(
            page,
            area,
            labels_end,
            self.x.caption().as_deref(),
        ))
    }

    fn alt(&self) -> String {
        let mut alt = format!("Line chart: {}.", clean(&self.title));
        if let Ok(places) = self.positions() {
            alt += &format!(" From {} to {}.", places.first, places.last);
        }
        for series in &self.series {
            let values: Vec<f64> = series.points.iter().filter_map(|p| p.1).collect();
            let (low, high) = range(values.iter().copied());
            if let (Some(first), Some(last)) = (values.first(), values.last()) {
                alt += &format!(
                    " {}: {} at first, {} at last, lowest {}, highest {}.",
                    clean(&series.name),
                    self.y.say(*first),
                    self.y.say(*last),
                    self.y.say(low),
                    self.y.say(high)
                );
            }
        }
        alt
    }
}

fn paint_line(page: &mut Page, points: &[Option<(f64, f64)>], series: usize) {
    let stroke = series_stroke(&page.canvas, series, 2.2);
    for stretch in points.split(Option::is_none) {
        let stretch: Vec<(f64, f64)> = stretch.iter().copied().flatten().collect();
        if stretch.len() > 1 {
            page.canvas.polyline(&stretch, stroke);
        }
    }
    let every = points.len().div_ceil(MARKERS_PER_LINE_MAX).max(1);
    for (index, point) in points.iter().enumerate() {
        let alone = (index == 0 || points[index - 1].is_none())
            && points.get(index + 1).is_none_or(Option::is_none);
        if let Some(point) = point
            && (index % every == 0 || alone)
        {
            page.canvas.marker(*point, series, 3.6);
        }
    }
}
