//! Tasks that are done once for each item of a list, and tasks that take another's place.

use adjutant_catalogue::{Planned, StartWith, Template, WithoutTools, read};
use adjutant_mission::{Autonomy, Plan, ToolId, WorkSpec};
use adjutant_plans::Checker as _;

use crate::support::{after, built_in, keys, planned, small, start, task, template};

const MISSIONS: [&str; 3] = ["deep_dive", "risk_assessment", "go_no_go"];
const READING: &str = r#"
  - id: reading
    by: L4-DE
    only_with: kb
    tool: read_documents
    with: {objective: "{{inputs.objective}}"}
  - id: pieces
    by: L4-DE
    only_with: [kb, model]
    tool: cut_documents
    with: {objective: "{{inputs.subject}}"}
  - id: read
    by: L4-EV
    each: pieces
    only_with: [kb, model]
    after: pieces
    agent: {purpose: read, complexity: complex}
    with: {objective: "{{inputs.objective}}", sources: "{{each.sources}}"}
    otherwise: {tool: noop, with: {value: "{{each.number}}"}}
  - id: together
    replaces: reading
    only_with: [kb, model]
    after: [reading, read]
    tool: merge_reading
    with: {reading: "{{reading.output}}", read: "{{read.output}}"}
  - id: looked
    after: [reading, together]
    tool: report
    with: {pieces: {reading: "{{reading.output}}", outdated: "{{reading.output.outdated}}"}}
"#;

fn with_a_model(pieces: usize) -> StartWith {
    let mut start = start(Autonomy::Balanced);
    for tool in ["cut_documents", "group_claims", "merge_reading", "noop"] {
        start.tools.push(ToolId::new(tool).unwrap());
    }
    start.lists.insert("cut_documents".to_owned(), pieces);
    start.lists.insert("group_claims".to_owned(), 1);
    start
}

fn with(plan: &Plan, key: &str) -> String {
    match &task(plan, key).work {
        WorkSpec::Tool(call) => call.with.text().to_owned(),
        WorkSpec::Agent(agent) => agent.with.text().to_owned(),
        _ => String::new(),
    }
}

fn problems(plan: &Plan) -> Vec<String> {
    let tools = WithoutTools.tools(plan);
    let problems = plan.problems(&tools).into_iter();
    problems
        .map(|problem| format!("{}: {}", problem.place, problem.kind))
        .collect()
}

