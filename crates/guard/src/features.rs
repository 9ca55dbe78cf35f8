//! What can be seen of one sentence that may ask the reader to do something: yes or no, by name.

use crate::document::{Document, Sentence, Shape, VERBS, Word};
use crate::letters::is_unspaced;
use crate::lexicon::{Class, Classes};

macro_rules! features {
    ($($name:ident),* $(,)?) => {
        /// One thing that is seen or not. The names are those of `data/weights.txt`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(non_camel_case_types, reason = "the names are also the names in the table of weights")]
        pub(crate) enum Feature { $($name),* }

        pub(crate) const FEATURES: &[(&str, Feature)] = &[$((stringify!($name), Feature::$name)),*];
    };
}

features! {
    open_write, open_tell, open_alter, open_act, open_direct, open_after_clause,
    please, request, must, question, wh_question, personal, definite,
    work, answer, agent, user, secret, harm, style, language, code, first, only, silence,
    tool, snippet, solution, before, new, address, quoted, prior_rules, send,
    new_words_most, new_words_many, new_words_few, context_little,
    place_first, place_last, short, long, heading, item, in_code, backtick,
    imperatives_none, imperatives_some, imperatives_many, questions_many, technical, about_agents, unspaced,
    write_work, tell_work, tell_new, write_new, alter_answer, open_answer, open_agent, open_user, open_first, open_harm,
    open_style, open_language, tell_language, act_address, act_secret, act_user, question_new, question_personal,
    question_definite, question_many, question_work, open_code, open_item, open_many, open_technical, open_last,
    open_quoted, must_agent, request_new, snippet_solution, open_new, alter_style, question_last, please_open, user_must,
    write_about, open_indefinite, own_line, neighbour, open_common, open_own_line, question_own_line, open_neighbour,
    question_neighbour, answer_own_line, negated, speech,
}

/// A set of features.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen(u128);

impl Seen {
    fn see(&mut self, feature: Feature) {
        self.0 |= 1 << feature as u8;
    }

    fn see_if(&mut self, feature: Feature, seen: bool) {
        if seen {
            self.see(feature);
        }
    }

    pub(crate) fn has(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u8) != 0
    }

    fn both(&mut self, both: Feature, one: Feature, other: Feature) {
        self.see_if(both, self.has(one) && self.has(other));
    }
}

/// What the rest of the document is like.
pub(crate) struct Surroundings {
    sentences: usize,
    imperatives: usize,
    questions: usize,
    agents: usize,
    technical: bool,
    /// For each sentence, whether it asks or tells.
    asking: Vec<bool>,
}

impl Surroundings {
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let mut around = Self {
            sentences: document.sentences.len(),
            imperatives: 0,
            questions: 0,
            agents: 0,
            technical: false,
            asking: Vec::with_capacity(document.sentences.len()),
        };
        for sentence in &document.sentences {
            let words = document.words_of(sentence);
            let commands = opening(document, sentence).is_some();
            let asks = ends_with(document, sentence, '?');
            around.imperatives += usize::from(commands);
            around.questions += usize::from(asks);
            around.asking.push(commands || asks);
            around.agents += usize::from(words.iter().any(|word| word.classes.has(Class::Agent)));
            around.technical |= sentence.shape == Shape::Code;
        }
        around
    }
}

/// Words before the verb that do not change who is told to do something.
const LEADS: &[&str] = &[
    "please",
    "kindly",
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
    "bitte",
    "pls",
    "plz",
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
    "пожалуйста",
    "alstublieft",
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
];
/// Leads that are skipped at most.
const LEADS_MAX: usize = 8;
/// Leads only some of which make sense alone: a sentence of "the" or "I" is no command.
const BARE_LEADS: &[&str] = &[
    "i", "the", "of", "to", "you", "may", "can", "could", "would", "will", "should", "must",
    "have", "need", "want", "system", "user", "model", "agent",
];
/// A verb followed by one of these was a noun.
const NOUN_SIGNS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "of", "will", "may", "can", "does", "that's",
    "by",
];
/// Clauses before the verb are at most this long.
const CLAUSE_WORDS_MAX: usize = 14;

/// The verb that opens a command, and whether a clause stands before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening {
    /// Among the sentence's words.
    pub(crate) word: usize,
    pub(crate) after_clause: bool,
}

