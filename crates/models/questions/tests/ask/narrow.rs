//! The schema of one question takes every answer to it, and no answer to another one.

use adjutant_questions::{Input, Ordered, Purpose, narrowed, token_bound};
use serde_json::{Value, json};

use crate::samples;

/// A field of the sample answer for each way in which an answer can name something.
fn names(purpose: Purpose) -> &'static [&'static str] {
    match purpose {
        Purpose::Plan => &["/steps/0/key", "/left_out/0/key"],
        Purpose::Extract => &["/findings/0/evidence/0/source"],
        Purpose::Compare => &[
            "/rows/0/criterion",
            "/rows/0/cells/1/item",
            "/rows/0/cells/0/evidence/0/source",
        ],
        Purpose::Cluster => &[
            "/clusters/0/sources/0",
            "/alone/0",
            "/clusters/0/evidence/0/source",
        ],
        Purpose::Timeline => &["/events/0/evidence/0/source"],
        Purpose::Gaps => &["/points/0/key"],
        Purpose::Score => &[
            "/ranking/1/item",
            "/ranking/0/parts/1/criterion",
            "/ranking/0/parts/0/evidence/0/source",
        ],
        Purpose::Object => &["/objections/0/claim", "/objections/0/evidence/0/source"],
        Purpose::Draft => &["/citations/0/source"],
        Purpose::Grade => &["/sources/1/source", "/sources/0/evidence/0/source"],
        Purpose::Think => &["/findings/0/evidence/0/source"],
        Purpose::Weigh => &["/scores/0/step"],
        Purpose::Split => &[],
        Purpose::Act => &["/tool"],
        Purpose::Route => &["/mission", "/others/0/id"],
        Purpose::Read => &[
            "/claims/0/evidence/source",
            "/obligations/0/evidence/source",
            "/missing/0/evidence/source",
        ],
        Purpose::Reconcile => &[
            "/judgements/0/group",
            "/judgements/0/sides/0/evidence/source",
            "/points/0/point",
            "/points/0/evidence/0/source",
            "/first/0/evidence/source",
        ],
        Purpose::Hypothesize => &["/hypotheses/0/evidence/0/source"],
        Purpose::Causes => &["/causes/0/evidence/0/source"],
        Purpose::Summarize => &["/documents/0/source", "/documents/0/sentences/0/source"],
        Purpose::Cite => &["/issues/0/source", "/issues/1/other", "/issues/2/claim"],
        Purpose::Flag => &["/flags/0/evidence/0/source"],
        Purpose::Constitution => &["/breaches/0/rule", "/breaches/0/evidence/source"],
        Purpose::Scenarios => &[
            "/scenarios/0/conditions/0/evidence/0/source",
            "/scenarios/0/outcomes/0/evidence/0/source",
        ],
        Purpose::Conclude => &[
            "/findings/0/evidence/0/source",
            "/contradictions/0/sides/1/evidence/0/source",
        ],
    }
}

fn fits(input: &Input, answer: &Value) -> bool {
    let schema = serde_json::to_value(narrowed(input)).unwrap();
    jsonschema::validator_for(&schema).unwrap().is_valid(answer)
}

/// The sample, with its numbers as a narrowed schema has them.
fn answer(purpose: Purpose) -> Value {
    let answer = samples::answer(purpose).to_string();
    serde_json::from_str(&answer.replace("62.5", "62")).unwrap()
}

#[test]
fn an_answer_to_the_question_fits() {
    for &purpose in Purpose::ALL {
        let answer = answer(purpose);
        assert!(fits(&samples::input(purpose), &answer), "{answer}");
    }
}

#[test]
fn an_answer_that_names_a_stranger_does_not() {
    for &purpose in Purpose::ALL {
        for name in names(purpose) {
            let mut answer = answer(purpose);
            *answer.pointer_mut(name).unwrap() = json!("stranger");
            assert!(!fits(&samples::input(purpose), &answer), "{answer}");
        }
    }
    let mut plan = answer(Purpose::Plan);
    plan["steps"][0]["after"] = json!(["stranger"]);
    assert!(!fits(&samples::input(Purpose::Plan), &plan));
}

#[test]
fn numbers_are_those_that_a_grammar_can_hold() {
    for &purpose in Purpose::ALL {
        for wrong in [json!(0.55), json!(1.1), json!(-0.1), json!("high")] {
            let mut answer = answer(purpose);
            answer["confidence"] = wrong;
            assert!(!fits(&samples::input(purpose), &answer), "{answer}");
        }
    }
    let mut scored = answer(Purpose::Score);
    for (score, fitting) in [(json!(0), true), (json!(null), true), (json!(101), false)] {
        scored["ranking"][0]["score"] = score;
        assert_eq!(fits(&samples::input(Purpose::Score), &scored), fitting);
    }
}

