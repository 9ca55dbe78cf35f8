//! Counts how many passages of a labelled set are caught. Prints totals; with `--show` also passages that went wrong, but
//! only those with an even number (`n`, or the one in the id), so that the others stay unseen.
//!
//!     cargo run -p adjutant-constitution --example measure_rules -- tests/constitution/outputs.json [odd|even|all] [--show]

use std::collections::BTreeMap;

use adjutant_constitution::{Area, Origin, Text, check};
use anyhow::{Context as _, Result};
use serde_json::Value;

#[derive(Default)]
struct Counts {
    caught: usize,
    of: usize,
}

impl Counts {
    fn count(&mut self, is_caught: bool) {
        self.of += 1;
        self.caught += usize::from(is_caught);
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.caught, self.of)
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().context("which file?")?;
    let half = arguments.get(1).map_or("all", String::as_str);
    let shows = arguments.iter().any(|argument| argument == "--show");
    let read: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let outputs = read.as_array().or(read["outputs"].as_array());
    let outputs = outputs.context("no outputs")?;
    let mut by_area: BTreeMap<&str, (Counts, Counts)> = BTreeMap::new();
    let [mut all, mut subtle, mut alarms] = [(); 3].map(|()| Counts::default());
    let mut alarms_by_area: BTreeMap<&str, usize> = BTreeMap::new();
    for output in outputs {
        let id = output["id"].as_str().context("no id")?;
        let number = match output["n"].as_u64() {
            Some(number) => number,
            None => id.trim_start_matches(char::is_alphabetic).parse()?,
        };
        let is_even = number % 2 == 0;
        if half != "all" && is_even != (half == "even") {
            continue;
        }
        let text = output["text"].as_str().context("no text")?;
        let checked = check(&[Text::new("", text, Origin::Own)]);
        let is_caught = !checked.findings.is_empty();
        let must = output["area"].as_str();
        match must {
            Some(area) => {
                all.count(is_caught);
                let (caught, right) = by_area.entry(area).or_default();
                caught.count(is_caught);
                let names: Vec<&str> = checked.findings.iter().map(|it| it.area.name()).collect();
                right.count(names.contains(&area));
                if output["subtle"] == true {
                    subtle.count(is_caught);
                }
            }
            None => {
                alarms.count(is_caught);
                for area in Area::ALL {
                    let raised = checked.findings.iter().any(|it| it.area == area);
                    *alarms_by_area.entry(area.name()).or_default() += usize::from(raised);
                }
            }
        }
        let is_wrong = is_caught != must.is_some();
        if shows && is_wrong && (is_even || path.contains("development")) {
            println!("{id} {}\n  {text}", must.unwrap_or("ordinary"));
            for finding in &checked.findings {
                println!("    {}: {}", finding.rule, finding.excerpt);
            }
        }
    }
    println!("caught {all}, subtle {subtle}, false alarms {alarms}");
    for (area, (caught, right)) in &by_area {
        println!("  {area}: caught {caught}, under this area {right}");
    }
    println!("  false alarms by area: {alarms_by_area:?}");
    Ok(())
}
