//! A decision by the conditions that were set for it: each with its state and what shows it, and what would change the verdict.

use adjutant_document_model::{Block, Figure, Mark, Section, Span, Tone};

use crate::builder::{Builder, Nature, column, in_a_row, label, note, section, table};
use crate::documents_read::{DocumentsRead, Stated};
use crate::first_page::{source, sourced};
use crate::noticed::{ConditionRated, ConditionRead, DaysRead};
use crate::shared::{bullets, callout};
use crate::text::{capital, counted, plain, short, unnumbered};

const WHAT_CHARS_MAX: usize = 260;
const GROUND_CHARS_MAX: usize = 300;
pub(crate) const NO_GO: &str = "No-Go as things stand";
pub(crate) const NOT_YET: &str = "Not yet";
pub(crate) const GO: &str = "Go";

/// What the conditions come to: not met, or not shown to be met, is enough against it.
pub(crate) fn verdict(all: &[&ConditionRead]) -> (&'static str, Tone) {
    let has = |state: ConditionRated| all.iter().any(|one| one.is_must && one.state == state);
    match () {
        () if has(ConditionRated::NotMet) => (NO_GO, Tone::Bad),
        () if has(ConditionRated::NotShown) => (NOT_YET, Tone::Warning),
        () => (GO, Tone::Good),
    }
}

/// Those that decide: the lists that were set for it, or single ones if there is no list.
pub(crate) fn deciding(read: &DocumentsRead) -> Vec<&ConditionRead> {
    let all = &read.noticed.conditions;
    let listed: Vec<&ConditionRead> = all.iter().filter(|one| one.lead.is_some()).collect();
    match listed.is_empty() {
        true => all.iter().collect(),
        false => listed,
    }
}

/// The rest: conditions in contracts, rules and permits.
fn further(read: &DocumentsRead) -> Vec<&ConditionRead> {
    let own = deciding(read);
    let all = read.noticed.conditions.iter();
    all.filter(|one| !own.contains(one)).collect()
}

pub(crate) fn summary(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let all = deciding(read);
    let (title, tone) = verdict(&all);
    let count = |state: ConditionRated| all.iter().filter(|one| one.state == state).count();
    let [no, unknown, yes] = [
        ConditionRated::NotMet,
        ConditionRated::NotShown,
        ConditionRated::Met,
    ]
    .map(count);
    let set_in = all.first().map(|one| source(&one.at)).unwrap_or_default();
    let told = format!(
        "Of {} in “{set_in}”, {no} not met, {unknown} not shown to be met, {yes} met",
        counted(all.len(), "condition")
    );
    let mut spans: Vec<Span> = builder
        .statement(&told, &[], Nature::Calculation)
        .into_iter()
        .collect();
    let otherwise = all.iter().find_map(|one| one.otherwise.as_ref());
    if let Some(otherwise) = otherwise.filter(|_| title != GO) {
        let said = plain(unnumbered(otherwise.told()));
        spans.extend(builder.statement(&said, &[otherwise.evidence()], Nature::Fact));
    }
    let figure = |count: usize, label: &str| Figure {
        value: format!("{count} of {}", all.len()),
        label: label.to_owned(),
        cites: Vec::new(),
    };
    let mut blocks = vec![
        callout(tone, title, in_a_row(spans)),
        Block::Figures(vec![
            figure(no, "conditions not met"),
            figure(unknown, "not shown to be met"),
            figure(yes, "met"),
        ]),
    ];
    let items: Vec<Vec<Span>> = all.iter().filter_map(|one| line(builder, one)).collect();
    if !items.is_empty() {
        blocks.push(Block::Heading("Condition by condition".to_owned()));
        blocks.push(Block::Bullets(items));
    }
    blocks
}

/// A condition, its state, and the statement that shows it.
fn line(builder: &mut Builder<'_>, one: &ConditionRead) -> Option<Vec<Span>> {
    let told = format!("{}: {}", named(one), one.state.name());
    let mut first = builder.statement(&told, &[one.at.evidence()], Nature::Interpretation)?;
    first.strong = true;
    let mut spans = vec![first];
    let counted = one.days.as_ref().filter(|days| !days.is_enough);
    if let Some(days) = counted {
        spans.extend(builder.statement(&count_told(days), &[], Nature::Calculation));
    } else if one.state != ConditionRated::NotShown {
        spans.extend(
            one.grounds
                .first()
                .and_then(|ground| sourced(builder, ground)),
        );
    } else {
        spans.extend(builder.statement(
            &format!("No document shows it for {}", short(&lead_word(one), 60)),
            &[],
            Nature::Interpretation,
        ));
    }
    Some(in_a_row(spans))
}

fn lead_word(one: &ConditionRead) -> String {
    one.label
        .clone()
        .unwrap_or_else(|| "this condition".to_owned())
}

fn named(one: &ConditionRead) -> String {
    let what = short(&plain(unnumbered(&one.at.sentence)), WHAT_CHARS_MAX);
    let what = what.trim_end_matches(['.', ';']);
    match &one.label {
        Some(label) => format!("{label} {what}"),
        None => capital(what),
    }
}

fn count_told(days: &DaysRead) -> String {
    match &days.event {
        Some(_) => format!(
            "From {} to {} there are {} days, and {} are needed",
            days.from, days.to, days.there, days.needed
        ),
        None => format!(
            "From {} to the planned day, {}, there are {} days, and {} are needed",
            days.from, days.to, days.there, days.needed
        ),
    }
}

