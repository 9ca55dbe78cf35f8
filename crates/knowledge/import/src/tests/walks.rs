//! Folders with links, loops, pipes and hidden files.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::{Limits, SkippedBecause, WalkFailure, walk};

#[test]
fn a_folder_is_listed_in_order_and_says_what_it_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("b/deep")).unwrap();
    for (name, text) in [
        ("c.txt", "c"),
        ("a.txt", "a"),
        ("b/deep/z.md", "z"),
        (".hidden", "h"),
        ("large.txt", "0123456789"),
    ] {
        std::fs::write(at(name), text).unwrap();
    }
    symlink("a.txt", at("inside")).unwrap();
    symlink("..", at("b/loop")).unwrap();
    symlink("/etc/hostname", at("out")).unwrap();
    symlink("nowhere", at("broken")).unwrap();
    symlink("self", at("self")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let limits = Limits {
        file_bytes_max: 5,
        ..Limits::default()
    };
    let found = walk(folder.path(), &limits).unwrap();
    let files: Vec<&str> = found
        .files
        .iter()
        .map(|file| file.path.to_str().unwrap())
        .collect();
    assert_eq!(files, ["a.txt", "b/deep/z.md", "c.txt"]);
    assert_eq!(
        found.files[0].fingerprint.blake3,
        *blake3::hash(b"a").as_bytes()
    );
    let skipped: Vec<String> = found
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.path.display(), skipped.because))
        .collect();
    insta::assert_snapshot!(skipped.join("\n"), @r"
    .hidden: hidden
    b/loop: a link to something inside the folder, which is listed by itself
    broken: a link that leads nowhere or in a circle
    inside: a link to something inside the folder, which is listed by itself
    large.txt: the file has 10 bytes, more than the 5 that are read
    out: a link that leads out of the folder
    pipe: the path leads to something that is not a file: a device, a pipe or a socket
    self: a link that leads nowhere or in a circle
    ");
    assert_eq!(walk(folder.path(), &limits).unwrap(), found);
}

#[test]
fn a_file_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    std::fs::write(&file, "a").unwrap();
    assert_eq!(
        walk(&file, &Limits::default()).unwrap_err(),
        WalkFailure::NotAFolder
    );
    assert!(matches!(
        walk(Path::new("/nowhere"), &Limits::default()).unwrap_err(),
        WalkFailure::Unreadable { .. }
    ));
}

#[test]
fn folders_in_folders_end() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("d/".repeat(100));
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(deep.join("a"), "a").unwrap();
    let found = walk(folder.path(), &Limits::default()).unwrap();
    assert!(found.files.is_empty());
    assert_eq!(found.skipped[0].because, SkippedBecause::TooDeep);
}

#[test]
fn a_folder_that_may_not_be_read_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    let found = walk(folder.path(), &Limits::default()).unwrap();
    // Root may read everything.
    if !rustix::process::getuid().is_root() {
        assert_eq!(found.skipped.len(), 1);
    }
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).unwrap();
}
