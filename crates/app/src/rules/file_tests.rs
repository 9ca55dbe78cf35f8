use super::*;
use crate::rules::run_cases;

fn problems(text: &str) -> Vec<(&'static str, usize, String)> {
    let errors = parse_rules(text.as_bytes()).unwrap_err();
    let told = errors.problems.into_iter();
    told.map(|one| (one.code, one.line, one.message)).collect()
}

const SHIPPED: &str = include_str!("../../../../examples/rules/public-administration.yaml");
const DOCS: &str = include_str!("../../../../docs/rules.md");

fn assert_tests_pass(text: &str, at_least: usize) {
    let file = match parse_rules(text.as_bytes()) {
        Ok(file) => file,
        Err(errors) => panic!("{errors}"),
    };
    let results = run_cases(&file);
    assert!(results.len() >= at_least);
    for result in results {
        assert!(result.passed, "{result:?}");
    }
    // A rule that no test expects to decide may as well be missing.
    for rule in file.set.sources() {
        let decides = |case: &Case| case.rule.as_deref() == Some(rule.name.as_str());
        assert!(file.cases.iter().any(decides), "{}", rule.name);
    }
}

#[test]
fn the_shipped_rules_decide_as_their_tests_say() {
    assert_tests_pass(SHIPPED, 10);
}

#[test]
fn the_example_of_the_documentation_decides_as_its_tests_say() {
    let example = DOCS.split("```yaml\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let file = parse_rules(example.as_bytes()).unwrap();
    let results = run_cases(&file);
    assert_eq!(results.len(), 2);
    assert!(results.iter().all(|result| result.passed), "{results:?}");
}

#[test]
fn the_documentation_has_every_field() {
    for subject in Subject::ALL {
        for field in subject.fields() {
            let row = format!(
                "| `{subject}.{}` | {} | {} |",
                field.name,
                field.of_type.name(),
                field.meaning
            );
            assert!(DOCS.contains(&row), "docs/rules.md lacks the row:\n{row}");
        }
    }
    let rows = ["mission", "call", "result", "report"]
        .map(|subject| DOCS.matches(&format!("\n| `{subject}.")).count());
    let known = Subject::ALL.map(|subject| subject.fields().len());
    assert_eq!(rows, known, "docs/rules.md has a field that does not exist");
}

#[test]
fn every_problem_is_told_with_its_line() {
    let found = problems(
        "rules:\n\
         - name: a\n  on: call\n  when: call.tol == 1\n  then: deny\n  because: x\n\
         - name: b\n  on: cal\n  when: 'true'\n  then: deny\n  because: x\n\
         - name: c\n  on: result\n  when: result.size > 'x'\n  then: ask\n  becuase: x\n\
         - name: a\n  on: report\n  when: report.title\n  then: deny\n  because: x\n\
         tests:\n\
         - name: t\n  on: call\n  given:\n    call: {tool: 3, nothing: 1}\n  expect: maybe\n  rule: none\n",
    );
    for (code, line, wanted) in [
        ("ADJ-6190", 4, "`call.tol` does not exist"),
        (
            "ADJ-1106",
            8,
            "`cal` is not known here; did you mean `call`",
        ),
        ("ADJ-1104", 16, "there is no field `becuase` here"),
        ("ADJ-1105", 12, "`because` is missing"),
        ("ADJ-6190", 19, "the condition is a text"),
        ("ADJ-1106", 17, "two rules are called `a`"),
        ("ADJ-1106", 26, "`tool` is 3, not a text"),
        ("ADJ-1104", 26, "there is no field `nothing` here"),
        ("ADJ-1106", 27, "`maybe` is not known here"),
    ] {
        let is_told = found.iter().any(|(its_code, its_line, message)| {
            *its_code == code && *its_line == line && message.contains(wanted)
        });
        assert!(is_told, "{code} {line} {wanted}\n{found:#?}");
    }
}

#[test]
fn what_is_no_rules_file_is_refused() {
    for text in [
        "",
        "rules: 3",
        "- a",
        "rules:\n- name: a",
        "rules: []\nmore: 1",
        "tasks: []",
    ] {
        assert!(parse_rules(text.as_bytes()).is_err(), "{text}");
    }
    let long = format!(
        "rules:\n- {{name: a, on: call, when: '{}', then: deny, because: x}}",
        "1 == 1 && ".repeat(1_000)
    );
    assert!(!problems(&long).is_empty());
}

#[test]
fn a_case_that_is_not_met_says_what_was_decided() {
    let text = "rules:\n- {name: a, on: call, when: call.tool == 'pay', then: deny, because: no}\n\
                tests:\n- {name: t, on: call, given: {call: {tool: pay}}, expect: allow}\n";
    let file = parse_rules(text.as_bytes()).unwrap();
    let results = run_cases(&file);
    assert!(!results[0].passed);
    assert_eq!(results[0].found.decision, Decision::Deny);
    assert_eq!(results[0].line, 4);
}
