//! The yes-or-no features of a sentence that may ask the model to do something. Weighing them is the job of `scorer`.

use crate::addressee::add_addressee_features;
use crate::document::{Document, Sentence, VERBS, Word};
use crate::letters::is_unspaced;
use crate::lexicon::{Class, Classes};
use crate::opening::{COMMON_VERBS, Opening, ends_with, find_opening, is_bare_order};
use crate::surroundings::{Surroundings, add_context_features};

macro_rules! features {
    ($($name:ident),* $(,)?) => {
        /// A yes-or-no feature. The names are those of `data/weights.txt`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(non_camel_case_types, reason = "the names are also the names in the table of weights")]
        pub(crate) enum Feature { $($name),* }

        pub(crate) const FEATURES: &[(&str, Feature)] = &[$((stringify!($name), Feature::$name)),*];
    };
}

features! {
    open_write, open_tell, open_alter, open_act, open_direct, open_after_clause,
    request, must, question, wh_question, personal, definite,
    work, answer, agent, user, secret, harm, style, language, code, first, only, silence,
    tool, snippet, solution, before, new, address, quoted, prior_rules, send,
    new_words_most, new_words_many, new_words_few, context_little,
    place_first, place_last, short, long, heading, item, in_code, backtick,
    imperatives_none, imperatives_some, imperatives_many, questions_many, technical, about_agents, unspaced,
    write_work, tell_work, tell_new, write_new, alter_answer, open_answer, open_agent, open_user, open_first, open_harm,
    open_style, open_language, tell_language, act_address, act_secret, act_user, question_new, question_personal,
    question_definite, question_many, question_work, open_code, open_item, open_many, open_technical, open_last,
    open_quoted, must_agent, request_new, snippet_solution, open_new, alter_style, question_last, user_must,
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
pub(crate) struct FeatureSet([u64; 3]);

impl FeatureSet {
    pub(crate) fn insert(&mut self, feature: Feature) {
        let number = usize::from(feature as u8);
        if let Some(part) = self.0.get_mut(number / 64) {
            *part |= 1 << (number % 64);
        }
    }

    pub(crate) fn insert_if(&mut self, feature: Feature, present: bool) {
        if present {
            self.insert(feature);
        }
    }

    pub(crate) fn has(self, feature: Feature) -> bool {
        let number = usize::from(feature as u8);
        self.0
            .get(number / 64)
            .is_some_and(|part| part & (1 << (number % 64)) != 0)
    }

    pub(crate) fn insert_if_both(&mut self, both: Feature, one: Feature, other: Feature) {
        self.insert_if(both, self.has(one) && self.has(other));
    }
}

/// Fewer such letters are a name or a word in a text of another script.
const UNSPACED_LETTERS_MIN: usize = 5;
/// Shorter sentences are titles and table cells.
const WORDS_MIN: usize = 2;

/// The features of a sentence; `None` if it is too short to ask for anything.
pub(crate) fn extract_features(
    document: &Document<'_>,
    around: &Surroundings,
    index: usize,
) -> Option<FeatureSet> {
    let sentence = document.sentences.get(index)?;
    let words = document.words_in(sentence);
    let text = document
        .folded
        .get(sentence.span.clone())
        .unwrap_or_default();
    let classes = document.classes_in(sentence);
    let unspaced = text
        .chars()
        .filter(|letter| is_unspaced(*letter))
        .nth(UNSPACED_LETTERS_MIN - 1)
        .is_some();
    let question = ends_with(document, sentence, '?');
    let opening = find_opening(document, sentence);
    let verb = match opening {
        Some(opening) => words
            .get(opening.word)
            .map(|word| word.classes)
            .unwrap_or_default(),
        None if unspaced && classes.meets(VERBS) => classes,
        None => Classes::default(),
    };
    let addressed = classes.meets(
        Classes::one(Class::Answer)
            .with(Class::Agent)
            .with(Class::Request)
            .with(Class::New)
            .with(Class::Prompt)
            .with(Class::Role)
            .with(Class::Solution),
    ) || (classes.has(Class::Ignore)
        && classes.meets(Classes::one(Class::Rules).with(Class::Prior)));
    if words.len() < WORDS_MIN && !unspaced {
        return None;
    }
    let mut features = FeatureSet::default();
    let asks = !verb.is_empty() || question || addressed;
    features.insert_if(Feature::asks, asks);
    features.insert_if(
        Feature::bare_order,
        opening.is_none() && is_bare_order(document, words),
    );
    add_opening_features(&mut features, opening, verb);
    add_word_features(&mut features, document, sentence, classes, question);
    add_context_features(&mut features, document, around, index);
    features.insert_if(Feature::unspaced, unspaced);
    if let Some(opening) = opening {
        add_object_features(&mut features, document, words, opening);
    }
    add_addressee_features(&mut features, document, sentence);
    add_pair_features(&mut features);
    Some(features)
}

fn add_opening_features(features: &mut FeatureSet, opening: Option<Opening>, verb: Classes) {
    features.insert_if(Feature::open_write, verb.has(Class::Write));
    features.insert_if(Feature::open_tell, verb.has(Class::Tell));
    features.insert_if(Feature::open_alter, verb.has(Class::Alter));
    features.insert_if(Feature::open_act, verb.has(Class::Act));
    features.insert_if(Feature::open_deed, verb == Classes::one(Class::Deed));
    features.insert_if(Feature::open_ignore, verb.has(Class::Ignore));
    if let Some(opening) = opening {
        features.insert_if(Feature::open_direct, opening.word == 0);
        features.insert_if(Feature::open_after_clause, opening.after_clause);
    }
}

/// The feature that each class has when it occurs anywhere in the sentence.
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

/// Words about the model's own work: its answer, user, rules and tools.
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

fn add_word_features(
    features: &mut FeatureSet,
    document: &Document<'_>,
    sentence: &Sentence,
    classes: Classes,
    question: bool,
) {
    let words = document.words_in(sentence);
    let text = document
        .folded
        .get(sentence.span.clone())
        .unwrap_or_default();
    for (class, feature) in PRESENT {
        features.insert_if(*feature, classes.has(*class));
    }
    let meta = META.iter().filter(|class| classes.has(**class)).count();
    features.insert_if(Feature::meta_one, meta == 1);
    features.insert_if(Feature::meta_more, meta > 1);
    features.insert_if(
        Feature::number,
        text.bytes().any(|byte| byte.is_ascii_digit()),
    );
    let is = |word: &Word, list: &[&str]| {
        document
            .folded
            .get(word.span.clone())
            .is_some_and(|text| list.contains(&text))
    };
    let any = |list: &[&str]| words.iter().any(|word| is(word, list));
    features.insert_if(
        Feature::personal,
        any(&[
            "we", "our", "you", "your", "i've", "we've", "i'm", "we're", "you're", "you've", "he",
            "she", "they",
        ]),
    );
    features.insert_if(Feature::your, any(&["your", "yourself", "dein", "deine"]));
    features.insert_if(
        Feature::definite,
        any(&["the", "this", "these", "that", "those", "it"]),
    );
    features.insert_if(
        Feature::prior_rules,
        classes.has(Class::Prior) && classes.has(Class::Rules),
    );
    features.insert_if(Feature::question, question);
    let opens_with_question = words
        .iter()
        .take(3)
        .any(|word| word.classes.has(Class::Question));
    features.insert_if(Feature::wh_question, question && opens_with_question);
    features.insert_if(
        Feature::address,
        text.contains("http") || text.contains("www.") || has_address(text),
    );
    features.insert_if(
        Feature::quoted,
        text.matches('"').count() >= 2 || text.matches('\'').count() >= 2,
    );
    features.insert_if(
        Feature::backtick,
        text.contains('`') || text.contains("::") || text.contains("--") || text.contains("()"),
    );
    features.insert_if(Feature::short, words.len() < 4);
    features.insert_if(Feature::long, words.len() > 35);
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

/// What follows the verb: "a poem about", "me", "an example".
fn add_object_features(
    features: &mut FeatureSet,
    document: &Document<'_>,
    words: &[Word],
    opening: Opening,
) {
    let text = |word: &Word| document.folded.get(word.span.clone()).unwrap_or_default();
    let verb = words.get(opening.word).map(text).unwrap_or_default();
    let lead = words.get(..opening.word).unwrap_or_default();
    let negates = |word: &Word| matches!(text(word), "not" | "never" | "don't");
    features.insert_if(Feature::negated, lead.iter().any(negates));
    features.insert_if(Feature::open_common, COMMON_VERBS.contains(&verb));
    let after = words.get(opening.word + 1..).unwrap_or_default();
    let near: Vec<&str> = after.iter().take(7).map(text).collect();
    let work = after
        .iter()
        .take(6)
        .any(|word| word.classes.has(Class::Work));
    features.insert_if(
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
    features.insert_if(Feature::open_indefinite, indefinite);
    let definite = near.first().is_some_and(|word| {
        matches!(
            *word,
            "the" | "this" | "these" | "it" | "them" | "any" | "each" | "both"
        )
    });
    features.insert_if(Feature::object_definite, definite);
    features.insert_if(
        Feature::follows_lead,
        opening.word > 0 && !opening.after_clause,
    );
}

fn add_pair_features(features: &mut FeatureSet) {
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
    .any(|feature| features.has(*feature));
    let meta = features.has(F::meta_one) || features.has(F::meta_more);
    features.insert_if(F::meta, meta);
    features.insert_if(F::asks_or_orders, open || features.has(F::question));
    let strange = !features.has(F::new_words_few)
        && !features.has(F::linked)
        && !features.has(F::technical)
        && !features.has(F::item)
        && features.has(F::imperatives_none);
    features.insert_if(F::stray_order, open && strange);
    features.insert_if(
        F::stray_question,
        features.has(F::question_alone) && strange,
    );
    let new = features.has(F::new_words_most)
        || (features.has(F::context_little) && features.has(F::open_indefinite));
    features.insert_if_both(F::write_work, F::open_write, F::work);
    features.insert_if_both(F::tell_work, F::open_tell, F::work);
    features.insert_if(F::tell_new, features.has(F::open_tell) && new);
    features.insert_if(F::write_new, features.has(F::open_write) && new);
    features.insert_if_both(F::alter_answer, F::open_alter, F::answer);
    features.insert_if_both(F::alter_style, F::open_alter, F::style);
    features.insert_if_both(F::tell_language, F::open_tell, F::language);
    features.insert_if_both(F::act_address, F::open_act, F::address);
    features.insert_if_both(F::act_secret, F::open_act, F::secret);
    features.insert_if_both(F::act_user, F::open_act, F::user);
    features.insert_if(F::question_new, features.has(F::wh_question) && new);
    features.insert_if_both(F::question_personal, F::question, F::personal);
    features.insert_if_both(F::question_definite, F::question, F::definite);
    features.insert_if_both(F::question_many, F::question, F::questions_many);
    features.insert_if_both(F::question_work, F::wh_question, F::work);
    features.insert_if_both(F::question_last, F::wh_question, F::place_last);
    features.insert_if_both(F::must_agent, F::must, F::agent);
    features.insert_if_both(F::user_must, F::user, F::must);
    features.insert_if(F::request_new, features.has(F::request) && new);
    features.insert_if_both(F::snippet_solution, F::snippet, F::solution);
    features.insert_if_both(F::question_own_line, F::question, F::own_line);
    features.insert_if_both(F::question_neighbour, F::question, F::neighbour);
    features.insert_if_both(F::answer_own_line, F::answer, F::own_line);
    features.insert_if_both(F::question_linked, F::question, F::linked);
    features.insert_if_both(F::question_letter, F::question, F::letter);
    features.insert_if(F::question_meta, features.has(F::question) && meta);
    features.insert_if_both(F::letter_new, F::letter, F::new_words_most);
    features.insert_if(F::deed_new, features.has(F::open_deed) && new);
    features.insert_if(F::deed_meta, features.has(F::open_deed) && meta);
    features.insert_if(F::meta_new, meta && new);
    features.insert_if(F::meta_linked, meta && features.has(F::linked));
    features.insert_if_both(F::act_tool, F::open_act, F::tool);
    features.insert_if_both(F::act_number, F::open_act, F::number);
    features.insert_if_both(F::send_address, F::send, F::address);
    features.insert_if_both(F::send_secret, F::send, F::secret);
    features.insert_if_both(F::reveal_prompt, F::reveal, F::prompt);
    features.insert_if_both(F::reveal_secret, F::reveal, F::secret);
    features.insert_if_both(F::ignore_rules, F::ignore, F::rules);
    features.insert_if_both(F::ignore_prior, F::ignore, F::prior);
    features.insert_if(
        F::role_unlimited,
        features.has(F::unlimited) && (features.has(F::role) || features.has(F::rolish)),
    );
    features.insert_if_both(F::tell_person, F::open_tell, F::person);
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
        features.insert_if(pair, features.has(other));
    }
    features.insert_if(F::open_meta, meta);
    features.insert_if_both(F::agent_open, F::agent, F::agent_front);
    features.insert_if(F::vocative_open, features.has(F::vocative));
}
