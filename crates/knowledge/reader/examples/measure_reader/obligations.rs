//! Obligations and gaps against the key: how many of the planted ones are found, and how many are told in all.
//!
//! The key does not list everything that is true of the documents, so what is told beyond it is not wrong by itself:
//! `--show` prints all of it for a person to judge.

use std::time::Instant;

use adjutant_reader::{Gap, Given, Obligation, Reading, Status};
use adjutant_text::dates::Date;
use anyhow::{Context, Result};
use serde_json::Value;

use crate::squeezed;

#[derive(Default)]
struct Counts {
    planted: usize,
    found: usize,
    /// Of those found.
    status_right: usize,
    due_right: usize,
    /// Of those told, how many are in the key.
    in_key: usize,
    told: usize,
    /// Gaps that are told as an obligation, open or overdue.
    as_obligation: usize,
}

pub(crate) fn measure(
    key: &Value,
    reading: &Reading<'_>,
    given: &[Given<'_>],
    show: bool,
) -> Result<()> {
    let Some(today) = key["today"].as_str().and_then(Date::from_iso) else {
        println!("  no \"today\" in the key: obligations and gaps are not measured");
        return Ok(());
    };
    let began = Instant::now();
    let obligations = reading.obligations(today);
    let gaps = reading.gaps(&obligations, today);
    let took = began.elapsed();
    let places = Places { reading, given };
    let owed = places.obligations(key, &obligations, show)?;
    println!(
        "  {} of {} obligations found, status right {}, due right {}; {} told, {} of them in the key",
        owed.found, owed.planted, owed.status_right, owed.due_right, owed.told, owed.in_key
    );
    let missing = places.gaps(key, &gaps, &obligations, show)?;
    println!(
        "  {} of {} gaps found, {} more as an open obligation; {} told, {} of them in the key; both in {took:.1?}",
        missing.found, missing.planted, missing.as_obligation, missing.told, missing.in_key
    );
    Ok(())
}

struct Places<'a> {
    reading: &'a Reading<'a>,
    given: &'a [Given<'a>],
}

