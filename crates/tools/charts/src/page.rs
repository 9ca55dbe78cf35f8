//! What every chart has around its plot: title, subtitle, legend, source note.

use crate::canvas::{Anchor, Bounds, Canvas, Sketch, Stroke};
use crate::marks::series_stroke;
use crate::text::{LABEL, SMALL, SUBTITLE, TITLE, clean};
use crate::theme::Colour;
use crate::{Refusal, Theme, check};

pub(crate) const WIDTH: f64 = 880.0;
pub(crate) const MARGIN: f64 = 28.0;
pub(crate) const INNER: f64 = WIDTH - 2.0 * MARGIN;

const TITLE_LINES_MAX: usize = 2;
const SUBTITLE_LINES_MAX: usize = 3;
const SOURCE_LINES_MAX: usize = 2;
const LEGEND_LABEL_WIDTH_MAX: f64 = 220.0;
const ALT_CHARS_MAX: usize = 1500;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: Option<&'a str>,
    pub(crate) source: Option<&'a str>,
}

impl Heading<'_> {
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        check::text(self.title, || "title".to_owned())?;
        for (text, field) in [(self.subtitle, "subtitle"), (self.source, "source")] {
            if let Some(text) = text {
                check::text(text, || field.to_owned())?;
            }
        }
        Ok(())
    }
}

/// What a legend shows before a name.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Swatch {
    Line(usize),
    Bar(usize),
    Marker(usize),
    Plain(Colour),
    Dashed(Colour),
    Stroke(Colour),
    Round(Colour),
}

pub(crate) struct Page {
    pub(crate) canvas: Canvas,
    /// Where the next thing may begin.
    pub(crate) top: f64,
}

impl Page {
    pub(crate) fn open(heading: &Heading<'_>, theme: Theme) -> Result<Self, Refusal> {
        let mut canvas = Canvas::new(theme)?;
        let palette = canvas.palette();
        let mut top = MARGIN - 4.0;
        let title = clean(heading.title);
        for line in canvas.fonts.wrap(&title, TITLE, INNER, TITLE_LINES_MAX) {
            top += TITLE.line_height();
            let at = (MARGIN, top - 6.0);
            canvas.text(at, Anchor::Start, TITLE, palette.ink, &line);
        }
        if let Some(subtitle) = heading.subtitle {
            let lines = canvas
                .fonts
                .wrap(&clean(subtitle), SUBTITLE, INNER, SUBTITLE_LINES_MAX);
            for line in lines {
                top += SUBTITLE.line_height() + 1.0;
                let at = (MARGIN, top - 4.0);
                canvas.text(at, Anchor::Start, SUBTITLE, palette.soft, &line);
            }
        }
        Ok(Self {
            canvas,
            top: top + 14.0,
        })
    }

    pub(crate) fn legend(&mut self, keys: &[(String, Swatch)]) {
        let palette = self.canvas.palette();
        let (mut x, mut y) = (MARGIN, self.top + 8.0);
        for (name, swatch) in keys {
            let label = self
                .canvas
                .fonts
                .shorten(&clean(name), LABEL, LEGEND_LABEL_WIDTH_MAX);
            let swatch_width = match swatch {
                Swatch::Line(_) | Swatch::Dashed(_) | Swatch::Stroke(_) => 30.0,
                Swatch::Bar(_) | Swatch::Marker(_) | Swatch::Plain(_) | Swatch::Round(_) => 14.0,
            };
            let width = swatch_width + 7.0 + self.canvas.fonts.measure(&label, LABEL);
            if x > MARGIN && x + width > WIDTH - MARGIN {
                x = MARGIN;
                y += 22.0;
            }
            self.swatch((x, y), *swatch);
            let at = (x + swatch_width + 7.0, y + LABEL.drop());
            self.canvas
                .text(at, Anchor::Start, LABEL, palette.ink, &label);
            x += width + 22.0;
        }
        self.top = y + 22.0;
    }

    fn swatch(&mut self, (x, y): (f64, f64), swatch: Swatch) {
        let square = Bounds {
            left: x,
            top: y - 7.0,
            right: x + 14.0,
            bottom: y + 7.0,
        };
        let palette = self.canvas.palette();
        match swatch {
            Swatch::Line(series) => {
                let stroke = series_stroke(&self.canvas, series, 2.2);
                self.canvas.line((x, y), (x + 30.0, y), stroke);
                self.canvas.marker((x + 15.0, y), series, 4.0);
            }
            Swatch::Bar(series) => {
                self.canvas.rect(square, 2.0, palette.mark(series), None);
                self.canvas.hatch(square, 2.0, series);
            }
            Swatch::Marker(series) => self.canvas.marker((x + 7.0, y), series, 4.5),
            Swatch::Plain(colour) => self.canvas.rect(square, 2.0, colour, None),
            Swatch::Round(colour) => self.canvas.circle((x + 7.0, y), 7.0, Some(colour), None),
            Swatch::Stroke(colour) => {
                let stroke = Stroke::solid(colour, 3.0);
                self.canvas.line((x, y), (x + 30.0, y), stroke);
            }
            Swatch::Dashed(colour) => {
                let stroke = Stroke {
                    colour,
                    width: 1.8,
                    dash: "5 4",
                };
                self.canvas.line((x, y), (x + 30.0, y), stroke);
            }
        }
    }

    /// `bottom` is where the plot and its labels end.
    pub(crate) fn close(mut self, heading: &Heading<'_>, alt: &str, bottom: f64) -> Sketch {
        let mut y = bottom;
        if let Some(source) = heading.source {
            let text = format!("Source: {}", clean(source));
            let lines = self
                .canvas
                .fonts
                .wrap(&text, SMALL, INNER, SOURCE_LINES_MAX);
            y += 10.0;
            let soft = self.canvas.palette().soft;
            for line in lines {
                y += SMALL.line_height();
                self.canvas
                    .text((MARGIN, y), Anchor::Start, SMALL, soft, &line);
            }
        }
        let height = (y + 22.0).ceil();
        let alt = shortened(&clean(alt));
        self.canvas
            .finish(&clean(heading.title), alt, WIDTH, height)
    }
}

fn shortened(alt: &str) -> String {
    if alt.chars().count() <= ALT_CHARS_MAX {
        return alt.to_owned();
    }
    let kept: String = alt.chars().take(ALT_CHARS_MAX - 1).collect();
    format!("{kept}…")
}
