//! Plain text, encodings, Markdown, CSV, JSON.

use adjutant_knowledge_index::DocumentKind;

use super::{about, document, failure, outline};
use crate::{Limits, ReadFailure, date, read};

#[test]
fn text_in_every_common_encoding_reads_the_same() {
    let text = "The size (Größe) is 3 µm; a „naïve“ façade hides more than it shows.\n";
    let utf16 =
        |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
    let with_mark = |mark: &[u8], body: Vec<u8>| [mark, &body].concat();
    let latin: Vec<u8> = encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let ways = [
        text.as_bytes().to_vec(),
        with_mark(b"\xef\xbb\xbf", text.as_bytes().to_vec()),
        with_mark(b"\xff\xfe", utf16(u16::to_le_bytes)),
        with_mark(b"\xfe\xff", utf16(u16::to_be_bytes)),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        latin,
    ];
    for bytes in ways {
        assert_eq!(document(&bytes, "a.txt").text, text.trim());
    }
}

#[test]
fn text_in_the_encoding_of_its_language_reads_without_a_label() {
    for (encoding, text) in [
        (
            encoding_rs::WINDOWS_1251,
            "Отчёт о стабильности: все партии хранились двенадцать месяцев.",
        ),
        (
            encoding_rs::KOI8_R,
            "Отчёт о стабильности: все партии хранились двенадцать месяцев.",
        ),
        (
            encoding_rs::WINDOWS_1253,
            "Έκθεση σταθερότητας: όλες οι παρτίδες φυλάχθηκαν δώδεκα μήνες.",
        ),
        (
            encoding_rs::WINDOWS_1250,
            "Zpráva o stabilitě: všechny šarže byly skladovány dvanáct měsíců, při pokojové teplotě.",
        ),
        (
            encoding_rs::SHIFT_JIS,
            "安定性試験の報告書。すべてのロットは十二か月間、室温で保管されました。",
        ),
        (
            encoding_rs::EUC_JP,
            "安定性試験の報告書。すべてのロットは十二か月間、室温で保管されました。",
        ),
        (
            encoding_rs::GBK,
            "稳定性试验报告。所有批次均在室温下保存了十二个月。",
        ),
        (
            encoding_rs::BIG5,
            "穩定性試驗報告。所有批次均在室溫下保存了十二個月。",
        ),
        (
            encoding_rs::EUC_KR,
            "안정성 시험 보고서. 모든 로트는 실온에서 열두 달 동안 보관되었습니다.",
        ),
    ] {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{}", encoding.name());
        assert_eq!(document(&bytes, "a.txt").text, text, "{}", encoding.name());
    }
}

#[test]
fn broken_utf8_keeps_what_is_whole() {
    let mut bytes = "Ä und Ö und Ü und ß, viermal gut".as_bytes().to_vec();
    bytes.extend(b" \xe2\x82 kaputt");
    assert!(document(&bytes, "a.txt").text.ends_with("\u{fffd} kaputt"));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let noise: Vec<u8> = (0..4000_u32).map(|n| (n * 7919 % 251) as u8).collect();
    let unsupported = |what: &str| ReadFailure::Unsupported {
        what: what.to_owned(),
    };
    assert_eq!(failure(&noise, "a.txt"), unsupported("binary data"));
    assert_eq!(
        failure(b"\x89PNG\r\n\x1a\n....", "a.md"),
        unsupported("a PNG picture")
    );
    assert_eq!(failure(b"  \n\n ", "a.txt"), ReadFailure::NoText);
}

