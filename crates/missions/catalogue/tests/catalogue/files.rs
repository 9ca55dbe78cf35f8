//! Template files: what is wrong with one is said with its line.

use adjutant_catalogue::{WithoutTools, check, read};

use crate::support::{SEARCHES, small, template};

/// Each problem as `line:column code place`.
fn problems(text: &str) -> Vec<String> {
    let Err(errors) = read(text.as_bytes(), &WithoutTools) else {
        return Vec::new();
    };
    errors
        .problems
        .iter()
        .map(|at| format!("{}:{} {} {}", at.line, at.column, at.code, at.place))
        .collect()
}

/// Where in a small template something stands.
fn changed(from: &str, to: &str) -> (String, usize) {
    let text = small("[]", SEARCHES);
    assert!(text.contains(from), "{from}");
    let line = text[..text.find(from).unwrap()].matches('\n').count() + 1;
    (text.replacen(from, to, 1), line)
}

#[track_caller]
fn complains(from: &str, to: &str, code: &str, place: &str) {
    let (text, line) = changed(from, to);
    let found = problems(&text);
    let expected = |told: &String| {
        told.starts_with(&format!("{line}:")) && told.ends_with(&format!(" {code} {place}"))
    };
    assert!(
        found.iter().any(expected),
        "wanted {line}:… {code} {place}, found {found:#?}"
    );
}

#[test]
fn a_good_file_arrives() {
    let template = template(&small("[]", SEARCHES));
    assert_eq!(template.id, "small");
    assert_eq!(template.tasks.len(), 5);
    assert_eq!(template.tasks[0].only_with.len(), 1);
    assert_eq!(template.tasks[1].only_with, []);
    assert_eq!(template.reasoning.patterns.len(), 1);
}

#[test]
fn fields_are_checked() {
    complains(
        "category: solve",
        "category: solves",
        "ADJ-1106",
        "category",
    );
    complains("version: 1", "version: one", "ADJ-1106", "version");
    complains(
        "about: A small one",
        "abuot: A small one",
        "ADJ-1104",
        "abuot",
    );
    complains("to: $0.02", "to: a lot", "ADJ-1106", "estimate.cost.to");
    complains(
        "only_with: kb",
        "only_with: network",
        "ADJ-1106",
        "tasks[0].only_with",
    );
    complains(
        "reasoning: chain_of_thought",
        "reasoning: hope",
        "ADJ-1106",
        "reasoning",
    );
    let (text, _) = changed("expert: L2-problem-solver\n", "");
    assert!(problems(&text).contains(&"1:1 ADJ-1105 expert".to_owned()));
}

#[test]
fn the_team_is_checked_against_the_roster() {
    complains(
        "L2-problem-solver",
        "L2-problem-solvr",
        "ADJ-1106",
        "expert",
    );
    complains(
        "L2-problem-solver",
        "L3-domain-expert",
        "ADJ-1106",
        "expert",
    );
    complains(
        "workers: [L4-DE",
        "workers: [L4-XX",
        "ADJ-1106",
        "workers[0]",
    );
    complains("tools: [L5-PS", "tools: [L5-XX", "ADJ-1106", "tools[0]");
    complains("by: L4-EV", "by: L4-CM", "ADJ-1106", "tasks[1].by");
    complains(
        "by: L3-domain-expert",
        "by: L2-case-builder",
        "ADJ-1106",
        "tasks[3].by",
    );
}

#[test]
fn only_a_worker_calls_and_only_what_it_may() {
    complains(
        "by: L4-EV
    after: recall
    tool: L5-PS",
        "by: L4-EV
    after: recall
    tool: L5-NEWS",
        "ADJ-1106",
        "tasks[1].by",
    );
    complains(
        "by: L4-EV",
        "by: L3-domain-expert",
        "ADJ-1017",
        "tasks[1].by",
    );
    let (text, _) = changed("    by: L4-EV\n", "");
    let found = problems(&text);
    assert!(
        found
            .iter()
            .any(|told| told.ends_with("ADJ-1106 tasks[1].by")),
        "{found:?}"
    );
}

