//! What can be seen of one sentence that may ask the reader to do something: yes or no, by name.

use crate::addressee::see_addressee;
use crate::document::{Document, Sentence, VERBS, Word};
use crate::letters::is_unspaced;
use crate::lexicon::{Class, Classes};
use crate::opening::{COMMON_VERBS, Opening, ends_with, is_bare_order, opening};
use crate::surroundings::{Surroundings, see_place};

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
    open_deed, open_ignore, ignore, prior, rules, prompt, follow, role, rolish, unlimited, reveal, decode, person,
    meta_one, meta_more, number, object_definite, your, letter, procedure, between_asking, linked,
    open_linked, question_linked, open_letter, question_letter, open_person, open_number, open_procedure, letter_new,
    deed_new, deed_meta, act_tool, act_number, send_address, send_secret, reveal_prompt, reveal_secret, ignore_rules,
    ignore_prior, role_unlimited, open_rules, open_meta, question_meta, question_alone, open_between, meta_new,
    tell_person, open_alone, meta_linked, follows_lead, stray_order, stray_question, asks_or_orders, meta, starts_small, asks, bare_order, new_words_all, place_start, place_end,
    only_thinking, only_question, parts_others, longer_than_others,
    vocative, agent_front, agent_must, for_agent, if_agent, call_shape, hasty, agent_open, vocative_open, your_answer,
}

/// A set of features.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen([u64; 3]);

impl Seen {
    pub(crate) fn see(&mut self, feature: Feature) {
        let number = usize::from(feature as u8);
        if let Some(part) = self.0.get_mut(number / 64) {
            *part |= 1 << (number % 64);
        }
    }

    pub(crate) fn see_if(&mut self, feature: Feature, seen: bool) {
        if seen {
            self.see(feature);
        }
    }

    pub(crate) fn has(self, feature: Feature) -> bool {
        let number = usize::from(feature as u8);
        self.0
            .get(number / 64)
            .is_some_and(|part| part & (1 << (number % 64)) != 0)
    }

    pub(crate) fn both(&mut self, both: Feature, one: Feature, other: Feature) {
        self.see_if(both, self.has(one) && self.has(other));
    }
}

/// Fewer are a name or a word in a text of another script.
const UNSPACED_LETTERS_MIN: usize = 5;
/// Shorter ones are titles and cells of tables.
const WORDS_MIN: usize = 2;

/// Looks at a sentence; `None` if it is too short to ask anybody for anything.
pub(crate) fn look(document: &Document<'_>, around: &Surroundings, index: usize) -> Option<Seen> {
    let sentence = document.sentences.get(index)?;
    let words = document.words_of(sentence);
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    let classes = document.classes_of(sentence);
    let unspaced = text
        .chars()
        .filter(|letter| is_unspaced(*letter))
        .nth(UNSPACED_LETTERS_MIN - 1)
        .is_some();
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
            .and(Class::Prompt)
            .and(Class::Role)
            .and(Class::Solution),
    ) || (classes.has(Class::Ignore)
        && classes.meets(Classes::of(Class::Rules).and(Class::Prior)));
    if words.len() < WORDS_MIN && !unspaced {
        return None;
    }
    let mut seen = Seen::default();
    let asks = !verb.is_empty() || question || addressed;
    seen.see_if(Feature::asks, asks);
    seen.see_if(
        Feature::bare_order,
        opening.is_none() && is_bare_order(document, words),
    );
    see_opening(&mut seen, opening, verb);
    see_words(&mut seen, document, sentence, classes, question);
    see_place(&mut seen, document, around, index);
    seen.see_if(Feature::unspaced, unspaced);
    if let Some(opening) = opening {
        see_object(&mut seen, document, words, opening);
    }
    see_addressee(&mut seen, document, sentence);
    see_pairs(&mut seen);
    Some(seen)
}

