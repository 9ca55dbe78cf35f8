//! What leaves for people: patients are replaced, authors and figures stay.

use std::collections::BTreeMap;

use adjutant_redact::{Kind, Leaving, Outgoing, OutgoingPolicy};

const KEY: [u8; 32] = [7; 32];

fn redacted(policy: OutgoingPolicy, texts: &[&str]) -> (Vec<String>, BTreeMap<Kind, usize>) {
    let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let mut leaving: Vec<_> = texts.iter_mut().map(Leaving::text).collect();
    let counts = Outgoing::new(policy, Some(KEY)).redact(&mut leaving);
    (texts, counts)
}

#[test]
fn patients_are_replaced_in_all_texts() {
    let (texts, counts) = redacted(
        OutgoingPolicy::Identifiers,
        &[
            "K.T.W. and Brennecke recovered; 14.02.1957 is in the file.",
            "Patient K.T.W., born 14.02.1957, had a potassium of 6.4 mmol/l.",
            "Patient Hildegard Brennecke, born on 14 February 1957, had 5.9 mmol/l.",
            "Mrs. Anna Weber wrote from anna.weber@example.org.",
        ],
    );
    for value in ["K.T.W", "1957", "Brennecke", "Hildegard", "Weber", "@"] {
        assert!(!texts.concat().contains(value), "{value} is in {texts:?}");
    }
    assert!(texts[1].ends_with(", had a potassium of 6.4 mmol/l."));
    assert!(texts[1].starts_with("Patient [NAME_"), "{}", texts[1]);
    let expected = [(Kind::Email, 1), (Kind::BirthDate, 2), (Kind::Name, 3)];
    assert_eq!(counts, BTreeMap::from(expected));
}

/// A report full of marks is useless.
#[test]
fn authors_and_figures_and_dates_of_studies_stay() {
    let texts = [
        "Weber et al. (2019) enrolled 4,512 patients between 12 March 2015 and 3 May 2018.",
        "Anna Weber, John Miller. Potassium under Corvane. N Engl J Med 2019;380:11-22.",
        "Prof. Anna Weber of the Charité presented the results on 14.02.2021.",
        "NCT04512345; doi:10.1056/NEJMoa1234567; PMID 31234567; EudraCT 2015-001234-56.",
        "The sponsor, Acme Pharma, 50 Northern Avenue, Boston, MA 02210, stopped it.",
        "HR 0.82 (95 % CI 0.74–0.91), p = 0.0003, at 10.0.0.1.",
        "Patient B and subject 12 recovered within 30 days.",
    ];
    let (after, counts) = redacted(OutgoingPolicy::Identifiers, &texts);
    assert_eq!(after, texts);
    assert!(counts.is_empty());
    let (after, _) = redacted(OutgoingPolicy::All, &texts);
    assert!(after[2].starts_with("Prof. [NAME_"), "{}", after[2]);
}

#[test]
fn nothing_is_replaced_if_it_is_off() {
    let text = "Patient K.T.W., born 14.02.1957.";
    let (texts, counts) = redacted(OutgoingPolicy::Off, &[text]);
    assert_eq!((texts[0].as_str(), counts.len()), (text, 0));
}

#[test]
fn a_value_in_two_pieces_is_replaced_once() {
    let mut pieces = ["Patient ", "K.T.", "W.", ", born 14.02.1957."].map(str::to_owned);
    let leaving = Leaving::pieces(pieces.iter_mut().collect());
    Outgoing::new(OutgoingPolicy::Identifiers, None).redact(&mut [leaving]);
    assert_eq!(pieces, ["Patient ", "[NAME]", "", ", born [BORN]."]);
}

#[test]
fn a_label_says_what_a_date_is() {
    let mut texts = ["1961-03-12", "1961-03-12", "AB", "Corvane"].map(str::to_owned);
    let [born, seen, letters, drug] = &mut texts;
    let mut outgoing = Outgoing::new(OutgoingPolicy::Identifiers, None);
    outgoing.redact(&mut [Leaving::text(seen).labelled("last_visit")]);
    outgoing.redact(&mut [
        Leaving::text(born).labelled("date_of_birth"),
        Leaving::text(letters).labelled("Patient initials"),
    ]);
    outgoing.redact(&mut [Leaving::text(drug).labelled("Patient")]);
    assert_eq!(texts, ["[BORN]", "1961-03-12", "[NAME]", "Corvane"]);
}

#[test]
fn what_was_replaced_once_is_replaced_in_what_follows() {
    let mut outgoing = Outgoing::new(OutgoingPolicy::Identifiers, Some(KEY));
    let mut texts = ["Patient K.T.W., born 14.02.1957.", "K.T.W. left."].map(str::to_owned);
    for text in &mut texts {
        outgoing.redact(&mut [Leaving::text(text)]);
    }
    let name = &texts[0]["Patient ".len()..texts[0].find(']').unwrap_or(0) + 1];
    assert_eq!(texts[1], format!("{name} left."));
    let mut author = "Smith K.T.W. Lancet 2019.".to_owned();
    outgoing.redact(&mut [Leaving::text(&mut author)]);
    assert_eq!(author, "Smith K.T.W. Lancet 2019.", "somebody else");
}