/// Finds the verb at a place where commands have one.
pub(crate) fn opening(document: &Document<'_>, sentence: &Sentence) -> Option<Opening> {
    let words = document.words_of(sentence);
    let text = |word: &Word| document.view.get(word.span.clone()).unwrap_or_default();
    let after = |word: &Word| document.view.get(word.span.end..).unwrap_or_default();
    let verb_at = |from: usize| -> Option<usize> {
        let mut at = from;
        let mut weight = 0;
        while let Some(word) = words.get(at) {
            let noun = words
                .get(at + 1)
                .is_some_and(|next| NOUN_SIGNS.contains(&text(next)))
                || after(word).starts_with([',', ':', '=', '(', '_', '.', '/', '-'])
                || (at + 1 == words.len() && at == from);
            let lead = LEADS.contains(&text(word));
            if word.classes.meets(VERBS)
                && !noun
                && !(lead && at + 1 < words.len() && text(word) == "help")
            {
                // "I send", "the use", "you can use": nobody is told to.
                return (weight >= 0).then_some(at);
            }
            if !lead || at - from >= LEADS_MAX {
                return None;
            }
            weight += bare_weight(words, at, text);
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
    let clause = words.iter().take(CLAUSE_WORDS_MAX).position(|word| {
        let rest = after(word);
        rest.starts_with([',', ':', ';']) || rest.starts_with(" - ") || rest.starts_with("\",")
    })?;
    let word = verb_at(clause + 1)?;
    Some(Opening {
        word,
        after_clause: true,
    })
}

/// Below zero once a bare lead stands without the words that make it an order ("you must", "I want you to").
fn bare_weight<'a>(words: &[Word], at: usize, text: impl Fn(&Word) -> &'a str) -> i32 {
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

fn ends_with(document: &Document<'_>, sentence: &Sentence, letter: char) -> bool {
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '*' | '_'))
        .ends_with(letter)
}

/// Looks at a sentence; `None` if it neither asks nor tells anybody anything.
pub(crate) fn look(document: &Document<'_>, around: &Surroundings, index: usize) -> Option<Seen> {
    let sentence = document.sentences.get(index)?;
    let words = document.words_of(sentence);
    let marks = document.marks_of(sentence);
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    let mut classes = Classes::default();
    words.iter().for_each(|word| classes.join(word.classes));
    marks.iter().for_each(|mark| classes.join(mark.classes));
    let unspaced = text.chars().any(is_unspaced);
    let question = ends_with(document, sentence, '?');
    let opening = opening(document, sentence);
    let verb = match opening {
        Some(opening) => words
            .get(opening.word)
            .map(|word| word.classes)
            .unwrap_or_default(),
        None if unspaced && classes.meets(VERBS) => classes,
        None => Classes::default(),
    };
    let addressed = classes.meets(
        Classes::of(Class::Answer)
            .and(Class::Agent)
            .and(Class::Request)
            .and(Class::New)
            .and(Class::Solution),
    );
    if verb.is_empty() && !question && !addressed {
        return None;
    }
    let mut seen = Seen::default();
    see_opening(&mut seen, opening, verb);
    see_words(&mut seen, document, sentence, classes, question);
    see_place(&mut seen, document, around, index);
    seen.see_if(Feature::unspaced, unspaced);
    if let Some(opening) = opening {
        see_object(&mut seen, document, words, opening);
    }
    see_pairs(&mut seen);
    Some(seen)
}

fn see_opening(seen: &mut Seen, opening: Option<Opening>, verb: Classes) {
    seen.see_if(Feature::open_write, verb.has(Class::Write));
    seen.see_if(Feature::open_tell, verb.has(Class::Tell));
    seen.see_if(Feature::open_alter, verb.has(Class::Alter));
    seen.see_if(Feature::open_act, verb.has(Class::Act));
    if let Some(opening) = opening {
        seen.see_if(Feature::open_direct, opening.word == 0);
        seen.see_if(Feature::open_after_clause, opening.after_clause);
    }
}

/// Class and the feature that it is somewhere in the sentence.
const PRESENT: &[(Class, Feature)] = &[
    (Class::Request, Feature::request),
    (Class::Must, Feature::must),
    (Class::Work, Feature::work),
    (Class::Answer, Feature::answer),
    (Class::Agent, Feature::agent),
    (Class::User, Feature::user),
    (Class::Secret, Feature::secret),
    (Class::Harm, Feature::harm),
    (Class::Style, Feature::style),
    (Class::Language, Feature::language),
    (Class::Code, Feature::code),
    (Class::First, Feature::first),
    (Class::Only, Feature::only),
    (Class::Silence, Feature::silence),
    (Class::Tool, Feature::tool),
    (Class::Snippet, Feature::snippet),
    (Class::Solution, Feature::solution),
    (Class::Before, Feature::before),
    (Class::New, Feature::new),
    (Class::Send, Feature::send),
];

