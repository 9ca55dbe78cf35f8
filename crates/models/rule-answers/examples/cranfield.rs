//! How well extracting finds the sources that people judged relevant, and how long it takes.
//!
//!     cargo run --release -p adjutant-rule-answers --example cranfield -- <folder with cran.all.1400, cran.qry, cranqrel>
#![expect(
    clippy::unwrap_used,
    reason = "a measuring program may stop where it stands"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use adjutant_questions::{Extract, Input, Output, Source};

const RANKED: usize = 10;

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let step: usize = std::env::args()
        .nth(2)
        .map_or(1, |step| step.parse().unwrap());
    let read = |name: &str| std::fs::read_to_string(Path::new(&folder).join(name)).unwrap();
    let sources: Vec<Source> = records(&read("cran.all.1400"))
        .into_iter()
        .map(|record| Source {
            id: record.id,
            title: record.title,
            text: record.text,
            published: None,
        })
        .collect();
    let mut judged: BTreeMap<usize, BTreeMap<String, f64>> = BTreeMap::new();
    for line in read("cranqrel").lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        // 1 is best, 4 still relevant.
        let gain = match fields[2].parse::<i32>().unwrap() {
            grade @ 1..=4 => f64::from(5 - grade),
            _ => continue,
        };
        judged
            .entry(fields[0].parse().unwrap())
            .or_default()
            .insert(fields[1].to_owned(), gain);
    }
    let (mut ndcg, mut precision, mut asked) = (0.0, 0.0, 0.0);
    let begun = Instant::now();
    for (at, query) in records(&read("cran.qry"))
        .into_iter()
        .enumerate()
        .step_by(step)
    {
        let Some(gains) = judged.get(&(at + 1)) else {
            continue;
        };
        let ranked = ranked(&query.text, &sources);
        let gain = |source: &String| gains.get(source).copied().unwrap_or(0.0);
        let gained: Vec<f64> = ranked.iter().take(RANKED).map(gain).collect();
        let mut ideal: Vec<f64> = gains.values().copied().collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        ndcg += discounted(&gained) / discounted(&ideal);
        precision += gained.iter().filter(|gain| **gain > 0.0).count() as f64 / RANKED as f64;
        asked += 1.0;
    }
    println!(
        "{asked} queries: nDCG@10 {:.3}, P@10 {:.3}, {:.2} s each",
        ndcg / asked,
        precision / asked,
        begun.elapsed().as_secs_f64() / asked
    );
}

/// Sources in the order of the findings that cite them.
fn ranked(question: &str, sources: &[Source]) -> Vec<String> {
    let input = Input::Extract(Extract {
        question: question.to_owned(),
        sources: sources.to_vec(),
        most: 60,
        guidance: Vec::new(),
    });
    let mut ranked: Vec<String> = Vec::new();
    if let Output::Extract(found) = adjutant_rule_answers::answer(&input) {
        for evidence in found
            .findings
            .into_iter()
            .flat_map(|finding| finding.evidence)
        {
            if !ranked.contains(&evidence.source) {
                ranked.push(evidence.source);
            }
        }
    }
    ranked
}

fn discounted(gains: &[f64]) -> f64 {
    let gains = gains.iter().take(RANKED).enumerate();
    gains
        .map(|(at, gain)| gain / (at as f64 + 2.0).log2())
        .sum()
}

#[derive(Default)]
struct Record {
    id: String,
    title: String,
    text: String,
}

/// The collection's format: `.I` begins a record, `.T` its title, `.W` its text.
fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut field = ' ';
    for line in text.lines() {
        if let Some(id) = line.strip_prefix(".I ") {
            records.push(Record {
                id: id.trim().to_owned(),
                ..Record::default()
            });
        } else if line.len() == 2 && line.starts_with('.') {
            field = line.chars().nth(1).unwrap();
        } else if let Some(record) = records.last_mut() {
            let part = match field {
                'T' => &mut record.title,
                'W' => &mut record.text,
                _ => continue,
            };
            part.push_str(line);
            part.push('\n');
        }
    }
    records
}
