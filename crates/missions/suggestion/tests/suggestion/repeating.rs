//! A workflow that completed is offered again as it was, for an intent that wants the same.

use adjutant_suggestion::{AilReason, Graph, GraphTask, PastWorkflow, Suggestion, WorkflowOutcome};
use serde_json::{Value, json};

use super::house::{drawn, suggester, task, workflow};

const INTENT: &str = "Prepare the garden bulletin for Hornby and keep it in hornby.txt";

fn with(mut task: GraphTask, arguments: Value) -> GraphTask {
    task.arguments = serde_json::from_value(arguments).unwrap();
    task
}

/// In an order that no rule about words, types or tools would give: what changes something comes first.
fn tasks() -> Vec<GraphTask> {
    vec![
        with(
            task("begin", "file_writer", &[]),
            json!({ "path": "log.txt", "text": "Bulletin begun" }),
        ),
        with(
            task("wind", "weather_search", &["begin"]),
            json!({ "query": "wind Hornby" }),
        ),
        with(
            task("rain", "weather_search", &["begin"]),
            json!({ "query": "rain of spring" }),
        ),
        with(
            task("fit", "trend_line", &["wind", "rain"]),
            json!({ "sources": ["{{wind.output.sources}}", "{{ rain.output.sources.0 }}"] }),
        ),
        with(
            task("save", "file_writer", &["fit"]),
            json!({ "path": "hornby.txt", "text": "Wind and rain\n\n{{fit.output.text}}\n" }),
        ),
    ]
}

fn bulletin() -> PastWorkflow {
    workflow("k3f9qz", INTENT, tasks(), WorkflowOutcome::Completed)
}

fn suggest(past: Vec<PastWorkflow>, intent: &str) -> Suggestion {
    suggester(past).suggest(intent).unwrap()
}

fn argument<'a>(suggested: &'a Suggestion, task: &str, name: &str) -> &'a Value {
    let tasks = &suggested.graph.tasks;
    let found = tasks.iter().find(|at| at.id == task).unwrap();
    found.arguments.get(name).unwrap_or(&Value::Null)
}

#[test]
fn the_same_intent_gets_the_same_graph_with_its_order_and_its_references() {
    for said in [
        INTENT,
        "prepare the garden bulletin for HORNBY, and keep it in hornby.txt!",
    ] {
        let suggested = suggest(vec![bulletin()], said);
        assert_eq!(suggested.graph, Graph { tasks: tasks() }, "{said}");
        assert!(suggested.missing.is_empty(), "{:?}", suggested.missing);
        assert!(
            suggested.not_covered.is_empty(),
            "{:?}",
            suggested.not_covered
        );
        assert_eq!(suggested.ail_required, None, "{said}");
        assert!(
            suggested
                .why
                .iter()
                .all(|why| why.because.contains("k3f9qz"))
        );
    }
}

#[test]
fn tasks_that_were_kept_in_another_order_stand_after_those_that_they_wait_for() {
    let mut shuffled = tasks();
    shuffled.reverse();
    let past = workflow("k3f9qz", INTENT, shuffled, WorkflowOutcome::Completed);
    let suggested = suggest(vec![past], INTENT);
    let ids: Vec<&str> = suggested
        .graph
        .tasks
        .iter()
        .map(|task| task.id.as_str())
        .collect();
    assert_eq!(ids, ["begin", "rain", "wind", "fit", "save"]);
}

