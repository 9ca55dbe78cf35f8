//! `citations`: a list of references in a style, and how each is cited in the text.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::csl::Item;
use crate::limits::{CITED_MAX, CSL_BYTES_MAX, ITEMS_MAX};
use crate::list::write_list;
use crate::notes::Notes;
use crate::style_choice::{STYLE_NAME_CHARS_MAX, Style};
use crate::{Answer, Markup, Refusal};

/// A list of references to be written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citations {
    /// A name from the list of styles, or `csl`.
    pub style: String,
    /// A CSL file, for the style `csl`.
    #[serde(default)]
    pub csl: Option<String>,
    /// CSL-JSON.
    pub items: Vec<Value>,
    /// Ids in the order of their citation. Items that are not cited are left out.
    #[serde(default)]
    pub cited: Option<Vec<String>>,
    #[serde(default)]
    pub markup: Markup,
}

impl Citations {
    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "description": "A list of references in a style, and how each is cited in the text.",
            "additionalProperties": false,
            "required": ["style", "items"],
            "properties": {
                "style": style_schema(),
                "csl": csl_schema(),
                "items": {
                    "type": "array",
                    "maxItems": ITEMS_MAX,
                    "items": { "type": "object" },
                    "description": "Bibliographic records as CSL-JSON."
                },
                "cited": {
                    "type": "array",
                    "maxItems": CITED_MAX,
                    "items": { "type": "string" },
                    "description": "Ids in the order of their citation; items that are not cited are left out."
                },
                "markup": markup_schema()
            }
        })
    }

    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        Refusal::check_count("items", self.items.len(), ITEMS_MAX)?;
        let cited = self.cited.as_deref();
        Refusal::check_count("cited", cited.map_or(0, <[String]>::len), CITED_MAX)?;
        let style = Style::choose("style", &self.style, self.csl.as_deref())?;
        let mut notes = Notes::default();
        let mut items = Vec::with_capacity(self.items.len());
        for (index, value) in self.items.iter().enumerate() {
            items.push(Item::from_csl(value, index, &mut notes)?);
        }
        write_list(items, cited, &style, self.markup, notes)
    }
}

pub(crate) fn style_schema() -> Value {
    json!({
        "type": "string",
        "maxLength": STYLE_NAME_CHARS_MAX,
        "description": "vancouver, ama (numbered), apa (author and year); ieee, nature, chicago-author-date, mla, \
                        harvard-cite-them-right and the other names that the format `styles` lists; csl for the \
                        style given in `csl`; bibtex, ris, csl_json for other programs."
    })
}

pub(crate) fn csl_schema() -> Value {
    json!({
        "type": "string",
        "maxLength": CSL_BYTES_MAX,
        "description": "The text of a .csl file (Citation Style Language), with the style `csl`."
    })
}

pub(crate) fn markup_schema() -> Value {
    json!({ "enum": ["text", "markdown", "html"], "description": "The format to write; plain text if omitted." })
}
