//! `template`: fills in a text with values; the text is given, or is one of the ready ones.

mod counted;
mod filters;
mod ready;
mod render;
mod rewrite;

pub use counted::{count_what_is_built, render_counted};
pub use ready::{ReadyTemplate, ready_templates};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::citations::markup_schema;
use crate::limits::TEMPLATE_BYTES_MAX;
use crate::{Answer, Markup, Refusal};

/// A text to be filled in: one of `template` and `name`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    #[serde(default)]
    pub template: Option<String>,
    /// The name of a ready template.
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub values: Map<String, Value>,
    #[serde(default)]
    pub markup: Markup,
}

impl Template {
    pub(crate) fn schema() -> Value {
        let names = ready::names();
        json!({
            "type": "object",
            "description": "Fills in a text: `[[ name ]]`, `[% if … %]`, `[% for … %]`, `[# … #]`, with the filters \
                            `citation`, `table`, `number`, `date`, `percent` and `plural`; or a ready one by `name`.",
            "additionalProperties": false,
            "required": ["values"],
            "properties": {
                "template": { "type": "string", "maxLength": TEMPLATE_BYTES_MAX },
                "name": { "enum": names, "description": "A ready template, instead of `template`." },
                "values": { "type": "object" },
                "markup": markup_schema()
            },
            "oneOf": [{ "required": ["template"] }, { "required": ["name"] }]
        })
    }

    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        let (source, values, method) = match (&self.template, &self.name) {
            (Some(_), Some(_)) => {
                return Err(Refusal::unusable(
                    "name",
                    "given",
                    "give either `template` or `name`",
                ));
            }
            (None, None) => {
                return Err(Refusal::missing(
                    "template",
                    "give a `template`, or the `name` of a ready one",
                ));
            }
            (Some(template), None) => (
                template.clone(),
                self.values.clone(),
                "The template of the request".to_owned(),
            ),
            (None, Some(name)) => {
                let ready = ready::find(name)?;
                ready.check(&self.values)?;
                let values = ready.fill(&self.values);
                (ready.text, values, format!("The ready template `{name}`"))
            }
        };
        Refusal::check_length("template", source.len(), TEMPLATE_BYTES_MAX)?;
        let rendered = render::render(&source, &values, self.markup)?;
        Ok(Answer {
            text: rendered.text,
            entries: Vec::new(),
            items: Vec::new(),
            unread: Vec::new(),
            method,
            notes: rendered.notes,
        })
    }
}
