use std::sync::Arc;

use adjutant_suggestion::{
    AilReason, Covers, Learned, PastWorkflow, Suggester, WorkflowOutcome, said,
};

use super::house::{drawn, suggester, task, tools, workflow};

const INTENT: &str = "Prepare the weekly garden bulletin";

fn bulletin(outcome: WorkflowOutcome) -> PastWorkflow {
    let tasks = vec![
        task("w", "weather_search", &[]),
        task("t", "trend_line", &["w"]),
        task("f", "file_writer", &["t"]),
    ];
    workflow("k3f9qz", INTENT, tasks, outcome)
}

#[test]
fn what_completed_is_done_again_though_no_word_of_it_is_a_tools() {
    let before = suggester(Vec::new()).suggest(INTENT).unwrap();
    assert!(before.graph.tasks.is_empty() && before.novel);

    let after = suggester(vec![bulletin(WorkflowOutcome::Completed)]);
    let suggested = after.suggest("Prepare our weekly garden bulletin").unwrap();
    assert_eq!(
        drawn(&suggested),
        [
            "weather_search < ",
            "trend_line < weather_search",
            "file_writer < trend_line"
        ]
    );
    assert!(!suggested.novel);
    assert_eq!(suggested.nearest.unwrap().workflow, "k3f9qz");
    assert!(suggested.why[0].because.contains("k3f9qz, which completed"));
}

#[test]
fn what_failed_is_not_done_again_and_makes_nothing_known() {
    let suggester = suggester(vec![bulletin(WorkflowOutcome::Failed)]);
    let suggested = suggester.suggest(INTENT).unwrap();
    assert!(suggested.graph.tasks.is_empty(), "{suggested:?}");
    assert!(suggested.novel && suggested.nearest.is_none());
}

#[test]
fn a_workflow_of_a_tool_that_is_gone_is_not_done_again() {
    let gone = workflow(
        "gone",
        INTENT,
        vec![task("a", "teleporter", &[])],
        WorkflowOutcome::Completed,
    );
    let suggested = suggester(vec![gone]).suggest(INTENT).unwrap();
    assert!(suggested.graph.tasks.is_empty(), "{suggested:?}");
}

#[test]
fn an_intent_is_novel_until_one_like_it_has_completed() {
    let intent = "Find temperature measurements of weather stations";
    let novel = suggester(Vec::new()).suggest(intent).unwrap();
    assert!(novel.novel);
    let other = workflow(
        "x",
        "Mix red paint",
        vec![task("m", "paint_mixer", &[])],
        WorkflowOutcome::Completed,
    );
    assert!(suggester(vec![other]).suggest(intent).unwrap().novel);
    let like = workflow(
        "y",
        "Find the temperature measurements of all weather stations",
        vec![task("w", "weather_search", &[])],
        WorkflowOutcome::Completed,
    );
    let known = suggester(vec![like]).suggest(intent).unwrap();
    assert!(!known.novel);
    assert_ne!(known.ail_required, Some(AilReason::Novel));
}

#[test]
fn the_weights_follow_the_density_of_what_was_called_after_what() {
    let weights = |suggester: &adjutant_suggestion::Suggester| {
        let suggested = suggester.suggest("Mix red paint").unwrap();
        let weights = suggested.confidence.weights;
        (weights.hybrid, weights.pagerank, weights.path)
    };
    // Six tools have thirty pairs: none, one, and three of them.
    assert_eq!(weights(&suggester(Vec::new())), (0.85, 0.05, 0.10));
    let one = workflow(
        "a",
        "x",
        vec![
            task("w", "weather_search", &[]),
            task("t", "trend_line", &["w"]),
        ],
        WorkflowOutcome::Completed,
    );
    assert_eq!(weights(&suggester(vec![one])), (0.65, 0.20, 0.15));
    let three = vec![
        task("w", "weather_search", &[]),
        task("s", "star_search", &["w"]),
        task("t", "trend_line", &["s"]),
        task("f", "file_writer", &["t"]),
    ];
    let dense = workflow("b", "x", three, WorkflowOutcome::Completed);
    assert_eq!(weights(&suggester(vec![dense])), (0.55, 0.30, 0.15));
}

#[test]
fn what_agents_did_in_part_is_not_done_again() {
    let in_part = PastWorkflow {
        covers: Covers::ToolsOnly,
        ..bulletin(WorkflowOutcome::Completed)
    };
    let suggested = suggester(vec![in_part]).suggest(INTENT).unwrap();
    assert!(suggested.graph.tasks.is_empty() && suggested.novel);
}

#[test]
fn words_that_were_learned_take_a_tool_and_leave_another_and_no_other_tool_is_touched() {
    let intent = "Prepare the garden bulletin, and mix green paint";
    let with = |table: &str| {
        let learned = Arc::new(Learned::parse(table).unwrap());
        let suggester = Suggester::with_learned(tools(), &[], Vec::new(), learned);
        drawn(&suggester.suggest(intent).unwrap())
    };
    let plain = with("");
    assert_eq!(plain.len(), 1, "{plain:?}");
    let said = said(intent);
    let mut signs = said.keys();
    let bulletin = signs.find(|sign| sign.starts_with("bulletin")).unwrap();
    let mixer = plain[0].split(' ').next().unwrap();
    let table = |tools: &str, always: &str, speaks_for: &str| {
        with(&format!(
            "(tools)\t{tools}\n(always)\t0\t{always}\n{bulletin}\t200\t{speaks_for}\n"
        ))
    };
    let taken = table("weather_search", "0:-300,-300", "0:200,200");
    assert_eq!(taken.len(), 2, "{taken:?}");
    assert!(taken.contains(&"weather_search < ".to_owned()), "{taken:?}");
    // Nothing that was learned is wanted, and the words of a tool are clear.
    assert_eq!(table(mixer, "0:-300,-300", ""), plain);
    let both = format!("weather_search\t{mixer}");
    let left = table(&both, "0:-300,-300 1:-300,-300", "0:200,200");
    assert_eq!(left, ["weather_search < "]);
    // Both are wanted, and the work begins with one of them.
    let ordered = table(&both, "0:-300,-300 1:-300,-300", "0:-200,200 1:200,200");
    let expected = [format!("{mixer} < "), format!("weather_search < {mixer}")];
    assert_eq!(ordered, expected);
}
