use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("argument_map").unwrap().apply)(input)
}

fn finding(text: &str, source: &str) -> Value {
    let evidence = match source {
        "" => json!([]),
        source => json!([{"source": source, "quote": text}]),
    };
    json!({"text": text, "kind": "fact", "evidence": evidence, "confidence": 0.7})
}

fn graded(source: &str, grade: &str) -> Value {
    json!({"source": source, "study": "unknown", "size": null, "year": null, "grade": grade, "reasons": [], "evidence": []})
}

fn case() -> Value {
    json!({
        "thesis": "The library should open on Sundays",
        "reasons": [{"findings": [
            finding("Sunday opening brings more readers to the library", "kb:survey#0-1"),
            finding("Sunday staff are available at normal wages", "kb:letter#0-1"),
            finding("The heating runs on weekends anyway", "kb:plan#0-1"),
        ]}],
        "against": [{"findings": [finding("Sunday staff want higher wages", "kb:contract#0-1")]}],
        "objections": [{"objections": [
            {"claim": "The heating runs on weekends anyway", "text": "The heating is off on weekends in summer", "kind": "weakened",
             "evidence": [{"source": "kb:rumour#0-1", "quote": "off"}]},
            {"claim": "Sunday opening brings more readers to the library", "text": "More readers came to the library for one event only", "kind": "contradicted",
             "evidence": [{"source": "kb:survey#0-1", "quote": "event"}]},
            {"claim": "The heating runs on weekends anyway", "text": "No source", "kind": "unsupported", "evidence": []},
        ]}],
        "rebuttals": [{"findings": [
            finding("More readers came to the library on all Sundays after the event", "kb:count#0-1"),
            finding("Nothing to do with it", "kb:count#0-1"),
        ]}],
        "grades": [{"sources": [graded("kb:survey#0-1", "moderate"), graded("kb:count#0-1", "moderate"),
            graded("kb:plan#0-1", "high"), graded("kb:rumour#0-1", "very_low"), graded("kb:letter#0-1", "low"),
            graded("kb:contract#0-1", "high")]}],
    })
}

fn rows(exhibit: &Exhibit) -> Vec<[&str; 5]> {
    let rows = exhibit.tables[0].rows.iter();
    rows.map(|row| [0, 1, 2, 3, 4].map(|at| row[at].text.as_str()))
        .collect()
}

#[test]
fn rebuttals_restore_reasons_and_weak_attacks_do_not_count() {
    let exhibit = apply(case()).unwrap();
    assert_eq!(
        rows(&exhibit),
        [
            [
                "Sunday opening brings more readers to the library",
                "3",
                "More readers came to the library for one event only",
                "More readers came to the library on all Sundays after the event",
                "stands"
            ],
            [
                "Sunday staff are available at normal wages",
                "2",
                "Sunday staff want higher wages",
                "none found",
                "falls"
            ],
            [
                "The heating runs on weekends anyway",
                "4",
                "The heating is off on weekends in summer",
                "none found",
                "stands"
            ],
        ]
    );
    let headlines: Vec<&str> = exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(
        headlines,
        [
            "3 reasons: 2 standing, 1 fallen, 0 undecided",
            "The heating runs on weekends anyway",
            "Sunday opening brings more readers to the library",
            "Strongest objection without an answer: Sunday staff want higher wages",
        ]
    );
    assert_eq!(exhibit.charts.len(), 1);
    assert!(crate::is_drawable(&exhibit));
    assert_eq!(
        exhibit.notes[0].text,
        "1 attack rests on weaker evidence than what is attacked"
    );
}

#[test]
fn an_objection_that_is_about_no_reason_is_about_the_thesis() {
    let mut input = case();
    input["choices"] = json!([{"option": "all_reasons", "note": "Neighbours complain"}]);
    let exhibit = apply(input).unwrap();
    let own = &exhibit.tables[1];
    assert_eq!(own.caption, "What speaks against the thesis itself");
    assert_eq!(own.rows[0][0].text, "Neighbours complain");
    assert_eq!(own.rows[0][2].text, "stands");
}

#[test]
fn people_may_leave_out_what_does_not_stand() {
    let mut input = case();
    input["choices"] = json!([{"option": "standing_only", "note": ""}]);
    let exhibit = apply(input).unwrap();
    assert!(rows(&exhibit).iter().all(|row| row[4] == "stands"));
    assert_eq!(exhibit.tables[0].rows.len(), 2);
}

#[test]
fn without_reasons_there_is_no_case() {
    let exhibit = apply(json!({"thesis": "It is good", "reasons": []})).unwrap();
    assert!(exhibit.headlines.is_empty() && exhibit.charts.is_empty());
    assert_eq!(exhibit.notes[0].title, "No case");
    let refused = apply(json!({"thesis": " ", "reasons": []})).unwrap_err();
    assert_eq!(refused.to_string(), "the thesis must not be empty");
}
