//! The documents say what the program does, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

fn codes(text: &str) -> BTreeSet<String> {
    let code = Regex::new(r"ADJ-\d{4}").unwrap();
    code.find_iter(text)
        .map(|found| found.as_str().to_owned())
        .collect()
}

fn in_sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_name().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            in_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.extend(codes(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn every_code_is_explained_and_every_explained_code_exists() {
    let mut used = BTreeSet::new();
    let crates = root().join("crates");
    in_sources(&crates, &mut used);
    let documented = codes(&std::fs::read_to_string(root().join("docs/errors.md")).unwrap());
    let missing: Vec<_> = used.difference(&documented).collect();
    let unused: Vec<_> = documented.difference(&used).collect();
    assert!(missing.is_empty(), "docs/errors.md lacks {missing:?}");
    assert!(
        unused.is_empty(),
        "docs/errors.md explains what nothing says: {unused:?}"
    );
}

#[test]
fn every_example_plan_is_good() {
    let place = crate::support::Place::new();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let ran = place.run(&["plan", "check", path.to_str().unwrap()]);
            assert_eq!(ran.code, 0, "{}: {}", path.display(), ran.err);
        }
    }
}
