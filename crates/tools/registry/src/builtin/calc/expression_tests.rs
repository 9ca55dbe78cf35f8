use super::*;
use proptest::prelude::*;

fn value(text: &str) -> String {
    let values = BTreeMap::from([
        ("net".to_owned(), Operand::Number(Decimal::new(1999, 2))),
        (
            "prices".to_owned(),
            Operand::List(vec![
                Decimal::new(1, 1),
                Decimal::new(2, 1),
                Decimal::new(3, 1),
            ]),
        ),
    ]);
    match evaluate(text, &values) {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn arithmetic_is_exact_and_follows_precedence() {
    for (text, wanted) in [
        ("0.1 + 0.2", "0.3"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("10 - 4 - 3", "3"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -1", "0.5"),
        ("7 % 4", "3"),
        ("10.50 * 1", "10.50"),
        ("1e3 + 1", "1001"),
        ("sqrt(2) * 0 + sqrt(16)", "4.0000000000000000000000000000"),
        ("round(2.345, 2)", "2.35"),
        ("round(-2.5)", "-3"),
        ("floor(-1.5) + ceil(1.2) + abs(-3)", "3"),
        ("max(1, net, 3)", "19.99"),
        ("min(prices, 5)", "0.1"),
        ("sum(prices)", "0.6"),
        ("avg(prices)", "0.2"),
        ("sum()", "0"),
        ("round(net * 1.19, 2)", "23.79"),
    ] {
        let result = value(text);
        assert_eq!(
            result.parse::<Decimal>().ok(),
            wanted.parse::<Decimal>().ok(),
            "{text} gave {result}"
        );
    }
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (text, wanted) in [
        (
            "1 +",
            "column 4 of the expression: it ends where a number, a name or `(` should follow",
        ),
        (
            "2 * (3 + 4",
            "column 5 of the expression: this `(` is never closed",
        ),
        ("1 / 0", "column 3 of the expression: this divides by zero"),
        (
            "gross",
            "column 1 of the expression: `gross` has no value: add it to `values`",
        ),
        (
            "prices + 1",
            "column 1 of the expression: `prices` is a list: give it to sum, avg, min or max",
        ),
        (
            "1 2",
            "column 3 of the expression: `2` is not allowed here: write an operator or end",
        ),
        (
            "ü + €",
            "column 1 of the expression: `ü` has no value: add it to `values`",
        ),
        (
            "round(1, 99)",
            "column 1 of the expression: round takes 0 to 28 places",
        ),
        (
            "0 ^ -1",
            "column 3 of the expression: zero cannot be raised to a negative power",
        ),
        (
            "10 ^ 40",
            "column 4 of the expression: the result here has more than 28 digits",
        ),
    ] {
        assert_eq!(value(text), wanted, "{text}");
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    for deep in [
        "(".repeat(4_000),
        "-".repeat(4_000),
        "abs(".repeat(1_000),
        "2^".repeat(2_000),
    ] {
        assert!(value(&deep).contains("levels deep"), "{deep:.10}");
    }
    assert!(value(&"1+".repeat(3_000)).contains("the limit is 4096"));
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = value(&text);
    }

    #[test]
    fn no_arithmetic_panics(text in "([0-9]{1,30}|[0-9.]{1,6}|[-+*/%^(),e ]|net|prices|sqrt\\(|round\\(|avg\\(|max\\(){1,24}") {
        let _ = value(&text);
    }

    #[test]
    fn sums_agree_with_integers(numbers in prop::collection::vec(-1_000_000i64..1_000_000, 1..40)) {
        let text = numbers.iter().map(|n| format!("({n})")).collect::<Vec<_>>().join("+");
        prop_assert_eq!(value(&text), numbers.iter().sum::<i64>().to_string());
    }
}
