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

/// Words for what nobody has settled or answered.
const UNSETTLED: &[&str] = &[
    "contested",
    "contradict",
    "contradictory",
    "contradictions",
    "dispute",
    "disputed",
    "disputes",
    "unanswered",
    "unclear",
    "unresolved",
    "unsettled",
];
/// Words before an indirect question, and how many words may introduce one.
const TELLING: &[&str] = &[
    "and",
    "clarify",
    "determine",
    "establish",
    "explain",
    "report",
    "say",
    "show",
    "state",
    "tell",
];
const INTRODUCTION_WORDS_MAX: usize = 5;
/// Words that an indirect question begins with: `find out why the roof leaks`.
const INDIRECT: &[&str] = &[
    "how", "what", "when", "where", "whether", "which", "who", "why",
];

/// The parts of an objective that want an answer: its questions, and what it wants to be found out without asking.
pub fn parts(objective: &str) -> Vec<String> {
    let mut found = Vec::new();
    for range in sentences(objective) {
        let sentence = objective[range].trim();
        match sentence.ends_with('?') {
            true => found.extend(joined(sentence)),
            false => found.extend(indirect(sentence)),
        }
    }
    found
}

/// `Find out why it leaks, and which rooms are wet.`: two questions. Nothing of a sentence that tells something.
fn indirect(sentence: &str) -> Vec<String> {
    let all = words(sentence);
    let small = |at: usize| sentence[all[at].clone()].to_lowercase();
    let begins = |at: usize| INDIRECT.contains(&small(at).as_str());
    let follows = |at: usize| {
        let before = sentence[..all[at].start].trim_end();
        at == 0 || before.ends_with(',') || matches!(small(at - 1).as_str(), "and" | "or")
    };
    // Behind `Find out` or `say`: not `on the day when it rained`.
    let Some(first) = (0..all.len().min(INTRODUCTION_WORDS_MAX)).find(|at| begins(*at)) else {
        return later(sentence, &all);
    };
    let rest = (first + 1..all.len()).filter(|at| begins(*at) && follows(*at));
    let starts: Vec<usize> = std::iter::once(first)
        .chain(rest)
        .map(|at| all[at].start)
        .collect();
    cut(sentence, &starts)
}

/// `Assess the risks, and say which of them matter.`: the question behind a verb of telling.
fn later(sentence: &str, all: &[std::ops::Range<usize>]) -> Vec<String> {
    let small: Vec<String> = all
        .iter()
        .map(|word| sentence[word.clone()].to_lowercase())
        .collect();
    let at = small.windows(2).position(|pair| {
        TELLING.contains(&pair[0].as_str()) && INDIRECT.contains(&pair[1].as_str())
    });
    at.map_or_else(Vec::new, |at| cut(sentence, &[all[at + 1].start]))
}

fn cut(sentence: &str, starts: &[usize]) -> Vec<String> {
    let ends = starts.iter().skip(1).copied().chain([sentence.len()]);
    let pieces = starts.iter().zip(ends).map(|(start, end)| {
        let piece = sentence[*start..end].trim_matches([',', '.', ' ']);
        let piece = piece
            .strip_suffix(" and")
            .or(piece.strip_suffix(" or"))
            .unwrap_or(piece);
        format!("{}?", piece.trim_matches([',', ' ']))
    });
    pieces.collect()
}

/// Whether a question asks what is in dispute or without an answer.
pub fn asks_what_is_unsettled(question: &str) -> bool {
    let small = question.to_lowercase();
    let mut all = words(&small).into_iter();
    all.any(|word| UNSETTLED.contains(&&small[word]))
}

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
    use super::{asks_what_is_owed, asks_what_is_unsettled, parts, questions};

    #[test]
    fn what_is_to_be_found_out_is_asked() {
        assert_eq!(
            parts("Find out why the roof leaks, and which rooms are wet. Who pays?"),
            ["why the roof leaks?", "which rooms are wet?", "Who pays?"]
        );
        assert_eq!(
            parts("Assess the risks of a storm in spring, and say which walls hold today."),
            ["which walls hold today?"]
        );
        assert!(parts("Assess the risks of a storm on the day when we open.").is_empty());
    }

    #[test]
    fn what_is_in_dispute_is_asked_in_many_words() {
        assert!(asks_what_is_unsettled("which points are still disputed?"));
        assert!(!asks_what_is_unsettled("which points are on the agenda?"));
    }

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
