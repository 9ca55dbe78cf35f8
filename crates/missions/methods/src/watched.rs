//! What a mission that is repeated saw, and what is new, changed or gone since its last report.
//!
//! A thing is known by what it says, not by where it stands: the same sentence in another place, order or wording is the same
//! thing. Nothing is concluded from a search that failed or that shows only the best of what there is.

pub(crate) mod ahead;
pub(crate) mod shown;

use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Source};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::words::{document_of, short, stems};
use adjutant_text::lines::one_line;

/// So much is remembered for the next time; what was seen last comes first.
const SEEN_MAX: usize = 500;
const TEXT_CHARS_MAX: usize = 400;
/// From here on two texts say the same in other words: the share of all their words that both have.
const SAME_MIN: f64 = 0.6;
/// From here on one of two texts adds nothing.
const REPEATED_MIN: f64 = 0.8;
/// Words that turn a statement round, or take it back.
const TURNING: &[&str] = &[
    "not",
    "no",
    "never",
    "without",
    "cancelled",
    "canceled",
    "withdrawn",
    "stopped",
    "abandoned",
    "rejected",
    "refused",
    "denied",
    "halted",
    "postponed",
    "delayed",
    "suspended",
];
/// Where documents of the knowledge base and attachments come from.
const DOCUMENTS: &str = "our documents";
const ATTACHED: &str = "attached files";

/// One thing that was seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Item {
    /// Only things of the same scope can be the same: a competitor, a condition.
    pub(crate) scope: String,
    pub(crate) text: String,
    /// What may change while the thing stays the same, in words.
    pub(crate) state: String,
    /// Where it was found: our documents, or the name of a database.
    pub(crate) place: String,
    /// The document.
    pub(crate) origin: String,
    /// Where that comes from which its state rests on, if that is one place.
    pub(crate) state_from: String,
    #[serde(skip)]
    pub(crate) evidence: Vec<Evidence>,
}

/// What the last report told, as `earlier_report` gives it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Earlier {
    pub(crate) known: bool,
    /// The day of that report.
    pub(crate) reported: String,
    pub(crate) today: String,
    /// Why nothing is known although there is an earlier mission.
    pub(crate) why: String,
    pub(crate) seen: Value,
}

/// What was seen, by the method that saw it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Seen {
    pub(crate) by: String,
    pub(crate) items: Vec<Item>,
}

/// The documents that were read, or what stands for them where that failed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Documents {
    pub(crate) sources: Vec<Source>,
    /// Whether these are all documents there are.
    pub(crate) complete: bool,
}

/// A search of a database, and its answer; none if it was not asked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LookedUp {
    pub(crate) r#where: String,
    pub(crate) answer: Option<Found>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    #[serde(deserialize_with = "listed")]
    pub(crate) sources: Vec<Source>,
    /// Nothing if the place could not be reached.
    pub(crate) total: Option<u64>,
}

/// What a search says of a source besides stays with the search; a source without an id or a text is none.
fn listed<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Source>, D::Error> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Listed {
        id: String,
        title: String,
        text: String,
        published: Option<String>,
    }
    let all: Vec<Listed> = Deserialize::deserialize(from)?;
    let told = all
        .into_iter()
        .filter(|one| !one.id.is_empty() && !one.text.is_empty());
    let sources = told.map(|one| Source {
        id: one.id,
        title: one.title,
        text: one.text,
        published: one.published,
    });
    Ok(sources.collect())
}

/// All that was read this time, with where it comes from.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) sources: Vec<(String, Source)>,
    /// The documents there are; nothing if it is not certain that these are all.
    documents: Option<BTreeSet<String>>,
    /// Places that could not be asked.
    pub(crate) failed: Vec<String>,
}

