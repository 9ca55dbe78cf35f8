//! `adjutant mission`: the catalogue, and starting a mission of it.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant_catalogue::{Attachment, Template, agent, phrase};
use adjutant_host::new_mission_id;
use adjutant_knowledge_base::{KnowledgeBase, Shelf};
use adjutant_mission::{Autonomy, MicroUsd, Plan, Scope, Start};
use adjutant_plans::Checker as _;
use serde_json::{Value, json};

use super::dry_run;
use super::run::{approvals, campaign, open};
use crate::args::{AutonomyOf, MissionOf, MissionStart, StartWith};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, wrap};
use adjutant_app::catalogue::{
    TEMPLATE_BYTES_MAX, catalogue, entry, entry_json, estimate, template,
};
use adjutant_app::context::Context;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::knowledge::{check_named, namespaces, read_one, titles};
use adjutant_app::pieces::count_lists;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::planning::{plan_from_template, plan_mission};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn run(settings: &Settings, which: MissionOf) -> Result<Exit, AppError> {
    match which {
        MissionOf::List(json) => list(settings, json.json.into()),
        MissionOf::Show { id, json } => show(settings, &id, json.json.into()),
        MissionOf::Start(start) => Box::pin(self::start(settings, *start)).await,
        MissionOf::Check { file, json } => check(&file, json.json.into()),
        MissionOf::Schema => {
            let schema = adjutant_catalogue::schema();
            output::line(&serde_json::to_string_pretty(&schema).unwrap_or_default())?;
            Ok(Exit::Ok)
        }
    }
}

fn list(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let catalogue = catalogue(settings)?;
    let all: Vec<Value> = catalogue.entries.iter().map(entry_json).collect();
    tell(&all, form)
}

/// The catalogue's missions, as [`entry_json`] writes them.
pub(super) fn tell(all: &[Value], form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        output::line(&json!({ "missions": all }).to_string())?;
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["mission", "", "what for", "cost", "time"]);
    for entry in all {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let (tone, about) = match entry["ready"] == true {
            true => (Tone::Plain, text("about")),
            false => (Tone::Dim, format!("{} (planned)", text("about"))),
        };
        table.row(vec![
            Line::of(tone, text("id")),
            Line::of(tone, text("name")),
            Line::of(tone, about),
            Line::of(Tone::Dim, text("cost")),
            Line::of(Tone::Dim, text("time")),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 1), output::paint())?;
    output::line("")?;
    output::line(" adjutant mission start deep_dive \"What is known of …?\" --kb NAME")?;
    Ok(Exit::Ok)
}

