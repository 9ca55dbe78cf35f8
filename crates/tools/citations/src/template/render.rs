//! Fills in a template within limits of steps, of what is built on the way, and of the text.

use std::sync::{Arc, Mutex};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value as TemplateValue};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

use super::counted::{count_with, render_counted};
use super::filters;
use crate::limits::RENDERED_BYTES_MAX;
use crate::notes::Notes;
use crate::{Markup, Refusal};

/// The number of steps that filling in may take.
const STEPS_MAX: u64 = 500_000;

pub(super) struct Rendered {
    pub(super) text: String,
    pub(super) notes: Vec<String>,
}

pub(super) fn render(
    source: &str,
    values: &Map<String, Value>,
    markup: Markup,
) -> Result<Rendered, Refusal> {
    let notes = Arc::new(Mutex::new(Notes::default()));
    let mut environment = environment(markup)?;
    filters::add_filters(&mut environment, markup, &notes);
    let text = render_counted(&environment, source, TemplateValue::from(Serde(values)))
        .map_err(|error| to_refusal(&error, &environment, source, values))?;
    Refusal::check_length("text", text.len(), RENDERED_BYTES_MAX)?;
    let notes = match notes.lock() {
        Ok(mut notes) => std::mem::take(&mut *notes),
        Err(_) => Notes::default(),
    };
    Ok(Rendered {
        text,
        notes: notes.finish(),
    })
}

/// The delimiters of the tool `template`: `{{…}}` is resolved before an argument arrives here.
fn environment(markup: Markup) -> Result<Environment<'static>, Refusal> {
    let syntax = SyntaxConfig::builder()
        .variable_delimiters("[[", "]]")
        .block_delimiters("[%", "%]")
        .comment_delimiters("[#", "#]")
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| Refusal::unusable("template", error, "the delimiters cannot be set"))?;
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(STEPS_MAX));
    count_with(&mut environment, move |out, state, value| {
        if value.is_undefined() || value.is_safe() {
            return minijinja::escape_formatter(out, state, value);
        }
        let text = if value.is_none() {
            String::new()
        } else {
            value.to_string()
        };
        out.write_str(&markup.escape(&text))
            .map_err(minijinja::Error::from)
    });
    Ok(environment)
}

fn to_refusal(
    error: &minijinja::Error,
    environment: &Environment<'_>,
    source: &str,
    values: &Map<String, Value>,
) -> Refusal {
    let line = error
        .line()
        .map_or(String::new(), |line| format!("line {line}"));
    let detail = error
        .detail()
        .map_or(String::new(), |detail| format!(": {detail}"));
    match error.kind() {
        ErrorKind::UndefinedError => {
            let mut names: Vec<String> = environment
                .template_from_str(source)
                .map(|template| template.undeclared_variables(false))
                .unwrap_or_default()
                .into_iter()
                .filter(|name| !values.contains_key(name))
                .collect();
            names.sort();
            let field = if names.is_empty() {
                "values".to_owned()
            } else {
                format!("values.{}", names.join("`, `values."))
            };
            let advice = format!("{line} of the template uses a name without a value{detail}");
            Refusal::missing(field, advice)
        }
        ErrorKind::OutOfFuel => Refusal::unusable(
            "template",
            line,
            format!("it took more than {STEPS_MAX} steps: loop over fewer values"),
        ),
        kind => Refusal::unusable("template", line, format!("{kind}{detail}")),
    }
}