fn see_opening(seen: &mut Seen, opening: Option<Opening>, verb: Classes) {
    seen.see_if(Feature::open_write, verb.has(Class::Write));
    seen.see_if(Feature::open_tell, verb.has(Class::Tell));
    seen.see_if(Feature::open_alter, verb.has(Class::Alter));
    seen.see_if(Feature::open_act, verb.has(Class::Act));
    seen.see_if(Feature::open_deed, verb == Classes::of(Class::Deed));
    seen.see_if(Feature::open_ignore, verb.has(Class::Ignore));
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
    (Class::Ignore, Feature::ignore),
    (Class::Prior, Feature::prior),
    (Class::Rules, Feature::rules),
    (Class::Prompt, Feature::prompt),
    (Class::Follow, Feature::follow),
    (Class::Role, Feature::role),
    (Class::Rolish, Feature::rolish),
    (Class::Unlimited, Feature::unlimited),
    (Class::Reveal, Feature::reveal),
    (Class::Decode, Feature::decode),
    (Class::Person, Feature::person),
];

/// Words of the world a model works in: what it says, to whom, by which rules and with what.
const META: &[Class] = &[
    Class::Answer,
    Class::Agent,
    Class::User,
    Class::Prompt,
    Class::Tool,
    Class::Secret,
    Class::New,
    Class::Role,
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
    let meta = META.iter().filter(|class| classes.has(**class)).count();
    seen.see_if(Feature::meta_one, meta == 1);
    seen.see_if(Feature::meta_more, meta > 1);
    seen.see_if(
        Feature::number,
        text.bytes().any(|byte| byte.is_ascii_digit()),
    );
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
    seen.see_if(Feature::your, any(&["your", "yourself", "dein", "deine"]));
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
    let definite = near.first().is_some_and(|word| {
        matches!(
            *word,
            "the" | "this" | "these" | "it" | "them" | "any" | "each" | "both"
        )
    });
    seen.see_if(Feature::object_definite, definite);
    seen.see_if(
        Feature::follows_lead,
        opening.word > 0 && !opening.after_clause,
    );
}

fn see_pairs(seen: &mut Seen) {
    use Feature as F;
    let open = [
        F::open_write,
        F::open_tell,
        F::open_alter,
        F::open_act,
        F::open_ignore,
        F::open_deed,
    ]
    .iter()
    .any(|feature| seen.has(*feature));
    let meta = seen.has(F::meta_one) || seen.has(F::meta_more);
    seen.see_if(F::meta, meta);
    seen.see_if(F::asks_or_orders, open || seen.has(F::question));
    let strange = !seen.has(F::new_words_few)
        && !seen.has(F::linked)
        && !seen.has(F::technical)
        && !seen.has(F::item)
        && seen.has(F::imperatives_none);
    seen.see_if(F::stray_order, open && strange);
    seen.see_if(F::stray_question, seen.has(F::question_alone) && strange);
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
    seen.both(F::question_linked, F::question, F::linked);
    seen.both(F::question_letter, F::question, F::letter);
    seen.see_if(F::question_meta, seen.has(F::question) && meta);
    seen.both(F::letter_new, F::letter, F::new_words_most);
    seen.see_if(F::deed_new, seen.has(F::open_deed) && new);
    seen.see_if(F::deed_meta, seen.has(F::open_deed) && meta);
    seen.see_if(F::meta_new, meta && new);
    seen.see_if(F::meta_linked, meta && seen.has(F::linked));
    seen.both(F::act_tool, F::open_act, F::tool);
    seen.both(F::act_number, F::open_act, F::number);
    seen.both(F::send_address, F::send, F::address);
    seen.both(F::send_secret, F::send, F::secret);
    seen.both(F::reveal_prompt, F::reveal, F::prompt);
    seen.both(F::reveal_secret, F::reveal, F::secret);
    seen.both(F::ignore_rules, F::ignore, F::rules);
    seen.both(F::ignore_prior, F::ignore, F::prior);
    seen.see_if(
        F::role_unlimited,
        seen.has(F::unlimited) && (seen.has(F::role) || seen.has(F::rolish)),
    );
    seen.both(F::tell_person, F::open_tell, F::person);
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
        (F::open_linked, F::linked),
        (F::open_letter, F::letter),
        (F::open_person, F::person),
        (F::open_number, F::number),
        (F::open_procedure, F::procedure),
        (F::open_rules, F::rules),
        (F::open_between, F::between_asking),
        (F::open_alone, F::imperatives_none),
    ] {
        seen.see_if(pair, seen.has(other));
    }
    seen.see_if(F::open_meta, meta);
    seen.both(F::agent_open, F::agent, F::agent_front);
    seen.see_if(F::vocative_open, seen.has(F::vocative));
}