fn show(settings: &Settings, id: &str, form: Form) -> Result<Exit, AppError> {
    let catalogue = catalogue(settings)?;
    let entry = entry(&catalogue, id)?;
    if form == Form::Json {
        output::line(&entry_json(entry).to_string())?;
        return Ok(Exit::Ok);
    }
    let mut lines = vec![Line::new().plain(" ").and(Tone::Bold, &entry.name)];
    lines.push(Line::new().plain(" ").plain(entry.about()));
    lines.push(Line::new());
    if let Some(facts) = entry.facts {
        let named = |ids: &[&str]| {
            let names = ids.iter().map(|id| match agent(id) {
                Some(agent) => format!("{} ({id})", agent.name),
                None => (*id).to_owned(),
            });
            names.collect::<Vec<_>>().join(", ")
        };
        field(&mut lines, "led by", &named(&[facts.expert]));
        field(&mut lines, "with", &named(facts.specialists));
        field(&mut lines, "workers", &named(facts.workers));
        field(&mut lines, "tools", &facts.tools().join(", "));
        let phrases = facts.reasoning.iter().map(|name| match phrase(name) {
            Some(phrase) => {
                let patterns = phrase.patterns.iter().map(|pattern| pattern.name());
                let patterns = patterns.collect::<Vec<_>>().join(", ");
                format!("{name} ({patterns})").replace('_', " ")
            }
            None => (*name).to_owned(),
        });
        field(
            &mut lines,
            "reasons by",
            &phrases.collect::<Vec<_>>().join("; "),
        );
        field(
            &mut lines,
            "asks you",
            &facts.checkpoints.join(", ").replace('_', " "),
        );
    }
    let (cost, time) = estimate(entry);
    field(&mut lines, "estimate", &format!("{cost}, {time}"));
    match entry.template() {
        Some(template) => {
            for input in &template.inputs {
                field(&mut lines, &format!("input {}", input.name), &input.about);
            }
            field(
                &mut lines,
                "hands over",
                &template.deliverable.sections.join(" · "),
            );
            lines.push(Line::new());
            let start = format!(" adjutant mission start {} \"…\" --kb NAME", entry.id);
            lines.push(Line::of(Tone::Dim, start));
        }
        None => field(&mut lines, "state", "planned: it has no template yet"),
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn field(lines: &mut Vec<Line>, name: &str, value: &str) {
    const COLUMN: usize = 20;
    let width = output::size().0.min(110).saturating_sub(COLUMN + 1);
    for (at, part) in wrap(value, width).into_iter().enumerate() {
        let name = if at == 0 { name } else { "" };
        let head = Line::new().plain(" ").and(Tone::Dim, name).padded(COLUMN);
        lines.push(head.plain(part));
    }
}

fn check(file: &Path, form: Form) -> Result<Exit, AppError> {
    let bytes = adjutant_app::files::read(file, TEMPLATE_BYTES_MAX)?;
    let report = adjutant_catalogue::check(&String::from_utf8_lossy(&bytes));
    let mut told: Vec<String> = Vec::new();
    let shown = file.display();
    told.extend(report.problems.iter().map(|problem| {
        format!(
            "{shown}:{}:{}: {} {}",
            problem.line, problem.column, problem.code, problem.message
        )
    }));
    told.extend(
        report
            .unused
            .iter()
            .map(|unused| format!("{shown}: never used: {unused}")),
    );
    for case in &report.cases {
        told.extend(
            case.problems
                .iter()
                .map(|problem| format!("{shown}: {}: {problem}", way(case))),
        );
    }
    if form == Form::Json {
        output::line(&json!({ "passed": report.passed(), "problems": told }).to_string())?;
    } else {
        for line in &told {
            output::line(line)?;
        }
        if report.passed() {
            let cases = report.cases.len();
            output::line(&format!(" ✓ {shown} can be planned in all {cases} ways"))?;
        }
    }
    Ok(match report.passed() {
        true => Exit::Ok,
        false => Exit::BadInput,
    })
}

/// In which way a template was planned.
fn way(case: &adjutant_catalogue::Case) -> String {
    let autonomy = match case.autonomy {
        Autonomy::Strict => "strict",
        Autonomy::Balanced => "balanced",
        Autonomy::Permissive => "permissive",
    };
    format!("{autonomy}, with {:?}", case.with)
}

pub(super) async fn start(settings: &Settings, start: MissionStart) -> Result<Exit, AppError> {
    let catalogue = catalogue(settings)?;
    let template = template(&catalogue, &start.id)?;
    let known = PlanChecker::new(settings).await?;
    Box::pin(start_with(
        settings,
        template,
        &start.objective,
        &start.with,
        &known,
    ))
    .await
}

/// Plans a mission of a template, opens it and watches it.
pub(super) async fn start_with(
    settings: &Settings,
    template: &Template,
    objective: &str,
    with: &StartWith,
    known: &PlanChecker,
) -> Result<Exit, AppError> {
    let plan = Box::pin(planned(settings, template, objective, with, known)).await?;
    begin(settings, plan, with, known).await
}

async fn begin(
    settings: &Settings,
    plan: Plan,
    with: &StartWith,
    known: &PlanChecker,
) -> Result<Exit, AppError> {
    let tools = known.tools(&plan);
    let mission = new_mission_id(wiring::clock().now())?;
    let start = Start {
        mission,
        scope: Scope {
            subjects: with.subjects.clone(),
            campaign: with.campaign.as_deref().map(campaign).transpose()?,
            ..Scope::of(settings.tenant.clone())
        },
        plan,
        tools,
        approvals: approvals(settings, with.yes),
        parent: None,
        began_by: Vec::new(),
    };
    let form = Form::from(with.json.json);
    if with.dry_run {
        return dry_run::tell(settings, &start, form).await;
    }
    open(settings, start, with.detach, form).await
}

/// The plan of a template for an objective. What is left out of it is said.
async fn planned(
    settings: &Settings,
    template: &Template,
    objective: &str,
    with: &StartWith,
    known: &PlanChecker,
) -> Result<Plan, AppError> {
    let there = namespaces(settings).await?;
    check_named(&there, &with.namespaces)?;
    let objective = objective.trim().to_owned();
    let start = adjutant_catalogue::StartWith {
        lists: lists(settings, &with.namespaces, &objective).await?,
        objective,
        inputs: inputs(&with.inputs)?,
        namespaces: with.namespaces.clone(),
        attachments: attachments(&with.attachments).await?,
        documents: titles(&there, &with.namespaces),
        autonomy: settings.at_least(match with.autonomy {
            AutonomyOf::Strict => Autonomy::Strict,
            AutonomyOf::Balanced => Autonomy::Balanced,
            AutonomyOf::Permissive => Autonomy::Permissive,
        }),
        four_eyes: settings.four_eyes.clone(),
        money: with.budget.as_deref().map(budget).transpose()?,
        tools: known.permitted_tools(&settings.actor(None)),
    };
    let caller = settings.actor(None);
    let context = Context::outside_the_host(settings, known, &caller);
    let planned = match with.dry_run {
        true => plan_from_template(template, &start)?,
        false => plan_mission(context, template, start).await?,
    };
    for left_out in &planned.left_out {
        output::note(&format!("skipped: {} ({})", left_out.task, left_out.why));
    }
    Ok(planned.plan)
}

/// How many pieces of documents and batches of claims a model is asked about.
async fn lists(
    settings: &Settings,
    named: &[String],
    objective: &str,
) -> Result<BTreeMap<String, usize>, AppError> {
    if named.is_empty() {
        return Ok(BTreeMap::new());
    }
    let store = ReadOnlyStore::expect(settings).await?;
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(store.journal, &shelf);
    count_lists(settings, &base, named, objective).await
}

pub(super) fn budget(text: &str) -> Result<MicroUsd, AppError> {
    adjutant_plans::parse_money(text).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6105",
            format!("`--budget {text}` is not an amount: {error}"),
            "Write US dollars, such as 2.00.",
        )
    })
}

pub(super) fn inputs(given: &[String]) -> Result<BTreeMap<String, Value>, AppError> {
    let mut inputs = BTreeMap::new();
    for given in given {
        let Some((name, value)) = given.split_once('=') else {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6030",
                format!("`--input {given}` has no `=`"),
                "Write it as `--input name=value`.",
            ));
        };
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        inputs.insert(name.to_owned(), value);
    }
    Ok(inputs)
}

pub(super) async fn attachments(files: &[std::path::PathBuf]) -> Result<Vec<Attachment>, AppError> {
    let mut read = Vec::new();
    for file in files {
        let document = read_one(file).await?;
        let title = file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        read.push(Attachment {
            title: title.unwrap_or_else(|| file.display().to_string()),
            text: document.text,
        });
    }
    Ok(read)
}
