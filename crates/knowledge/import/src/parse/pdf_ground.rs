//! What is behind a page's text: colours and pictures in coarse cells, and what they are clipped to. Knows no glyphs.

use std::rc::Rc;

use hayro_interpret::{BlendMode, FillRule};
use kurbo::{BezPath, PathEl, Point, Rect, Shape};

const CELL_POINTS_MIN: f64 = 2.0;
const CELLS_PER_SIDE_MAX: f64 = 512.0;
/// Paths that leave this far behind are not drawn; nothing of a page is out there.
const COORDINATE_MAX: f64 = 1_000_000.0;
/// How often one path may cross the rows of cells. The rest of such a path is not drawn.
const CROSSINGS_MAX: usize = 4_000_000;
/// Of 255. Two colours that are nearer than this in every channel look the same.
const CONTRAST_MIN: u8 = 24;
const OPAQUE_MIN: f32 = 0.98;

pub(super) type Rgb = [u8; 3];

/// A colour as it is put on a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colour {
    pub(super) rgb: Rgb,
    pub(super) alpha: f32,
    pub(super) blend: BlendMode,
}

/// What an area is filled with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ink {
    Colour(Colour),
    /// A picture fine enough to be a scanned page.
    Scan,
    /// Other pictures, gradients, masks.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ground {
    Solid(Rgb),
    Scan,
    Unknown,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    ground: Ground,
    /// When it was last painted over with a colour that lets nothing through.
    covered: u32,
}

#[derive(Debug, Clone)]
struct Clip {
    bounds: Rect,
    /// By cell, unless everything within the bounds is let through.
    cells: Option<Rc<[bool]>>,
}

#[derive(Debug)]
pub(super) struct Grounds {
    columns: usize,
    rows: usize,
    cell_points: f64,
    cells: Vec<Cell>,
    clips: Vec<Clip>,
}

/// Columns of one row.
#[derive(Debug)]
struct Run {
    row: usize,
    columns: std::ops::Range<usize>,
}

