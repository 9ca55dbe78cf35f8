//! Files made to do harm. Each must end in a failure that says what is wrong, or in its text, within the limits.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod forge;

use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use adjutant_import::{Limits, Read, ReadFailure, Reader};
use tokio::io::AsyncWriteExt as _;

use forge::{docx, flate_bomb_pdf, pdf, spreadsheet, zip_with_lie};

const MEGABYTE: u64 = 1024 * 1024;

fn limits() -> Limits {
    Limits {
        memory_bytes_max: 512 * MEGABYTE,
        cpu_seconds_max: 10,
        wall_seconds_max: 40,
        ..Limits::default()
    }
}

/// Time enough, on any machine, for what must come to another end than the end of its time.
fn patient() -> Limits {
    Limits {
        cpu_seconds_max: 60,
        wall_seconds_max: 180,
        ..limits()
    }
}

fn reader(limits: Limits) -> Reader {
    Reader {
        program: PathBuf::from(env!("CARGO_BIN_EXE_adjutant-read-document")),
        arguments: Vec::new(),
        limits,
    }
}

/// How a hostile file may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Text,
    TooLarge,
    TooMuchText,
    Unsupported,
    PasswordProtected,
    Broken,
    NoText,
    TimedOut,
    OutOfMemory,
    Crashed,
    HasNetwork,
    NotAFile,
    LinkLoop,
    Changed,
    Unreadable,
}

fn end_of(read: &Result<Read, ReadFailure>) -> End {
    let failure = match read {
        Ok(_) => return End::Text,
        Err(failure) => failure,
    };
    match failure {
        ReadFailure::TooLarge { .. } => End::TooLarge,
        ReadFailure::TooMuchText { .. } => End::TooMuchText,
        ReadFailure::Unsupported { .. } => End::Unsupported,
        ReadFailure::PasswordProtected => End::PasswordProtected,
        ReadFailure::Broken { .. } => End::Broken,
        ReadFailure::NoText => End::NoText,
        ReadFailure::TimedOut { .. } => End::TimedOut,
        ReadFailure::OutOfMemory { .. } => End::OutOfMemory,
        ReadFailure::Crashed { .. } => End::Crashed,
        ReadFailure::HasNetwork { .. } => End::HasNetwork,
        ReadFailure::NotAFile { .. } => End::NotAFile,
        ReadFailure::LinkLoop => End::LinkLoop,
        ReadFailure::Changed => End::Changed,
        ReadFailure::Unreadable { .. } => End::Unreadable,
    }
}

type Forged = (&'static str, &'static [End], fn() -> Vec<u8>);

