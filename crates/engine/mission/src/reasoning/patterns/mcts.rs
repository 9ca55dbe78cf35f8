//! Monte Carlo tree search: each simulation goes down the tree to where it may be worth most, adds one thought there,
//! estimates what the line comes to, and tells every thought on the way back. The result is the line that was visited
//! most: the search returns to what keeps proving good.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};
use super::upper_bound::upper_bound;

/// Ways in which a thought is continued before the search goes deeper.
const BRANCHING: usize = 3;
/// With a single one each, small limits would not even try every first branch.
const SIMULATIONS_PER_ITERATION: u16 = 2;

const ROOT: usize = 0;

struct Node {
    /// The thought; none at the root, which is the question itself.
    step: Option<u16>,
    children: Vec<usize>,
    /// There is nothing to continue here.
    settled: bool,
    /// What its own simulation gave, in parts per million.
    value: u32,
    visits: u32,
    /// Of all simulations that went through it.
    sum: u64,
}

impl Node {
    fn new(step: Option<u16>, settled: bool, value: u32) -> Self {
        Self {
            step,
            children: Vec::new(),
            settled,
            value,
            visits: 0,
            sum: 0,
        }
    }
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// From the root to a node that can be continued, or to one where nothing can.
    fn select(&self) -> Vec<usize> {
        self.descend(
            |node| !node.settled && node.children.len() >= BRANCHING,
            |parent, child| upper_bound(child.sum, child.visits, parent.visits),
        )
    }

    /// The line that was visited most; of equals the better, then the earlier.
    fn best_line(&self) -> Vec<u16> {
        let way = self.descend(|_| true, |_, child| (child.visits, child.sum));
        self.thoughts(&way)
    }

    /// Goes down as long as `may_pass`, each time to the child that is worth most and, of equals, to the earliest.
    fn descend<Worth: Ord>(
        &self,
        may_pass: impl Fn(&Node) -> bool,
        worth: impl Fn(&Node, &Node) -> Worth,
    ) -> Vec<usize> {
        let mut way = vec![ROOT];
        let mut here = self.nodes.get(ROOT);
        while let Some(node) = here.filter(|node| may_pass(node)) {
            let children = node.children.iter().copied();
            let best = children
                .filter_map(|child| Some((child, self.nodes.get(child)?)))
                .min_by_key(|(_, child)| Reverse(worth(node, child)));
            here = best.map(|(place, child)| {
                way.push(place);
                child
            });
        }
        way
    }

    fn thoughts(&self, way: &[usize]) -> Vec<u16> {
        let nodes = way.iter().filter_map(|place| self.nodes.get(*place));
        nodes.filter_map(|node| node.step).collect()
    }

    fn add(&mut self, parent: usize, node: Node) -> usize {
        let place = self.nodes.len();
        self.nodes.push(node);
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(place);
        }
        place
    }

    fn tell(&mut self, way: &[usize], value: u32) {
        for place in way {
            if let Some(node) = self.nodes.get_mut(*place) {
                node.visits += 1;
                node.sum += u64::from(value);
            }
        }
    }
}

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let mut tree = Tree {
        nodes: vec![Node::new(None, false, 0)],
    };
    for iteration in 1..=run.iterations() {
        for _ in 0..SIMULATIONS_PER_ITERATION {
            simulate(run, given, &mut tree, iteration)?;
        }
    }
    Ok(tree.best_line())
}

fn simulate(run: &mut Run<'_>, given: &[u16], tree: &mut Tree, iteration: u16) -> Result<(), Halt> {
    let mut way = tree.select();
    let place = way.last().copied().unwrap_or(ROOT);
    let Some(leaf) = tree.nodes.get(place) else {
        return Ok(());
    };
    if leaf.settled {
        // What it comes to is known: to ask again would give the same.
        let value = leaf.value;
        tree.tell(&way, value);
        return Ok(());
    }
    let line = tree.thoughts(&way);
    let siblings = tree.thoughts(&leaf.children);
    let thought = match line.is_empty() {
        true => run.think(StepRole::Branch, iteration, with(given, &siblings))?,
        false => run.think(StepRole::Expand, iteration, with(&line, &siblings))?,
    };
    let line = with(&line, &[thought.number]);
    let estimate = run.weigh(StepRole::Simulate, iteration, line.clone())?;
    // The whole line is weighed, so that the thought is seen where it leads; the score is that of its end.
    let value = estimate.score(line.len() - 1).0;
    let node = Node::new(Some(thought.number), thought.is_settled(), value);
    way.push(tree.add(place, node));
    tree.tell(&way, value);
    Ok(())
}

pub(super) fn steps_max(iterations: u32) -> u32 {
    2 * u32::from(SIMULATIONS_PER_ITERATION) * iterations
}
