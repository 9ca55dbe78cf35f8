//! A table of numbers as colours.

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::band;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::{COLUMNS_MAX, ROWS_MAX};
use crate::page::{Heading, MARGIN, Page, WIDTH};
use crate::plot::Area;
use crate::scale::range;
use crate::text::{SMALL, clean};
use crate::theme::{Colour, Palette};
use crate::{Refusal, check, number};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeatMap {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    /// One list for each row; `None` where nothing is known.
    pub values: Vec<Vec<Option<f64>>>,
    #[serde(default)]
    pub colours: HeatScale,
    #[serde(default)]
    pub value_axis: Axis,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeatScale {
    #[default]
    Sequential,
    /// Two colours that part at zero.
    Diverging,
}

/// Which colour a value has.
struct Colours {
    stops: &'static [Colour; 3],
    low: f64,
    high: f64,
}

impl Colours {
    fn of(&self, value: f64) -> Colour {
        let span = self.high - self.low;
        let share = if span > 0.0 {
            (value - self.low) / span
        } else {
            0.5
        };
        Palette::on_ramp(self.stops, share)
    }
}

impl HeatMap {
    fn known(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().flatten().copied().flatten()
    }

    fn colours(&self, palette: &'static Palette) -> Colours {
        let (low, high) = range(self.known());
        match self.colours {
            HeatScale::Sequential => Colours {
                stops: &palette.ramp,
                low,
                high,
            },
            HeatScale::Diverging => {
                let far = low.abs().max(high.abs());
                Colours {
                    stops: &palette.around,
                    low: -far,
                    high: far,
                }
            }
        }
    }

    /// A bar with every colour, its ends named.
    fn key(&self, page: &mut Page, colours: &Colours) {
        const STEPS: usize = 48;
        const LENGTH: f64 = 180.0;
        let soft = page.canvas.palette().soft;
        let y = page.top + 8.0;
        let low = number::value(colours.low);
        let mut x = MARGIN;
        let caption = self.value_axis.caption().unwrap_or_default();
        let caption = page.canvas.fonts.shorten(&caption, SMALL, 360.0);
        let drop = SMALL.drop();
        if !caption.is_empty() {
            page.canvas
                .text((x, y + drop), Anchor::Start, SMALL, soft, &caption);
            x += page.canvas.fonts.measure(&caption, SMALL) + 16.0;
        }
        page.canvas
            .text((x, y + drop), Anchor::Start, SMALL, soft, &low);
        x += page.canvas.fonts.measure(&low, SMALL) + 8.0;
        for step in 0..STEPS {
            let share = step as f64 / (STEPS - 1) as f64;
            let left = x + LENGTH * step as f64 / STEPS as f64;
            let area = Bounds {
                left,
                // Neighbours overlap a little, or hairlines would show between them.
                right: (left + LENGTH / STEPS as f64 + 0.5).min(x + LENGTH),
                top: y - 6.0,
                bottom: y + 6.0,
            };
            let colour = Palette::on_ramp(colours.stops, share);
            page.canvas.rect(area, 0.0, colour, None);
        }
        let high = number::value(colours.high);
        page.canvas.text(
            (x + LENGTH + 8.0, y + drop),
            Anchor::Start,
            SMALL,
            soft,
            &high,
        );
        page.top += 30.0;
    }
}

impl Kind for HeatMap {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        check::count(self.columns.len(), COLUMNS_MAX, "columns")?;
        check::count(self.rows.len(), ROWS_MAX, "rows")?;
        check::texts(&self.columns, "columns")?;
        check::texts(&self.rows, "rows")?;
        check::same_length(
            self.values.len(),
            || "values".to_owned(),
            self.rows.len(),
            "rows",
        )?;
        for (r, row) in self.values.iter().enumerate() {
            check::same_length(
                row.len(),
                || format!("values[{r}]"),
                self.columns.len(),
                "columns",
            )?;
            for (c, value) in row.iter().enumerate() {
                if let Some(value) = value {
                    check::finite(*value, || format!("values[{r}][{c}]"))?;
                }
            }
        }
        if self.known().next().is_none() {
            return Err(Refusal::wrong("values", "has no value at all"));
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let palette = page.canvas.palette();
        let colours = self.colours(palette);
        self.key(page, &colours);
        let left = band::name_gutter(page, self.rows.iter().map(String::as_str));
        let wide = (WIDTH - MARGIN - left) / self.columns.len() as f64;
        let cell = wide.min(110.0);
        let high = (cell * 0.62).clamp(20.0, 40.0);
        let area = Area {
            left,
            right: left + cell * self.columns.len() as f64,
            top: page.top,
            bottom: page.top + high * self.rows.len() as f64,
        };
        let known: Vec<String> = self.known().map(number::value).collect();
        let widest = page
            .canvas
            .fonts
            .widest(known.iter().map(String::as_str), SMALL);
        for (r, row) in self.values.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                let bounds = Bounds {
                    left: area.left + cell * c as f64 + 1.0,
                    right: area.left + cell * (c + 1) as f64 - 1.0,
                    top: area.top + high * r as f64 + 1.0,
                    bottom: area.top + high * (r + 1) as f64 - 1.0,
                };
                let Some(value) = value else {
                    let empty = Stroke {
                        colour: palette.axis,
                        width: 1.0,
                        dash: "2 3",
                    };
                    page.canvas.rect(bounds, 2.0, palette.ground, Some(empty));
                    continue;
                };
                let colour = colours.of(*value);
                page.canvas.rect(bounds, 2.0, colour, None);
                if widest + 6.0 <= cell {
                    let at = (
                        (bounds.left + bounds.right) / 2.0,
                        (bounds.top + bounds.bottom) / 2.0 + SMALL.drop(),
                    );
                    let text = number::value(*value);
                    page.canvas
                        .text(at, Anchor::Middle, SMALL, colour.legible(), &text);
                }
            }
            let middle = area.top + high * (r as f64 + 0.5);
            band::row_name(page, area.left, middle, high, &self.rows[r]);
        }
        Ok(band::names_below(page, area, &self.columns))
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Heat map: {}. {} rows and {} columns.",
            clean(&self.title),
            self.rows.len(),
            self.columns.len()
        );
        let (low, high) = range(self.known());
        for (word, wanted) in [("Lowest", low), ("Highest", high)] {
            let place =
                self.values.iter().enumerate().find_map(|(r, row)| {
                    row.iter().position(|v| *v == Some(wanted)).map(|c| (r, c))
                });
            if let Some((r, c)) = place {
                alt += &format!(
                    " {word} {} at {}, {}.",
                    self.value_axis.say(wanted),
                    clean(&self.rows[r]),
                    clean(&self.columns[c])
                );
            }
        }
        alt
    }
}