impl Grounds {
    /// A white page.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let cell_points = (width.max(height) / CELLS_PER_SIDE_MAX).max(CELL_POINTS_MIN);
        let columns = (width / cell_points).ceil().max(1.0) as usize;
        let rows = (height / cell_points).ceil().max(1.0) as usize;
        let white = Cell {
            ground: Ground::Solid([255; 3]),
            covered: 0,
        };
        Self {
            columns,
            rows,
            cell_points,
            cells: vec![white; columns * rows],
            clips: Vec::new(),
        }
    }

    pub(super) fn paint(&mut self, path: &BezPath, rule: FillRule, ink: Ink, moment: u32) {
        let clip = self.clips.last().cloned();
        let within = clip.as_ref().map(|clip| clip.bounds);
        for run in self.runs(path, rule, within) {
            for column in run.columns {
                let place = run.row * self.columns + column;
                let lets_through = clip
                    .as_ref()
                    .and_then(|clip| clip.cells.as_ref())
                    .is_none_or(|cells| cells.get(place).copied().unwrap_or(false));
                if let (Some(cell), true) = (self.cells.get_mut(place), lets_through) {
                    cell.take(ink, moment);
                }
            }
        }
    }

    pub(super) fn push_clip(&mut self, path: &BezPath, rule: FillRule) {
        let outer = self.clips.last().cloned();
        let mut bounds = path.bounding_box();
        if let Some(outer) = &outer {
            bounds = bounds.intersect(outer.bounds);
        }
        let outer_cells = outer.and_then(|outer| outer.cells);
        let cells = if is_rectangle(path) {
            outer_cells
        } else {
            let mut cells = vec![false; self.cells.len()];
            for run in self.runs(path, rule, Some(bounds)) {
                for column in run.columns {
                    let place = run.row * self.columns + column;
                    let lets_through = outer_cells
                        .as_ref()
                        .is_none_or(|outer| outer.get(place).copied().unwrap_or(false));
                    if let Some(cell) = cells.get_mut(place) {
                        *cell = lets_through;
                    }
                }
            }
            Some(cells.into())
        };
        self.clips.push(Clip { bounds, cells });
    }

    pub(super) fn pop_clip(&mut self) {
        self.clips.pop();
    }

    /// Whether nothing of an area is let through.
    pub(super) fn is_clipped_away(&self, area: Rect) -> bool {
        let Some(clip) = self.clips.last() else {
            return false;
        };
        let part = area.intersect(clip.bounds);
        if part.width() <= 0.0 || part.height() <= 0.0 {
            return true;
        }
        let Some(cells) = &clip.cells else {
            return false;
        };
        let last_row = self.row(part.y1);
        let last_column = self.column(part.x1);
        !(self.row(part.y0)..=last_row).any(|row| {
            (self.column(part.x0)..=last_column)
                .any(|column| cells.get(row * self.columns + column) == Some(&true))
        })
    }

    /// Whether a colour can be told from what is behind it.
    pub(super) fn shows(&self, at: Point, colour: Colour) -> bool {
        match self.cell(at).map(|cell| cell.ground) {
            Some(Ground::Solid(ground)) => mixed(colour, ground).is_none_or(|mixed| {
                let channels = mixed.into_iter().zip(ground);
                channels.map(|(one, other)| one.abs_diff(other)).max() >= Some(CONTRAST_MIN)
            }),
            _ => true,
        }
    }

    pub(super) fn was_covered_after(&self, at: Point, moment: u32) -> bool {
        self.cell(at).is_some_and(|cell| cell.covered > moment)
    }

    pub(super) fn is_scan(&self, at: Point) -> bool {
        self.cell(at)
            .is_some_and(|cell| cell.ground == Ground::Scan)
    }

    /// How much of the page is a picture that may be a scan.
    pub(super) fn scan_percent(&self) -> usize {
        let scanned = self.cells.iter();
        let scanned = scanned.filter(|cell| cell.ground == Ground::Scan).count();
        scanned * 100 / self.cells.len().max(1)
    }

    fn cell(&self, at: Point) -> Option<&Cell> {
        self.cells
            .get(self.row(at.y) * self.columns + self.column(at.x))
    }

    fn row(&self, y: f64) -> usize {
        ((y / self.cell_points) as usize).min(self.rows - 1)
    }

    fn column(&self, x: f64) -> usize {
        ((x / self.cell_points) as usize).min(self.columns - 1)
    }

    /// The first row or column, of so many, whose middle is not before a coordinate.
    fn first_from(&self, coordinate: f64, count: usize) -> usize {
        ((coordinate / self.cell_points - 0.5).ceil().max(0.0) as usize).min(count)
    }

    /// The cells whose middle is inside a path, and inside a rectangle if one is given.
    fn runs(&self, path: &BezPath, rule: FillRule, within: Option<Rect>) -> Vec<Run> {
        let mut runs = Vec::new();
        for (row, mut crossings) in self.crossings(path).into_iter().enumerate() {
            let middle = (row as f64 + 0.5) * self.cell_points;
            if within.is_some_and(|within| middle < within.y0 || middle >= within.y1) {
                continue;
            }
            crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut winding = 0;
            for pair in crossings.windows(2) {
                let [(left, turn), (right, _)] = pair else {
                    continue;
                };
                winding += turn;
                let inside = match rule {
                    FillRule::NonZero => winding != 0,
                    FillRule::EvenOdd => winding % 2 != 0,
                };
                if !inside {
                    continue;
                }
                let left = within.map_or(*left, |within| left.max(within.x0));
                let right = within.map_or(*right, |within| right.min(within.x1));
                let columns =
                    self.first_from(left, self.columns)..self.first_from(right, self.columns);
                if !columns.is_empty() {
                    runs.push(Run { row, columns });
                }
            }
        }
        runs
    }

    /// Where a path's outline crosses the middle of each row, and whether upwards (1) or downwards (-1).
    fn crossings(&self, path: &BezPath) -> Vec<Vec<(f64, i32)>> {
        let mut crossings = vec![Vec::new(); self.rows];
        let bounds = path.bounding_box();
        let edges = [bounds.x0, bounds.x1, bounds.y0, bounds.y1];
        if !edges.iter().all(|edge| edge.abs() < COORDINATE_MAX) {
            return crossings;
        }
        let mut left = CROSSINGS_MAX;
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        kurbo::flatten(path, self.cell_points / 4.0, |element| {
            let next = match element {
                PathEl::MoveTo(point) => {
                    self.cross(&mut crossings, &mut left, last, start);
                    (start, last) = (point, point);
                    return;
                }
                PathEl::ClosePath => start,
                PathEl::LineTo(point) | PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                    point
                }
            };
            self.cross(&mut crossings, &mut left, last, next);
            last = next;
        });
        self.cross(&mut crossings, &mut left, last, start);
        crossings
    }

    fn cross(&self, into: &mut [Vec<(f64, i32)>], left: &mut usize, from: Point, to: Point) {
        let (low, high, turn) = if from.y <= to.y {
            (from, to, 1)
        } else {
            (to, from, -1)
        };
        let rows = self.first_from(low.y, self.rows)..self.first_from(high.y, self.rows);
        for row in rows {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let middle = (row as f64 + 0.5) * self.cell_points;
            let share = (middle - low.y) / (high.y - low.y);
            if let Some(row) = into.get_mut(row) {
                row.push((low.x + share * (high.x - low.x), turn));
            }
        }
    }
}

impl Cell {
    fn take(&mut self, ink: Ink, moment: u32) {
        let colour = match ink {
            Ink::Scan => {
                self.ground = Ground::Scan;
                return;
            }
            Ink::Unknown => {
                self.ground = Ground::Unknown;
                return;
            }
            Ink::Colour(colour) => colour,
        };
        if colour.alpha >= OPAQUE_MIN && colour.blend == BlendMode::Normal {
            self.ground = Ground::Solid(colour.rgb);
            self.covered = moment;
        } else if let Ground::Solid(ground) = self.ground {
            self.ground = mixed(colour, ground).map_or(Ground::Unknown, Ground::Solid);
        }
    }
}

/// What a colour makes of the one behind it; nothing where that is not worked out here.
fn mixed(colour: Colour, ground: Rgb) -> Option<Rgb> {
    let mut mixed = ground;
    for (channel, source) in mixed.iter_mut().zip(colour.rgb) {
        let (below, above) = (f32::from(*channel) / 255.0, f32::from(source) / 255.0);
        let blended = match colour.blend {
            BlendMode::Normal => above,
            BlendMode::Multiply => above * below,
            BlendMode::Screen => above + below - above * below,
            BlendMode::Darken => above.min(below),
            BlendMode::Lighten => above.max(below),
            _ => return None,
        };
        let value = below + colour.alpha.clamp(0.0, 1.0) * (blended - below);
        *channel = (value * 255.0).round() as u8;
    }
    Some(mixed)
}

/// Whether a path fills its bounding box: four straight sides along the axes.
fn is_rectangle(path: &BezPath) -> bool {
    let straight = path
        .elements()
        .iter()
        .all(|element| !matches!(element, PathEl::QuadTo(..) | PathEl::CurveTo(..)));
    let area = path.bounding_box().area();
    path.elements().len() <= 6 && straight && (path.area().abs() - area).abs() <= area * 0.001
}
