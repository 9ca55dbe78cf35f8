//! What is refused before a plan runs, though it could be read.

use adjutant_questions::{Input, Purpose};
use serde_json::{Value, json};

use crate::samples;

#[test]
fn what_asks_for_nothing_is_told_with_its_place() {
    let source = |id: &str, text: &str| json!({ "id": id, "text": text });
    for (purpose, field, value, wanted) in [
        (
            Purpose::Extract,
            "question",
            json!(" "),
            "question: `question` is empty",
        ),
        (
            Purpose::Extract,
            "most",
            json!(0),
            "most: `most` is 0: ask for at least 1",
        ),
        (
            Purpose::Cluster,
            "most",
            json!(0),
            "most: `most` is 0: ask for at least 1",
        ),
        (
            Purpose::Draft,
            "words_max",
            json!(0),
            "words_max: `words_max` is 0: ask for at least 1",
        ),
        (
            Purpose::Draft,
            "heading",
            json!(""),
            "heading: `heading` is empty",
        ),
        (
            Purpose::Plan,
            "objective",
            json!(""),
            "objective: `objective` is empty",
        ),
        (
            Purpose::Object,
            "claims",
            json!(["x", ""]),
            "claims[1]: `claims` is empty",
        ),
        (
            Purpose::Plan,
            "template",
            json!([{ "key": "a", "title": "" }]),
            "template[0].title: `title` is empty",
        ),
        (
            Purpose::Timeline,
            "sources",
            json!([source("a", "x"), source("b", "")]),
            "sources[1].text: `text` is empty",
        ),
        (
            Purpose::Grade,
            "sources",
            json!([source("a", "x"), source("b", "y"), source("a", "z")]),
            "sources[2].id: two sources have the id `a`",
        ),
        (Purpose::Think, "part", json!(""), "part: `part` is empty"),
        (
            Purpose::Conclude,
            "guidance",
            json!(["", "x"]),
            "guidance[0]: `guidance` is empty",
        ),
        (
            Purpose::Weigh,
            "thoughts",
            json!([{ "step": 1, "role": "step", "text": "a" }, { "step": 1, "role": "step", "text": "b" }]),
            "thoughts[1].step: two thoughts have the step `1`",
        ),
        (
            Purpose::Split,
            "most",
            json!(0),
            "most: `most` is 0: ask for at least 1",
        ),
    ] {
        let mut question = samples::question(purpose);
        question[field] = value;
        assert!(Input::read(purpose, question.clone()).is_ok());
        assert_eq!(told(purpose, &question), [wanted]);
    }
}

#[test]
fn what_is_only_known_later_is_left_for_later() {
    let question = json!({
        "question": "{{read.output.question}}",
        "sources": [
            { "id": "{{read.output.id}}", "text": "{{read.output.text}}", "title": "" },
            { "id": "{{read.output.id}}", "text": "x" },
        ],
    });
    assert_eq!(told(Purpose::Extract, &question), Vec::<String>::new());
    let question = json!({ "question": "{{read.output.question}}", "sources": [], "most": 0 });
    assert_eq!(told(Purpose::Extract, &question).len(), 1);
}

#[test]
fn what_cannot_be_read_is_told_in_plain_words() {
    for (purpose, field, value, wanted) in [
        (
            Purpose::Score,
            "criteria",
            json!([{ "name": "cost", "weight": "much" }]),
            "string \"much\", expected a number",
        ),
        (
            Purpose::Extract,
            "most",
            json!("all"),
            "expected a whole number from 0 to 65535",
        ),
        (
            Purpose::Extract,
            "most",
            json!(1.5),
            "number `1.5`, expected a whole number",
        ),
        (Purpose::Grade, "sources", json!("x"), "expected a list"),
        (Purpose::Grade, "sources", json!(["x"]), "expected a map"),
        (
            Purpose::Extract,
            "question",
            json!(["x"]),
            "invalid type: list, expected a string",
        ),
    ] {
        let mut question = samples::question(purpose);
        question[field] = value;
        let told = told(purpose, &question).join("\n");
        assert!(told.contains(wanted), "{told}");
    }
}

fn told(purpose: Purpose, question: &Value) -> Vec<String> {
    let problems = purpose.check_unresolved(question).into_iter();
    problems
        .map(|(path, message)| format!("{path}: {message}"))
        .collect()
}

#[test]
fn a_role_belongs_to_its_purpose_even_where_the_rest_is_not_known_yet() {
    let question =
        |role: &str| json!({ "question": "{{read.output}}", "role": role, "sources": [] });
    assert_eq!(
        told(Purpose::Think, &question("rebut")),
        Vec::<String>::new()
    );
    assert_eq!(
        told(Purpose::Think, &question("{{read.output}}")),
        Vec::<String>::new()
    );
    let wrong = told(Purpose::Split, &question("rebut"));
    let wanted = "role: `rebut` is no role here, but `parts`, `assumptions`, `lessons`";
    assert_eq!(wrong, [wanted]);
    let mut known = question("rebut");
    known["question"] = json!("?");
    let error = Input::read(Purpose::Split, known).unwrap_err().to_string();
    assert!(error.contains("`rebut` is no role here"), "{error}");
}

#[test]
fn things_to_score_may_be_given_by_name_alone() {
    let input = json!({"items": ["rail", {"name": "road", "values": {"cost": 2.5}}], "criteria": [{"name": "cost"}]});
    let read = Input::read(Purpose::Score, input).unwrap().value();
    assert_eq!(read["items"][0], json!({"name": "rail", "values": {}}));
    assert_eq!(read["items"][1]["values"]["cost"], 2.5);
}
