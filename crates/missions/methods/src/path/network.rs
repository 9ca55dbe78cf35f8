//! Steps that wait for each other, each with one or more ways to do it. Computes what a choice of ways comes to.

use adjutant_questions::Evidence;

use crate::method::InputRefused;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Way {
    /// Empty if there is only one.
    pub(super) name: String,
    /// Nothing if nobody says how long it takes.
    pub(super) days: Option<f64>,
    pub(super) cost: Option<f64>,
    pub(super) evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) ways: Vec<Way>,
    /// Positions of the steps that must be finished before.
    pub(super) after: Vec<usize>,
    /// Nothing of it is left to do.
    pub(super) is_done: bool,
}

/// Steps in an order in which each comes after those that it waits for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Network {
    pub(super) steps: Vec<Step>,
}

/// What a choice of ways comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Schedule {
    /// The way of each step.
    pub(super) ways: Vec<usize>,
    pub(super) starts: Vec<f64>,
    /// By how many days a step may be late before the end is.
    pub(super) slack: Vec<f64>,
    pub(super) days: f64,
    pub(super) cost: f64,
}

impl Step {
    pub(super) fn days(&self, way: usize) -> f64 {
        match self.is_done {
            true => 0.0,
            false => self.ways[way].days.unwrap_or(0.0),
        }
    }

    pub(super) fn cost(&self, way: usize) -> f64 {
        match self.is_done {
            true => 0.0,
            false => self.ways[way].cost.unwrap_or(0.0),
        }
    }
}

impl Network {
    /// Puts the steps into order; steps that wait for each other in a circle are refused.
    pub(super) fn new(steps: Vec<Step>) -> Result<Self, InputRefused> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < steps.len() {
            let is_free = |at: &usize| {
                !order.contains(at) && steps[*at].after.iter().all(|before| order.contains(before))
            };
            let Some(next) = (0..steps.len()).find(is_free) else {
                let stuck: Vec<&str> = (0..steps.len())
                    .filter(|at| !order.contains(at))
                    .map(|at| steps[at].name.as_str())
                    .collect();
                let names = crate::text::listed(&stuck);
                return Err(InputRefused(format!(
                    "these steps wait for each other in a circle: {names}"
                )));
            };
            order.push(next);
        }
        let place = |old: &usize| order.iter().position(|at| at == old);
        let sorted = order.iter().map(|at| Step {
            after: steps[*at].after.iter().filter_map(place).collect(),
            ..steps[*at].clone()
        });
        Ok(Self {
            steps: sorted.collect(),
        })
    }

    /// Only a step and what it waits for.
    pub(super) fn up_to(&self, goal: usize) -> Self {
        let mut needed = vec![false; self.steps.len()];
        needed[goal] = true;
        for at in (0..=goal).rev() {
            if needed[at] {
                for before in &self.steps[at].after {
                    needed[*before] = true;
                }
            }
        }
        let kept: Vec<usize> = (0..self.steps.len()).filter(|at| needed[*at]).collect();
        let place = |old: &usize| kept.iter().position(|at| at == old);
        let steps = kept.iter().map(|at| Step {
            after: self.steps[*at].after.iter().filter_map(place).collect(),
            ..self.steps[*at].clone()
        });
        Self {
            steps: steps.collect(),
        }
    }

    /// Each step starts as soon as all that it waits for is finished.
    pub(super) fn schedule(&self, ways: &[usize]) -> Schedule {
        let count = self.steps.len();
        let mut starts = vec![0.0_f64; count];
        let end = |starts: &[f64], at: usize| starts[at] + self.steps[at].days(ways[at]);
        for at in 0..count {
            let before = self.steps[at].after.iter();
            starts[at] = before
                .map(|before| end(&starts, *before))
                .fold(0.0, f64::max);
        }
        let days = (0..count).map(|at| end(&starts, at)).fold(0.0, f64::max);
        let mut latest = vec![days; count];
        for at in (0..count).rev() {
            let must_start = latest[at] - self.steps[at].days(ways[at]);
            for before in &self.steps[at].after {
                latest[*before] = latest[*before].min(must_start);
            }
        }
        let slack = (0..count).map(|at| latest[at] - end(&starts, at)).collect();
        Schedule {
            ways: ways.to_vec(),
            slack,
            days,
            cost: (0..count).map(|at| self.steps[at].cost(ways[at])).sum(),
            starts,
        }
    }
}
