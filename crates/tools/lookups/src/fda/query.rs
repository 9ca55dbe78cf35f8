//! A search in the syntax of openFDA. What a person wrote only ever stands inside quotes, escaped.

use super::search::{Answer, Area, Dataset, Search, Seriousness};
use crate::LookupError;
use crate::wanted::{self, LIST_MAX};

/// Where a dataset is, and what its fields are called.
pub(super) struct Fields {
    pub(super) path: &'static str,
    product: &'static [&'static str],
    company: &'static [&'static str],
    id: &'static str,
    date: &'static str,
    /// What stands between the parts of a date.
    between: &'static str,
}

pub(super) fn fields(dataset: Dataset, area: Area) -> Fields {
    match dataset {
        Dataset::Applications => Fields {
            path: "/drug/drugsfda.json",
            product: &[
                "products.brand_name",
                "products.active_ingredients.name",
                "openfda.generic_name",
            ],
            company: &["sponsor_name"],
            id: "application_number",
            date: "submissions.submission_status_date",
            between: "",
        },
        Dataset::Labels => Fields {
            path: "/drug/label.json",
            product: &[
                "openfda.brand_name",
                "openfda.generic_name",
                "openfda.substance_name",
            ],
            company: &["openfda.manufacturer_name"],
            id: "set_id",
            date: "effective_time",
            between: "",
        },
        Dataset::Events => Fields {
            path: "/drug/event.json",
            product: &[
                "patient.drug.medicinalproduct",
                "patient.drug.activesubstance.activesubstancename",
                "patient.drug.openfda.generic_name",
                "patient.drug.openfda.brand_name",
            ],
            company: &["patient.drug.openfda.manufacturer_name"],
            id: "safetyreportid",
            date: "receivedate",
            between: "",
        },
        Dataset::Clearances => Fields {
            path: "/device/510k.json",
            product: &["device_name"],
            company: &["applicant"],
            id: "k_number",
            date: "decision_date",
            between: "-",
        },
        Dataset::Recalls => Fields {
            path: match area {
                Area::Drug => "/drug/enforcement.json",
                Area::Device => "/device/enforcement.json",
            },
            product: &[
                "product_description",
                "openfda.brand_name",
                "openfda.generic_name",
            ],
            company: &["recalling_firm"],
            id: "recall_number",
            date: "report_date",
            between: "",
        },
    }
}

/// All that must hold, or what cannot be asked of this dataset.
pub(super) fn term(search: &Search) -> Result<String, LookupError> {
    only_where_it_belongs(search)?;
    let fields = fields(search.database, search.area);
    let mut parts = Vec::new();
    if let Some(words) = given("query", &search.query)? {
        parts.push(quoted(words));
    }
    if let Some(product) = given("product", &search.product)? {
        parts.push(in_any(fields.product, &[product]));
    }
    if let Some(company) = given("company", &search.company)? {
        parts.push(in_any(fields.company, &[company]));
    }
    if let Some(reaction) = given("reaction", &search.reaction)? {
        parts.push(in_any(&["patient.reaction.reactionmeddrapt"], &[reaction]));
    }
    wanted::check_list("ids", &search.ids, LIST_MAX)?;
    if !search.ids.is_empty() {
        let ids: Vec<&str> = search.ids.iter().map(|id| bare(id)).collect();
        parts.push(in_any(&[fields.id], &ids));
    }
    if !search.classes.is_empty() {
        let names: Vec<&str> = search.classes.iter().map(|class| class.name()).collect();
        // Exactly: as words, class I would also be found in class II of the text.
        parts.push(in_any(&["classification.exact"], &names));
    }
    if parts.is_empty() {
        return Err(LookupError::InvalidSearch(
            "say what to search for: query, product, company, reaction, classes or ids".into(),
        ));
    }
    if search.seriousness == Seriousness::Serious {
        parts.push("serious:1".into());
    }
    let (from, to) = wanted::range(
        ("from", search.from.as_deref()),
        ("to", search.to.as_deref()),
    )?;
    if from.is_some() || to.is_some() {
        let from = from.map(|date| date.first_day().join(fields.between));
        let to = to.map(|date| date.last_day().join(fields.between));
        let lowest = ["1900", "01", "01"].join(fields.between);
        let highest = ["2999", "12", "31"].join(fields.between);
        parts.push(format!(
            "{}:[{} TO {}]",
            fields.date,
            from.unwrap_or(lowest),
            to.unwrap_or(highest)
        ));
    }
    Ok(parts.join(" AND "))
}

fn only_where_it_belongs(search: &Search) -> Result<(), LookupError> {
    let events = search.database == Dataset::Events;
    let of_events = search.reaction.is_some()
        || search.seriousness != Seriousness::Any
        || search.answer != Answer::Records;
    if of_events && !events {
        return Err(LookupError::InvalidSearch(
            "reaction, seriousness and answer are only for the database event".into(),
        ));
    }
    let of_recalls = !search.classes.is_empty() || search.area != Area::Drug;
    if of_recalls && search.database != Dataset::Recalls {
        return Err(LookupError::InvalidSearch(
            "classes and area are only for the database enforcement".into(),
        ));
    }
    Ok(())
}

fn given<'a>(field: &str, text: &'a Option<String>) -> Result<Option<&'a str>, LookupError> {
    let text = text
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    if let Some(text) = text {
        wanted::check_text(field, text)?;
    }
    Ok(text)
}

/// Ids as sources have them lead back to their records.
fn bare(id: &str) -> &str {
    let id = id.trim();
    let id = id.strip_prefix("FDA:").unwrap_or(id);
    let kinds = ["label:", "event:"];
    kinds
        .iter()
        .find_map(|kind| id.strip_prefix(kind))
        .unwrap_or(id)
}

fn in_any(fields: &[&str], texts: &[&str]) -> String {
    let mut choices = Vec::new();
    for field in fields {
        for text in texts {
            choices.push(format!("{field}:{}", quoted(text)));
        }
    }
    match choices.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", choices.join(" OR ")),
    }
}

/// As a phrase that nothing in it can end.
pub(super) fn quoted(text: &str) -> String {
    let mut phrase = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                phrase.push('\\');
                phrase.push(character);
            }
            space if space.is_whitespace() => phrase.push(' '),
            other => phrase.push(other),
        }
    }
    phrase.push('"');
    phrase
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
