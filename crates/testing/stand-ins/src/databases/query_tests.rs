use proptest::prelude::*;

use super::*;

fn holds(query: &str, between: Between, known: &[&str]) -> bool {
    let query = parse(query, between).unwrap();
    query.holds(&mut |leaf| known.contains(&leaf))
}

#[test]
fn operators_bind_as_they_do_in_the_databases() {
    assert!(holds("a AND (b OR c)", Between::And, &["a", "c"]));
    assert!(!holds("a b", Between::And, &["a"]));
    assert!(holds("a b", Between::Or, &["b"]));
    assert!(!holds("a AND b c", Between::Or, &["a"]));
    assert!(holds("a AND b c", Between::Or, &["c"]));
    assert!(!holds("a NOT b", Between::And, &["a", "b"]));
    assert!(holds("f:(x y)", Between::Or, &["f:y"]));
    assert!(holds(
        "\"two words\"[ti] AND a",
        Between::And,
        &["\"two words\"[ti]", "a"]
    ));
}

#[test]
fn what_is_not_closed_is_refused() {
    for wrong in ["(a", "a)", "\"a", "NOT"] {
        assert!(parse(wrong, Between::And).is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in r#"[ab ()"\[\]:\\ANDORNOT]{0,60}"#) {
        for between in [Between::And, Between::Or] {
            if let Ok(query) = parse(&text, between) {
                let _ = query.holds(&mut |_| true);
            }
        }
    }
}
