//! Any text at all: no panic, honest places, the same answer twice, and no blow-up.

use adjutant_guard::{Limits, Origin, fence, inspect};
use proptest::prelude::*;

/// Pieces that steer the code into its corners, in any order and number.
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
    fn any_text_is_looked_at(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_pieces_are_looked_at(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(&pieces.concat());
    }
}

/// Each piece many times over: what is quadratic would not come back.
#[test]
fn repetition_costs_what_it_is_long() {
    for piece in PIECES {
        let text = piece.repeat(200_000 / piece.len());
        inspect(&text, Origin::WebPage, &Limits::default());
    }
}
