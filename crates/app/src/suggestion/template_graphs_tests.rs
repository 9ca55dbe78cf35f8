use adjutant_mission::Plan;

use super::{plan_graph, template_graphs};

#[test]
fn calls_keep_the_order_of_the_plan_and_follow_those_behind_an_agent_but_not_those_behind_a_call() {
    let plan: Plan = serde_json::from_value(serde_json::json!({
        "title": "t",
        "tasks": [
            {"key": "z", "work": {"tool": {"tool": "recall", "with": {"question": "q"}}}},
            {"key": "ask", "work": {"human": {"question": "Go on?"}}, "after": [{"task": "z"}]},
            {"key": "b", "work": {"tool": {"tool": "fmea", "with": {}}}, "after": [{"task": "ask"}]},
            {"key": "c", "work": {"tool": {"tool": "write_file", "with": {}}}, "after": [{"task": "b"}]},
        ],
    }))
    .unwrap();
    let graph = plan_graph(&plan);
    let before: Vec<(&str, &[String])> = graph
        .tasks
        .iter()
        .map(|task| (task.tool.as_str(), task.depends_on.as_slice()))
        .collect();
    assert_eq!(
        before,
        [
            ("recall", &[][..]),
            ("fmea", &["z".to_owned()][..]),
            ("write_file", &["b".to_owned()][..]),
        ]
    );
    assert_eq!(graph.tasks[0].arguments["question"], "q");
}

#[test]
fn every_template_tells_what_follows_what() {
    let catalogue = adjutant_catalogue::load(None);
    let graphs = template_graphs(&catalogue);
    assert_eq!(graphs.len(), 24);
    assert!(
        graphs
            .iter()
            .all(|graph| graph.tasks.iter().any(|task| !task.depends_on.is_empty()))
    );
}
