//! `adjutant plan`: checking plan files, and the schema editors complete from.

use std::path::Path;

use crate::args::Plan;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count};
use adjutant_app::error::AppError;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, plan: Plan) -> Result<Exit, AppError> {
    let known = PlanChecker::new(settings).await?;
    match plan {
        Plan::Check { file, json } => check(&file, &known, json.json.into()),
        Plan::Schema => {
            let schema = adjutant_plans::schema(&known);
            output::line(&serde_json::to_string_pretty(&schema).unwrap_or_default())?;
            Ok(Exit::Ok)
        }
    }
}

fn check(file: &Path, known: &PlanChecker, form: Form) -> Result<Exit, AppError> {
    let shown = file.display();
    let loaded = match adjutant_app::plan_checker::read_plan(file, known) {
        Ok(loaded) => loaded,
        Err(failure) if form == Form::Json => {
            let answer = serde_json::json!({
                "ok": false, "problems": failure.complaints, "left_out": failure.left_out,
            });
            output::line(&answer.to_string())?;
            return Ok(failure.kind.into());
        }
        Err(failure) => return Err(failure),
    };
    let warnings = &loaded.warnings;
    if form == Form::Json {
        let warned = warnings.iter().map(|warning| {
            serde_json::json!({
                "file": shown.to_string(), "line": warning.line, "column": warning.column,
                "path": warning.place, "message": warning.message,
            })
        });
        let answer = serde_json::json!({
            "ok": true,
            "title": loaded.plan.title,
            "tasks": loaded.plan.tasks.len(),
            "warnings": warned.collect::<Vec<_>>(),
        });
        output::line(&answer.to_string())?;
        return Ok(Exit::Ok);
    }
    let paint = output::paint();
    for warning in warnings {
        let head = paint.tone(Tone::Human, "warning");
        let (line, column) = (warning.line, warning.column);
        output::line(&format!(
            "{head}: {shown}:{line}:{column}: {}: {}",
            warning.place, warning.message
        ))?;
    }
    let good = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" ")
        .and(Tone::Bold, &loaded.plan.title)
        .and(
            Tone::Dim,
            format!("  {}, no problems", count(loaded.plan.tasks.len(), "task")),
        );
    output::line(&good.render(paint))?;
    Ok(Exit::Ok)
}