impl Read {
    pub(crate) fn of(documents: &[Documents], looked_up: &[LookedUp], attached: &[Source]) -> Self {
        let mut read = Self::default();
        // Where nobody asked for the documents, nothing is known of them.
        let complete = !documents.is_empty() && documents.iter().all(|one| one.complete);
        if !documents.is_empty() && !complete && documents.iter().all(|one| one.sources.is_empty())
        {
            read.failed.push(DOCUMENTS.to_owned());
        }
        let mut there = BTreeSet::new();
        for source in documents.iter().flat_map(|one| &one.sources) {
            there.insert(document_of(&source.id).to_owned());
            read.sources.push((DOCUMENTS.to_owned(), source.clone()));
        }
        for source in attached {
            there.insert(document_of(&source.id).to_owned());
            read.sources.push((ATTACHED.to_owned(), source.clone()));
        }
        read.documents = complete.then_some(there);
        for one in looked_up {
            match &one.answer {
                Some(found) if found.total.is_some() || !found.sources.is_empty() => {
                    let sources = found.sources.iter().cloned();
                    read.sources
                        .extend(sources.map(|source| (one.r#where.clone(), source)));
                }
                Some(_) => read.failed.push(one.r#where.clone()),
                // Nobody asked there.
                None => {}
            }
        }
        read
    }

    /// Whether another state than before tells anything: not where that which it rested on did not answer.
    fn tells_state(&self, state: StateOf, before: &Item) -> bool {
        match state {
            StateOf::AllPlaces => self.failed.is_empty(),
            StateOf::OnePlace => !self.failed.contains(&before.state_from),
        }
    }

    /// Why a thing that is not seen any more is gone; nothing if that cannot be told.
    fn why_gone(&self, item: &Item) -> Option<&'static str> {
        if item.place != DOCUMENTS {
            return None;
        }
        let there = self.documents.as_ref()?;
        Some(match there.contains(&item.origin) {
            true => "its document no longer says so",
            false => "its document is no longer there",
        })
    }
}

impl Item {
    pub(crate) fn new(scope: &str, text: &str, place: &str, evidence: Evidence) -> Self {
        Self {
            scope: scope.to_owned(),
            text: short(text, TEXT_CHARS_MAX),
            state: String::new(),
            place: place.to_owned(),
            origin: document_of(&evidence.source).to_owned(),
            state_from: String::new(),
            evidence: vec![evidence],
        }
    }

    /// On how many documents it rests.
    pub(crate) fn documents(&self) -> usize {
        crate::words::documents(&self.evidence).len()
    }
}

/// What a text says, for comparing.
#[derive(Debug, PartialEq)]
struct Gist {
    /// Its words in small letters, in their order.
    key: String,
    words: BTreeSet<String>,
    numbers: Vec<String>,
    turning: BTreeSet<String>,
}

impl Gist {
    fn of(text: &str) -> Self {
        let small = text.to_lowercase();
        let all: Vec<&str> = small
            .split(|char: char| !char.is_alphanumeric() && char != '.' && char != ',')
            .map(|word| word.trim_matches(['.', ',']))
            .filter(|word| !word.is_empty())
            .collect();
        let is_number = |word: &&str| word.starts_with(|char: char| char.is_ascii_digit());
        let mut numbers: Vec<String> = all
            .iter()
            .copied()
            .filter(is_number)
            .map(str::to_owned)
            .collect();
        numbers.sort();
        let turning = all
            .iter()
            .filter(|word| TURNING.contains(word))
            .map(|word| (*word).to_owned());
        let is_word = |stem: &String| !stem.starts_with(|char: char| char.is_ascii_digit());
        Self {
            turning: turning.collect(),
            words: stems(&small).into_iter().filter(is_word).collect(),
            key: all.join(" "),
            numbers,
        }
    }

    fn likeness(&self, other: &Self) -> f64 {
        match self.words.union(&other.words).count() {
            0 => 0.0,
            all => self.words.intersection(&other.words).count() as f64 / all as f64,
        }
    }

    /// Whether neither states another number, or the opposite.
    fn agrees(&self, other: &Self) -> bool {
        self.numbers == other.numbers && self.turning == other.turning
    }
}

/// Each thing once: what repeats another adds its passages to it.
pub(crate) fn each_once(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<(Gist, Item)> = Vec::new();
    for item in items {
        let gist = Gist::of(&item.text);
        let same = kept.iter_mut().find(|(known, other)| {
            other.scope == item.scope
                && (known.key == gist.key
                    || (known.agrees(&gist) && known.likeness(&gist) >= REPEATED_MIN))
        });
        match same {
            Some((_, known)) => {
                for one in item.evidence {
                    if !known.evidence.contains(&one) {
                        known.evidence.push(one);
                    }
                }
            }
            None => kept.push((gist, item)),
        }
    }
    kept.into_iter().map(|(_, item)| item).collect()
}

/// What the state of a thing rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateOf {
    /// On all that was read: where a place did not answer, it may differ for that reason alone.
    AllPlaces,
    /// On the place that the thing names.
    OnePlace,
}

/// What differs from the last report.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// There is a last report.
    pub(crate) follows: bool,
    pub(crate) since: String,
    /// Why there is none although one was named.
    pub(crate) unknown: String,
    pub(crate) new: Vec<Item>,
    /// As it was, and as it is.
    pub(crate) changed: Vec<(Item, Item)>,
    pub(crate) gone: Vec<(Item, &'static str)>,
    /// Not seen this time, which tells nothing.
    pub(crate) unchecked: Vec<Item>,
    pub(crate) known: usize,
    pub(crate) failed: Vec<String>,
    /// What is remembered for the next time.
    pub(crate) seen: Seen,
}

impl News {
    /// Holds what is there now against what the last report of the same method told.
    pub(crate) fn since(
        by: &str,
        state: StateOf,
        earlier: &[Earlier],
        now: Vec<Item>,
        read: &Read,
    ) -> Self {
        let earlier = earlier.first().cloned().unwrap_or_default();
        let before: Seen = serde_json::from_value(earlier.seen).unwrap_or_default();
        let mut news = Self {
            failed: read.failed.clone(),
            seen: Seen {
                by: by.to_owned(),
                items: Vec::new(),
            },
            unknown: earlier.why,
            ..Self::default()
        };
        if !earlier.known || before.by != by {
            if earlier.known {
                news.unknown = "the earlier mission was not one of this kind".to_owned();
            }
            news.seen.items.clone_from(&now);
            news.seen.items.truncate(SEEN_MAX);
            news.new = now;
            return news;
        }
        news.follows = true;
        news.since = earlier.reported;
        let (pairs, left) = matched(&before.items, &now);
        let mut pairs = pairs.into_iter();
        for item in now {
            let was = pairs.next().flatten().map(|at| &before.items[at]);
            let remembered = match was {
                Some(was) if was.state != item.state && !read.tells_state(state, was) => was,
                _ => &item,
            };
            news.seen.items.push(remembered.clone());
            match was {
                None => news.new.push(item),
                Some(was) if is_changed(was, remembered) => news.changed.push((was.clone(), item)),
                Some(_) => news.known += 1,
            }
        }
        let texts: Vec<String> = match left.is_empty() {
            true => Vec::new(),
            false => read
                .sources
                .iter()
                .map(|(_, source)| one_line(&source.text))
                .collect(),
        };
        for at in left {
            let item = before.items[at].clone();
            // It still stands there, and is only not among the first any more, or its day has passed.
            let wanted = one_line(item.text.trim_end_matches('…'));
            if texts.iter().any(|text| text.contains(&wanted)) {
                news.known += 1;
                news.seen.items.push(item);
                continue;
            }
            match read.why_gone(&item) {
                Some(why) => news.gone.push((item, why)),
                // It is remembered: if it is seen again, it is not new.
                None => {
                    news.seen.items.push(item.clone());
                    news.unchecked.push(item);
                }
            }
        }
        news.seen.items.truncate(SEEN_MAX);
        news
    }

    /// There is a last report, and nothing differs from it.
    pub(crate) fn is_nothing(&self) -> bool {
        self.follows && self.new.is_empty() && self.changed.is_empty() && self.gone.is_empty()
    }
}

fn is_changed(before: &Item, now: &Item) -> bool {
    before.state != now.state || !Gist::of(&before.text).agrees(&Gist::of(&now.text))
}

/// For each thing there is now the earlier one that it is, and the earlier ones that none is. The likest first, each once.
fn matched(before: &[Item], now: &[Item]) -> (Vec<Option<usize>>, Vec<usize>) {
    let old: Vec<Gist> = before.iter().map(|item| Gist::of(&item.text)).collect();
    let new: Vec<Gist> = now.iter().map(|item| Gist::of(&item.text)).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (at, item) in now.iter().enumerate() {
        for (was, other) in before.iter().enumerate() {
            if item.scope != other.scope {
                continue;
            }
            let likeness = match new[at].key == old[was].key {
                true => 2.0,
                // Of two that are equally like, the one with the same numbers is it.
                false => {
                    new[at].likeness(&old[was])
                        + f64::from(u8::from(new[at].agrees(&old[was]))) * 0.001
                }
            };
            if likeness >= SAME_MIN {
                pairs.push((likeness, at, was));
            }
        }
    }
    pairs.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    let mut found = vec![None; now.len()];
    let mut taken = BTreeSet::new();
    for (_, at, was) in pairs {
        if found[at].is_none() && taken.insert(was) {
            found[at] = Some(was);
        }
    }
    let left = (0..before.len())
        .filter(|was| !taken.contains(was))
        .collect();
    (found, left)
}

#[cfg(test)]
#[path = "watched_tests.rs"]
mod tests;
