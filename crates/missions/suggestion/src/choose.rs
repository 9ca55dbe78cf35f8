//! Which tools serve an intent: for each of its parts the tool whose words fit best, then further ones for the words that
//! are left; then what those need that nobody gives.

use std::collections::{BTreeMap, BTreeSet};

use crate::clauses::{Clause, bare, may_come_before_verb};
use crate::confidence::RestsOn;
use crate::extract::{self, addresses};
use crate::past::Alike;
use crate::search::Asked;
use crate::suggester::{Suggester, TextOf};
use crate::tool::Kind;
use crate::words::{is_action, pairs, terms};

/// How well a tool must fit a part of an intent to be suggested for it, and how well a further one for the words that are left.
const FIRST_MIN: f64 = 1.5;
const FURTHER_MIN: f64 = 2.0;
/// How well a tool must fit that gives what another needs: otherwise it may as well come from elsewhere.
const NEEDED_MIN: f64 = 1.0;
/// What a word counts that says what something is about.
const TOPIC_SHARE: f64 = 0.6;
/// A tool must fit its part at least this share of how well the best tool fits its own: what is told besides is not wanted.
const BESIDE_BEST: f64 = 0.6;
/// The same for a part that begins with something to do.
const BESIDE_BEST_WITH_VERB: f64 = 0.3;
/// What a tool counts that needs an address, where none is given.
const WITHOUT_ADDRESS: f64 = 0.5;
const PER_PART_MAX: usize = 3;
pub(crate) const CHOICES_MAX: usize = 24;
/// A word is served by a tool for which it counts at least this share of what it counts anywhere.
pub(crate) const SERVED_SHARE: f64 = 0.5;
/// How sure words are of a tool that fits so well: the score at which it is two thirds.
const STRENGTH_SCALE: f64 = 1.6;
/// From here on words alone are believed where nothing was learned of what is wanted.
const CLEAR_FROM: f64 = 0.85;
/// A tool that leads the next by this share of its score leads clearly.
const CLEAR_LEAD: f64 = 0.5;

/// A tool that is suggested.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) tool: usize,
    pub(crate) clause: usize,
    pub(crate) way: usize,
    pub(crate) because: Because,
}

#[derive(Debug, Clone)]
pub(crate) enum Because {
    /// Its words fit.
    Words {
        score: f64,
        next: f64,
        words: Vec<String>,
    },
    /// It gives what another tool needs.
    Needed { by: usize, part: String },
}

impl Choice {
    pub(crate) fn is_searched(&self) -> bool {
        !matches!(self.because, Because::Needed { .. })
    }

    /// How well its words fit.
    fn score(&self) -> f64 {
        match &self.because {
            Because::Words { score, .. } => *score,
            Because::Needed { .. } => 0.0,
        }
    }

    /// How sure its words are, from 0 to 1.
    fn strength(&self) -> f64 {
        match &self.because {
            Because::Words { score, next, .. } => {
                let fits = 1.0 - libm::exp(-score / STRENGTH_SCALE);
                let lead = ((score - next) / score / CLEAR_LEAD).clamp(0.0, 1.0);
                fits * (0.6 + 0.4 * lead)
            }
            Because::Needed { .. } => 0.0,
        }
    }
}

/// The tools for an intent.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) choices: Vec<Choice>,
    /// Parts that ask for something and that no tool's words fit.
    unserved: Vec<String>,
    /// What was learned of such intents.
    pub(crate) learned: LearnedOf,
}

/// What was learned of the tools for an intent, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct LearnedOf {
    /// Every tool that was learned about, and how likely it is that it is taken or left for good reason.
    pub(crate) known: BTreeMap<usize, f64>,
    /// Those with which the work begins.
    pub(crate) begin: BTreeSet<usize>,
    /// How likely it is that it begins with just these.
    certainty: f64,
}

impl Chosen {
    /// How sure it is that these tools are wanted, from 0 to 1, and on what that rests.
    pub(crate) fn strength(&self) -> (f64, RestsOn) {
        let searched: Vec<&Choice> = self.choices.iter().filter(|at| at.is_searched()).collect();
        let is_known = |choice: &&Choice| self.learned.known.contains_key(&choice.tool);
        if !searched.is_empty() && searched.iter().all(is_known) {
            return (self.learned.certainty, RestsOn::Learned);
        }
        let strengths = searched.iter().map(|choice| {
            let learned = self.learned.known.get(&choice.tool);
            learned.copied().unwrap_or_else(|| choice.strength())
        });
        // Whether each part is served counts as much as how well.
        let mean = strengths.sum::<f64>() / (searched.len() + self.unserved.len()).max(1) as f64;
        (mean, RestsOn::Words)
    }
}

