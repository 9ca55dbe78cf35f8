use std::os::unix::fs::symlink;

use serde_json::json;

use super::super::testing::{call, call_of, effect, failure, settings};
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

async fn replace(folder: &Path, path: &str, text: &str) -> Result<Value, ToolFailure> {
    let arguments = json!({ "path": path, "text": text });
    call(settings(folder), "replace_file", arguments).await
}

fn text_of(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn replaces_and_repeats() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("not/yet/there");
    for text in ["first", "zweite Fassung, länger", "first"] {
        let result = replace(&folder, "reports/2025/./a.md", text).await.unwrap();
        assert_eq!(
            result,
            json!({ "path": "reports/2025/./a.md", "bytes": text.len() })
        );
        assert_eq!(text_of(folder.join("reports/2025/a.md")), text);
    }
    assert_eq!(names(&folder.join("reports/2025")), ["a.md"]);
}

/// Text from outside reaches `write_file` without a person: it must not take away what is there.
#[tokio::test]
async fn writes_and_repeats_but_replaces_nothing() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let result = put(home.path(), "reports/a.md", "mine").await.unwrap();
        assert_eq!(result, json!({ "path": "reports/a.md", "bytes": 4 }));
    }
    for other in ["words of a stranger", "mine, and more", "min", ""] {
        let refused = failure(put(home.path(), "reports/a.md", other).await);
        assert!(
            refused.starts_with("Denied: `reports/a.md` exists")
                && refused.contains("`replace_file`")
                && refused.ends_with("[ADJ-6170]"),
            "{refused}"
        );
        assert_eq!(text_of(home.path().join("reports/a.md")), "mine");
    }
    assert_eq!(names(&home.path().join("reports")), ["a.md"]);
}

#[tokio::test]
async fn no_tenant_reaches_the_files_of_another() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("files");
    let as_tenant = async |tenant: &str, path: &str, text: &str| {
        let arguments = json!({ "path": path, "text": text });
        call_of(tenant, settings(&folder), "replace_file", arguments).await
    };
    for tenant in ["local", "acme", "zenith", ".."] {
        as_tenant(tenant, "offer.txt", tenant).await.unwrap();
    }
    for path in ["acme/offer.txt", "files-acme/offer.txt"] {
        as_tenant("local", path, "evil").await.unwrap();
        as_tenant("zenith", path, "evil").await.unwrap();
    }
    for path in ["../files-acme/offer.txt", "../files/offer.txt"] {
        failure(as_tenant("zenith", path, "evil").await);
    }
    for (place, text) in [
        ("files", "local"),
        ("files-acme", "acme"),
        ("files-zenith", "zenith"),
        ("files-..", ".."),
    ] {
        assert_eq!(text_of(home.path().join(place).join("offer.txt")), text);
    }
    assert_eq!(
        names(home.path()),
        ["files", "files-..", "files-acme", "files-zenith"]
    );
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
    for text in ["new", "kept"] {
        let linked = failure(put(&folder, "file", text).await);
        assert!(linked.ends_with("[ADJ-6170]"), "{linked}");
    }
    replace(&folder, "file", "new").await.unwrap();
    assert_eq!(text_of(outside.join("secret")), "kept");
    assert_eq!(names(&outside), ["secret"]);
    assert_eq!(names(home.path()), ["out", "outside"]);
    for taken in [
        put(home.path(), "out", "x").await,
        replace(home.path(), "out", "x").await,
    ] {
        let taken = failure(taken);
        assert!(taken.contains("is a folder"), "{taken}");
    }
    assert_eq!(names(home.path()), ["out", "outside"]);
}
