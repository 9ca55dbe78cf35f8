use super::one_line;

#[test]
fn breaks_and_controls_become_single_spaces() {
    assert_eq!(one_line(" a\r\n\tb\u{1b}[0m\0c "), "a b [0m c");
    assert_eq!(one_line("\n\u{7}"), "");
}