impl Places<'_> {
    /// Whether a statement holds the passage of the key, or is held by it.
    fn rests_on(&self, statement: usize, place: &Value) -> bool {
        let own = &self.reading.statements()[statement];
        let quote = squeezed(place["quote"].as_str().unwrap_or_default());
        let text = squeezed(self.reading.text(statement));
        place["document"] == self.given[own.document].name
            && !quote.is_empty()
            && (text.contains(&quote) || quote.contains(&text))
    }

    fn obligations(&self, key: &Value, told: &[Obligation], show: bool) -> Result<Counts> {
        let mut counts = Counts {
            told: told.len(),
            ..Counts::default()
        };
        let mut in_key = vec![""; told.len()];
        for planted in key["obligations"].as_array().context("obligations")? {
            let id = planted["id"].as_str().unwrap_or_default();
            counts.planted += 1;
            let is_it = |one: &Obligation| {
                let mut stated = one.also.iter().chain([&one.statement]);
                stated.any(|at| self.rests_on(*at, &planted["source"]))
            };
            // Of several in one statement, the one whose words the key quotes.
            let quote = squeezed(planted["source"]["quote"].as_str().unwrap_or_default());
            let is_quoted = |one: &Obligation| {
                let document = &self.given[self.reading.statements()[one.statement].document];
                let what = squeezed(&document.document.text[one.what.clone()]);
                is_it(one) && (what.contains(&quote) || quote.contains(&what))
            };
            let best = told
                .iter()
                .position(is_quoted)
                .or_else(|| told.iter().position(is_it));
            let Some(at) = best else {
                if show {
                    println!("MISS {id} {}", planted["what"]);
                }
                continue;
            };
            in_key[at] = id;
            let one = &told[at];
            let status = match one.status {
                Status::Fulfilled { .. } => "fulfilled",
                Status::Open => "open",
                Status::Overdue => "overdue",
            };
            let due = one.due.as_ref().and_then(|due| due.date).map(Date::iso);
            let due_right = planted["due"].as_str() == due.as_deref();
            counts.found += 1;
            counts.status_right += usize::from(planted["status"] == status);
            counts.due_right += usize::from(due_right);
            if show && (planted["status"] != status || !due_right) {
                println!(
                    "     {id} wanted {} due {}, told {status} due {due:?}",
                    planted["status"], planted["due"]
                );
            }
        }
        counts.in_key = in_key.iter().filter(|id| !id.is_empty()).count();
        for (one, id) in told.iter().zip(in_key).filter(|_| show) {
            self.show_obligation(one, id);
        }
        Ok(counts)
    }

    fn show_obligation(&self, one: &Obligation, id: &str) {
        let own = &self.reading.statements()[one.statement];
        let document = &self.given[own.document];
        let due = one.due.as_ref().map(|due| {
            let date = due.date.map_or("no date".to_owned(), Date::iso);
            format!(
                "{date} ({})",
                squeezed(&document.document.text[due.words.clone()])
            )
        });
        println!(
            "OWED {:.1} [{id}] {} +{}",
            one.score,
            document.name,
            one.also.len()
        );
        println!("     {}", squeezed(self.reading.text(one.statement)));
        println!(
            "     who {} | what {} | due {}",
            one.who.as_deref().unwrap_or("-"),
            squeezed(&document.document.text[one.what.clone()]),
            due.as_deref().unwrap_or("-")
        );
        match one.status {
            Status::Fulfilled { by } => {
                let name = self.given[self.reading.statements()[by].document].name;
                println!(
                    "     fulfilled by {name}: {}",
                    squeezed(self.reading.text(by))
                );
            }
            other => println!("     {other:?}"),
        }
    }

    fn gaps(&self, key: &Value, told: &[Gap], owed: &[Obligation], show: bool) -> Result<Counts> {
        let mut counts = Counts {
            told: told.len(),
            ..Counts::default()
        };
        let mut in_key = vec![""; told.len()];
        for planted in key["gaps"].as_array().context("gaps")? {
            counts.planted += 1;
            let id = planted["id"].as_str().unwrap_or_default();
            let hints = planted["hints"].as_array().context("hints")?;
            let is_it = |gap: &Gap| {
                let mut stated = gap.statements.iter();
                stated.any(|at| hints.iter().any(|hint| self.rests_on(*at, hint)))
            };
            let is_owed = |one: &Obligation| {
                let mut stated = one.also.iter().chain([&one.statement]);
                let is_open = !matches!(one.status, Status::Fulfilled { .. });
                is_open && stated.any(|at| hints.iter().any(|hint| self.rests_on(*at, hint)))
            };
            match told.iter().position(is_it) {
                Some(at) => {
                    in_key[at] = id;
                    counts.found += 1;
                }
                None if owed.iter().any(is_owed) => counts.as_obligation += 1,
                None if show => println!("MISS {id} {}", planted["missing"]),
                None => {}
            }
            for (mark, _) in in_key
                .iter_mut()
                .zip(told)
                .filter(|(mark, gap)| mark.is_empty() && is_it(gap))
            {
                *mark = id;
            }
        }
        counts.in_key = in_key.iter().filter(|id| !id.is_empty()).count();
        for (gap, id) in told.iter().zip(in_key).filter(|_| show) {
            let own = &self.reading.statements()[gap.statements[0]];
            let document = &self.given[own.document];
            println!(
                "GAP {:.1} [{id}] {:?} {} +{}",
                gap.score,
                gap.kind,
                document.name,
                gap.statements.len() - 1
            );
            println!("     {}", squeezed(self.reading.text(gap.statements[0])));
            println!(
                "     what {}",
                squeezed(&document.document.text[gap.what.clone()])
            );
        }
        Ok(counts)
    }
}
