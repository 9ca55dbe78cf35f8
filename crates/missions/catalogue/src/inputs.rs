//! What a mission is given: its objective, what was answered to its template's inputs, and what those that were not
//! answered come to by default.

use adjutant_mission::{Json, Reference, fill_references, references};
use adjutant_plans::reading::nearest;
use adjutant_plans::{MISSION_TYPE_INPUT, SUPERVISORS_INPUT};
use serde_json::{Map, Value, json};

use crate::pack::{ChosenPack, PACK_INPUT};
use crate::planned::Problem;
use crate::start::StartWith;
use crate::template::Template;

/// Inputs that every mission has, whatever its template says.
pub(crate) const GIVEN: [&str; 3] = ["objective", "namespaces", "attachments"];
/// How many words stand for an objective that names nothing.
const WORDS_MAX: usize = 4;

pub(crate) fn inputs(
    template: &Template,
    start: &StartWith,
    pack: Option<&ChosenPack>,
) -> Result<Json, Vec<Problem>> {
    let mut problems = Vec::new();
    if start.objective.trim().is_empty() {
        problems.push(Problem::NoObjective);
    }
    let declared = || template.inputs.iter().map(|input| input.name.as_str());
    for name in start.inputs.keys() {
        if !declared().any(|known| known == name) {
            let near = nearest(name, declared().collect::<Vec<_>>()).map(str::to_owned);
            let name = name.clone();
            problems.push(Problem::InputUnknown { name, near });
        }
    }
    let mut given = Map::new();
    given.insert("objective".into(), start.objective.trim().into());
    given.insert("namespaces".into(), json!(start.namespaces));
    given.insert("attachments".into(), attachments(start));
    given.insert(MISSION_TYPE_INPUT.into(), template.id.as_str().into());
    if let Some(supervisors) = &template.supervisors {
        let supervisors = serde_json::from_str(supervisors.text()).unwrap_or(Value::Null);
        given.insert(SUPERVISORS_INPUT.into(), supervisors);
    }
    for input in &template.inputs {
        if let Some(pack) = pack.filter(|_| input.name == PACK_INPUT) {
            given.insert(PACK_INPUT.to_owned(), pack.as_input());
            continue;
        }
        let answer = start.inputs.get(&input.name).filter(|value| says(value));
        let value = match (answer, &input.default) {
            (Some(answer), _) => answer.clone(),
            (None, Some(default)) => {
                let default = serde_json::from_str(default.text()).unwrap_or(Value::Null);
                filled(default, &given)
            }
            (None, None) if input.required => {
                problems.push(Problem::InputMissing {
                    name: input.name.clone(),
                    about: input.about.clone(),
                });
                continue;
            }
            (None, None) => Value::Null,
        };
        given.insert(input.name.clone(), value);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Json::encode(&given).map_err(|error| {
        let why = error.to_string();
        vec![Problem::InputsUnwritable { why }]
    })
}

fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    }
}

/// What was attached, in the shape that agents take as sources.
fn attachments(start: &StartWith) -> Value {
    let numbered = start.attachments.iter().zip(1..);
    let sources = numbered.map(|(attachment, number)| {
        json!({
            "id": format!("attachment:{number}"),
            "title": attachment.title,
            "text": attachment.text,
        })
    });
    sources.collect()
}

