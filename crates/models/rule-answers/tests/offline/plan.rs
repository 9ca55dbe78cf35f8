use adjutant_questions::{Input, Output, PlanInput, PlanStep, Planned};

use crate::dossiers::answered;

fn step(key: &str, title: &str, after: &[&str], needs: &[&str], only_for: &[&str]) -> PlanStep {
    let owned = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
    PlanStep {
        key: key.to_owned(),
        title: title.to_owned(),
        after: owned(after),
        needs: owned(needs),
        only_for: owned(only_for),
    }
}

fn planned(objective: &str, available: &[&str]) -> Planned {
    let template = vec![
        step("search", "Search the literature", &[], &["library"], &[]),
        step(
            "trials",
            "Look up running trials",
            &["search"],
            &["trials_register"],
            &[],
        ),
        step(
            "risks",
            "List the risks",
            &["trials"],
            &[],
            &["safety", "risk"],
        ),
        step("write", "Write the report", &["trials", "risks"], &[], &[]),
    ];
    let input = Input::Plan(PlanInput {
        objective: objective.to_owned(),
        template,
        constraints: vec!["two days".to_owned()],
        available: available.iter().map(|name| (*name).to_owned()).collect(),
    });
    match answered(&input) {
        Output::Plan(output) => output,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_step_that_cannot_be_done_is_left_out_and_the_rest_connected() {
    let plan = planned("Assess the safety of velostat in old age", &["library"]);
    let steps: Vec<_> = plan
        .steps
        .iter()
        .map(|step| (step.key.as_str(), step.after.join(",")))
        .collect();
    let wanted = [
        ("search", ""),
        ("risks", "search"),
        ("write", "search,risks"),
    ];
    assert_eq!(steps, wanted.map(|(key, after)| (key, after.to_owned())));
    assert_eq!(plan.left_out[0].key, "trials");
    assert!(plan.left_out[0].reason.contains("trials_register"));
}

#[test]
fn the_objective_decides_what_it_is_only_for() {
    let risks = |objective| {
        let plan = planned(objective, &["library", "trials_register"]);
        plan.steps.iter().any(|step| step.key == "risks")
    };
    assert!(risks("What are the risks of velostat?"));
    assert!(!risks("What does velostat cost?"));
}

#[test]
fn titles_name_the_subject_and_the_constraints_are_kept() {
    let plan = planned(
        "Assess the safety of velostat in old age. Be brief.",
        &["library"],
    );
    assert_eq!(
        plan.steps[0].title,
        "Search the literature: safety of velostat in old age"
    );
    assert!(plan.steps[0].reason.contains("two days"));
}

#[test]
fn an_empty_template_is_an_empty_plan() {
    let input = Input::Plan(PlanInput {
        objective: String::new(),
        template: Vec::new(),
        constraints: Vec::new(),
        available: Vec::new(),
    });
    let Output::Plan(plan) = answered(&input) else {
        panic!("a plan is answered with a plan")
    };
    assert!(plan.steps.is_empty() && plan.confidence.abs() < f64::EPSILON);
}
