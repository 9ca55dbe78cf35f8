//! ReAct: its moves, and the seven phases that follow from them.

use adjutant_mission::{
    Pattern, PhaseRecord, Ppm, ReactPhase, Reasoning, Signs, StepKind, StepTaken, phase_of,
    react_phases,
};

use crate::support::{
    Dice, calls, moves, play, reasoning, said, scores, settled, sure, with_tools,
};

fn react(iterations: u16) -> Reasoning {
    with_tools(reasoning(&[Pattern::React], iterations))
}

fn steps(reasoning: &Reasoning, may_act: bool, script: &[Signs]) -> Vec<StepTaken> {
    let mut script = script.iter().cloned();
    play(reasoning, may_act, |_| script.next().unwrap())
}

/// One line for each phase: its iteration, name, step, whether it holds, and its confidence in percent.
fn shown(phases: &[PhaseRecord]) -> Vec<String> {
    let line = |record: &PhaseRecord| {
        let mut text = format!("{} {}", record.iteration, record.phase.name());
        if let Some(step) = record.step {
            text += &format!(" [{step}]");
        }
        text += if record.holds { " holds" } else { " fails" };
        if let Some(confidence) = record.confidence {
            text += &format!(" {}%", confidence.0 / 10_000);
        }
        text
    };
    phases.iter().map(line).collect()
}

#[test]
fn it_thinks_acts_observes_and_checks_until_it_is_sure() {
    let script = [
        sure(90),
        calls("search"),
        said(),
        scores(&[80, 60]),
        sure(75),
        said(),
        scores(&[95]),
        said(),
    ];
    assert_eq!(
        moves(&react(5), true, &script),
        [
            "think/step 1 []",
            "act/choose 1 [0]",
            "call/observe 1 [1] calls search",
            "weigh/postcondition 1 [0, 2]",
            "think/step 2 [0, 2, 3]",
            "act/choose 2 [0, 2, 4]",
            "weigh/postcondition 2 [4]",
            "conclude/conclude 1 [0, 2, 4]",
        ]
    );
    let steps = steps(&react(5), true, &script);
    assert_eq!(
        shown(&react_phases(&react(5), true, &steps)),
        [
            "1 precondition holds",
            "1 reasoning [0] holds 90%",
            "1 action [1] holds",
            "1 observation [2] holds",
            "1 postcondition [3] fails 60%",
            "1 uncertainty fails 60%",
            "1 checkpoint fails 60%",
            "2 precondition holds",
            "2 reasoning [4] holds 75%",
            "2 action [5] holds",
            "2 observation holds",
            "2 postcondition [6] holds 95%",
            "2 uncertainty holds 75%",
            "2 checkpoint holds 75%",
        ]
    );
}

#[test]
fn it_does_not_act_without_leave_or_tools() {
    let script = [sure(90), scores(&[90]), said()];
    let expected = [
        "think/step 1 []",
        "weigh/postcondition 1 [0]",
        "conclude/conclude 1 [0]",
    ];
    assert_eq!(moves(&react(5), false, &script), expected);
    let bare = reasoning(&[Pattern::React], 5);
    assert_eq!(moves(&bare, true, &script), expected);
}

#[test]
fn a_tool_that_is_not_among_its_own_is_not_called() {
    let script = [sure(90), calls("shell"), scores(&[90]), said()];
    assert_eq!(
        moves(&react(5), true, &script)[1..],
        [
            "act/choose 1 [0]",
            "weigh/postcondition 1 [0]",
            "conclude/conclude 1 [0]",
        ]
    );
    let steps = steps(&react(5), true, &script);
    assert_eq!(
        shown(&react_phases(&react(5), true, &steps))[2..4],
        ["1 action [1] fails", "1 observation fails"]
    );
}

#[test]
fn a_settled_thought_ends_it_only_if_nothing_was_called() {
    let quiet = [settled(), said(), scores(&[10]), said()];
    assert_eq!(moves(&react(5), true, &quiet).len(), 4);

    let busy = [
        settled(),
        calls("search"),
        said(),
        scores(&[10, 10]),
        sure(90),
        said(),
        scores(&[90]),
        said(),
    ];
    assert_eq!(moves(&react(5), true, &busy).len(), 8);
}

#[test]
fn neither_its_own_word_nor_the_examiners_is_enough_alone() {
    for (thought, examined) in [(sure(69), scores(&[99])), (sure(99), scores(&[69]))] {
        let script = [thought.clone(), examined.clone(), thought, examined, said()];
        assert_eq!(moves(&react(2), false, &script).len(), 5);
    }
    // A score that was not given is none.
    let script = [sure(99), scores(&[]), sure(99), scores(&[70]), said()];
    assert_eq!(moves(&react(2), false, &script).len(), 5);
    // Who does not say how sure they are is taken at the examiner's word.
    assert_eq!(
        moves(&react(2), false, &[said(), scores(&[70]), said()]).len(),
        3
    );
}

#[test]
fn without_an_iteration_or_a_pattern_the_precondition_fails() {
    for unsound in [react(0), reasoning(&[], 3)] {
        assert_eq!(
            react_phases(&unsound, true, &[]),
            [PhaseRecord {
                iteration: 1,
                phase: ReactPhase::Precondition,
                step: None,
                holds: false,
                confidence: None,
            }]
        );
    }
}

#[test]
fn phases_grow_with_the_steps_and_agree_with_them() {
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let composed = with_tools(reasoning(&[Pattern::Debate, Pattern::React], 4));
        let steps = play(&composed, true, |step| dice.signs(step));
        let all = react_phases(&composed, true, &steps);
        assert_eq!(all.len() % 7, 0, "every iteration has seven phases");
        for (place, record) in all.iter().enumerate() {
            assert_eq!(record.phase, ReactPhase::ALL[place % 7]);
            assert_eq!(usize::from(record.iteration), 1 + place / 7);
            if let Some(step) = record.step {
                assert!(record.phase.is_a_step());
                let step = &steps[usize::from(step)];
                assert_eq!(step.step.pattern, Pattern::React);
                assert_eq!(step.step.iteration, record.iteration);
                assert_eq!(phase_of(step), record.phase);
            }
        }
        let of_react = |step: &&StepTaken| {
            step.step.pattern == Pattern::React && step.step.kind != StepKind::Conclude
        };
        assert_eq!(
            all.iter().filter(|record| record.step.is_some()).count(),
            steps.iter().filter(of_react).count(),
            "every step of ReAct is a phase"
        );
        for prefix in 0..steps.len() {
            let so_far = react_phases(&composed, true, &steps[..prefix]);
            assert_eq!(so_far, all[..so_far.len()]);
        }
        // Only the last iteration may have been enough, or the iterations are used up.
        let checkpoints: Vec<&PhaseRecord> = all
            .iter()
            .filter(|record| record.phase == ReactPhase::Checkpoint)
            .collect();
        let (last, before) = checkpoints.split_last().unwrap();
        assert!(before.iter().all(|record| !record.holds));
        assert!(last.holds || last.iteration == 4);
        assert!(last.confidence.unwrap() <= Ppm(1_000_000));
    }
}
