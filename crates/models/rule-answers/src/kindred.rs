//! Stems of words that may stand for each other.

/// What an amount of money may be called.
const COSTS: &[&str] = &["cost", "price", "expens", "fee", "budget"];
/// The stem that stands for all costs where amounts are compared.
const COST: &str = "cost";

const KINDRED: &[&[&str]] = &[
    COSTS,
    &["safeti", "safe", "harm", "advers", "unsaf"],
    &["effect", "effici", "outcom"],
    &["speed", "fast", "slow", "latenc", "throughput"],
    &["depth", "deep", "shallow"],
    &["durat", "month", "year", "week"],
    &["reliabl", "failur", "interrupt", "breakdown"],
    &["licenc", "licens"],
    &["grow", "growth", "rise", "increas"],
    &["expand", "expans"],
    &["decid", "decis"],
    &["extend", "extens"],
    &["reduc", "reduct"],
    &["mortal", "death", "die"],
    &["harm", "injuri", "damag", "death", "serious"],
    &["studi", "trial", "experi", "survey", "particip", "recruit"],
    &["plan", "propos", "schedul", "intend", "expect"],
    &["pay", "paid", "fund", "grant", "financ", "born"],
    &["accept", "agre", "approv"],
    &["ask", "request", "requir"],
    &["agenc", "author", "regul"],
    &["made", "make", "manufactur", "produc", "suppli"],
    &["amount", "capac", "quantiti", "volum"],
    &["qualiti", "specif", "valid"],
];

/// The stems that may stand for this one when something is looked for, itself included; none if it has no kindred.
pub(crate) fn kindred(stem: &str) -> impl Iterator<Item = &str> {
    KINDRED
        .iter()
        .filter(move |group| group.contains(&stem))
        .flat_map(|group| group.iter().copied())
}

/// The stem under which amounts are compared: a budget and a price are costs.
pub(crate) fn amount_stem(stem: &str) -> &str {
    match COSTS.contains(&stem) {
        true => COST,
        false => stem,
    }
}

#[cfg(test)]
#[path = "kindred_tests.rs"]
mod tests;
