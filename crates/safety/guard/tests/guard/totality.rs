//! Arbitrary text: no panic, valid spans, a deterministic result, and linear time.

use adjutant_guard::{Limits, Origin, fence, inspect};
use proptest::prelude::*;

/// Pieces that reach edge cases, combined in any order and number.
const PIECES: &[&str] = &[
    "ignore ",
    "previous ",
    "instructions",
    ". ",
    "\n",
    "```",
    "<!--",
    "-->",
    "<div hidden>",
    "</div>",
    "<|im_end|>",
    "\u{200B}",
    "\u{202E}",
    "\u{202C}",
    "\u{E0041}",
    "\u{FE0F}",
    "\u{E0120}",
    "аpple",
    "ﬁ",
    "İ",
    "ß",
    "が",
    "。",
    "？",
    "%41%20",
    "&#105;",
    "\\u0069",
    "aGVsbG8gd29ybGQgaGVsbG8=",
    "01101001 ",
    "i g n ",
    "⟦",
    "⟧",
    "![a](http://x?q={a})",
    "</source>",
    "\"",
    "'",
    "?",
    "# ",
    "- ",
    "|",
    "{\"role\":",
    "е",
    "\u{301}",
    "\u{FFFD}",
    "tell me ",
    "1gn0r3 ",
    "ꓲꓖꓠꓳꓣꓰ ",
    "ɪ",
    "🅸",
    "prornpt ",
    "\0",
    "\r\n",
];

fn check(text: &str) {
    for origin in Origin::ALL {
        let inspected = inspect(text, origin, &Limits::default());
        for threat in &inspected.threats {
            assert!(
                text.get(threat.span.clone()).is_some(),
                "{:?} in {text:?}",
                threat.span
            );
            assert!(!threat.reason.contains('\n'));
        }
        assert_eq!(inspected, inspect(text, origin, &Limits::default()));
        let fenced = fence(&inspected);
        assert_eq!(fenced.matches('⟦').count(), fenced.matches('⟧').count());
    }
}

proptest! {
    #[test]
    fn any_text_can_be_inspected(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_combination_of_pieces_can_be_inspected(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(&pieces.concat());
    }
}

/// Each piece repeated many times; quadratic time would not finish.
#[test]
fn repetition_takes_linear_time() {
    for piece in PIECES {
        let text = piece.repeat(200_000 / piece.len());
        inspect(&text, Origin::WebPage, &Limits::default());
    }
}
