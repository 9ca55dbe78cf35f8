//! Writes SVG and remembers where everything went, so that tests can look for what overlaps or runs out.

use std::collections::BTreeSet;
use std::fmt::Write;

use ttf_parser::GlyphId;

use crate::font::{Fonts, UNITS_PER_EM, Weight};
use crate::text::{Type, escape};
use crate::theme::{Colour, Palette};
use crate::{Refusal, Theme};

#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub svg: String,
    pub width: f64,
    pub height: f64,
    /// What the chart shows, in words.
    pub alt: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Bounds {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) text: String,
    pub(crate) bounds: Bounds,
}

/// A drawing and what tests want to know about it.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) drawing: Drawing,
    #[cfg_attr(not(test), expect(dead_code, reason = "looked at by tests"))]
    pub(crate) texts: Vec<Placed>,
    #[cfg_attr(not(test), expect(dead_code, reason = "looked at by tests"))]
    pub(crate) extent: Bounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    /// As SVG writes it; empty is solid.
    pub(crate) dash: &'static str,
}

impl Stroke {
    pub(crate) fn solid(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dash: "",
        }
    }

    fn attributes(self) -> String {
        let mut text = format!(
            r#" stroke="{}" stroke-width="{}""#,
            self.colour,
            n(self.width)
        );
        if !self.dash.is_empty() {
            let _ = write!(text, r#" stroke-dasharray="{}""#, self.dash);
        }
        text
    }
}

/// A coordinate: two decimals are a fiftieth of what the eye resolves.
pub(crate) fn n(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Minus zero would be written with its sign.
    format!("{}", rounded + 0.0)
}

pub(crate) struct Canvas {
    pub(crate) fonts: Fonts,
    pub(crate) theme: Theme,
    body: String,
    texts: Vec<Placed>,
    extent: Bounds,
    glyphs: BTreeSet<(Weight, u16)>,
    hatchings: BTreeSet<usize>,
}

impl Canvas {
    pub(crate) fn new(theme: Theme) -> Result<Self, Refusal> {
        Ok(Self {
            fonts: Fonts::load()?,
            theme,
            body: String::new(),
            texts: Vec::new(),
            extent: Bounds {
                left: 0.0,
                top: 0.0,
                right: 0.0,
                bottom: 0.0,
            },
            glyphs: BTreeSet::new(),
            hatchings: BTreeSet::new(),
        })
    }

