//! What belongs together: sources by the words they share and others do not, joined as long as groups are alike.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{Cluster, ClusterOf, Clusters};

use crate::corpus::Corpus;
use crate::stance::is_manner;
use crate::text::{confidence, is_stop_word, words};

/// More sources are not compared with each other; they stand alone.
const COMPARED_MAX: usize = 300;
/// Groups less alike than this are not joined.
const ALIKE_MIN: f64 = 0.05;
/// How much more words count that were asked about.
const ABOUT_WEIGHT: f64 = 2.0;
/// No group has more than this part of many sources: one that has most of them says nothing.
const THEMES_MIN: usize = 4;
const SIZE_MIN: usize = 8;
const KEYWORDS_MAX: usize = 6;
const LABEL_WORDS: usize = 3;
const KEYWORD_CHARS_MIN: usize = 3;

type Weights = BTreeMap<u32, f64>;

pub(crate) fn cluster(input: &Cluster) -> Clusters {
    let mut corpus = Corpus::read(&input.sources);
    let compared = input.sources.len().min(COMPARED_MAX);
    let vectors = vectors(&mut corpus, &input.about, compared);
    let mut alike: Vec<Vec<f64>> = (0..compared)
        .map(|a| {
            (0..compared)
                .map(|b| cosine(&vectors[a], &vectors[b]))
                .collect()
        })
        .collect();
    let pairs = alike.clone();
    let size_max = (compared / THEMES_MIN).max(SIZE_MIN);
    let mut groups: Vec<Vec<usize>> = (0..compared).map(|at| vec![at]).collect();
    while let Some((a, b, value)) = most_alike(&groups, &alike, size_max) {
        let several = groups.iter().filter(|group| group.len() > 1).count();
        let both_several = groups[a].len() > 1 && groups[b].len() > 1;
        if value < ALIKE_MIN && !(several > usize::from(input.most) && both_several) {
            break;
        }
        join(&mut groups, &mut alike, a, b);
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups.truncate(usize::from(input.most));
    let inside: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    let mut words = written(input);
    // What was asked about is in all groups and tells none from the other.
    let asked = corpus.query(&input.about);
    words.retain(|stem, _| !asked.has_stem(stem));
    let of_group = groups
        .iter()
        .map(|group| describe_group(&corpus, &vectors, group, &words));
    let clusters = of_group.collect();
    let cohesion = groups
        .iter()
        .map(|group| within(group, &pairs))
        .sum::<f64>();
    let cohesion = cohesion / (groups.len() as f64).max(1.0);
    let alone = (0..input.sources.len()).filter(|at| !inside.contains(at));
    Clusters {
        clusters,
        alone: alone.map(|at| input.sources[at].id.clone()).collect(),
        confidence: if input.sources.is_empty() {
            0.0
        } else {
            confidence(0.4 + cohesion.min(0.5))
        },
    }
}

fn vectors(corpus: &mut Corpus<'_>, about: &str, compared: usize) -> Vec<Weights> {
    let asked: BTreeSet<u32> = words(about)
        .iter()
        .filter_map(|word| {
            let stem = corpus.stems.stem(&word.text.to_lowercase()).to_owned();
            corpus.stem_number(&stem)
        })
        .collect();
    let all = corpus.sources.len();
    let vector = |source: usize| {
        let mut weights = corpus.weights(source);
        // What only one source has brings nothing together.
        weights.retain(|term, _| all == 1 || corpus.sources_with(*term) > 1);
        for (term, weight) in &mut weights {
            if asked.contains(term) {
                *weight *= ABOUT_WEIGHT;
            }
        }
        let own: f64 = corpus
            .weights(source)
            .values()
            .map(|weight| weight * weight)
            .sum();
        let length = own.sqrt();
        if length > 0.0 {
            weights.values_mut().for_each(|weight| *weight /= length);
        }
        weights
    };
    (0..compared).map(vector).collect()
}

fn cosine(a: &Weights, b: &Weights) -> f64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter()
        .filter_map(|(term, weight)| many.get(term).map(|other| weight * other))
        .sum()
}

/// The two groups that are most alike; of equals the first.
fn most_alike(
    groups: &[Vec<usize>],
    alike: &[Vec<f64>],
    size_max: usize,
) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for a in (0..groups.len()).filter(|a| !groups[*a].is_empty()) {
        for b in (a + 1..groups.len()).filter(|b| !groups[*b].is_empty()) {
            let fits = groups[a].len() + groups[b].len() <= size_max;
            if fits && best.is_none_or(|(_, _, most)| alike[a][b] > most) {
                best = Some((a, b, alike[a][b]));
            }
        }
    }
    best
}

