//! Documents on something else of the same kind: another product's trial report reads like that of the product that is
//! asked about, and what it says is true of the other one only.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{Input, Source};

use crate::document_id::document_id;
use crate::subject::Subject;
use crate::text::is_stop_word;

/// Shorter words are no names.
const NAME_CHARS_MIN: usize = 3;
/// Of what stands beside a name: so much two of one kind have in common. Fewer would take agencies and committees for
/// rivals of a trial.
const SHARED_MIN: usize = 3;
const NEIGHBOUR_CHARS_MIN: usize = 4;

/// Where a name stands.
#[derive(Default)]
struct NameContext<'a> {
    documents: BTreeSet<&'a str>,
    beside: BTreeSet<String>,
}

/// The places of sources in whose documents something else stands where, in others, what is asked about stands, and
/// which never name that.
pub fn sources_on_rivals(asked: &str, sources: &[Source]) -> BTreeSet<usize> {
    let ours = names(asked);
    let subject = Subject::new(asked, sources);
    let mut all: BTreeMap<String, NameContext<'_>> = BTreeMap::new();
    for source in sources {
        let document = document_id(&source.id);
        collect_contexts(&source.title, document, &mut all);
        collect_contexts(&source.text, document, &mut all);
    }
    let mut of_ours = NameContext::default();
    for name in &ours {
        if let Some(stands) = all.get(name) {
            of_ours.documents.extend(&stands.documents);
            of_ours.beside.extend(stands.beside.iter().cloned());
        }
    }
    // Whoever calls it by another name speaks of it too.
    let also = sources
        .iter()
        .filter(|at| subject.is_named(&at.text) || subject.is_named(&at.title));
    of_ours.documents.extend(also.map(|at| document_id(&at.id)));
    if of_ours.documents.is_empty() {
        return BTreeSet::new();
    }
    // What is written small somewhere is a word, and large for its place only.
    let texts = sources
        .iter()
        .flat_map(|source| source.text.split_whitespace());
    let words: BTreeSet<&str> = texts.map(bare).collect();
    let is_rival = |name: &str, stands: &NameContext<'_>| {
        stands.documents.is_disjoint(&of_ours.documents)
            && stands.beside.intersection(&of_ours.beside).count() >= SHARED_MIN
            && !words.contains(name.to_lowercase().as_str())
    };
    let rivals = all.iter().filter(|(name, stands)| is_rival(name, stands));
    let rivals = rivals.map(|(_, stands)| stands);
    let mut documents: BTreeSet<&str> = rivals
        .flat_map(|stands| &stands.documents)
        .copied()
        .collect();
    let named_small = sources
        .iter()
        .filter(|at| subject.names_another(&at.text) || subject.names_another(&at.title));
    let named_small = named_small.map(|at| document_id(&at.id));
    documents.extend(named_small.filter(|at| !of_ours.documents.contains(at)));
    let places = sources.iter().enumerate();
    let on_rivals = places.filter(|(_, source)| documents.contains(document_id(&source.id)));
    on_rivals.map(|(at, _)| at).collect()
}

/// The same question without what is told of something else; nothing if none of it is.
pub(crate) fn without_rivals(input: &Input) -> Option<Input> {
    let (asked, sources) = match input {
        Input::Extract(input) => (&input.question, &input.sources),
        Input::Think(input) => (&input.question, &input.sources),
        Input::Conclude(input) => (&input.question, &input.sources),
        Input::Timeline(input) => (&input.about, &input.sources),
        Input::Cluster(input) => (&input.about, &input.sources),
        Input::Hypothesize(input) | Input::Causes(input) => (&input.question, &input.sources),
        Input::Flag(input) | Input::Scenarios(input) => (&input.question, &input.sources),
        _ => return None,
    };
    let left_out = sources_on_rivals(asked, sources);
    if left_out.is_empty() {
        return None;
    }
    let mut input = input.clone();
    let sources = match &mut input {
        Input::Extract(input) => &mut input.sources,
        Input::Think(input) => &mut input.sources,
        Input::Conclude(input) => &mut input.sources,
        Input::Timeline(input) => &mut input.sources,
        Input::Cluster(input) => &mut input.sources,
        Input::Hypothesize(input) | Input::Causes(input) => &mut input.sources,
        Input::Flag(input) | Input::Scenarios(input) => &mut input.sources,
        _ => return None,
    };
    let mut at = 0;
    sources.retain(|_| {
        at += 1;
        !left_out.contains(&(at - 1))
    });
    Some(input)
}

