//! The schema of an answer, narrowed to one question: names only from what was given, lists and texts that end.
//!
//! For servers that hold a model to every word of a schema. What they cannot hold it to is put in words they can: a
//! grammar knows no least and greatest number, but it knows eleven tenths.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::source_records::SENTENCES_MAX;
use crate::{Input, Ordered};

const LABEL_CHARS_MAX: u32 = 120;
const REMARK_CHARS_MAX: u32 = 240;
const PASSAGE_CHARS_MAX: u32 = 600;
/// Grammars of llama.cpp repeat nothing more often than this; a longer text is left to the output limit.
const REPEATED_MAX: u32 = 2_000;
const CHARS_PER_WORD: u32 = 8;
const EVIDENCE_MAX: u32 = 5;
const REMARKS_MAX: u32 = 5;
const KEYWORDS_MAX: u32 = 10;
const EVENTS_MAX: u32 = 60;
const OBJECTIONS_PER_CLAIM_MAX: u32 = 4;
const THOUGHT_FINDINGS_MAX: u32 = 8;
const CONTRADICTIONS_MAX: u32 = 10;
const OTHER_MISSIONS_MAX: usize = 3;
const SIDES_MAX: u32 = 4;
const ARGUMENTS_CHARS_MAX: u32 = 1_200;
const READ_CLAIMS_MAX: usize = 40;
const READ_OTHERS_MAX: usize = 20;
const FIRST_MAX: usize = 8;
const ISSUES_MAX: usize = 60;
const BREACHES_MAX: usize = 40;

/// The schema of an answer to this very question.
pub fn narrowed(input: &Input) -> Ordered {
    let text = input.purpose().output_schema_text();
    let whole: Ordered = serde_json::from_str(text).unwrap_or_else(|_| json!(true).into());
    let named = Named::all(input);
    let narrow = Narrow {
        input,
        named: &named,
    };
    let mut schema = narrow.object(whole);
    let definitions: Vec<_> = named
        .iter()
        .filter(|named| named.is_closed())
        .map(|named| (named.what.to_owned(), named.definition()))
        .collect();
    match schema.field_mut("$defs") {
        Some(Ordered::Fields(fields)) => fields.extend(definitions),
        _ if definitions.is_empty() => {}
        _ => schema.set("$defs", Ordered::Fields(definitions)),
    }
    schema
}

/// Things of a question that an answer may name, and the fields that name them.
struct Named<'a> {
    what: &'static str,
    fields: &'static [&'static str],
    names: BTreeSet<&'a str>,
    nothing: Nothing,
}

/// Whether an answer may name nothing instead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nothing {
    Refused,
    Allowed,
}

impl<'a> Named<'a> {
    fn new(
        what: &'static str,
        fields: &'static [&'static str],
        names: impl Iterator<Item = &'a String>,
    ) -> Self {
        Self {
            what,
            fields,
            names: names.map(String::as_str).collect(),
            nothing: Nothing::Refused,
        }
    }

    /// Whether the names are all there is to choose from.
    fn is_closed(&self) -> bool {
        !self.names.is_empty() || self.nothing == Nothing::Allowed
    }

    fn all(input: &'a Input) -> Vec<Self> {
        let mut all = match input {
            Input::Plan(input) => {
                let keys = input.template.iter().map(|step| &step.key);
                vec![Self::new("step", &["key", "after"], keys)]
            }
            Input::Compare(input) => vec![
                Self::new("item", &["item"], input.items.iter()),
                Self::new("criterion", &["criterion"], input.criteria.iter()),
            ],
            Input::Gaps(input) => {
                let keys = input.checklist.iter().map(|point| &point.key);
                vec![Self::new("point", &["key"], keys)]
            }
            Input::Score(input) => {
                let items = input.items.iter().map(|item| &item.name);
                let criteria = input.criteria.iter().map(|by| &by.name);
                vec![
                    Self::new("item", &["item"], items),
                    Self::new("criterion", &["criterion"], criteria),
                ]
            }
            Input::Object(input) => vec![Self::new("claim", &["claim"], input.claims.iter())],
            Input::Extract(_)
            | Input::Cluster(_)
            | Input::Timeline(_)
            | Input::Draft(_)
            | Input::Grade(_)
            | Input::Think(_)
            | Input::Weigh(_)
            | Input::Split(_)
            | Input::Read(_)
            | Input::Hypothesize(_)
            | Input::Causes(_)
            | Input::Flag(_)
            | Input::Scenarios(_)
            | Input::Summarize(_)
            | Input::Conclude(_) => Vec::new(),
            Input::Cite(input) => {
                let other = Self {
                    nothing: Nothing::Allowed,
                    ..Self::new("other", &["other"], input.sources.iter().map(|at| &at.id))
                };
                let claims = input.findings.iter().map(|at| &at.text);
                let claim = Self {
                    nothing: Nothing::Allowed,
                    ..Self::new("claim", &["claim"], claims)
                };
                vec![other, claim]
            }
            Input::Constitution(input) => {
                let ids = input.rules.iter().map(|rule| &rule.id);
                vec![Self::new("rule", &["rule"], ids)]
            }
            Input::Reconcile(input) => vec![
                Self::new("group", &["group"], input.groups.iter().map(|at| &at.key)),
                Self::new("point", &["point"], input.points.iter().map(|at| &at.key)),
            ],
            Input::Route(input) => {
                let ids = || input.missions.iter().map(|mission| &mission.id);
                let chosen = Self {
                    nothing: Nothing::Allowed,
                    ..Self::new("mission", &["mission"], ids())
                };
                vec![chosen, Self::new("other", &["id"], ids())]
            }
            Input::Act(input) => vec![Self {
                nothing: Nothing::Allowed,
                ..Self::new("tool", &["tool"], input.tools.iter().map(|tool| &tool.id))
            }],
        };
        let fields = &["source", "sources", "alone"];
        let given = input.sources().iter().map(|at| &at.id);
        let carried = input.carried().map(|at| &at.source);
        all.push(Self::new("source", fields, given.chain(carried)));
        all
    }

    fn definition(&self) -> Ordered {
        let names = self.names.iter().map(|name| Ordered::from(*name));
        let (kind, nothing) = match self.nothing {
            Nothing::Refused => (json!("string"), None),
            Nothing::Allowed => (json!(["string", "null"]), Some(Value::Null.into())),
        };
        Ordered::of([
            ("type", kind.into()),
            ("enum", Ordered::List(names.chain(nothing).collect())),
        ])
    }
}

