//! One logistic regression over all pairs of an intent and a tool: whether the tool is wanted. What a tool's own words say
//! counts the same for every tool; each word of an intent counts for each tool by itself.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_suggestion::{Learned, Suggester, ToolSigns};

use super::Known;

const ROUNDS: usize = 80;
const STEP: f64 = 0.3;
/// Pulls every weight of a word towards nothing: sets are small.
const PULL: f64 = 0.01;
/// A word of fewer intents tells of the subject rather than of the work that is wanted.
const INTENTS_MIN: usize = 2;
/// A smaller weight is left out of the table.
const WEIGHT_MIN: f64 = 0.05;
/// Where the weights of what counts for every tool begin: at choosing by a tool's own words.
const BEGINS: [f64; 3] = [-3.0, 2.0, 3.0];

/// A tool for an intent.
struct Pair {
    tool: usize,
    besides: [f64; 3],
    is_wanted: bool,
}

struct Example {
    /// Each term with how much there is of it.
    said: Vec<(usize, f64)>,
    pairs: Vec<Pair>,
}

/// A weight, and how far it has been moved: what moves often is moved less.
#[derive(Clone, Copy, Default)]
struct Weight {
    value: f64,
    moved: f64,
}

impl Weight {
    fn step(&mut self, slope: f64) {
        self.moved += slope * slope;
        self.value -= STEP * slope / (self.moved.sqrt() + 1e-8);
    }
}

struct Regression {
    shared: [Weight; 3],
    /// By tool; the last of each is what speaks for the tool whatever is said.
    words: Vec<Vec<Weight>>,
}

impl Regression {
    fn new(tools: usize, terms: usize) -> Self {
        let begins = |value: f64| Weight { value, moved: 0.0 };
        Self {
            shared: BEGINS.map(begins),
            words: vec![vec![Weight::default(); terms + 1]; tools],
        }
    }

    fn chance(&self, said: &[(usize, f64)], pair: &Pair) -> f64 {
        let words = &self.words[pair.tool];
        let always = words.last().map_or(0.0, |weight| weight.value);
        let of_words: f64 = said
            .iter()
            .map(|(term, much)| much * words[*term].value)
            .sum();
        let besides = pair.besides.iter().zip(&self.shared);
        let of_all: f64 = besides.map(|(much, weight)| much * weight.value).sum();
        1.0 / (1.0 + (-(always + of_words + of_all)).exp())
    }

    fn learn(&mut self, example: &Example) {
        for pair in &example.pairs {
            let wanted = f64::from(u8::from(pair.is_wanted));
            let error = self.chance(&example.said, pair) - wanted;
            for (weight, much) in self.shared.iter_mut().zip(pair.besides) {
                weight.step(error * much);
            }
            let words = &mut self.words[pair.tool];
            let always = words.len() - 1;
            for (term, much) in example.said.iter().copied().chain([(always, 1.0)]) {
                let weight = &mut words[term];
                weight.step(error * much + PULL * weight.value);
            }
        }
    }
}

/// What these intents teach. Signs are those of a suggester that has learned nothing.
pub(crate) fn learn(plain: &Suggester, seen: &[&Known]) -> Learned {
    let signs: Vec<_> = seen
        .iter()
        .map(|known| plain.signs(&known.intent))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for signs in &signs {
        for term in signs.said.keys() {
            *counts.entry(term).or_default() += 1;
        }
    }
    let common = counts.iter().filter(|(_, count)| **count >= INTENTS_MIN);
    let terms: BTreeMap<&str, usize> = common
        .enumerate()
        .map(|(number, (term, _))| (*term, number))
        .collect();
    let tools: Vec<String> = signs.first().map_or_else(Vec::new, |signs| {
        signs.tools.iter().map(|of| of.tool.clone()).collect()
    });
    let examples: Vec<Example> = signs
        .iter()
        .zip(seen)
        .map(|(signs, known)| Example {
            said: signs
                .said
                .iter()
                .filter_map(|(term, much)| Some((*terms.get(term.as_str())?, *much)))
                .collect(),
            pairs: pairs(&signs.tools, known),
        })
        .collect();
    let mut regression = Regression::new(tools.len(), terms.len());
    for _ in 0..ROUNDS {
        for example in &examples {
            regression.learn(example);
        }
    }
    let wanted: BTreeSet<usize> = examples
        .iter()
        .flat_map(|example| &example.pairs)
        .filter(|pair| pair.is_wanted)
        .map(|pair| pair.tool)
        .collect();
    table(&regression, &tools, &terms, &signs[0].tools[0], &wanted)
}

/// The tools that an intent wants and does not want. What another answer may begin with is neither.
fn pairs(tools: &[ToolSigns], known: &Known) -> Vec<Pair> {
    let is_told = |tool: &str| {
        let mut others = known.first_also.iter();
        known.all.contains(tool) || !others.any(|other| other.contains(tool))
    };
    let told = tools.iter().enumerate().filter(|(_, of)| is_told(&of.tool));
    told.map(|(tool, of)| Pair {
        tool,
        besides: of.besides_words().map(|(_, much)| much),
        is_wanted: known.all.contains(&of.tool),
    })
    .collect()
}

fn table(
    regression: &Regression,
    tools: &[String],
    terms: &BTreeMap<&str, usize>,
    any: &ToolSigns,
    wanted: &BTreeSet<usize>,
) -> Learned {
    let mut learned = Learned::default();
    let names = any.besides_words().map(|(name, _)| name);
    for (name, weight) in names.iter().zip(&regression.shared) {
        learned.set_for_all(name, weight.value);
    }
    for (at, tool) in tools.iter().enumerate() {
        let words = &regression.words[at];
        // Of a tool that nobody wanted, nothing is known but what counts for all.
        let is_known = wanted.contains(&at);
        let always = words.last().map_or(0.0, |weight| weight.value);
        learned.set(tool, names[0], if is_known { always } else { 0.0 });
        for (term, number) in terms.iter().filter(|_| is_known) {
            let weight = words[*number].value;
            if weight.abs() >= WEIGHT_MIN {
                learned.set(tool, term, weight);
            }
        }
    }
    learned
}
