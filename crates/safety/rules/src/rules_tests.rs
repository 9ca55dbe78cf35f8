use super::*;
use proptest::prelude::*;
use serde_json::json;

fn values() -> BTreeMap<String, Value> {
    let fetch = json!({ "output": {
        "n": 5, "share": 0.25, "title": "Report", "ok": true, "none": null,
        "rows": [{ "price": 3 }, { "price": 12 }], "big": 9_007_199_254_740_993_i64
    } });
    BTreeMap::from([
        ("fetch".to_owned(), fetch),
        ("inputs".to_owned(), json!({ "limit": 4 })),
    ])
}

fn holds(text: &str) -> Result<bool, RuleError> {
    Rule::compile(text)?.holds(&values())
}

fn error_message(text: &str) -> String {
    holds(text).unwrap_err().to_string()
}

#[test]
fn rules_use_outputs_and_inputs() {
    for (text, wanted) in [
        ("fetch.output.n > inputs.limit", true),
        ("fetch.output.n + 1 == 6", true),
        ("fetch.output.share < 0.5 && fetch.output.n > 0.5", true),
        (
            "fetch.output.title.startsWith('Rep') || fetch.output.missing == 1",
            true,
        ),
        ("fetch.output.title.matches('^R.*t$')", true),
        ("fetch.output.rows.exists(row, row.price > 10)", true),
        ("fetch.output.rows.all(row, row.price > 10)", false),
        (
            "size(fetch.output.rows.filter(row, row.price > 10)) == 1",
            true,
        ),
        ("has(fetch.output.missing)", false),
        ("fetch.output.none == null", true),
        ("fetch.output['title'] in ['Report', 'Draft']", true),
        ("fetch.output.big == 9007199254740993", true),
        (
            "fetch.output.rows[1].price == 12 ? fetch.output.ok : false",
            true,
        ),
    ] {
        assert_eq!(holds(text), Ok(wanted), "{text}");
    }
}

#[test]
fn results_other_than_true_or_false_are_errors() {
    for (text, wanted) in [
        (
            "fetch.output.n",
            "the rule returns int; it must return true or false",
        ),
        (
            "fetch.output.missing > 1",
            "there is no field `missing`; if it is optional, test it with has(…) first",
        ),
        (
            "other.output > 1",
            "`other` is not a task this gate waits for, not `inputs` and not a function",
        ),
        ("  ", "the rule is empty"),
    ] {
        assert_eq!(error_message(text), wanted, "{text}");
    }
    assert!(
        error_message("fetch.output.title > 1").contains("cannot be evaluated"),
        "{}",
        error_message("fetch.output.title > 1")
    );
    assert!(error_message("1 / 0 == 1").contains("cannot be evaluated"));
    assert!(error_message("fetch.output.rows[9].price == 1").contains("cannot be evaluated"));
}

#[test]
fn parse_errors_have_a_column() {
    let error = Rule::compile("fetch.output.n >\n  > 1").unwrap_err();
    assert_eq!(error.column, Some(20), "{error}");
    assert!(Rule::compile("a ==").unwrap_err().column.is_some());
}

#[test]
fn variables_are_the_names_a_rule_uses() {
    let rule = Rule::compile(
        "fetch.output.rows.all(row, row.x > inputs.y && [1].exists(z, z == judge.output)) && has(last.output.a)",
    );
    assert_eq!(
        rule.unwrap().variables(),
        ["fetch", "inputs", "judge", "last"]
    );
    let shadowed = Rule::compile("row.output.exists(row, row > 1)").unwrap();
    assert_eq!(shadowed.variables(), ["row"]);
}

/// Half of the usual stack, so that rules that pass here have a margin elsewhere.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().stack_size(1024 * 1024);
    builder.spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_rules_do_not_overflow_the_stack() {
    on_a_small_stack(|| {
        for text in [
            "(".repeat(4_000),
            "[".repeat(4_000),
            "{".repeat(4_000),
            "!".repeat(4_000) + "true",
            "- ".repeat(2_000) + "1",
            "-!".repeat(2_000) + "1",
            "f(".repeat(2_000),
            "a[".repeat(2_000),
            "true?".repeat(800),
            "true?true:".repeat(400) + "true",
            "1+".repeat(2_000) + "1",
            "a.".repeat(2_000) + "a",
            "a".to_owned() + &"[0]".repeat(1_300),
            "1<".repeat(2_000) + "1",
            "1+".repeat(400) + "1",
            "a.".repeat(400) + "a",
            "a".to_owned() + &"[0]".repeat(400),
            "1<".repeat(400) + "1",
            "[1].map(x,".repeat(400),
            "'".repeat(4_000),
            "\"\"\"".repeat(1_300),
            "x".repeat(5_000),
        ] {
            assert!(Rule::compile(&text).is_err(), "{text:.20}");
        }
        let logic = "true&&".repeat(600) + "true";
        if let Ok(rule) = Rule::compile(&logic) {
            assert_eq!(rule.holds(&BTreeMap::new()), Ok(true));
        }
    });
}

#[test]
fn rules_at_the_limits_are_evaluated_on_a_small_stack() {
    on_a_small_stack(|| {
        let sum = "1+".repeat(110) + "1 == 111";
        assert_eq!(holds(&sum), Ok(true));
        let brackets = "(".repeat(32) + "true" + &")".repeat(32);
        assert_eq!(holds(&brackets), Ok(true));
        let not = "!".repeat(32) + "true";
        assert_eq!(holds(&not), Ok(true));
        let nested = "[".repeat(30) + "1" + &"]".repeat(30) + " != []";
        assert_eq!(holds(&nested), Ok(true));
    });
}

#[test]
fn loops_are_bounded_before_they_run() {
    let deep = "fetch.output.rows.all(a, fetch.output.rows.all(b, fetch.output.rows.all(c, true)))";
    assert!(
        error_message(deep).contains("nests loops more than 2 deep"),
        "{}",
        error_message(deep)
    );
    let rule = Rule::compile("many.all(a, many.all(b, a == b))").unwrap();
    let many = BTreeMap::from([("many".to_owned(), json!(vec![1; 5_000]))]);
    let error = rule.holds(&many).unwrap_err().to_string();
    assert!(error.contains("loops over too many values"), "{error}");
    let few = BTreeMap::from([("many".to_owned(), json!(vec![1; 50]))]);
    assert_eq!(rule.holds(&few), Ok(true));
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(text in "\\PC{0,200}") {
        let _ = holds(&text);
    }

    #[test]
    fn no_rule_like_text_causes_a_panic(
        text in "(fetch|inputs|\\.output|\\.n|rows|[0-9]{1,20}|[-+*/%<>=!&|?:.,()\\[\\]{}'\"` ]|==|&&|\\|\\||true|null|in|has\\(|size\\(|\\.all\\(x,|\\.map\\(x,|\\.matches\\('){1,40}"
    ) {
        let _ = holds(&text);
    }
}
