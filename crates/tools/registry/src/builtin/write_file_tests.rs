use std::os::unix::fs::symlink;

use serde_json::json;

use super::super::testing::{call, effect, failure, settings};
use super::*;

async fn put(folder: &Path, path: &str, text: &str) -> Result<Value, ToolFailure> {
    call(
        settings(folder),
        "write_file",
        json!({ "path": path, "text": text }),
    )
    .await
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn writes_replaces_and_repeats() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("not/yet/there");
    for text in ["first", "zweite Fassung, länger", "first"] {
        let result = put(&folder, "reports/2025/./a.md", text).await.unwrap();
        assert_eq!(
            result,
            json!({ "path": "reports/2025/./a.md", "bytes": text.len() })
        );
        assert_eq!(
            std::fs::read_to_string(folder.join("reports/2025/a.md")).unwrap(),
            text
        );
    }
    assert_eq!(names(&folder.join("reports/2025")), ["a.md"]);
}

#[tokio::test]
async fn what_a_crash_left_behind_is_taken_over() {
    let home = tempfile::tempdir().unwrap();
    let left = home.path().join(format!(".{}.unfinished", effect(1)));
    std::fs::write(&left, "half of it").unwrap();
    put(home.path(), "a.md", "all of it").await.unwrap();
    assert_eq!(names(home.path()), ["a.md"]);
}

#[tokio::test]
async fn never_leaves_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let outside = home.path().join("outside");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), "kept").unwrap();
    symlink(&outside, folder.join("link")).unwrap();
    symlink(outside.join("secret"), folder.join("file")).unwrap();
    std::fs::write(folder.join("plain"), "").unwrap();

    for (path, reason) in [
        ("../evil", "leaves the folder"),
        ("a/../../evil", "leaves the folder"),
        ("/etc/evil", "is absolute"),
        ("link/evil", "passes through a link"),
        ("plain/evil", "passes through a link or a file"),
        ("a/", "names no file"),
        (".", "names no file"),
        ("a\0b", "names no file"),
    ] {
        let message = failure(put(&folder, path, "x").await);
        assert!(
            message.starts_with("BadInput: ") && message.contains(reason),
            "{path}: {message}"
        );
    }
    put(&folder, "file", "new").await.unwrap();
    assert_eq!(
        std::fs::read_to_string(outside.join("secret")).unwrap(),
        "kept"
    );
    assert_eq!(names(&outside), ["secret"]);
    assert_eq!(names(home.path()), ["out", "outside"]);
    let folder_taken = failure(put(home.path(), "out", "x").await);
    assert!(folder_taken.contains("is a folder"), "{folder_taken}");
    assert_eq!(names(home.path()), ["out", "outside"]);
}