const CONTENTS: &[Forged] = &[
    ("bomb.pdf", &[End::OutOfMemory, End::TooMuchText], || {
        flate_bomb_pdf(10_240 * MEGABYTE)
    }),
    ("pages.pdf", &[End::TooMuchText], || pdf::many_pages(50_000)),
    (
        "page-tree.pdf",
        &[End::Broken, End::NoText, End::Crashed, End::OutOfMemory],
        || pdf::nested_tree(100_000),
    ),
    (
        "page-loop.pdf",
        &[End::Broken, End::NoText],
        pdf::looping_tree,
    ),
    (
        "arrays.pdf",
        &[End::Broken, End::NoText, End::Crashed],
        || pdf::nested_arrays(1_000_000),
    ),
    (
        "form-loop.pdf",
        &[End::Crashed, End::OutOfMemory, End::TimedOut],
        pdf::form_that_draws_itself,
    ),
    (
        "xref.pdf",
        &[End::Broken, End::OutOfMemory, End::TimedOut],
        pdf::huge_xref,
    ),
    ("cut.pdf", &[End::Broken], pdf::cut),
    ("no-end.pdf", &[End::Broken], || b"%PDF-1.7\n".to_vec()),
    ("noise.pdf", &[End::Broken], || {
        [b"%PDF-1.7\n".to_vec(), noise(100_000)].concat()
    }),
    ("locked.pdf", &[End::PasswordProtected], pdf::locked),
    ("bomb.docx", &[End::TooMuchText], || {
        docx::bomb(10_240 * MEGABYTE)
    }),
    ("lie.docx", &[End::TooMuchText, End::Broken], zip_with_lie),
    ("many.docx", &[End::TooMuchText], || {
        docx::many_entries(50_000)
    }),
    ("nested.docx", &[End::Unsupported], docx::archive_in_archive),
    ("cut.docx", &[End::Broken], docx::cut),
    ("locked.docx", &[End::PasswordProtected], docx::locked),
    (
        "laughs.docx",
        &[End::Text, End::NoText],
        docx::billion_laughs,
    ),
    ("deep.docx", &[End::TooMuchText], || docx::nested(1_000_000)),
    ("bomb.xlsx", &[End::TooMuchText], || {
        spreadsheet::strings_bomb(10_240 * MEGABYTE)
    }),
    ("far.ods", &[End::TooMuchText, End::OutOfMemory], || {
        spreadsheet::repeated(16_000, 1_000_000)
    }),
    ("cut.xls", &[End::Broken], spreadsheet::cut_workbook),
    ("deep.html", &[End::TooMuchText], || {
        repeated("<html>", "<div>", 1_000_000)
    }),
    ("deep-inline.html", &[End::TooMuchText], || {
        repeated("<html>", "<b>", 1_000_000)
    }),
    ("closing.html", &[End::NoText], || {
        repeated("<html>", "</div>", 1_000_000)
    }),
    ("attributes.html", &[End::TooMuchText], || {
        let attributes: Vec<String> = (0..200_000).map(|n| format!("a{n}=1 ")).collect();
        format!("<html><p {}>", attributes.concat()).into_bytes()
    }),
    ("deep.json", &[End::Broken], || repeated("", "[", 1_000_000)),
    ("deep-objects.json", &[End::TooMuchText], || {
        format!("{}1{}", "{\"a\":".repeat(200_000), "}".repeat(200_000)).into_bytes()
    }),
    ("cut.json", &[End::Broken], || b"{\"a\": [1, 2".to_vec()),
    ("line.csv", &[End::TooLarge], || vec![b'x'; 100 << 20]),
    ("line-within.csv", &[End::TooMuchText], || {
        vec![b'x'; 50 << 20]
    }),
    ("cells.csv", &[End::TooMuchText], || vec![b','; 1 << 20]),
    (
        "deep.md",
        &[End::Text, End::TooMuchText, End::TimedOut, End::Crashed],
        || repeated("a\n\n", "> ", 200_000),
    ),
    ("brackets.md", &[End::Text, End::TimedOut], || {
        repeated("", "[", 500_000)
    }),
    ("emphasis.md", &[End::Text, End::TimedOut], || {
        repeated("", "*a_ ", 300_000)
    }),
    (
        "deep.eml",
        &[End::Text, End::TooMuchText, End::Crashed],
        forge::nested_mail,
    ),
    ("attachments.eml", &[End::TooMuchText], forge::mail_of_many),
    ("noise.txt", &[End::Unsupported], || noise(1_000_000)),
    ("zeros.txt", &[End::Unsupported], || vec![0; 1 << 20]),
    ("cut-utf8.txt", &[End::Text], || {
        let mut bytes = "Ü".repeat(100).into_bytes();
        bytes.pop();
        bytes
    }),
    ("odd-utf16.txt", &[End::Text, End::Unsupported], || {
        [b"\xff\xfe".as_slice(), b"a\0\x00\xd8b"].concat()
    }),
    ("empty.txt", &[End::NoText], Vec::new),
    ("words.txt", &[End::TooMuchText], || {
        b"word ".repeat(6 << 20)
    }),
    ("lines.txt", &[End::TooMuchText], || {
        b"a\n\n".repeat(1 << 20)
    }),
];

fn repeated(before: &str, piece: &str, times: usize) -> Vec<u8> {
    format!("{before}{}", piece.repeat(times)).into_bytes()
}

