use super::*;

#[test]
fn a_line_is_cut_by_display_width() {
    let line = Line::new().plain("価格 ").and(Tone::Done, "ready now");
    assert_eq!(line.width(), 14);
    assert_eq!(
        line.clone().fit(14).render(Paint::Nothing),
        "価格 ready now"
    );
    assert_eq!(line.clone().fit(9).render(Paint::Nothing), "価格 rea…");
    assert_eq!(line.fit(4).render(Paint::Nothing), "価…");
}

#[test]
fn text_cannot_steer_the_terminal() {
    let line = Line::new().plain("a\x1b[2Jb\nc\u{202e}d");
    assert_eq!(line.render(Paint::Nothing), "a\u{fffd}[2Jb c\u{fffd}d");
}

#[test]
fn colour_is_only_there_when_it_is_wanted() {
    let line = Line::of(Tone::Failed, "no");
    assert_eq!(line.render(Paint::Nothing), "no");
    assert_eq!(line.render(Paint::Colours), "\x1b[31mno\x1b[0m");
}

#[test]
fn wrapping_breaks_long_words_and_keeps_paragraphs() {
    assert_eq!(wrap("one two three\nfour", 8), ["one two", "three", "four"]);
    assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
}
