//! Which tool to call next: the one whose words fit the question best, unless enough is known or it was called before.

use std::collections::BTreeSet;

use adjutant_questions::{Act, Acted, OfferedTool, Thought};
use serde_json::{Map, Value, json};

use super::thoughts::{findings, share, stems_of};
use crate::text::{Stems, confidence, is_stop_word, one_line, words};

/// From here on what was thought covers the question.
const COVERED_MIN: f64 = 0.8;
/// What a tool is worth that finds things, whatever they are about.
const FINDS: f64 = 0.2;
const SURE_OF_CALL: f64 = 0.6;
const SURE_OF_NOTHING: f64 = 0.55;
const QUERY_WORDS_MAX: usize = 12;
const QUESTION_CHARS_MAX: usize = 400;

/// What tools of the registry are for, as stems, by their id: their own sentence may say it in other words.
const KNOWN: &[(&str, &[&str])] = &[
    (
        "L5-PS",
        &[
            "literatur",
            "studi",
            "evid",
            "public",
            "effect",
            "efficaci",
            "meta",
            "review",
            "paper",
        ],
    ),
    (
        "L5-CT",
        &[
            "trial", "phase", "recruit", "enrol", "endpoint", "arm", "registri", "random",
        ],
    ),
    (
        "L5-FDA",
        &[
            "fda", "approv", "label", "advers", "recal", "drug", "safeti", "warn",
        ],
    ),
    (
        "L5-EMA",
        &["ema", "european", "authoris", "author", "medicin", "approv"],
    ),
    (
        "L5-PT",
        &["patent", "invent", "claim", "expir", "licens", "ip"],
    ),
    (
        "L5-NEWS",
        &["news", "announc", "compani", "market", "press", "recent"],
    ),
    ("L5-WEB", &["web", "site", "page", "price", "competitor"]),
    (
        "L5-RAG",
        &[
            "document", "intern", "file", "memo", "minut", "report", "knowledg",
        ],
    ),
];
/// Words by which a tool says that it finds things.
const FINDING: &[&str] = &[
    "search", "find", "look", "queri", "retriev", "lookup", "fetch",
];
/// Arguments that take what is looked for, and those that take it as a whole sentence.
const QUERIES: &[&str] = &[
    "query",
    "q",
    "term",
    "terms",
    "search",
    "keywords",
    "topic",
    "condition",
    "text",
    "question",
    "prompt",
];
const SENTENCES: &[&str] = &["question", "prompt", "text"];

pub(crate) fn act(input: &Act) -> Acted {
    let mut stems = Stems::new();
    let asked = stems_of(&input.question, &mut stems);
    let nothing = |because: &str| Acted {
        tool: None,
        with: json!({}),
        because: because.to_owned(),
        confidence: confidence(SURE_OF_NOTHING),
    };
    let known = covered(input, &asked, &mut stems);
    if known >= COVERED_MIN {
        return nothing("What is known speaks of all that is asked.");
    }
    let mut best: Option<(f64, &OfferedTool, Map<String, Value>)> = None;
    for tool in input
        .tools
        .iter()
        .filter(|tool| !was_called(tool, &input.thoughts))
    {
        let worth = worth(tool, &asked, &mut stems);
        let Some(with) = arguments(tool, &input.question).filter(|_| worth > 0.0) else {
            continue;
        };
        if best.as_ref().is_none_or(|(most, _, _)| worth > *most) {
            best = Some((worth, tool, with));
        }
    }
    match best {
        None if input.tools.is_empty() => nothing("No tool is offered."),
        None => nothing("No tool that was not called yet fits the question."),
        Some((worth, tool, with)) => Acted {
            tool: Some(tool.id.clone()),
            with: Value::Object(with),
            because: format!(
                "{:.0} % of the question's words are covered so far, and {} fits what is open.",
                known * 100.0,
                tool.id
            ),
            confidence: confidence(SURE_OF_CALL * (0.5 + 0.5 * worth.min(1.0))),
        },
    }
}

