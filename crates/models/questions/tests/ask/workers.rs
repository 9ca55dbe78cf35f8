//! What answers of workers owe: quotes, ways to test, conditions, numbers of the sources; and how others read them.

use adjutant_mission::{MicroUsd, Millis};
use adjutant_questions::{Answer, Finding, Finish, Output, Purpose, Tokens, unfounded};
use serde_json::{Value, json};

use crate::samples;

const OF_WORKERS: [Purpose; 5] = [
    Purpose::Hypothesize,
    Purpose::Causes,
    Purpose::Flag,
    Purpose::Scenarios,
    Purpose::Summarize,
];

fn told(purpose: Purpose, place: &str, value: Value) -> Vec<String> {
    let mut answer = samples::answer(purpose);
    *answer.pointer_mut(place).unwrap() = value;
    let output = Output::read(purpose, answer).unwrap();
    unfounded(&samples::input(purpose), &output)
}

#[test]
fn an_entry_without_a_quote_is_sent_back() {
    for (purpose, place, wanted) in [
        (
            Purpose::Hypothesize,
            "/hypotheses/0/evidence",
            "rests on no quote",
        ),
        (
            Purpose::Causes,
            "/causes/0/evidence",
            "has no sentence that states it",
        ),
        (Purpose::Flag, "/flags/0/evidence", "has no quote"),
        (
            Purpose::Scenarios,
            "/scenarios/0/conditions/0/evidence",
            "has no quote",
        ),
        (
            Purpose::Scenarios,
            "/scenarios/0/outcomes/0/evidence",
            "has no quote",
        ),
        (
            Purpose::Scenarios,
            "/scenarios/0/conditions",
            "needs a condition",
        ),
    ] {
        let told = told(purpose, place, json!([]));
        assert!(told.len() == 1 && told[0].contains(wanted), "{told:?}");
    }
}

#[test]
fn a_hypothesis_that_nothing_could_refute_is_sent_back() {
    for field in ["would_support", "would_refute", "test"] {
        let told = told(
            Purpose::Hypothesize,
            &format!("/hypotheses/0/{field}"),
            json!(" "),
        );
        assert!(told[0].contains("cannot be tested"), "{told:?}");
    }
}

#[test]
fn a_cause_is_not_its_own_effect() {
    let told = told(Purpose::Causes, "/causes/0/effect", json!("The Drug "));
    assert!(told[0].contains("is its own effect"), "{told:?}");
}

#[test]
fn a_number_that_no_source_has_is_sent_back() {
    for (purpose, place) in [
        (Purpose::Hypothesize, "/hypotheses/0/statement"),
        (Purpose::Causes, "/causes/0/cause"),
        (Purpose::Causes, "/causes/0/effect"),
        (Purpose::Flag, "/flags/0/what"),
        (Purpose::Scenarios, "/scenarios/0/name"),
        (Purpose::Scenarios, "/scenarios/0/conditions/0/text"),
        (Purpose::Scenarios, "/scenarios/0/outcomes/0/text"),
    ] {
        assert_eq!(
            told(purpose, place, json!("It took 77 days.")),
            ["no source has the number 77"]
        );
        let known = told(purpose, place, json!("There were 412 of them."));
        assert_eq!(known, Vec::<String>::new());
    }
}

/// Later tasks read `findings`, whoever worked on it; and the answer can still be read as what it is.
#[test]
fn entries_are_kept_as_findings_too() {
    for purpose in OF_WORKERS {
        assert!(purpose.adds_findings());
        let output = samples::output(purpose);
        let answer = Answer {
            output: output.clone(),
            text: String::new(),
            tokens: Tokens::default(),
            cost: MicroUsd::ZERO,
            model: "offline".to_owned(),
            provider: "offline".to_owned(),
            latency: Millis::ZERO,
            finish: Finish::Stop,
            prompt: None,
            left_out: Vec::new(),
            notice: String::new(),
        };
        let kept = answer.result();
        let findings: Vec<Finding> = serde_json::from_value(kept["findings"].clone()).unwrap();
        assert_eq!(findings.len(), 1, "{}", purpose.name());
        assert!(!findings[0].evidence.is_empty());
        assert_eq!(Output::read_result(purpose, kept).unwrap(), output);
    }
    let others = Purpose::ALL.iter().filter(|at| !OF_WORKERS.contains(at));
    for purpose in others {
        assert!(!purpose.adds_findings());
        assert_eq!(samples::output(*purpose).as_findings(), None);
    }
}

#[test]
fn a_cause_is_told_in_one_line() {
    let line = |strength: &str| {
        let mut answer = samples::answer(Purpose::Causes);
        answer["causes"][0]["strength"] = json!(strength);
        match Output::read(Purpose::Causes, answer).unwrap() {
            Output::Causes(found) => found.causes[0].in_words(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(line("stated"), "Pressure. Lowered by: the drug");
    assert_eq!(
        line("suspected"),
        "Pressure. Suspected lowered by: the drug"
    );
    assert_eq!(line("denied"), "Pressure. Ruled out as a cause: the drug");
}

#[test]
fn a_document_is_told_once_in_its_own_sentences() {
    let evidence = |source: &str, quote: &str| json!({ "source": source, "quote": quote });
    let own = evidence("trial", "We enrolled 412 adults.");
    for (sentences, wanted) in [
        (json!([]), "has 0 sentences"),
        (json!([own, own, own, own]), "has 4 sentences"),
        (
            json!([evidence("letter", "did not lower pressure")]),
            "in a sentence of another one",
        ),
        (
            json!([evidence("trial", "We enrolled 500 adults.")]),
            "does not say",
        ),
    ] {
        let told = told(Purpose::Summarize, "/documents/0/sentences", sentences);
        assert!(told.len() == 1 && told[0].contains(wanted), "{told:?}");
    }
    let twice = samples::answer(Purpose::Summarize)["documents"][0].clone();
    let told = told(Purpose::Summarize, "/documents", json!([twice, twice]));
    assert!(told[0].contains("is told twice"), "{told:?}");
}

#[test]
fn an_issue_names_what_it_is_about() {
    for (place, value, wanted) in [
        ("/issues/0/source", json!("rumour"), "no source `rumour`"),
        ("/issues/1/other", json!("rumour"), "no source `rumour`"),
        ("/issues/1/other", json!(null), "needs the other source"),
        ("/issues/2/claim", json!(null), "needs the claim"),
        (
            "/issues/2/claim",
            json!("It heals."),
            "no claim `It heals.`",
        ),
    ] {
        let told = told(Purpose::Cite, place, value);
        assert!(told.len() == 1 && told[0].contains(wanted), "{told:?}");
    }
}