pub(crate) fn choose(index: &Suggester, intent: &str, parts: &[Clause], alike: &[Alike]) -> Chosen {
    let asked: Vec<Vec<Asked>> = parts.iter().map(|part| asked_terms(index, part)).collect();
    let mut ranking = Ranking::new(index, parts);
    let votes = index.past.votes(alike);
    let nearest = index
        .past
        .best_completed(alike)
        .map_or(0.0, |nearest| nearest.similarity);
    ranking.prior = votes
        .iter()
        .filter_map(|(tool, vote)| Some((index.number(tool)?, vote * nearest)))
        .collect();
    let mut chosen = by_words(&ranking, parts, &asked);
    settle_by_learned(&ranking, intent, parts, &asked, &mut chosen);
    add_needed(&ranking, parts, &asked, &mut chosen);
    chosen
}

/// For each of these tools the part that it fits best.
pub(crate) fn best_parts(
    index: &Suggester,
    parts: &[Clause],
    tools: &[usize],
) -> BTreeMap<usize, usize> {
    let asked: Vec<Vec<Asked>> = parts.iter().map(|part| asked_terms(index, part)).collect();
    let fits = Fits::new(&Ranking::new(index, parts), &asked);
    tools
        .iter()
        .map(|tool| (*tool, fits.best_part(*tool)))
        .collect()
}

/// How well every tool fits terms.
pub(crate) fn fit_of_all(index: &Suggester, parts: &[Clause], terms: &[Asked]) -> Vec<f64> {
    let fits = Ranking::new(index, parts).fits(terms);
    fits.into_iter().map(|fit| fit.score).collect()
}

/// The tools that are chosen by their own words.
fn by_words(ranking: &Ranking<'_>, parts: &[Clause], asked: &[Vec<Asked>]) -> Chosen {
    let mut chosen = Chosen::default();
    let found = parts.iter().zip(asked).enumerate();
    let mut found: Vec<Vec<Choice>> = found
        .map(|(at, (part, terms))| ranking.for_part(at, part, terms))
        .collect();
    leave_out_what_is_told_besides(parts, &mut found);
    for (part, choices) in parts.iter().zip(found) {
        if choices.is_empty() && begins_with_verb(part) {
            chosen.unserved.push(part.text.clone());
        }
        for choice in choices {
            if chosen.choices.len() < CHOICES_MAX
                && !chosen.choices.iter().any(|other| other.tool == choice.tool)
            {
                chosen.choices.push(choice);
            }
        }
    }
    chosen
}

/// How well every tool fits every part.
struct Fits {
    by_part: Vec<Vec<Fit>>,
}

impl Fits {
    fn new(ranking: &Ranking<'_>, asked: &[Vec<Asked>]) -> Self {
        Self {
            by_part: asked.iter().map(|terms| ranking.fits(terms)).collect(),
        }
    }

    /// The part that a tool fits best.
    fn best_part(&self, tool: usize) -> usize {
        let score = |part: &usize| self.by_part[*part][tool].score;
        (0..self.by_part.len())
            .max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a)))
            .unwrap_or(0)
    }
}

/// Tools that were learned about are taken or left as such words have wanted them.
fn settle_by_learned(
    ranking: &Ranking<'_>,
    intent: &str,
    parts: &[Clause],
    asked: &[Vec<Asked>],
    chosen: &mut Chosen,
) {
    let index = ranking.index;
    if asked.is_empty() {
        return;
    }
    let number = |tool: &str| {
        let number = index.number(tool)?;
        index.tools[number].twin_of.is_none().then_some(number)
    };
    let wanted = index.learned.wanted(intent, |tool| number(tool).is_some());
    let is_nothing_wanted = !wanted.tools.iter().any(|of| of.is_taken);
    let fits = Fits::new(ranking, asked);
    chosen.learned.certainty = wanted.certainty;
    for of in &wanted.tools {
        let Some(tool) = number(of.tool) else {
            continue;
        };
        let place = chosen.choices.iter().position(|at| at.tool == tool);
        let strength = place.map_or(0.0, |place| chosen.choices[place].strength());
        if is_nothing_wanted && strength >= CLEAR_FROM {
            // Nobody has asked for such a thing in such words yet, but the tool describes itself in them.
            continue;
        }
        chosen.learned.known.insert(tool, of.chance);
        if of.begins {
            chosen.learned.begin.insert(tool);
        }
        match (place, of.is_taken) {
            (Some(place), false) => {
                chosen.choices.remove(place);
            }
            (None, true) if chosen.choices.len() < CHOICES_MAX => {
                let part = fits.best_part(tool);
                chosen.unserved.retain(|text| *text != parts[part].text);
                let fit = &fits.by_part[part][tool];
                let words = asked[part]
                    .iter()
                    .filter(|term| serves(index, tool, fit.side, term));
                chosen.choices.push(Choice {
                    tool,
                    clause: part,
                    way: way(index, tool, &asked[part]),
                    because: Because::Words {
                        score: fit.score,
                        next: 0.0,
                        words: words.map(|term| term.term.clone()).collect(),
                    },
                });
            }
            _ => {}
        }
    }
}