#[test]
fn every_list_and_every_free_text_ends() {
    for &purpose in Purpose::ALL {
        let schema = narrowed(&samples::input(purpose));
        // A draft of 400 words is longer than a grammar counts.
        let endless = endless(&serde_json::to_value(&schema).unwrap());
        assert_eq!(
            endless,
            usize::from(purpose == Purpose::Draft),
            "{}",
            purpose.name()
        );
        assert_eq!(
            schema.to_string(),
            narrowed(&samples::input(purpose)).to_string()
        );
    }
    let mut few_words = samples::question(Purpose::Draft);
    few_words["words_max"] = json!(50);
    let input = Input::read(Purpose::Draft, few_words).unwrap();
    assert_eq!(endless(&serde_json::to_value(narrowed(&input)).unwrap()), 0);
}

#[test]
fn where_nothing_is_given_nothing_can_be_cited() {
    let question = json!({ "question": "?", "sources": [] });
    let input = Input::read(Purpose::Extract, question).unwrap();
    let nothing = json!({ "findings": [], "not_found": ["?"], "confidence": 0.1 });
    assert!(fits(&input, &nothing));
    assert!(!fits(&input, &answer(Purpose::Extract)));
}

#[test]
fn a_weighing_holds_one_score_for_each_thought() {
    let input = samples::input(Purpose::Weigh);
    let mut other_step = answer(Purpose::Weigh);
    other_step["scores"][0]["step"] = json!(3);
    assert!(!fits(&input, &other_step));
    let mut too_few = answer(Purpose::Weigh);
    too_few["scores"].as_array_mut().unwrap().pop();
    assert!(!fits(&input, &too_few));
}

#[test]
fn no_tool_is_a_choice_too_and_the_only_one_if_none_is_offered() {
    let mut question = samples::question(Purpose::Act);
    let mut nothing = answer(Purpose::Act);
    nothing["tool"] = json!(null);
    for tools in [question["tools"].clone(), json!([])] {
        question["tools"] = tools;
        let input = Input::read(Purpose::Act, question.clone()).unwrap();
        assert!(fits(&input, &nothing), "{input:?}");
    }
    let input = Input::read(Purpose::Act, question).unwrap();
    assert!(!fits(&input, &answer(Purpose::Act)));
}

#[test]
fn a_split_has_a_part_and_not_more_than_asked_for() {
    let input = samples::input(Purpose::Split);
    for (parts, fitting) in [(0, false), (1, true), (3, true), (4, false)] {
        let mut answer = answer(Purpose::Split);
        answer["parts"] = json!(vec!["Is it so?"; parts]);
        assert_eq!(fits(&input, &answer), fitting, "{parts}");
    }
}

/// The order of the fields is the order in which a model writes: how sure it is comes last.
#[test]
fn the_order_stays() {
    for &purpose in Purpose::ALL {
        let (plain, narrow) = (
            serde_json::from_str(purpose.output_schema_text()).unwrap(),
            narrowed(&samples::input(purpose)),
        );
        assert_eq!(fields(&narrow), fields(&plain), "{}", purpose.name());
    }
}

/// However often an answer may use a name, the schema has it once.
#[test]
fn a_name_is_written_once() {
    for &purpose in Purpose::ALL {
        let text = narrowed(&samples::input(purpose)).to_string();
        // What is compared has the names of the sources it is told of in, and so they stand there as both.
        let most = match purpose {
            Purpose::Compare => 2,
            // A source may be the one that an issue is about, and the other one.
            Purpose::Cite => 2,
            _ => 1,
        };
        for name in ["\"trial\"", "\"read\"", "\"dose\"", "\"The drug lowers"] {
            assert!(text.matches(name).count() <= most, "{text}");
        }
        let before = token_bound(purpose.output_schema_text());
        assert!(
            token_bound(&text) < before + 400,
            "{}: {before}",
            purpose.name()
        );
    }
}

fn endless(schema: &Value) -> usize {
    match schema {
        Value::Object(fields) => {
            let is = |kind: &str| fields.get("type").is_some_and(|at| at == kind);
            let list = is("array") && !fields.contains_key("maxItems");
            let text = is("string")
                && ["maxLength", "enum", "pattern"]
                    .iter()
                    .all(|limit| !fields.contains_key(*limit));
            usize::from(list || text) + fields.values().map(endless).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(endless).sum(),
        _ => 0,
    }
}

fn fields(schema: &Ordered) -> Vec<String> {
    let Ordered::Fields(parts) = schema else {
        return Vec::new();
    };
    let properties = parts.iter().find(|(name, _)| name == "properties");
    let Some((_, Ordered::Fields(properties))) = properties else {
        let inner = parts.iter().filter(|(name, _)| name == "items");
        return inner.flat_map(|(_, items)| fields(items)).collect();
    };
    let named = properties
        .iter()
        .flat_map(|(name, inner)| std::iter::once(name.clone()).chain(fields(inner)));
    named.collect()
}