/// What is called by name: `Velmoran`, and of `CAIRN-3` what comes before the number. The first word is capital anyway.
fn names(asked: &str) -> BTreeSet<String> {
    let words = asked.split_whitespace().skip(1);
    words.filter_map(name).map(str::to_owned).collect()
}

fn name(word: &str) -> Option<&str> {
    let name = bare(word).split('-').next()?;
    let is_name = name.starts_with(char::is_uppercase) && name.chars().count() >= NAME_CHARS_MIN;
    is_name.then_some(name)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Notes every name of a text with the words beside it that say something.
fn collect_contexts<'a>(
    text: &str,
    document: &'a str,
    all: &mut BTreeMap<String, NameContext<'a>>,
) {
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let Some(name) = name(word) else { continue };
        let stands = all.entry(name.to_owned()).or_default();
        stands.documents.insert(document);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let after = words.get(at + 1);
        stands
            .beside
            .extend(before.and_then(|word| neighbour("<", word)));
        stands
            .beside
            .extend(after.and_then(|word| neighbour(">", word)));
    }
}

/// A word beside a name, and on which side, if it says something. Numbers do: doses and phases.
fn neighbour(side: &str, word: &str) -> Option<String> {
    let small = bare(word).to_lowercase();
    let is_number = small.chars().next().is_some_and(|c| c.is_ascii_digit());
    let says = small.chars().count() >= NEIGHBOUR_CHARS_MIN && !is_stop_word(&small);
    (is_number || says).then(|| format!("{side}{small}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: &str, text: &str) -> Source {
        Source {
            id: id.into(),
            title: "Report".into(),
            text: text.into(),
            published: None,
        }
    }

    #[test]
    fn what_stands_in_the_same_place_in_other_documents_is_a_rival() {
        let sources = [
            source(
                "a#1",
                "Velmoran 40 mg lowered pressure. The shelf life of Velmoran tablets is short, as Velmoran ages.",
            ),
            source(
                "b#1",
                "Talvexin 40 mg lowered pressure. The shelf life of Talvexin tablets is long, as Talvexin ages.",
            ),
            source("b#2", "Potassium was high in some."),
            source(
                "c#1",
                "Brennholt makes the substance, and was audited in March.",
            ),
        ];
        let asked = "What is known of Velmoran?";
        assert_eq!(
            sources_on_rivals(asked, &sources),
            BTreeSet::from([1, 2]),
            "by document"
        );
        let both = "What is known of Velmoran and of Talvexin?";
        assert!(sources_on_rivals(both, &sources).is_empty());
        assert!(sources_on_rivals("What is known of tablets?", &sources).is_empty());
    }

    #[test]
    fn whoever_is_named_beside_it_is_no_rival() {
        let sources = [
            source(
                "a",
                "Velmoran 40 mg lowered pressure, Velmoran tablets are small, and Velmoran ages.",
            ),
            source(
                "b",
                "Talvexin 40 mg lowered pressure, Talvexin tablets are large, and Talvexin ages.",
            ),
            source("c", "Velmoran 40 mg was compared with Talvexin 40 mg."),
        ];
        assert!(sources_on_rivals("What is known of Velmoran?", &sources).is_empty());
    }

    #[test]
    fn a_word_that_is_written_small_elsewhere_is_no_name() {
        let sources = [
            source(
                "a",
                "Velmoran 40 was asked about. Velmoran tablets, Velmoran ages.",
            ),
            source(
                "b",
                "Question 40 was asked. Question tablets, Question ages.",
            ),
            source("c", "There was one question."),
        ];
        assert!(sources_on_rivals("What is known of Velmoran?", &sources).is_empty());
        assert_eq!(
            sources_on_rivals("What is known of Velmoran?", &sources[..2]).len(),
            1
        );
    }
}
