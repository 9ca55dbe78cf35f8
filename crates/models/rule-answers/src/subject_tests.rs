use adjutant_questions::Source;

use super::{Aliases, Subject, strengths};
use crate::text::words;

fn source(id: &str, title: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        published: None,
    }
}

fn called<'a>(aliases: &'a Aliases, name: &str) -> Vec<&'a str> {
    aliases.other_names(name).collect()
}

#[test]
fn what_stands_in_brackets_behind_a_name_is_another_name() {
    let texts = [
        "Velmoran 5 mg tablets (velordrostat) are sold in five countries.",
        "Acidosis (Brennholt) was seen (rarely), and 206 of them (women) fell.",
    ];
    let aliases = Aliases::read(texts.into_iter());
    assert_eq!(called(&aliases, "Velmoran"), ["velordrostat"]);
    assert_eq!(called(&aliases, "velordrostat"), ["velmoran"]);
    assert!(called(&aliases, "them").is_empty(), "neither is a name");
}

#[test]
fn what_is_set_apart_from_it_is_not_the_same() {
    let texts = [
        "Velmoran (placebo) tablets look alike.",
        "206 had Velmoran or placebo.",
    ];
    assert!(called(&Aliases::read(texts.into_iter()), "Velmoran").is_empty());
}

#[test]
fn strengths_with_and_without_a_space() {
    let told = |text: &str| -> Vec<(f64, String)> {
        let found = strengths(text, &words(text)).into_iter();
        found.map(|at| (at.value, at.unit)).collect()
    };
    assert_eq!(
        told("20 mg or 40mg"),
        [(20.0, "mg".to_owned()), (40.0, "mg".to_owned())]
    );
    assert_eq!(told("after 24 months, week 12, mg"), []);
}

#[test]
fn another_strength_is_something_else() {
    let sources = [
        source(
            "a#1",
            "Safety report: Velmoran 5 mg tablets",
            "Twelve fell.",
        ),
        source(
            "b#1",
            "Trial report",
            "Velmoran 40 mg was given to 106. Many had 25 mg of spironolactone.",
        ),
    ];
    let subject = Subject::new("How safe is Velmoran 40 mg?", &sources);
    let is_about_another = |at: usize, text: &str| subject.is_about_another(&sources[at], text);
    assert!(
        is_about_another(0, "Twelve fell."),
        "its title names another strength"
    );
    assert!(!is_about_another(1, "Twelve fell."));
    assert!(is_about_another(
        1,
        "The 5 mg immediate-release tablet is sold."
    ));
    assert!(!is_about_another(
        1,
        "5 mg and 40 mg were compared, Velmoran 5 mg being the old one."
    ));
    assert!(
        !is_about_another(1, "Many had 25 mg of spironolactone."),
        "not a strength of it"
    );
    let any = Subject::new("How safe is Velmoran?", &sources);
    assert!(
        !any.is_about_another(&sources[0], "Twelve fell."),
        "no strength was asked for"
    );
}

#[test]
fn a_name_that_ends_alike_is_another_of_the_kind() {
    let sources = [
        source("a", "", "Velmoran (velordrostat) lowers pressure."),
        source(
            "b",
            "News",
            "In the larger trial tavodrostat lowered pressure by 8.6 mmHg.",
        ),
        source(
            "c",
            "Zephrane files tavodrostat",
            "Potassium was high in 1.6% of patients.",
        ),
    ];
    let subject = Subject::new("Should we go on with Velmoran?", &sources);
    assert!(subject.is_about_another(&sources[1], &sources[1].text));
    assert!(
        subject.is_about_another(&sources[2], &sources[2].text),
        "by its title"
    );
    assert!(!subject.is_about_another(&sources[1], "Unlike tavodrostat, velordrostat is old."));
    assert!(!subject.is_about_another(&sources[0], &sources[0].text));
}
