//! No list of words is fitted to a sample; and the test that says so would notice one that is.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::path::{Path, PathBuf};

use adjutant_word_lists::{
    Compared, English, Kind, Leak, Sample, Scope, Visibility, WordList, leaks, read_sample,
    rust_lists, scopes, word_lists,
};

const WHAT_TO_DO: &str = "\
Rules must hold for documents that nobody has seen, so a list may not hold the words of one sample.
- A general list: remove the word, or say in general English what it stands for.
- A list of one field (medicine, software, ...), of the program's own words or of names: declare it in
  crates/testing/word-lists/scopes.txt, with the reason. Names of a sample may stand in none.
- Words of unseen samples are not shown, so that they stay unseen. Remove the subject words of the list.";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    root.canonicalize().unwrap()
}

fn samples(english: &English) -> Vec<Sample> {
    let read = |name, visibility| read_sample(&root(), name, visibility, english).unwrap();
    vec![
        read("velmoran", Visibility::Open),
        read("incident", Visibility::Open),
        read("tender", Visibility::Unseen),
        read("public", Visibility::Unseen),
        // `laboratory` was written after the lists, by somebody who had not seen them. It joins once a list changes with it in view.
    ]
}

#[test]
fn no_list_mirrors_a_sample() {
    let english = English::kept();
    let scopes = scopes(include_str!("../scopes.txt")).unwrap();
    let lists = word_lists(&root()).unwrap();
    let found = leaks(&lists, &scopes, &samples(&english), &english);
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}\n\n{WHAT_TO_DO}", shown.join("\n"));
}

#[test]
fn every_declared_scope_covers_a_list() {
    let lists = word_lists(&root()).unwrap();
    let covers = |scope: &Scope| lists.iter().any(|at| scope.covers(&at.file, &at.name));
    for scope in scopes(include_str!("../scopes.txt")).unwrap() {
        assert!(
            covers(&scope),
            "there is no list at {} {:?}",
            scope.path,
            scope.list
        );
    }
    assert!(
        scopes("crates/app | names |").is_err(),
        "a scope needs a reason"
    );
    assert!(scopes("crates/app | all | because").is_err());
}

/// Two samples of our own: one on bees, one on bridges.
fn bees_and_bridges(english: &English) -> [Sample; 2] {
    let bees = "Apivorn Ltd keeps bees. The apiarist saw varroosis in hive H-12. Apivorn treats varroosis with smoke. \
                Each colony of the hive is weighed before winter, and after the swarm it is weighed once more.";
    let bridges = "The bridge at Quarnholt carries lorries. Quarnholt asked for a survey of the girders before winter.";
    [
        Sample::new("bees", Visibility::Open, bees, english),
        Sample::new("bridges", Visibility::Unseen, bridges, english),
    ]
}

fn list(entries: &[&str]) -> WordList {
    WordList {
        file: "crates/x/src/lib.rs".to_owned(),
        line: 7,
        name: "CAUSES".to_owned(),
        entries: entries.iter().map(|entry| (*entry).to_owned()).collect(),
    }
}

fn leaks_of(entries: &[&str], scopes: &[Scope]) -> Vec<Leak> {
    let english = English::kept();
    leaks(
        &[list(entries)],
        scopes,
        &bees_and_bridges(&english),
        &english,
    )
}

fn scope(compared: Compared) -> Vec<Scope> {
    vec![Scope {
        path: "crates/x".to_owned(),
        list: None,
        compared,
        except: Vec::new(),
        because: "a test".to_owned(),
    }]
}

#[test]
fn a_planted_word_a_name_and_a_code_are_found() {
    let found = leaks_of(&["delay", "varroosis", "Apivorn", "h-12", "winter"], &[]);
    assert_eq!(found.len(), 1);
    let words: Vec<(Kind, &str)> = found[0]
        .words
        .iter()
        .map(|(kind, word)| (*kind, word.as_str()))
        .collect();
    assert_eq!(
        words,
        [
            (Kind::Name, "apivorn"),
            (Kind::Word, "apivorn"),
            (Kind::Word, "varroosis")
        ]
    );
    let shown = found[0].to_string();
    assert!(
        shown.starts_with("crates/x/src/lib.rs:7 CAUSES mirrors samples/bees: "),
        "{shown}"
    );
}

