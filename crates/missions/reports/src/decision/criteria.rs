//! By what is decided: given criteria, else those that a source states in a table, else the usual ones of the field.

use adjutant_questions::{Evidence, Source};

use super::{AskedCriterion, CriteriaFrom, Decide};
use crate::cited_text::{CitedText, Contradiction};
use crate::tables::{Table, tables};
use crate::text::{number, plain, same, written};

pub(super) const CRITERIA_MAX: usize = 20;
/// Nobody weighted the usual criteria, so all weigh the same.
const USUAL_WEIGHT: f64 = 20.0;

/// A criterion and where it is stated.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) criterion: AskedCriterion,
    pub(super) evidence: Vec<Evidence>,
    /// What is looked for in the sources, if it is more than name and threshold.
    pub(super) words: String,
}

/// What is looked at in any field, and words by which evidence on it is known.
const USUAL: &[(&str, &str)] = &[
    (
        "Effect",
        "effect result difference superior significant response benefit",
    ),
    (
        "Safety",
        "safety adverse serious risk death harm injury hazard",
    ),
    (
        "Rules",
        "agency approval authority guideline advice permission rules",
    ),
    ("Financial", "cost budget cash funding price sales funded"),
    (
        "Feasibility",
        "supply capacity schedule staff equipment resources",
    ),
];

pub(super) fn criteria(request: &Decide) -> (Vec<Asked>, CriteriaFrom) {
    let given: Vec<Asked> = request
        .criteria
        .iter()
        .filter(|at| !at.name.trim().is_empty())
        .take(CRITERIA_MAX)
        .map(|at| Asked {
            criterion: AskedCriterion {
                weight: sound(at.weight),
                ..at.clone()
            },
            evidence: Vec::new(),
            words: String::new(),
        })
        .collect();
    if !given.is_empty() {
        return (given, CriteriaFrom::Given);
    }
    if let Some((_, stated)) = stated(&request.sources).pop() {
        return (stated, CriteriaFrom::Source);
    }
    let of_the_field = request.usual.iter().take(CRITERIA_MAX);
    let of_the_field = of_the_field.map(|at| usual(&at.name, &at.words));
    let mut assumed: Vec<Asked> = of_the_field.collect();
    if assumed.is_empty() {
        assumed = USUAL
            .iter()
            .map(|(name, words)| usual(name, words))
            .collect();
    }
    (assumed, CriteriaFrom::Assumed)
}

fn usual(name: &str, words: &str) -> Asked {
    Asked {
        criterion: AskedCriterion {
            name: name.to_owned(),
            weight: USUAL_WEIGHT,
            threshold: String::new(),
            must: false,
        },
        evidence: Vec::new(),
        words: words.to_owned(),
    }
}

fn sound(weight: f64) -> f64 {
    if weight.is_finite() {
        weight.clamp(0.0, 1e6)
    } else {
        0.0
    }
}

/// Criteria by the source that states them, the newest last.
fn stated(sources: &[Source]) -> Vec<(&Source, Vec<Asked>)> {
    let mut found: Vec<(&Source, Vec<Asked>)> = Vec::new();
    for source in sources {
        for table in tables(&source.text) {
            let stated = of_table(source, &table);
            if stated.len() > 1 {
                found.push((source, stated));
            }
        }
    }
    found.sort_by(|a, b| a.0.published.cmp(&b.0.published));
    found
}

fn of_table(source: &Source, table: &Table) -> Vec<Asked> {
    let name = table.column(|at| at.starts_with("criteri"));
    let weight = table.column(|at| at.starts_with("weight"));
    let (Some(name), Some(weight)) = (name, weight) else {
        return Vec::new();
    };
    let threshold = table.column(|at| {
        ["threshold", "target", "required", "limit"]
            .iter()
            .any(|word| at.contains(word))
    });
    let must = table.column(|at| at == "must" || at.contains("mandatory"));
    let rows = table.rows.iter().take(CRITERIA_MAX).filter_map(|row| {
        let weight = row.cell(Some(weight))?.trim_end_matches(['%', ' ']);
        Some(Asked {
            criterion: AskedCriterion {
                name: row.cell(Some(name))?.replace('*', ""),
                weight: sound(number(weight)?),
                threshold: row.cell(threshold).unwrap_or_default().to_owned(),
                must: row
                    .cell(must)
                    .is_some_and(|at| ["yes", "x", "must"].contains(&at.to_lowercase().as_str())),
            },
            evidence: vec![Evidence {
                source: source.id.clone(),
                quote: row.line.clone(),
            }],
            words: String::new(),
        })
    });
    rows.collect()
}

/// Criteria that two sources state with other weights or thresholds: the newer one was gone by.
pub(super) fn contradictions(request: &Decide) -> Vec<Contradiction> {
    if !request.criteria.is_empty() {
        return Vec::new();
    }
    let mut all = stated(&request.sources);
    let Some((_, newest)) = all.pop() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for one in &newest {
        let name = one.criterion.name.to_lowercase();
        let older = all.iter().flat_map(|(_, stated)| stated);
        let differs = |other: &&Asked| {
            other.criterion.name.to_lowercase() == name
                && (!same(other.criterion.weight, one.criterion.weight)
                    || plain(&other.criterion.threshold) != plain(&one.criterion.threshold))
        };
        let mut sides: Vec<CitedText> = older.filter(differs).map(cited).collect();
        if !sides.is_empty() {
            sides.push(cited(one));
            found.push(Contradiction {
                about: format!("the criterion {}", one.criterion.name),
                sides,
                held: "The criterion of the newest source was used".to_owned(),
            });
        }
    }
    found
}

fn cited(asked: &Asked) -> CitedText {
    let criterion = &asked.criterion;
    CitedText {
        text: format!(
            "Weight {}: {}",
            written(criterion.weight, 1),
            criterion.threshold
        ),
        evidence: asked.evidence.clone(),
    }
}