struct Narrow<'a> {
    input: &'a Input,
    named: &'a [Named<'a>],
}

/// How many of something an answer holds.
enum Count {
    Exactly(usize),
    UpTo(usize),
    Between(usize, usize),
}

impl Narrow<'_> {
    fn object(&self, schema: Ordered) -> Ordered {
        let Ordered::Fields(parts) = schema else {
            return schema;
        };
        let narrow = |(name, part): (String, Ordered)| match (name.as_str(), part) {
            ("properties" | "$defs", Ordered::Fields(fields)) => {
                let fields = fields.into_iter().map(|(field, schema)| {
                    let schema = self.field(&field, schema);
                    (field, schema)
                });
                (name, Ordered::Fields(fields.collect()))
            }
            (_, part) => (name, part),
        };
        Ordered::Fields(parts.into_iter().map(narrow).collect())
    }

    fn field(&self, field: &str, mut schema: Ordered) -> Ordered {
        match schema.kinds().as_str() {
            "object" => self.object(schema),
            "array" => {
                if let Some(items) = schema.field_mut("items") {
                    *items = self.field(field, std::mem::replace(items, json!(true).into()));
                }
                let (least, most) = match self.count(field) {
                    Count::Exactly(count) => (count, count),
                    Count::UpTo(count) => (0, count),
                    Count::Between(least, most) => (least, most),
                };
                if most <= REPEATED_MAX as usize {
                    schema.set("minItems", json!(least).into());
                    schema.set("maxItems", json!(most).into());
                }
                schema
            }
            "string" | "string null" if !schema.is_fixed() => match self.reference(field) {
                Some(reference) => reference,
                None => {
                    if let Some(chars_max) = self.chars_max(field) {
                        schema.set("maxLength", json!(chars_max).into());
                    }
                    schema
                }
            },
            "number" => {
                let tenths = (0..=10).map(|tenth| json!(f64::from(tenth) / 10.0));
                let mut kept = Ordered::of([("type", "number".into())]);
                kept.set("enum", Value::from_iter(tenths).into());
                kept
            }
            "integer" if field == "step" => {
                let steps = self.input.thoughts().iter().map(|at| json!(at.step));
                let mut kept = Ordered::of([("type", "integer".into())]);
                kept.set("enum", Value::from_iter(steps).into());
                kept
            }
            "number null" => {
                if let Some(kind) = schema.field_mut("type") {
                    *kind = json!(["integer", "null"]).into();
                }
                schema
            }
            _ => schema,
        }
    }

    fn reference(&self, field: &str) -> Option<Ordered> {
        let mut named = self.named.iter();
        let named = named.find(|at| at.fields.contains(&field) && at.is_closed())?;
        let target = format!("#/$defs/{}", named.what);
        Some(Ordered::of([("$ref", target.as_str().into())]))
    }

    fn count(&self, field: &str) -> Count {
        let sources = self.input.sources().len();
        let claims_max = |claims: usize| claims * OBJECTIONS_PER_CLAIM_MAX as usize;
        match (self.input, field) {
            (Input::Plan(input), _) => Count::UpTo(input.template.len()),
            (Input::Draft(input), _) => {
                let evidence = input.findings.iter().map(|finding| finding.evidence.len());
                Count::UpTo(evidence.sum())
            }
            (_, "evidence") => {
                let any = sources > 0 || self.input.carried().next().is_some();
                Count::UpTo(usize::from(any) * EVIDENCE_MAX as usize)
            }
            (Input::Extract(input), "findings") => Count::UpTo(input.most.into()),
            (Input::Compare(input), "rows") => Count::Exactly(input.criteria.len()),
            (Input::Compare(input), "cells") => Count::Exactly(input.items.len()),
            (Input::Cluster(input), "clusters") => Count::UpTo(input.most.into()),
            (Input::Cluster(_), "keywords") => Count::UpTo(KEYWORDS_MAX as usize),
            (Input::Cluster(_), _) => Count::UpTo(sources),
            (Input::Timeline(_), _) => Count::UpTo(EVENTS_MAX as usize),
            (Input::Gaps(input), _) => Count::Exactly(input.checklist.len()),
            (Input::Score(input), "ranking") => Count::Exactly(input.items.len()),
            (Input::Score(input), _) => Count::Exactly(input.criteria.len()),
            (Input::Object(input), _) => Count::UpTo(claims_max(input.claims.len())),
            (Input::Grade(_), "sources") => Count::Exactly(sources),
            (Input::Think(_), _) => Count::UpTo(THOUGHT_FINDINGS_MAX as usize),
            (Input::Weigh(input), _) => Count::Exactly(input.thoughts.len()),
            (Input::Split(input), _) => Count::Between(1, input.most.max(1).into()),
            (Input::Conclude(input), "findings") => Count::UpTo(input.most.into()),
            (Input::Route(input), _) => Count::UpTo(OTHER_MISSIONS_MAX.min(input.missions.len())),
            (Input::Conclude(_), "contradictions") => Count::UpTo(CONTRADICTIONS_MAX as usize),
            (Input::Read(_), "claims") => Count::UpTo(READ_CLAIMS_MAX),
            (Input::Read(_), _) => Count::UpTo(READ_OTHERS_MAX),
            (Input::Reconcile(_), "sides") => Count::Between(2, SIDES_MAX as usize),
            (Input::Reconcile(input), "judgements") => Count::UpTo(2 * input.groups.len()),
            (Input::Reconcile(input), "points") => Count::UpTo(input.points.len()),
            (Input::Reconcile(_), _) => Count::UpTo(FIRST_MAX),
            (Input::Conclude(_), "sides") => Count::Between(2, SIDES_MAX as usize),
            (Input::Hypothesize(input), "hypotheses") | (Input::Causes(input), "causes") => {
                Count::UpTo(input.most.into())
            }
            (Input::Flag(input), "flags") | (Input::Scenarios(input), "scenarios") => {
                Count::UpTo(input.most.into())
            }
            (Input::Summarize(input), "documents") => Count::UpTo(input.most.into()),
            (Input::Summarize(_), _) => Count::Between(1, SENTENCES_MAX),
            (Input::Cite(_), _) => Count::UpTo(ISSUES_MAX),
            (Input::Constitution(_), _) => Count::UpTo(BREACHES_MAX),
            (Input::Scenarios(_), "conditions") => Count::Between(1, REMARKS_MAX as usize),
            (
                Input::Extract(_)
                | Input::Compare(_)
                | Input::Grade(_)
                | Input::Act(_)
                | Input::Conclude(_)
                | Input::Hypothesize(_)
                | Input::Causes(_)
                | Input::Flag(_)
                | Input::Scenarios(_),
                _,
            ) => Count::UpTo(REMARKS_MAX as usize),
        }
    }

    fn chars_max(&self, field: &str) -> Option<u32> {
        let chars = match (self.input, field) {
            (Input::Draft(input), "text") => u32::from(input.words_max) * CHARS_PER_WORD,
            (_, "title" | "label" | "keywords") => LABEL_CHARS_MAX,
            (_, "text" | "quote" | "thought" | "summary") => PASSAGE_CHARS_MAX,
            (Input::Act(_), "with") => ARGUMENTS_CHARS_MAX,
            _ => REMARK_CHARS_MAX,
        };
        (chars <= REPEATED_MAX).then_some(chars)
    }
}
