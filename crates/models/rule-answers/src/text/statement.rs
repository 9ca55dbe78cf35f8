//! Whether a stretch of text states something by itself: a whole sentence, and no heading, field, row or question.

use super::{is_stop_word, number, words};

/// Fewer words seldom state anything; with a plain verb and a full stop three may.
const WORDS_MIN: usize = 4;
const PLAIN_WORDS_MIN: usize = 3;
/// How many words may stand before a colon for them to be a label: `Decision: the bridge is closed.`
const LABEL_WORDS_MAX: usize = 3;

/// Forms that only verbs have, and that are not also nouns in most texts.
const FINITE: &[&str] = &[
    "am", "are", "be", "been", "can", "cannot", "could", "did", "do", "does", "had", "has", "have",
    "is", "may", "might", "must", "shall", "should", "was", "were", "will", "would",
];
/// Past forms without `ed`, and present forms that are told from plurals by being listed.
const VERBS: &[&str] = &[
    "agree",
    "agrees",
    "allow",
    "allows",
    "applies",
    "apply",
    "ask",
    "asks",
    "became",
    "become",
    "becomes",
    "began",
    "begin",
    "begins",
    "belongs",
    "bought",
    "broke",
    "brought",
    "built",
    "came",
    "chose",
    "comes",
    "confirm",
    "confirms",
    "consists",
    "contain",
    "contains",
    "cost",
    "costs",
    "cover",
    "covers",
    "cut",
    "decide",
    "decides",
    "depend",
    "depends",
    "did",
    "differ",
    "differs",
    "drew",
    "ends",
    "exceed",
    "exceeds",
    "expect",
    "expects",
    "expires",
    "fell",
    "felt",
    "find",
    "finds",
    "follow",
    "follows",
    "found",
    "gave",
    "get",
    "gets",
    "give",
    "gives",
    "goes",
    "got",
    "grew",
    "happens",
    "held",
    "hold",
    "holds",
    "include",
    "includes",
    "kept",
    "knew",
    "know",
    "knows",
    "lack",
    "lacks",
    "lapses",
    "lasts",
    "lay",
    "lead",
    "leads",
    "led",
    "left",
    "let",
    "lets",
    "lies",
    "lost",
    "made",
    "make",
    "makes",
    "mean",
    "means",
    "meant",
    "meet",
    "meets",
    "met",
    "need",
    "needs",
    "occur",
    "occurs",
    "oppose",
    "paid",
    "pays",
    "propose",
    "proposes",
    "put",
    "puts",
    "ran",
    "reach",
    "reaches",
    "read",
    "reads",
    "receive",
    "receives",
    "recommend",
    "recommends",
    "refers",
    "relates",
    "remain",
    "remains",
    "require",
    "requires",
    "rests",
    "rise",
    "rises",
    "rose",
    "run",
    "runs",
    "said",
    "sank",
    "sat",
    "saw",
    "say",
    "says",
    "see",
    "seem",
    "seems",
    "sees",
    "sent",
    "set",
    "sets",
    "show",
    "shown",
    "shows",
    "shrank",
    "sold",
    "spent",
    "split",
    "spoke",
    "stand",
    "stands",
    "state",
    "states",
    "stay",
    "stays",
    "stood",
    "suggest",
    "suggests",
    "support",
    "supports",
    "take",
    "takes",
    "taught",
    "tell",
    "tells",
    "thinks",
    "thought",
    "told",
    "took",
    "understood",
    "use",
    "uses",
    "want",
    "wants",
    "went",
    "withdrew",
    "won",
    "work",
    "works",
    "wrote",
];
/// After a form in `s` these show that it was a verb: `carries the`, `stores 400`.
const AFTER_VERBS: &[&str] = &[
    "a", "about", "all", "an", "any", "at", "both", "each", "every", "her", "his", "how", "it",
    "its", "no", "not", "only", "our", "that", "the", "their", "them", "these", "this", "those",
    "to", "up", "us", "what", "whether",
];
/// Headings begin so; as questions they end with a question mark.
const ASKING: &[&str] = &[
    "how", "what", "when", "where", "whether", "which", "who", "why",
];

/// Whether a text reads as a whole sentence.
pub(crate) fn states(text: &str) -> bool {
    let text = text.trim();
    if text.contains('|') || text.contains('\t') || text.matches(": ").count() > 1 {
        return false;
    }
    let bare = text.trim_end_matches(['"', '\'', '”', '’', ')', ']', '*', '_', '»']);
    if bare.ends_with(['?', ':', ';', ',', '-', '–', '…']) {
        return false;
    }
    let ended = bare.ends_with(['.', '!', '。', '！']);
    let said = after_label(text);
    let words = words(said);
    let Some(first) = words.first() else {
        return false;
    };
    let signs = first
        .text
        .chars()
        .all(|char| !char.is_ascii() && !char.is_lowercase());
    if signs && !first.text.chars().any(char::is_uppercase) && ended {
        // Scripts without capitals have no spaces between words either.
        return words.len() >= WORDS_MIN;
    }
    let opens = first
        .text
        .starts_with(|char: char| char.is_uppercase() || char.is_ascii_digit());
    if !opens || words.len() < PLAIN_WORDS_MIN {
        return false;
    }
    let small: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let names: usize = words
        .iter()
        .filter(|word| word.text.starts_with(char::is_lowercase))
        .count();
    // A row of names and numbers states nothing, however it ends.
    if names * 3 < words.len() {
        return false;
    }
    let finite = small.iter().any(|word| {
        FINITE.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n’t")
    });
    if words.len() < WORDS_MIN {
        return finite && ended;
    }
    if !ended {
        return finite && !ASKING.contains(&small[0].as_str());
    }
    let known = small.iter().filter(|word| is_stop_word(word)).count();
    let english = known > 1 || text.is_ascii();
    finite || !english || has_verb(&small)
}

/// Whether a stretch of text has a verb that makes it a clause.
pub(crate) fn is_clause(text: &str) -> bool {
    words(text).iter().any(|word| {
        let small = word.text.to_lowercase();
        FINITE.contains(&small.as_str()) || VERBS.contains(&small.as_str())
    })
}

/// What stands behind a short label, or all of it.
pub(crate) fn after_label(text: &str) -> &str {
    match text.split_once(": ") {
        Some((label, rest))
            if words(label).len() <= LABEL_WORDS_MAX && rest.starts_with(char::is_uppercase) =>
        {
            rest
        }
        _ => text,
    }
}

/// Any verb but in the first place, where a heading has its participle: `Closed at 16:40.`
fn has_verb(small: &[String]) -> bool {
    (1..small.len()).any(|at| {
        let word = small[at].as_str();
        let past = word.len() > 4 && word.ends_with("ed");
        let before_object = small
            .get(at + 1)
            .is_some_and(|next| AFTER_VERBS.contains(&next.as_str()) || number(next).is_some());
        let present = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        VERBS.contains(&word) || past || (present && before_object)
    })
}

#[cfg(test)]
#[path = "statement_tests.rs"]
mod tests;
