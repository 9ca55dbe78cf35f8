use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("claim_review").unwrap().apply)(input)
}

fn evidence(document: &str, quote: &str) -> Value {
    json!([{"source": format!("kb:a/{document}#0-40"), "quote": quote}])
}

fn claim(text: &str, document: &str) -> Value {
    json!({"text": text, "kind": "fact", "evidence": evidence(document, text), "confidence": 0.8})
}

fn objection(claim: &str, kind: &str, document: &str, quote: &str) -> Value {
    json!({"claim": claim, "text": "somebody objects", "kind": kind, "evidence": evidence(document, quote)})
}

fn review() -> Value {
    json!({
        "claims": [
            {"findings": []},
            {"findings": [
                claim("The pump is quiet.", "offer.md"),
                claim("The pump is cheap.", "offer.md"),
                claim("The pump is blue.", "offer.md"),
            ]},
        ],
        "objections": [{"objections": [
            objection("The pump is quiet.", "weakened", "letter.md", "The pump may be quiet."),
            objection("The pump is cheap.", "contradicted", "letter.md", "The pump is not cheap."),
            objection("The pump is cheap.", "contradicted", "test.md", "The pump is dear."),
            objection("Another claim.", "contradicted", "test.md", "No."),
        ]}],
        "reading": [{
            "documents": [
                {"id": "kb:a/test.md", "strength": "high"}, {"id": "kb:a/letter.md", "strength": "low"},
            ],
            "wrong_sums": [{"stated": "90", "computed": 80.0, "unit": "", "parts": 2,
                "at": {"sentence": "In total 90 pumps.", "address": "kb:a/offer.md#50-70"}}],
        }],
    })
}

fn grounds(exhibit: &Exhibit) -> Vec<(String, String)> {
    let cells = exhibit.tables[0].rows.iter();
    cells
        .map(|row| (row[0].text.clone(), row[1].text.clone()))
        .collect()
}

#[test]
fn the_strongest_objection_comes_first() {
    let exhibit = apply(review()).unwrap();
    let expected = [
        ("In total 90 pumps.", "Its own parts come to 80, not 90"),
        ("The pump is cheap.", "The pump is dear."),
        ("The pump is cheap.", "The pump is not cheap."),
        ("The pump is quiet.", "The pump may be quiet."),
    ];
    let expected = expected.map(|(claim, text)| (claim.to_owned(), text.to_owned()));
    assert_eq!(grounds(&exhibit), expected);
    assert_eq!(
        exhibit.headlines[0].text,
        "3 claims reviewed: 4 objections found, 3 of them grave; nothing was found against 1 of the claims"
    );
    let standing = exhibit.tables.last().unwrap();
    assert_eq!(standing.rows[0][0].text, "The pump is blue.");
}

#[test]
fn the_answers_of_people_have_consequences() {
    let with = |option: &str| {
        let mut input = review();
        input["answers"] = json!([{"option": option}]);
        apply(input).unwrap()
    };
    let grave = with("grave_only");
    assert_eq!(grounds(&grave).len(), 3);
    assert_eq!(
        grave.notes[0].text,
        "Not shown, as was chosen: 1 lesser objection"
    );
    let strict = with("strict");
    assert_eq!(grounds(&strict).last().unwrap().0, "The pump is blue.");
    let quick = with("quick_first");
    let fixes: Vec<&str> = quick.tables[1]
        .rows
        .iter()
        .map(|row| row[3].text.as_str())
        .collect();
    assert_eq!(
        fixes,
        [
            "minutes",
            "minutes",
            "days, and other people",
            "days, and other people"
        ]
    );
}

#[test]
fn a_claim_with_a_later_state_is_out_of_date() {
    let mut input = review();
    input["reading"][0]["changed"] = json!([[
        {"sentence": "The pump is blue.", "address": "kb:a/offer.md#0-40"},
        {"sentence": "The pump is red.", "address": "kb:a/amendment.md#0-40"},
    ]]);
    let exhibit = apply(input).unwrap();
    assert!(grounds(&exhibit).contains(&(
        "The pump is blue.".to_owned(),
        "The pump is red.".to_owned()
    )));
}

#[test]
fn standards_are_met_or_not() {
    let mut input = review();
    input["standards"] =
        json!([{"key": "a", "wants": "who paid"}, {"key": "b", "wants": "how it was measured"}]);
    input["met"] =
        json!([{"points": [{"key": "a", "found": "no", "evidence": [], "missing": "who paid"}]}]);
    let exhibit = apply(input).unwrap();
    let table = exhibit
        .tables
        .iter()
        .find(|it| it.caption == "Held against the standards")
        .unwrap();
    assert_eq!(table.rows[0][1].text, "not met");
    assert_eq!(table.rows[1][1].text, "not checked");
}

#[test]
fn nothing_claimed_is_said() {
    let exhibit = apply(json!({"claims": [], "objections": []})).unwrap();
    assert_eq!(exhibit.notes[0].title, "No claims");
    assert!(exhibit.tables.is_empty());
}
