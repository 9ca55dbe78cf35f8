//! `adjutant report`: what a mission hands over, as a document.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use adjutant_calibration::{OUTCOMES_MIN, Table};
use adjutant_deliverable::{Decided, Document, Made, Standing, Used, markdown_text};
use adjutant_mission::{
    Asks, Closed, Delivery, Event, MicroUsd, Mission, MissionId, Payload, TaskStatus, Verdict, Way,
    WorkSpec,
};
use serde_json::Value;

use super::compare::{Read, read};
use super::conclusions::conclusions;
use super::cut_short::cut_short;
use super::rate::calibration_of;
use crate::args::{Report, ReportFormat};
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{instant, money, short};

pub(super) async fn run(settings: &Settings, report: Report) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let id = find::mission(reading.store(), &report.mission).await?;
    let format = format_of(&report)?;
    let (document, made) = whole(&reading, id).await?;
    let bytes = write(format, &document, &made)?;
    hand_over(&report, id, &document, &bytes)
}

/// Prints a report, or writes it where it was asked to.
pub(super) fn hand_over(
    report: &Report,
    id: MissionId,
    document: &Document,
    bytes: &[u8],
) -> Result<Exit, Failure> {
    let format = format_of(report)?;
    let to = match &report.out {
        Some(path) => Some(path.clone()),
        None if is_text(format) => None,
        None => Some(PathBuf::from(format!(
            "{}-{}.{}",
            name_of(&document.kind),
            short(id),
            ending(format)
        ))),
    };
    match to.filter(|path| path != Path::new("-")) {
        None => print(bytes)?,
        Some(path) => {
            save(&path, bytes)?;
            if format == ReportFormat::Md {
                charts(&path, document)?;
            }
            output::note(&format!("{} written", path.display()));
        }
    }
    Ok(Exit::Ok)
}

/// A mission's report in one format.
pub(super) async fn written(
    settings: &Settings,
    mission: MissionId,
    format: ReportFormat,
) -> Result<Vec<u8>, Failure> {
    let reading = Reading::expect(settings).await?;
    let (document, made) = whole(&reading, mission).await?;
    write(format, &document, &made)
}

/// What a mission hands over, and how it was made.
async fn whole(reading: &Reading, mission: MissionId) -> Result<(Document, Made), Failure> {
    let read = read(reading, mission).await?;
    let Some(document) = document(&read).or_else(|| cut_short(&read)) else {
        return Err(nothing(&read.mission));
    };
    let table = calibration_of(&reading.journal).await?;
    Ok((document, made(&read, &table)))
}

/// The format that is asked for, or that the file's name ends with.
pub(super) fn format_of(report: &Report) -> Result<ReportFormat, Failure> {
    if let Some(format) = report.format {
        return Ok(format);
    }
    let named = report.out.as_ref().and_then(|path| path.extension());
    let named = named.and_then(|ending| ending.to_str()).unwrap_or_default();
    Ok(match named.to_lowercase().as_str() {
        "" | "md" | "markdown" | "txt" => ReportFormat::Md,
        "html" | "htm" => ReportFormat::Html,
        "pdf" => ReportFormat::Pdf,
        "docx" => ReportFormat::Docx,
        "json" => ReportFormat::Json,
        other => {
            return Err(Failure::new(
                Exit::BadInput,
                "ADJ-6148",
                format!("no report is written as `.{other}`"),
                "Let the name end with .md, .html, .pdf, .docx or .json, or say which with `--format`.",
            ));
        }
    })
}

fn is_text(format: ReportFormat) -> bool {
    match format {
        ReportFormat::Md | ReportFormat::Html | ReportFormat::Json => true,
        ReportFormat::Pdf | ReportFormat::Docx => false,
    }
}

fn ending(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Md => "md",
        ReportFormat::Html => "html",
        ReportFormat::Pdf => "pdf",
        ReportFormat::Docx => "docx",
        ReportFormat::Json => "json",
    }
}

fn name_of(kind: &str) -> String {
    let letters = kind.to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| {
        let ends = bytes.ends_with(b"\n") || !std::io::stdout().is_terminal();
        if ends { Ok(()) } else { out.write_all(b"\n") }
    });
    written.map_err(|error| unwritten(Path::new("standard output"), &error))
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| unwritten(path, &error))
}

/// The charts that a Markdown file shows, beside it.
fn charts(path: &Path, document: &Document) -> Result<(), Failure> {
    let files = adjutant_deliverable::chart_files(document);
    let beside = path.parent().unwrap_or(Path::new("."));
    for (name, svg) in files {
        let file = beside.join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        }
        save(&file, svg.as_bytes())?;
    }
    Ok(())
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6107",
        format!("{} cannot be written: {error}", path.display()),
        "Name another file with `--out`.",
    )
}