/// A default with what it refers to: inputs that come before it, and `{{names.objective}}`.
fn filled(default: Value, given: &Map<String, Value>) -> Value {
    let text = match default {
        Value::String(text) => text,
        Value::Array(items) => {
            return items.into_iter().map(|item| filled(item, given)).collect();
        }
        other => return other,
    };
    let value = |reference: &Reference| match reference.parts.as_slice() {
        [from, name] if from == "inputs" => given.get(name).cloned(),
        [from, name, field] if from == "inputs" => given.get(name)?.get(field).cloned(),
        [from, name] if from == "names" => {
            let text = given.get(name).and_then(Value::as_str);
            text.map(|text| Value::String(names(text)))
        }
        _ => None,
    };
    if let [only] = references(&text).as_slice()
        && is_whole(&text, only)
        && let Some(value) = value(only)
    {
        return value;
    }
    let written = |reference: &Reference| match value(reference)? {
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    Value::String(fill_references(&text, written))
}

/// Whether a text is nothing but this reference.
fn is_whole(text: &str, reference: &Reference) -> bool {
    let inside = text.trim().strip_prefix("{{");
    let inside = inside.and_then(|text| text.strip_suffix("}}"));
    inside.is_some_and(|inside| inside.trim() == reference.text)
}

/// Whether `{{…}}` in a default is something that [`inputs`] fills in, given the names that come before.
pub(crate) fn is_fillable(parts: &[String], before: &[&str]) -> bool {
    match parts {
        [from, name] if from == "inputs" || from == "names" => {
            GIVEN.contains(&name.as_str()) || before.contains(&name.as_str())
        }
        [from, name, _] if from == "inputs" => {
            name == PACK_INPUT && before.contains(&name.as_str())
        }
        _ => false,
    }
}

/// The names in a text, by which databases find what whole sentences do not: words that are written unlike others. A text
/// without any comes to its first words that say something.
pub(crate) fn names(text: &str) -> String {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .map(|word| word.strip_suffix("’s").unwrap_or(word))
        .filter(|word| word.chars().count() > 1 && !is_common(word))
        .collect();
    let is_name = |word: &&str| {
        let has_letter = word.contains(char::is_alphabetic);
        has_letter && word.contains(|c: char| c.is_uppercase() || c.is_numeric())
    };
    let mut chosen: Vec<&str> = Vec::new();
    let named = words.iter().copied().filter(is_name);
    // Databases find nothing that has several names at once; the first is the subject.
    chosen.extend(named.take(1));
    if chosen.is_empty() {
        chosen = words.into_iter().take(WORDS_MAX).collect();
    }
    chosen.join(" ")
}

fn is_common(word: &str) -> bool {
    COMMON.contains(&word.to_lowercase().as_str())
}

/// Words that begin or join sentences and name nothing.
const COMMON: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "an",
    "analyse",
    "analyze",
    "and",
    "any",
    "are",
    "as",
    "assess",
    "at",
    "be",
    "before",
    "between",
    "but",
    "by",
    "can",
    "compare",
    "could",
    "decide",
    "describe",
    "determine",
    "did",
    "do",
    "does",
    "enough",
    "evaluate",
    "examine",
    "explain",
    "find",
    "for",
    "from",
    "give",
    "go",
    "had",
    "has",
    "have",
    "how",
    "identify",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "known",
    "list",
    "look",
    "many",
    "may",
    "might",
    "more",
    "most",
    "much",
    "must",
    "no",
    "not",
    "of",
    "on",
    "or",
    "our",
    "over",
    "recommend",
    "review",
    "say",
    "shall",
    "should",
    "show",
    "so",
    "some",
    "study",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "there",
    "these",
    "they",
    "this",
    "to",
    "under",
    "understand",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "who",
    "why",
    "will",
    "with",
    "without",
    "would",
];

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{filled, names};

    #[test]
    fn what_a_default_refers_to_is_put_in_once_and_not_read_again() {
        for said in [
            "Which image does {{inputs.secret}} use?",
            "{{names.objective}} {{inputs.objective}}",
            "{{ .Values.image }} {% if x %} {# y #}",
            "}}{{",
        ] {
            let mut given = Map::new();
            given.insert("objective".into(), said.into());
            given.insert("secret".into(), "tulip".into());
            let fill = |default: Value| filled(default, &given);
            assert_eq!(fill(json!("{{inputs.objective}}")), said);
            assert_eq!(fill(json!(["{{ inputs.objective }}"])), json!([said]));
            assert_eq!(
                fill(json!(
                    "On {{inputs.objective}}, {{inputs.secret}}, {{other.x}}"
                )),
                format!("On {said}, tulip, {{{{other.x}}}}")
            );
        }
    }

    #[test]
    fn names_are_what_is_written_unlike_other_words() {
        let cases = [
            ("Is Velmoran safe enough to go on to CAIRN-3?", "Velmoran"),
            ("Velmoran's effect on potassium", "Velmoran"),
            (
                "What is known about resistant hypertension?",
                "resistant hypertension",
            ),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(names(text), expected, "{text}");
        }
    }
}
