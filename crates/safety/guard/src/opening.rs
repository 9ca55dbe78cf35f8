//! Finds the verb of a command.

use crate::document::{Document, Sentence, VERBS, Word};

/// Words that may precede the verb of a command.
const LEADS: &[&str] = &[
    "also",
    "now",
    "then",
    "next",
    "finally",
    "first",
    "lastly",
    "and",
    "but",
    "so",
    "just",
    "instead",
    "additionally",
    "furthermore",
    "moreover",
    "hey",
    "hi",
    "hello",
    "dear",
    "ok",
    "okay",
    "well",
    "important",
    "note",
    "urgent",
    "attention",
    "task",
    "instruction",
    "instructions",
    "question",
    "ps",
    "assistant",
    "ai",
    "chatbot",
    "bot",
    "simply",
    "quickly",
    "seamlessly",
    "immediately",
    "always",
    "never",
    "don't",
    "hesitate",
    "to",
    "do",
    "not",
    "feel",
    "free",
    "be",
    "sure",
    "remember",
    "let's",
    "lets",
    "let",
    "us",
    "you",
    "must",
    "should",
    "can",
    "could",
    "would",
    "will",
    "may",
    "need",
    "have",
    "i",
    "want",
    "like",
    "d",
    "i'd",
    "agent",
    "try",
    "go",
    "ahead",
    "thanks",
    "thank",
    "e",
    "por",
    "favor",
    "s'il",
    "vous",
    "plait",
    "per",
    "favore",
    "together",
    "only",
    "once",
    "again",
    "carefully",
    "briefly",
    "directly",
    "help",
    "me",
    "system",
    "user",
    "human",
    "todo",
    "reminder",
    "prompt",
    "request",
    "ll",
    "you'll",
    "gentle",
    "friendly",
    "yo",
    "oh",
    "btw",
    "nvm",
    "u",
    "somewhere",
    "quick",
    "fyi",
    "action",
    "kthx",
];
/// Leading words that are skipped.
const LEADS_MAX: usize = 8;
/// Leading words that make a command only together with others: "I send" is no command, "I want you to send" is.
const BARE_LEADS: &[&str] = &[
    "i", "the", "of", "to", "you", "may", "can", "could", "would", "will", "should", "must",
    "have", "need", "want", "system", "user", "model", "agent",
];
/// A word followed by one of these is a noun, not a verb.
const NOUN_SIGNS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "of", "will", "may", "can", "does", "that's",
    "by",
];
/// Words that may stand between a subject and its verb.
const SUBJECT_WORDS_MAX: usize = 3;
/// After one of these, a finite verb belongs to another clause.
const OBJECT_SIGNS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "what",
    "how",
    "why",
    "who",
    "where",
    "when",
    "which",
    "whether",
    "if",
    "me",
    "us",
    "it",
    "them",
    "him",
    "her",
    "you",
    "i",
    "we",
    "they",
    "he",
    "she",
    "your",
    "my",
    "our",
    "their",
    "his",
    "its",
    "all",
    "everything",
    "and",
    "or",
    "but",
    "only",
    "with",
    "as",
    "to",
];
/// Length of the clauses before the verb.
const CLAUSE_WORDS_MAX: usize = 16;
/// Clauses that are skipped.
const CLAUSES_MAX: usize = 3;

/// The verb that opens a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening {
    /// Index among the sentence's words.
    pub(crate) word: usize,
    pub(crate) after_clause: bool,
}

/// Finds the verb at the start of the sentence or of one of its first clauses.
pub(crate) fn find_opening(document: &Document<'_>, sentence: &Sentence) -> Option<Opening> {
    let words = document.words_in(sentence);
    let text = |word: &Word| document.folded.get(word.span.clone()).unwrap_or_default();
    let after = |word: &Word| document.folded.get(word.span.end..).unwrap_or_default();
    let verb_at = |from: usize| -> Option<usize> {
        let mut at = from;
        let mut weight = 0;
        while let Some(word) = words.get(at) {
            let noun = is_subject(words.get(at + 1..).unwrap_or_default(), text)
                || after(word).starts_with([',', ':', '=', '(', '_', '.', '/', '-'])
                || (at + 1 == words.len() && at == from);
            let lead = LEADS.contains(&text(word));
            if word.classes.meets(VERBS)
                && !noun
                && !(lead && at + 1 < words.len() && text(word) == "help")
            {
                // "I send", "the use", "you can use" are not commands.
                return (weight >= 0).then_some(at);
            }
            if !lead || at - from >= LEADS_MAX {
                return None;
            }
            weight += bare_lead_weight(words, at, text);
            at += 1;
        }
        None
    };
    if let Some(word) = verb_at(0) {
        return Some(Opening {
            word,
            after_clause: false,
        });
    }
    let clauses = words.iter().take(CLAUSE_WORDS_MAX).enumerate();
    let mut clauses = clauses.filter(|(_, word)| ends_clause(after(word)));
    let word = clauses
        .by_ref()
        .take(CLAUSES_MAX)
        .find_map(|(clause, _)| verb_at(clause + 1))?;
    Some(Opening {
        word,
        after_clause: true,
    })
}

/// Whether a clause ends before `rest`.
fn ends_clause(rest: &str) -> bool {
    let rest = rest.trim_start_matches([')', ']', '"']);
    rest.starts_with([',', ':', ';', '!'])
        || [
            " - ", " -- ", " — ", " – ", " → ", " -> ", " => ", " = ", " >",
        ]
        .iter()
        .any(|sign| rest.starts_with(sign))
}

