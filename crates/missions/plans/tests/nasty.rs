//! Files made to hurt, and files made by chance: an answer always comes, quickly, and never a panic.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use std::time::{Duration, Instant};

use adjutant_plans::{PlanErrors, read};
use proptest::prelude::*;
use support::BuiltIn;

/// Far above what any file needs, far below what a person would call hanging. Debug builds included.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let start = Instant::now();
    let answer = read(bytes, &BuiltIn::new());
    assert!(start.elapsed() < ANSWER_WITHIN, "{:?}", start.elapsed());
    let PlanErrors { problems, .. } = match answer {
        Ok(_) => return Vec::new(),
        Err(errors) => errors,
    };
    assert!(!problems.is_empty());
    for problem in &problems {
        assert!(problem.line >= 1 && problem.column >= 1, "{problem}");
        assert!(!problem.message.is_empty() && !problem.remedy.is_empty());
        assert!(problem.to_string().len() < 2_000, "{problem}");
    }
    let mut codes: Vec<_> = problems.iter().map(|problem| problem.code).collect();
    codes.dedup();
    codes
}

fn with_value(value: &str) -> String {
    format!("title: T\ntasks:\n- id: a\n  tool: noop\n  with: {{value: {value}}}\n")
}

#[test]
fn nesting_is_bounded() {
    for depth in [100, 1_000, 100_000, 1_500_000] {
        let lists = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(codes(with_value(&lists).as_bytes()), ["ADJ-1110"]);
        let maps = "{a: ".repeat(depth) + &"}".repeat(depth);
        assert_eq!(codes(with_value(&maps).as_bytes()), ["ADJ-1110"]);
        assert!(!codes("[".repeat(depth).as_bytes()).is_empty());
        assert!(!codes("- ".repeat(depth).as_bytes()).is_empty());
        assert!(!codes("? ".repeat(depth).as_bytes()).is_empty());
    }
    let block: String = (0..500).map(|n| " ".repeat(n) + "a:\n").collect();
    assert_eq!(codes(block.as_bytes()), ["ADJ-1110"]);
    let fits = "[".repeat(50) + &"]".repeat(50);
    assert_eq!(codes(with_value(&fits).as_bytes()), [""; 0]);
}

#[test]
fn aliases_cannot_blow_up() {
    let mut laughs = "x0: &x0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for n in 1..12 {
        let inner = vec![format!("*x{}", n - 1); 9].join(", ");
        laughs += &format!("x{n}: &x{n} [{inner}]\n");
    }
    assert_eq!(codes(laughs.as_bytes()), ["ADJ-1110"]);

    let million = format!("a: &a x\nb: [{}]\n", "*a,".repeat(1_000_000));
    assert_eq!(codes(million.as_bytes()), ["ADJ-1110"]);

    let long = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(4_000_000),
        "*a,".repeat(1_000)
    );
    assert_eq!(codes(long.as_bytes()), ["ADJ-1110"]);

    let mut deep = "x0: &x0 []\n".to_owned();
    for n in 1..100 {
        deep += &format!("x{n}: &x{n} [*x{}]\n", n - 1);
    }
    assert_eq!(codes(deep.as_bytes()), ["ADJ-1110"]);

    let nested_anchors = (0..60).fold("x".repeat(4_000_000), |inner, n| format!("&a{n} [{inner}]"));
    assert_eq!(codes(with_value(&nested_anchors).as_bytes()), ["ADJ-1110"]);
}

