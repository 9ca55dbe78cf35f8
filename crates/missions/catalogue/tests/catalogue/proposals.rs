//! What an expert proposes for an objective, and what of it becomes the plan.

use std::collections::BTreeMap;

use adjutant_catalogue::{BUILT_IN, Proposal, plan_as_proposed, planning_question};
use adjutant_methods::method;
use adjutant_mission::{Autonomy, WorkSpec};
use adjutant_questions::{Input, Output};

use crate::support::{SEARCHES, built_in, keys, planned, small, start, task, template};

fn leaving_out(keys: &[&str]) -> Proposal {
    let why = |key: &&str| ((*key).to_owned(), "it is not asked for".to_owned());
    Proposal {
        left_out: keys.iter().map(why).collect(),
        ..Proposal::default()
    }
}

#[test]
fn a_workers_step_is_left_out_with_the_experts_reason_and_others_are_not() {
    let template = template(&small("[]", SEARCHES));
    let start = start(Autonomy::Balanced);
    let proposed = plan_as_proposed(&template, &start, &leaving_out(&["literature", "analysis"]));
    let proposed = proposed.unwrap();
    assert_eq!(
        keys(&proposed.plan),
        ["recall", "sources", "analysis", "looked"]
    );
    let told: Vec<_> = proposed.left_out.iter().map(|at| at.why.as_str()).collect();
    assert_eq!(told, ["the expert leaves it out: it is not asked for"]);
}

#[test]
fn something_is_always_looked_up() {
    let template = template(&small("[]", SEARCHES));
    let start = start(Autonomy::Balanced);
    let nothing = leaving_out(&["literature", "recall"]);
    let proposed = plan_as_proposed(&template, &start, &nothing).unwrap();
    assert_eq!(proposed.plan, planned(&template, &start).plan);
}

#[test]
fn steps_are_named_as_the_expert_names_them() {
    let template = template(&small("[]", SEARCHES));
    let title = "What trials of Velmoran found".to_owned();
    let proposal = Proposal {
        titles: BTreeMap::from([("literature".to_owned(), title.clone())]),
        ..Proposal::default()
    };
    let proposed = plan_as_proposed(&template, &start(Autonomy::Strict), &proposal).unwrap();
    assert_eq!(task(&proposed.plan, "literature").title, title);
}

/// Whatever is left out of a built-in mission, its result is still put together and held against its sources.
#[test]
fn no_proposal_takes_the_result_away() {
    for &(file, _) in BUILT_IN {
        let template = built_in(file.trim_end_matches(".yaml"));
        let start = start(Autonomy::Balanced);
        let whole = planned(&template, &start).plan;
        let every: Vec<&str> = keys(&whole);
        let mut proposals: Vec<Proposal> = every.iter().map(|key| leaving_out(&[key])).collect();
        proposals.push(leaving_out(&every));
        for proposal in proposals {
            let proposed = plan_as_proposed(&template, &start, &proposal).unwrap();
            let kept = keys(&proposed.plan);
            let by_itself = whole.tasks.iter().filter(|task| {
                matches!(&task.work, WorkSpec::Tool(call) if method(call.tool.as_str()).is_some())
            });
            let methods = by_itself.map(|task| task.key.as_str());
            let draft = every.contains(&"draft").then_some("draft");
            let needed = ["sources", "report", "judge", "accepted"];
            for needed in needed.into_iter().chain(draft).chain(methods) {
                assert!(kept.contains(&needed), "{file} {needed}: {proposal:?}");
            }
        }
    }
}

#[test]
fn what_the_expert_is_asked_can_be_asked_and_its_answer_taken() {
    for &(file, _) in BUILT_IN {
        let template = built_in(file.trim_end_matches(".yaml"));
        let start = start(Autonomy::Balanced);
        let question = planning_question(&template, &start);
        assert!(question.template.len() > 10, "{file}");
        let Output::Plan(answer) = adjutant_rule_answers::answer(&Input::Plan(question)) else {
            panic!("{file}");
        };
        let proposed = plan_as_proposed(&template, &start, &Proposal::of(&answer)).unwrap();
        assert!(keys(&proposed.plan).contains(&"report"), "{file}");
    }
}
