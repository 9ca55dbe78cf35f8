//! Workflows that ended: what was wanted, what was done, and whether it worked.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;
use crate::search::{Asked, TextIndex};
use crate::words::terms;

/// How many workflows that are alike are looked at.
const ALIKE_MAX: usize = 20;
/// Workflows less alike than this say nothing.
const ALIKE_MIN: f64 = 0.3;
/// What a workflow that failed takes from its tools, as a share of what it would give them.
const FAILED_TAKES: f64 = 0.5;

/// A workflow that ended.
#[derive(Debug, Clone)]
pub struct PastWorkflow {
    /// By which a person finds it again.
    pub id: String,
    /// What was wanted, in words.
    pub intent: String,
    pub graph: Graph,
    pub outcome: WorkflowOutcome,
    pub covers: Covers,
}

/// How much of what was done a graph of tools tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covers {
    /// All of it, so that it can be done again.
    Whole,
    /// Agents did the rest: it tells only what followed what.
    ToolsOnly,
}

/// How a workflow ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkflowOutcome {
    Completed,
    Failed,
}

/// All workflows that ended, by what was wanted.
#[derive(Debug, Default)]
pub(crate) struct Past {
    pub(crate) workflows: Vec<PastWorkflow>,
    texts: TextIndex,
    /// What all terms of each intent weigh together.
    weights: Vec<f64>,
}

/// A workflow whose intent is like the one that is asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Alike {
    pub(crate) workflow: usize,
    /// From 0 to 1.
    pub(crate) similarity: f64,
}

impl Past {
    pub(crate) fn new(workflows: Vec<PastWorkflow>) -> Self {
        let texts: Vec<BTreeMap<String, f64>> = workflows
            .iter()
            .map(|workflow| {
                distinct(&workflow.intent)
                    .into_iter()
                    .map(|term| (term, 1.0))
                    .collect()
            })
            .collect();
        let index = TextIndex::build(&texts, |at| at);
        let weights = texts
            .iter()
            .map(|text| {
                text.keys()
                    .map(|term| index.weight_max(&index.asked(term)))
                    .sum()
            })
            .collect();
        Self {
            workflows,
            texts: index,
            weights,
        }
    }

    /// The workflows whose intents are most alike, best first.
    pub(crate) fn alike(&self, intent: &str) -> Vec<Alike> {
        let asked: Vec<Asked> = distinct(intent)
            .iter()
            .map(|term| self.texts.asked(term))
            .collect();
        // A word that no workflow had is as telling as the rarest.
        let weigh = |term: &Asked| match term.known.is_empty() {
            true => 1.0,
            false => self.texts.weight_max(term),
        };
        let whole: f64 = asked.iter().map(weigh).sum();
        if whole <= 0.0 {
            return Vec::new();
        }
        let scores = self.texts.scores(asked.iter());
        let mut alike: Vec<Alike> = scores
            .iter()
            .zip(&self.weights)
            .enumerate()
            .filter(|(_, (score, weight))| **score > 0.0 && **weight > 0.0)
            .map(|(workflow, (score, weight))| Alike {
                workflow,
                similarity: (score / libm::sqrt(whole * weight)).min(1.0),
            })
            .filter(|alike| alike.similarity >= ALIKE_MIN)
            .collect();
        let order = |a: &Alike, b: &Alike| {
            b.similarity
                .total_cmp(&a.similarity)
                .then(a.workflow.cmp(&b.workflow))
        };
        if alike.len() > ALIKE_MAX {
            alike.select_nth_unstable_by(ALIKE_MAX, order);
            alike.truncate(ALIKE_MAX);
        }
        alike.sort_by(order);
        alike
    }

    /// The workflow most alike that worked.
    pub(crate) fn best_completed(&self, alike: &[Alike]) -> Option<Alike> {
        alike
            .iter()
            .find(|alike| self.workflows[alike.workflow].outcome == WorkflowOutcome::Completed)
            .copied()
    }

    /// For each tool how far workflows that are alike speak for it, from -1 to 1.
    pub(crate) fn votes(&self, alike: &[Alike]) -> BTreeMap<&str, f64> {
        let whole: f64 = alike.iter().map(|alike| alike.similarity).sum();
        let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
        for alike in alike {
            let workflow = &self.workflows[alike.workflow];
            let worth = match workflow.outcome {
                WorkflowOutcome::Completed => alike.similarity,
                WorkflowOutcome::Failed => -FAILED_TAKES * alike.similarity,
            };
            for tool in workflow.graph.tools() {
                *votes.entry(tool).or_default() += worth / whole;
            }
        }
        votes
    }
}

fn distinct(text: &str) -> BTreeSet<String> {
    terms(text).into_iter().collect()
}
