//! Patterns that follow one another, and rounds after a conclusion.

use adjutant_mission::{AGAIN_STEPS_MAX, Next, Pattern, Signs, StepTaken, again, next, rounds};

use crate::support::{Dice, moves, parts, play, reasoning, said, scores, settled, shown, taken};

#[test]
fn each_pattern_goes_on_from_the_results_before_it() {
    let composed = reasoning(
        &[
            Pattern::ChainOfThought,
            Pattern::Debate,
            Pattern::Reflection,
        ],
        2,
    );
    let script = [
        said(),
        settled(),
        said(),
        settled(),
        scores(&[40, 60]),
        said(),
        said(),
        settled(),
        said(),
    ];
    assert_eq!(
        moves(&composed, false, &script),
        [
            "think/step 1 []",
            "think/step 2 [0]",
            "think/for 1 [0, 1]",
            "think/against 1 [0, 1, 2]",
            "weigh/verdict 1 [2, 3]",
            // Nothing is drafted: what is given is the draft.
            "think/critique 1 [0, 1, 3, 2]",
            "think/revise 1 [0, 1, 3, 2, 5]",
            "think/critique 2 [6]",
            "conclude/conclude 1 [0, 1, 3, 2, 6]",
        ]
    );
}

#[test]
fn the_same_pattern_may_come_twice() {
    let twice = reasoning(&[Pattern::Decomposition, Pattern::Decomposition], 1);
    assert_eq!(
        moves(
            &twice,
            false,
            &[parts(1), said(), parts(2), said(), said(), said()]
        ),
        [
            "split/parts 1 []",
            "think/answer 1 [] part 0 of 0",
            "split/parts 1 [1]",
            "think/answer 1 [1] part 0 of 2",
            "think/answer 1 [1] part 1 of 2",
            "conclude/conclude 1 [1, 3, 4]",
        ]
    );
}

#[test]
fn a_reflection_that_objects_to_nothing_leaves_what_is_given() {
    let composed = reasoning(&[Pattern::ChainOfThought, Pattern::Reflection], 1);
    assert_eq!(
        moves(&composed, false, &[said(), settled(), said()]),
        [
            "think/step 1 []",
            "think/critique 1 [0]",
            "conclude/conclude 1 [0]",
        ]
    );
}

fn goes_on(steps: &mut Vec<StepTaken>, asked: Next, signs: Signs) -> String {
    let Next::Take(step) = asked else {
        panic!("nothing comes after {} steps: {asked:?}", steps.len());
    };
    let text = format!("{} {}", step.pattern.name(), shown(&step));
    steps.push(taken(step, signs));
    text
}

#[test]
fn a_further_round_criticises_the_conclusion_and_concludes_anew() {
    let plain = reasoning(&[Pattern::ChainOfThought], 2);
    let mut steps = play(&plain, false, |_| said());
    assert_eq!(rounds(&steps), 1);

    let asked = again(&plain, false, &steps);
    assert_eq!(
        goes_on(&mut steps, asked, said()),
        "reflection think/critique 1 [0, 1, 2]"
    );
    let asked = next(&plain, false, &steps);
    assert_eq!(
        goes_on(&mut steps, asked, said()),
        "reflection think/revise 1 [0, 1, 2, 3]"
    );
    let asked = next(&plain, false, &steps);
    assert_eq!(
        goes_on(&mut steps, asked, said()),
        "reflection conclude/conclude 1 [0, 1, 2, 4]"
    );
    assert_eq!(next(&plain, false, &steps), Next::Concluded);
    assert_eq!(rounds(&steps), 2);

    // The round after that is about the newer conclusion, and one that finds nothing goes straight to its end.
    let asked = again(&plain, false, &steps);
    assert_eq!(
        goes_on(&mut steps, asked, settled()),
        "reflection think/critique 1 [0, 1, 5]"
    );
    let asked = next(&plain, false, &steps);
    assert_eq!(
        goes_on(&mut steps, asked, said()),
        "reflection conclude/conclude 1 [0, 1, 5]"
    );
    assert_eq!(next(&plain, false, &steps), Next::Concluded);
    assert_eq!(rounds(&steps), 3);
}

#[test]
fn before_the_conclusion_again_is_next() {
    let plain = reasoning(&[Pattern::Mcts, Pattern::Socratic], 3);
    let mut dice = Dice(7);
    let steps = play(&plain, false, |step| dice.signs(step));
    for taken in 0..steps.len() {
        let before = &steps[..taken];
        assert_eq!(again(&plain, false, before), next(&plain, false, before));
    }
}

#[test]
fn further_rounds_resume_like_everything_else() {
    for (seed, pattern) in (0..).zip(Pattern::ALL) {
        let mut dice = Dice(seed);
        let plain = reasoning(&[pattern], 2);
        let mut steps = play(&plain, false, |step| dice.signs(step));
        for round in 1..4 {
            let concluded = steps.len();
            let mut asked = again(&plain, false, &steps);
            while let Next::Take(step) = asked {
                let signs = dice.signs(&step);
                steps.push(taken(step, signs));
                asked = next(&plain, false, &steps);
            }
            assert_eq!(asked, Next::Concluded);
            assert_eq!(rounds(&steps), round + 1);
            assert!(steps.len() - concluded <= AGAIN_STEPS_MAX as usize);
            for prefix in concluded + 1..steps.len() {
                let taken = steps[prefix].step.clone();
                assert_eq!(next(&plain, false, &steps[..prefix]), Next::Take(taken));
            }
        }
    }
}
