//! Every pattern is one, and every list can be searched.

use super::{dates, identifiers, measures, medical, names, results};

#[test]
fn every_rule_is_made() {
    let all = [
        &*identifiers::RULES,
        &*dates::RULES,
        &*results::RULES,
        &*measures::RULES,
        &*names::RULES,
        &*medical::RULES,
    ];
    let wrong: Vec<String> = all
        .into_iter()
        .flatten()
        .filter_map(|rule| rule.as_ref().err().map(ToString::to_string))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_list_is_made() {
    assert!(names::PLACES.is_some() && names::ORGANISATIONS.is_some());
    assert!(medical::DRUGS.is_some() && medical::CONDITIONS.is_some() && medical::GENES.is_some());
}