pub(super) fn write(
    format: ReportFormat,
    document: &Document,
    made: &Made,
) -> Result<Vec<u8>, Failure> {
    let broken = |error: String| {
        Failure::new(
            Exit::Trouble,
            "ADJ-6108",
            format!("the document cannot be written: {error}"),
            "Take another format with `--format`.",
        )
    };
    match format {
        ReportFormat::Md => Ok(adjutant_deliverable::markdown(document, made).into_bytes()),
        ReportFormat::Html => Ok(adjutant_deliverable::html(document, made).into_bytes()),
        ReportFormat::Docx => {
            adjutant_deliverable::docx(document, made).map_err(|error| broken(error.to_string()))
        }
        ReportFormat::Pdf => {
            adjutant_deliverable_pdf::pdf(document, made).map_err(|error| broken(error.to_string()))
        }
        ReportFormat::Json => {
            let whole = serde_json::json!({ "document": document, "made": made });
            serde_json::to_vec_pretty(&whole).map_err(|error| broken(error.to_string()))
        }
    }
}

/// What outputs come to, as a text: the last document among them or, where there is none, what the last one says.
pub(super) fn text(outputs: &[Value]) -> Option<String> {
    if let Some(document) = outputs.iter().rev().find_map(document_of) {
        return Some(markdown_text(&document));
    }
    let said = match outputs.last()? {
        Value::String(said) => said,
        other => ["text", "answer", "summary"]
            .iter()
            .find_map(|name| other.get(name)?.as_str())?,
    };
    Some(said.to_owned())
}

fn document_of(output: &Value) -> Option<Document> {
    serde_json::from_value(output.get("document")?.clone()).ok()
}

/// The document that the mission's last report is.
fn document(read: &Read) -> Option<Document> {
    let found = read.mission.tasks().filter_map(|(_, state)| {
        let output = read.output(state.output.as_ref()?)?;
        document_of(&output)
    });
    found.last()
}

fn nothing(mission: &Mission) -> Failure {
    let id = short(mission.id());
    let (why, help) = match mission.ending() {
        None => (
            "has no report yet".to_owned(),
            format!("`adjutant watch {id}` shows how far it is."),
        ),
        Some(_) => (
            "made no report: it found nothing, or none of its tasks calls `report`".to_owned(),
            format!("`adjutant show {id}` shows what it gave."),
        ),
    };
    Failure::new(
        Exit::BadInput,
        "ADJ-6109",
        format!("mission {id} {why}"),
        help,
    )
}

/// How it was made, as the journal tells it.
fn made(read: &Read, table: &Table) -> Made {
    let mission = &read.mission;
    let delivered = mission
        .ending()
        .is_some_and(|ending| ending.delivery == Delivery::Delivered);
    Made {
        mission: mission.id().to_string(),
        begun: instant(mission.opened_at()),
        ended: instant(mission.updated_at()),
        cost: money(mission.used().money),
        tokens: mission.used().tokens,
        steps: mission.turns(),
        answered_by: answerers(read),
        tools: tools(mission),
        decisions: decisions(read),
        conclusions: conclusions(read, table),
        not_checked: not_checked(mission, table),
        standing: match (delivered, reviewed(mission)) {
            (true, Some(Verdict::Approve)) => Standing::Delivered,
            (true, _) => Standing::Unreviewed,
            (false, Some(Verdict::Reject)) => Standing::Rejected,
            (false, _) => Standing::Draft,
        },
        stand_in: read.has_made_up_answers(),
        journal_head: read.head.clone(),
    }
}

/// What the last person said who looked at the result.
fn reviewed(mission: &Mission) -> Option<Verdict> {
    let asked = mission.checkpoints().iter().rev();
    let mut reviews = asked.filter(|asked| asked.checkpoint.asks == Asks::ReviewResult);
    reviews.find_map(|asked| match &asked.closed {
        Some(Closed::Decided { decision, .. }) => Some(decision.verdict),
        _ => None,
    })
}

/// Who answered the questions, and how often.
fn answerers(read: &Read) -> Vec<Used> {
    let mut by: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (_, state) in read.mission.tasks() {
        let steps = state.steps.iter().map(|taken| &taken.output);
        for payload in steps.chain(state.output.as_ref()) {
            let Some(output) = read.output(payload) else {
                continue;
            };
            let answered = &output["answered_by"];
            let Some(provider) = answered["provider"].as_str() else {
                continue;
            };
            let name = match answered["model"].as_str() {
                Some(model) if model != provider => format!("{provider}: {model}"),
                _ => provider.to_owned(),
            };
            let entry = by.entry(name).or_default();
            entry.0 += 1;
            entry.1 += answered["cost"].as_u64().unwrap_or(0);
        }
    }
    let used = by.into_iter().map(|(name, (times, cost))| Used {
        name,
        times,
        cost: money(MicroUsd(cost)),
    });
    used.collect()
}

