//! Finds the sources, the data files and the samples in a tree.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::WordList;
use crate::data_lists::{ENDINGS, data_list};
use crate::english::English;
use crate::rust_lists::rust_lists;
use crate::samples::{Sample, Visibility};

/// Folders whose files are tests, or texts for tests and documents.
const NOT_PRODUCT: &[&str] = &[
    "benches", "examples", "fit", "fuzz", "golden", "samples", "target", "testing", "tests",
];
/// What of a sample is text. The rest repeats it in other formats, and the key quotes from it.
const TEXT_ENDINGS: &[&str] = &["md", "csv", "txt", "html", "json", "eml"];

/// Every word list under `crates/`.
pub fn word_lists(root: &Path) -> Result<Vec<WordList>, String> {
    let mut found = Vec::new();
    let kept = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        !name.is_some_and(|name| NOT_PRODUCT.contains(&name))
    };
    for path in files(&root.join("crates"), &kept).map_err(|error| error.to_string())? {
        let file = path.strip_prefix(root).unwrap_or(&path);
        let file = file.to_string_lossy().replace('\\', "/");
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        let is_data = ENDINGS.contains(&ending) && !file.ends_with("Cargo.toml");
        let is_source =
            ending == "rs" && !file.ends_with("_tests.rs") && !file.ends_with("/tests.rs");
        if !is_data && !is_source {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        match is_source {
            true => found.extend(rust_lists(&file, &text)),
            false => found.push(data_list(&file, &text)),
        }
    }
    Ok(found)
}

/// The vocabulary of a sample, from its page, its key and those of its documents that are text.
pub fn read_sample(
    root: &Path,
    name: &str,
    visibility: Visibility,
    english: &English,
) -> Result<Sample, String> {
    let folder = root.join("samples").join(name);
    let mut text = String::new();
    // A folder with a key of its own is another sample.
    let kept = |path: &Path| !path.ends_with("apis") && !path.join("planted.json").exists();
    for path in files(&folder, &kept).map_err(|error| format!("samples/{name}: {error}"))? {
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        if !TEXT_ENDINGS.contains(&ending) {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("samples/{name}: {error}"))?;
        text.push_str(&without_tags(&String::from_utf8_lossy(&bytes)));
        text.push('\n');
    }
    Ok(Sample::new(name, visibility, &text, english))
}

fn files(folder: &Path, kept: &dyn Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true if kept(&path) => todo.push(path),
                true => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text without what stands between angle brackets.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (nth, part) in text.split('<').enumerate() {
        let looks_like_tag =
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        match part.split_once('>') {
            Some((_, after)) if nth > 0 && looks_like_tag => kept.push_str(after),
            _ => kept.push_str(part),
        }
        kept.push(' ');
    }
    kept
}