#[test]
fn the_graph_is_checked_as_in_plan_files() {
    complains(
        "after: analysis",
        "after: analysys",
        "ADJ-1004",
        "tasks[4].after[0]",
    );
    complains(
        "{{sources.output.sources}}",
        "{{sauces.output.sources}}",
        "ADJ-1009",
        "tasks[3].with.sources",
    );
    complains(
        "agent: conclude",
        "agent: conclud",
        "ADJ-1014",
        "tasks[3].agent",
    );
    complains(
        "{question: \"{{inputs.objective}}\", sources",
        "{query: x, sources",
        "ADJ-1014",
        "tasks[3].with",
    );
    complains(
        "{{inputs.subject}}",
        "{{inputs.subjct}}",
        "ADJ-1106",
        "tasks[1].with",
    );
}

#[test]
fn checkpoints_are_checked() {
    let with = |checkpoints: &str| problems(&small(checkpoints, SEARCHES));
    let sound = "[{name: sure, type: critical_decision, after: sources, question: Is it?}]";
    assert_eq!(with(sound), Vec::<String>::new());
    let ends = |checkpoints: &str, end: &str| {
        let found = with(checkpoints);
        assert!(
            found.iter().any(|told| told.ends_with(end)),
            "{end}: {found:?}"
        );
    };
    ends(
        "[{name: sure, type: critical_decision, question: Is it?}]",
        "ADJ-1106 checkpoints[0].after",
    );
    ends(
        "[{name: scope, type: plan_approval, after: sources, question: Is it?}]",
        "ADJ-1106 checkpoints[0].after",
    );
    ends(
        "[{name: sure, type: critical_decision, after: sorces, question: Is it?}]",
        "ADJ-1004 checkpoints[0].after[0]",
    );
    ends(
        "[{name: sources, type: critical_decision, after: recall, question: Is it?}]",
        "ADJ-1003 checkpoints[0].name",
    );
    ends(
        "[{name: sure, type: guess, after: sources, question: Is it?}]",
        "ADJ-1106 checkpoints[0].type",
    );
    ends(
        "[{name: sure, type: critical_decision, after: sources, question: Is it?, options: [{key: a, label: A}], recommend: b}]",
        "ADJ-1011 checkpoints[0].recommend",
    );
    ends(
        "[{name: sure, type: critical_decision, after: recall, question: \"{{literature.output.sources}}?\"}]",
        "ADJ-1009 checkpoints[0].question",
    );
}

#[test]
fn inputs_are_checked() {
    complains(
        "{name: subject",
        "{name: objective",
        "ADJ-1106",
        "inputs[0].name",
    );
    complains(
        "{name: subject",
        "{name: mission_type",
        "ADJ-6200",
        "inputs[0].name",
    );
    complains(
        "{{names.objective}}",
        "{{names.purpose}}",
        "ADJ-1106",
        "inputs[0].default",
    );
}

#[test]
fn what_is_no_template_says_so() {
    let empty = read(b"", &WithoutTools).unwrap_err();
    assert!(empty.problems[0].remedy.contains("deep_dive.yaml"));
    assert!(read(b"tasks: [", &WithoutTools).is_err());
    assert!(read(b"- a list", &WithoutTools).is_err());
}

#[test]
fn the_check_says_what_is_never_used() {
    let checkpoints = "[{name: sure, type: critical_decision, after: sources, question: Is it?}]";
    let tasks = SEARCHES.replace("by: L4-EV", "by: L4-DE");
    let report = check(&small(checkpoints, &tasks));
    assert!(!report.passed());
    assert_eq!(
        report.unused,
        [
            "`L2-problem-solver` is on the team and has no task",
            "`L4-EV` is on the team and has no task",
            "`L5-CT` is listed, and nobody calls it",
            "nothing waits for the checkpoint `sure`",
        ]
    );
}
