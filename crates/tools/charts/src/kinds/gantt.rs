//! Work over time: bars, milestones, what waits for what, and where today is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::band;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::{AFTER_MAX, TASKS_MAX};
use crate::page::{Heading, MARGIN, Page, Swatch, WIDTH};
use crate::plot::Area;
use crate::scale::{Scale, range};
use crate::text::{LABEL, SMALL, STRONG, clean};
use crate::theme::Colour;
use crate::{Refusal, check, date};

const ROW: f64 = 34.0;
const BAR: f64 = 16.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GanttChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub tasks: Vec<GanttTask>,
    /// Marked where it is within the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GanttTask {
    pub id: String,
    pub name: String,
    pub start: String,
    /// Its last day. Without one it is a milestone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Ids of what must be finished before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// How much is done, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// From the morning of the first day to the evening of the last.
#[derive(Clone, Copy)]
struct Span {
    from: f64,
    to: f64,
}

enum Row {
    Group(String),
    Task(usize),
}

impl GanttChart {
    fn spans(&self) -> Result<Vec<Span>, Refusal> {
        self.tasks
            .iter()
            .enumerate()
            .map(|(t, task)| {
                let from = date::required(&task.start, || format!("tasks[{t}].start"))?;
                let Some(end) = &task.end else {
                    return Ok(Span { from, to: from });
                };
                let to = date::required(end, || format!("tasks[{t}].end"))?;
                if to < from {
                    return Err(Refusal::wrong(
                        format!("tasks[{t}].end"),
                        "is before its start",
                    ));
                }
                Ok(Span { from, to: to + 1.0 })
            })
            .collect()
    }

