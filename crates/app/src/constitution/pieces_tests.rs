use adjutant_mission::{AgentLevel, Complexity};
use adjutant_questions::{Input, LevelFacts, Prompts, Purpose};

use super::*;

fn own(place: &str, text: &str) -> Text {
    Text::new(place, text, Origin::Judged)
}

#[test]
fn own_words_come_first_and_each_part_is_held_to_its_rules() {
    let texts = [
        Text::new("A letter", "Nobody is to hear of it.", Origin::Quoted),
        own("Findings", "It rose by a third [1]."),
        own("Findings", "It may rise again."),
        own("Findings", "It rose by a third [1]."),
        own("Findings", "Alone"),
    ];
    let cut = cut(&texts, 3);
    assert_eq!((cut.items.len(), cut.unread), (3, 0));
    let first = &cut.items[0];
    let told: Vec<(&str, &str)> = first
        .sources
        .iter()
        .map(|part| (part.title.as_str(), part.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("Findings", "It rose by a third [1].\n\nIt may rise again."),
            ("A letter", "Nobody is to hear of it."),
        ]
    );
    assert_eq!(first.quoted, ["t2"]);
    let has = |id: &str| first.rules.iter().any(|rule| rule.id == id);
    // The citations of a report are checked by others.
    assert!(has("bias.no_alternatives") && !has("integrity.no_source"));
    assert!(first.rules.iter().any(|rule| rule.for_quotes));
    assert_eq!(cut.items[1], Constitution::default());
}

#[test]
fn what_does_not_fit_is_counted_and_a_long_passage_is_cut() {
    let long = "Every sentence of this passage has eight words. ".repeat(400);
    let texts = [
        own("One", &long),
        own("Two", "It may rise again."),
        own("Three", &long),
    ];
    let whole = cut(&texts, PIECES_MAX);
    assert_eq!(whole.unread, 0);
    let words = |cut: &Cut| -> usize {
        let parts = cut.items.iter().flat_map(|item| &item.sources);
        parts.map(|part| part.text.split_whitespace().count()).sum()
    };
    // The same passage twice is one.
    assert_eq!(words(&whole), 400 * 8 + 4);
    let short = cut(&texts, 1);
    assert_eq!((short.items.len(), short.unread), (1, 2));
    assert!(words(&short) <= PIECE_WORDS_MAX);
    assert_eq!(
        cut(&texts, 0),
        Cut {
            items: vec![],
            unread: 2
        }
    );
}

/// Nothing of a piece is left out of its question.
#[test]
fn a_full_piece_fits_into_a_question_of_an_expert() {
    let words = "Hepatotoxicity of velmoran-7b was seen at 12.5 mg/kg in 3 of 41. ";
    let cut = cut(
        &[Text::new("Findings", words.repeat(2_000), Origin::Own)],
        2,
    );
    let input = Input::Constitution(cut.items[0].clone());
    let prompt = Prompts::built_in().unwrap().render(&input).unwrap();
    let schema = Purpose::Constitution.output_schema_text();
    let bound: u64 = [prompt.system.as_str(), &prompt.user, schema, schema]
        .into_iter()
        .map(token_bound)
        .sum();
    let limits = LevelFacts::of(AgentLevel::L2).limits(Complexity::default());
    assert!(bound + 200 < u64::from(limits.input_tokens_max), "{bound}");
}