/// The same bytes every time, and no text.
fn noise(count: usize) -> Vec<u8> {
    let mut state: u32 = 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

/// The most memory this process ever held, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: u64 = line
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap();
    kilobytes * 1024
}

#[tokio::test]
async fn every_hostile_content_ends_as_it_should() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, allowed, forge) in CONTENTS {
        let path = folder.path().join(name);
        std::fs::write(&path, forge()).unwrap();
        let limits = match allowed.contains(&End::TimedOut) {
            true => limits(),
            false => patient(),
        };
        let most = Duration::from_secs(limits.wall_seconds_max + 5);
        let began = Instant::now();
        let read = reader(limits).read(&path).await;
        let took = began.elapsed();
        let end = end_of(&read);
        let said = read
            .err()
            .map_or_else(String::new, |failure| failure.to_string());
        println!("{name}: {end:?} in {} ms: {said}", took.as_millis());
        if !allowed.contains(&end) {
            wrong.push(format!(
                "{name}: {end:?}, expected one of {allowed:?}: {said}"
            ));
        }
        assert!(took < most, "{name} took {took:?}");
        std::fs::remove_file(&path).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_is_no_regular_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("two", at("one")).unwrap();
    symlink("one", at("two")).unwrap();
    std::fs::write(at("file"), "text").unwrap();
    symlink("file", at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    File::create(at("sparse"))
        .unwrap()
        .set_len(1 << 30)
        .unwrap();
    let reader = reader(limits());
    for (path, expected) in [
        (at("one"), End::LinkLoop),
        (at("link"), End::NotAFile),
        (at("pipe"), End::NotAFile),
        (at("sparse"), End::TooLarge),
        (at("."), End::NotAFile),
        (at("missing"), End::Unreadable),
        (PathBuf::from("/dev/zero"), End::NotAFile),
    ] {
        let read = reader.read(&path).await;
        assert_eq!(end_of(&read), expected, "{path:?}: {read:?}");
    }
    std::fs::set_permissions(at("file"), PermissionsExt::from_mode(0o000)).unwrap();
    // Root may read everything.
    if !rustix::process::getuid().is_root() {
        assert_eq!(end_of(&reader.read(&at("file")).await), End::Unreadable);
    }
}

/// A program for the reader to run that is not ours: what a child taken over by a file could do.
fn taken_over(script: &str, limits: Limits) -> Reader {
    Reader {
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".into(), script.into()],
        limits,
    }
}

async fn read_text(reader: &Reader, folder: &Path) -> Result<Read, ReadFailure> {
    let path = folder.join("a.txt");
    std::fs::write(&path, "text").unwrap();
    reader.read(&path).await
}

#[tokio::test]
async fn a_child_that_misbehaves_is_ended_and_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let short = Limits {
        wall_seconds_max: 1,
        text_bytes_max: 1000,
        parts_max: 10,
        ..limits()
    };
    for (script, expected) in [
        ("while :; do :; done", End::TimedOut),
        ("exec cat >/dev/null; wait; sleep 100", End::Crashed),
        ("yes", End::Crashed),
        ("yes >&2", End::Crashed),
        ("exit 3", End::Crashed),
        ("kill -SEGV $$", End::Crashed),
        ("kill -XCPU $$", End::TimedOut),
        (
            "echo memory allocation of 9 bytes failed >&2; kill -ABRT $$",
            End::OutOfMemory,
        ),
        ("cat >/dev/null; echo hello", End::Crashed),
        ("cat >/dev/null; echo '{\"Err\":\"no_text\"}'", End::NoText),
        (
            "cat >/dev/null; echo '{\"Ok\":{\"kind\":\"text\",\"title\":null,\"author\":null,\"date\":null,\"text\":\"abc\",\"parts\":[{\"span\":{\"start\":0,\"end\":9},\"form\":\"paragraph\",\"page\":null}]}}'",
            End::Crashed,
        ),
    ] {
        let read = read_text(&taken_over(script, short.clone()), folder.path()).await;
        assert_eq!(end_of(&read), expected, "{script}: {read:?}");
    }
    let missing = Reader {
        program: PathBuf::from("/nowhere"),
        ..taken_over("", short)
    };
    let read = read_text(&missing, folder.path()).await;
    assert_eq!(end_of(&read), End::Crashed);
}

