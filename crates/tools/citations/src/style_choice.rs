//! The styles by their names, and `styles`: the list of them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::processor::{CslStyle, archived_style, archived_style_names};
use crate::{Answer, Entry, Refusal};

pub(crate) const STYLE_NAME_CHARS_MAX: usize = 100;
/// The name that stands for the style in the argument `csl`.
const GIVEN: &str = "csl";

/// The order, the wording and the purpose of a list of references.
#[derive(Debug, Clone)]
pub(crate) enum Style {
    Vancouver,
    Apa,
    Ama,
    Bibtex,
    Ris,
    CslJson,
    Csl(Box<CslStyle>),
}

/// The styles that this crate writes itself; a name of the archive that is also here means ours.
const OWN: &[(&str, &str, Style)] = &[
    (
        "vancouver",
        "Vancouver (ICMJE, NLM Citing Medicine)",
        Style::Vancouver,
    ),
    ("apa", "APA Style 7th edition", Style::Apa),
    (
        "american-psychological-association",
        "APA Style 7th edition",
        Style::Apa,
    ),
    ("ama", "AMA Manual of Style 11th edition", Style::Ama),
    (
        "american-medical-association",
        "AMA Manual of Style 11th edition",
        Style::Ama,
    ),
    ("bibtex", "BibTeX", Style::Bibtex),
    ("ris", "RIS", Style::Ris),
    ("csl_json", "CSL-JSON", Style::CslJson),
];

impl Style {
    /// The style with this name; `field` is the argument that the name was given in.
    pub(crate) fn choose(field: &str, name: &str, csl: Option<&str>) -> Result<Self, Refusal> {
        Refusal::check_length(field, name.len(), STYLE_NAME_CHARS_MAX)?;
        match (name, csl) {
            (GIVEN, Some(csl)) => return Ok(Self::Csl(Box::new(CslStyle::parse(csl)?))),
            (GIVEN, None) => {
                let advice = format!("`{field}` is `{GIVEN}`, give the text of a .csl file");
                return Err(Refusal::missing(GIVEN, advice));
            }
            (_, Some(_)) => {
                let advice =
                    format!("`csl` is given too: write `{GIVEN}` here, or leave `csl` out");
                return Err(Refusal::unusable(field, name, advice));
            }
            (_, None) => {}
        }
        if let Some(style) = Self::own(name) {
            return Ok(style);
        }
        match archived_style_names().find(|(known, _)| *known == name) {
            Some((_, archived)) => Ok(Self::Csl(Box::new(archived_style(archived)?))),
            None => Err(unknown_style(field, name)),
        }
    }

    /// One of the styles that this crate writes itself.
    pub(crate) fn own(name: &str) -> Option<Self> {
        let (.., style) = OWN.iter().find(|(known, ..)| *known == name)?;
        Some(style.clone())
    }
}

fn unknown_style(field: &str, name: &str) -> Refusal {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    let names = names_and_titles().into_iter().map(|(known, _)| known);
    let nearest = names.max_by(|one, other| {
        let likeness = |known: &str| strsim::jaro_winkler(&wanted, known);
        likeness(one).total_cmp(&likeness(other))
    });
    let advice = nearest.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    Refusal::unusable(
        field,
        name,
        format!("there is no such style; {advice}The format `styles` lists all"),
    )
}

/// All names, ours first.
fn names_and_titles() -> Vec<(&'static str, &'static str)> {
    let own = OWN.iter().map(|(name, title, _)| (*name, *title));
    let archived = archived_style_names()
        .filter(|(name, _)| Style::own(name).is_none())
        .map(|(name, style)| (name, style.display_name()));
    own.chain(archived).collect()
}

/// The list of all styles.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Styles {}

impl Styles {
    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "description": "Lists the names of all styles that `citations` and `references` write.",
            "additionalProperties": false,
            "required": [],
            "properties": {}
        })
    }

    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        let entries: Vec<Entry> = names_and_titles()
            .into_iter()
            .map(|(name, title)| Entry {
                id: name.to_owned(),
                number: None,
                key: None,
                text: title.to_owned(),
                cited: None,
            })
            .collect();
        let lines: Vec<String> = entries
            .iter()
            .map(|entry| format!("{}: {}", entry.id, entry.text))
            .collect();
        Ok(Answer {
            text: lines.join("\n"),
            entries,
            items: Vec::new(),
            unread: Vec::new(),
            method: "Our own styles, then the CSL styles that ship with hayagriva (CC BY-SA 3.0)"
                .to_owned(),
            notes: Vec::new(),
        })
    }
}
