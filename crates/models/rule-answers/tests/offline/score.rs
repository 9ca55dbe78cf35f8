use adjutant_questions::{Criterion, Input, Item, Output, Preference, Ranked, Score, Source};

use crate::dossiers::answered;

fn scored(
    items: &[(&str, &[(&str, f64)])],
    criteria: &[(&str, f64, Preference)],
    text: &str,
) -> Vec<Ranked> {
    let items = items.iter().map(|(name, values)| Item {
        name: (*name).to_owned(),
        values: values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
    });
    let criteria = criteria.iter().map(|(name, weight, prefers)| Criterion {
        name: (*name).to_owned(),
        weight: *weight,
        prefers: *prefers,
    });
    let sources = vec![Source {
        id: "s".to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }];
    let input = Input::Score(Score {
        items: items.collect(),
        criteria: criteria.collect(),
        sources,
    });
    match answered(&input) {
        Output::Score(output) => output.ranking,
        other => panic!("{other:?}"),
    }
}

fn shown(ranking: &[Ranked]) -> Vec<(&str, Option<f64>)> {
    ranking
        .iter()
        .map(|ranked| (ranked.item.as_str(), ranked.score))
        .collect()
}

#[test]
fn given_numbers_are_weighed_by_preference() {
    let items: &[(&str, &[(&str, f64)])] = &[
        ("Quay A", &[("cost", 40.0), ("depth", 7.0)]),
        ("Quay B", &[("cost", 60.0), ("depth", 11.0)]),
        ("Quay C", &[("cost", 50.0), ("depth", 11.0)]),
    ];
    let criteria = [
        ("cost", 1.0, Preference::Less),
        ("depth", 3.0, Preference::More),
    ];
    let ranking = scored(items, &criteria, "");
    assert_eq!(
        shown(&ranking),
        [
            ("Quay C", Some(87.5)),
            ("Quay B", Some(75.0)),
            ("Quay A", Some(25.0))
        ]
    );
}

#[test]
fn numbers_of_the_sources_count_where_none_are_given() {
    let text = "Heron answered 1,200 requests a second. Magpie answered 5,300 requests a second.";
    let criteria = [("requests", 1.0, Preference::More)];
    let ranking = scored(&[("Heron", &[]), ("Magpie", &[])], &criteria, text);
    assert_eq!(
        shown(&ranking),
        [("Magpie", Some(100.0)), ("Heron", Some(0.0))]
    );
    assert_eq!(ranking[0].parts[0].evidence.len(), 1);
    let turned = scored(
        &[("Heron", &[]), ("Magpie", &[])],
        &criteria,
        &text.replace("5,300", "530"),
    );
    assert_eq!(turned[0].item, "Heron");
}

#[test]
fn judgements_in_words_count_where_there_are_no_numbers() {
    let text = "Maintenance costs of Heron are high. Maintenance costs of Magpie are low.";
    let criteria = [("maintenance costs", 1.0, Preference::Less)];
    let ranking = scored(&[("Heron", &[]), ("Magpie", &[])], &criteria, text);
    assert_eq!(ranking[0].item, "Magpie");
    assert!(ranking[0].score > ranking[1].score);
}

#[test]
fn what_is_not_known_is_not_scored() {
    let criteria = [("noise", 1.0, Preference::Less)];
    let ranking = scored(
        &[("Heron", &[]), ("Magpie", &[("noise", 3.0)])],
        &criteria,
        "Heron is a bird.",
    );
    assert_eq!(ranking[1].item, "Heron");
    assert_eq!(ranking[1].score, None);
    assert_eq!(ranking[1].parts[0].reason, "Nothing is known of it.");
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let criteria = [
        ("cost", f64::NAN, Preference::More),
        ("depth", f64::MAX, Preference::Less),
    ];
    let items: &[(&str, &[(&str, f64)])] = &[
        ("A", &[("depth", f64::MAX), ("cost", f64::NAN)]),
        ("B", &[("depth", f64::MIN)]),
    ];
    let ranking = scored(items, &criteria, "");
    assert_eq!(shown(&ranking), [("B", Some(100.0)), ("A", Some(0.0))]);
}
