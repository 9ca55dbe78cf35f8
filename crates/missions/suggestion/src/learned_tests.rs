#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use super::*;

fn signs(tool: &str, fit: f64) -> ToolSigns {
    ToolSigns {
        tool: tool.into(),
        fit,
        is_chosen: false,
    }
}

fn said(terms: &[&str]) -> BTreeMap<String, f64> {
    terms.iter().map(|term| ((*term).to_owned(), 1.0)).collect()
}

#[test]
fn every_line_that_the_program_was_built_with_is_read() {
    let read = Learned::parse(include_str!("../data/learned.txt"));
    assert!(read.is_ok(), "{read:?}");
}

#[test]
fn what_was_learned_is_written_and_read_as_it_was() {
    let text = "*\t(fits)\t210\nkiln\t(always)\t-300\nkiln\tfire clay\t150\n";
    let learned = Learned::parse(text).unwrap();
    assert_eq!(learned.render(), text);
    assert_eq!(learned.tools().collect::<Vec<_>>(), ["kiln"]);
    for broken in ["kiln\tclay", "kiln\tclay\tmuch", "kiln\tclay\t1\t2"] {
        assert_eq!(Learned::parse(broken), Err(broken.to_owned()));
    }
}

#[test]
fn words_speak_for_a_tool_and_nothing_is_said_of_a_tool_that_was_not_learned() {
    let learned =
        Learned::parse("*\t(fits)\t200\nkiln\t(always)\t-300\nkiln\tclay\t400\n").unwrap();
    let chance = |fit, terms: &[&str]| learned.chance(&signs("kiln", fit), &said(terms)).unwrap();
    assert!(chance(0.0, &["paper"]) < 0.1);
    assert!(chance(0.0, &["clay"]) > 0.7);
    assert!(chance(1.0, &["clay"]) > chance(0.0, &["clay"]));
    assert_eq!(learned.chance(&signs("press", 1.0), &said(&["clay"])), None);
}

#[test]
fn an_intent_says_its_words_what_it_is_about_and_what_they_have_to_do_with() {
    let parts = crate::clauses::clauses("Chart the sales about lamps");
    let said = super::said(&parts);
    assert!(
        said.keys().any(|term| !term.starts_with(['@', '~'])),
        "{said:?}"
    );
    assert!(
        said.keys().any(|term| term.starts_with("@lamp")),
        "{said:?}"
    );
    assert!(said.keys().filter(|term| term.starts_with('~')).count() == 100);
    let none = super::said(&crate::clauses::clauses("Qxzv zzxq"));
    assert!(none.keys().all(|term| !term.starts_with('~')), "{none:?}");
}