#[tokio::test]
async fn a_child_that_ran_out_of_time_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("number");
    let script = format!("echo $$ > {}; while :; do :; done", number.display());
    let short = Limits {
        wall_seconds_max: 1,
        ..limits()
    };
    let read = read_text(&taken_over(&script, short), folder.path()).await;
    assert_eq!(end_of(&read), End::TimedOut);
    let number = std::fs::read_to_string(number).unwrap();
    assert!(!Path::new("/proc").join(number.trim()).exists());
}

#[tokio::test]
async fn a_panic_is_told_without_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "printf 'thread main panicked at /home/a/b.rs:1:2:\\nindex out of bounds\\n' >&2; exit 101";
    let read = read_text(&taken_over(script, limits()), folder.path()).await;
    let what = "index out of bounds".to_owned();
    assert_eq!(read, Err(ReadFailure::Crashed { what }));
}

#[tokio::test]
async fn a_child_inherits_nothing_of_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    let script = "cat >/dev/null; [ -z \"$HOME$CARGO$USER\" ] && [ \"$PWD\" = / ] && echo '{\"Err\":\"no_text\"}'";
    let read = read_text(&taken_over(script, limits()), folder.path()).await;
    assert_eq!(end_of(&read), End::NoText, "{read:?}");
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_read_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "text").unwrap();
    // The child itself makes the file grow before it reads on, so the parent always meets the change.
    let script = format!(
        "head -c 1 >/dev/null; echo more >> {}; cat >/dev/null; echo '{{\"Err\":\"no_text\"}}'",
        path.display()
    );
    let large = vec![b'x'; 4 << 20];
    std::fs::write(&path, large).unwrap();
    let read = taken_over(&script, limits()).read(&path).await;
    assert_eq!(end_of(&read), End::Changed, "{read:?}");
}

#[tokio::test]
async fn the_fingerprint_is_of_the_bytes_that_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let read = read_text(&reader(limits()), folder.path()).await.unwrap();
    assert_eq!(read.document.text, "text");
    assert_eq!(read.fingerprint.bytes, 4);
    assert_eq!(
        read.fingerprint.blake3.as_slice(),
        adjutant_import::walk(folder.path(), &limits())
            .unwrap()
            .files[0]
            .fingerprint
            .blake3
    );
}

#[tokio::test]
async fn the_parent_stays_small_whatever_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.txt");
    let file = File::create(&path).unwrap();
    file.set_len(60 << 20).unwrap();
    drop(file);
    let before = peak_memory();
    let read = reader(limits()).read(&path).await;
    assert_eq!(end_of(&read), End::Unsupported);
    let grown = peak_memory() - before;
    assert!(grown < 16 * MEGABYTE, "{grown} bytes");
}

/// Before the first byte of a file is parsed, the process has its filter: `network.rs` tests what that refuses.
#[tokio::test]
async fn the_child_gives_up_the_network_before_it_parses() {
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_adjutant-read-document"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let request = serde_json::json!({ "name": "a.txt", "limits": limits() });
    let mut input = child.stdin.take().unwrap();
    let line = format!("{request}\nhalf a file");
    input.write_all(line.as_bytes()).await.unwrap();
    let status = format!("/proc/{}/status", child.id().unwrap());
    let filtered = async {
        while !std::fs::read_to_string(&status)
            .unwrap()
            .contains("Seccomp:\t2")
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), filtered).await;
    assert!(waited.is_ok(), "it reads the file, and has no filter");
    drop(input);
    let answer = child.wait_with_output().await.unwrap().stdout;
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.contains("half a file"), "{answer}");
}
