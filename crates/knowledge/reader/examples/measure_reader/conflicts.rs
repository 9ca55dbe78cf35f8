//! Conflicts and updates against the key.

use adjutant_reader::{Claim, Disagreement, Given, Reading, Relation};
use serde_json::Value;

use crate::squeezed;

pub(crate) fn measure(key: &Value, reading: &Reading<'_>, given: &[Given<'_>], show: bool) {
    let began = std::time::Instant::now();
    let claims = reading.claims();
    let found = reading.disagreements(&claims);
    let took = began.elapsed();
    for wrong in reading.wrong_sums() {
        let statement = &reading.statements()[wrong.stated_in];
        let one = &given[statement.document];
        println!(
            "  SUM {}: {} stated, {} computed: {}",
            one.name,
            wrong.stated,
            wrong.computed,
            squeezed(&one.document.text[statement.span.clone()])
        );
    }
    if let Ok(word) = std::env::var("WORD") {
        for claim in &claims {
            let (name, own) = text_of(reading, given, claim);
            if own.contains(&word) {
                println!(
                    "CLAIM {name} <{}> {own}",
                    &given[reading.statements()[claim.statement].document]
                        .document
                        .text[claim.span.clone()]
                );
            }
        }
    }
    for denial in reading.denials() {
        let told = |at: usize| {
            let statement = &reading.statements()[at];
            let one = &given[statement.document];
            format!(
                "{}: {}",
                one.name,
                squeezed(&one.document.text[statement.span.clone()])
            )
        };
        println!(
            "  DENIAL {:.2}\n      {}\n      {}",
            denial.likeness,
            told(denial.said),
            told(denial.denied)
        );
    }
    let count = |relation| found.iter().filter(|one| one.relation == relation).count();
    let (conflicts, updates) = (count(Relation::Conflict), count(Relation::Update));
    println!(
        "  {} claims; {conflicts} conflicts and {updates} updates reported in {took:.1?}",
        claims.len()
    );
    let text = |claim: &Claim| text_of(reading, given, claim);
    let is = |claim: &Claim, side: &Value| {
        let (name, own) = text(claim);
        let own = bare(&own);
        let quote = bare(side["quote"].as_str().unwrap_or_default());
        side["document"] == name && (own.contains(&quote) || quote.contains(&own))
    };
    // A side is met by its quote, or by its document and value.
    let has = |claim: &Claim, side: &Value| {
        let (name, _) = text(claim);
        let own = number(
            &given[reading.statements()[claim.statement].document]
                .document
                .text[claim.span.clone()],
        );
        let values = side["value"].as_str().map(words_of).unwrap_or_default();
        is(claim, side) || (side["document"] == name && values.contains(&own))
    };
    let joins = |one: &Disagreement, sides: &[Value]| {
        let met: Vec<&str> = sides
            .iter()
            .filter(|side| one.claims.iter().any(|claim| has(claim, side)))
            .filter_map(|side| side["value"].as_str())
            .collect();
        met.iter().any(|value| *value != met[0])
    };
    let mut known = vec![""; found.len()];
    let lists = [
        ("conflicts", "conflict"),
        ("updates", "update"),
        ("decoys", "decoy"),
    ];
    for (list, name) in lists {
        let (mut all, mut hit, mut right) = (0, 0, 0);
        for planted in key[list].as_array().into_iter().flatten() {
            let sides: Vec<Value> = match planted["sides"].as_array() {
                Some(sides) => sides.clone(),
                None => vec![planted["old"].clone(), planted["new"].clone()],
            };
            all += 1;
            let mut here = false;
            let mut as_such = false;
            for (at, one) in found.iter().enumerate() {
                if joins(one, &sides) {
                    here = true;
                    as_such |= (one.relation == Relation::Update) == (list == "updates");
                    known[at] = name;
                }
            }
            hit += usize::from(here);
            right += usize::from(as_such);
            if show && here == (list == "decoys") {
                let id = planted["id"].as_str().unwrap_or_default();
                println!("{} {name} {id}", if here { "CAUGHT" } else { "MISSED" });
                for side in &sides {
                    println!("       {}: {}", side["document"], side["quote"]);
                }
            }
        }
        println!("  {list}: {hit} of {all} reported, {right} as such");
    }
    if show {
        for (at, one) in found.iter().enumerate() {
            println!("{:?} {:.2} [{}]", one.relation, one.likeness, known[at]);
            for claim in &one.claims {
                let (name, own) = text(claim);
                println!(
                    "       {name}: <{}> {own}",
                    &given[reading.statements()[claim.statement].document]
                        .document
                        .text[claim.span.clone()]
                );
            }
        }
    }
}

/// Words without what parts cells.
fn bare(text: &str) -> String {
    squeezed(&text.replace(['|', ',', '"'], " "))
}

fn text_of<'a>(reading: &Reading<'a>, given: &[Given<'a>], claim: &Claim) -> (&'a str, String) {
    let statement = &reading.statements()[claim.statement];
    let one = &given[statement.document];
    (
        one.name,
        squeezed(&one.document.text[statement.span.clone()]),
    )
}

/// The number of a value as it is written.
fn number(text: &str) -> String {
    text.chars()
        .filter(|char| char.is_ascii_digit() || *char == '.')
        .collect()
}

fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(number)
        .filter(|word| !word.is_empty())
        .collect()
}