/// Which share of the question's words the findings so far have.
fn covered(input: &Act, asked: &BTreeSet<String>, stems: &mut Stems) -> f64 {
    if asked.is_empty() {
        return 0.0;
    }
    let cited = findings(&input.thoughts).filter(|at| !at.evidence.is_empty());
    let said: BTreeSet<String> = cited.flat_map(|at| stems_of(&at.text, stems)).collect();
    share(asked, &said)
}

/// Whether a call of it was observed: the thought on it, or a source it cites, goes by the tool's id.
fn was_called(tool: &OfferedTool, thoughts: &[Thought]) -> bool {
    let mut observed = thoughts.iter().filter(|at| at.role == "observe");
    observed.any(|at| {
        let mut sources = at.findings.iter().flat_map(|at| &at.evidence);
        at.text.contains(&tool.id) || sources.any(|at| at.source.contains(&tool.id))
    })
}

fn worth(tool: &OfferedTool, asked: &BTreeSet<String>, stems: &mut Stems) -> f64 {
    let own = stems_of(&tool.about, stems);
    let known = KNOWN.iter().find(|(id, _)| *id == tool.id);
    let known = known.map_or(&[][..], |(_, words)| *words);
    let fits = asked
        .iter()
        .filter(|word| own.contains(*word) || known.contains(&word.as_str()));
    let finds = !known.is_empty() || FINDING.iter().any(|word| own.contains(*word));
    let base = if finds { FINDS } else { 0.0 };
    base + fits.count() as f64 / (asked.len() as f64).max(1.0)
}

/// Arguments by the tool's schema: what is looked for, and what else it must have. None if something it must have
/// cannot be told from the question.
fn arguments(tool: &OfferedTool, question: &str) -> Option<Map<String, Value>> {
    let mut with = Map::new();
    let Some(properties) = tool.schema["properties"].as_object() else {
        return Some(with);
    };
    let required = tool.schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Value::as_str).collect();
    let query = QUERIES.iter().find(|name| {
        let kind = properties.get(**name).map(|at| &at["type"]);
        kind.is_some_and(|kind| *kind == "string" || *kind == "array")
    });
    let names = required.iter().copied().chain(query.copied());
    for name in names {
        let schema = properties.get(name)?;
        with.insert(name.to_owned(), argument(name, schema, question)?);
    }
    Some(with)
}

fn argument(name: &str, schema: &Value, question: &str) -> Option<Value> {
    for given in ["const", "default"] {
        if let Some(value) = schema.get(given) {
            return Some(value.clone());
        }
    }
    if let Some(choices) = schema["enum"].as_array() {
        let small = question.to_lowercase();
        let named = |at: &&Value| {
            let name = at
                .as_str()
                .map(|name| name.to_lowercase().replace('_', " "));
            name.is_some_and(|name| small.contains(&name))
        };
        return choices.iter().find(named).or(choices.first()).cloned();
    }
    let kind = schema["type"]
        .as_str()
        .or_else(|| schema["type"][0].as_str());
    match kind? {
        "string" if SENTENCES.contains(&name) => {
            Some(json!(crate::text::clipped(question, QUESTION_CHARS_MAX)))
        }
        "string" => Some(json!(content(question).join(" "))),
        "array" if schema["items"]["type"] == "string" => Some(json!(content(question))),
        "integer" | "number" => Some(schema.get("minimum").cloned().unwrap_or(json!(1))),
        "boolean" => Some(json!(false)),
        _ => None,
    }
}

/// The words of a question that say something, as they are written; all of it if none do.
fn content(question: &str) -> Vec<String> {
    let kept: Vec<String> = words(question)
        .iter()
        .filter(|word| !is_stop_word(&word.text.to_lowercase()))
        .take(QUERY_WORDS_MAX)
        .map(|word| word.text.to_owned())
        .collect();
    match kept.is_empty() {
        true => vec![one_line(question)],
        false => kept,
    }
}