/// A long intent tells a story: only parts that ask for something nearly as clearly as the clearest get tools.
fn leave_out_what_is_told_besides(parts: &[Clause], found: &mut [Vec<Choice>]) {
    let best = found
        .iter()
        .flatten()
        .map(Choice::score)
        .fold(0.0, f64::max);
    for (part, choices) in parts.iter().zip(found) {
        let mut is_first = true;
        choices.retain(|choice| {
            let share = match std::mem::take(&mut is_first) && begins_with_verb(part) {
                true => BESIDE_BEST_WITH_VERB,
                false => BESIDE_BEST,
            };
            choice.score() >= share * best
        });
    }
}

fn begins_with_verb(part: &Clause) -> bool {
    let words = part.text.split_whitespace().map(bare);
    let mut words = words.skip_while(|word| may_come_before_verb(word));
    words.next().is_some_and(|word| is_action(&word))
}

/// The distinct terms of a part.
pub(crate) fn asked_terms(index: &Suggester, part: &Clause) -> Vec<Asked> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for (terms, share) in [(&part.terms, 1.0), (&part.topic, TOPIC_SHARE)] {
        for term in pairs(terms).into_iter().chain(terms.iter().cloned()) {
            shares.entry(term).or_insert(share);
        }
    }
    let asked = shares
        .iter()
        .map(|(term, share)| index.texts.asked_with(term, *share));
    asked.filter(|term| !term.known.is_empty()).collect()
}

/// How well each tool fits the terms, and which of its ways fits best.
struct Fit {
    score: f64,
    side: Option<usize>,
}

/// By what tools are ranked besides the words.
struct Ranking<'a> {
    index: &'a Suggester,
    /// How far workflows that are alike speak for a tool.
    prior: BTreeMap<usize, f64>,
    has_address: bool,
}

impl<'a> Ranking<'a> {
    fn new(index: &'a Suggester, parts: &[Clause]) -> Self {
        Self {
            index,
            prior: BTreeMap::new(),
            has_address: parts.iter().any(|part| !addresses(&part.text).is_empty()),
        }
    }

    fn fits(&self, terms: &[Asked]) -> Vec<Fit> {
        let index = self.index;
        let scores = index.texts.scores(terms.iter());
        let mut base = vec![0.0; index.tools.len()];
        let mut side: Vec<(f64, Option<usize>)> = vec![(0.0, None); index.tools.len()];
        for (text, (score, (tool, of))) in scores.iter().zip(&index.of_text).enumerate() {
            match of {
                TextOf::Manifest => base[*tool] += score,
                TextOf::Way(_) | TextOf::Use if *score > side[*tool].0 => {
                    side[*tool] = (*score, Some(text))
                }
                TextOf::Way(_) | TextOf::Use => {}
            }
        }
        let tools = base.into_iter().zip(side).enumerate();
        tools
            .map(|(tool, (base, (best, text)))| Fit {
                score: (base + best) * self.factor(tool),
                side: text,
            })
            .collect()
    }

    /// Adds what the part holds literally that a tool takes.
    fn add_literal(&self, literal: &[(&str, f64)], fits: &mut [Fit]) {
        for (tool, fit) in fits.iter_mut().enumerate() {
            let signature = &self.index.tools[tool].signature;
            let taken = literal
                .iter()
                .filter(|(argument, _)| signature.takes(argument));
            fit.score += self.factor(tool) * taken.map(|(_, worth)| worth).sum::<f64>();
        }
    }

    /// What speaks for a tool besides the words of a part.
    fn factor(&self, tool: usize) -> f64 {
        let entry = &self.index.tools[tool];
        if entry.twin_of.is_some() {
            return 0.0;
        }
        let vote = self.prior.get(&tool).copied().unwrap_or_default();
        let lacks_address = !self.has_address && entry.signature.needs("url");
        (1.0 + vote) * if lacks_address { WITHOUT_ADDRESS } else { 1.0 }
    }

