//! What the first page depends on and a reader may not see from it: a statement that another document contradicts, and an
//! overdue item on the very subject. One sentence each; the sections on what was read are another matter.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_document_model::{Block, Span};

use crate::builder::{Builder, Nature, in_a_row};
use crate::documents_read::{DocumentsRead, Owed, OwedStatus, Stated};
use crate::first_page::source;
use crate::judge::walk::{cites_of, texts_of};
use crate::reading_sections::computed;
use crate::text::{content, plain, short, unnumbered};

/// Two are read; a list of them is a section.
const CONFLICTS_MAX: usize = 2;
const TEXT_CHARS_MAX: usize = 260;
const WHO_CHARS_MAX: usize = 60;
/// An item has so much of what the objective is about, words weighed by how rare they are among the items.
const SUBJECT_SHARE_MIN: f64 = 0.5;

/// What bears on a first page, below a heading of its own; nothing if nothing does.
pub(crate) fn blocks(
    builder: &mut Builder<'_>,
    read: &DocumentsRead,
    summary: &[Block],
    objective: &str,
) -> Vec<Block> {
    let cited: Vec<(String, String)> = cites_of(summary)
        .into_iter()
        .filter_map(|number| builder.passage(number))
        .collect();
    let is_cited = |stated: &Stated| {
        let text = plain(&stated.sentence);
        cited
            .iter()
            .any(|(place, quote)| *place == stated.address && *quote == text)
    };
    let mut items = conflicts(builder, read, &is_cited);
    // An item whose day stands on the first page is told there.
    let is_told = |one: &&Owed| {
        let due = one.due.as_deref().unwrap_or_default();
        texts_of(summary)
            .iter()
            .any(|text| !due.is_empty() && text.contains(due))
    };
    let overdue = overdue(read, objective, &is_cited).filter(|one| !is_told(one));
    items.extend(overdue.and_then(|one| past_its_date(builder, one)));
    if items.is_empty() {
        return Vec::new();
    }
    vec![
        Block::Heading("What this depends on".to_owned()),
        Block::Bullets(items),
    ]
}

/// What other documents, or its own figures, say against a statement of the first page.
fn conflicts(
    builder: &mut Builder<'_>,
    read: &DocumentsRead,
    is_cited: &dyn Fn(&Stated) -> bool,
) -> Vec<Vec<Span>> {
    let mut items = Vec::new();
    let wrong = read.wrong_sums.iter().filter(|wrong| is_cited(&wrong.at));
    items.extend(wrong.map(|wrong| {
        let mut span = computed(wrong);
        let told = span.text.trim_start_matches("Its own ").to_owned();
        let from = source(&wrong.at);
        span.text = format!("{from} states {}, and its own {told}", wrong.stated);
        span.cites = builder.cite(&[wrong.at.evidence()]);
        vec![span]
    }));
    let pairs = read.contradicting.iter().map(|[one, other]| [one, other]);
    let pairs: Vec<[&Stated; 2]> = read.denied_claims().into_iter().chain(pairs).collect();
    for [one, other] in pairs {
        let (told, against) = match (is_cited(one), is_cited(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => continue,
        };
        let text = format!(
            "Against “{}” stands, in {}: “{}”",
            said(told),
            source(against),
            said(against)
        );
        let evidence = [told.evidence(), against.evidence()];
        items.extend(
            builder
                .statement(&text, &evidence, Nature::Interpretation)
                .map(|span| vec![span]),
        );
    }
    items.truncate(CONFLICTS_MAX);
    items
}

fn said(stated: &Stated) -> String {
    short(unnumbered(stated.told()), TEXT_CHARS_MAX)
}

/// The overdue item that the first page cites, or the one that is most on the subject.
fn overdue<'r>(
    read: &'r DocumentsRead,
    objective: &str,
    is_cited: &dyn Fn(&Stated) -> bool,
) -> Option<&'r Owed> {
    let sure = read.sure_owed().iter();
    let late: Vec<&Owed> = sure
        .filter(|one| one.status == OwedStatus::Overdue)
        .collect();
    if let Some(one) = late.iter().find(|one| is_cited(&one.at)) {
        return Some(one);
    }
    let words: Vec<BTreeSet<String>> = late.iter().map(|one| content(&one.what)).collect();
    let mut having: BTreeMap<&String, usize> = BTreeMap::new();
    for word in words.iter().flatten() {
        *having.entry(word).or_default() += 1;
    }
    let rarity = |word: &String| {
        let count = having.get(word).copied().unwrap_or(1) as f64;
        (1.0 + words.len() as f64 / count).ln()
    };
    let asked = content(objective);
    let all: f64 = asked.iter().map(rarity).sum();
    let share = |own: &BTreeSet<String>| {
        let common: f64 = asked.intersection(own).map(rarity).sum();
        common / all.max(f64::EPSILON)
    };
    let shares = late.iter().zip(&words).map(|(one, own)| (share(own), one));
    let best = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= SUBJECT_SHARE_MIN).then_some(*best.1)
}

fn past_its_date(builder: &mut Builder<'_>, one: &Owed) -> Option<Vec<Span>> {
    let who = one.who.as_deref();
    let who = who.map(|who| format!(", by {}", short(who, WHO_CHARS_MAX)));
    let told = format!(
        "Due {}{}, and no document reports it as done: “{}”",
        one.due.as_deref().unwrap_or("earlier"),
        who.unwrap_or_default(),
        short(unnumbered(&one.what), TEXT_CHARS_MAX)
    );
    let span = builder.statement(&told, &[one.at.evidence()], Nature::Interpretation)?;
    Some(in_a_row(vec![span]))
}
