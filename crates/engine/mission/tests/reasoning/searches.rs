//! Small scripts for the two patterns that search a tree: given these scores, these moves.

use adjutant_mission::{Pattern, Signs};

use crate::support::{moves, reasoning, said, scores, settled};

#[test]
fn a_tree_keeps_the_best_and_of_equals_the_earlier() {
    let tree = reasoning(&[Pattern::TreeOfThought], 2);
    let script = [
        said(),
        said(),
        said(),
        scores(&[30, 80, 80]),
        said(),
        said(),
        said(),
        said(),
        scores(&[10, 20, 90, 90]),
        said(),
    ];
    assert_eq!(
        moves(&tree, false, &script),
        [
            "think/branch 1 []",
            "think/branch 1 [0]",
            "think/branch 1 [0, 1]",
            "weigh/promise 1 [0, 1, 2]",
            "think/expand 2 [1]",
            "think/expand 2 [1, 4]",
            "think/expand 2 [2]",
            "think/expand 2 [2, 6]",
            "weigh/promise 2 [4, 5, 6, 7]",
            "conclude/conclude 1 [2, 6]",
        ]
    );
}

#[test]
fn a_settled_line_of_a_tree_is_not_continued_but_stays_in_the_running() {
    let tree = reasoning(&[Pattern::TreeOfThought], 2);
    let script = [
        said(),
        settled(),
        said(),
        scores(&[80, 90, 10]),
        said(),
        said(),
        scores(&[60, 50, 40]),
        said(),
    ];
    assert_eq!(
        moves(&tree, false, &script)[4..],
        [
            "think/expand 2 [0]",
            "think/expand 2 [0, 4]",
            "weigh/promise 2 [1, 4, 5]",
            "conclude/conclude 1 [1]",
        ]
    );
}

#[test]
fn a_tree_stops_when_all_it_keeps_is_settled() {
    let tree = reasoning(&[Pattern::TreeOfThought], 5);
    let script = [settled(), said(), settled(), scores(&[50, 10, 60]), said()];
    assert_eq!(
        moves(&tree, false, &script)[4..],
        ["conclude/conclude 1 [2]"]
    );
}

/// The line's last score counts; the others are there because each step weighed has one.
fn estimate(percents: &[u32]) -> Signs {
    scores(percents)
}

#[test]
fn a_search_tries_every_branch_and_then_what_may_be_worth_most() {
    let search = reasoning(&[Pattern::Mcts], 3);
    let script = [
        said(),
        estimate(&[20]),
        said(),
        estimate(&[90]),
        said(),
        estimate(&[50]),
        // All were tried once, so the best so far is continued. It disappoints.
        said(),
        estimate(&[99, 10]),
        // 0.5 + sqrt(2 ln 4 / 1) = 2.165 for the third branch, 1.677 for the second, 1.865 for the first.
        said(),
        estimate(&[0, 90]),
        // 0.2 + sqrt(2 ln 5 / 1) = 1.994 for the first branch, 1.968 for the third.
        said(),
        estimate(&[0, 30]),
        said(),
    ];
    assert_eq!(
        moves(&search, false, &script),
        [
            "think/branch 1 []",
            "weigh/simulate 1 [0]",
            "think/branch 1 [0]",
            "weigh/simulate 1 [2]",
            "think/branch 2 [0, 2]",
            "weigh/simulate 2 [4]",
            "think/expand 2 [2]",
            "weigh/simulate 2 [2, 6]",
            "think/expand 3 [4]",
            "weigh/simulate 3 [4, 8]",
            "think/expand 3 [0]",
            "weigh/simulate 3 [0, 10]",
            // Each was visited twice: the one that gave most is the better.
            "conclude/conclude 1 [4, 8]",
        ]
    );
}

#[test]
fn a_search_does_not_ask_again_what_a_settled_line_is_worth() {
    let search = reasoning(&[Pattern::Mcts], 2);
    let script = [
        settled(),
        estimate(&[100]),
        said(),
        estimate(&[0]),
        said(),
        estimate(&[0]),
        said(),
    ];
    assert_eq!(
        moves(&search, false, &script)[6..],
        ["conclude/conclude 1 [0]"]
    );
}

#[test]
fn a_search_with_a_single_iteration_tries_two_branches() {
    let search = reasoning(&[Pattern::Mcts], 1);
    let script = [said(), estimate(&[10]), said(), estimate(&[20]), said()];
    assert_eq!(
        moves(&search, false, &script)[4..],
        ["conclude/conclude 1 [2]"]
    );
}

#[test]
fn a_search_goes_deep_where_it_keeps_proving_good() {
    let search = reasoning(&[Pattern::Mcts], 20);
    // Whatever goes on from the second branch is worth everything, and nothing else is worth anything.
    let steps = crate::support::play(&search, false, |step| Signs {
        scores: step
            .uses
            .iter()
            .map(|_| adjutant_mission::Ppm(if step.uses[0] == 2 { 1_000_000 } else { 0 }))
            .collect(),
        ..said()
    });
    let line = &steps.last().unwrap().step.uses;
    assert_eq!(line[0], 2);
    assert!(line.len() >= 3, "{line:?}");
    let first_level = |branch: u16| {
        let through = |step: &&adjutant_mission::StepTaken| {
            step.step.role == adjutant_mission::StepRole::Simulate && step.step.uses[0] == branch
        };
        steps.iter().filter(through).count()
    };
    assert!(first_level(2) > first_level(0) + first_level(4));
    assert!(first_level(0) > 1, "what looks bad is tried again, seldom");
}