    fn for_part(&self, part: usize, clause: &Clause, terms: &[Asked]) -> Vec<Choice> {
        let index = self.index;
        let mut open: Vec<Asked> = terms.to_vec();
        let mut literal = extract::literal(&clause.text);
        let mut found: Vec<Choice> = Vec::new();
        while found.len() < PER_PART_MAX && !(open.is_empty() && literal.is_empty()) {
            let mut fits = self.fits(&open);
            self.add_literal(&literal, &mut fits);
            let is_free = |tool: &usize| !found.iter().any(|choice| choice.tool == *tool);
            let mut order: Vec<usize> = (0..fits.len()).filter(is_free).collect();
            order.sort_by(|a, b| fits[*b].score.total_cmp(&fits[*a].score).then(a.cmp(b)));
            let Some(best) = order.first().copied() else {
                break;
            };
            let score = fits[best].score;
            let least = if found.is_empty() {
                FIRST_MIN
            } else {
                FURTHER_MIN
            };
            if score < least {
                break;
            }
            let next = order.get(1).map_or(0.0, |next| fits[*next].score);
            let (served, left): (Vec<Asked>, Vec<Asked>) = open
                .into_iter()
                .partition(|term| serves(index, best, fits[best].side, term));
            let served: Vec<String> = served.into_iter().map(|term| term.term).collect();
            found.push(Choice {
                tool: best,
                clause: part,
                way: way(index, best, terms),
                because: Because::Words {
                    score,
                    next,
                    words: served.clone(),
                },
            });
            literal.retain(|(argument, _)| !index.tools[best].signature.takes(argument));
            let is_left = |term: &Asked| {
                let mut words = term.term.split(' ');
                !words.any(|word| served.iter().any(|other| other == word))
            };
            open = left.into_iter().filter(is_left).collect();
        }
        found
    }
}

/// Whether a tool is what a term asks for.
fn serves(index: &Suggester, tool: usize, side: Option<usize>, term: &Asked) -> bool {
    let most = index.texts.weight_max(term);
    let manifest = index
        .of_text
        .iter()
        .position(|of| *of == (tool, TextOf::Manifest));
    let texts = manifest.into_iter().chain(side);
    let here = texts
        .map(|text| index.texts.weight(term, text))
        .fold(0.0, f64::max);
    most > 0.0 && here >= SERVED_SHARE * most
}

/// The way of calling a tool that the terms speak of most.
pub(crate) fn way(index: &Suggester, tool: usize, terms: &[Asked]) -> usize {
    if index.tools[tool].signature.ways.len() < 2 {
        return 0;
    }
    let scores = index.texts.scores(terms.iter());
    let mut best = (0.0, 0);
    for (score, (of, text)) in scores.iter().zip(&index.of_text) {
        if let TextOf::Way(way) = text
            && *of == tool
            && *score > best.0
        {
            best = (*score, *way);
        }
    }
    best.1
}

/// Adds tools that give what a chosen one requires and neither the intent nor another chosen tool gives.
fn add_needed(ranking: &Ranking<'_>, parts: &[Clause], asked: &[Vec<Asked>], chosen: &mut Chosen) {
    let index = ranking.index;
    for at in 0..chosen.choices.len() {
        let choice = chosen.choices[at].clone();
        let signature = &index.tools[choice.tool].signature;
        for argument in signature.ways[choice.way].required() {
            let is_made = matches!(argument.kind, Kind::List | Kind::Object);
            let gives = |tool: usize| {
                let mut gives = index.tools[tool].signature.gives.iter();
                gives.any(|part| part.name == argument.name && part.kind.fits(argument.kind))
            };
            let is_given = chosen
                .choices
                .iter()
                .any(|other| other.tool != choice.tool && gives(other.tool));
            if !is_made || is_given || chosen.choices.len() >= CHOICES_MAX {
                continue;
            }
            let clause = choice.clause;
            let fits = ranking.fits(&asked[clause]);
            let worth = |tool: usize| fits[tool].score + 0.3 * index.closeness(tool, choice.tool);
            let best = (0..index.tools.len())
                .filter(|tool| {
                    // A tool that was learned about is left out for a reason.
                    !chosen.learned.known.contains_key(tool)
                        && *tool != choice.tool
                        && index.tools[*tool].twin_of.is_none()
                        && gives(*tool)
                })
                .filter(|tool| {
                    fits[*tool].score >= NEEDED_MIN && can_begin(index, *tool, &parts[clause])
                })
                .max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
            if let Some(tool) = best {
                chosen.choices.push(Choice {
                    tool,
                    clause,
                    way: way(index, tool, &asked[clause]),
                    because: Because::Needed {
                        by: choice.tool,
                        part: argument.name.clone(),
                    },
                });
            }
        }
    }
}

/// Whether the intent alone gives all that a tool requires, and something to look for.
fn can_begin(index: &Suggester, tool: usize, part: &Clause) -> bool {
    index.tools[tool].signature.ways.iter().any(|way| {
        let given = extract::arguments(way, &part.text, &part.text);
        !given.is_empty()
            && way
                .required()
                .all(|argument| given.contains_key(&argument.name))
    })
}

/// The words by which a part was read, for whoever asks why.
pub(crate) fn as_said(part: &Clause, wanted: &[String]) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for word in part
        .text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let is_wanted = terms(word).iter().any(|term| wanted.contains(term));
        if is_wanted && !said.iter().any(|other| other.eq_ignore_ascii_case(word)) {
            said.push(word.to_lowercase());
        }
    }
    said
}
