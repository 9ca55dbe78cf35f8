//! Languages of single sentences, and what is not told.

use super::*;

/// What is not certain may stay `unsure`, but nothing may be taken for another language.
#[test]
fn sentences_of_thirteen_languages() {
    let mut right = 0;
    let mut all = 0;
    let mut unsure = Vec::new();
    let mut wrong = Vec::new();
    for line in include_str!("../reference/languages.tsv").lines() {
        let (code, text) = line.split_once('\t').unwrap();
        let answer = ask_json(json!({ "process": "language", "text": text }));
        all += 1;
        match answer["language"].as_str().unwrap() {
            found if found == code => right += 1,
            "unsure" => unsure.push(format!("{code}: {text} {}", answer["unsure"])),
            found => wrong.push(format!("{found} and not {code}: {text}")),
        }
    }
    println!(
        "{right} of {all} right, {} unsure, {} wrong",
        unsure.len(),
        wrong.len()
    );
    assert!(all >= 100);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        right * 100 >= all * 92,
        "{right} of {all}\n{}",
        unsure.join("\n")
    );
}

#[test]
fn short_text_is_not_guessed() {
    for text in [
        "Hello",
        "Paracetamol 500",
        "OK",
        "Status: offen",
        "12.5 mg",
        "ABC-123 XYZ",
    ] {
        let answer = ask_json(json!({ "process": "language", "text": text }));
        assert_eq!(answer["language"], "unsure", "{answer}");
        assert!(answer["unsure"]["reason"].is_string());
    }
}

#[test]
fn several_languages_are_told_by_paragraph() {
    let text = "The study was stopped early because of slow enrolment.\n\nDie Studie wurde wegen zu geringer Beteiligung \
                vorzeitig beendet.\n\nL'étude a été arrêtée plus tôt que prévu.";
    let answer = ask_json(json!({ "process": "language", "text": text }));
    let codes: Vec<&str> = answer["paragraphs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|paragraph| paragraph["language"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["en", "de", "fr"]);
    assert!(
        answer["notes"][0]
            .as_str()
            .unwrap()
            .contains("several languages")
    );
}
