//! `adjutant run --dry-run`: what a plan would do, cost and ask, without starting anything.

use adjutant_mission::{
    AccountKey, AccountOwner, Doer, Estimate, Forecast, Plan, Question, Resource, Start,
    TaskForecast, Timestamp, WorkSpec,
};
use adjutant_providers::Route;
use adjutant_questions::LevelFacts;

use super::budget;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, count, foresight as rules_view};
use adjutant_app::error::AppError;
use adjutant_app::rules::{Foreseen, foresee};
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn tell(settings: &Settings, start: &Start, form: Form) -> Result<Exit, AppError> {
    let Foreseen { start, foresight } = foresee(settings, start.clone())?;
    let start = &start;
    let plan = with_likely_costs(settings, &start.plan)?;
    let forecast = plan.forecast(&start.tools, &start.approvals);
    let tight = tight_accounts(settings, start, &forecast).await?;
    if form == Form::Json {
        let tight: Vec<&String> = tight.iter().collect();
        let told = serde_json::json!({
            "title": start.plan.title, "forecast": forecast, "too_little_left": tight,
            "rules": foresight,
        });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let title = Line::new()
        .plain(" ")
        .and(Tone::Bold, &start.plan.title)
        .and(Tone::Dim, "  nothing is started");
    output::line(&title.render(output::paint()))?;
    output::line("")?;
    let mut table = Table::headed(&["task", "done by", "cost", "at most", "estimate"]);
    for task in &forecast.tasks {
        table.row(row(task));
    }
    Line::print_all(&table.lines(output::size().0, 1), output::paint())?;
    output::line("")?;
    let in_all = format!(
        " {} · {} of tools · {} likely, {} at most",
        count(forecast.tasks.len(), "task"),
        calls(&forecast),
        forecast.cost,
        forecast.cost_max,
    );
    let longest = match forecast.duration.0 {
        0 => String::new(),
        _ => format!(" · {} by the estimates", forecast.duration),
    };
    output::line(&format!("{in_all}{longest}"))?;
    if !plan.agents().is_empty() {
        output::line(
            " The likely cost assumes one call per question, to the first model, with half the maximum length.",
        )?;
    }
    questions(&forecast.questions)?;
    if let Some(foresight) = &foresight {
        Line::print_all(&rules_view(foresight, output::size().0), output::paint())?;
    }
    for account in &tight {
        let line = Line::new()
            .plain(" ")
            .and(Tone::Failed, "! ")
            .plain(account);
        output::line(&line.render(output::paint()))?;
    }
    Ok(Exit::Ok)
}

/// The plan with what its questions to models ordinarily cost, where it makes no estimate of its own.
fn with_likely_costs(settings: &Settings, plan: &Plan) -> Result<Plan, AppError> {
    let models = wiring::models(settings)?;
    let mut plan = plan.clone();
    for task in &mut plan.tasks {
        let WorkSpec::Agent(agent) = &task.work else {
            continue;
        };
        let limits = LevelFacts::of(agent.level).limits(agent.complexity);
        if let Ok(likely) = models.likely(&Route::from(&**agent), limits) {
            let estimate = task.estimate.get_or_insert(Estimate {
                money: None,
                duration: None,
            });
            estimate.money.get_or_insert(likely);
        }
    }
    Ok(plan)
}

fn calls(forecast: &Forecast) -> String {
    let (least, most) = (forecast.calls_min, forecast.calls_max);
    if least == most {
        count(usize::try_from(least).unwrap_or(0), "call")
    } else {
        format!("{least} to {most} calls")
    }
}

fn row(task: &TaskForecast) -> [Line; 5] {
    let doer = match &task.doer {
        Doer::Tool(tool) => Line::of(Tone::Plain, tool.as_str()),
        Doer::Agent(level, purpose) => Line::of(
            Tone::Plain,
            format!("an agent: {purpose} ({})", level.name()),
        ),
        Doer::Human(Some(role)) => Line::of(Tone::Human, format!("a person: {role}")),
        Doer::Human(None) => Line::of(Tone::Human, "a person"),
        Doer::Gate => Line::of(Tone::Plain, "a gate"),
        Doer::Mission(title) => Line::of(Tone::Plain, format!("a mission: {title}")),
    };
    let money = |amount: adjutant_mission::MicroUsd| match amount.0 {
        0 => Line::new(),
        _ => Line::of(Tone::Plain, amount.to_string()),
    };
    [
        Line::of(Tone::Bold, task.task.as_str()),
        doer,
        money(task.cost),
        money(task.cost_max),
        Line::of(
            Tone::Dim,
            task.duration
                .map_or(String::new(), |takes| takes.to_string()),
        ),
    ]
}

fn questions(questions: &[Question]) -> Result<(), AppError> {
    let open = questions.iter().filter(|question| !question.waived).count();
    let waived = questions.len() - open;
    let head = match (open, waived) {
        (0, _) => " No questions will be asked, unless something goes wrong.".to_owned(),
        (open, 0) => format!(" {} will be asked:", count(open, "question")),
        (open, waived) => format!(
            " {} will be asked; {waived} more are approved by --yes:",
            count(open, "question")
        ),
    };
    output::line(&head)?;
    for question in questions.iter().filter(|question| !question.waived) {
        let place = question
            .task
            .as_ref()
            .map_or(String::new(), |task| format!("{task}: "));
        let line = Line::new()
            .plain("   ")
            .and(Tone::Human, "? ")
            .and(Tone::Dim, place)
            .plain(&question.about);
        output::line(&line.fit(output::size().0).render(output::paint()))?;
    }
    Ok(())
}

/// Caps that leave less than the mission is likely to need, the plan's own included.
async fn tight_accounts(
    settings: &Settings,
    start: &Start,
    forecast: &Forecast,
) -> Result<Vec<String>, AppError> {
    let now = wiring::clock().now();
    let mut owners = vec![AccountOwner::Tenant];
    owners.extend(start.scope.campaign.clone().map(AccountOwner::Campaign));
    let mut tight = Vec::new();
    let caps = &start.plan.caps;
    if let Some(cap) = caps.turns.filter(|cap| forecast.calls_min > *cap) {
        let needs = Resource::Calls.tell(forecast.calls_min);
        tight.push(format!(
            "The plan's limit is {cap} turns, but it needs {needs}."
        ));
    }
    if let Some(cap) = caps.money.filter(|cap| forecast.cost > *cap) {
        let needs = forecast.cost;
        tight.push(format!(
            "The plan's limit is {cap}, but it will likely need {needs}."
        ));
    }
    for (key, account) in budget::accounts(settings, now).await? {
        if !owners.contains(&key.owner) || !is_current(&key, now) {
            continue;
        }
        let held = account.balance.used.plus(account.balance.reserved);
        let needed = [
            (Resource::Money, forecast.cost.0),
            (Resource::Calls, forecast.calls_min),
        ];
        for (resource, needs) in needed {
            let (owner, span) = (&key.owner, budget::span(key.window));
            let after = held.get(resource).saturating_add(needs);
            let past = |cap: Option<&u64>| cap.copied().filter(|cap| needs > 0 && after > *cap);
            if let Some(cap) = past(account.caps.hard.get(&resource)) {
                let left = resource.tell(cap.saturating_sub(held.get(resource)));
                let needs = resource.tell(needs);
                tight.push(format!(
                    "{owner} has {left} left {span}, but this will likely need {needs}."
                ));
            } else if let Some(mark) = past(account.caps.soft.get(&resource)) {
                let mark = resource.tell(mark);
                tight.push(format!(
                    "{owner} reaches its soft limit of {mark} {span}: a person will be asked."
                ));
            }
        }
    }
    Ok(tight)
}

fn is_current(key: &AccountKey, now: Timestamp) -> bool {
    key.from == key.window.start(now)
}
