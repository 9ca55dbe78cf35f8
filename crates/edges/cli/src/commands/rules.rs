//! `adjutant rules`: what is wrong with a rules file, and what it decides.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::args::{Rules, RulesBacktest, RulesFile};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count};

/// Differences that are printed for people; `--json` has all.
const DIFFERENCES_SHOWN_MAX: usize = 200;

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::rules::{
    Backtest, BacktestOptions, CaseResult, Difference, backtest, read_rules, run_cases,
};
use adjutant_app::settings::Settings;
use adjutant_mission::Timestamp;
use adjutant_rules::Ruling;

pub(super) async fn run(settings: &Settings, which: Rules) -> Result<Exit, AppError> {
    match which {
        Rules::Check(file) => check(&file),
        Rules::Test(file) => test(&file),
        Rules::Backtest(asked) => Box::pin(compare(settings, &asked)).await,
    }
}

fn check(asked: &RulesFile) -> Result<Exit, AppError> {
    let file = read_rules(&asked.file)?;
    let rules: Vec<_> = file.set.sources().collect();
    if Form::from(asked.json.json) == Form::Json {
        let told = json!({ "hash": file.set.hash(), "rules": rules, "tests": file.cases.len() });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let head = Line::of(Tone::Done, "✓")
        .plain(format!(" {}", count(rules.len(), "rule")))
        .and(
            Tone::Dim,
            format!(", {}, {}", count(file.cases.len(), "test"), file.set.hash()),
        );
    let mut lines = vec![head];
    for rule in rules {
        let told = format!("on {}: {} ", rule.on, rule.then);
        let line = Line::new()
            .plain(format!("  {told:<18}"))
            .and(Tone::Bold, &rule.name);
        lines.push(line);
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn test(asked: &RulesFile) -> Result<Exit, AppError> {
    let file = read_rules(&asked.file)?;
    let results = run_cases(&file);
    let failed = results.iter().filter(|result| !result.passed).count();
    if Form::from(asked.json.json) == Form::Json {
        let told = json!({ "tests": results, "failed": failed });
        output::line(&told.to_string())?;
    } else {
        let lines: Vec<Line> = results.iter().flat_map(case_lines).collect();
        Line::print_all(&lines, output::paint())?;
    }
    let shown = asked.file.display();
    if failed > 0 {
        return Err(AppError::new(
            ErrorKind::NotGood,
            "ADJ-6193",
            format!(
                "{failed} of {} of {shown} failed",
                count(results.len(), "test")
            ),
            "Correct the rules, or what the tests expect of them.",
        ));
    }
    if results.is_empty() {
        return Err(AppError::new(
            ErrorKind::NotGood,
            "ADJ-6193",
            format!("{shown} has no tests"),
            "Add `tests:` with values and the decision that you expect; see docs/rules.md.",
        ));
    }
    Ok(Exit::Ok)
}

fn case_lines(result: &CaseResult) -> Vec<Line> {
    let (tone, mark) = match result.passed {
        true => (Tone::Done, "✓"),
        false => (Tone::Failed, "✗"),
    };
    let head = Line::of(tone, mark)
        .plain(format!(" {}", result.name))
        .and(Tone::Dim, format!("  line {}", result.line));
    if result.passed {
        return vec![head];
    }
    let expected = match &result.expected_rule {
        Some(rule) => format!("{} by rule `{rule}`", result.expected),
        None => result.expected.to_string(),
    };
    let told = format!(
        "  expected {expected}, but it is {}: {}",
        result.found.decision,
        result.found.reason()
    );
    vec![head, Line::new().plain(told)]
}

async fn compare(settings: &Settings, asked: &RulesBacktest) -> Result<Exit, AppError> {
    let since = asked.since.as_deref().map(start_of_day).transpose()?;
    let options = BacktestOptions {
        against: asked.against.as_deref(),
        since,
    };
    let found = backtest(settings, &asked.file, options).await?;
    if Form::from(asked.json.json) == Form::Json {
        let told = serde_json::to_string(&found).map_err(|error| {
            AppError::new(
                ErrorKind::Internal,
                "ADJ-6083",
                error.to_string(),
                "This is a defect of Adjutant; please report it.",
            )
        })?;
        output::line(&told)?;
        return Ok(Exit::Ok);
    }
    let shown = found.differences.iter().take(DIFFERENCES_SHOWN_MAX);
    let mut lines: Vec<Line> = shown.flat_map(difference_lines).collect();
    let more = found
        .differences
        .len()
        .saturating_sub(DIFFERENCES_SHOWN_MAX);
    if more > 0 {
        let told = format!("… and {more} more; `--json` prints all.");
        lines.push(Line::of(Tone::Dim, told));
    }
    lines.extend(summary(&found));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn start_of_day(text: &str) -> Result<Timestamp, AppError> {
    let day: Result<Date, _> = text.parse();
    let start = day.and_then(|day| day.to_zoned(TimeZone::UTC));
    match start {
        Ok(start) => Ok(Timestamp(start.timestamp().as_millisecond())),
        Err(_) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6194",
            format!("`{text}` is not a day"),
            "Write `--since` as year, month and day: 2026-03-31.",
        )),
    }
}

fn difference_lines(difference: &Difference) -> [Line; 2] {
    let what = match (difference.tool.as_str(), difference.task.as_str()) {
        ("", _) => difference.on.to_string(),
        (tool, task) => format!("{} of {tool}, task {task}", difference.on),
    };
    let stricter = difference.after.decision > difference.before.decision;
    let tone = if stricter { Tone::Human } else { Tone::Done };
    let head = Line::of(Tone::Bold, difference.mission.to_string())
        .plain(format!("  {what}: "))
        .plain(decision(&difference.before))
        .plain(" → ")
        .and(tone, decision(&difference.after));
    // The rule that makes the difference: of the new rules, or the old one that is gone.
    let because = match &difference.after.rule {
        Some(_) => format!("  by {}", difference.after.reason()),
        None => format!(
            "  no rule holds any more; before {}",
            difference.before.reason()
        ),
    };
    [head, Line::of(Tone::Dim, because)]
}

fn decision(ruling: &Ruling) -> String {
    match ruling.approver {
        adjutant_rules::Approver::Anyone => ruling.decision.to_string(),
        adjutant_rules::Approver::AnotherPerson => format!("{} another person", ruling.decision),
    }
}

fn summary(found: &Backtest) -> Vec<Line> {
    let concerned: std::collections::BTreeSet<_> =
        found.differences.iter().map(|one| one.mission).collect();
    let differences = count(found.differences.len(), "decision");
    let verdict = match found.differences.len() {
        0 => "No decision would differ.".to_owned(),
        _ => format!(
            "{differences} of {} would differ.",
            count(concerned.len(), "mission")
        ),
    };
    let seconds = found.took.as_secs_f64();
    let mut lines = vec![
        Line::of(Tone::Bold, verdict),
        Line::of(
            Tone::Dim,
            format!(
                "Compared: {} in {}, in {seconds:.1} s.",
                count(found.decisions as usize, "decision"),
                count(found.missions as usize, "mission")
            ),
        ),
    ];
    for (number, told) in [
        (
            found.unreadable,
            "missions cannot be read: erased, pruned, or sealed with another key.",
        ),
        (
            found.withheld,
            "results were withheld by a rule at the time. They are not recorded, so they are not compared.",
        ),
        (
            found.unclear,
            "calls cannot be put together any more, and are not compared.",
        ),
    ] {
        if number > 0 {
            lines.push(Line::of(Tone::Dim, format!("{number} {told}")));
        }
    }
    lines
}
