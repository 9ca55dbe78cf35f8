//! The check against the constitution, where a model is asked too.

use adjutant_catalogue::{CHECKED_PIECES, StartWith, WithoutTools, plan};
use adjutant_mission::{Autonomy, Plan, Task, ToolId, WorkSpec};
use adjutant_plans::Checker as _;

use crate::support::{READY, after, built_in, planned, start, task};

const PIECES: usize = 3;

fn with_a_model() -> StartWith {
    let mut start = start(Autonomy::Balanced);
    for tool in [CHECKED_PIECES, "noop"] {
        start.tools.push(ToolId::new(tool).unwrap());
    }
    start.lists.insert(CHECKED_PIECES.to_owned(), PIECES);
    start
}

fn questions(plan: &Plan) -> Vec<&Task> {
    let tasks = plan.tasks.iter();
    let asks = |task: &&Task| matches!(&task.work, WorkSpec::Agent(work) if work.purpose.as_str() == "constitution");
    tasks.filter(asks).collect()
}

#[test]
fn every_mission_asks_a_model_before_it_checks_and_its_graph_holds() {
    for id in READY {
        let plan = planned(&built_in(id), &with_a_model()).plan;
        assert_eq!(questions(&plan).len(), PIECES, "{id}");
        for number in 1..=PIECES {
            let key = format!("constitution_model_{number}");
            assert!(after(&plan, "constitution").contains(&key.as_str()), "{id}");
            assert_eq!(after(&plan, &key), ["constitution_pieces"], "{id}");
            // Whatever becomes of the question, the rules go on.
            assert!(task(&plan, &key).alternative.is_some(), "{id}");
        }
        let WorkSpec::Tool(call) = &task(&plan, "constitution").work else {
            panic!("{id}");
        };
        assert!(
            call.with.text().contains("{{constitution_model_3.output}}"),
            "{id}"
        );
        assert!(
            call.with.text().contains("{{report.output.document}}"),
            "{id}"
        );
        let tools = WithoutTools.tools(&plan);
        let problems: Vec<String> = plan
            .problems(&tools)
            .into_iter()
            .map(|problem| format!("{}: {}", problem.place, problem.kind))
            .collect();
        assert_eq!(problems, Vec::<String>::new(), "{id}");
    }
}

#[test]
fn without_a_model_or_with_a_tool_forbidden_the_rules_check_alone() {
    for id in READY {
        let template = built_in(id);
        let alone = planned(&template, &start(Autonomy::Balanced)).plan;
        let mut forbidden = with_a_model();
        forbidden
            .tools
            .retain(|tool| tool.as_str() != CHECKED_PIECES);
        assert_eq!(plan(&template, &forbidden).unwrap().plan, alone, "{id}");
        assert_eq!(questions(&alone).len(), 0, "{id}");
    }
}

/// Whoever leads the mission asks, and may use that much more.
#[test]
fn what_the_questions_may_use_is_reserved_for_who_asks_them() {
    let template = built_in("critique");
    let alone = planned(&template, &start(Autonomy::Balanced)).plan;
    let asked = planned(&template, &with_a_model()).plan;
    let by = questions(&asked)[0].by.clone().unwrap();
    let lifetime = |plan: &Plan| {
        let mut agents = plan.agents.iter();
        agents
            .find(|agent| agent.id == by)
            .unwrap()
            .tokens_lifetime
            .unwrap()
    };
    assert!(lifetime(&asked) >= lifetime(&alone) + 12_000 * PIECES as u64);
}
