//! Who waits for whom: by what each task gives and needs, by what the intent says of the order, and by what tools are for.

use std::collections::BTreeSet;

use crate::arrange::{Draft, gives_by_name};
use crate::choose::LearnedOf;
use crate::clauses::Clause;
use crate::suggester::Suggester;
use crate::tool::ToolEffect;

/// Words with which a part says that it comes after the one before.
const THEN: [&str; 6] = ["then", "afterwards", "finally", "next", "lastly", "after"];
/// Words that stand for what was found or made before.
const BEFORE: [&str; 12] = [
    "it", "its", "them", "their", "those", "these", "each", "result", "results", "outcome",
    "found", "both",
];

/// For each task those that it waits for, without those that it waits for through others.
pub(crate) fn waits(
    index: &Suggester,
    parts: &[Clause],
    drafts: &[Draft<'_>],
    learned: &LearnedOf,
) -> Vec<BTreeSet<usize>> {
    let mut waits = vec![BTreeSet::new(); drafts.len()];
    // What types say holds before what words say.
    for rule in [feeds, follows] {
        for to in 0..drafts.len() {
            for from in 0..drafts.len() {
                if from != to
                    && rule(index, parts, &drafts[from], &drafts[to])
                    && !reaches(&waits, to, from)
                {
                    waits[to].insert(from);
                }
            }
        }
    }
    settle_by_learned(drafts, learned, &mut waits);
    reduced(&waits)
}

/// The work begins with the tools with which it has begun for such words, and the others that were learned about come after
/// them. Between tools of which nothing is known the order stays.
fn settle_by_learned(drafts: &[Draft<'_>], learned: &LearnedOf, waits: &mut [BTreeSet<usize>]) {
    let is_known = |at: usize| learned.known.contains_key(&drafts[at].choice.tool);
    let begins = |at: usize| learned.begin.contains(&drafts[at].choice.tool);
    let first: Vec<usize> = (0..drafts.len()).filter(|at| begins(*at)).collect();
    for &at in &first {
        waits[at].retain(|before| !is_known(*before));
    }
    for at in 0..drafts.len() {
        if !is_known(at) || begins(at) || !waits[at].is_empty() {
            continue;
        }
        for &before in &first {
            if !reaches(waits, at, before) {
                waits[at].insert(before);
            }
        }
    }
}

/// Whether a task gives something that the other requires, by its name.
fn feeds(index: &Suggester, _: &[Clause], from: &Draft<'_>, to: &Draft<'_>) -> bool {
    let mut open = to.open();
    open.any(|argument| gives_by_name(index, from, argument).is_some())
}

/// Whether a task is to work on what the other finds or makes.
fn follows(index: &Suggester, parts: &[Clause], from: &Draft<'_>, to: &Draft<'_>) -> bool {
    let effect = |draft: &Draft<'_>| index.tools[draft.choice.tool].tool.effect;
    let (first, last) = (from.choice.clause, to.choice.clause);
    let is_later = first < last;
    let is_told = is_later && (says_then(&parts[last]) || speaks_of_before(&parts[last]));
    match (effect(from), effect(to)) {
        (ToolEffect::Changes, _) => is_later && says_then(&parts[last]),
        (_, ToolEffect::Changes) => first <= last,
        (ToolEffect::Finds, ToolEffect::Computes) => first <= last && to.open().next().is_some(),
        (ToolEffect::Computes, ToolEffect::Computes) => {
            let is_usual = index.flow.times(from.choice.tool, to.choice.tool) > 0.0;
            is_told || is_later && is_usual && to.open().next().is_some()
        }
        (_, ToolEffect::Finds) => is_told,
    }
}

fn says_then(part: &Clause) -> bool {
    let mut words = part.text.split_whitespace().take(2).map(bare);
    words.any(|word| THEN.contains(&word.as_str()))
}

fn speaks_of_before(part: &Clause) -> bool {
    let mut words = part.text.split_whitespace().map(bare);
    words.any(|word| BEFORE.contains(&word.as_str()))
}

fn bare(word: &str) -> String {
    word.trim_matches(|char: char| !char.is_alphanumeric())
        .to_lowercase()
}

/// Whether a task waits for another, directly or through others: then that one must not wait for it.
fn reaches(waits: &[BTreeSet<usize>], to: usize, from: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        if at == to {
            return true;
        }
        if seen.insert(at) {
            waiting.extend(&waits[at]);
        }
    }
    false
}

fn reduced(waits: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let through = |at: usize, before: usize| {
        let mut others = waits[at].iter().filter(|other| **other != before);
        others.any(|other| reaches(waits, before, *other))
    };
    (0..waits.len())
        .map(|at| {
            waits[at]
                .iter()
                .copied()
                .filter(|before| !through(at, *before))
                .collect()
        })
        .collect()
}

/// Tasks after those that they wait for, otherwise in their order.
pub(crate) fn sorted(waits: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    while order.len() < waits.len() {
        let ready = (0..waits.len()).find(|at| !done.contains(at) && waits[*at].is_subset(&done));
        // There is no cycle: none was let in.
        let Some(ready) = ready else { break };
        done.insert(ready);
        order.push(ready);
    }
    order
}