    pub(crate) fn palette(&self) -> &'static Palette {
        self.theme.palette()
    }

    fn reach(&mut self, x: f64, y: f64) {
        self.extent.left = self.extent.left.min(x);
        self.extent.top = self.extent.top.min(y);
        self.extent.right = self.extent.right.max(x);
        self.extent.bottom = self.extent.bottom.max(y);
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.polyline(&[from, to], stroke);
    }

    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            self.reach(*x, *y);
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{} {}", n(*x), n(*y));
        }
        self.push(format_args!(
            r#"<path d="{path}" fill="none" stroke-linejoin="round"{}/>"#,
            stroke.attributes()
        ));
    }

    /// A smooth line through the points, level at each of them.
    pub(crate) fn curve(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            self.reach(*x, *y);
            if index == 0 {
                let _ = write!(path, "M{} {}", n(*x), n(*y));
                continue;
            }
            let (px, py) = points[index - 1];
            let middle = n((px + x) / 2.0);
            let _ = write!(
                path,
                "C{middle} {} {middle} {} {} {}",
                n(py),
                n(*y),
                n(*x),
                n(*y)
            );
        }
        self.push(format_args!(
            r#"<path d="{path}" fill="none"{}/>"#,
            stroke.attributes()
        ));
    }

    pub(crate) fn polygon(
        &mut self,
        points: &[(f64, f64)],
        fill: Option<Colour>,
        stroke: Option<Stroke>,
    ) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            self.reach(*x, *y);
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{} {}", n(*x), n(*y));
        }
        let fill = fill.map_or_else(|| "none".to_owned(), |colour| colour.to_string());
        let stroke = stroke.map_or_else(String::new, Stroke::attributes);
        self.push(format_args!(r#"<path d="{path}Z" fill="{fill}"{stroke}/>"#));
    }

    pub(crate) fn circle(
        &mut self,
        centre: (f64, f64),
        radius: f64,
        fill: Option<Colour>,
        stroke: Option<Stroke>,
    ) {
        self.reach(centre.0 - radius, centre.1 - radius);
        self.reach(centre.0 + radius, centre.1 + radius);
        let fill = fill.map_or_else(|| "none".to_owned(), |colour| colour.to_string());
        let stroke = stroke.map_or_else(String::new, Stroke::attributes);
        self.push(format_args!(
            r#"<circle cx="{}" cy="{}" r="{}" fill="{fill}"{stroke}/>"#,
            n(centre.0),
            n(centre.1),
            n(radius)
        ));
    }

    pub(crate) fn rect(&mut self, area: Bounds, radius: f64, fill: Colour, stroke: Option<Stroke>) {
        let stroke = stroke.map_or_else(String::new, Stroke::attributes);
        self.raw_rect(area, radius, &fill.to_string(), &stroke);
    }

    fn raw_rect(&mut self, area: Bounds, radius: f64, fill: &str, stroke: &str) {
        self.reach(area.left, area.top);
        self.reach(area.right, area.bottom);
        let round = if radius > 0.0 {
            format!(r#" rx="{}""#, n(radius))
        } else {
            String::new()
        };
        self.push(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}"{round} fill="{fill}"{stroke}/>"#,
            n(area.left),
            n(area.top),
            n((area.right - area.left).max(0.0)),
            n((area.bottom - area.top).max(0.0))
        ));
    }

    /// Lines over a bar, so that series differ by more than colour. The first has none.
    pub(crate) fn hatch(&mut self, area: Bounds, radius: f64, series: usize) {
        if series == 0 {
            return;
        }
        self.hatchings.insert(series);
        let fill = format!("url(#adj-{}-hatch{series})", self.theme.name());
        self.raw_rect(area, radius, &fill, "");
    }

    /// `at` is the baseline. The text must be clean.
    pub(crate) fn text(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
        style: Type,
        colour: Colour,
        text: &str,
    ) {
        let width = self.fonts.measure(text, style);
        let left = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - width / 2.0,
            Anchor::End => at.0 - width,
        };
        let bounds = Bounds {
            left,
            top: at.1 - style.size * 0.76,
            right: left + width,
            bottom: at.1 + style.size * 0.21,
        };
        self.write_text((left, at.1), "", style, colour, text, bounds);
    }

    /// Reads upwards and ends at `at`, the middle of the line.
    pub(crate) fn upward_text(&mut self, at: (f64, f64), style: Type, colour: Colour, text: &str) {
        let width = self.fonts.measure(text, style);
        let baseline = at.0 + style.drop();
        let bounds = Bounds {
            left: baseline - style.size * 0.76,
            top: at.1,
            right: baseline + style.size * 0.21,
            bottom: at.1 + width,
        };
        let start = (baseline, at.1 + width);
        self.write_text(start, " rotate(-90)", style, colour, text, bounds);
    }

    fn write_text(
        &mut self,
        start: (f64, f64),
        turn: &str,
        style: Type,
        colour: Colour,
        text: &str,
        bounds: Bounds,
    ) {
        if text.is_empty() {
            return;
        }
        self.reach(bounds.left, bounds.top);
        self.reach(bounds.right, bounds.bottom);
        self.texts.push(Placed {
            text: text.to_owned(),
            bounds,
        });
        let place = format!("translate({} {}){turn}", n(start.0), n(start.1));
        let glyphs: Option<Vec<GlyphId>> = text
            .chars()
            .map(|c| self.fonts.glyph(c, style.weight))
            .collect();
        let Some(glyphs) = glyphs else {
            // A script the font lacks is left to the viewer's fonts, held to the measured width.
            let width = n(self.fonts.measure(text, style));
            let size = n(style.size);
            let text = escape(text);
            self.push(format_args!(
                r#"<text transform="{place}" font-family="Roboto, sans-serif" font-size="{size}" fill="{colour}" textLength="{width}" lengthAdjust="spacingAndGlyphs">{text}</text>"#
            ));
            return;
        };
        let scale = style.size / UNITS_PER_EM;
        let mut run = String::new();
        let mut x = 0.0;
        for (glyph, character) in glyphs.into_iter().zip(text.chars()) {
            if character != ' ' && character != '\u{A0}' {
                self.glyphs.insert((style.weight, glyph.0));
                let id = glyph_id(style.weight, glyph.0);
                let _ = write!(run, r##"<use href="#{id}" x="{x}"/>"##);
            }
            x += self.fonts.advance(character, style.weight);
        }
        self.push(format_args!(
            r#"<g transform="{place} scale({scale:.6})" fill="{colour}">{run}</g>"#
        ));
    }

    pub(crate) fn finish(self, title: &str, alt: String, width: f64, height: f64) -> Sketch {
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">
<title>{}</title>
<desc>{}</desc>
<defs>
"#,
            escape(title),
            escape(&alt),
            w = n(width),
            h = n(height),
        );
        for (weight, glyph) in &self.glyphs {
            let _ = writeln!(
                svg,
                r#"<path id="{}" d="{}"/>"#,
                glyph_id(*weight, *glyph),
                self.fonts.outline(GlyphId(*glyph), *weight)
            );
        }
        for series in &self.hatchings {
            svg.push_str(&crate::marks::hatching(*series, self.theme));
        }
        let _ = writeln!(
            svg,
            "</defs>\n<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            n(width),
            n(height),
            self.palette().ground
        );
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        Sketch {
            drawing: Drawing {
                svg,
                width,
                height,
                alt,
            },
            texts: self.texts,
            extent: self.extent,
        }
    }
}

/// The same glyph has the same name in every chart, so several may stand in one page.
fn glyph_id(weight: Weight, glyph: u16) -> String {
    match weight {
        Weight::Regular => format!("adj-r{glyph}"),
        Weight::Medium => format!("adj-m{glyph}"),
    }
}