    /// Groups in the order in which they first appear.
    fn rows(&self) -> Vec<Row> {
        let mut groups: Vec<Option<String>> = Vec::new();
        for task in &self.tasks {
            let group = task.group.as_deref().map(clean);
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let mut rows = Vec::new();
        for group in groups {
            if let Some(name) = &group {
                rows.push(Row::Group(name.clone()));
            }
            for (index, task) in self.tasks.iter().enumerate() {
                if task.group.as_deref().map(clean) == group {
                    rows.push(Row::Task(index));
                }
            }
        }
        rows
    }

    fn check_links(&self) -> Result<(), Refusal> {
        let mut known = BTreeMap::new();
        for (t, task) in self.tasks.iter().enumerate() {
            if known.insert(task.id.as_str(), t).is_some() {
                return Err(Refusal::wrong(
                    format!("tasks[{t}].id"),
                    "is already the id of an earlier task",
                ));
            }
        }
        for (t, task) in self.tasks.iter().enumerate() {
            if task.after.len() > AFTER_MAX {
                check::count(task.after.len(), AFTER_MAX, format!("tasks[{t}].after"))?;
            }
            for (a, id) in task.after.iter().enumerate() {
                let problem = match known.get(id.as_str()) {
                    None => "is not the id of a task",
                    Some(other) if *other == t => "is the task itself",
                    Some(_) => continue,
                };
                return Err(Refusal::wrong(format!("tasks[{t}].after[{a}]"), problem));
            }
        }
        Ok(())
    }

    fn today(&self) -> Result<Option<f64>, Refusal> {
        self.today
            .as_deref()
            .map(|day| date::required(day, || "today".to_owned()))
            .transpose()
    }
}

impl Kind for GanttChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        check::count(self.tasks.len(), TASKS_MAX, "tasks")?;
        for (t, task) in self.tasks.iter().enumerate() {
            check::text(&task.id, || format!("tasks[{t}].id"))?;
            check::text(&task.name, || format!("tasks[{t}].name"))?;
            if let Some(group) = &task.group {
                check::text(group, || format!("tasks[{t}].group"))?;
            }
            if let Some(done) = task.done
                && !(0.0..=1.0).contains(&done)
            {
                return Err(Refusal::wrong(
                    format!("tasks[{t}].done"),
                    "is not between 0 and 1",
                ));
            }
        }
        self.check_links()?;
        self.today()?;
        self.spans().map(|_| ())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let spans = self.spans()?;
        self.paint_legend(page);
        let rows = self.rows();
        let (low, high) = range(spans.iter().flat_map(|s| [s.from, s.to]));
        let room = ((high - low) * 0.02).max(0.5);
        let scale = Scale::days(low - room, high + room, 8.0);
        let names = self.tasks.iter().map(|t| t.name.as_str());
        let left = band::name_gutter(page, names).max(MARGIN + 90.0);
        let area = Area {
            left,
            right: WIDTH - MARGIN,
            top: page.top + 26.0,
            bottom: page.top + 26.0 + ROW * rows.len() as f64,
        };
        paint_dates(page, area, &scale);
        let mut middle_of = vec![0.0; self.tasks.len()];
        let palette = page.canvas.palette();
        for (index, row) in rows.iter().enumerate() {
            let y = area.top + ROW * (index as f64 + 0.5);
            match row {
                Row::Group(name) => {
                    let rule = Stroke::solid(palette.grid, 1.0);
                    let line = y - ROW / 2.0;
                    page.canvas.line((MARGIN, line), (area.right, line), rule);
                    let text = page
                        .canvas
                        .fonts
                        .shorten(name, STRONG, left - MARGIN - 12.0);
                    let at = (MARGIN, y + STRONG.drop() + 2.0);
                    page.canvas
                        .text(at, Anchor::Start, STRONG, palette.ink, &text);
                }
                Row::Task(task) => middle_of[*task] = y,
            }
        }
        if let Some(today) = self.today()?
            && (scale.low()..=scale.high()).contains(&today)
        {
            let x = scale.at(today + 0.5, area.left, area.right);
            let stroke = Stroke {
                colour: palette.mark(1),
                width: 1.6,
                dash: "5 3",
            };
            page.canvas
                .line((x, area.top), (x, area.bottom + 6.0), stroke);
            let text = format!("Today, {}", date::long(today));
            let half = page.canvas.fonts.measure(&text, SMALL) / 2.0;
            let at = (
                x.clamp(MARGIN + half, WIDTH - MARGIN - half),
                area.bottom + 19.0,
            );
            page.canvas
                .text(at, Anchor::Middle, SMALL, palette.ink, &text);
        }
        self.paint_links(page, area, &scale, &spans, &middle_of);
        for (task, (span, y)) in self.tasks.iter().zip(spans.iter().zip(&middle_of)) {
            paint_task(page, area, &scale, task, *span, *y);
        }
        Ok(area.bottom + if self.today.is_some() { 22.0 } else { 4.0 })
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Gantt chart: {}. {} tasks.",
            clean(&self.title),
            self.tasks.len()
        );
        for (task, span) in self.tasks.iter().zip(self.spans().unwrap_or_default()) {
            let name = clean(&task.name);
            let from = date::long(span.from);
            alt += &if task.end.is_some() {
                format!(" {name}: {from} to {}", date::long(span.to - 1.0))
            } else {
                format!(" {name}: milestone on {from}")
            };
            if let Some(done) = task.done {
                alt += &format!(", {} done", crate::number::percent(done));
            }
            alt.push('.');
        }
        if let Ok(Some(today)) = self.today() {
            alt += &format!(" Today is {}.", date::long(today));
        }
        alt
    }
}

impl GanttChart {
    /// Only where bars are filled in part, which would have to be guessed otherwise.
    fn paint_legend(&self, page: &mut Page) {
        if self.tasks.iter().all(|t| t.done.is_none()) {
            return;
        }
        let palette = page.canvas.palette();
        let full = palette.mark(0);
        let mut keys = vec![
            ("Done".to_owned(), Swatch::Plain(full)),
            ("To do".to_owned(), Swatch::Plain(light(page))),
        ];
        if self.tasks.iter().any(|t| t.end.is_none()) {
            keys.push(("Milestone".to_owned(), Swatch::Marker(3)));
        }
        page.legend(&keys);
    }

