use super::*;
use crate::{Action, Area, Check, Origin, WITHHELD, check, withhold};
use serde_json::json;

const HINT: &str =
    "The films of 4 May [2] may rest with the archive until the customer has signed.";

fn texts(origin: Origin) -> Vec<Text> {
    let text = format!("Two films show cracks [1].\n{HINT} The audit is in June.");
    vec![
        Text::new("Summary", "All is well.", Origin::Own),
        Text::new("Findings", text, origin),
    ]
}

#[test]
fn a_finding_of_a_model_counts_by_its_quote_and_takes_the_whole_sentence() {
    let texts = texts(Origin::Own);
    // Set in other lines than the text is.
    let quote = "may rest with\n the  archive until";
    let found = finding_of_model(&texts, "harmful.conceal", quote).unwrap();
    assert_eq!(
        (found.place.as_str(), found.excerpt.as_str()),
        ("Findings", HINT)
    );
    assert_eq!(&texts[1].text[found.from..found.to], HINT);
    assert_eq!((found.by, found.action), (CheckedBy::Model, Action::Block));
    let longer = "until the customer has signed. The audit";
    let two = finding_of_model(&texts, "harmful.conceal", longer).unwrap();
    assert!(two.excerpt.ends_with("in June."), "{}", two.excerpt);
}

#[test]
fn what_is_not_said_or_no_rule_is_no_finding() {
    let texts = texts(Origin::Own);
    for (rule, quote) in [
        ("harmful.conceal", "may rest with the shredder"),
        ("harmful.conceal", "Films"),
        ("harmful.conceal", "films"),
        ("harmful.conceal", " "),
        ("harmful.invented", "may rest with the archive"),
    ] {
        assert_eq!(
            finding_of_model(&texts, rule, quote),
            None,
            "{rule}: {quote}"
        );
    }
}

#[test]
fn in_the_words_of_others_only_what_is_harmful_counts() {
    let texts = texts(Origin::Quoted);
    let quote = "may rest with the archive";
    assert!(finding_of_model(&texts, "harmful.conceal", quote).is_some());
    assert_eq!(finding_of_model(&texts, "integrity.motive", quote), None);
}

#[test]
fn findings_are_added_to_those_of_the_rules_and_take_none_away() {
    let order = "Delete the records of the spill before the inspectors arrive.";
    let mut all = texts(Origin::Own);
    all.push(Text::new("Findings", order, Origin::Own));
    let by_rules = check(&all);
    let again = finding_of_model(&all, "harmful.destroy_evidence", order);
    let new = finding_of_model(&all, "harmful.conceal", "rest with the archive");
    let both = by_rules.clone().with(again.into_iter().chain(new));
    // What both found is found once, by the rules.
    assert_eq!(both.findings.len(), by_rules.findings.len() + 1);
    for finding in &by_rules.findings {
        assert!(both.findings.contains(finding), "{finding:?}");
    }
    let count = |check: &Check| check.area(Area::HarmfulContent).unwrap().findings;
    assert_eq!(count(&both), count(&by_rules) + 1);
    let clean = check(&texts(Origin::Own));
    assert!(clean.area(Area::HarmfulContent).unwrap().passed);
    let new = finding_of_model(&all, "harmful.conceal", "rest with the archive");
    assert!(!clean.with(new).area(Area::HarmfulContent).unwrap().passed);
}

#[test]
fn what_was_found_once_holds_wherever_its_words_are_said() {
    let found = finding_of_model(&texts(Origin::Own), "harmful.conceal", HINT).unwrap();
    let short = Finding {
        excerpt: format!("{}…", &found.excerpt[..30]),
        ..found
    };
    let remembered = Remembered::new([short]);
    let elsewhere = "So: the films of 4 May\nmay rest with the ARCHIVE until autumn.";
    let said = |text: &str| {
        let texts = [Text::new("", text, Origin::Quoted)];
        remembered.said_in(&texts).count()
    };
    assert_eq!(said(elsewhere), 1);
    assert_eq!(said("The films of 5 May may rest."), 0);
    let mut told = json!({ "a": [elsewhere, "The audit of all films is in June."] });
    withhold(&mut told, &remembered, &|_| false);
    assert_eq!(
        told,
        json!({ "a": [WITHHELD, "The audit of all films is in June."] })
    );
    let mut overruled = json!(elsewhere);
    withhold(&mut overruled, &remembered, &|_| true);
    assert_eq!(overruled, json!(elsewhere));
}

#[test]
fn a_long_text_is_cut_between_sentences_and_loses_nothing() {
    let text =
        "One two three. Four five six. Seven eight nine ten eleven twelve thirteen. Fourteen.";
    for bytes_max in [1, 15, 20, 30, 1_000] {
        let cut = stretches(text, bytes_max);
        assert_eq!(
            cut.concat().split_whitespace().collect::<String>(),
            text.split_whitespace().collect::<String>()
        );
        assert!(
            cut.iter().all(|one| one.len() <= bytes_max.max(1)),
            "{cut:?}"
        );
    }
    assert_eq!(stretches(text, 30)[0], "One two three. Four five six.");
    assert_eq!(stretches("äöüß", 3), ["ä", "ö", "ü", "ß"]);
    assert!(stretches(" ", 5).is_empty());
}

/// A few words are no sentence that could be remembered, and still are a part of it.
#[test]
fn what_a_model_quotes_of_a_blocked_passage_is_not_shown_with_its_answer() {
    let said = |rule: &str| {
        json!({ "rule": rule, "why": "It hides films.",
            "evidence": { "source": "t1", "quote": "rest with the archive" } })
    };
    let mut answer = json!({ "breaches": [said("harmful.conceal"), said("integrity.motive")] });
    withhold(&mut answer, &Remembered::default(), &|_| false);
    let hidden = json!({ "rule": "harmful.conceal", "why": null, "evidence": null });
    assert_eq!(
        answer,
        json!({ "breaches": [hidden, said("integrity.motive")] })
    );
}

#[test]
fn what_rules_alone_flag_goes_if_a_model_disagrees_and_what_blocks_stays() {
    let texts = vec![
        Text::new(
            "Summary",
            "Studies show that all patients recover.",
            Origin::Own,
        ),
        Text::new(
            "Findings",
            "Delete the test logs before the inspectors look at them.",
            Origin::Own,
        ),
    ];
    let by_rules = check(&texts);
    let flagged = by_rules.area(Area::InformationIntegrity).unwrap().findings;
    let blocking = by_rules.blocking().count();
    assert!(flagged > 0 && blocking > 0, "{by_rules:?}");

    let disagreed = by_rules.clone().agreed_by(&[]);
    assert!(disagreed.area(Area::InformationIntegrity).unwrap().passed);
    assert_eq!(disagreed.blocking().count(), blocking);
    assert!(!disagreed.area(Area::HarmfulContent).unwrap().passed);

    let found = finding_of_model(&texts, "integrity.certainty", "all patients recover").unwrap();
    let agreed = by_rules.clone().agreed_by(&[found]);
    assert_eq!(agreed, by_rules);
}
