//! Which mission a question is worded for: its signs, and what each sign was learned to say for each mission.
//!
//! The weights are learned by `bench/routing/learn.py` from tests/routing/development.json. Which missions are offered, and
//! how a choice is put into words, is the business of the purpose `route`.

mod signs;
mod table;
mod tokens;

pub(crate) use signs::{Sign, signs};
pub(crate) use table::table;

/// The kind of the table that is no mission: a question for a fact.
const FACT: &str = "fact";

/// The signs of a question with their values, as the learned table counts them. For the program that learns it.
pub fn routing_signs(question: &str) -> Vec<(String, f64)> {
    let signs = signs(question);
    signs
        .into_iter()
        .map(|sign| (sign.name, sign.value))
        .collect()
}

/// The ids of the missions that the table knows.
pub fn routed_missions() -> impl Iterator<Item = &'static str> {
    let kinds = table().kinds.iter().map(String::as_str);
    kinds.filter(|kind| *kind != FACT)
}

/// How likely a question wants a fact and no mission at all.
pub fn chance_of_a_fact(question: &str) -> f64 {
    let table = table();
    let kind = table.kinds.iter().position(|kind| kind == FACT);
    let chances = table.chances(&signs(question));
    kind.and_then(|kind| chances.get(kind).copied())
        .unwrap_or(0.0)
}