/// Whether a finite verb follows soon, without a possible object in between.
fn is_subject<'a>(after: &[Word], text: impl Fn(&Word) -> &'a str) -> bool {
    for (number, word) in after.iter().take(SUBJECT_WORDS_MAX).enumerate() {
        let word = text(word);
        if NOUN_SIGNS.contains(&word) && (number == 0 || word != "of" && word != "by") {
            return true;
        }
        if OBJECT_SIGNS.contains(&word) {
            return false;
        }
    }
    false
}

/// Negative if a bare lead lacks the words that make it a command ("you must", "I want you to").
fn bare_lead_weight<'a>(words: &[Word], at: usize, text: impl Fn(&Word) -> &'a str) -> i32 {
    let Some(word) = words.get(at) else { return 0 };
    let this = text(word);
    if !BARE_LEADS.contains(&this) {
        return 0;
    }
    let next = words.get(at + 1).map(&text).unwrap_or_default();
    let before = at
        .checked_sub(1)
        .and_then(|index| words.get(index))
        .map(&text)
        .unwrap_or_default();
    let orders = match this {
        "you" => {
            matches!(next, "must" | "should" | "need" | "have" | "will" | "to")
                || matches!(
                    before,
                    "can" | "could" | "would" | "will" | "want" | "like" | "need"
                )
        }
        "must" | "should" | "need" | "have" | "will" => before == "you" || next == "you",
        "can" | "could" | "would" => next == "you" || before == "i",
        "i" => matches!(next, "want" | "need" | "would"),
        "want" => before == "i",
        "to" => matches!(
            before,
            "you"
                | "have"
                | "need"
                | "sure"
                | "hesitate"
                | "free"
                | "remember"
                | "try"
                | "the"
                | "note"
                | "instruction"
        ),
        "system" | "user" | "model" | "agent" | "the" | "of" => true,
        _ => false,
    };
    if orders { 0 } else { -1 }
}

/// Verbs that open sentences in most manuals.
pub(crate) const COMMON_VERBS: &[&str] = &[
    "add",
    "use",
    "run",
    "create",
    "make",
    "check",
    "provide",
    "include",
    "open",
    "set",
    "change",
    "remove",
    "update",
    "keep",
    "find",
    "get",
    "call",
    "start",
    "stop",
    "allow",
    "move",
    "build",
    "implement",
    "install",
    "avoid",
    "ensure",
    "return",
    "replace",
    "rename",
    "drop",
    "follow",
    "consider",
    "note",
    "enable",
    "disable",
    "delete",
    "support",
    "fix",
    "improve",
    "ask",
    "review",
    "report",
    "give",
    "put",
    "turn",
    "apply",
    "click",
    "select",
    "choose",
    "read",
    "contact",
];

/// Words that start the object of a command.
const OBJECT_LEADS: &[&str] = &[
    "the",
    "a",
    "an",
    "your",
    "my",
    "our",
    "their",
    "his",
    "her",
    "its",
    "all",
    "every",
    "each",
    "any",
    "this",
    "that",
    "these",
    "those",
    "me",
    "us",
    "them",
    "it",
    "up",
    "out",
    "over",
    "into",
    "with",
    "for",
    "everything",
    "anything",
    "whatever",
    "no",
    "only",
    "nothing",
];
/// Words that are never the verb of a command, even if an object seems to follow.
const NO_VERBS: &[&str] = &[
    "the", "a", "an", "and", "or", "but", "if", "when", "while", "as", "at", "by", "for", "from",
    "in", "into", "of", "off", "on", "to", "with", "without", "after", "before", "since", "until",
    "because", "although", "though", "that", "this", "these", "those", "it", "he", "she", "they",
    "we", "i", "you", "what", "which", "who", "how", "why", "where", "all", "both", "some", "any",
    "each", "every", "no", "not", "is", "are", "was", "were", "be", "has", "have", "had", "does",
    "did", "can", "could", "will", "would", "may", "might", "must", "should", "also", "only",
    "even", "about", "over", "under", "between", "during", "through", "like", "than", "then",
    "there", "here", "so", "such", "yes", "most", "many", "more", "one", "two", "per", "via",
    "within", "despite", "unlike", "given", "once", "unless", "whether", "instead", "against",
    "across", "among", "around", "behind", "see", "thanks", "where", "our", "their", "my", "your",
];

/// An unlisted word in the position of a verb, followed by a possible object.
pub(crate) fn is_bare_order(document: &Document<'_>, words: &[Word]) -> bool {
    let text = |word: &Word| document.folded.get(word.span.clone()).unwrap_or_default();
    let mut first = words
        .iter()
        .map(text)
        .skip_while(|word| matches!(*word, "now" | "then" | "also" | "just" | "always"));
    let verb = first.next().unwrap_or_default();
    let object = first.next().unwrap_or_default();
    let ends = verb.ends_with("ing") || verb.ends_with("ed") || verb.ends_with("ly");
    !ends && !NO_VERBS.contains(&verb) && OBJECT_LEADS.contains(&object)
}

pub(crate) fn ends_with(document: &Document<'_>, sentence: &Sentence, letter: char) -> bool {
    let text = document
        .folded
        .get(sentence.span.clone())
        .unwrap_or_default();
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '*' | '_'))
        .ends_with(letter)
}