#[test]
fn plain_text_has_paragraphs_items_and_headings() {
    let text = "Report\n======\n\nFrom here the lines were broken by a program at a width\nthat nobody chose, so they are one paragraph in the end.\n\n1. POSITION\n\nA short line\nand another one stay two.\n\n- one\n- two\n  goes on\n3) three\n";
    insta::assert_snapshot!(outline(&document(text.as_bytes(), "a.txt")), @r"
    h1 Report
    p From here the lines were broken by a program at a width that nobody chose, so they are one paragraph in the end.
    h2 1. POSITION
    p A short line⏎and another one stay two.
    li one
    li two⏎goes on
    li three
    ");
}

#[test]
fn a_memo_says_who_when_and_what() {
    let text = "FINANCE\nFrom: Ada Holm       Date: 31 August 2026\nSubject: Cash\n\nEnough.\n";
    let document = document(text.as_bytes(), "memo.txt");
    assert_eq!(
        about(&document),
        (Some("Cash"), Some("Ada Holm"), Some("2026-08-31"))
    );
    assert_eq!(document.kind, DocumentKind::Text);
}

#[test]
fn what_nobody_sees_is_left_out() {
    let text =
        "Pay\u{200b}ment\u{ad} is\u{a0}due\u{e0041}\u{e0042}\u{202e} now\u{0}".replace('\0', "");
    assert_eq!(
        document(text.as_bytes(), "a.txt").text,
        "Payment is due now"
    );
}

#[test]
fn markdown_reads_as_it_renders() {
    let text = "---\ntitle: \"Stability\"\nauthor: [Ada Holm, Ben Ode]\ndate: 2025-03-31\n---\n\n# One *loud* title\n\nA [link](https://example.org) and `code`\nin one paragraph.[^1]\n\n- first\n  - nested **item**\n- [x] done\n\n2. two\n3. three\n\n| Lot | Value |\n|---|---|\n| A | 0.20 |\n\n```rust\nfn main() {\n\n}\n```\n\n<div hidden>secret</div>\n<p>shown</p>\n\n> quoted\n\n[^1]: The note.\n";
    let document = document(text.as_bytes(), "a.md");
    assert_eq!(
        about(&document),
        (
            Some("Stability"),
            Some("Ada Holm, Ben Ode"),
            Some("2025-03-31")
        )
    );
    insta::assert_snapshot!(outline(&document), @r"
    h1 One loud title
    p A link and code in one paragraph.[1]
    li first
    li nested item
    li [x] done
    li two
    li three
    head Lot | Value
    row A | 0.20
    code fn main() {⏎⏎}
    p shown
    p quoted
    p The note.
    ");
    assert!(document.text.contains("- first\n  - nested item"));
    assert!(document.text.contains("2. two\n3. three"));
    assert!(document.text.contains("[1] The note."));
}

#[test]
fn tables_of_values_find_their_delimiter() {
    for (name, text) in [
        (
            "a.csv",
            "lot,note,value\nA,\"says \"\"no\"\", twice\",0.20\nB,,0.30\n",
        ),
        (
            "a.csv",
            "lot;note;value\nA;says \"no\", twice;0.20\nB;;0.30\n",
        ),
        (
            "a.tsv",
            "lot\tnote\tvalue\r\nA\tsays \"no\", twice\t0.20\r\nB\t\t0.30\r\n",
        ),
    ] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(outline(&document(text.as_bytes(), name)), @r#"
            head lot | note | value
            row A | says "no", twice | 0.20
            row B |  | 0.30
            "#);
        }
    }
}

#[test]
fn a_quote_left_open_is_not_a_row_of_a_megabyte() {
    let text = format!("a,b\n\"{}", "x,y\n".repeat(400_000));
    assert!(matches!(
        failure(text.as_bytes(), "a.csv"),
        ReadFailure::TooMuchText { .. }
    ));
}

#[test]
fn json_is_lines_of_paths_as_written() {
    let text = r#"{"id": "V-1", "price": 1.10, "none": null, "lab": [{"k": 6.6}, {"k": 4.8}], "who": {"name": "Ada\nHolm"}, "tags": ["a", "b"]}"#;
    insta::assert_snapshot!(outline(&document(text.as_bytes(), "a.json")), @r"
    p id: V-1⏎price: 1.10
    p lab[0].k: 6.6
    p lab[1].k: 4.8
    p who.name: Ada⏎Holm
    p tags[0]: a⏎tags[1]: b
    ");
    let lines = "{\"a\": 1, \"b\": {\"c\": true}}\n{\"a\": 2}\n";
    for name in ["a.jsonl", "a.txt"] {
        let read = document(lines.as_bytes(), name);
        assert_eq!(read.kind, DocumentKind::Json);
        assert_eq!(outline(&read), "p a: 1⏎b.c: true\np a: 2");
    }
}

#[test]
fn json_that_ends_early_or_nests_forever_is_a_failure() {
    assert!(matches!(
        failure(b"{\"a\": [1, 2", "a.json"),
        ReadFailure::Broken { .. }
    ));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(
        failure(deep.as_bytes(), "a.json"),
        ReadFailure::TooMuchText { .. }
    ));
}

#[test]
fn limits_on_text_and_parts_hold() {
    let limits = Limits {
        text_bytes_max: 100,
        parts_max: 3,
        ..Limits::default()
    };
    let long = "word ".repeat(50);
    let many = "a\n\nb\n\nc\n\nd\n";
    for text in [long.as_str(), many] {
        let failure = read(text.as_bytes(), "a.txt", &limits).unwrap_err();
        assert!(
            matches!(failure, ReadFailure::TooMuchText { .. }),
            "{failure}"
        );
    }
    let limits = Limits {
        file_bytes_max: 10,
        ..Limits::default()
    };
    let failure = read(long.as_bytes(), "a.txt", &limits).unwrap_err();
    assert_eq!(
        failure,
        ReadFailure::TooLarge {
            bytes: 250,
            max: 10
        }
    );
}

#[test]
fn dates_are_read_in_the_ways_files_write_them() {
    for (written, read) in [
        ("2024-03-01T10:00:00Z", Some("2024-03-01")),
        ("D:20240301120000+01'00'", Some("2024-03-01")),
        ("2024/3/1", Some("2024-03-01")),
        ("1 March 2024", Some("2024-03-01")),
        ("Mar 1, 2024", Some("2024-03-01")),
        ("Fri, 1 Mar 2024 10:00:00 +0100", Some("2024-03-01")),
        ("March 2024", Some("2024-03")),
        ("2024-03", Some("2024-03")),
        ("'2024'", Some("2024")),
        ("2024-02-30", None),
        ("20240 apples", None),
        ("yesterday", None),
    ] {
        assert_eq!(date::stated(written).as_deref(), read, "{written}");
    }
}