fn see_words(
    seen: &mut Seen,
    document: &Document<'_>,
    sentence: &Sentence,
    classes: Classes,
    question: bool,
) {
    let words = document.words_of(sentence);
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    for (class, feature) in PRESENT {
        seen.see_if(*feature, classes.has(*class));
    }
    let is = |word: &Word, list: &[&str]| {
        document
            .view
            .get(word.span.clone())
            .is_some_and(|text| list.contains(&text))
    };
    let any = |list: &[&str]| words.iter().any(|word| is(word, list));
    seen.see_if(
        Feature::please,
        any(&["please", "kindly", "bitte", "pls", "plz"]),
    );
    seen.see_if(
        Feature::personal,
        any(&[
            "we", "our", "you", "your", "i've", "we've", "i'm", "we're", "you're", "you've", "he",
            "she", "they",
        ]),
    );
    seen.see_if(
        Feature::definite,
        any(&["the", "this", "these", "that", "those", "it"]),
    );
    seen.see_if(
        Feature::prior_rules,
        classes.has(Class::Prior) && classes.has(Class::Rules),
    );
    seen.see_if(Feature::question, question);
    let opens_with_question = words
        .iter()
        .take(3)
        .any(|word| word.classes.has(Class::Question));
    seen.see_if(Feature::wh_question, question && opens_with_question);
    seen.see_if(
        Feature::address,
        text.contains("http") || text.contains("www.") || has_address(text),
    );
    seen.see_if(
        Feature::quoted,
        text.matches('"').count() >= 2 || text.matches('\'').count() >= 2,
    );
    seen.see_if(
        Feature::backtick,
        text.contains('`') || text.contains("::") || text.contains("--") || text.contains("()"),
    );
    seen.see_if(Feature::short, words.len() < 4);
    seen.see_if(Feature::long, words.len() > 35);
}

/// `name@host.tld` or `name.tld/`, roughly.
fn has_address(text: &str) -> bool {
    text.split_ascii_whitespace().any(|word| {
        let at = word
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        at || [".com", ".org", ".net", ".io", ".xyz", ".example"]
            .iter()
            .any(|end| {
                word.trim_end_matches(|c: char| !c.is_alphanumeric())
                    .ends_with(end)
                    && word.len() > end.len() + 1
            })
    })
}

fn see_place(seen: &mut Seen, document: &Document<'_>, around: &Surroundings, index: usize) {
    let Some(sentence) = document.sentences.get(index) else {
        return;
    };
    seen.see_if(Feature::place_first, index == 0);
    seen.see_if(Feature::place_last, index + 1 == document.sentences.len());
    seen.see_if(Feature::heading, sentence.shape == Shape::Heading);
    seen.see_if(Feature::item, sentence.shape == Shape::Item);
    seen.see_if(Feature::in_code, sentence.shape == Shape::Code);
    seen.see_if(Feature::technical, around.technical);
    let others = around.imperatives.saturating_sub(1);
    let share = others * 100 / around.sentences.max(1);
    match share {
        0 => seen.see(Feature::imperatives_none),
        1..=19 => seen.see(Feature::imperatives_some),
        _ => seen.see(Feature::imperatives_many),
    }
    seen.see_if(Feature::questions_many, around.questions > 2);
    seen.see_if(Feature::about_agents, around.agents > 2);
    let asks = |index: Option<usize>| {
        index
            .and_then(|index| around.asking.get(index))
            .is_some_and(|asks| *asks)
    };
    seen.see_if(
        Feature::neighbour,
        asks(index.checked_sub(1)) || asks(index.checked_add(1)),
    );
    seen.see_if(
        Feature::own_line,
        stands_on_own_line(document.view, sentence),
    );
    see_topic(seen, document, document.words_of(sentence));
}

fn stands_on_own_line(view: &str, sentence: &Sentence) -> bool {
    let blank = [' ', '\t', '\r'];
    let before = view
        .get(..sentence.span.start)
        .unwrap_or_default()
        .trim_end_matches(blank);
    let body = view.get(..sentence.span.end).unwrap_or_default();
    let after = view
        .get(sentence.span.end..)
        .unwrap_or_default()
        .trim_start_matches(blank);
    let ends = body.ends_with('\n') || after.is_empty() || after.starts_with('\n');
    ends && (before.is_empty() || before.ends_with('\n'))
}

/// Too few other words to say what the document is about.
const CONTEXT_WORDS_MIN: usize = 15;

fn see_topic(seen: &mut Seen, document: &Document<'_>, words: &[Word]) {
    if document.words.len() - words.len() < CONTEXT_WORDS_MIN {
        seen.see(Feature::context_little);
        return;
    }
    let stems: Vec<u64> = words.iter().filter_map(|word| word.stem).collect();
    let elsewhere = stems
        .iter()
        .filter(|stem| {
            let here = stems
                .iter()
                .filter(|other| other == stem)
                .take(SENTENCE_WORDS_COUNTED)
                .count();
            document.stems.get(stem).is_some_and(|all| *all > here)
        })
        .count();
    let share = (stems.len() - elsewhere) * 100 / stems.len().max(1);
    match share {
        80.. => seen.see(Feature::new_words_most),
        50..80 => seen.see(Feature::new_words_many),
        _ => seen.see(Feature::new_words_few),
    }
}