#[test]
fn bulk_is_bounded() {
    let many = format!("tasks: [{}]", "a,".repeat(3_000_000));
    assert_eq!(codes(many.as_bytes()), ["ADJ-1110"]);
    assert_eq!(codes("a: 1\n".repeat(300_000).as_bytes())[0], "ADJ-1107");
    let keys: String = (0..200_000).map(|n| format!("k{n}: 1\n")).collect();
    assert!(codes(keys.as_bytes()).contains(&"ADJ-1104"));
    let huge = with_value(&"x".repeat(7_000_000));
    assert_eq!(codes(huge.as_bytes()), ["ADJ-1002"]);
    let title = format!(
        "title: {}\ntasks: [{{id: a, tool: noop}}]\n",
        "x".repeat(7_000_000)
    );
    assert_eq!(codes(title.as_bytes()), ["ADJ-1002"]);
    let long_key = format!("? {}\n: 1\n", "k".repeat(1_000_000));
    assert!(codes(long_key.as_bytes()).contains(&"ADJ-1104"));
    let digits = format!("{{n: {}}}", "9".repeat(1_000_000));
    assert!(!codes(with_value(&digits).as_bytes()).is_empty());
}

#[test]
fn odd_characters_are_answered() {
    let nasty: [&[u8]; 26] = [
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\r",
        b"\r\n\r\n",
        b"\t",
        b"\t\t- a",
        b"---",
        b"...",
        b"--- ---",
        b"%YAML 9.9\n---\na: b",
        b"%TAG ! x\n---\n!a b",
        b"&",
        b"*",
        b"!",
        b"|",
        b">",
        b"'",
        b"\"",
        b"{",
        b"}",
        b"? ",
        b": ",
        b"- - - -",
        b"a: b: c",
        b"\"\\ud800\"",
    ];
    for text in nasty {
        assert!(!codes(text).is_empty(), "{text:?}");
        for prefix in ["title: ", "tasks:\n- ", "tasks:\n- id: a\n  with:\n    "] {
            codes(&[prefix.as_bytes(), text].concat());
        }
    }
    for control in (1u8..32).chain([127]) {
        codes(
            &[
                b"title: a",
                &[control][..],
                b"b\ntasks: [{id: a, tool: noop}]\n",
            ]
            .concat(),
        );
    }
    for odd in [
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffe}",
        "\u{10ffff}",
        "\u{202e}",
        "👩‍🚀",
    ] {
        codes(format!("title: {odd}\ntasks: [{{id: {odd}, tool: noop}}]\n").as_bytes());
    }
}

const SEED: &str = include_str!("good/every_field.yaml");

/// Bits of syntax that, put in the wrong spot, change what a file means.
const BITS: [&str; 24] = [
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "{{",
    "}}",
    "&a ",
    "*a",
    "!x ",
    "'",
    "\"",
    "|\n",
    "#",
    "\n",
    "\n  ",
    "\t",
    "~",
    "0x",
    "fetch",
    "99999999999999999999",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_by_chance(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        codes(&bytes);
    }

    #[test]
    fn syntax_by_chance(bits in proptest::collection::vec(proptest::sample::select(&BITS[..]), 0..60)) {
        codes(bits.concat().as_bytes());
    }

    #[test]
    fn mutated_plans(edits in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..24, 0usize..30), 1..6)) {
        let mut text: Vec<char> = SEED.chars().collect();
        for (at, bit, removed) in edits {
            let at = at.index(text.len());
            let end = (at + removed).min(text.len());
            text.splice(at..end, BITS[bit].chars());
        }
        codes(text.into_iter().collect::<String>().as_bytes());
    }

    #[test]
    fn lines_moved_and_lost(order in proptest::collection::vec(0usize..70, 0..70)) {
        let lines: Vec<&str> = SEED.lines().collect();
        let text: Vec<&str> = order.iter().filter_map(|&n| lines.get(n).copied()).collect();
        codes(text.join("\n").as_bytes());
    }

    #[test]
    fn cut_anywhere(at in any::<prop::sample::Index>()) {
        codes(&SEED.as_bytes()[..at.index(SEED.len())]);
    }
}

#[test]
fn the_same_file_gets_the_same_answer() {
    let text = SEED
        .replace("fetch", "fetsch")
        .replacen("fetsch", "fetch", 1);
    let once = read(text.as_bytes(), &BuiltIn::new()).unwrap_err();
    assert_eq!(read(text.as_bytes(), &BuiltIn::new()).unwrap_err(), once);
}
