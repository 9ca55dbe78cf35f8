//! What tells series apart besides colour: markers, dashes and hatchings.

use crate::Theme;
use crate::canvas::{Canvas, Stroke};
use crate::theme::{Colour, SERIES_MAX};

const DASHES: [&str; SERIES_MAX] = [
    "",
    "7 4",
    "2 3",
    "10 3 2 3",
    "14 4",
    "5 2 1 2 1 2",
    "4 4",
    "1 2",
];

pub(crate) fn dash(series: usize) -> &'static str {
    DASHES[series % SERIES_MAX]
}

pub(crate) fn series_stroke(canvas: &Canvas, series: usize, width: f64) -> Stroke {
    Stroke {
        colour: canvas.palette().mark(series),
        width,
        dash: dash(series),
    }
}

impl Canvas {
    pub(crate) fn marker(&mut self, at: (f64, f64), series: usize, size: f64) {
        let colour = self.palette().mark(series);
        self.coloured_marker(at, series, size, colour);
    }

    fn coloured_marker(&mut self, (x, y): (f64, f64), series: usize, r: f64, colour: Colour) {
        let halo = Some(Stroke::solid(self.palette().ground, 1.0));
        let fill = Some(colour);
        let bold = Stroke::solid(colour, r * 0.6);
        match series % SERIES_MAX {
            0 => self.circle((x, y), r, fill, halo),
            1 => {
                let s = r * 0.9;
                self.polygon(
                    &[
                        (x - s, y - s),
                        (x + s, y - s),
                        (x + s, y + s),
                        (x - s, y + s),
                    ],
                    fill,
                    halo,
                );
            }
            2 => self.polygon(
                &[
                    (x, y - r * 1.2),
                    (x + r * 1.1, y + r * 0.8),
                    (x - r * 1.1, y + r * 0.8),
                ],
                fill,
                halo,
            ),
            3 => {
                let s = r * 1.25;
                self.polygon(
                    &[(x, y - s), (x + s, y), (x, y + s), (x - s, y)],
                    fill,
                    halo,
                );
            }
            4 => self.polygon(
                &[
                    (x, y + r * 1.2),
                    (x + r * 1.1, y - r * 0.8),
                    (x - r * 1.1, y - r * 0.8),
                ],
                fill,
                halo,
            ),
            5 => {
                self.line((x - r, y - r), (x + r, y + r), bold);
                self.line((x - r, y + r), (x + r, y - r), bold);
            }
            6 => {
                self.line((x - r * 1.2, y), (x + r * 1.2, y), bold);
                self.line((x, y - r * 1.2), (x, y + r * 1.2), bold);
            }
            _ => {
                let ground = self.palette().ground;
                self.circle(
                    (x, y),
                    r,
                    Some(ground),
                    Some(Stroke::solid(colour, r * 0.5)),
                );
            }
        }
    }

    pub(crate) fn diamond(
        &mut self,
        left: f64,
        middle: f64,
        right: f64,
        y: f64,
        half: f64,
        colour: Colour,
    ) {
        self.polygon(
            &[
                (left, y),
                (middle, y - half),
                (right, y),
                (middle, y + half),
            ],
            Some(colour),
            None,
        );
    }

    /// The head of an arrow that arrives from the left.
    pub(crate) fn arrow_head(
        &mut self,
        tip: (f64, f64),
        from: (f64, f64),
        size: f64,
        colour: Colour,
    ) {
        let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        if length < 1e-6 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let base = (tip.0 - ux * size, tip.1 - uy * size);
        let side = size * 0.5;
        self.polygon(
            &[
                tip,
                (base.0 - uy * side, base.1 + ux * side),
                (base.0 + uy * side, base.1 - ux * side),
            ],
            Some(colour),
            None,
        );
    }
}

pub(crate) fn hatching(series: usize, theme: Theme) -> String {
    let ground = theme.palette().ground;
    let (size, turn, lines) = match series % SERIES_MAX {
        1 => (7, 45, "M0 0V7"),
        2 => (5, 0, "M1.5 1.5h2v2h-2Z"),
        3 => (7, -45, "M0 0V7"),
        4 => (6, 90, "M0 0V6"),
        5 => (8, 45, "M0 0V8M0 0H8"),
        6 => (6, 0, "M0 0V6"),
        _ => (4, 45, "M0 0V4"),
    };
    let paint = if series % SERIES_MAX == 2 {
        format!(r#"fill="{ground}""#)
    } else {
        format!(r#"stroke="{ground}" stroke-width="1.6""#)
    };
    format!(
        "<pattern id=\"adj-{}-hatch{series}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\"><path d=\"{lines}\" {paint} opacity=\"0.45\"/></pattern>\n",
        theme.name()
    )
}
