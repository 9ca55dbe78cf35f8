//! Small scripts for each pattern that goes straight: given these signs, these moves.

use adjutant_mission::Pattern;

use crate::support::{moves, parts, reasoning, said, scores, settled};

#[test]
fn a_chain_ends_when_it_is_settled() {
    let chain = reasoning(&[Pattern::ChainOfThought], 5);
    assert_eq!(
        moves(&chain, false, &[said(), said(), settled(), said()]),
        [
            "think/step 1 []",
            "think/step 2 [0]",
            "think/step 3 [0, 1]",
            "conclude/conclude 1 [0, 1, 2]",
        ]
    );
}

#[test]
fn a_reflection_revises_until_nothing_is_criticised() {
    let reflection = reasoning(&[Pattern::Reflection], 5);
    assert_eq!(
        moves(
            &reflection,
            false,
            &[said(), said(), said(), settled(), said()]
        ),
        [
            "think/answer 1 []",
            "think/critique 1 [0]",
            "think/revise 1 [0, 1]",
            "think/critique 2 [2]",
            "conclude/conclude 1 [2]",
        ]
    );
}

#[test]
fn a_debate_goes_to_and_fro_and_the_better_side_comes_first() {
    let debate = reasoning(&[Pattern::Debate], 2);
    let script = [said(), said(), said(), said(), scores(&[30, 70]), said()];
    assert_eq!(
        moves(&debate, false, &script),
        [
            "think/for 1 []",
            "think/against 1 [0]",
            "think/rebut 2 [0, 1]",
            "think/rebut 2 [1, 2]",
            "weigh/verdict 2 [2, 3]",
            "conclude/conclude 1 [1, 3, 0, 2]",
        ]
    );
}

#[test]
fn a_debate_ends_when_one_side_has_nothing_more_to_say() {
    let debate = reasoning(&[Pattern::Debate], 9);
    let script = [said(), said(), settled(), scores(&[50, 50]), said()];
    assert_eq!(
        moves(&debate, false, &script)[2..],
        [
            "think/rebut 2 [0, 1]",
            "weigh/verdict 2 [2, 1]",
            "conclude/conclude 1 [0, 2, 1]",
        ]
    );
    let script = [said(), settled(), scores(&[60, 50]), said()];
    assert_eq!(
        moves(&debate, false, &script)[2..],
        ["weigh/verdict 1 [0, 1]", "conclude/conclude 1 [0, 1]"]
    );
}

#[test]
fn every_part_is_answered_but_not_more_than_eight() {
    let decomposition = reasoning(&[Pattern::Decomposition], 1);
    assert_eq!(
        moves(&decomposition, false, &[parts(2), said(), said(), said()]),
        [
            "split/parts 1 []",
            "think/answer 1 [] part 0 of 0",
            "think/answer 1 [] part 1 of 0",
            "conclude/conclude 1 [1, 2]",
        ]
    );
    let many = [vec![parts(50)], vec![said(); 9]].concat();
    assert_eq!(
        moves(&decomposition, false, &many)[8..],
        [
            "think/answer 1 [] part 7 of 0",
            "conclude/conclude 1 [1, 2, 3, 4, 5, 6, 7, 8]",
        ]
    );
    assert_eq!(
        moves(&decomposition, false, &[parts(0), said(), said()])[1..],
        ["think/answer 1 [0]", "conclude/conclude 1 [1]"]
    );
}

#[test]
fn another_analogue_is_looked_for_while_none_fits() {
    let analogical = reasoning(&[Pattern::Analogical], 3);
    let script = [
        said(),
        said(),
        scores(&[40]),
        said(),
        said(),
        scores(&[70]),
        said(),
        said(),
    ];
    assert_eq!(
        moves(&analogical, false, &script),
        [
            "think/analogue 1 []",
            "think/map 1 [0]",
            "weigh/fit 1 [1]",
            "think/analogue 2 [0]",
            "think/map 2 [3]",
            "weigh/fit 2 [4]",
            "think/transfer 2 [3, 4]",
            "conclude/conclude 1 [6]",
        ]
    );
}

