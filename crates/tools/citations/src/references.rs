//! `references`: records read from the files of other programs, as CSL-JSON and in a style.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::citations::{csl_schema, markup_schema, style_schema};
use crate::csl::Item;
use crate::exchange::{self, Reading};
use crate::limits::{ITEMS_MAX, TEXT_BYTES_MAX};
use crate::list::write_list;
use crate::style_choice::Style;
use crate::{Answer, Markup, Refusal};

/// The format of the text that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Bibtex,
    Ris,
    CslJson,
    PubmedNbib,
}

/// References to be converted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct References {
    pub from: Source,
    pub text: String,
    /// A name from the list of styles, or `csl`.
    pub to: String,
    /// A CSL file, for the style `csl`.
    #[serde(default)]
    pub csl: Option<String>,
    #[serde(default)]
    pub markup: Markup,
}

impl References {
    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "description": "Reads references from BibTeX, RIS, CSL-JSON or a PubMed file and writes them in a style.",
            "additionalProperties": false,
            "required": ["from", "text", "to"],
            "properties": {
                "from": { "enum": ["bibtex", "ris", "csl_json", "pubmed_nbib"] },
                "text": { "type": "string", "maxLength": TEXT_BYTES_MAX },
                "to": style_schema(),
                "csl": csl_schema(),
                "markup": markup_schema()
            }
        })
    }

    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        Refusal::check_length("text", self.text.len(), TEXT_BYTES_MAX)?;
        let style = Style::choose("to", &self.to, self.csl.as_deref())?;
        let mut reading = match self.from {
            Source::Bibtex => exchange::read_bibtex(&self.text),
            Source::Ris => exchange::read_ris(&self.text),
            Source::PubmedNbib => exchange::read_nbib(&self.text),
            Source::CslJson => read_csl(&self.text)?,
        };
        Refusal::check_count("text", reading.items.len(), ITEMS_MAX)?;
        rename_duplicate_ids(&mut reading);
        let items = reading.items.iter().map(Item::to_csl).collect();
        if !reading.unread.is_empty() {
            reading
                .notes
                .add("Some lines could not be read: see `unread`.");
        }
        let mut answer = write_list(reading.items, None, &style, self.markup, reading.notes)?;
        answer.items = items;
        answer.unread = reading.unread;
        Ok(answer)
    }
}

fn read_csl(text: &str) -> Result<Reading, Refusal> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Refusal::unusable("text", text, format!("not valid JSON: {error}")))?;
    let values = match value {
        Value::Array(values) => values,
        value => vec![value],
    };
    let mut reading = Reading::default();
    for (at, value) in values.iter().enumerate() {
        let item = Item::from_csl(value, at, &mut reading.notes)?;
        reading.items.push(item);
    }
    Ok(reading)
}

/// A file may use one key twice; each record needs its own id here.
fn rename_duplicate_ids(reading: &mut Reading) {
    let mut seen = std::collections::BTreeSet::new();
    for item in &mut reading.items {
        let first = item.id.clone();
        let mut count = 1_usize;
        while !seen.insert(item.id.clone()) {
            count += 1;
            item.id = format!("{first}-{count}");
        }
        if count > 1 {
            reading.notes.add(format!(
                "`{first}` is used twice; the second record is given the id `{}`.",
                item.id
            ));
        }
    }
}
