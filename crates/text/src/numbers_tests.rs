use super::*;

#[test]
fn numbers_are_read_in_the_notations_of_several_countries() {
    for (written, value) in [
        ("412", 412.0),
        ("1,204", 1204.0),
        ("0,345", 0.345),
        ("1,5", 1.5),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1.234.567", 1_234_567.0),
        ("1\u{202F}234", 1234.0),
        ("0·72", 0.72),
        ("−3", -3.0),
    ] {
        assert_eq!(parse_number(written), Some(value), "{written}");
    }
    for wrong in ["", "-", "twelve", ".", "1a"] {
        assert_eq!(parse_number(wrong), None, "{wrong}");
    }
}