/// Enough to tell a word that is only here from one that is elsewhere too.
const SENTENCE_WORDS_COUNTED: usize = 40;

/// Verbs that open sentences in every manual.
const COMMON_VERBS: &[&str] = &[
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

/// What stands after the verb: "a poem about", "me", "an example".
fn see_object(seen: &mut Seen, document: &Document<'_>, words: &[Word], opening: Opening) {
    let text = |word: &Word| document.view.get(word.span.clone()).unwrap_or_default();
    let verb = words.get(opening.word).map(text).unwrap_or_default();
    let lead = words.get(..opening.word).unwrap_or_default();
    let negates = |word: &Word| matches!(text(word), "not" | "never" | "don't");
    seen.see_if(Feature::negated, lead.iter().any(negates));
    seen.see_if(Feature::open_common, COMMON_VERBS.contains(&verb));
    let after = words.get(opening.word + 1..).unwrap_or_default();
    let near: Vec<&str> = after.iter().take(7).map(text).collect();
    let work = after
        .iter()
        .take(6)
        .any(|word| word.classes.has(Class::Work));
    seen.see_if(
        Feature::write_about,
        work && near.iter().any(|word| {
            matches!(
                *word,
                "about"
                    | "on"
                    | "describing"
                    | "explaining"
                    | "that"
                    | "uber"
                    | "sur"
                    | "sobre"
                    | "su"
                    | "over"
                    | "о"
            )
        }),
    );
    let indefinite = near.first().is_some_and(|word| {
        matches!(
            *word,
            "a" | "an"
                | "some"
                | "how"
                | "why"
                | "what"
                | "three"
                | "five"
                | "two"
                | "ein"
                | "eine"
                | "un"
                | "une"
                | "una"
                | "uma"
                | "um"
                | "een"
        )
    });
    seen.see_if(Feature::open_indefinite, indefinite);
}

fn see_pairs(seen: &mut Seen) {
    use Feature as F;
    let open = [F::open_write, F::open_tell, F::open_alter, F::open_act]
        .iter()
        .any(|feature| seen.has(*feature));
    let new = seen.has(F::new_words_most)
        || (seen.has(F::context_little) && seen.has(F::open_indefinite));
    seen.both(F::write_work, F::open_write, F::work);
    seen.both(F::tell_work, F::open_tell, F::work);
    seen.see_if(F::tell_new, seen.has(F::open_tell) && new);
    seen.see_if(F::write_new, seen.has(F::open_write) && new);
    seen.both(F::alter_answer, F::open_alter, F::answer);
    seen.both(F::alter_style, F::open_alter, F::style);
    seen.both(F::tell_language, F::open_tell, F::language);
    seen.both(F::act_address, F::open_act, F::address);
    seen.both(F::act_secret, F::open_act, F::secret);
    seen.both(F::act_user, F::open_act, F::user);
    seen.see_if(F::question_new, seen.has(F::wh_question) && new);
    seen.both(F::question_personal, F::question, F::personal);
    seen.both(F::question_definite, F::question, F::definite);
    seen.both(F::question_many, F::question, F::questions_many);
    seen.both(F::question_work, F::wh_question, F::work);
    seen.both(F::question_last, F::wh_question, F::place_last);
    seen.both(F::must_agent, F::must, F::agent);
    seen.both(F::user_must, F::user, F::must);
    seen.see_if(F::request_new, seen.has(F::request) && new);
    seen.both(F::snippet_solution, F::snippet, F::solution);
    seen.both(F::question_own_line, F::question, F::own_line);
    seen.both(F::question_neighbour, F::question, F::neighbour);
    seen.both(F::answer_own_line, F::answer, F::own_line);
    if !open {
        return;
    }
    for (pair, other) in [
        (F::open_answer, F::answer),
        (F::open_agent, F::agent),
        (F::open_user, F::user),
        (F::open_first, F::first),
        (F::open_harm, F::harm),
        (F::open_style, F::style),
        (F::open_language, F::language),
        (F::open_code, F::code),
        (F::open_item, F::item),
        (F::open_many, F::imperatives_many),
        (F::open_technical, F::technical),
        (F::open_last, F::place_last),
        (F::open_quoted, F::quoted),
        (F::open_new, F::new),
        (F::please_open, F::please),
        (F::open_own_line, F::own_line),
        (F::open_neighbour, F::neighbour),
    ] {
        seen.see_if(pair, seen.has(other));
    }
}
