use super::clauses;

fn texts(intent: &str) -> Vec<String> {
    clauses(intent)
        .into_iter()
        .map(|clause| clause.text)
        .collect()
}

#[test]
fn a_part_begins_where_a_verb_follows_a_joining_word() {
    assert_eq!(
        texts("Find trials of tea and coffee, then plot their sizes and save the plot to a.svg"),
        [
            "Find trials of tea and coffee,",
            "then plot their sizes",
            "and save the plot to a.svg"
        ]
    );
}

#[test]
fn quotes_stay_whole_and_abbreviations_end_nothing() {
    assert_eq!(
        texts("Detect the tone of \"It works. Then write to us.\" e.g. by sentence"),
        ["Detect the tone of \"It works. Then write to us.\" e.g. by sentence"]
    );
}

#[test]
fn an_intent_of_stop_words_has_no_parts() {
    assert!(clauses("and then to the").is_empty());
    assert!(clauses("").is_empty());
}
