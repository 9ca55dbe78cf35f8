//! The promises of the crate: figures on the committed set, nothing left behind, everything back.
#![expect(
    clippy::expect_used,
    reason = "a test that panics is a test that fails"
)]

mod score;

use adjutant_redact::{Kind, Pseudonyms, Table, find};
use proptest::prelude::*;
use score::{Half, Set};

const KEY: [u8; 32] = [7; 32];
const OTHER_KEY: [u8; 32] = [8; 32];

fn set() -> Set {
    Set::read(include_str!("set.jsonl")).expect("the set is JSON lines")
}

#[test]
fn the_set_is_what_it_says() {
    let set = set();
    assert_eq!(set.lines.len(), 500);
    for line in &set.lines {
        assert!(
            line.found
                .iter()
                .all(|(_, value)| line.text.contains(value)),
            "{line:?}"
        );
    }
    assert!(
        set.lines
            .iter()
            .filter(|line| line.found.is_empty())
            .count()
            >= 150
    );
}

#[test]
fn precision_and_recall_have_a_floor() {
    for half in [Half::Tuned, Half::HeldOut] {
        let scores = set().score(half);
        let all = scores.all();
        assert!(
            all.precision() >= 0.98 && all.recall() >= 1.0,
            "{half:?}: {:#?}",
            scores.problems
        );
        for kind in Kind::ALL {
            let score = scores.by_kind.get(&kind).copied().unwrap_or_default();
            assert!(score.hit >= 5, "{half:?} has too few of {kind:?}");
            assert!(
                score.precision() >= 0.95,
                "{half:?} {kind:?}: {:#?}",
                scores.problems
            );
        }
    }
}

#[test]
fn no_found_value_of_the_set_remains() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let set = set();
    for line in &set.lines {
        let redacted = pseudonyms.redact(&line.text);
        for found in &redacted.found {
            let value = &line.text[found.span.clone()];
            if value.len() > 6 {
                assert!(
                    !redacted.text.contains(value),
                    "{value:?} is left in {:?}",
                    redacted.text
                );
            }
        }
    }
}

#[test]
fn a_control_character_is_no_part_of_a_value() {
    let text = "Street:\u{e}0";
    for one in find(text) {
        assert!(!text[one.span.clone()].contains('\u{e}'), "{one:?}");
    }
}

/// What is found in a line of its own is found among others too.
#[test]
fn the_lines_around_hide_nothing() {
    let set = set();
    let texts: Vec<&str> = set.lines.iter().map(|line| line.text.as_str()).collect();
    let mut hidden = Vec::new();
    for around in texts.chunks(20) {
        let whole = around.join("\n");
        let found: Vec<&str> = find(&whole)
            .iter()
            .map(|one| &whole[one.span.clone()])
            .collect();
        for text in around {
            for one in find(text) {
                let value = &text[one.span.clone()];
                if !found.iter().any(|of| of.contains(value)) {
                    hidden.push(value.to_owned());
                }
            }
        }
    }
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn the_set_comes_back_letter_for_letter() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    for line in &set().lines {
        let redacted = pseudonyms.redact(&line.text);
        assert_eq!(pseudonyms.restore(&redacted.text), line.text);
    }
}

#[test]
fn one_value_has_one_pseudonym_in_a_mission_and_another_elsewhere() {
    let text = "Write to anna.weber@example.org today.";
    let mut pseudonyms = Pseudonyms::new(KEY);
    let first = pseudonyms.redact(text).text;
    assert_eq!(pseudonyms.redact(text).text, first);
    assert_eq!(Pseudonyms::new(KEY).redact(text).text, first);
    assert_ne!(Pseudonyms::new(OTHER_KEY).redact(text).text, first);
    assert!(
        first.starts_with("Write to [EMAIL_") && first.ends_with("] today."),
        "{first}"
    );
}

fn code(pseudonym: &str) -> &str {
    pseudonym
        .trim_matches(['[', ']'])
        .split(['_', '-'])
        .nth(1)
        .unwrap_or("")
}

#[test]
fn forms_of_one_name_share_a_code() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let mut named = |text: &str| {
        let redacted = pseudonyms.redact(text);
        assert_eq!(redacted.found.len(), 1, "{text}: {redacted:?}");
        let start = redacted.text.find('[').expect("a pseudonym");
        let end = redacted.text.find(']').expect("a pseudonym");
        code(&redacted.text[start..=end]).to_owned()
    };
    let anna = named("Anna Weber called.");
    assert_eq!(named("It was Dr. Weber who called."), anna);
    assert_eq!(named("It was A. Weber who called."), anna);
    assert_eq!(named("Weber, Anna"), anna);
    assert_ne!(named("Peter Weber called."), anna);
    // Now there are two whom it may mean.
    assert_ne!(
        named("It was Prof. Weber, said the nurse."),
        named("Klara Fischer called.")
    );
    assert_eq!(named("It was A. Weber again."), anna);
}

#[test]
fn a_value_found_once_is_replaced_where_nothing_gives_it_away() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let first = pseudonyms.redact("MRN 00482913 was opened.").text;
    let pseudonym =
        &first[first.find('[').expect("a pseudonym")..=first.find(']').expect("a pseudonym")];
    assert_eq!(
        pseudonyms.redact("see 00482913 above").text,
        format!("see {pseudonym} above")
    );
}