#[test]
fn the_best_fitting_analogue_is_carried_over_if_none_fits_well() {
    let analogical = reasoning(&[Pattern::Analogical], 2);
    let script = [
        said(),
        said(),
        scores(&[40]),
        said(),
        said(),
        scores(&[40]),
        said(),
        said(),
    ];
    assert_eq!(
        moves(&analogical, false, &script)[6..],
        ["think/transfer 2 [0, 1]", "conclude/conclude 1 [6]"]
    );
    // No further analogue comes to mind.
    let script = [said(), said(), scores(&[40]), settled(), said(), said()];
    assert_eq!(
        moves(&analogical, false, &script)[3..],
        [
            "think/analogue 2 [0]",
            "think/transfer 2 [0, 1]",
            "conclude/conclude 1 [4]",
        ]
    );
}

#[test]
fn an_answer_is_attacked_and_defended_until_nothing_is_left_to_attack() {
    let adversarial = reasoning(&[Pattern::Adversarial], 5);
    let script = [said(), said(), said(), said(), said(), settled(), said()];
    assert_eq!(
        moves(&adversarial, false, &script),
        [
            "think/answer 1 []",
            "think/attack 1 [0]",
            "think/defend 1 [0, 1]",
            "think/attack 2 [0, 1, 2]",
            "think/defend 2 [0, 1, 2, 3]",
            "think/attack 3 [0, 1, 2, 3, 4]",
            "conclude/conclude 1 [0, 2, 4]",
        ]
    );
}

#[test]
fn assumptions_are_examined_before_the_answer() {
    let socratic = reasoning(&[Pattern::Socratic], 1);
    assert_eq!(
        moves(
            &socratic,
            false,
            &[parts(2), said(), said(), said(), said()]
        ),
        [
            "split/assumptions 1 []",
            "think/examine 1 [] part 0 of 0",
            "think/examine 1 [] part 1 of 0",
            "think/answer 1 [0, 1, 2]",
            "conclude/conclude 1 [3]",
        ]
    );
    let many = [vec![parts(7)], vec![said(); 8]].concat();
    assert_eq!(
        moves(&socratic, false, &many)[6..],
        [
            "think/examine 1 [] part 5 of 0",
            "think/answer 1 [0, 1, 2, 3, 4, 5, 6]",
            "conclude/conclude 1 [7]",
        ]
    );
    assert_eq!(
        moves(&socratic, false, &[parts(0), said(), said()])[1..],
        ["think/answer 1 [0]", "conclude/conclude 1 [1]"]
    );
}

#[test]
fn lessons_that_were_not_understood_are_explained_once_more() {
    let pedagogical = reasoning(&[Pattern::Pedagogical], 2);
    let script = [
        parts(2),
        said(),
        said(),
        said(),
        said(),
        scores(&[60, 90]),
        said(),
        said(),
    ];
    assert_eq!(
        moves(&pedagogical, false, &script),
        [
            "split/lessons 1 []",
            "think/explain 1 [] part 0 of 0",
            "think/check_understanding 1 [1] part 0 of 0",
            "think/explain 1 [1] part 1 of 0",
            "think/check_understanding 1 [3] part 1 of 0",
            "weigh/fit 1 [1, 3]",
            "think/explain 2 [1, 2] part 0 of 0",
            "conclude/conclude 1 [6, 3]",
        ]
    );
}

#[test]
fn a_single_iteration_explains_nothing_twice() {
    let pedagogical = reasoning(&[Pattern::Pedagogical], 1);
    let script = [parts(0), said(), said(), scores(&[0]), said()];
    assert_eq!(
        moves(&pedagogical, false, &script)[1..],
        [
            "think/explain 1 [0]",
            "think/check_understanding 1 [1]",
            "weigh/fit 1 [1]",
            "conclude/conclude 1 [1]",
        ]
    );
}
