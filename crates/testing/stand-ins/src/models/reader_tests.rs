use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::models::{Asked, Format, Received};

const THINK: &str = "Question: How many quays are there?

Take the next step towards an answer.

Earlier thoughts:
Step 0 (step): The guide tells of quays.
- (fact, confidence 0.9) There are four quays in the harbour.
  <source id=\"guide\">There are four quays in the harbour.</source>
Step 2 (critique, weighed 0.4): Nothing to object.

<source id=\"guide\" title=\"Guide\" published=\"2024-01-01\">
There are four quays in the harbour. It was opened in 1911.
</source>
<source id=\"paper\">
Two of the quays are closed this year.
</source>
";

fn asked(purpose: &str, text: &str, more: &[(&str, &str)]) -> Asked {
    let mut messages = vec![
        json!({ "role": "system", "content": "Be exact." }),
        json!({ "role": "user", "content": text }),
    ];
    let more = more
        .iter()
        .map(|(role, text)| json!({ "role": role, "content": text }));
    messages.extend(more);
    let format = json!({ "type": "json_schema", "json_schema": { "name": purpose } });
    let received = Received {
        number: 1,
        path: "/v1/chat/completions".to_owned(),
        format: Format::OpenAi,
        headers: BTreeMap::new(),
        body: json!({ "messages": messages, "response_format": format }),
    };
    Asked::read(&received).unwrap()
}

#[test]
fn a_question_is_read_back_with_its_sources_and_thoughts() {
    let asked = asked("think", THINK, &[("assistant", "no"), ("user", "Again.")]);
    assert_eq!(asked.question, "How many quays are there?");
    assert_eq!(asked.sent_back, 1);
    let ids: Vec<&str> = asked
        .sources
        .iter()
        .map(|given| given.id.as_str())
        .collect();
    assert_eq!(ids, ["guide", "paper"]);
    assert_eq!(asked.sources[0].title, "Guide");
    let thoughts = asked.thoughts.iter();
    let thoughts: Vec<_> = thoughts
        .map(|at| (at.step, at.role.as_str(), at.quotes.len()))
        .collect();
    assert_eq!(thoughts, [(0, "step", 1), (2, "critique", 0)]);
}

#[test]
fn an_answer_quotes_its_sources_and_does_not_repeat_what_was_thought() {
    let thought = asked("think", THINK, &[]).answer();
    let quotes: Vec<&Value> = thought["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["evidence"][0])
        .collect();
    assert_eq!(
        quotes,
        [&json!({ "source": "paper", "quote": "Two of the quays are closed this year." })]
    );
    let scores = asked("weigh", THINK, &[]).answer()["scores"].clone();
    let steps: Vec<&Value> = scores
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["step"])
        .collect();
    assert_eq!(steps, [0, 2]);
    let empty = THINK
        .replace("quay", "pier")
        .replace("How many piers", "How many quays");
    assert_eq!(asked("think", &empty, &[]).answer()["settled"], true);
}

#[test]
fn a_draft_ends_each_sentence_with_its_numbers() {
    let text = "Write the section \"Quays\".\n\nFindings:\n\
                - (fact, confidence 0.9) There are four quays.\n  <source id=\"guide\">four quays</source>\n\
                - (interpretation, confidence 0.5) That may be enough.\n";
    let draft = asked("draft", text, &[]).answer();
    assert_eq!(
        draft["text"],
        "There are four quays [1]. That may be enough (interpretation)."
    );
    assert_eq!(
        draft["citations"],
        json!([{ "source": "guide", "quote": "four quays" }])
    );
}

#[test]
fn a_tool_that_is_asked_in_words_is_called_once() {
    let offered = "Question: How deep is it?\n\nWhich tool should be called next?\n\nTools:\n\
                   - sum: Adds\n  Arguments: {\"required\":[\"expression\"]}\n\
                   - find: Looks it up\n  Arguments: {\"required\":[\"query\"]}\n";
    let acted = asked("act", offered, &[]).answer();
    assert_eq!(
        (&acted["tool"], &acted["with"]),
        (&json!("find"), &json!("{\"query\":\"How deep is it?\"}"))
    );
    let called = format!("{offered}\nStep 2 (observe): find found nothing\n");
    assert_eq!(asked("act", &called, &[]).answer()["tool"], Value::Null);
}
