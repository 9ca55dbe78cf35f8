//! What is found in a corpus a person can read.

use adjutant_knowledge_index::{
    Entry, Form, Language, Query, TermOrigin, Way, Ways, language, search,
};

use crate::corpus::{document, entry, index, number, paragraph, readable};

fn found(entries: &[Entry], text: &str) -> Vec<u8> {
    search(&index(entries), &Query::new(text, 10))
        .hits
        .iter()
        .map(|hit| number(hit.document))
        .collect()
}

#[test]
fn questions_find_their_passages() {
    let entries = readable();
    for (question, expected) in [
        ("How is hydrogen stored?", 1),
        ("inspecting tanks", 2),
        ("weld testing", 2),
        ("When must I hand in a receipt?", 3),
        ("Wie lagert man Wasserstoff?", 4),
        ("behalter", 4),
        ("vegetarian dish", 5),
    ] {
        assert_eq!(
            found(&entries, question).first(),
            Some(&expected),
            "{question}"
        );
    }
}

#[test]
fn small_words_count_only_where_there_is_nothing_else() {
    let entries = readable();
    assert_eq!(
        found(&entries, "the canteen of the"),
        found(&entries, "canteen")
    );
    assert!(!found(&entries, "the").is_empty());
    assert!(found(&entries, "").is_empty());
    assert!(found(&entries, "?!").is_empty());
}

#[test]
fn a_word_nobody_has_is_taken_for_the_nearest() {
    let entries = readable();
    assert_eq!(found(&entries, "hydorgen").first(), Some(&1));
    assert_eq!(found(&entries, "steeltanks").first(), Some(&2));
    let hits = search(&index(&entries), &Query::new("vegetarain", 1)).hits;
    let term = &hits[0].explained.terms[0];
    assert_eq!(
        (term.term.as_str(), term.origin),
        ("vegetarain: vegetarian", TermOrigin::Spelled)
    );
    let mut exact = Query::new("vegetarain", 1);
    exact.ways = Ways::only([Way::Words]);
    assert!(search(&index(&entries), &exact).hits.is_empty());
}

#[test]
fn a_word_in_the_title_is_worth_more_than_one_in_the_text() {
    let entries = [
        paragraph(1, "Cables", "A note on pumps and on many other things."),
        paragraph(2, "Pumps", "A note on cables and on many other things."),
    ];
    assert_eq!(found(&entries, "pumps"), [2, 1]);
}

#[test]
fn a_row_is_found_by_the_head_of_its_table() {
    let row = vec!["cell"; 100].join(" ");
    let made = document(
        None,
        &[
            (Form::RowHead, "Name Price"),
            (Form::Row, &row),
            (Form::Row, &row),
            (Form::Row, "valve 7"),
            (Form::Row, &row),
            (Form::Row, &row),
        ],
    );
    let hits = search(&index(&[entry(1, &made)]), &Query::new("price valve", 10)).hits;
    assert_eq!(hits[0].chunk, 1);
    assert_eq!(hits[0].explained.terms[0].in_body, 1);
}

#[test]
fn signs_without_spaces_are_found_by_pairs() {
    let entries = [
        paragraph(1, "", "氢气储存在钢制容器中。"),
        paragraph(2, "", "员工必须提交旅行收据。"),
    ];
    assert_eq!(found(&entries, "钢制容器").first(), Some(&1));
    assert_eq!(found(&entries, "收据").first(), Some(&2));
}

#[test]
fn a_passage_that_repeats_another_steps_back() {
    let text = "Hydrogen tanks are inspected every two years by the works council.";
    let entries = [
        paragraph(1, "Rules", text),
        paragraph(2, "Rules", text),
        paragraph(
            3,
            "Rules",
            "Hydrogen tanks may be inspected by others at the weekend, if asked for in writing.",
        ),
        paragraph(4, "Canteen", "Noon."),
        paragraph(5, "Garden", "Roses."),
    ];
    assert_eq!(found(&entries, "hydrogen tanks inspected years"), [2, 3, 1]);
}

#[test]
fn expansion_reaches_a_passage_without_the_words() {
    let entries = [
        paragraph(1, "", "Embrittlement of steel comes from hydrogen."),
        paragraph(
            2,
            "",
            "Embrittlement of steel pipes by hydrogen was seen early.",
        ),
        paragraph(3, "", "Hydrogen makes pipes crack."),
        paragraph(4, "", "The canteen opens at noon."),
        paragraph(5, "", "Rail travel is preferred."),
        paragraph(6, "", "Roses are watered at dawn."),
        paragraph(7, "", "Receipts are due in May."),
        paragraph(8, "", "Doors are locked at night."),
        paragraph(9, "", "Visitors sign the book."),
        paragraph(10, "", "Lamps are switched off."),
        paragraph(11, "", "Bikes stand in the yard."),
        paragraph(12, "", "Keys hang on the wall."),
    ];
    assert_eq!(found(&entries, "embrittlement"), [1, 2, 3]);
}

#[test]
fn languages_are_told_apart() {
    for (text, expected) in [
        (
            "The pressure in the tank must be measured every day.",
            Language::English,
        ),
        (
            "Der Druck im Behälter muss jeden Tag gemessen werden.",
            Language::German,
        ),
        (
            "La pression du réservoir doit être mesurée chaque jour.",
            Language::French,
        ),
        (
            "La presión del depósito debe medirse todos los días.",
            Language::Spanish,
        ),
        (
            "Давление в баке следует измерять каждый день.",
            Language::Russian,
        ),
        (
            "タンク内の圧力は毎日測定しなければならない。",
            Language::Japanese,
        ),
        ("x7", Language::English),
        ("", Language::English),
    ] {
        assert_eq!(language(text), expected, "{text}");
    }
}