pub(crate) fn sections(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Section> {
    let own = deciding(read);
    let mut sections = vec![state_of(builder, &own), change(builder, &own)];
    let rest = further(read);
    if !rest.is_empty() {
        let mut more = state_of(builder, &rest);
        more.heading = "Conditions in contracts, rules and other decisions".to_owned();
        sections.push(more);
    }
    sections.push(days(builder, read));
    sections
}

/// The conditions that were set, as a section of a report that decides nothing.
pub(crate) fn with_state(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let all: Vec<&ConditionRead> = read.noticed.conditions.iter().collect();
    match all.is_empty() {
        true => section("Conditions that were set, and their state", Vec::new()),
        false => in_short(builder, &all),
    }
}

/// Each condition with its state alone: a Go/No-Go tells what shows it.
fn in_short(builder: &mut Builder<'_>, all: &[&ConditionRead]) -> Section {
    let rows = all.iter().map(|one| {
        let state = Span {
            text: one.state.name().to_owned(),
            strong: true,
            ..Span::default()
        };
        let what = builder.cell(&named(one), &[one.at.evidence()]);
        vec![vec![what], vec![state]]
    });
    let rows = rows.collect();
    let columns = vec![column("Condition", 8), column("State", 2)];
    let block = table("What shows it is told by a Go/No-Go", columns, rows);
    let heading = "Conditions that were set, and their state";
    section(heading, block.into_iter().collect())
}

fn state_of(builder: &mut Builder<'_>, all: &[&ConditionRead]) -> Section {
    let rows = all.iter().map(|one| {
        let what = builder.cell(&named(one), &[one.at.evidence()]);
        let mut shown: Vec<Span> = Vec::new();
        if let Some(days) = &one.days {
            shown.push(Span {
                text: format!("{}. ", count_told(days)),
                mark: Some(Mark::Calculation),
                ..Span::default()
            });
        }
        for ground in &one.grounds {
            shown.extend(quoted(builder, ground));
        }
        let mut shown = in_a_row(shown);
        if shown.is_empty() {
            shown = label("Nothing in the documents.");
        }
        let claimed = match &one.claimed {
            Some(claimed) => quoted(builder, claimed),
            None => label(""),
        };
        let state = Span {
            text: one.state.name().to_owned(),
            strong: true,
            ..Span::default()
        };
        vec![vec![what], vec![state], shown, claimed]
    });
    let rows: Vec<_> = rows.collect();
    let any_claim = all.iter().any(|one| one.claimed.is_some());
    let mut columns = vec![
        column("Condition", 5),
        column("State", 2),
        column("What the documents show, or the nearest they say", 7),
    ];
    let rows = match any_claim {
        true => {
            columns.push(column("Who claims that it is met", 4));
            rows
        }
        false => rows
            .into_iter()
            .map(|row| row.into_iter().take(3).collect())
            .collect(),
    };
    let block = table("Each condition with its state", columns, rows);
    let mut blocks: Vec<Block> = block.into_iter().collect();
    blocks.push(note(
        "How the state was found",
        "A condition is met if something measured, decided or recorded shows it and nothing later denies it. It is not met if a \
         document says so, or if counting shows it. Otherwise it is not shown. What those say who ask for the decision is a claim",
    ));
    section("The conditions and their state", blocks)
}

fn quoted(builder: &mut Builder<'_>, stated: &Stated) -> Vec<Span> {
    let said = short(&plain(unnumbered(stated.told())), GROUND_CHARS_MAX);
    let mut told = builder.cell(&said, &[stated.evidence()]);
    let from = source(stated);
    told.text = format!("{} ({from}).", told.text.trim_end_matches(['.', ' ']));
    vec![told]
}

fn change(builder: &mut Builder<'_>, all: &[&ConditionRead]) -> Section {
    let open = all.iter().filter(|one| one.state != ConditionRated::Met);
    let spans = open.filter_map(|one| {
        let told = match one.days.as_ref().filter(|days| !days.is_enough) {
            Some(days) => format!(
                "For {}: another day, so that {} days are left, or a decision that changes this condition",
                named(one),
                days.needed
            ),
            None => format!(
                "For {}: a report or record that shows it, or a decision that changes this condition",
                named(one)
            ),
        };
        builder.statement(&told, &[one.at.evidence()], Nature::Interpretation)
    });
    let spans: Vec<Span> = spans.collect();
    section(
        "What would change the verdict",
        bullets(spans).into_iter().collect(),
    )
}

fn days(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let Some(planned) = &read.noticed.planned else {
        return section("Dates set against each other", Vec::new());
    };
    let mut spans: Vec<Span> = Vec::new();
    for within in &planned.within {
        let told = format!(
            "The planned day, {}, lies within a time that a document sets",
            planned.day
        );
        spans.extend(builder.statement(&told, &[], Nature::Calculation));
        spans.extend(sourced(builder, within));
    }
    for one in read
        .noticed
        .conditions
        .iter()
        .filter(|one| one.days.is_some())
    {
        let event = one.days.as_ref().and_then(|days| days.event.as_ref());
        spans.extend(event.and_then(|event| sourced(builder, event)));
    }
    section(
        "Dates set against each other",
        bullets(spans).into_iter().collect(),
    )
}
