use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("claim_check").unwrap().apply)(input)
}

fn claim(text: &str, source: &str, quote: &str) -> Value {
    let evidence = match source {
        "" => json!([]),
        source => json!([{"source": source, "quote": quote}]),
    };
    json!({"text": text, "kind": "fact", "evidence": evidence, "confidence": 0.7})
}

fn source(id: &str, text: &str) -> Value {
    json!({"id": id, "title": id, "text": text})
}

fn stated(sentence: &str, address: &str) -> Value {
    json!({"sentence": sentence, "title": "T", "source": "s", "address": address})
}

fn company() -> Value {
    json!({
        "claims": [{"findings": [
            claim("The plant makes 400 bolts an hour.", "kb:flyer#0-1", "The plant makes 400 bolts an hour."),
            claim("The plant has 12 machines.", "kb:flyer#0-1", "The plant has 12 machines."),
            claim("The owner paid all wages.", "kb:flyer#0-1", "The owner paid all wages."),
            claim("The roof was tested.", "kb:log#0-1", "The roof was tested."),
            claim("Customers love the bolts.", "kb:flyer#0-1", "Customers love the bolts."),
            claim("The market doubles.", "", ""),
        ]}],
        "sources": [
            source("kb:flyer#0-1", "The plant makes 400 bolts an hour. The plant has 12 machines. The owner paid all wages. Customers love the bolts."),
            source("kb:audit#0-1", "The auditor saw that the plant makes 400 bolts an hour. The plant has 11 machines. The owner has not paid all wages."),
            source("kb:log#0-1", "The roof was tested."),
        ],
        "objections": [{"objections": [
            {"claim": "The plant has 12 machines.", "text": "has another number", "kind": "contradicted",
             "evidence": [{"source": "kb:audit#0-1", "quote": "The plant has 11 machines."}]},
        ]}],
        "reading": [{
            "documents": [{"id": "kb:log", "genre": "test report", "strength": "high"}],
            "contradicting": [[stated("The owner paid all wages.", "kb:flyer#0-1"), stated("The owner has not paid all wages.", "kb:audit#0-1")]],
            "owed": [{"what": "hand over the keys", "due": "2026-02-01", "status": "overdue", "at": stated("Keys are handed over.", "kb:log#0-1")}],
            "wrong_sums": [{"stated": "12 rooms", "computed": 11.5, "unit": "rooms", "at": stated("In total 12 rooms.", "kb:log#0-1")}],
            "missing": [{"kind": "required by a rule, and not among the documents", "what": "the permit", "at": stated("A permit is needed.", "kb:log#0-1")}],
        }],
    })
}

fn verdicts(exhibit: &Exhibit) -> Vec<(String, String)> {
    let is_claims = |caption: &str| caption.starts_with("Claims that");
    let tables = exhibit
        .tables
        .iter()
        .filter(|table| is_claims(&table.caption));
    tables
        .flat_map(|table| &table.rows)
        .map(|row| (row[0].text.clone(), row[1].text.clone()))
        .collect()
}

#[test]
fn a_claim_is_confirmed_only_by_a_document_that_is_not_its_own() {
    let exhibit = apply(company()).unwrap();
    let expected = [
        ("The plant has 12 machines.", "contradicted"),
        ("The owner paid all wages.", "contradicted"),
        ("The plant makes 400 bolts an hour.", "confirmed"),
        ("The roof was tested.", "recorded"),
        ("Customers love the bolts.", "only claimed"),
        ("The market doubles.", "not verified"),
    ];
    let expected: Vec<(String, String)> = expected
        .map(|(claim, verdict)| (claim.to_owned(), verdict.to_owned()))
        .into();
    assert_eq!(verdicts(&exhibit), expected);
    assert_eq!(
        exhibit.headlines[0].text,
        "2 of 6 claims hold; 2 of them without a red flag on the passages they rest on"
    );
}

#[test]
fn a_sentence_with_another_number_or_a_denial_confirms_nothing() {
    let mut input = company();
    input["objections"] = json!([]);
    input["reading"] = json!([]);
    let verdicts = verdicts(&apply(input).unwrap());
    let of = |claim: &str| {
        let found = verdicts.iter().find(|(text, _)| text == claim);
        found.unwrap().1.clone()
    };
    assert_eq!(of("The plant has 12 machines."), "only claimed");
    assert_eq!(of("The owner paid all wages."), "only claimed");
    assert_eq!(of("The plant makes 400 bolts an hour."), "confirmed");
}

#[test]
fn red_flags_stand_in_the_order_of_their_severity() {
    let exhibit = apply(company()).unwrap();
    let table = exhibit
        .tables
        .iter()
        .find(|table| table.caption.starts_with("Red flags"));
    let flags: Vec<(&str, &str, &str)> = table
        .unwrap()
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
        flags,
        [
            (
                "grave",
                "claim contradicted",
                "“The plant has 12 machines.”"
            ),
            ("grave", "claim contradicted", "“The owner paid all wages.”"),
            (
                "grave",
                "wrong sum",
                "“12 rooms” is stated, and its parts give 11.5 rooms"
            ),
            (
                "serious",
                "documents disagree",
                "“The owner paid all wages.” against “The owner has not paid all wages.”"
            ),
            (
                "serious",
                "overdue",
                "“hand over the keys” was due 2026-02-01"
            ),
            ("serious", "required and missing", "“the permit”"),
        ]
    );
    assert_eq!(exhibit.figures[1].value, "6");
    assert_eq!(exhibit.charts.len(), 1);
    assert!(crate::is_drawable(&exhibit));
}

#[test]
fn the_strict_choice_counts_only_what_others_confirm() {
    let mut input = company();
    input["choices"] = json!([{"option": "confirmed_only", "note": "The lease ends in May"}]);
    let exhibit = apply(input).unwrap();
    assert!(exhibit.headlines[0].text.starts_with("1 of 7 claims hold"));
    assert!(verdicts(&exhibit).contains(&(
        "The lease ends in May".to_owned(),
        "not verified".to_owned()
    )));
}

#[test]
fn advice_follows_from_the_gravest_flag_unless_people_want_none() {
    let advice = |input: Value| {
        let exhibit = apply(input).unwrap();
        let found = exhibit
            .headlines
            .iter()
            .find(|one| one.text.starts_with("Advice"));
        found.map(|one| one.text.clone())
    };
    assert_eq!(
        advice(company()).unwrap(),
        "Advice: do not commit before the grave red flags are settled"
    );
    let mut input = company();
    input["choices"] = json!([{"option": "facts_only", "note": ""}]);
    assert_eq!(advice(input), None);
    let mut input = company();
    input["reading"] = json!([]);
    input["objections"] = json!([]);
    assert_eq!(
        advice(input).unwrap(),
        "Advice: nothing that was found stands against going on"
    );
}

#[test]
fn without_claims_the_result_says_so() {
    let exhibit = apply(json!({"claims": [], "sources": []})).unwrap();
    assert!(exhibit.headlines.is_empty() && exhibit.charts.is_empty());
    assert_eq!(exhibit.notes[0].title, "No claim found");
}
