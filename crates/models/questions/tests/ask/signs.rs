use adjutant_mission::Ppm;
use adjutant_questions::{
    Evidence, Finding, FindingKind, Output, Purpose, evidence_rules, numbers_at_odds, signs,
};
use serde_json::{Value, json};

use crate::samples;

fn finding(text: &str, quotes: &[(&str, &str)]) -> Finding {
    let evidence = quotes.iter().map(|(source, quote)| Evidence {
        source: (*source).to_owned(),
        quote: (*quote).to_owned(),
    });
    Finding {
        text: text.to_owned(),
        kind: FindingKind::Fact,
        evidence: evidence.collect(),
        confidence: 0.5,
    }
}

fn broken(findings: &[Finding], told: &[&str]) -> Vec<String> {
    let verdicts = evidence_rules(findings, told).into_iter();
    let broken = verdicts.filter(|verdict| !verdict.holds);
    broken.map(|verdict| verdict.name).collect()
}

const NINE: &str = "The drug lowered pressure by 9 mmHg.";

#[test]
fn every_rule_is_broken_by_what_breaks_it_and_by_nothing_else() {
    let good = finding(NINE, &[("trial", NINE)]);
    let six = "The drug lowered pressure by 6 mmHg.";
    let other = finding(six, &[("letter", six)]);
    let mut calculated = finding("That is 4.5 mmHg a week.", &[("trial", NINE)]);
    let nothing: [&str; 0] = [];
    assert_eq!(broken(&[], &[]), nothing);
    assert_eq!(broken(std::slice::from_ref(&good), &[]), nothing);
    assert_eq!(
        broken(&[finding("It does.", &[])], &[]),
        ["facts_have_evidence"]
    );
    assert_eq!(
        broken(std::slice::from_ref(&calculated), &[]),
        ["numbers_are_quoted"]
    );
    calculated.kind = FindingKind::Calculation;
    assert_eq!(broken(&[calculated], &[]), nothing);
    assert_eq!(
        broken(&[good.clone(), good.clone()], &[]),
        ["nothing_is_said_twice"]
    );
    assert_eq!(
        broken(&[finding("It fell.", &[("trial", "9 mmHg")])], &[]),
        ["quotes_say_something"]
    );
    let both = [good, other];
    assert_eq!(broken(&both, &[]), ["contradictions_are_told"]);
    assert_eq!(
        broken(&both, &["9 mmHg", "6 mmHg"]),
        ["contradictions_are_told"]
    );
    assert_eq!(broken(&both, &["9 mmHg or 6 mmHg?"]), nothing);
}

#[test]
fn a_number_of_a_name_needs_no_quote_and_writing_does_not_matter() {
    let of_name = finding(
        "CAIRN-2 enrolled 1204 adults.",
        &[("a", "We enrolled 1,204.0 adults")],
    );
    assert_eq!(broken(&[of_name], &[]), Vec::<String>::new());
}

#[test]
fn numbers_are_at_odds_only_on_the_same_thing_at_the_same_time() {
    let odds = |one: &str, other: &str| numbers_at_odds(one, other).is_some();
    assert!(odds(
        "The bridge carries 40 tonnes.",
        "The bridge carries 25 tonnes."
    ));
    assert!(odds(
        "Dredging would cost $40 million.",
        "Dredging would cost $65 million."
    ));
    assert!(!odds(
        "The bridge carries 40 tonnes.",
        "The bridge carries 41 tonnes."
    ));
    assert!(!odds(
        "The bridge carries 40 tonnes.",
        "The bridge carries 25 lorries."
    ));
    assert!(!odds(
        "The bridge carries 40 tonnes.",
        "The ferry takes 25 tonnes."
    ));
    assert!(!odds(
        "In 2019 sales were 40 units.",
        "In 2021 sales were 65 units."
    ));
    assert!(!odds(
        "The bridge was built in 1961.",
        "The bridge was built in 1998."
    ));
}

fn signs_of(purpose: Purpose, change: impl Fn(&mut Value)) -> adjutant_mission::Signs {
    let mut answer = samples::answer(purpose);
    change(&mut answer);
    let output = Output::read(purpose, answer).unwrap();
    signs(&output, &samples::input(purpose))
}

#[test]
fn support_is_counted() {
    let of = |evidence: Value| {
        let findings =
            json!([{ "text": "x", "kind": "fact", "evidence": evidence, "confidence": 1 }]);
        let signs = signs_of(Purpose::Think, |answer| {
            answer["findings"] = findings.clone();
        });
        signs.support.unwrap()
    };
    assert_eq!(of(json!([])), Ppm(0));
    let quote = |source: &str| json!({ "source": source, "quote": "nothing of what was wanted" });
    // One source, one quote, no word of the question: 0.6 × 0.4 + 0.15 × 0.5.
    assert_eq!(of(json!([quote("a")])), Ppm(315_000));
    assert_eq!(of(json!([quote("a"), quote("b")])), Ppm(540_000));
    assert_eq!(
        of(json!([quote("a"), quote("b"), quote("c")])),
        Ppm(660_000)
    );
    // Two of the question's four words: drug, lower, pressure, clinic.
    let telling = json!([{ "source": "a", "quote": "the drug and the pressure" }]);
    assert_eq!(of(telling), Ppm(440_000));
}

#[test]
fn a_thought_tells_whether_it_is_settled_and_how_well_it_stands() {
    let signs = signs_of(Purpose::Think, |answer| answer["settled"] = json!(true));
    assert!(signs.settled);
    assert_eq!(signs.sure, Some(Ppm(600_000)));
    assert_eq!(signs.rules, Some(Ppm(1_000_000)));
    let bare = signs_of(Purpose::Think, |answer| {
        answer["findings"][0]["evidence"] = json!([]);
    });
    assert_eq!((bare.rules, bare.settled), (Some(Ppm(800_000)), false));
}

#[test]
fn scores_stand_in_the_order_of_the_thoughts() {
    let signs = signs_of(Purpose::Weigh, |answer| {
        answer["scores"].as_array_mut().unwrap().reverse();
    });
    assert_eq!(signs.scores, [Ppm(700_000), Ppm(400_000)]);
    assert_eq!(signs.rules, None);
}

#[test]
fn a_split_tells_how_many_and_a_choice_what_to_call() {
    assert_eq!(signs_of(Purpose::Split, |_| {}).parts, 1);
    let acted = signs_of(Purpose::Act, |_| {});
    let call = acted.call.unwrap();
    assert_eq!(call.tool.as_str(), "L5-PS");
    assert_eq!(call.with.text(), "{\"query\":\"drug pressure\"}");
    assert!(!acted.settled);
    for tool in [json!(null), json!("L5-XX")] {
        let nothing = signs_of(Purpose::Act, |answer| answer["tool"] = tool.clone());
        assert_eq!((nothing.call, nothing.settled), (None, true));
    }
}

#[test]
fn arguments_are_one_object_in_a_text() {
    for with in ["", "[]", "null", "{", "{} {}"] {
        let mut answer = samples::answer(Purpose::Act);
        answer["with"] = json!(with);
        assert!(Output::read(Purpose::Act, answer).is_err(), "{with}");
    }
}
