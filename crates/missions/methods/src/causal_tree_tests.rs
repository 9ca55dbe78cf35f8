use adjutant_questions::Source;
use adjutant_text::causes::Certainty;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::links::links;
use super::tree::Graph;
use crate::words::{sentences, stems};
use crate::{Exhibit, InputRefused, method};

fn source(id: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        title: id.to_owned(),
        text: text.to_owned(),
        published: None,
    }
}

/// Cause, effect and certainty of each link in a text.
fn read(text: &str) -> Vec<(String, String, Certainty)> {
    let sources = [source("kb:a", text)];
    let found = links(&sentences(&sources, 100));
    found
        .into_iter()
        .map(|link| (link.cause, link.effect, link.certainty))
        .collect()
}

fn link(cause: &str, effect: &str, certainty: Certainty) -> (String, String, Certainty) {
    (cause.to_owned(), effect.to_owned(), certainty)
}

#[test]
fn causes_are_read_in_either_order() {
    use Certainty::{Denied, Stated, Suspected};
    for (text, expected) in [
        (
            "The pump stopped because the filter was blocked.",
            link("filter was blocked", "pump stopped", Stated),
        ),
        (
            "A blocked filter led to the stop of the pump.",
            link("blocked filter", "stop of the pump", Stated),
        ),
        (
            "The stop was caused by a blocked filter.",
            link("blocked filter", "stop", Stated),
        ),
        (
            "Because of the frost, the pipe burst.",
            link("frost", "pipe burst", Stated),
        ),
        (
            "The stop may have been due to a power cut.",
            link("power cut", "stop", Suspected),
        ),
        (
            "The stop was not caused by the power cut.",
            link("power cut", "stop", Denied),
        ),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
}

#[test]
fn a_sentence_that_points_back_takes_its_meaning_from_the_one_before() {
    let found = read("The filter was blocked. This led to overheating of the motor.");
    assert_eq!(
        found,
        [link(
            "filter was blocked",
            "overheating of the motor",
            Certainty::Stated
        )]
    );
    let found = read("The filter was blocked. As a result, the motor ran hot.");
    assert_eq!(
        found,
        [link(
            "filter was blocked",
            "motor ran hot",
            Certainty::Stated
        )]
    );
}

#[test]
fn questions_rows_and_bare_words_state_no_cause() {
    assert_eq!(read("Was the stop caused by a power cut?"), []);
    assert_eq!(read("Stop | caused by | power cut"), []);
    assert_eq!(read("It was because."), []);
}

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("causal_tree").unwrap().apply)(input)
}

fn finding(text: &str) -> Value {
    json!({"text": text, "kind": "interpretation", "evidence": [], "confidence": 0.5})
}

fn chain() -> Value {
    json!([
        {"id": "kb:log#0-1", "title": "Log", "text": "The pump stopped because the motor overheated. The valve was not to blame."},
        {"id": "kb:report#0-1", "title": "Report", "text": "The overheating of the motor was caused by a blocked filter. \
            The stop of the pump was not caused by the power cut."},
    ])
}

