use adjutant_sandbox::{FileRefused, Protections, Used};

use super::*;

fn ended(stdout: &str) -> Ended {
    Ended {
        exit: Exit::Code(0),
        limit: None,
        stdout: stream(stdout),
        stderr: Stream::default(),
        files: Vec::new(),
        used: Used::default(),
        protections: Protections::default(),
    }
}

fn stream(text: &str) -> Stream {
    Stream {
        bytes: text.into(),
        left_out: 0,
        end: Vec::new(),
    }
}

fn file(name: &str, content: Collected) -> FileOut {
    FileOut {
        name: name.into(),
        content,
    }
}

fn schema() -> AnswerSchema {
    let schema = json!({ "type": "object", "required": ["count"], "properties": { "count": { "type": "integer" } } });
    AnswerSchema::compile(&schema).unwrap()
}

/// The result, or the kind and message of the failure.
fn result(
    answer: &AnswerFrom,
    schema: Option<&AnswerSchema>,
    when_lost: WhenLost,
    ended: Ended,
) -> Result<Value, (FailureKind, String)> {
    let asked = Asked {
        delegate: "coder",
        answer,
        schema,
        time: Duration::from_secs(9),
        when_lost,
        memory_bytes: 1_000,
        secrets: &["k3y-of-ours".to_owned(), "k3y-of-ours-and-more".to_owned()],
    };
    asked.result(ended).map_err(|failure| match failure {
        ToolFailure::Failed { kind, message } => (kind, message),
        ToolFailure::Deferred { .. } => (FailureKind::Temporary, String::new()),
    })
}

const OUT: AnswerFrom = AnswerFrom::StandardOutput;

#[test]
fn an_answer_is_text_unless_a_schema_says_what_it_is() {
    let told = result(&OUT, None, WhenLost::Ask, ended("{\"count\": 3}\n"));
    assert_eq!(told.unwrap()["answer"], "{\"count\": 3}");
    let told = result(
        &OUT,
        Some(&schema()),
        WhenLost::Ask,
        ended(" {\"count\": 3}\n"),
    );
    assert_eq!(told.unwrap()["answer"]["count"], 3);
}

