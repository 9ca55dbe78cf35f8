//! Where problems stand, and what a checker says of them in words and codes of its own.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use adjutant_mission::{AgentWork, Plan, ToolId, ToolTable};
use adjutant_plans::{Checker, Unfit, read};
use serde_json::Value;
use support::BuiltIn;

#[test]
fn the_same_reference_is_told_in_each_field_that_has_it() {
    let file = r#"
title: T
tasks:
- id: a
  tool: template
  with:
    template: "{{gone.output.x}}"
    values:
      words: see gone.output
      b: "{{gone.output}}"
      d: ["{{ gone.output }} {{gone.output}}", "{{here}}"]
"#;
    let errors = read(file.as_bytes(), &BuiltIn::new()).unwrap_err();
    let told: Vec<(usize, &str)> = errors
        .problems
        .iter()
        .map(|problem| (problem.line, problem.place.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (7, "tasks[0].with.template"),
            (10, "tasks[0].with.values.b"),
            (11, "tasks[0].with.values.d[0]"),
            (11, "tasks[0].with.values.d[0]"),
            (11, "tasks[0].with.values.d[1]"),
        ],
        "{errors}"
    );
}

/// Finds something of its own wrong with every call and every plan.
struct Strict(BuiltIn);

impl Checker for Strict {
    fn tools(&self, plan: &Plan) -> ToolTable {
        self.0.tools(plan)
    }

    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)> {
        self.0.question(agent)
    }

    fn arguments(&self, _: &ToolId, _: &Value) -> Vec<Unfit> {
        vec![Unfit {
            code: Some("ADJ-9001"),
            ..Unfit::new("value[1]", "too long")
        }]
    }

    fn uses(&self, plan: &Plan) -> Vec<Unfit> {
        let at = plan.tasks.len() - 1;
        vec![Unfit {
            remedy: Some("Shorten it.".into()),
            ..Unfit::new(format!("tasks[{at}].with.value"), "never there")
        }]
    }

    fn argument_schemas(&self) -> Vec<(ToolId, String, Value)> {
        Vec::new()
    }

    fn rule(&self, text: &str) -> Result<Vec<String>, String> {
        self.0.rule(text)
    }
}

#[test]
fn what_a_checker_finds_has_its_code_its_place_and_its_remedy() {
    let inner = "{title: U, tasks: [{id: b, tool: noop, with: {value: [1, 2]}}]}";
    let file = format!("title: T\ntasks:\n- id: a\n  mission: {{plan: {inner}}}\n");
    let errors = read(file.as_bytes(), &Strict(BuiltIn::new())).unwrap_err();
    let mut told: Vec<(&str, &str, &str)> = errors
        .problems
        .iter()
        .map(|problem| {
            (
                problem.code,
                problem.place.as_str(),
                problem.remedy.as_str(),
            )
        })
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            (
                "ADJ-1014",
                "tasks[0].mission.plan.tasks[0].with.value",
                "Shorten it."
            ),
            ("ADJ-1014", "tasks[0].with.value", "Shorten it."),
            (
                "ADJ-9001",
                "tasks[0].mission.plan.tasks[0].with.value[1]",
                "Correct the arguments of `noop`."
            ),
        ],
        "{errors}"
    );
}