#[test]
fn a_models_liberties_are_forgiven() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let redacted = pseudonyms.redact("anna.weber@example.org").text;
    let bare = redacted.trim_matches(['[', ']']).to_owned();
    let escaped = format!("\\[{}\\]", bare.replace('_', "\\_"));
    for written in [
        redacted.clone(),
        redacted.to_lowercase(),
        bare.clone(),
        escaped,
    ] {
        assert_eq!(
            pseudonyms.restore(&format!("({written}'s), \"{written}\"!")),
            "(anna.weber@example.org's), \"anna.weber@example.org\"!"
        );
    }
    assert_eq!(
        pseudonyms.restore(&format!("{{\"to\":\"{redacted}\"}}")),
        "{\"to\":\"anna.weber@example.org\"}"
    );
}

#[test]
fn forged_pseudonyms_stay_as_they_are() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let redacted = pseudonyms.redact("anna.weber@example.org").text;
    let longer = redacted.replace(']', "B]");
    let other_kind = redacted.replace("EMAIL", "NAME");
    let no_form = redacted.replace(']', "-2]");
    for forged in [
        "[EMAIL_222]",
        "[NAME_7Q3]",
        "[EMAIL_]",
        "[EMAIL_7Q3-0]",
        "EMAIL_7Q3_X",
        &longer,
        &other_kind,
        &no_form,
    ] {
        assert_eq!(pseudonyms.restore(forged), forged);
    }
}

#[test]
fn a_pseudonym_that_a_text_already_has_gets_no_meaning() {
    let value = "anna.weber@example.org";
    let usual = Pseudonyms::new(KEY).redact(value).text;
    let mut pseudonyms = Pseudonyms::new(KEY);
    let text = format!("{usual} and {value}");
    let redacted = pseudonyms.redact(&text).text;
    assert_eq!(pseudonyms.restore(&redacted), text);
    assert_ne!(redacted, format!("{usual} and {usual}"));
}

#[test]
fn redacted_text_is_redacted_no_further() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    for line in &set().lines {
        let once = pseudonyms.redact(&line.text).text;
        let twice = pseudonyms.redact(&once).text;
        assert_eq!(pseudonyms.restore(&twice), line.text);
    }
}

#[test]
fn a_kept_table_goes_on_where_it_was() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let text = "Anna Weber, MRN 00482913, wrote from 203.0.113.9; A. Weber signed.";
    let redacted = pseudonyms.redact(text).text;
    let kept = serde_json::to_string(pseudonyms.table()).expect("a table is JSON");
    let table: Table = serde_json::from_str(&kept).expect("a table comes back");
    let mut later = Pseudonyms::with_table(KEY, table);
    assert_eq!(later.restore(&redacted), text);
    assert_eq!(later.redact(text).text, redacted);
    assert_eq!(later.table(), pseudonyms.table());
}

#[test]
fn many_values_never_share_a_pseudonym() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..5_000 {
        let value = format!("user{number}@example.org");
        let redacted = pseudonyms.redact(&value).text;
        assert!(seen.insert(redacted.clone()), "{redacted} twice");
        assert_eq!(pseudonyms.restore(&redacted), value);
    }
}

#[test]
fn debug_shows_no_value() {
    let mut pseudonyms = Pseudonyms::new(KEY);
    pseudonyms.redact("Anna Weber");
    assert!(!format!("{pseudonyms:?} {:?}", pseudonyms.table()).contains("Weber"));
}

/// Texts that come near to personal data, so that the detectors' corners are reached.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[0-9]{1,19}",
        "[A-Z]{2}[0-9]{2}",
        "[ .,:;/+()@_\\[\\]\\\\\"'*#\n-]",
        "[A-Z]?[a-zéüß]{1,8}",
        proptest::sample::select(vec![
            "Anna",
            "Weber",
            "Dr",
            "MRN",
            "DOB",
            "born",
            "Street",
            "rue",
            "Address",
            "at",
            "dot",
            "Tel",
            "straße 5",
            "P.O. Box",
            "[NAME_7Q3]",
            "EMAIL_",
            "IBAN",
            "2001:db8::1",
            "10.0.0.1",
            "12.03.1961",
            "Dear",
            "et al.",
            "Patient",
            "van",
            "Passport",
            "DE89 3704 0044 0532 0130 00",
            "4111 1111 1111 1111",
            "a@b.org",
            "SSN",
            "536-90-4399",
            "年",
            "12MAR1961",
        ])
        .prop_map(str::to_owned),
        Just(" ".to_owned()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn findings_are_in_order_and_whole(text in text()) {
        let mut end = 0;
        for found in find(&text) {
            prop_assert!(found.span.start >= end && found.span.start < found.span.end);
            prop_assert!(text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end));
            prop_assert!(!text[found.span.clone()].contains(|character: char| character == '"' || character == '\\' || character.is_control()));
            end = found.span.end;
        }
    }

    #[test]
    fn any_text_comes_back(text in text()) {
        let mut pseudonyms = Pseudonyms::new(KEY);
        let redacted = pseudonyms.redact(&text);
        prop_assert_eq!(pseudonyms.restore(&redacted.text), text);
    }

    #[test]
    fn restoring_anything_is_total(text in text()) {
        let pseudonyms = Pseudonyms::new(KEY);
        prop_assert_eq!(pseudonyms.restore(&text), text);
    }
}

#[test]
fn what_one_text_gives_away_is_taken_out_of_the_others() {
    let texts = ["Patient: Anna Weber.", "Later Weber came back.", ""].map(str::to_owned);
    let redacted = adjutant_redact::all_with_kinds(&texts);
    assert_eq!(
        redacted,
        ["Patient: [NAME].", "Later [NAME] came back.", ""]
    );
    assert!(adjutant_redact::all_with_kinds(&[]).is_empty());
}
