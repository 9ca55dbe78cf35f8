//! What may not start at all.

use adjutant_mission::{AgentLevel, Next, Pattern, Ppm, Reasoning, next, steps_max};

use crate::support::{reasoning, with_tools};

fn problems(reasoning: &Reasoning) -> Vec<String> {
    reasoning.problems(AgentLevel::L4)
}

#[test]
fn a_sound_reasoning_has_none() {
    let sound = with_tools(reasoning(&Pattern::ALL[..5], 20));
    assert_eq!(problems(&sound), Vec::<String>::new());
}

#[test]
fn every_limit_is_named_with_its_number() {
    let unsound = Reasoning {
        patterns: Vec::new(),
        max_iterations: 0,
        confidence_threshold: Ppm(1_000_001),
        tools: (0..21)
            .map(|number| format!("tool-{number}").parse().unwrap())
            .collect(),
    };
    assert_eq!(
        unsound.problems(AgentLevel::L2),
        [
            "has no reasoning pattern",
            "has max_iterations 0, but it must be between 1 and 20",
            "has the confidence threshold 1000001, but the maximum is 1000000",
            "has tools for an L2 agent, but only an L4 agent may call tools",
            "has 21 tools, but at most 20 are allowed",
        ]
    );
    assert_eq!(
        problems(&reasoning(&Pattern::ALL, 21)),
        [
            "has 11 patterns, but at most 5 are allowed",
            "has max_iterations 21, but it must be between 1 and 20",
        ]
    );
}

#[test]
fn only_an_l4_agent_may_have_tools() {
    let armed = with_tools(reasoning(&[Pattern::React], 3));
    for level in AgentLevel::ALL {
        assert_eq!(armed.problems(level).is_empty(), level == AgentLevel::L4);
    }
}

#[test]
fn what_has_nothing_to_reason_by_is_stuck() {
    for (unsound, why) in [
        (reasoning(&[], 3), "no reasoning pattern"),
        (reasoning(&[Pattern::React], 0), "no iteration is allowed"),
        (
            reasoning(&Pattern::ALL, 3),
            "11 reasoning patterns, but at most 5 are allowed",
        ),
    ] {
        assert_eq!(next(&unsound, true, &[]), Next::Stuck(why.to_owned()));
        assert_eq!(steps_max(&unsound, true), 0);
    }
}
