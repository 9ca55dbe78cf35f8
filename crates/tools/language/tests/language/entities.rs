//! Entities against passages that were marked by hand. A find counts only with the right kind and the right place.

use std::collections::BTreeMap;

use super::*;

#[derive(Default, Clone, Copy)]
struct Score {
    right: usize,
    marked: usize,
    found: usize,
}

impl Score {
    fn precision(self) -> f64 {
        self.right as f64 / self.found as f64
    }

    fn recall(self) -> f64 {
        self.right as f64 / self.marked as f64
    }
}

type Marks = Vec<(String, String, u64)>;

/// The text of a passage and what is marked in it: kind, words and place.
fn passage(line: &str) -> (String, Marks) {
    let mut text = String::new();
    let mut marks = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("[[") {
        text.push_str(&rest[..at]);
        let end = rest.find("]]").unwrap();
        let (kind, words) = rest[at + 2..end].split_once(':').unwrap();
        marks.push((
            kind.to_owned(),
            words.to_owned(),
            text.chars().count() as u64,
        ));
        text.push_str(words);
        rest = &rest[end + 2..];
    }
    text.push_str(rest);
    (text, marks)
}

fn score(file: &str) -> (Score, Vec<String>) {
    let mut score = Score::default();
    let mut wrong = Vec::new();
    let mut kinds: BTreeMap<String, Score> = BTreeMap::new();
    for line in file.lines().skip(1).filter(|line| !line.is_empty()) {
        let (text, marks) = passage(line);
        let answer = ask_json(json!({ "process": "entities", "text": text }));
        let found: Marks = answer["entities"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                let word = |name: &str| one[name].as_str().unwrap().to_owned();
                (word("kind"), word("text"), one["start"].as_u64().unwrap())
            })
            .collect();
        for mark in &marks {
            kinds.entry(mark.0.clone()).or_default().marked += 1;
            if found.contains(mark) {
                kinds.entry(mark.0.clone()).or_default().right += 1;
                score.right += 1;
            } else {
                wrong.push(format!("missed {mark:?} in: {text}"));
            }
        }
        for one in &found {
            kinds.entry(one.0.clone()).or_default().found += 1;
            if !marks.contains(one) {
                wrong.push(format!("too much {one:?} in: {text}"));
            }
        }
        score.marked += marks.len();
        score.found += found.len();
    }
    for (kind, of_kind) in kinds {
        println!(
            "{kind}: {} right of {} marked, {} found",
            of_kind.right, of_kind.marked, of_kind.found
        );
    }
    println!(
        "precision {:.3}, recall {:.3} of {}",
        score.precision(),
        score.recall(),
        score.marked
    );
    (score, wrong)
}

#[test]
fn the_half_that_was_looked_at() {
    let (score, wrong) = score(include_str!("../reference/entities_tuned.txt"));
    assert!(score.marked >= 100, "{}", score.marked);
    assert!(
        score.precision() >= 0.97 && score.recall() >= 0.97,
        "{}",
        wrong.join("\n")
    );
}

/// What is missed here is not mended here: the rules are to be judged by it.
#[test]
fn the_half_that_was_held_out() {
    let (score, wrong) = score(include_str!("../reference/entities_held_out.txt"));
    assert!(score.marked >= 100, "{}", score.marked);
    assert!(
        score.precision() >= 0.75 && score.recall() >= 0.75,
        "{} wrong",
        wrong.len()
    );
}

/// Short notes, news and other languages, written to be hard.
#[test]
fn the_passages_that_are_hard() {
    let (score, wrong) = score(include_str!("../reference/entities_hard.txt"));
    println!("{}", wrong.join("\n"));
    assert!(
        score.precision() >= 0.6 && score.recall() >= 0.5,
        "{} wrong",
        wrong.len()
    );
}
