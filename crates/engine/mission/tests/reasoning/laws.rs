//! What holds of every pattern and every composition, whatever the answers are.

use std::collections::BTreeSet;

use adjutant_mission::{
    ITERATIONS_MAX, Next, Pattern, Reasoning, Signs, StepKind, StepRole, StepTaken, next, rounds,
    steps_max,
};

use crate::support::{Dice, play, reasoning, said, with_tools};

const SEEDS: u64 = 60;

/// Every pattern alone and after others, with few and many iterations, with and without tools.
fn cases(dice: &mut Dice) -> Vec<(Reasoning, bool)> {
    let mut cases = Vec::new();
    for pattern in Pattern::ALL {
        let mut patterns = Vec::new();
        for _ in 0..dice.roll(3) {
            let any = usize::try_from(dice.roll(11)).unwrap();
            patterns.push(Pattern::ALL[any]);
        }
        patterns.push(pattern);
        let iterations = u16::try_from(1 + dice.roll(5)).unwrap();
        let chosen = reasoning(&patterns, iterations);
        let chosen = match dice.roll(3) {
            0 => chosen,
            _ => with_tools(chosen),
        };
        cases.push((chosen, dice.roll(3) != 0));
    }
    cases
}

fn for_every_case(check: impl Fn(&Reasoning, bool, &[StepTaken])) {
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        for (reasoning, may_act) in cases(&mut dice) {
            let steps = play(&reasoning, may_act, |step| dice.signs(step));
            check(&reasoning, may_act, &steps);
        }
    }
}

#[test]
fn from_every_prefix_the_same_step_comes_next() {
    for_every_case(|reasoning, may_act, steps| {
        for (number, step) in steps.iter().enumerate() {
            assert_eq!(
                next(reasoning, may_act, &steps[..number]),
                Next::Take(step.step.clone()),
                "{reasoning:?} after {number} steps"
            );
        }
        assert_eq!(next(reasoning, may_act, steps), Next::Concluded);
    });
}

#[test]
fn it_ends_within_steps_max_in_one_conclusion() {
    for_every_case(|reasoning, may_act, steps| {
        assert!(steps.len() <= steps_max(reasoning, may_act) as usize);
        assert_eq!(rounds(steps), 1);
        let last = &steps.last().unwrap().step;
        assert_eq!(last.kind, StepKind::Conclude);
        assert_eq!(last.role, StepRole::Conclude);
        assert_eq!(Some(&last.pattern), reasoning.patterns.last());
        assert!(!last.uses.is_empty());
    });
}

#[test]
fn steps_max_is_reached_by_those_who_never_settle() {
    for pattern in Pattern::ALL {
        for iterations in [1, 2, 3, 7, ITERATIONS_MAX] {
            for before in [vec![], vec![Pattern::ChainOfThought]] {
                let patterns = [before, vec![pattern]].concat();
                let reasoning = with_tools(reasoning(&patterns, iterations));
                let steps = play(&reasoning, true, |step| match step.kind {
                    StepKind::Split => Signs {
                        parts: 100,
                        ..said()
                    },
                    StepKind::Act => crate::support::calls("search"),
                    _ => said(),
                });
                assert_eq!(
                    steps.len(),
                    steps_max(&reasoning, true) as usize,
                    "{patterns:?} in {iterations} iterations"
                );
            }
        }
    }
}

#[test]
fn moves_point_to_earlier_steps_of_a_fitting_kind() {
    for_every_case(|_, _, steps| {
        for (number, taken) in steps.iter().enumerate() {
            let step = &taken.step;
            let used: BTreeSet<u16> = step.uses.iter().copied().collect();
            assert_eq!(used.len(), step.uses.len(), "nothing is used twice");
            for one in &step.uses {
                assert!(usize::from(*one) < number, "only earlier steps are used");
                let kind = steps[usize::from(*one)].step.kind;
                let fits = match step.kind {
                    StepKind::Think => kind != StepKind::Act && kind != StepKind::Conclude,
                    StepKind::Call => kind == StepKind::Act,
                    StepKind::Weigh | StepKind::Split | StepKind::Act | StepKind::Conclude => {
                        matches!(kind, StepKind::Think | StepKind::Call)
                    }
                };
                assert!(fits, "{step:?} uses a step of kind {kind:?}");
            }
            if let Some((split, part)) = step.part {
                let split = &steps[..number][usize::from(split)];
                assert_eq!(split.step.kind, StepKind::Split);
                assert_eq!(split.step.pattern, step.pattern);
                assert!(part < split.signs.parts);
            }
            assert!(step.kind != StepKind::Weigh || !step.uses.is_empty());
        }
    });
}

#[test]
fn only_what_was_chosen_and_is_permitted_is_called() {
    for_every_case(|reasoning, may_act, steps| {
        for (number, taken) in steps.iter().enumerate() {
            let Some(call) = &taken.step.call else {
                assert_ne!(taken.step.kind, StepKind::Call);
                continue;
            };
            assert!(may_act);
            assert!(reasoning.tools.contains(&call.tool));
            assert_eq!(taken.step.kind, StepKind::Call);
            assert_eq!(steps[number - 1].signs.call.as_ref(), Some(call));
        }
    });
}

#[test]
fn no_pattern_goes_beyond_the_iterations() {
    for_every_case(|reasoning, _, steps| {
        for taken in steps {
            assert!((1..=reasoning.max_iterations).contains(&taken.step.iteration));
        }
    });
}

#[test]
fn a_record_that_does_not_follow_is_not_gone_on_from() {
    for_every_case(|reasoning, may_act, steps| {
        let mut altered = steps.to_vec();
        let middle = altered.len() / 2;
        altered[middle].step.iteration += 1;
        let Next::Stuck(why) = next(reasoning, may_act, &altered) else {
            panic!("an altered record passes");
        };
        assert!(
            why.starts_with(&format!("step {middle} is recorded as")),
            "{why}"
        );
    });
}
