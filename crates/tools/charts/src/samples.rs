//! The charts in `samples/`, for tests.

use serde_json::Value;

use crate::Chart;

pub(crate) fn files() -> Vec<(String, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, serde_json::from_str(&text).unwrap())
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

pub(crate) fn all() -> Vec<(String, Chart)> {
    files()
        .into_iter()
        .map(|(name, value)| (name, serde_json::from_value(value).unwrap()))
        .collect()
}

pub(crate) fn file(name: &str) -> Value {
    let found = files().into_iter().find(|(n, _)| n == name);
    found.unwrap().1
}
