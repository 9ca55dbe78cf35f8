//! From the pieces of a mission to its document.

use std::collections::BTreeMap;

use adjutant_document_model::{Block, Document, Section};
use adjutant_questions::Source;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::builder::{Builder, note, section};
use crate::judge::{FEW_SOURCES, SOURCES_MIN, admits};
use crate::outline::{self, Outline};
use crate::pieces::{Pieces, grade_name};
use crate::text::{counted, plain, short};
use crate::{deep_dive, go_no_go, risk_assessment};

/// Quotes that were not in their sources are told of, the first few by name.
const DROPPED_TOLD_MAX: usize = 5;
const QUOTE_CHARS_TOLD_MAX: usize = 80;
const TITLE_CHARS_MAX: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    DeepDive,
    RiskAssessment,
    GoNoGo,
    /// By the outline that comes with it.
    Outline,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::DeepDive => "Deep Dive",
            Self::RiskAssessment => "Risk Assessment",
            Self::GoNoGo => "Go/No-Go",
            Self::Outline => "Report",
        }
    }
}

/// What a document is made of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compose {
    pub title: String,
    #[serde(default)]
    pub objective: String,
    /// Answers of the mission's steps by name; any may be missing.
    #[serde(default)]
    pub pieces: Map<String, Value>,
    /// No language model had a part in it.
    #[serde(default)]
    pub offline: bool,
    /// The sections, of a report by an outline.
    #[serde(default)]
    pub outline: Option<Outline>,
    /// What may be cited. A quote that is in none of them is dropped, and the document says so.
    #[serde(default)]
    pub sources: Vec<Source>,
}

/// What one kind of document puts together.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) summary: Vec<Block>,
    pub(crate) sections: Vec<Section>,
}

/// Writes the document. Pure: the same pieces give the same document.
pub fn document(kind: Kind, request: Compose) -> Document {
    let pieces = Pieces::of(&request.pieces, request.offline);
    let grades = grades(&pieces, &request.sources);
    let mut builder = Builder::new(&request.sources, grades);
    let objective = plain(&request.objective);
    let mut parts = match kind {
        Kind::DeepDive => deep_dive::parts(&mut builder, &pieces, &objective),
        Kind::RiskAssessment => risk_assessment::parts(&mut builder, &pieces, &objective),
        Kind::GoNoGo => go_no_go::parts(&mut builder, &pieces, &objective),
        Kind::Outline => match &request.outline {
            Some(outline) => outline::parts(&mut builder, &pieces, outline, &objective),
            None => Parts::default(),
        },
    };
    parts.sections.extend(field(&pieces));
    parts.sections.retain(|section| !section.blocks.is_empty());
    if let Some(section) = dropped(&builder) {
        parts.sections.push(section);
    }
    let sources = builder.sources();
    if sources.len() < SOURCES_MIN && !admits(&parts.summary) {
        let text = format!(
            "Only {} cited. With fewer than {SOURCES_MIN} nothing here is confirmed by others",
            counted(sources.len(), "source")
        );
        parts.summary.insert(0, note(FEW_SOURCES, &text));
    }
    let title = short(&request.title, TITLE_CHARS_MAX);
    let outline = request.outline.filter(|_| kind == Kind::Outline);
    let name = outline.map_or_else(|| kind.name().to_owned(), |outline| outline.name);
    Document {
        title: if title.is_empty() {
            name.clone()
        } else {
            title
        },
        kind: name,
        objective,
        summary: parts.summary,
        sections: parts.sections,
        sources,
        offline: request.offline && !pieces.read_by_a_model(),
    }
}

/// How much each source proves: a document of ours by what it is, the others as they were graded.
fn grades(pieces: &Pieces<'_>, sources: &[Source]) -> BTreeMap<String, String> {
    let graded = pieces.grades().into_iter();
    let mut grades: BTreeMap<String, String> = graded
        .map(|at| (at.source, grade_name(at.grade).to_owned()))
        .collect();
    for source in sources {
        let read = pieces.read.as_ref();
        if let Some(document) = read.and_then(|read| read.document(&source.id)) {
            let told = format!("{} ({})", document.strength, document.told_as());
            grades.insert(source.id.clone(), told);
        }
    }
    grades
}

/// Says for which field the mission was planned, and why: it decided which databases were asked and by what was judged.
fn field(pieces: &Pieces<'_>) -> Option<Section> {
    let pack = pieces.get("pack")?;
    let text = |name: &str| pack.get(name).and_then(Value::as_str).map(plain);
    let (name, because) = (text("name")?, text("because")?);
    let about = text("about").unwrap_or_default().to_lowercase();
    let told = format!("The pack “{name}” was used ({about}), because {because}");
    Some(section("The field", vec![note("Pack", &told)]))
}

/// Says which quotes are not in their sources.
fn dropped(builder: &Builder<'_>) -> Option<Section> {
    let count = builder.dropped.len();
    if count == 0 {
        return None;
    }
    let mut blocks = vec![note(
        "Quotes left out",
        &format!(
            "{} could not be found word for word in the named source. Statements based only on them are marked as \
             interpretation",
            counted(count, "quote")
        ),
    )];
    for evidence in builder.dropped.iter().take(DROPPED_TOLD_MAX) {
        let quote = short(&evidence.quote, QUOTE_CHARS_TOLD_MAX);
        let source = short(&evidence.source, QUOTE_CHARS_TOLD_MAX);
        blocks.push(note("Not in its source", &format!("{source}: “{quote}”")));
    }
    Some(section("Quotes that could not be confirmed", blocks))
}
