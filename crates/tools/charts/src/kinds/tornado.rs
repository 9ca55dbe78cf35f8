//! What the result does when one input at a time goes low or high.

use serde::{Deserialize, Serialize};

use crate::axis::{Axis, AxisScale};
use crate::band;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::INPUTS_MAX;
use crate::page::{Heading, MARGIN, Page, Swatch, WIDTH};
use crate::plot::{self, Area, Grid};
use crate::scale::{Scale, range};
use crate::text::{SMALL, clean};
use crate::{Refusal, check, number};

const ROW: f64 = 36.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TornadoChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub value_axis: Axis,
    /// The result when no input is changed.
    pub base: f64,
    pub inputs: Vec<TornadoInput>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TornadoInput {
    pub name: String,
    /// The result when the input is low.
    pub low: f64,
    /// The result when the input is high.
    pub high: f64,
}

impl TornadoChart {
    /// The widest swing first; equal ones stay in their order.
    fn sorted(&self) -> Vec<&TornadoInput> {
        let mut inputs: Vec<&TornadoInput> = self.inputs.iter().collect();
        inputs.sort_by(|a, b| (b.high - b.low).abs().total_cmp(&(a.high - a.low).abs()));
        inputs
    }
}

impl Kind for TornadoChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        if self.value_axis.scale == AxisScale::Log {
            return Err(Refusal::wrong(
                "value_axis.scale",
                "is log, but swings are compared by their length",
            ));
        }
        check::finite(self.base, || "base".to_owned())?;
        check::count(self.inputs.len(), INPUTS_MAX, "inputs")?;
        for (i, input) in self.inputs.iter().enumerate() {
            check::text(&input.name, || format!("inputs[{i}].name"))?;
            check::finite(input.low, || format!("inputs[{i}].low"))?;
            check::finite(input.high, || format!("inputs[{i}].high"))?;
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        page.legend(&[
            ("Input low".to_owned(), Swatch::Bar(1)),
            ("Input high".to_owned(), Swatch::Bar(0)),
        ]);
        let inputs = self.sorted();
        let (low, high) = range(inputs.iter().flat_map(|i| [i.low, i.high, self.base]));
        let scale = Scale::linear(low, high);
        let names = inputs.iter().map(|i| i.name.as_str());
        let names_end = band::name_gutter(page, names);
        let ends: Vec<String> = inputs
            .iter()
            .flat_map(|i| [number::value(i.low), number::value(i.high)])
            .collect();
        let end_room = page
            .canvas
            .fonts
            .widest(ends.iter().map(String::as_str), SMALL)
            + 8.0;
        let area = Area {
            left: names_end + end_room,
            right: WIDTH - MARGIN - end_room,
            top: page.top + 20.0,
            bottom: page.top + 20.0 + ROW * inputs.len() as f64,
        };
        let labels_end = plot::value_axis_below(page, area, &scale, Grid::Lines);
        let palette = page.canvas.palette();
        let x = |value: f64| scale.at(value, area.left, area.right);
        let base = x(self.base);
        for (index, input) in inputs.iter().enumerate() {
            let y = area.top + ROW * (index as f64 + 0.5);
            for (value, series) in [(input.low, 1), (input.high, 0)] {
                let at = x(value);
                let bar = Bounds {
                    left: at.min(base),
                    right: at.max(base),
                    top: y - 11.0,
                    bottom: y + 11.0,
                };
                page.canvas.rect(bar, 0.0, palette.mark(series), None);
                page.canvas.hatch(bar, 0.0, series);
            }
            let (less, more) = (input.low.min(input.high), input.low.max(input.high));
            let baseline = y + SMALL.drop();
            let ends = [
                (less.min(self.base), less, -6.0, Anchor::End),
                (more.max(self.base), more, 6.0, Anchor::Start),
            ];
            for (end, value, gap, anchor) in ends {
                let text = number::value(value);
                let at = (x(end) + gap, baseline);
                page.canvas.text(at, anchor, SMALL, palette.soft, &text);
            }
            band::row_name(page, names_end, y, ROW, &input.name);
        }
        let top = area.top - 4.0;
        let line = Stroke::solid(palette.ink, 1.4);
        page.canvas.line((base, top), (base, area.bottom), line);
        let text = format!("Base {}", number::value(self.base));
        let at = (base, top - 5.0);
        page.canvas
            .text(at, Anchor::Middle, SMALL, palette.ink, &text);
        Ok(plot::caption_below(
            page,
            area,
            labels_end,
            self.value_axis.caption().as_deref(),
        ))
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Tornado chart: {}. Base {}. Widest swing first.",
            clean(&self.title),
            self.value_axis.say(self.base)
        );
        for input in self.sorted() {
            alt += &format!(
                " {}: {} when low, {} when high.",
                clean(&input.name),
                self.value_axis.say(input.low),
                self.value_axis.say(input.high)
            );
        }
        alt
    }
}
