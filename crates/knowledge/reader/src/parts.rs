//! The questions in an objective, one by one.

use adjutant_text::sentences::sentences;

use crate::words::words;

/// Words that a question begins with.
const OPENINGS: &[&str] = &[
    "are", "can", "could", "did", "do", "does", "had", "has", "have", "how", "is", "may", "must",
    "should", "was", "were", "what", "when", "where", "whether", "which", "who", "whom", "whose",
    "why", "will", "would",
];
/// Words for what somebody has undertaken, and words that ask what became of it.
const UNDERTAKEN: &[&str] = &[
    "action",
    "actions",
    "agreed",
    "commitment",
    "commitments",
    "conditions",
    "obligation",
    "obligations",
    "owed",
    "promise",
    "promised",
    "promises",
    "tasks",
    "undertaken",
    "undertakings",
];
const BECAME: &[&str] = &[
    "been",
    "carried",
    "complete",
    "completed",
    "done",
    "fulfilled",
    "honoured",
    "implemented",
    "kept",
    "met",
    "open",
    "outstanding",
    "overdue",
    "still",
];

/// The questions that an objective asks, each as one of its own; nothing if it asks none.
pub fn questions(objective: &str) -> Vec<String> {
    let mut found = Vec::new();
    for range in sentences(objective) {
        let sentence = objective[range].trim();
        if sentence.ends_with('?') {
            found.extend(joined(sentence));
        }
    }
    found
}

/// Splits "What caused it, and has it been mended?" where a second question begins.
fn joined(sentence: &str) -> Vec<String> {
    let small = sentence.to_lowercase();
    // Lower case may change the length of a text; then it stays whole.
    if small.len() != sentence.len() {
        return vec![sentence.to_owned()];
    }
    let all = words(&small);
    let mut starts = vec![0];
    for pair in all.windows(2) {
        let links = matches!(&small[pair[0].clone()], "and" | "or");
        let comma = small[..pair[0].start].trim_end().ends_with(',');
        if links && comma && OPENINGS.contains(&&small[pair[1].clone()]) {
            starts.push(pair[0].start);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([sentence.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| {
        let part = sentence[*start..end].trim_matches([',', '?', ' ']);
        let part = ["and ", "or "]
            .iter()
            .find_map(|link| part.strip_prefix(link).filter(|_| *start > 0))
            .unwrap_or(part);
        format!("{}?", part.trim())
    });
    parts.collect()
}

/// Whether a question asks what became of promises, tasks and conditions.
pub fn asks_what_is_owed(question: &str) -> bool {
    let small = question.to_lowercase();
    let all: Vec<&str> = words(&small).into_iter().map(|word| &small[word]).collect();
    let has = |list: &[&str]| all.iter().any(|word| list.contains(word));
    has(UNDERTAKEN) && has(BECAME)
}

#[cfg(test)]
mod tests {
    use super::{asks_what_is_owed, questions};

    #[test]
    fn two_questions_in_one_sentence_are_two() {
        assert_eq!(
            questions("What caused the fire, and has the cause been removed? Tell it briefly."),
            ["What caused the fire?", "has the cause been removed?"]
        );
    }

    #[test]
    fn a_list_in_a_question_is_one_question() {
        let one = "Which of the roof, the wall and the door are damaged?";
        assert_eq!(questions(one), [one]);
        let with_comma = "Who owns the boat, the car, and the house?";
        assert_eq!(questions(with_comma), [with_comma]);
    }

    #[test]
    fn an_objective_without_a_question_asks_none() {
        assert!(questions("Describe how the bridge is kept in repair.").is_empty());
    }

    #[test]
    fn what_became_of_promises_is_not_what_was_promised() {
        assert!(asks_what_is_owed(
            "Has everything that was promised been done?"
        ));
        assert!(asks_what_is_owed("Which actions are still open?"));
        assert!(!asks_what_is_owed("What was promised to the tenants?"));
        assert!(!asks_what_is_owed("When was the work done?"));
    }
}