#[test]
fn a_code_is_found_as_it_is_written() {
    let english = English::kept();
    let text = "Hive H-12 is empty. Hive H-12 was full.";
    let bees = [Sample::new("bees", Visibility::Open, text, &english)];
    let found = leaks(
        &[list(&["hive H-12"])],
        &scope(Compared::NamesOnly),
        &bees,
        &english,
    );
    assert_eq!(found[0].words, [(Kind::Name, "h-12".to_owned())]);
}

#[test]
fn a_stem_in_a_list_is_found_too() {
    assert_eq!(leaks_of(&["varroosi"], &[]).len(), 1);
    assert_eq!(
        leaks_of(&["weigh", "coloni"], &[]).len(),
        0,
        "general English"
    );
}

#[test]
fn uncommon_words_leak_together_and_one_alone_does_not() {
    assert!(leaks_of(&["swarm", "delay", "price"], &[]).is_empty());
    assert_eq!(
        leaks_of(&["swarm", "hive", "colony of the hive"], &[]).len(),
        1
    );
}

#[test]
fn lists_of_a_field_may_hold_words_but_no_names() {
    assert!(leaks_of(&["varroosis"], &scope(Compared::NamesOnly)).is_empty());
    assert_eq!(leaks_of(&["Apivorn"], &scope(Compared::NamesOnly)).len(), 1);
    assert!(leaks_of(&["Apivorn"], &scope(Compared::Nothing)).is_empty());
}

#[test]
fn words_of_an_unseen_sample_are_counted_and_not_shown() {
    let found = leaks_of(&["Quarnholt"], &[]);
    let shown = found[0].to_string();
    assert!(
        shown.ends_with("samples/bridges: 2 (unseen, so not shown)"),
        "{shown}"
    );
    assert!(!shown.to_lowercase().contains("quarnholt"), "{shown}");
}

#[test]
fn lists_are_found_wherever_sources_keep_them() {
    let source = r##"
        //! A comment with ["one", "two"].
        const PLAIN: &[&str] = &["alpha", "be\"ta"];
        pub(crate) static NESTED: [(&[&str], u8); 1] = [(&["gamma", "delta"], 3)];
        fn inline(text: &str, c: char) -> bool {
            let quote = c == '"';
            matches!(text, "epsilon" | "zeta") || ["eta", "theta"].contains(&text) || text.contains("iota")
        }
        static LOOKED: Pattern = Pattern::new(|| Regex::new(r"(?i)\b(kappa|lambda|mu nu)\b"));
        #[cfg(test)]
        mod tests {
            const HIDDEN: &[&str] = &["omega", "psi"];
        }
        #[cfg(test)]
        #[path = "x_tests.rs"]
        mod more;
        const LAST: [&str; 2] = [r#"xi"#, "omicron"];
    "##;
    let found = rust_lists("x.rs", source);
    let told: Vec<(usize, &str, Vec<&str>)> = found
        .iter()
        .map(|list| {
            let entries = list.entries.iter().map(|entry| entry.trim());
            (list.line, list.name.as_str(), entries.collect())
        })
        .collect();
    assert_eq!(
        told,
        [
            (3, "PLAIN", vec!["alpha", "be\\\"ta"]),
            (4, "NESTED", vec!["gamma", "delta"]),
            (7, "inline", vec!["epsilon", "zeta"]),
            (7, "inline", vec!["eta", "theta"]),
            (7, "inline", vec!["iota"]),
            (9, "LOOKED", vec!["i kappa", "lambda", "mu nu"]),
            (17, "LAST", vec!["xi", "omicron"]),
        ]
    );
}

#[test]
fn the_lists_of_the_rules_are_among_those_that_are_found() {
    let lists = word_lists(&root()).unwrap();
    for (file, name) in [
        ("crates/models/rule-answers/src/kindred.rs", "KINDRED"),
        (
            "crates/missions/reports/src/fmea/scales.rs",
            "SEVERITY_SCALE",
        ),
        ("crates/missions/reports/src/fmea/read.rs", "RISK"),
        ("crates/missions/catalogue/templates/go_no_go.yaml", "file"),
    ] {
        let found = lists
            .iter()
            .any(|list| list.file == file && list.name == name);
        assert!(found, "{file} {name}");
    }
}
