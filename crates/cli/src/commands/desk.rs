//! What the HTTP server has done for it: missions of the catalogue planned, and reports written.

use std::sync::Arc;

use adjutant_catalogue::{Attachment, StartWith};
use adjutant_mission::{Actor, MissionId, ModelId, Plan, ToolId, ToolTable};
use adjutant_plans::Checker as _;
use adjutant_server::{Desk, DeskFuture, Planned, Problem, Report, StartMission, StatusCode};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::mission::{as_json, namespaces, permitted};
use super::{desk_library, planning, report};
use crate::args::ReportFormat;
use crate::catalogue::{catalogue, template};
use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::wiring::Known;

pub(super) struct ServerDesk {
    pub(super) settings: Settings,
    pub(super) known: Known,
    /// Who may set a document now: it takes a processor, and there are not many.
    pub(super) writing: Arc<Semaphore>,
}

impl Desk for ServerDesk {
    fn catalogue(&self) -> Result<Value, Problem> {
        let catalogue = catalogue(&self.settings).map_err(problem)?;
        let all: Vec<Value> = catalogue.entries.iter().map(as_json).collect();
        Ok(json!({ "missions": all }))
    }

    fn plan(&self, _by: Actor, wanted: StartMission) -> DeskFuture<'_, Planned> {
        Box::pin(async move { self.planned(wanted).await.map_err(problem) })
    }

    fn tools(&self, by: Actor) -> Result<Value, Problem> {
        Ok(desk_library::tools(&self.known, &by))
    }

    fn has_tool(&self, tool: &ToolId) -> bool {
        desk_library::has_tool(&self.settings, &self.known, tool)
    }

    fn asking(&self, model: &ModelId, plan: &Plan) -> Result<ToolTable, Problem> {
        desk_library::asking(&self.settings, model, plan).map_err(problem)
    }

    fn knowledge_bases(&self) -> DeskFuture<'_, Value> {
        Box::pin(async move { desk_library::bases(&self.settings).await.map_err(problem) })
    }

    fn documents(&self, base: String) -> DeskFuture<'_, Value> {
        Box::pin(async move {
            let told = desk_library::documents(&self.settings, &base).await;
            told.map_err(problem)
        })
    }

    fn search(&self, base: String, query: String, most: u32) -> DeskFuture<'_, Value> {
        Box::pin(async move {
            let found = desk_library::search(&self.settings, base, query, most).await;
            found.map_err(problem)
        })
    }

    fn text(&self, outputs: &[Value]) -> Option<String> {
        report::text(outputs)
    }

    fn report(&self, mission: MissionId, format: String) -> DeskFuture<'_, Report> {
        let (settings, writing) = (self.settings.clone(), Arc::clone(&self.writing));
        Box::pin(async move {
            let (format, media_type) = format_of(&format)?;
            let turn = writing.acquire_owned().await;
            // Setting a document takes a while, and others are served meanwhile.
            let handle = Handle::current();
            let written = tokio::task::spawn_blocking(move || {
                // Whoever asked may have left: the turn ends with the work.
                let _turn = turn;
                handle.block_on(report::written(&settings, mission, format))
            });
            match written.await {
                Ok(written) => Ok(Report {
                    bytes: written.map_err(problem)?,
                    media_type,
                }),
                Err(error) => Err(Problem::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "ADJ-6108",
                    format!("the document cannot be written: {error}"),
                    "Ask for another format.",
                )),
            }
        })
    }
}

impl ServerDesk {
    async fn planned(&self, wanted: StartMission) -> Result<Planned, Failure> {
        let catalogue = catalogue(&self.settings)?;
        let template = template(&catalogue, &wanted.mission)?;
        let attachments = wanted.attachments.into_iter().map(|attached| Attachment {
            title: attached.title,
            text: attached.text,
        });
        let start = StartWith {
            objective: wanted.objective.trim().to_owned(),
            inputs: wanted.inputs,
            namespaces: namespaces(&self.settings, &wanted.knowledge_bases).await?,
            attachments: attachments.collect(),
            autonomy: wanted.autonomy,
            money: wanted.budget,
            tools: permitted(&self.known),
        };
        let planned = planning::planned(&self.settings, template, start, &self.known).await?;
        let left_out = planned.left_out.into_iter();
        Ok(Planned {
            tools: self.known.tools(&planned.plan),
            plan: planned.plan,
            left_out: left_out
                .map(|left| (left.task.to_string(), left.why))
                .collect(),
        })
    }
}

fn format_of(name: &str) -> Result<(ReportFormat, &'static str), Problem> {
    Ok(match name {
        "md" => (ReportFormat::Md, "text/markdown; charset=utf-8"),
        "html" => (ReportFormat::Html, "text/html; charset=utf-8"),
        "pdf" => (ReportFormat::Pdf, "application/pdf"),
        "docx" => (
            ReportFormat::Docx,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        "json" => (ReportFormat::Json, "application/json"),
        _ => {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "ADJ-9012",
                format!("there is no format `{name:.20}`"),
                "Ask for md, html, pdf, docx or json.",
            ));
        }
    })
}

/// What the command line would say, as an answer.
fn problem(failure: Failure) -> Problem {
    let code = failure.complaints.first().map(|first| first.code.as_str());
    let status = match failure.exit {
        // A report that is not there yet may be there later.
        _ if code == Some("ADJ-6109") => StatusCode::CONFLICT,
        // Of namespaces and documents: names that nothing has.
        _ if matches!(code, Some("ADJ-8001" | "ADJ-8002" | "ADJ-8003")) => StatusCode::NOT_FOUND,
        Exit::BadInput | Exit::NotGood => StatusCode::UNPROCESSABLE_ENTITY,
        Exit::Trouble => StatusCode::SERVICE_UNAVAILABLE,
        Exit::Ok | Exit::WaitingForHuman | Exit::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
    };
    match failure.complaints.into_iter().next() {
        Some(first) => Problem::new(status, &first.code, first.message, first.help),
        None => Problem::new(status, "ADJ-9013", "it did not work", "Try again."),
    }
}
