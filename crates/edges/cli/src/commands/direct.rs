//! A direct answer out of documents: the statements that fit best, first.

use adjutant_app::context::Context;
use adjutant_app::direct_answer::{AnswerPassage, DirectAnswer, direct_answer};
use adjutant_app::error::AppError;
use adjutant_app::knowledge::{check_named, namespaces};
use adjutant_app::model_answer::{ModelAnswer, model_answer, wants_model};
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::single_question::defect;
use adjutant_app::words::short;
use adjutant_knowledge_base::{KnowledgeBase, Shelf};
use adjutant_store::TenantStore;
use serde_json::json;

use crate::args::Ask;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, count, wrap};

const INDENT: usize = 3;

pub(super) async fn run(settings: &Settings, ask: &Ask) -> Result<Exit, AppError> {
    let named = &ask.with.namespaces;
    check_named(&namespaces(settings).await?, named)?;
    let store = ReadOnlyStore::expect(settings).await?;
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(store.journal, &shelf);
    let answer = direct_answer(&base, named, &ask.question).await?;
    let model = by_a_model(settings, &base, ask, &answer).await?;
    if ask.with.json.json {
        let told = serde_json::to_value(&answer).map_err(|error| defect(&error))?;
        let mut told = json!({ "answer": told });
        if let Some(model) = &model {
            told["model"] = serde_json::to_value(model).map_err(|error| defect(&error))?;
        }
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(100);
    if let Some(model) = &model {
        Line::print_all(&model_lines(model, width), output::paint())?;
        return Ok(Exit::Ok);
    }
    Line::print_all(&lines(&answer, ask, width), output::paint())?;
    Ok(Exit::Ok)
}

/// What a model says where the rules are not sure.
async fn by_a_model<T: TenantStore>(
    settings: &Settings,
    base: &KnowledgeBase<'_, T>,
    ask: &Ask,
    answer: &DirectAnswer,
) -> Result<Option<ModelAnswer>, AppError> {
    if !wants_model(settings, answer) {
        return Ok(None);
    }
    let known = PlanChecker::new(settings).await?;
    let caller = settings.actor(None);
    let context = Context::outside_the_host(settings, &known, &caller);
    Box::pin(model_answer(
        context,
        base,
        &ask.with.namespaces,
        &ask.question,
    ))
    .await
}

fn model_lines(answer: &ModelAnswer, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let verdict = match answer.found {
        true => answer.verdict.as_str(),
        false => "Not found in these documents.",
    };
    for part in wrap(verdict, width.saturating_sub(2)) {
        lines.push(Line::new().plain(" ").and(Tone::Bold, part));
    }
    lines.push(Line::new());
    for passage in &answer.passages {
        lines.extend(shown(passage, false, width));
        lines.push(Line::new());
    }
    let told = format!(
        " Answered by {}, from the statements that fit best; each quote was looked up (`adjutant show {}`).",
        answer.by,
        short(answer.mission)
    );
    lines.push(Line::of(Tone::Dim, told));
    lines
}

fn lines(answer: &DirectAnswer, ask: &Ask, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut say = |tone: Tone, text: &str| {
        for part in wrap(text, width.saturating_sub(2)) {
            lines.push(Line::new().plain(" ").and(tone, part));
        }
    };
    if answer.found {
        say(Tone::Bold, "The sentences that fit best:");
        lines.push(Line::new());
    } else {
        let documents = count(answer.documents_read, "document");
        say(Tone::Bold, &format!("No clear answer in {documents}."));
        if !answer.missing.is_empty() {
            let missing = answer.missing.join("”, “");
            let told =
                format!("The nearest passage has nothing on “{missing}”. Other words may help.");
            say(Tone::Plain, &told);
        }
        lines.push(Line::new());
    }
    for (place, passage) in answer.passages.iter().enumerate() {
        let is_answer = answer.found && place == 0;
        lines.extend(shown(passage, is_answer, width));
        lines.push(Line::new());
    }
    let read = match answer.documents_read < answer.documents {
        true => format!(
            "{} of {} documents were read",
            answer.documents_read, answer.documents
        ),
        false => format!("All {} were read", count(answer.documents, "document")),
    };
    let took = format!("{:.1} s", answer.took.as_secs_f64());
    lines.push(Line::of(
        Tone::Dim,
        format!(" {read} in {took}, without a language model."),
    ));
    let bases: Vec<String> = ask
        .with
        .namespaces
        .iter()
        .map(|name| format!(" --kb {name}"))
        .collect();
    lines.push(Line::of(
        Tone::Dim,
        format!(
            " For a report: adjutant mission start deep_dive \"…\"{}",
            bases.concat()
        ),
    ));
    lines
}

fn shown(passage: &AnswerPassage, is_answer: bool, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(INDENT + 1).max(20);
    let tone = if is_answer { Tone::Bold } else { Tone::Plain };
    let mut lines = Vec::new();
    let mut put = |tone: Tone, text: &str| {
        for part in wrap(&one_line(text), room) {
            lines.push(Line::new().plain(" ".repeat(INDENT)).and(tone, part));
        }
    };
    put(tone, &passage.sentence);
    let (before, after) = around(passage);
    if !before.is_empty() {
        put(Tone::Plain, &format!("Before it: {before}"));
    }
    if !after.is_empty() {
        put(Tone::Plain, &format!("After it: {after}"));
    }
    let mut place = passage.title.clone();
    let heading = passage.headings.last();
    if let Some(heading) = heading.filter(|heading| **heading != passage.title) {
        place = format!("{place} › {heading}");
    }
    if let Some(date) = &passage.date {
        place = format!("{place} · {date}");
    }
    put(Tone::Dim, &place);
    if let Some(later) = &passage.replaced_by {
        put(Tone::Human, &format!("A later version exists: {later}"));
    }
    put(Tone::Running, &passage.address);
    lines
}

/// What stands before and after the sentence in its context.
fn around(passage: &AnswerPassage) -> (&str, &str) {
    let parts = passage.context.split_once(&passage.sentence);
    let (before, after) = parts.unwrap_or_default();
    (before.trim(), after.trim())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