/// Puts `b` into `a`; likeness to the others is the mean over all members.
fn join(groups: &mut [Vec<usize>], alike: &mut [Vec<f64>], a: usize, b: usize) {
    let (of_a, of_b) = (groups[a].len() as f64, groups[b].len() as f64);
    let means: Vec<f64> = alike[a]
        .iter()
        .zip(&alike[b])
        .map(|(to_a, to_b)| (to_a * of_a + to_b * of_b) / (of_a + of_b))
        .collect();
    for (row, mean) in alike.iter_mut().zip(&means) {
        row[a] = *mean;
    }
    alike[a] = means;
    let moved = std::mem::take(&mut groups[b]);
    groups[a].extend(moved);
    groups[a].sort_unstable();
}

fn within(group: &[usize], pairs: &[Vec<f64>]) -> f64 {
    let inside = group
        .iter()
        .flat_map(|a| group.iter().map(move |b| (*a, *b)));
    let values: Vec<f64> = inside
        .filter(|(a, b)| a < b)
        .map(|(a, b)| pairs[a][b])
        .collect();
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

/// How each stem is written most often in the sources.
fn written(input: &Cluster) -> BTreeMap<String, (String, usize)> {
    let mut stems = crate::text::Stems::new();
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    // Written large throughout: `CAIRN`. What only begins large is mostly somebody's name, and no theme.
    let mut large: BTreeSet<String> = BTreeSet::new();
    let mut small_too: BTreeSet<String> = BTreeSet::new();
    for source in &input.sources {
        for word in words(&source.title).into_iter().chain(words(&source.text)) {
            let small = word.text.to_lowercase();
            if small.chars().count() >= KEYWORD_CHARS_MIN
                && small.chars().all(char::is_alphabetic)
                && !is_stop_word(&small)
                && !is_manner(&small)
            {
                let stem = stems.stem(&small).to_owned();
                *counts.entry(stem).or_default().entry(small).or_default() += 1;
                if word.text.chars().all(char::is_lowercase) {
                    small_too.insert(word.text.to_owned());
                } else if word.text.chars().all(char::is_uppercase) {
                    large.insert(word.text.to_lowercase());
                }
            }
        }
    }
    let most = counts.into_iter().filter_map(|(stem, forms)| {
        let (form, count) = forms.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let form = match (small_too.contains(&form), large.contains(&form)) {
            (true, _) => form,
            (false, true) => form.to_uppercase(),
            (false, false) => return None,
        };
        Some((stem, (form, count)))
    });
    most.collect()
}

fn describe_group(
    corpus: &Corpus<'_>,
    vectors: &[Weights],
    group: &[usize],
    written: &BTreeMap<String, (String, usize)>,
) -> ClusterOf {
    let mut sums: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    for (term, weight) in group.iter().flat_map(|source| &vectors[*source]) {
        let sum = sums.entry(*term).or_default();
        *sum = (sum.0 + 1, sum.1 + weight);
    }
    let mut best: Vec<(f64, u32, &str)> = written
        .iter()
        .filter_map(|(stem, (form, _))| {
            let term = corpus.stem_number(stem)?;
            let (members, weight) = sums.get(&term)?;
            (*members > 1).then_some((*weight, term, form.as_str()))
        })
        .collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    best.truncate(KEYWORDS_MAX);
    let keywords: Vec<String> = best.iter().map(|(_, _, form)| (*form).to_owned()).collect();
    let terms: BTreeSet<u32> = best.iter().map(|(_, term, _)| *term).collect();
    let evidence = group
        .iter()
        .filter_map(|source| telling(corpus, *source, &terms));
    ClusterOf {
        label: keywords
            .iter()
            .take(LABEL_WORDS)
            .cloned()
            .collect::<Vec<_>>()
            .join(", "),
        sources: group
            .iter()
            .map(|at| corpus.sources[*at].id.clone())
            .collect(),
        evidence: evidence.map(|at| corpus.evidence(at)).collect(),
        keywords,
    }
}

/// The source's sentence with most of the keywords.
fn telling(corpus: &Corpus<'_>, source: usize, keywords: &BTreeSet<u32>) -> Option<usize> {
    let has = |at: &usize| {
        corpus
            .sentence_terms(*at)
            .iter()
            .filter(|term| keywords.contains(term))
            .count()
    };
    corpus.sentences_of_source(source).rev().max_by_key(has)
}
