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