#[test]
fn an_answer_that_does_not_fit_is_no_result() {
    for (stdout, part) in [
        ("", "it is not JSON"),
        ("Here you are: {\"count\": 3}", "it is not JSON"),
        ("{\"count\": 3} {\"count\": 4}", "it is not JSON"),
        ("{\"count\": \"3\"}", "`count`"),
        ("{}", "count"),
        ("[]", "object"),
    ] {
        for (when_lost, kind) in [
            (WhenLost::Ask, FailureKind::Permanent),
            (WhenLost::Repeat, FailureKind::BadOutput),
        ] {
            let failed = result(&OUT, Some(&schema()), when_lost, ended(stdout)).unwrap_err();
            assert_eq!(failed.0, kind);
            assert!(
                failed.1.contains(part) && failed.1.contains("ADJ-6304"),
                "{failed:?}"
            );
        }
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let failed = result(&OUT, Some(&schema()), WhenLost::Ask, ended(&deep)).unwrap_err();
    assert!(failed.1.contains("ADJ-6304"), "{failed:?}");
}

#[test]
fn a_program_that_did_not_end_well_has_no_answer_whatever_it_printed() {
    let good = || ended("{\"count\": 3}");
    let wall = LimitReached::Wall {
        wall: Duration::from_secs(9),
    };
    for (ended, code, part) in [
        (
            Ended {
                exit: Exit::Code(3),
                ..good()
            },
            "ADJ-6307",
            "exit code 3",
        ),
        (
            Ended {
                exit: Exit::Signal(11),
                ..good()
            },
            "ADJ-6307",
            "signal (11)",
        ),
        (
            Ended {
                limit: Some(wall),
                ..good()
            },
            "ADJ-6305",
            "longer than 9s",
        ),
        (
            Ended {
                limit: Some(LimitReached::Memory { bytes: 7 }),
                ..good()
            },
            "ADJ-6306",
            "7 bytes of memory",
        ),
        // The kernel refuses memory and ends nobody, so only the program itself knows why it ended.
        (
            Ended {
                exit: Exit::Code(1),
                stderr: stream("Traceback:\n  x = bytearray(9)\nMemoryError\n"),
                ..good()
            },
            "ADJ-6306",
            "it may use 1000 bytes",
        ),
        (
            Ended {
                exit: Exit::Signal(6),
                used: Used {
                    memory_bytes_peak: 950,
                    ..Used::default()
                },
                ..good()
            },
            "ADJ-6306",
            "used 950 of the 1000 bytes",
        ),
        (
            Ended {
                exit: Exit::Code(1),
                used: Used {
                    memory_bytes_peak: 500,
                    ..Used::default()
                },
                ..good()
            },
            "ADJ-6307",
            "exit code 1",
        ),
        (
            Ended {
                stdout: Stream {
                    bytes: b"{\"count\": 3}".to_vec(),
                    left_out: 5,
                    end: b"tail}".to_vec(),
                },
                ..good()
            },
            "ADJ-6308",
            "5 bytes more",
        ),
    ] {
        let (_, told) = result(&OUT, Some(&schema()), WhenLost::Ask, ended).unwrap_err();
        assert!(told.contains(code) && told.contains(part), "{told}");
    }
}

#[test]
fn a_file_that_is_missing_or_a_link_is_no_result() {
    for why in [
        FileRefused::Missing,
        FileRefused::Link,
        FileRefused::NotAFile,
    ] {
        let mut run = ended("done");
        run.files = vec![
            file("a.md", Collected::Bytes(b"text".to_vec())),
            file("b.md", Collected::Refused(why)),
        ];
        let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
        assert!(
            told.contains("`b.md`") && told.contains("ADJ-6309"),
            "{told}"
        );
    }
}

#[test]
fn an_answer_in_a_file_is_no_file_of_the_task() {
    let from = AnswerFrom::File("answer.json".into());
    let mut run = ended("chatter \u{1b}[2J");
    run.stderr = stream("warning");
    run.files = vec![
        file("a.md", Collected::Bytes(b"text".to_vec())),
        file("answer.json", Collected::Bytes(b"{\"count\": 3}".to_vec())),
    ];
    let told = result(&from, Some(&schema()), WhenLost::Ask, run).unwrap();
    assert_eq!(told["answer"], json!({ "count": 3 }));
    assert_eq!(told["files"], json!([{ "name": "a.md", "text": "text" }]));
    assert_eq!(told["log"], "chatter [2Jwarning");
}

#[test]
fn what_a_program_says_at_its_end_cannot_steer_a_terminal_or_fill_a_page() {
    let mut run = ended(&"é".repeat(5_000));
    run.exit = Exit::Code(1);
    run.stderr = stream(&format!("first\n\u{1b}]0;x\u{7}{}\n\n", "y".repeat(5_000)));
    let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
    assert!(!told.contains(char::is_control), "{told}");
    // Whoever records failures keeps 2,000 bytes of one.
    assert!(told.len() < 2_000 && told.contains('…'), "{told}");
    assert!(!told.contains("first"), "the end is kept: {told}");
}

#[test]
fn the_end_of_what_a_failed_run_wrote_is_kept_with_every_failure() {
    let last_words = |mut run: Ended| {
        run.stderr = stream("Traceback\n  line 3\nKeyError: 'rows'\n");
        let (_, told) = result(&OUT, Some(&schema()), WhenLost::Ask, run).unwrap_err();
        assert!(told.contains("line 3 ⏎ KeyError: 'rows'"), "{told}");
        assert!(
            told.contains("its standard output ends with: half of it"),
            "{told}"
        );
        let code = told.find("[ADJ-63").unwrap();
        assert!(
            code < told.find("KeyError").unwrap(),
            "what is cut is the end: {told}"
        );
    };
    let good = || ended("half of it");
    last_words(Ended {
        exit: Exit::Code(1),
        ..good()
    });
    last_words(Ended {
        limit: Some(LimitReached::Cpu { seconds: 1 }),
        ..good()
    });
    // The answer is not JSON.
    last_words(good());
    let mut run = ended("quiet");
    run.files = vec![file("b.md", Collected::Refused(FileRefused::Missing))];
    let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
    assert!(
        told.ends_with("its standard output ends with: quiet"),
        "{told}"
    );
    assert!(!told.contains("standard error"), "{told}");
}

#[test]
fn of_a_long_stream_its_end_is_told_and_not_where_it_was_cut() {
    let mut run = ended("");
    run.exit = Exit::Code(1);
    run.stderr = Stream {
        bytes: b"the beginning".to_vec(),
        left_out: 9_000,
        end: format!("{}the very end", "x".repeat(4_000)).into(),
    };
    let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
    assert!(
        told.contains("the very end") && !told.contains("beginning"),
        "{told}"
    );
}

#[test]
fn secrets_that_a_program_prints_are_not_kept() {
    let mut run = ended("key=k3y-of-ours-and-more.");
    run.exit = Exit::Code(1);
    run.stderr = stream("401 for k3y-of-ours");
    let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
    assert!(
        told.contains("401 for [secret]") && told.contains("key=[secret]."),
        "{told}"
    );
    // The window may begin in the middle of one.
    for more in 1_900..2_100 {
        let mut run = ended("");
        run.exit = Exit::Code(1);
        run.stderr = stream(&format!("k3y-of-ours-and-more{}", " ".repeat(more)));
        let (_, told) = result(&OUT, None, WhenLost::Ask, run).unwrap_err();
        assert!(
            !told.contains("of-ours") && !told.contains("more"),
            "{more}: {told}"
        );
    }
    let from = AnswerFrom::File("answer.json".into());
    let mut run = ended("k3y-of-ours");
    run.files = vec![file(
        "answer.json",
        Collected::Bytes(b"{\"count\": 3}".to_vec()),
    )];
    let told = result(&from, Some(&schema()), WhenLost::Ask, run).unwrap();
    assert_eq!(told["log"], "[secret]");
}
