//! docs/events.md says of every type when it comes and which fields it has, and shows one.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_session_events::{SessionEvent, TYPES};

use crate::stories;

const PAGE: &str = include_str!("../../../../../docs/events.md");

/// The page's sections by the type in their headings.
pub(crate) fn sections() -> BTreeMap<&'static str, &'static str> {
    let parts = PAGE.split("\n### ").skip(1);
    parts
        .filter_map(|part| {
            let (heading, text) = part.split_once('\n')?;
            let text = text.split("\n## ").next()?;
            Some((heading.trim_matches('`'), text))
        })
        .collect()
}

pub(crate) fn example(section: &str) -> SessionEvent {
    let (_, rest) = section.split_once("```json\n").expect("an example");
    let (example, _) = rest.split_once("\n```").expect("the example's end");
    serde_json::from_str(example).unwrap_or_else(|error| panic!("{error}: {example}"))
}

pub(crate) fn fields(event: &SessionEvent) -> BTreeSet<&str> {
    event.data.keys().map(String::as_str).collect()
}

#[test]
fn every_type_comes_and_is_documented_with_the_fields_it_comes_with() {
    let sections = sections();
    let told: Vec<SessionEvent> = stories::all().iter().flat_map(|at| at.events()).collect();
    for (name, _) in TYPES {
        let section = sections
            .get(name)
            .unwrap_or_else(|| panic!("docs/events.md has no section `{name}`"));
        let example = example(section);
        assert_eq!(example.event_type.name(), *name);
        let of_type = told.iter().filter(|event| event.event_type.name() == *name);
        let of_type: Vec<_> = of_type.collect();
        assert!(!of_type.is_empty(), "no story gives `{name}`");
        for event in of_type {
            assert_eq!(fields(event), fields(&example), "{name}");
        }
        for field in fields(&example) {
            let row = format!("| `{field}` |");
            assert!(section.contains(&row), "{name}: nothing on `{field}`");
        }
    }
    let known: BTreeSet<_> = TYPES.iter().map(|(name, _)| *name).collect();
    let unknown: Vec<_> = sections
        .keys()
        .filter(|name| !known.contains(*name))
        .collect();
    assert!(unknown.is_empty(), "no such types: {unknown:?}");
}
