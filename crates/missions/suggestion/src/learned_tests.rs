#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use super::*;

const TABLE: &str = "(tools)\tkiln\tpress\n(always)\t0\t0:-300,-200 1:-300,-200\nclay\t200\t0:200,150\nclay pot\t300\t1:,100\nprint\t200\t1:250,250\n";

fn wanted<'a>(learned: &'a Learned, intent: &str) -> Vec<(&'a str, bool)> {
    let wanted = learned.wanted(intent, |_| true);
    let taken = wanted.tools.into_iter().filter(|tool| tool.is_taken);
    taken.map(|tool| (tool.tool, tool.begins)).collect()
}

#[test]
fn every_line_that_the_program_was_built_with_is_read() {
    let text = include_str!("../data/learned.txt");
    let read = Learned::parse(text).unwrap();
    assert!(read.tools().len() > 50 && read.signs() > 1_000);
    let written: Vec<&str> = lines(text).collect();
    assert_eq!(read.render().lines().collect::<Vec<_>>(), written);
}

#[test]
fn what_was_learned_is_written_and_read_as_it_was() {
    let learned = Learned::parse(TABLE).unwrap();
    assert_eq!(learned.render(), TABLE);
    for broken in [
        "kiln\tclay",
        "clay\tmuch\t0:1,1",
        "clay\t100\t2:1,1",
        "clay\t100\t0:1",
        "clay\t100\t0:1,1\tmore",
    ] {
        let table = format!("{TABLE}{broken}\n");
        assert_eq!(Learned::parse(&table), Err(broken.to_owned()));
    }
    assert!(Learned::parse("(tools)\tkiln\n").is_err());
}

#[test]
fn words_speak_for_a_tool_and_for_beginning_with_it() {
    let learned = Learned::parse(TABLE).unwrap();
    assert_eq!(wanted(&learned, "Fire the clay"), [("kiln", true)]);
    assert_eq!(wanted(&learned, "Print it"), [("press", true)]);
    assert_eq!(wanted(&learned, "Sell the house"), []);
    let certain = |intent: &str| learned.wanted(intent, |_| true).certainty;
    assert!(certain("Fire the clay") > 0.9);
    // A tool that is not there is wanted by nothing.
    let there = learned.wanted("Fire the clay", |tool| tool == "press");
    assert!(there.tools.iter().all(|tool| !tool.is_taken), "{there:?}");
}

#[test]
fn with_which_tool_work_begins_depends_on_the_others_that_are_used() {
    let table = "(tools)\tkiln\tpress\n(always)\t0\t0:200,-200 1:200,-200\n(together)\t0-1:100\n(beside)\t1-0:-600\nclay\t200\t0:,150\nprint\t200\t1:,250\n";
    let learned = Learned::parse(table).unwrap();
    assert_eq!(learned.render(), table);
    assert_eq!(wanted(&learned, "Print it"), [("press", true)]);
    let both = wanted(&learned, "Print on the clay");
    assert_eq!(both, [("kiln", true), ("press", false)]);
    for broken in ["(together)\t0-2:1", "(beside)\t0:1", "(beside)\t0-1"] {
        assert!(Learned::parse(&format!("{table}{broken}\n")).is_err());
    }
}

#[test]
fn a_tool_that_is_used_with_a_wanted_one_is_taken_sooner() {
    let taken = |together: i32| -> Vec<String> {
        let table = format!(
            "(tools)\tkiln\tpress\n(always)\t0\t0:200,-200 1:200,-50\n(together)\t0-1:{together}\nclay\t200\t0:,250\n"
        );
        let learned = Learned::parse(&table).unwrap();
        let taken = wanted(&learned, "Fire the clay").into_iter();
        taken.map(|(tool, _)| tool.to_owned()).collect()
    };
    assert_eq!(taken(0), ["kiln"]);
    assert_eq!(taken(500), ["kiln", "press"]);
}

#[test]
fn an_intent_says_its_words_what_stands_together_and_its_form() {
    let said = said("Chart the sales of lamps.csv, please?");
    let said: Vec<&str> = said.keys().map(String::as_str).collect();
    for sign in [
        "=file",
        "=question",
        "=several",
        "=short",
        "chart",
        "sale",
        "the sale",
    ] {
        assert!(said.contains(&sign), "{sign}: {said:?}");
    }
    assert!(!said.contains(&"=number"));
}

#[test]
fn a_long_intent_counts_no_more_than_a_short_one() {
    let learned = Learned::parse(TABLE).unwrap();
    let length = |intent: &str| -> f64 {
        let seen = learned.seen(intent);
        seen.iter().map(|(_, much)| much * much).sum::<f64>()
    };
    let short = length("clay");
    assert!((short - length("clay and more clay, a clay pot to print")).abs() < 1e-6);
}