fn tools(mission: &Mission) -> Vec<Used> {
    let mut by: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (task, state) in mission.tasks() {
        let WorkSpec::Tool(call) = &task.work else {
            continue;
        };
        let gave = state.status == TaskStatus::Completed && state.way == Way::First;
        if state.turns > 0 {
            let name = match gave {
                true => call.tool.to_string(),
                false => format!("{} (gave nothing)", call.tool),
            };
            let entry = by.entry(name).or_default();
            entry.0 += state.turns;
            entry.1 += state.used.money.0;
        }
    }
    let used = by.into_iter().map(|(name, (times, cost))| Used {
        name,
        times,
        cost: money(MicroUsd(cost)),
    });
    used.collect()
}

fn decisions(read: &Read) -> Vec<Decided> {
    let mut decisions = Vec::new();
    for recorded in &read.events {
        match &recorded.event {
            Event::CheckpointDecided { checkpoint, .. } => {
                let asked = read.mission.checkpoints().get(*checkpoint as usize);
                let Some((asked, Some(Closed::Decided { by, decision }))) =
                    asked.map(|asked| (asked, &asked.closed))
                else {
                    continue;
                };
                let verdict = match decision.verdict {
                    Verdict::Approve => "approved",
                    Verdict::Modify => "changed",
                    Verdict::Reject => "rejected",
                };
                let option = decision.option.as_ref();
                let option = option.map_or(String::new(), |option| format!(": {option}"));
                let note = match decision.note.as_str() {
                    "" => String::new(),
                    note => format!(" (“{note}”)"),
                };
                decisions.push(Decided {
                    question: asked.checkpoint.question.clone(),
                    answer: format!("{verdict}{option}{note}"),
                    by: by.id.to_string(),
                    at: instant(recorded.at),
                });
            }
            Event::CheckpointWaived(waived) => {
                let about = waived.task.as_ref();
                let about = about.map_or(String::new(), |task| format!(" of task {task}"));
                let kind = format!("{:?}", waived.checkpoint_type);
                decisions.push(Decided {
                    question: format!("{}{about}", spaced(&kind)),
                    answer: "agreed to in advance, not looked at".to_owned(),
                    by: waived.by.to_string(),
                    at: instant(recorded.at),
                });
            }
            _ => {}
        }
    }
    decisions
}

/// `PlanApproval` as `Plan approval`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(c);
        }
    }
    words
}

fn not_checked(mission: &Mission, table: &Table) -> Vec<String> {
    let mut told = vec![
        "Whether the sources are right: only that they say what is quoted.".to_owned(),
        "Whether an interpretation follows from what it rests on.".to_owned(),
    ];
    for (task, state) in mission.tasks() {
        let title = task.name();
        match state.status {
            TaskStatus::Completed => {}
            _ => told.push(format!("“{title}” was not done.")),
        }
        if let Some(assessed) = state.assessed.filter(|assessed| !assessed.is_enough()) {
            let (sure, wanted) = (assessed.composite.0 / 10_000, assessed.threshold.0 / 10_000);
            told.push(format!(
                "“{title}” is {sure} % sure of its conclusion, where {wanted} % were wanted."
            ));
        }
    }
    if table.all.count < OUTCOMES_MIN {
        told.push(
            "How often such confidences turn out right: too few outcomes were rated so far."
                .to_owned(),
        );
    }
    told
}

impl Read {
    /// What a task or a step gave, wherever it is kept.
    pub(super) fn output(&self, payload: &Payload) -> Option<Value> {
        let json = match payload {
            Payload::Inline(json) => json,
            Payload::Blob { digest, .. } => self.blobs.get(digest)?,
        };
        serde_json::from_str(json.text()).ok()
    }

    /// Whether a stand-in answered where a public database was asked.
    fn has_made_up_answers(&self) -> bool {
        self.mission.tasks().any(|(_, state)| {
            let steps = state.steps.iter().map(|taken| &taken.output);
            let mut gave = steps.chain(state.output.as_ref());
            gave.any(|payload| {
                let output = self.output(payload);
                output.is_some_and(|output| output["stand_in"] == true)
            })
        })
    }

    /// Every source that any task found, each once, as questions and reports take them.
    pub(super) fn sources(&self) -> Vec<Value> {
        let mut sources: Vec<Value> = Vec::new();
        for (_, state) in self.mission.tasks() {
            let output = state.output.as_ref().and_then(|output| self.output(output));
            let given = output
                .as_ref()
                .and_then(|output| output["sources"].as_array());
            for source in given.into_iter().flatten() {
                let is_new = !sources.iter().any(|had| had["id"] == source["id"]);
                if is_new && source["id"].is_string() && source["text"].is_string() {
                    let fields = ["id", "title", "text", "published"].into_iter();
                    let kept = fields.filter_map(|name| {
                        let value = source.get(name).filter(|value| value.is_string())?;
                        Some((name.to_owned(), value.clone()))
                    });
                    sources.push(Value::Object(kept.collect()));
                }
            }
        }
        sources
    }
}
