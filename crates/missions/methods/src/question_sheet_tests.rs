use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("question_sheet").unwrap().apply)(input)
}

fn stated(sentence: &str, value: Option<&str>) -> Value {
    json!({"sentence": sentence, "value": value, "title": "Minutes", "source": "kb:m", "address": "kb:m#1-2"})
}

fn sources() -> Value {
    json!([
        {"id": "kb:m#1-2", "title": "Minutes", "text": "The hall opens in May because the roof was late. Who pays for the hall heating?"},
        {"id": "kb:n#1-2", "title": "Note", "text": "The hall seats 300 guests."},
    ])
}

/// Question, reason, coverage.
fn rows(exhibit: &Exhibit) -> Vec<(&str, &str, &str)> {
    let rows = exhibit.tables[0].rows.iter();
    rows.map(|row| {
        (
            row[0].text.as_str(),
            row[1].text.as_str(),
            row[3].text.as_str(),
        )
    })
    .collect()
}

fn meeting() -> Value {
    json!({
        "purpose": "The opening of the hall",
        "sources": sources(),
        "questions": ["How many guests does the hall seat"],
        "reading": [{
            "contradicting": [[stated("The hall has a lift.", None), stated("The hall has no lift.", None)]],
            "changed": [[stated("The hall opens in April.", Some("April")), stated("The hall opens in May.", Some("May"))]],
            "owed": [
                {"who": "Ms Hale", "what": "order the chairs", "due": "2026-01-05", "status": "overdue", "at": stated("Ms Hale orders the chairs.", None)},
                {"what": "paint the door", "status": "fulfilled", "at": stated("Paint the door.", None), "fulfilled_by": stated("The door is painted.", None)},
            ],
            "wrong_sums": [{"stated": "12 rooms", "computed": 11.0, "unit": "", "at": stated("In total 12 rooms.", None)}],
        }],
    })
}

#[test]
fn what_a_careful_listener_notices_becomes_a_question() {
    let exhibit = apply(meeting()).unwrap();
    assert_eq!(
        rows(&exhibit),
        [
            (
                "How many guests does the hall seat?",
                "you expect it",
                "yes"
            ),
            (
                "Which of the two is right: “The hall has a lift.” or “The hall has no lift.”?",
                "documents disagree",
                "no"
            ),
            (
                "What has become of this promise by Ms Hale, due 2026-01-05: “order the chairs”",
                "it is overdue",
                "no"
            ),
            (
                "How does “12 rooms” come about? Its parts give another result",
                "the sum is wrong",
                "no"
            ),
            (
                "Why is it “May” now, and no longer “April”? The hall opens in May.",
                "the value changed",
                "yes"
            ),
            ("Who pays for the hall heating?", "a document asks it", "no"),
            (
                "What has become of this promise: “paint the door”",
                "it was promised",
                "yes"
            ),
        ]
    );
    assert_eq!(
        exhibit.headlines[0].text,
        "7 questions to expect: 3 answered by the documents, 0 in part, 4 open"
    );
    assert_eq!(exhibit.figures[0].value, "3 of 7");
    let answer = &exhibit.tables[0].rows[0][2];
    assert_eq!(answer.text, "The hall seats 300 guests.");
    assert_eq!(answer.evidence[0].source, "kb:n#1-2");
}

#[test]
fn a_change_without_a_reason_is_answered_in_part() {
    let mut input = meeting();
    input["sources"] = json!([]);
    let exhibit = apply(input).unwrap();
    let change = rows(&exhibit)
        .into_iter()
        .find(|row| row.1 == "the value changed");
    assert_eq!(change.unwrap().2, "in part");
}

#[test]
fn what_people_choose_decides_on_the_sheet() {
    let with = |option: &str, note: &str| {
        let mut input = meeting();
        input["choices"] = json!([{"option": option, "note": note}]);
        apply(input).unwrap()
    };
    assert_eq!(with("full", "").tables[0].rows.len(), 7);
    let open = with("open_only", "- Is there parking").tables.remove(0);
    assert_eq!(open.rows.len(), 5);
    assert_eq!(open.rows[0][0].text, "Is there parking?");
    let ask = with("we_ask", "").tables.remove(0);
    assert_eq!((ask.columns.len(), ask.rows.len()), (2, 4));
    assert_eq!(ask.caption, "Questions to ask");
}

#[test]
fn without_material_no_question_is_invented() {
    let exhibit = apply(json!({"purpose": "The opening", "sources": []})).unwrap();
    assert!(exhibit.headlines.is_empty() && exhibit.tables.is_empty());
    assert_eq!(exhibit.notes[0].title, "No question found");
    let many = vec![json!({"id": "a", "text": "b"}); 401];
    let refused = apply(json!({"purpose": "x", "sources": many})).unwrap_err();
    assert_eq!(refused.to_string(), "at most 400 sources can be read");
}