#[test]
fn values_of_the_earlier_occasion_are_read_anew_and_everything_else_is_kept() {
    let suggested = suggest(
        vec![bulletin()],
        "Prepare the garden bulletin for Milford and keep it in milford.txt",
    );
    assert_eq!(suggested.graph.tasks.len(), 5);
    assert_eq!(*argument(&suggested, "save", "path"), "milford.txt");
    let query = argument(&suggested, "wind", "query").as_str().unwrap();
    assert!(
        query.contains("Milford") && !query.contains("Hornby"),
        "{query}"
    );
    // Neither the old intent nor the new one speaks of these.
    assert_eq!(*argument(&suggested, "begin", "text"), "Bulletin begun");
    assert_eq!(*argument(&suggested, "rain", "query"), "rain of spring");
    assert_eq!(
        *argument(&suggested, "fit", "sources"),
        json!(["{{wind.output.sources}}", "{{ rain.output.sources.0 }}"])
    );
    assert!(
        !serde_json::to_string(&suggested.graph)
            .unwrap()
            .to_lowercase()
            .contains("hornby")
    );
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn a_file_of_another_kind_is_another_file() {
    let mut tasks = tasks();
    tasks[4].arguments["path"] = json!("reports/hornby.txt");
    let past = workflow("k3f9qz", INTENT, tasks, WorkflowOutcome::Completed);
    let suggested = suggest(vec![past], &INTENT.replace(".txt", ".md"));
    assert_eq!(*argument(&suggested, "save", "path"), "hornby.md");
    assert_eq!(*argument(&suggested, "begin", "path"), "log.txt");
}

#[test]
fn a_value_of_the_earlier_occasion_that_nobody_gives_now_is_missing() {
    let suggested = suggest(
        vec![bulletin()],
        "Prepare the garden bulletin for Hornby and keep it in another place",
    );
    let missing: Vec<(&str, &str)> = suggested
        .missing
        .iter()
        .map(|missing| (missing.task.as_str(), missing.argument.as_str()))
        .collect();
    assert_eq!(missing, [("save", "path")], "{suggested:?}");
    assert_eq!(suggested.ail_required, Some(AilReason::MissingArguments));
}

#[test]
fn references_to_what_the_graph_does_not_have_are_asked_for_and_never_kept() {
    for text in [
        "{{inputs.secret}}",
        "{{wind.output}} {{inputs.secret}}",
        "{{ask.output.answer}}",
        "{{wind.outputs}}",
        "{{wind}}",
        "{{wind.output",
        "{{wind.output.sources | {{inputs.secret}} }}",
        "}} {{ {{inputs.secret}}",
    ] {
        let tasks = vec![
            task("wind", "weather_search", &[]),
            with(
                task("save", "file_writer", &["wind"]),
                json!({ "path": "hornby.txt", "text": text }),
            ),
        ];
        let past = workflow("odd", INTENT, tasks, WorkflowOutcome::Completed);
        let suggested = suggest(vec![past], INTENT);
        assert_eq!(*argument(&suggested, "save", "text"), Value::Null, "{text}");
        // Where nothing can be read from the intent, it is asked for.
        let is_missing = suggested
            .missing
            .iter()
            .any(|missing| missing.argument == "text");
        assert!(is_missing, "{text}: {:?}", suggested.missing);
    }
}

#[test]
fn a_wait_of_other_length_is_no_wait_as_before() {
    let past = workflow(
        "slow",
        "Wait 2 minutes for the kettle",
        vec![with(task("w", "waiter", &[]), json!({ "seconds": 120.0 }))],
        WorkflowOutcome::Completed,
    );
    let house = super::house::suggester_with_waiter(vec![past]);
    let same = house.suggest("Wait 2 minutes for the kettle").unwrap();
    assert_eq!(same.graph.tasks[0].arguments["seconds"], json!(120.0));
    let other = house.suggest("Wait 5 minutes for the kettle").unwrap();
    assert_eq!(other.graph.tasks[0].arguments["seconds"], json!(300.0));
    assert!(other.not_covered.is_empty(), "{:?}", other.not_covered);
}

#[test]
fn another_verb_is_other_work_however_alike_the_rest_is() {
    let like = workflow(
        "y",
        "Merge the wind measurements of the stations in Hornby, Milford and Sandwick",
        vec![task("w", "star_search", &[])],
        WorkflowOutcome::Completed,
    );
    let suggested = suggest(
        vec![like],
        "Translate the wind measurements of the stations in Hornby, Milford and Sandwick",
    );
    assert!(suggested.nearest.as_ref().unwrap().similarity >= 0.75);
    let tools = suggested.graph.tools();
    assert!(!tools.contains("star_search"), "{suggested:?}");
}

#[test]
fn what_is_wanted_besides_is_said_and_asked_about() {
    let suggested = suggest(
        vec![bulletin()],
        "Prepare the garden bulletin for Hornby with frost warnings and keep it in hornby.txt",
    );
    assert_eq!(suggested.graph.tasks.len(), 5, "{suggested:?}");
    assert_eq!(suggested.ail_required, Some(AilReason::NotCovered));
    let named = suggested.not_covered.join("; ");
    assert!(named.contains("frost warnings"), "{named}");
}

#[test]
fn a_workflow_that_is_half_alike_adds_no_tool_and_no_confidence() {
    let intent = "Find weather measurements of Hornby";
    let alone = suggest(Vec::new(), intent);
    let half = workflow(
        "half",
        "Find weather measurements of Milford, mix paint",
        vec![
            task("w", "weather_search", &[]),
            task("p", "paint_mixer", &[]),
        ],
        WorkflowOutcome::Completed,
    );
    let suggested = suggest(vec![half], intent);
    let similarity = suggested.nearest.as_ref().unwrap().similarity;
    assert!((0.5..0.75).contains(&similarity), "{similarity}");
    assert_eq!(drawn(&suggested), drawn(&alone));
    assert!(
        suggested.confidence.hybrid < 1.0,
        "{:?}",
        suggested.confidence
    );

    // Neither does one whose words no tool has.
    let odd = workflow(
        "odd",
        "Polish the brass lamps of the chapel",
        vec![task("p", "paint_mixer", &[])],
        WorkflowOutcome::Completed,
    );
    let suggested = suggest(vec![odd], "Polish the brass handles of the gate");
    assert!(suggested.graph.tasks.is_empty(), "{suggested:?}");
}

#[test]
fn what_failed_as_often_as_it_worked_is_not_run_without_asking() {
    let failed = || PastWorkflow {
        outcome: WorkflowOutcome::Failed,
        ..bulletin()
    };
    let always = suggest(vec![bulletin(), bulletin()], INTENT)
        .confidence
        .value;
    let half = suggest(vec![failed(), bulletin()], INTENT);
    assert!(always > 0.9, "{always}");
    assert!(half.confidence.value < 0.6, "{:?}", half.confidence);
    assert_eq!(half.ail_required, Some(AilReason::LowConfidence));
}

#[test]
fn the_newest_of_those_that_can_be_done_again_is_offered() {
    let gone = workflow(
        "gone",
        INTENT,
        vec![task("a", "teleporter", &[])],
        WorkflowOutcome::Completed,
    );
    let twice = workflow(
        "twice",
        INTENT,
        vec![task("a", "trend_line", &[]), task("a", "star_search", &[])],
        WorkflowOutcome::Completed,
    );
    let older = workflow(
        "older",
        INTENT,
        vec![task("a", "star_search", &[])],
        WorkflowOutcome::Completed,
    );
    let suggested = suggest(vec![gone, twice, bulletin(), older], INTENT);
    assert_eq!(suggested.graph, Graph { tasks: tasks() });
    assert_eq!(suggested.nearest.unwrap().workflow, "k3f9qz");
}
