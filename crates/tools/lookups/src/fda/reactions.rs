//! How often reactions were reported, for a product and for all: what a comparison of reporting rates needs.

use serde_json::{Value, json};

use super::search::Search;
use crate::dates::{Date, csl_date};
use crate::{LookupError, Source};

const COUNT_FIELD: &str = "patient.reaction.reactionmeddrapt.exact";
/// The most that the database counts.
const TERMS_MAX: usize = 1000;

#[derive(Debug)]
pub(super) struct Counting {
    term: String,
    product: String,
    most: usize,
    step: CountStep,
    /// With the product: how often each reaction.
    of_product: Vec<(String, u64)>,
    more_terms: bool,
    reports: Option<u64>,
    of_all: Option<Vec<(String, u64)>>,
    all_reports: Option<u64>,
    updated: Option<Date>,
}

#[derive(Debug, Clone, Copy)]
enum CountStep {
    OfProduct,
    Reports,
    OfAll,
    AllReports,
}

type Pairs = Vec<(&'static str, String)>;

impl Counting {
    pub(super) fn new(search: &Search, term: String, most: usize) -> Self {
        let named = [
            &search.product,
            &search.query,
            &search.company,
            &search.reaction,
        ];
        let named = named.into_iter().flatten().next();
        Self {
            term,
            product: named.cloned().unwrap_or_else(|| search.ids.join(", ")),
            most,
            step: CountStep::OfProduct,
            of_product: Vec::new(),
            more_terms: false,
            reports: None,
            of_all: None,
            all_reports: None,
            updated: None,
        }
    }

    pub(super) fn pairs(&self) -> Pairs {
        let search = ("search", self.term.clone());
        let count = ("count", COUNT_FIELD.to_owned());
        let terms = ("limit", TERMS_MAX.to_string());
        let one = ("limit", "1".to_owned());
        match self.step {
            CountStep::OfProduct => vec![search, count, terms],
            CountStep::Reports => vec![search, one],
            CountStep::OfAll => vec![count, terms],
            CountStep::AllReports => vec![one],
        }
    }

    /// The next request; nothing after the last. No answer means that nothing matches.
    pub(super) fn received(
        &mut self,
        answer: Option<&Value>,
    ) -> Result<Option<Pairs>, LookupError> {
        let Some(answer) = answer else {
            return Ok(None);
        };
        let updated = answer["meta"]["last_updated"].as_str();
        self.updated = updated.and_then(Date::from_iso).or(self.updated);
        let next = match self.step {
            CountStep::OfProduct => {
                self.of_product = counts(answer)?;
                self.more_terms = self.of_product.len() > self.most;
                CountStep::Reports
            }
            CountStep::Reports => {
                self.reports = Some(total(answer)?);
                CountStep::OfAll
            }
            CountStep::OfAll => {
                self.of_all = Some(counts(answer)?);
                CountStep::AllReports
            }
            CountStep::AllReports => {
                self.all_reports = Some(total(answer)?);
                return Ok(None);
            }
        };
        self.step = next;
        Ok(Some(self.pairs()))
    }

    pub(super) fn reactions(&self) -> usize {
        self.of_product.len()
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.more_terms {
            notes.push(format!(
                "the {} most frequent of {} reactions",
                self.most,
                self.of_product.len()
            ));
        }
        if self.of_product.len() >= TERMS_MAX {
            notes.push(format!("openFDA counts no more than {TERMS_MAX} reactions"));
        }
        if !self.of_product.is_empty() {
            notes.push(
                "spontaneous reports: a count is not a rate, and one report can name several reactions".into(),
            );
        }
        notes
    }

    /// Nothing if no reaction was counted.
    pub(super) fn source(&self) -> Option<Source> {
        if self.of_product.is_empty() {
            return None;
        }
        let title = format!("Reactions reported with {}", self.product);
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        if let Some(reports) = self.reports {
            lines.push(format!("Reports with {}: {reports}", self.product));
        }
        if let Some(all) = self.all_reports {
            lines.push(format!("Total reports: {all}"));
        }
        for (reaction, count) in self.of_product.iter().take(self.most) {
            let of_all = self.of_all.as_ref().and_then(|all| {
                let mut same = all.iter().filter(|(known, _)| known == reaction);
                same.next().map(|(_, count)| *count)
            });
            rows.push(json!({ "reaction": reaction, "reports": count, "all_reports": of_all }));
            lines.push(match of_all {
                Some(of_all) => format!("{reaction}: {count} (all drugs: {of_all})"),
                None => format!("{reaction}: {count}"),
            });
        }
        let url = "https://open.fda.gov/apis/drug/event/".to_owned();
        let mut reference = json!({
            "id": format!("FDA:reactions:{}", self.product),
            "type": "dataset",
            "title": title,
            "author": [{ "literal": "U.S. Food and Drug Administration" }],
            "container-title": "FDA Adverse Event Reporting System",
            "URL": url,
        });
        if let Some(date) = self.updated {
            reference["issued"] = csl_date(date);
        }
        Some(Source {
            id: format!("FDA:reactions:{}", self.product),
            title,
            text: lines.join("\n"),
            published: self.updated.map(Date::iso),
            url,
            reference,
            details: json!({
                "search": self.term,
                "reports": self.reports,
                "all_reports": self.all_reports,
                "reactions": rows,
            }),
        })
    }
}

fn counts(answer: &Value) -> Result<Vec<(String, u64)>, LookupError> {
    let list = answer["results"].as_array();
    let entries = list.map(|list| {
        let pairs = list.iter().filter_map(|entry| {
            let term = entry["term"].as_str()?;
            Some((term.to_owned(), entry["count"].as_u64()?))
        });
        pairs.collect()
    });
    entries.ok_or_else(|| LookupError::Unreadable("openFDA answered with no list of counts".into()))
}

fn total(answer: &Value) -> Result<u64, LookupError> {
    let total = answer["meta"]["results"]["total"].as_u64();
    total.ok_or_else(|| LookupError::Unreadable("openFDA answered without a total".into()))
}