    fn paint_links(
        &self,
        page: &mut Page,
        area: Area,
        scale: &Scale,
        spans: &[Span],
        middle_of: &[f64],
    ) {
        let palette = page.canvas.palette();
        let stroke = Stroke::solid(palette.axis, 1.3);
        let x = |day: f64| scale.at(day, area.left, area.right);
        for (index, task) in self.tasks.iter().enumerate() {
            for before in &task.after {
                let Some(from) = self.tasks.iter().position(|t| t.id == *before) else {
                    continue;
                };
                let milestone = |t: usize| {
                    if self.tasks[t].end.is_none() {
                        8.0
                    } else {
                        0.0
                    }
                };
                let (y1, y2) = (middle_of[from], middle_of[index]);
                let out = x(spans[from].to) + milestone(from);
                let into = x(spans[index].from) - milestone(index);
                let turn = (out + 7.0).min(WIDTH - MARGIN / 2.0);
                let mut path = vec![(out, y1), (turn, y1)];
                if into >= turn + 7.0 {
                    path.push((turn, y2));
                } else {
                    let between = if y2 > y1 {
                        y2 - ROW / 2.0
                    } else {
                        y2 + ROW / 2.0
                    };
                    path.push((turn, between));
                    path.push((into - 9.0, between));
                    path.push((into - 9.0, y2));
                }
                path.push((into, y2));
                page.canvas.polyline(&path, stroke);
                page.canvas
                    .arrow_head((into, y2), (into - 9.0, y2), 6.0, palette.axis);
            }
        }
    }
}

fn light(page: &Page) -> Colour {
    let palette = page.canvas.palette();
    palette.ground.mix(palette.mark(0), 0.25)
}

fn paint_dates(page: &mut Page, area: Area, scale: &Scale) {
    let palette = page.canvas.palette();
    let mut free_from = 0.0;
    for tick in &scale.ticks {
        let x = scale.at(tick.at, area.left, area.right);
        let grid = Stroke::solid(palette.grid, 1.0);
        page.canvas.line((x, area.top), (x, area.bottom), grid);
        let half = page.canvas.fonts.measure(&tick.label, LABEL) / 2.0;
        if x - half >= free_from && x + half <= WIDTH - 4.0 {
            let at = (x, area.top - 8.0);
            page.canvas
                .text(at, Anchor::Middle, LABEL, palette.soft, &tick.label);
            free_from = x + half + 12.0;
        }
    }
    let axis = Stroke::solid(palette.axis, 1.0);
    page.canvas
        .line((area.left, area.top), (area.right, area.top), axis);
}

fn paint_task(page: &mut Page, area: Area, scale: &Scale, task: &GanttTask, span: Span, y: f64) {
    let palette = page.canvas.palette();
    let colour = palette.mark(0);
    let x = |day: f64| scale.at(day, area.left, area.right);
    if task.end.is_none() {
        let middle = x(span.from);
        page.canvas
            .diamond(middle - 8.0, middle, middle + 8.0, y, 8.0, palette.mark(3));
    } else {
        let whole = Bounds {
            left: x(span.from),
            right: x(span.to).max(x(span.from) + 2.0),
            top: y - BAR / 2.0,
            bottom: y + BAR / 2.0,
        };
        match task.done {
            None => page.canvas.rect(whole, 3.0, colour, None),
            Some(done) => {
                let edge = Some(Stroke::solid(colour, 1.2));
                page.canvas.rect(whole, 3.0, light(page), edge);
                let part = Bounds {
                    right: whole.left + (whole.right - whole.left) * done,
                    ..whole
                };
                if done > 0.0 {
                    page.canvas.rect(part, 3.0, colour, None);
                }
            }
        }
    }
    band::row_name(page, area.left, y, ROW, &task.name);
}