#[test]
fn the_tree_goes_from_the_failure_to_where_the_chain_ends() {
    let exhibit = apply(json!({"failure": "Why did the pump stop?", "sources": chain()})).unwrap();
    let rows: Vec<(&str, &str, &str)> = exhibit.tables[0]
        .rows
        .iter()
        .map(|row| {
            (
                row[0].text.as_str(),
                row[1].text.as_str(),
                row[2].text.as_str(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("1", "pump stopped", "motor overheated"),
            ("2", "overheating of the motor", "blocked filter"),
        ]
    );
    assert_eq!(
        exhibit.headlines[0].text,
        "Cause at the end of the chain: blocked filter"
    );
    assert_eq!(
        exhibit.headlines[0].evidence[0].quote,
        "The overheating of the motor was caused by a blocked filter."
    );
    assert_eq!(exhibit.charts.len(), 1);
    assert!(crate::is_drawable(&exhibit));
    assert_eq!(exhibit.data["in_tree"], 2);
}

#[test]
fn hypotheses_are_supported_open_or_contradicted() {
    let exhibit = apply(json!({
        "failure": "Why did the pump stop?",
        "sources": chain(),
        "findings": [{"findings": [
            finding("A blocked filter"), finding("A power cut"), finding("Wrong oil in the gearbox"), finding("A software update"),
        ]}],
        "objections": [{"objections": [
            {"claim": "Wrong oil in the gearbox", "text": "Nobody says so", "kind": "unsupported", "evidence": []},
        ]}],
        "events": [{"events": [
            {"date": "2026-03-01", "precision": "day", "text": "The pump stopped", "evidence": []},
            {"date": "2026-03-09", "precision": "day", "text": "The software update was installed", "evidence": []},
        ]}],
        "choices": [{"option": "with_mine", "note": "- A frozen pipe"}],
    }))
    .unwrap();
    let tests = exhibit.tables.last().unwrap();
    let verdicts: Vec<(&str, &str, &str)> = tests
        .rows
        .iter()
        .map(|row| {
            (
                row[0].text.as_str(),
                row[2].text.as_str(),
                row[5].text.as_str(),
            )
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            ("A blocked filter", "not dated", "supported"),
            ("A frozen pipe", "not dated", "open"),
            ("Wrong oil in the gearbox", "not dated", "open"),
            ("A power cut", "not dated", "contradicted"),
            ("A software update", "after the failure", "contradicted"),
        ]
    );
    assert_eq!(
        exhibit.headlines[1].text,
        "5 hypotheses tested: 1 supported, 2 open, 2 contradicted"
    );
}

#[test]
fn what_people_choose_has_a_consequence() {
    let with = |option: &str| {
        apply(json!({
            "failure": "Why did the pump stop?", "sources": chain(),
            "findings": [{"findings": [finding("A blocked filter"), finding("Wrong oil")]}],
            "choices": [{"option": option, "note": ""}],
        }))
        .unwrap()
    };
    assert!(
        with("name_causes").headlines[0]
            .text
            .starts_with("Cause at the end")
    );
    assert!(
        with("list_causes").headlines[0]
            .text
            .starts_with("2 hypotheses")
    );
    assert!(
        with("stated_only").headlines[1]
            .text
            .starts_with("1 hypothesis tested")
    );
}

#[test]
fn without_a_stated_cause_the_result_says_so() {
    let exhibit = apply(json!({"failure": "Why did it fail?", "sources": [
        {"id": "kb:a", "title": "A", "text": "The meeting is on Monday."}
    ]}))
    .unwrap();
    assert!(exhibit.headlines.is_empty());
    assert!(
        exhibit.notes[0]
            .text
            .starts_with("No source states a cause")
    );
    assert_eq!(
        exhibit.data["text"],
        "No document states what caused the failure."
    );
}

proptest! {
    #[test]
    fn a_tree_has_no_circle_and_each_of_its_causes_leads_to_the_failure(
        pairs in proptest::collection::vec((0_usize..7, 0_usize..7), 0..24)
    ) {
        let names = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"];
        let text: Vec<String> = pairs.iter().map(|(cause, effect)| {
            format!("The {0} broke{0} because the {1} broke{1}.", names[*effect], names[*cause])
        }).collect();
        let sources = [source("kb:a", &text.join(" "))];
        let found = links(&sentences(&sources, 100));
        for link in &found {
            prop_assert!(link.evidence.iter().all(|one| sources[0].text.contains(&one.quote)));
        }
        let graph = Graph::new(&found);
        let tree = graph.tree(&stems("alpha brokealpha"));
        let mut reached = tree.roots.clone();
        for (at, _) in &tree.edges {
            let edge = &graph.edges[*at];
            prop_assert!(reached.contains(&edge.effect));
            prop_assert!(!reached.contains(&edge.cause));
            reached.push(edge.cause);
        }
    }
}
