use super::*;

#[test]
fn spans_in_words() {
    assert_eq!(elapsed(Millis(140)), "0.1 s");
    assert_eq!(elapsed(Millis::seconds(125)), "2 min 5 s");
    assert_eq!(elapsed(Millis::hours(42 * 24)), "42 d");
    let now = Timestamp(0);
    assert_eq!(until(now, now.plus(Millis::hours(24))), "in 24 hours");
    assert_eq!(until(now, now.plus(Millis::seconds(89))), "in 89 seconds");
    assert_eq!(until(now, now.plus(Millis::hours(24 * 10))), "in 10 days");
    assert_eq!(until(now, now), "now");
    assert_eq!(ordinal(2), "2nd");
    assert_eq!(ordinal(12), "12th");
}

#[test]
fn an_output_is_told_by_what_it_is_about() {
    let told = |text: &str| preview(&Payload::Inline(Json::parse(text).unwrap()));
    assert_eq!(told(r#"{"text":"9.40","value":9.4}"#), "9.4");
    assert_eq!(told(r#"{"seconds":2.5}"#), "2.5");
    assert_eq!(
        told(r##"{"text":"# Offer\n\nbody\n"}"##),
        "# Offer … (2 lines)"
    );
    assert_eq!(
        told(r#"{"verdict":"approve","option":"later","note":""}"#),
        "later"
    );
    assert_eq!(told("null"), "");
    assert_eq!(told("[1,2]"), "[1,2]");
}
