//! Word lists in data files: each file is one list, of its lines or of the texts in it.

use crate::WordList;

pub(crate) const ENDINGS: [&str; 7] = ["txt", "tsv", "csv", "json", "toml", "yaml", "yml"];

pub(crate) fn data_list(file: &str, text: &str) -> WordList {
    let lines = text.lines().map(str::trim);
    WordList {
        file: file.to_owned(),
        line: 1,
        name: "file".to_owned(),
        entries: lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .collect(),
    }
}
