//! Counting in tables of measurements: how many subjects had a value above a limit, in the group that had most.

use std::collections::BTreeMap;

use adjutant_questions::{Evidence, Source};

use crate::tables::{Table, tables};
use crate::text::{content, number};

/// Rows cited for one count.
const ROWS_CITED_MAX: usize = 6;

#[derive(Debug, Clone)]
pub(super) struct Count<'a> {
    pub(super) subjects: usize,
    /// The first row of each subject that passed the limit.
    pub(super) evidence: Vec<Evidence>,
    pub(super) published: Option<&'a str>,
}

/// Counts in every table that has subjects in rows and a column on what is asked.
pub(super) fn counted_in_tables<'a>(
    sources: &'a [Source],
    words: &std::collections::BTreeSet<String>,
    above: f64,
) -> Vec<Count<'a>> {
    let mut found = Vec::new();
    for source in sources {
        for table in tables(&source.text) {
            found.extend(count(source, &table, words, above));
        }
    }
    found
}

fn count<'a>(
    source: &'a Source,
    table: &Table,
    words: &std::collections::BTreeSet<String>,
    above: f64,
) -> Option<Count<'a>> {
    let subject =
        table.column(|at| ["subject", "patient", "subject_id", "patient_id"].contains(&at))?;
    let group = table.column(|at| ["arm", "group", "dose", "treatment"].contains(&at));
    let value = table.column(|at| {
        let heading = content(at);
        !heading.is_empty()
            && heading.intersection(words).count() > 0
            && at != "subject"
            && at != "patient"
    })?;
    let mut groups: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for row in &table.rows {
        let passes = row
            .cell(Some(value))
            .and_then(number)
            .is_some_and(|at| at > above);
        if let (Some(subject), true) = (row.cell(Some(subject)), passes) {
            let group = row.cell(group).unwrap_or_default();
            groups
                .entry(group)
                .or_default()
                .entry(subject)
                .or_insert(&row.line);
        }
    }
    let most = groups.values().max_by_key(|subjects| subjects.len())?;
    let rows = most.values().take(ROWS_CITED_MAX);
    Some(Count {
        subjects: most.len(),
        evidence: rows
            .map(|line| Evidence {
                source: source.id.clone(),
                quote: (*line).to_owned(),
            })
            .collect(),
        published: source.published.as_deref(),
    })
}
