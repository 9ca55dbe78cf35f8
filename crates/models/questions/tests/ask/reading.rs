//! Long answers on pieces of documents lose the few entries that are unfounded, and no more.

use adjutant_questions::{Input, Output, Purpose, pruned, unfounded};
use serde_json::{Value, json};

use crate::samples;

fn claims(quotes: &[&str]) -> Output {
    let claims: Vec<Value> = quotes
        .iter()
        .map(|quote| {
            let mut claim = samples::answer(Purpose::Read)["claims"][0].clone();
            claim["evidence"]["quote"] = json!(quote);
            claim
        })
        .collect();
    let answer = json!({ "claims": claims, "obligations": [], "missing": [], "confidence": 0.5 });
    Output::read(Purpose::Read, answer).unwrap()
}

fn input() -> Input {
    samples::input(Purpose::Read)
}

#[test]
fn an_unfounded_entry_among_many_goes_and_is_counted() {
    let said = "lowered pressure by 9 mmHg";
    let answer = claims(&[said, said, "raised pressure", said]);
    assert_eq!(unfounded(&input(), &answer).len(), 1);
    let kept = pruned(&[&input()], &answer).unwrap();
    assert_eq!(unfounded(&input(), &kept), Vec::<String>::new());
    let kept = kept.value();
    assert_eq!(kept["claims"].as_array().unwrap().len(), 3);
    assert_eq!(kept["dropped"], 1);
}

#[test]
fn an_answer_that_is_unfounded_in_much_is_refused() {
    let said = "lowered pressure by 9 mmHg";
    assert_eq!(
        pruned(&[&input()], &claims(&[said, "raised pressure"])),
        None
    );
    assert_eq!(pruned(&[&input()], &claims(&["raised pressure"])), None);
}

#[test]
fn entries_of_other_purposes_are_never_taken_out() {
    let mut answer = samples::answer(Purpose::Extract);
    answer["findings"][0]["evidence"][0]["quote"] = json!("raised pressure");
    let output = Output::read(Purpose::Extract, answer).unwrap();
    assert_eq!(pruned(&[&samples::input(Purpose::Extract)], &output), None);
}

#[test]
fn a_judgement_on_a_group_that_was_not_given_is_refused() {
    let mut answer = samples::answer(Purpose::Reconcile);
    answer["judgements"][0]["group"] = json!("g9");
    answer["points"][0]["point"] = json!("p9");
    let output = Output::read(Purpose::Reconcile, answer).unwrap();
    let told = unfounded(&samples::input(Purpose::Reconcile), &output);
    assert_eq!(told, ["there is no group `g9`", "there is no point `p9`"]);
}

#[test]
fn what_a_model_says_breaks_a_rule_counts_by_its_quote_and_the_rest_is_dropped_and_counted() {
    let breach = |rule: &str, source: &str, quote: &str| json!({ "rule": rule, "why": "x", "evidence": { "source": source, "quote": quote } });
    let said = "did not lower pressure";
    let answer = json!({ "confidence": 0.9, "breaches": [
        breach("be.clear", "trial", "raised pressure"),
        breach("be.mute", "letter", said),
        breach("be.clear", "nowhere", said),
        breach("be.clear", "letter", said),
        breach("be.kind", "letter", said),
    ] });
    let input = samples::input(Purpose::Constitution);
    let output = Output::read(Purpose::Constitution, answer).unwrap();
    assert!(unfounded(&input, &output).len() >= 3);
    let kept = pruned(&[&input], &output).unwrap();
    assert_eq!(unfounded(&input, &kept), Vec::<String>::new());
    // The letter is the words of others, and only one rule is for these.
    let kept = kept.value();
    assert_eq!(kept["breaches"], json!([breach("be.kind", "letter", said)]));
    assert_eq!(kept["dropped"], 4);
    let nothing_left =
        json!({ "confidence": 0.9, "breaches": [breach("be.mute", "letter", said)] });
    let output = Output::read(Purpose::Constitution, nothing_left).unwrap();
    let kept = pruned(&[&input], &output).unwrap().value();
    assert_eq!(
        (&kept["breaches"], &kept["dropped"]),
        (&json!([]), &json!(1))
    );
}

#[test]
fn a_text_of_nothing_breaks_no_rule_and_nobody_is_asked() {
    let mut question = samples::question(Purpose::Constitution);
    let asked = Input::read(Purpose::Constitution, question.clone()).unwrap();
    assert_eq!(asked.answer_of_nothing(), None);
    question["sources"] = json!([]);
    let empty = Input::read(Purpose::Constitution, question).unwrap();
    let answer = empty.answer_of_nothing().unwrap().value();
    assert_eq!(answer, json!({ "breaches": [], "confidence": 1.0 }));
    let other = json!({ "question": "?", "sources": [] });
    let other = Input::read(Purpose::Extract, other).unwrap();
    assert_eq!(other.answer_of_nothing(), None);
}
