//! Reads sample worlds and compares the answers with the key of each (`planted.json`).
//!
//! usage: cargo run --release -p adjutant-reader --example measure_reader -- samples/WORLD... [--show]
//!
//! `--signs=FILE` appends to a file what each verdict rests on instead of measuring.

mod conflicts;
mod dump;
mod obligations;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use adjutant_import::{Limits, read};
use adjutant_knowledge_index::Document;
use adjutant_reader::{Answer, Given, Question, Reading, Verdict};
use anyhow::{Context, Result};
use fancy_regex::RegexBuilder;
use serde_json::Value;

fn main() -> Result<()> {
    let arguments = std::env::args().skip(1);
    let (flags, worlds): (Vec<String>, Vec<String>) =
        arguments.partition(|argument| argument.starts_with("--"));
    let show = flags.iter().any(|flag| flag == "--show");
    for world in worlds {
        let show_conflicts = flags.iter().any(|flag| flag == "--conflicts");
        let signs_into = flags.iter().find_map(|flag| flag.strip_prefix("--signs="));
        measure(Path::new(&world), show, show_conflicts, signs_into)?;
    }
    Ok(())
}

fn measure(world: &Path, show: bool, show_conflicts: bool, signs_into: Option<&str>) -> Result<()> {
    let key = std::fs::read_to_string(world.join("planted.json"))?;
    let key: Value = serde_json::from_str(&key)?;
    let root = world.join("documents");
    let mut files = Vec::new();
    walk(&root, &mut files)?;
    files.sort();
    let mut documents: Vec<(String, Document)> = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&root)?.to_string_lossy().into_owned();
        let bytes = std::fs::read(file)?;
        let document = read(&bytes, &name, &Limits::default()).with_context(|| name.clone())?;
        documents.push((name, document));
    }
    let given: Vec<Given<'_>> = documents
        .iter()
        .map(|(name, document)| Given { name, document })
        .collect();
    let began = Instant::now();
    let reading = Reading::new(&given);
    let took = began.elapsed();
    if let Some(path) = signs_into {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)?;
        let name = world.file_name().unwrap_or_default().to_string_lossy();
        return dump::dump(&mut file, &name, &key, &reading, &given);
    }
    let statements = reading.statements().len();
    let documents = given.len();
    println!("{}", world.display());
    println!("  {documents} documents, {statements} statements, read in {took:.1?}");
    // Rules are developed on the questions with odd numbers; the others are only counted.
    for odd in [true, false] {
        let mut counts = Counts::default();
        for question in key["questions"].as_array().context("questions")? {
            let id = question["id"].as_str().unwrap_or_default();
            let is_odd = id.ends_with(['1', '3', '5', '7', '9']);
            if is_odd == odd {
                counts.take(question, &reading, &given, show && odd)?;
            }
        }
        println!("{}", if odd { " odd" } else { " even" });
        println!("{counts}");
    }
    conflicts::measure(&key, &reading, &given, show_conflicts);
    obligations::measure(&key, &reading, &given, show)?;
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => walk(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

#[derive(Default)]
struct Counts {
    answerable: usize,
    /// Declared answered, and so it is.
    right: usize,
    /// By the first passage, whatever was declared.
    first_right: usize,
    /// Of the wrong ones: the right passage is first, and declared not found; among the first 5, 20, 50; further down.
    only_nearest: usize,
    within: [usize; 3],
    beyond: usize,
    unanswerable: usize,
    declared: usize,
    slowest: Duration,
}

const BACKTRACKS_MAX: usize = 100_000_000;
/// How far down the right passage is looked for.
const WITHIN: [usize; 3] = [5, 20, 50];

impl Counts {
    /// Counts where a wrong answer was lost.
    fn lose(
        &mut self,
        key: &Value,
        answer: &Answer,
        reading: &Reading<'_>,
        given: &[Given<'_>],
    ) -> Result<()> {
        if is_right(key, answer, given, usize::MAX)? {
            self.only_nearest += 1;
            return Ok(());
        }
        let text = key["question"].as_str().context("question")?;
        let nearest = reading.nearest(&Question::new(text), WITHIN[2]);
        for (place, quote) in nearest.into_iter().enumerate() {
            let one = Answer {
                quotes: vec![quote],
                ..answer.clone()
            };
            if is_right(key, &one, given, 1)? {
                let group = WITHIN.iter().position(|most| place < *most);
                self.within[group.unwrap_or(2)] += 1;
                return Ok(());
            }
        }
        self.beyond += 1;
        Ok(())
    }

    fn take(
        &mut self,
        key: &Value,
        reading: &Reading<'_>,
        given: &[Given<'_>],
        show: bool,
    ) -> Result<()> {
        let text = key["question"].as_str().context("question")?;
        let began = Instant::now();
        let answer = reading.answer(&Question::new(text));
        self.slowest = self.slowest.max(began.elapsed());
        let is_found = answer.verdict == Verdict::Answered;
        let good = if key["unanswerable"] == true {
            self.unanswerable += 1;
            self.declared += usize::from(!is_found);
            !is_found
        } else {
            self.answerable += 1;
            let good = is_found && is_right(key, &answer, given, usize::MAX)?;
            self.right += usize::from(good);
            self.first_right += usize::from(is_right(key, &answer, given, 1)?);
            if !good {
                self.lose(key, &answer, reading, given)?;
            }
            good
        };
        if show {
            let mark = if good { "ok  " } else { "MISS" };
            println!("{mark} {} {text}", key["id"].as_str().unwrap_or_default());
            println!(
                "     {:?}, fit {:.2}, missing {:?}",
                answer.verdict, answer.fit, answer.missing
            );
            println!(
                "     wanted: {}",
                key["answer"].as_str().unwrap_or("no answer")
            );
            for quote in &answer.quotes {
                let one = &given[quote.document];
                let text = squeezed(&one.document.text[quote.span.clone()]);
                println!("     {:.2} {}: {text}", quote.score, one.name);
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "  {} of {} questions answered right",
            self.right, self.answerable
        )?;
        writeln!(
            f,
            "  {} by the first passage, found or only nearest",
            self.first_right
        )?;
        writeln!(
            f,
            "  {} of {} without an answer declared so",
            self.declared, self.unanswerable
        )?;
        writeln!(
            f,
            "  of the wrong ones: {} right but declared not found, {} within the first 5, {} 20, {} 50, {} further down",
            self.only_nearest, self.within[0], self.within[1], self.within[2], self.beyond
        )?;
        write!(f, "  slowest answer {:.1?}", self.slowest)
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether what is quoted is a passage of the key, or has what it accepts and nothing that it rejects.
fn is_right(key: &Value, answer: &Answer, given: &[Given<'_>], most: usize) -> Result<bool> {
    let mut told = String::new();
    for quote in answer.quotes.iter().take(most) {
        let one = &given[quote.document];
        let text = squeezed(&one.document.text[quote.context.clone()]);
        for side in key["answers"].as_array().into_iter().flatten() {
            let quoted = squeezed(side["quote"].as_str().unwrap_or_default());
            if side["document"] == one.name && text.contains(&quoted) {
                return Ok(true);
            }
        }
        told.push_str(&text);
        told.push('\n');
    }
    let any = |list: &Value| -> Result<bool> {
        for pattern in list
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            // Some patterns of the keys go back and forth over long passages.
            let pattern = RegexBuilder::new(&format!("(?i){pattern}"))
                .backtrack_limit(BACKTRACKS_MAX)
                .build()?;
            if pattern.is_match(&told)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    Ok(any(&key["accept"])? && !any(&key["reject"])?)
}
