//! Conflicts and updates against the key.

use adjutant_reader::{Given, Reading, Relation};
use serde_json::Value;

use crate::squeezed;

/// What the reader reports, in a form that is compared with the key.
struct Reported {
    is_update: bool,
    /// How it was found.
    by: &'static str,
    sides: Vec<Side>,
}

struct Side {
    document: String,
    text: String,
    /// The digits of the value.
    value: String,
}

pub(crate) fn measure(key: &Value, reading: &Reading<'_>, given: &[Given<'_>], show: bool) {
    let began = std::time::Instant::now();
    let reported = reported(reading, given);
    let took = began.elapsed();
    let updates = reported.iter().filter(|one| one.is_update).count();
    let conflicts = reported.len() - updates;
    println!("  {conflicts} conflicts and {updates} updates reported in {took:.1?}");
    let mut known = vec![false; reported.len()];
    for list in ["conflicts", "updates", "decoys"] {
        let (mut all, mut found, mut as_such) = (0, 0, 0);
        for planted in key[list].as_array().into_iter().flatten() {
            let sides = match planted["sides"].as_array() {
                Some(sides) => sides.clone(),
                None => vec![planted["old"].clone(), planted["new"].clone()],
            };
            let hits: Vec<usize> = (0..reported.len())
                .filter(|at| joins(&reported[*at], &sides))
                .collect();
            let right = |at: &&usize| reported[**at].is_update == (list == "updates");
            all += 1;
            found += usize::from(!hits.is_empty());
            as_such += usize::from(hits.iter().any(|at| right(&at)));
            if list != "decoys" {
                hits.iter().for_each(|at| known[*at] = true);
            }
            if show && hits.is_empty() == (list != "decoys") {
                let id = planted["id"].as_str().unwrap_or_default();
                let what = planted["subject"].as_str().unwrap_or_default();
                println!("    not as it should be: {id} {what}");
            }
        }
        println!("  {list}: {found} of {all} reported, {as_such} as such");
    }
    let in_key = |update: bool| {
        let of = reported.iter().zip(&known);
        of.filter(|(one, known)| one.is_update == update && **known)
            .count()
    };
    println!(
        "  of those reported, {} conflicts and {} updates are in the key",
        in_key(false),
        in_key(true)
    );
    if show {
        for (one, known) in reported.iter().zip(&known) {
            let what = if one.is_update { "update" } else { "conflict" };
            let known = if *known { ", in the key" } else { "" };
            println!("    {what} by {}{known}", one.by);
            for side in &one.sides {
                println!("        <{}> {}: {}", side.value, side.document, side.text);
            }
        }
    }
}

fn reported(reading: &Reading<'_>, given: &[Given<'_>]) -> Vec<Reported> {
    let side = |statement: usize, value: &str| {
        let at = &reading.statements()[statement];
        let one = &given[at.document];
        Side {
            document: one.name.to_owned(),
            text: bare(&one.document.text[at.span.clone()]),
            value: digits(value),
        }
    };
    let mut all = Vec::new();
    for one in reading.disagreements(&reading.claims()) {
        let sides = one.claims.iter().map(|claim| {
            let document = reading.statements()[claim.statement].document;
            let written = &given[document].document.text[claim.span.clone()];
            side(claim.statement, written)
        });
        all.push(Reported {
            is_update: one.relation == Relation::Update,
            by: "values",
            sides: sides.collect(),
        });
    }
    for wrong in reading.wrong_sums() {
        let parts = wrong.parts.iter().chain([&wrong.stated_in]);
        all.push(Reported {
            is_update: false,
            by: "sums",
            sides: parts.map(|part| side(*part, "")).collect(),
        });
    }
    for pair in reading.denials() {
        all.push(Reported {
            is_update: false,
            by: "denials",
            sides: vec![side(pair.said, ""), side(pair.denied, "")],
        });
    }
    all
}

/// Whether it has two sides of the key that differ, or is about one statement that contradicts itself.
fn joins(reported: &Reported, sides: &[Value]) -> bool {
    let met: Vec<&str> = sides
        .iter()
        .filter(|side| reported.sides.iter().any(|own| is(own, side)))
        .filter_map(|side| side["value"].as_str().or(side["quote"].as_str()))
        .collect();
    let alone = reported.by == "sums" && !met.is_empty();
    alone || met.iter().any(|value| *value != met[0])
}

/// A side of the key is met by its quote, or by its document and its number.
fn is(own: &Side, side: &Value) -> bool {
    let quote = bare(side["quote"].as_str().unwrap_or_default());
    let quoted = own.text.contains(&quote) || quote.contains(&own.text);
    let value = side["value"].as_str().unwrap_or_default();
    let mut numbers = value.split_whitespace().map(digits);
    let valued = !own.value.is_empty() && numbers.any(|number| number == own.value);
    side["document"] == own.document.as_str() && (quoted || valued)
}

/// Words without what parts cells.
fn bare(text: &str) -> String {
    squeezed(&text.replace(['|', ',', '"'], " "))
}

fn digits(text: &str) -> String {
    text.chars()
        .filter(|char| char.is_ascii_digit() || *char == '.')
        .collect()
}
