use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("need_matrix").unwrap().apply)(input)
}

fn point(key: &str, found: &str) -> Value {
    let evidence = match found {
        "no" => json!([]),
        _ => json!([{"source": "kb:a/b.md#0-10", "quote": format!("A passage on {key}.")}]),
    };
    json!({"key": key, "found": found, "evidence": evidence, "missing": "the rest"})
}

fn needs() -> Value {
    json!([
        {"key": "noise", "wants": "noise level at night"},
        {"key": "cost", "wants": "yearly cost of operation"},
        {"key": "heat", "wants": "heat loss of the roof"},
        {"key": "permit", "wants": "permit of the council"},
    ])
}

fn here() -> Value {
    json!([{"points": [point("noise", "no"), point("cost", "yes"), point("heat", "partly"), point("permit", "no")], "confidence": 0.5}])
}

fn elsewhere() -> Value {
    json!([{"points": [point("noise", "no"), point("cost", "no"), point("heat", "no"), point("permit", "yes")]}])
}

fn gaps(exhibit: &Exhibit) -> Vec<&str> {
    let gaps = exhibit.data["gaps"].as_array().unwrap();
    gaps.iter()
        .map(|gap| gap["key"].as_str().unwrap())
        .collect()
}

#[test]
fn what_nobody_tells_comes_before_what_is_told_in_part_or_elsewhere() {
    let exhibit =
        apply(json!({"needs": needs(), "here": here(), "elsewhere": elsewhere()})).unwrap();
    assert_eq!(gaps(&exhibit), ["noise", "heat", "permit"]);
    assert_eq!(
        exhibit.headlines[0].text,
        "Of 4 needs, our documents tell 1, public sources alone 1, and 1 told in part; on 1 nothing was found"
    );
    assert_eq!(exhibit.tables[0].rows[2][3].text, "told in part");
    assert_eq!(exhibit.tables[0].rows[0][1].text, "nothing found");
}

#[test]
fn people_change_the_order() {
    let order = |answer: Value| {
        let reading = json!([{"owed": [{"who": "Ann", "what": "Send the permit", "due": "2026-01-02", "status": "overdue",
            "at": {"sentence": "Ann sends the permit of the council by 2 January.", "address": "kb:a/c.md#0-50"}}]}]);
        let input = json!({"needs": needs(), "here": here(), "elsewhere": elsewhere(), "reading": reading, "answers": [answer]});
        let exhibit = apply(input).unwrap();
        gaps(&exhibit)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        order(json!({"option": "largest_first"})),
        ["noise", "heat", "permit"]
    );
    assert_eq!(
        order(json!({"option": "overdue_first"})),
        ["permit", "noise", "heat"]
    );
    assert_eq!(
        order(json!({"option": "cheapest_first"})),
        ["permit", "noise", "heat"]
    );
    let note = json!({"option": "largest_first", "note": "heat loss of the roof"});
    assert_eq!(order(note), ["heat", "noise", "permit"]);
}

#[test]
fn sources_that_were_not_asked_prove_no_gap() {
    let exhibit = apply(json!({"needs": needs(), "here": here()})).unwrap();
    assert_eq!(exhibit.tables[0].rows[0][2].text, "not asked");
    assert_eq!(exhibit.notes[0].title, "Public sources were not asked");
    let input = json!({"needs": needs(), "here": here(), "elsewhere": elsewhere(), "public": [{"sources": []}]});
    assert_eq!(
        apply(input).unwrap().notes[0].title,
        "Public sources told nothing"
    );
}

#[test]
fn a_passage_that_may_close_a_gap_is_shown_unless_it_is_known() {
    let finding = |text: &str| {
        json!({"text": text, "kind": "fact", "confidence": 0.5,
        "evidence": [{"source": "kb:a/d.md#0-9", "quote": text}]})
    };
    let against = json!([{"findings": [finding("The noise level was 40 dB."), finding("A passage on heat.")]}]);
    let exhibit = apply(json!({"needs": needs(), "here": here(), "against": against})).unwrap();
    // What something speaks against comes after what nothing does.
    assert_eq!(gaps(&exhibit), ["permit", "noise", "heat"]);
    let noise = &exhibit.tables[1].rows[1];
    assert_eq!(noise[3].text, "Look here first: The noise level was 40 dB.");
    assert_eq!(noise[3].evidence[0].source, "kb:a/d.md#0-9");
}

#[test]
fn too_many_needs_and_none_are_refused() {
    assert_eq!(
        apply(json!({"needs": [], "here": []}))
            .unwrap_err()
            .to_string(),
        "give 1 to 24 needs"
    );
}

#[test]
fn a_question_that_the_documents_do_not_answer_is_named() {
    let reading = json!([{"answers": [
        {"question": "How loud is it?", "verdict": "not_found", "fit": 0.1, "passages": [], "missing": []},
        {"question": "What does it cost?", "verdict": "answered", "fit": 0.9, "passages": [], "missing": []},
    ]}]);
    let exhibit = apply(json!({"needs": needs(), "here": here(), "reading": reading})).unwrap();
    let told: Vec<&str> = exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(
        told[2..],
        ["The documents do not answer what was asked: How loud is it?"]
    );
}
