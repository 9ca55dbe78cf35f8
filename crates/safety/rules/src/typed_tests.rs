use super::*;
use crate::Rule;

fn problems_on(subject: Subject, text: &str) -> Vec<String> {
    problems(Rule::compile(text).unwrap().expression(), subject)
}

fn problems_of(text: &str) -> Vec<String> {
    problems_on(Subject::Call, text)
}

#[test]
fn what_fits_is_left_alone() {
    for text in [
        "call.tool == 'pay' && call.arguments.amount > 100",
        "call.cost > 1 || call.cost >= 0.5",
        "mission.tools.exists(tool, tool.startsWith('write_'))",
        "!has(mission.budget) || mission.budget > 50.0",
        "'final_review' in mission.four_eyes",
        "call.tool in ['pay', 'write_file']",
        "call.personal_data * 2 > 3 && call.outside_model",
        "size(mission.tools.filter(tool, tool != 'report')) > 0",
        "call.arguments.rows.all(row, row.price < 3)",
        "double(call.personal_data) * 1.5 > call.cost",
        "(call.chosen_by_model ? call.tool : call.task).contains('x')",
        "call.arguments['with space'] == null",
        "mission.objective.matches('(?i)personal')",
        "mission.tools[0] == 'report'",
    ] {
        assert_eq!(problems_of(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn every_slip_is_named() {
    for (text, wanted) in [
        ("call.tol == 'pay'", "`call.tol` does not exist"),
        ("has(call.tol)", "`call.tol` does not exist"),
        ("result.text == 'x'", "`result` is not known here"),
        ("tool == 'pay'", "`tool` is not known here"),
        ("call.tool", "the condition is a text"),
        ("call.tool == 3", "which are never equal"),
        ("call.tool > 3", "cannot be ordered"),
        ("mission.tools > 3", "cannot be ordered"),
        (
            "call.tool && true",
            "`&&` and `||` join true or false, not a text",
        ),
        ("!call.tool", "`!` negates true or false, not a text"),
        ("call.tool.name == 'x'", "which has no fields"),
        ("call.tool + 3 == 'x'", "cannot be calculated together"),
        ("call.cost * 2 > 1.0", "write `double(…)`"),
        ("3 in mission.tools", "looked for in a list of texts"),
        ("'a' in call.tool", "use `.contains(…)`"),
        ("call.tool.exists(x, x == 'a')", "a loop goes over"),
        ("mission.tools.exists(t, t > 3)", "cannot be ordered"),
        (
            "call.tool.lowerAscii() == 'x'",
            "there is no function `lowerAscii`",
        ),
        ("size(call.cost) > 3", "`size` is of"),
        ("call.tool.contains(3)", "a text contains texts"),
        ("call.tool.startsWith(3)", "compares texts"),
        ("call.tool[0] == 'x'", "is asked of a text"),
        ("call == 'x'", "which are never equal"),
        ("call['tool'] == 'x'", "write `.name` for a field"),
    ] {
        let found = problems_of(text);
        assert!(
            found.iter().any(|problem| problem.contains(wanted)),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn a_subject_knows_its_own_values_and_the_mission() {
    for subject in Subject::ALL {
        for named in Subject::ALL {
            let text = format!("size({named}.title) >= 0 || has({named}.kind)");
            let unknown = problems_on(subject, &text)
                .iter()
                .any(|problem| problem.contains("is not known here"));
            assert_eq!(
                unknown,
                !subject.variables().contains(&named),
                "{subject} {named}"
            );
        }
    }
}

/// A function that the evaluator does not have would deny everything, and the check would have let it pass.
#[test]
fn the_evaluator_has_every_function_that_the_check_allows() {
    let calls = [
        "size('a') == 1",
        "'abc'.contains('b')",
        "'abc'.startsWith('a')",
        "'abc'.endsWith('c')",
        "'abc'.matches('b')",
        "int('1') == 1",
        "uint('1') == uint(1)",
        "double('1.5') == 1.5",
        "string(1) == '1'",
        "type(1) == type(2)",
    ];
    for (function, text) in FUNCTIONS.iter().zip(calls) {
        assert!(text.contains(function), "{function} {text}");
        assert_eq!(
            Rule::compile(text).unwrap().holds_for(&[]),
            Ok(true),
            "{text}"
        );
    }
}
