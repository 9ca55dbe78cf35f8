//! From single links to a tree: what failed at the root, and below each effect what is said to have caused it.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_text::causes::Certainty;

use super::links::Link;
use crate::words::{documents, likeness, stems};

/// From here on two descriptions are of the same thing.
const SAME_MIN: f64 = 0.6;
/// How many words they must share for that, unless one has fewer.
const SHARED_MIN: usize = 2;
pub(super) const DEPTH_MAX: usize = 5;
pub(super) const NODES_MAX: usize = 40;

/// A thing that is a cause or an effect, however often it is named.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) text: String,
    pub(super) stems: BTreeSet<String>,
}

/// One effect and one of its causes.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub(super) cause: usize,
    pub(super) effect: usize,
    /// The links that say so.
    pub(super) links: Vec<usize>,
    /// Of the surest link.
    pub(super) certainty: Certainty,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// The part of a graph that leads to what failed. Edges by their number, each once, causes after their effects.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// What failed, as the documents call it.
    pub(super) roots: Vec<usize>,
    pub(super) edges: Vec<(usize, usize)>,
}

impl Graph {
    /// Links between the same things become one edge. Denied causes are no edges.
    pub(super) fn new(links: &[Link]) -> Self {
        let mut graph = Self::default();
        let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (at, link) in links.iter().enumerate() {
            if link.certainty == Certainty::Denied {
                continue;
            }
            let (cause, effect) = (graph.node(&link.cause), graph.node(&link.effect));
            let (Some(cause), Some(effect)) = (cause, effect) else {
                continue;
            };
            if cause == effect {
                continue;
            }
            let next = graph.edges.len();
            let place = *places.entry((cause, effect)).or_insert(next);
            match graph.edges.get_mut(place) {
                Some(edge) => {
                    edge.links.push(at);
                    edge.certainty = edge.certainty.max(link.certainty);
                }
                None => graph.edges.push(Edge {
                    cause,
                    effect,
                    links: vec![at],
                    certainty: link.certainty,
                }),
            }
        }
        graph
    }

    /// The node of that description; a new one if there is none yet and there is room.
    fn node(&mut self, text: &str) -> Option<usize> {
        let words = stems(text);
        let known = self
            .nodes
            .iter()
            .position(|node| is_same(&node.stems, &words));
        if known.is_some() || self.nodes.len() == NODES_MAX {
            return known;
        }
        self.nodes.push(Node {
            text: text.to_owned(),
            stems: words,
        });
        Some(self.nodes.len() - 1)
    }

    /// The tree of causes of what is described by these words.
    pub(super) fn tree(&self, failure: &BTreeSet<String>) -> Tree {
        let is_effect = |node: usize| self.edges.iter().any(|edge| edge.effect == node);
        let shared = |node: usize| self.nodes[node].stems.intersection(failure).count();
        let best = (0..self.nodes.len())
            .filter(|node| is_effect(*node))
            .map(shared)
            .max()
            .unwrap_or(0);
        let mut tree = Tree::default();
        if best == 0 {
            return tree;
        }
        tree.roots = (0..self.nodes.len())
            .filter(|node| is_effect(*node) && shared(*node) == best)
            .collect();
        let mut reached: BTreeSet<usize> = tree.roots.iter().copied().collect();
        let mut level = tree.roots.clone();
        for depth in 1..=DEPTH_MAX {
            let mut next = Vec::new();
            for effect in level {
                for (at, edge) in self.edges.iter().enumerate() {
                    // A cause that was reached already would close a circle or repeat itself.
                    if edge.effect == effect && reached.insert(edge.cause) {
                        tree.edges.push((at, depth));
                        next.push(edge.cause);
                    }
                }
            }
            level = next;
        }
        tree
    }

    /// The causes at the ends of a tree: nothing is said of what caused them.
    pub(super) fn ends(&self, tree: &Tree) -> Vec<usize> {
        let edges = || tree.edges.iter().map(|(at, _)| &self.edges[*at]);
        let has_cause = |node: usize| edges().any(|edge| edge.effect == node);
        edges()
            .map(|edge| edge.cause)
            .filter(|node| !has_cause(*node))
            .collect()
    }

    /// How many documents state an edge.
    pub(super) fn support(&self, edge: usize, links: &[Link]) -> usize {
        let own = self.edges[edge].links.iter();
        documents(own.flat_map(|at| &links[*at].evidence)).len()
    }
}

/// Whether two descriptions are of the same thing.
pub(super) fn is_same(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let needed = SHARED_MIN.min(one.len()).min(other.len());
    let shared = one.intersection(other).count();
    // A single word in common with a longer description says too little.
    let single = one.len().min(other.len()) < SHARED_MIN && one.len() != other.len();
    needed > 0 && shared >= needed && !single && likeness(one, other) >= SAME_MIN
}
