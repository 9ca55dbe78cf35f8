//! How well each thing meets stated criteria. Given numbers count first, then numbers and judgements in the sources.

use adjutant_questions::{Criterion, Evidence, Item, Part, Preference, Ranked, Score, Scored};

use super::cells::Things;
use crate::corpus::Corpus;
use crate::stance::{Reading, Side};
use crate::text::{Quantity, confidence, number, quantities, words};

/// What a judgement in words is worth, and a number that there is nothing to hold against.
const PRAISED: f64 = 75.0;
const BLAMED: f64 = 25.0;
const UNCOMPARED: f64 = 50.0;
const SURE_OF_NUMBER: f64 = 0.9;
const SURE_OF_SOURCE_NUMBER: f64 = 0.65;
const SURE_OF_WORDS: f64 = 0.45;

/// What is known of one item by one criterion.
enum ItemRating {
    Given(f64),
    Said { at: usize, quantity: Quantity },
    Judged { at: usize, side: Side },
    Mentioned { at: usize },
    Nothing,
}

pub(crate) fn score(input: &Score) -> Scored {
    let mut corpus = Corpus::read(&input.sources);
    let things = Things::new(
        &mut corpus,
        input.items.iter().map(|item| item.name.as_str()),
    );
    let mut parts: Vec<Vec<Part>> = input.items.iter().map(|_| Vec::new()).collect();
    let mut sure = 0.0;
    for criterion in &input.criteria {
        let query = corpus.query(&criterion.name);
        let mentions = things.mentions(&corpus, &query);
        let known: Vec<ItemRating> = (0..input.items.len())
            .map(|item| {
                let best = things.best(&corpus, item, &mentions);
                rate_item(&mut corpus, &input.items[item], best, criterion)
            })
            .collect();
        for (item, parts) in parts.iter_mut().enumerate() {
            let (part, certainty) = part(&corpus, criterion, &known, item);
            parts.push(part);
            sure += certainty;
        }
    }
    let cells = input.items.len() * input.criteria.len();
    let mut ranking: Vec<Ranked> = input
        .items
        .iter()
        .zip(parts)
        .map(|(item, parts)| Ranked {
            item: item.name.clone(),
            score: mean(&parts, &input.criteria),
            parts,
        })
        .collect();
    // Items of which nothing is known come last, in the order given.
    ranking.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
    Scored {
        ranking,
        confidence: confidence(sure / (cells as f64).max(1.0)),
    }
}

fn mean(parts: &[Part], criteria: &[Criterion]) -> Option<f64> {
    let mut sum = 0.0;
    let mut weights = 0.0;
    for (part, criterion) in parts.iter().zip(criteria) {
        let weight = if criterion.weight.is_finite() {
            criterion.weight.clamp(0.0, 1e6)
        } else {
            0.0
        };
        if let Some(score) = part.score {
            sum += weight * score;
            weights += weight;
        }
    }
    (weights > 0.0).then(|| rounded(sum / weights))
}

fn rate_item(
    corpus: &mut Corpus<'_>,
    item: &Item,
    best: Option<usize>,
    criterion: &Criterion,
) -> ItemRating {
    if let Some(value) = item
        .values
        .get(&criterion.name)
        .filter(|value| value.is_finite())
    {
        return ItemRating::Given(*value);
    }
    let Some(at) = best else {
        return ItemRating::Nothing;
    };
    let text = corpus.text(at);
    // A number in the item's own name says nothing of it.
    let named: Vec<f64> = words(&item.name)
        .iter()
        .filter_map(|word| number(word.text))
        .collect();
    let mut quantities = quantities(text, &mut corpus.stems);
    quantities.retain(|quantity| !named.contains(&quantity.value));
    if let Some(quantity) = quantities.into_iter().next() {
        return ItemRating::Said { at, quantity };
    }
    let amount = match criterion.prefers {
        Preference::More => Side::First,
        Preference::Less => Side::Second,
    };
    match Reading::new(text, &mut corpus.stems).judgement(amount) {
        Some(side) => ItemRating::Judged { at, side },
        None => ItemRating::Mentioned { at },
    }
}

fn part(
    corpus: &Corpus<'_>,
    criterion: &Criterion,
    known: &[ItemRating],
    item: usize,
) -> (Part, f64) {
    let of = |score: Option<f64>, reason: String, at: Option<usize>| Part {
        criterion: criterion.name.clone(),
        score: score.map(rounded),
        reason,
        evidence: at
            .map(|at| corpus.evidence(at))
            .into_iter()
            .collect::<Vec<Evidence>>(),
    };
    match &known[item] {
        ItemRating::Given(value) => {
            let all = known.iter().filter_map(|known| match known {
                ItemRating::Given(value) => Some(*value),
                _ => None,
            });
            let (score, rank) = normalised(*value, all.collect(), criterion.prefers);
            (
                of(Some(score), format!("{value} was given; {rank}."), None),
                SURE_OF_NUMBER,
            )
        }
        ItemRating::Said { at, quantity } => {
            let all = known.iter().filter_map(|known| match known {
                ItemRating::Said {
                    quantity: other, ..
                } if other.unit == quantity.unit => Some(other.value),
                _ => None,
            });
            let (score, rank) = normalised(quantity.value, all.collect(), criterion.prefers);
            let reason = format!("A source says {}; {rank}.", quantity.written);
            (of(Some(score), reason, Some(*at)), SURE_OF_SOURCE_NUMBER)
        }
        ItemRating::Judged { at, side } => {
            let (score, how) = match side {
                Side::First => (PRAISED, "well"),
                Side::Second => (BLAMED, "badly"),
            };
            let reason =
                format!("A source speaks {how} of it, without a number that could be compared.");
            (of(Some(score), reason, Some(*at)), SURE_OF_WORDS)
        }
        ItemRating::Mentioned { at } => {
            let reason = "A source mentions it, but gives neither a number nor a judgement.";
            (of(None, reason.to_owned(), Some(*at)), 0.0)
        }
        ItemRating::Nothing => (of(None, "Nothing is known of it.".to_owned(), None), 0.0),
    }
}

/// Where a value stands between the worst and the best, from 0 to 100, and in words.
fn normalised(value: f64, all: Vec<f64>, prefers: Preference) -> (f64, String) {
    let least = all.iter().copied().fold(value, f64::min);
    let most = all.iter().copied().fold(value, f64::max);
    if all.len() < 2 {
        return (UNCOMPARED, "there is nothing to compare it with".to_owned());
    }
    if most <= least {
        return (UNCOMPARED, "all that are known are the same".to_owned());
    }
    // Halved first: the difference of two large numbers may not be finite.
    let share = (value / 2.0 - least / 2.0) / (most / 2.0 - least / 2.0);
    let (share, better) = match prefers {
        Preference::More => (share, "more"),
        Preference::Less => (1.0 - share, "less"),
    };
    let mention = match share {
        share if share >= 1.0 => "the best",
        share if share <= 0.0 => "the worst",
        _ => "between the best and the worst",
    };
    (
        share * 100.0,
        format!("{mention} of {}, where {better} is better", all.len()),
    )
}

fn rounded(score: f64) -> f64 {
    (score.clamp(0.0, 100.0) * 10.0).round() / 10.0
}
