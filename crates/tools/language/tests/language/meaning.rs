//! Phrases, outcomes and comparisons on texts whose answer is plain.

use super::*;

#[test]
fn the_phrase_that_is_repeated_comes_first() {
    let text = "Heart failure is common. Treatment of heart failure has changed. Patients with heart failures live longer. A new valve was \
                tested last spring. The valve was small.";
    let answer = ask_json(json!({ "process": "phrases", "text": text }));
    let first = &answer["phrases"][0];
    assert_eq!(
        first["text"].as_str().unwrap().to_lowercase(),
        "heart failure"
    );
    assert_eq!(first["count"], 3);
    assert_eq!(first["score"], 1.0);
    let variants = first["variants"].as_array().unwrap();
    assert!(variants.contains(&json!("heart failures")), "{first}");
    let none = ask_json(json!({ "process": "phrases", "text": text, "count": 2 }));
    assert_eq!(none["phrases"].as_array().unwrap().len(), 2);
}

#[test]
fn outcomes_are_judged_by_what_changes() {
    let cases = [
        ("The drug reduced mortality.", "improved"),
        ("Survival was reduced in the treated group.", "worsened"),
        ("Pain scores improved within two weeks.", "improved"),
        ("Symptoms worsened after the second dose.", "worsened"),
        (
            "There was no significant difference between the groups.",
            "no_difference",
        ),
        ("The drug did not improve the outcome.", "no_difference"),
        ("Two patients died.", "harm"),
        ("No serious adverse events were matched.", "no_harm"),
        ("The risk of stroke was increased.", "worsened"),
        ("The response rate was higher with the drug.", "improved"),
        (
            "The drug did not reduce the risk of relapse.",
            "no_difference",
        ),
        (
            "Mortality fell, but bleeding was more frequent and toxicity was severe.",
            "mixed",
        ),
    ];
    for (text, outcome) in cases {
        let answer = ask_json(json!({ "process": "sentiment", "text": text, "about": "clinical" }));
        assert_eq!(
            answer["sentences"][0]["outcome"], outcome,
            "{text}: {answer}"
        );
        assert!(
            !answer["sentences"][0]["because"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
    let none = ask_json(
        json!({ "process": "sentiment", "text": "The study had two arms and one site.", "about": "clinical" }),
    );
    assert_eq!(none["outcomes"]["not_stated"], 1);
}

#[test]
fn opinions_carry_their_warning() {
    let answer = ask_json(
        json!({ "process": "sentiment", "text": "The staff were wonderful. The food was terrible. The room was a room." }),
    );
    assert_eq!(answer["sentences"][0]["label"], "positive");
    assert_eq!(answer["sentences"][1]["label"], "negative");
    assert_eq!(answer["sentences"][2]["label"], "neutral");
    assert!(
        answer["notes"][0]
            .as_str()
            .unwrap()
            .contains("NOT FOR CLINICAL FACTS")
    );
}

#[test]
fn two_texts_differ_in_their_numbers() {
    let one = "The trial enrolled 412 patients with heart failure. Mortality was 12.4% in the treated group.";
    let two = "The trial enrolled 421 patients with heart failure. Mortality was 12.4% in the control group.";
    let answer = ask_json(json!({ "process": "compare", "text": one, "other": two }));
    assert_eq!(answer["numbers_only_in_text"], json!(["412"]));
    assert_eq!(answer["numbers_only_in_other"], json!(["421"]));
    assert!(answer["similarity"].as_f64().unwrap() > 0.8);
    let same = ask_json(json!({ "process": "compare", "text": one, "other": one }));
    assert_eq!(same["similarity"], 1.0);
    assert_eq!(same["only_in_text"], json!([]));
}

#[test]
fn values_are_brought_to_one_form() {
    let value = |text: &str| {
        ask_json(json!({ "process": "entities", "text": text }))["entities"][0]["value"].clone()
    };
    assert_eq!(value("On 3 March 2019 it began."), "2019-03-03");
    assert_eq!(value("Am 3. Mai 2021 begann es."), "2021-05-03");
    assert_eq!(value("Le 14 juillet 2020."), "2020-07-14");
    assert_eq!(
        value("On 03/04/2021 it began."),
        json!({ "either": ["2021-04-03", "2021-03-04"] })
    );
    assert_eq!(value("On 25/04/2021 it began."), "2021-04-25");
    assert_eq!(value("for 12 weeks"), "P12W");
    assert_eq!(
        value("It cost $4.2 billion."),
        json!({ "amount": 4_200_000_000_i64, "currency": "USD" })
    );
    assert_eq!(value("p<0.001"), json!({ "relation": "<", "p": 0.001 }));
    assert_eq!(
        value("95% CI 0.65 to 0.91"),
        json!({ "level": 95, "low": 0.65, "high": 0.91 })
    );
    assert_eq!(
        value("HR 0.72"),
        json!({ "measure": "hazard ratio", "value": 0.72 })
    );
    let dose = json!({ "amount": 5, "unit": "mg", "frequency": "twice daily", "times_a_day": 2 });
    assert_eq!(value("5 mg twice daily"), dose);
    // The last digit is wrong, so it is no CAS number.
    assert_eq!(
        value("50-78-3 and 7732-18-5"),
        json!({ "scheme": "CAS", "id": "7732-18-5" })
    );
    assert_eq!(
        value("30 February 2020 is no day, 1 March 2020 is."),
        "2020-03-01"
    );
}
