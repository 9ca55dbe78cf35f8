//! The decision as a tree: go on now, or first settle what is open.

use adjutant_charts::{Axis, Better, Chart, DecisionTree, TreeBranch, TreeNode};

use super::{CriterionOf, Decision, Verdict, score, weigh_up};
use crate::text::short;

/// Open criteria shown: the heaviest.
const OPEN_MAX: usize = 5;

/// `None` if there is nothing to choose by.
pub(super) fn tree(criteria: &[CriterionOf], decision: Decision) -> Option<Chart> {
    if decision == Decision::NotPossible {
        return None;
    }
    let mut open: Vec<&CriterionOf> = criteria
        .iter()
        .filter(|at| at.verdict != Verdict::Met)
        .collect();
    open.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut branches = vec![TreeBranch {
        label: "Proceed unchanged".to_owned(),
        probability: None,
        then: TreeNode::Outcome {
            label: decision.name().to_owned(),
            value: score(criteria),
        },
    }];
    for criterion in open.into_iter().take(OPEN_MAX) {
        let mut settled = criteria.to_vec();
        for one in settled.iter_mut().filter(|at| at.name == criterion.name) {
            one.score = Some(100.0);
        }
        weigh_up(&mut settled);
        branches.push(TreeBranch {
            label: format!("First settle {}", short(&criterion.name, 60)),
            probability: None,
            then: TreeNode::Outcome {
                label: "Score if it is met".to_owned(),
                value: score(&settled),
            },
        });
    }
    Some(Chart::DecisionTree(DecisionTree {
        title: "The weighted score of each option".to_owned(),
        subtitle: None,
        source: None,
        value_axis: Axis {
            unit: Some("of 100".to_owned()),
            ..Axis::default()
        },
        better: Better::Higher,
        root: TreeNode::Decision { branches },
    }))
}
