//! The built-in tools, one per file.

mod calc;
mod calculator;
mod captured;
mod chart;
mod cut_documents;
mod earlier_report;
mod formatter;
mod http;
mod language;
mod lookup;
mod noop;
mod read_documents;
mod recall;
mod run_code;
mod run_command;
mod sandboxed;
mod sleep;
mod sources;
mod stat;
mod template;
mod whole_documents;
mod write_file;

pub use cut_documents::ToCut;
pub use lookup::Sites;
pub use read_documents::ToRead;
pub use recall::{Library, QUESTION_CHARS_MAX, RAG, RECALL, Wanted};
pub use whole_documents::WantedWhole;

use adjutant_mission::references;
use serde_json::{Map, Value, json};

use crate::{Finding, References, RegistryError, Tool, ToolFailure, ToolSettings};

use crate::outline::{ToolOutline, read_arguments as read};

pub(crate) fn all(settings: &ToolSettings) -> Result<Vec<Box<dyn Tool>>, RegistryError> {
    let mut tools: Vec<Box<dyn Tool>> = vec![
        Box::new(calc::Calc::new()?),
        Box::new(calculator::Calculator::new()?),
        Box::new(chart::Visualizer::new()?),
        Box::new(cut_documents::CutDocuments::new(settings)?),
        Box::new(earlier_report::EarlierReport::new(settings)?),
        Box::new(formatter::Formatter::new()?),
        Box::new(language::Language::new()?),
        Box::new(http::Http::idempotent(settings)?),
        Box::new(http::Http::once(settings)?),
        Box::new(noop::Noop::new()?),
        Box::new(read_documents::ReadDocuments::new(settings)?),
        Box::new(recall::Recall::free(settings)?),
        Box::new(recall::Recall::priced(settings)?),
        Box::new(run_code::RunCode::new(settings)?),
        Box::new(run_command::RunCommand::new(settings)?),
        Box::new(sleep::Sleep::new()?),
        Box::new(sources::MergeSources::new()?),
        Box::new(sources::NothingFound::new()?),
        Box::new(stat::Stat::new()?),
        Box::new(template::Template::new()?),
        Box::new(whole_documents::WholeDocuments::new(settings)?),
        Box::new(write_file::WriteFile::creating(settings)?),
        Box::new(write_file::WriteFile::replacing(settings)?),
    ];
    tools.extend(lookup::all(settings)?);
    Ok(tools)
}

/// What every call would refuse of an argument that is known already. Found when a plan is checked, so that nobody approves
/// what is then denied; a call that is about to be sent refuses it itself.
fn known_to_fail(
    field: &str,
    known: Option<&str>,
    references: References,
    check: impl Fn(&str) -> Result<(), ToolFailure>,
) -> Vec<Finding> {
    let known = known.filter(|_| references == References::Open);
    let refused = known.and_then(|known| check(known).err());
    let found = refused.map(|why| Finding {
        path: field.to_owned(),
        message: why.to_string(),
        code: None,
    });
    found.into_iter().collect()
}

/// A text argument as it will be when it is called with: one without references.
fn literal<'a>(arguments: &'a Value, field: &str) -> Option<&'a str> {
    let text = arguments[field].as_str()?;
    references(text).is_empty().then_some(text)
}

/// Makes a schema of alternatives, each with its own name under `tag`, into one that is chosen by that name: what does not
/// fit is then told of the one that was meant, not of all. `more` is what each of them takes besides.
fn chosen_by(tag: &str, mut schema: Value, more: &Map<String, Value>) -> Value {
    let Some(Value::Array(branches)) = schema.as_object_mut().and_then(|all| all.remove("oneOf"))
    else {
        return schema;
    };
    let mut names = Vec::new();
    let mut chosen = Vec::new();
    for mut branch in branches {
        let name = branch["properties"][tag]["const"].clone();
        if let Some(properties) = branch["properties"].as_object_mut() {
            properties.extend(more.clone());
        }
        let named = json!({ "required": [tag], "properties": { tag: { "const": name } } });
        chosen.push(json!({ "if": named, "then": branch }));
        names.push(name);
    }
    schema["properties"] = json!({ tag: { "enum": names } });
    schema["allOf"] = Value::Array(chosen);
    schema
}

#[cfg(test)]
pub(crate) mod testing;