#[test]
fn a_task_for_each_item_is_planned_once_for_each() {
    let template = template(&small("[]", READING));
    let Planned { plan, left_out } = planned(&template, &with_a_model(3));
    assert_eq!(left_out, []);
    assert_eq!(
        keys(&plan),
        [
            "reading", "pieces", "read_1", "read_2", "read_3", "together", "looked"
        ]
    );
    assert!(with(&plan, "pieces").contains(r#""count":3"#));
    assert!(with(&plan, "read_2").contains("{{pieces.output.items.1.sources}}"));
    let otherwise = task(&plan, "read_3").alternative.as_ref().unwrap();
    assert_eq!(
        otherwise.with.text(),
        r#"{"value":"{{pieces.output.items.2.number}}"}"#
    );
    assert_eq!(
        after(&plan, "together"),
        ["reading", "read_1", "read_2", "read_3"]
    );
    let outputs = r#"["{{read_1.output}}","{{read_2.output}}","{{read_3.output}}"]"#;
    assert!(
        with(&plan, "together").contains(outputs),
        "{}",
        with(&plan, "together")
    );
    assert_eq!(problems(&plan), Vec::<String>::new());
}

#[test]
fn what_comes_after_refers_to_the_task_that_takes_the_place() {
    let template = template(&small("[]", READING));
    let plan = planned(&template, &with_a_model(1)).plan;
    assert_eq!(after(&plan, "looked"), ["together"]);
    let looked = with(&plan, "looked");
    assert!(looked.contains("{{together.output.outdated}}"), "{looked}");
    assert!(!looked.contains("{{reading."), "{looked}");
    assert!(with(&plan, "together").contains("{{reading.output}}"));
}

#[test]
fn without_a_model_nothing_of_it_is_planned_or_told() {
    let template = template(&small("[]", READING));
    let mut start = with_a_model(3);
    start.lists.clear();
    let Planned { plan, left_out } = planned(&template, &start);
    assert_eq!(keys(&plan), ["reading", "looked"]);
    assert_eq!(left_out, []);
}

/// The template without everything that only a model does.
fn by_rules(template: &Template) -> Template {
    let mut bare = template.clone();
    bare.tasks
        .retain(|at| at.each.is_none() && at.replaces.is_none());
    bare.tasks
        .retain(|at| !["pieces", "groups"].contains(&at.task.key.as_str()));
    for at in &mut bare.tasks {
        at.task
            .after
            .retain(|on| on.task.as_str() != "full_reading");
        if let WorkSpec::Tool(call) = &mut at.task.work {
            let text = call.with.text();
            let text = text.replace(r#"{"sources":"{{full_reading.output.stated}}"},"#, "");
            call.with = adjutant_mission::Json::parse(&text).unwrap();
        }
    }
    bare
}

#[test]
fn a_plan_without_a_model_is_the_same_to_the_letter() {
    for id in MISSIONS {
        let whole = built_in(id);
        let bare = by_rules(&whole);
        assert_eq!(whole.tasks.len(), bare.tasks.len() + 5, "{id}");
        let plan = |template: &Template| {
            let planned = planned(template, &start(Autonomy::Strict));
            serde_json::to_string(&planned.plan).unwrap()
        };
        assert_eq!(plan(&whole), plan(&bare), "{id}");
    }
}

#[test]
fn the_missions_have_a_question_for_each_piece_and_room_for_it() {
    for id in MISSIONS {
        let plan = planned(&built_in(id), &with_a_model(7)).plan;
        let number = |key: &str| key.strip_prefix("read_")?.parse::<usize>().ok();
        let reads: Vec<usize> = keys(&plan).into_iter().filter_map(number).collect();
        assert_eq!(reads, [1, 2, 3, 4, 5, 6, 7], "{id}");
        assert_eq!(after(&plan, "compared_1"), ["reading", "groups"], "{id}");
        assert!(after(&plan, "report").contains(&"full_reading"), "{id}");
        assert_eq!(problems(&plan), Vec::<String>::new(), "{id}");
        let reader = plan.agents.iter().find(|at| at.id.as_str() == "L4-DP");
        let lifetime = reader.unwrap().tokens_lifetime.unwrap();
        // Each question reserves three requests of 18,000 tokens in and 6,000 out, and what is sent back.
        assert!(lifetime > 7 * 100_000, "{lifetime}");
    }
}

#[test]
fn a_list_or_a_place_of_a_task_that_is_not_there_is_refused() {
    for (old, new, told) in [
        (
            "each: pieces",
            "each: parts",
            "there is no other task `parts`",
        ),
        (
            "replaces: reading",
            "replaces: rading",
            "there is no other task `rading`",
        ),
    ] {
        let text = small("[]", &READING.replace(old, new));
        let errors = read(text.as_bytes(), &WithoutTools)
            .unwrap_err()
            .to_string();
        assert!(errors.contains(told), "{errors}");
    }
}

#[test]
fn an_item_of_a_list_that_nobody_counts_leaves_its_task_out() {
    let uncounted = READING
        .replace("each: pieces", "each: reading")
        .replace("after: pieces", "after: [pieces, reading]");
    let template = template(&small("[]", &uncounted));
    let planned = planned(&template, &with_a_model(2));
    let left: Vec<&str> = planned.left_out.iter().map(|at| at.task.as_str()).collect();
    assert_eq!(left, ["read", "together"]);
    assert!(
        planned.left_out[0]
            .why
            .contains("how many items `reading` has")
    );
}
