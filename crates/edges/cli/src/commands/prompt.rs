//! `adjutant prompt`: what models are asked, as it is written and as it would be sent.

use adjutant_questions::{Input, Prompts, Purpose};
use serde_json::{Value, json};

use crate::args::Prompt;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

/// An input larger than this is a mistake.
const INPUT_BYTES_MAX: u64 = 8 * 1024 * 1024;

pub(super) fn run(settings: &Settings, which: Prompt) -> Result<Exit, AppError> {
    let prompts = wiring::prompts(settings)?;
    match which {
        Prompt::Show {
            purpose: Some(purpose),
            json,
        } => show(&prompts, wiring::purpose(&purpose)?, json.json.into()),
        Prompt::Show { json, .. } => list(&prompts, json.json.into()),
        Prompt::Render {
            purpose,
            input,
            json,
        } => {
            let purpose = wiring::purpose(&purpose)?;
            let bytes = adjutant_app::files::read(&input, INPUT_BYTES_MAX)?;
            let value: Value = serde_json::from_slice(&bytes).map_err(|error| {
                wrong(
                    format!("{} is not JSON: {error}", input.display()),
                    "Write the input as a JSON object.",
                )
            })?;
            let input = Input::read(purpose, value).map_err(|error| {
                let help = "See docs/models.md for the input of each purpose.";
                wrong(error.to_string(), help)
            })?;
            render(&prompts, &input, json.json.into())
        }
    }
}

fn list(prompts: &Prompts, form: Form) -> Result<Exit, AppError> {
    let known = Purpose::ALL
        .iter()
        .filter_map(|purpose| Some((purpose, prompts.get(*purpose)?)));
    if form == Form::Json {
        for (purpose, prompt) in known {
            let line = json!({ "purpose": purpose.name(), "version": prompt.version });
            output::line(&line.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["purpose", "version", ""]);
    for (purpose, prompt) in known {
        table.row([
            Line::of(Tone::Bold, purpose.name()),
            Line::of(Tone::Plain, &prompt.version),
            Line::of(Tone::Dim, purpose.about()),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 2), output::paint())?;
    Ok(Exit::Ok)
}

fn show(prompts: &Prompts, purpose: Purpose, form: Form) -> Result<Exit, AppError> {
    let Some(prompt) = prompts.get(purpose) else {
        return list(prompts, form);
    };
    let schema = purpose.output_schema();
    if form == Form::Json {
        let line = json!({
            "purpose": purpose.name(), "version": prompt.version, "system": prompt.system,
            "user": prompt.user, "output": schema,
        });
        output::line(&line.to_string())?;
        return Ok(Exit::Ok);
    }
    output::line(&format!(
        "version: {}\n\n--- system\n{}\n\n--- user\n{}",
        prompt.version, prompt.system, prompt.user
    ))?;
    Ok(Exit::Ok)
}

fn render(prompts: &Prompts, input: &Input, form: Form) -> Result<Exit, AppError> {
    let rendered = prompts.render(input).map_err(|error| {
        let help = "Fix the prompt's file, or remove it to use the built-in one.";
        AppError::new(ErrorKind::BadInput, "ADJ-6072", error.to_string(), help)
    })?;
    let tokens = adjutant_questions::token_bound(&rendered.system)
        + adjutant_questions::token_bound(&rendered.user);
    if form == Form::Json {
        let line = json!({
            "purpose": rendered.purpose, "version": rendered.version, "hash": rendered.hash,
            "tokens_max": tokens, "system": rendered.system, "user": rendered.user,
        });
        output::line(&line.to_string())?;
        return Ok(Exit::Ok);
    }
    output::line(&format!("{}\n\n{}", rendered.system, rendered.user))?;
    output::note(&format!(
        "\nVersion {}, at most {tokens} tokens, BLAKE3 {}.",
        rendered.version,
        &rendered.hash[..16]
    ));
    Ok(Exit::Ok)
}

fn wrong(message: String, help: &str) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-6073", message, help)
}
