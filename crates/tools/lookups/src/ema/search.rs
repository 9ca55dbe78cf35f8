//! What may be searched for.

use serde::Deserialize;
use serde_json::Value;

use crate::LookupError;
use crate::dates::Date;
use crate::wanted::{self, LIST_MAX};

/// One of the agency's tables, and what must hold for a row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    #[serde(default)]
    pub report: Report,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub substance: Option<String>,
    /// The beginning of an ATC code.
    #[serde(default)]
    pub atc: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub company: Option<String>,
    /// Words of the indication, the therapeutic area or the intended use.
    #[serde(default)]
    pub area: Option<String>,
    #[serde(default)]
    pub category: Category,
    /// All of them.
    #[serde(default)]
    pub marks: Vec<Mark>,
    #[serde(default)]
    pub ids: Vec<String>,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default)]
    pub to: Option<String>,
    #[serde(default = "wanted::most")]
    pub most: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    #[default]
    Medicines,
    Referrals,
    Communications,
    OrphanDesignations,
    Shortages,
    PaediatricPlans,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    #[default]
    Any,
    Human,
    Veterinary,
}

/// The way a medicine was authorised, or what kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    AcceleratedAssessment,
    AdditionalMonitoring,
    AdvancedTherapy,
    Biosimilar,
    ConditionalApproval,
    ExceptionalCircumstances,
    Generic,
    Orphan,
    Prime,
}

impl Mark {
    pub(super) const ALL: [(Self, &str); 9] = [
        (Self::AcceleratedAssessment, "accelerated_assessment"),
        (Self::AdditionalMonitoring, "additional_monitoring"),
        (Self::AdvancedTherapy, "advanced_therapy"),
        (Self::Biosimilar, "biosimilar"),
        (Self::ConditionalApproval, "conditional_approval"),
        (Self::ExceptionalCircumstances, "exceptional_circumstances"),
        (Self::Generic, "generic"),
        (Self::Orphan, "orphan"),
        (Self::Prime, "prime"),
    ];

    /// Its columns.
    pub(super) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::AcceleratedAssessment => &["accelerated_assessment"],
            Self::AdditionalMonitoring => &["additional_monitoring"],
            Self::AdvancedTherapy => &["advanced_therapy"],
            Self::Biosimilar => &["biosimilar"],
            Self::ConditionalApproval => &["conditional_approval"],
            Self::ExceptionalCircumstances => &["exceptional_circumstances"],
            Self::Generic => &["generic", "generic_or_hybrid"],
            Self::Orphan => &["orphan_medicine"],
            Self::Prime => &["prime_priority_medicine"],
        }
    }
}

/// A search that can be done, in lower case.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) name: Option<String>,
    pub(super) substance: Option<String>,
    pub(super) atc: Option<String>,
    pub(super) status: Option<String>,
    pub(super) company: Option<String>,
    pub(super) area: Option<String>,
    pub(super) ids: Vec<String>,
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) most: usize,
}

impl Search {
    pub(super) fn check(&self) -> Result<Checked, LookupError> {
        let most = wanted::check_most(self.most)?;
        wanted::check_list("ids", &self.ids, LIST_MAX)?;
        let (from, to) = wanted::range(("from", self.from.as_deref()), ("to", self.to.as_deref()))?;
        let checked = Checked {
            name: lower("name", &self.name)?,
            substance: lower("substance", &self.substance)?,
            atc: lower("atc", &self.atc)?,
            status: lower("status", &self.status)?,
            company: lower("company", &self.company)?,
            area: lower("area", &self.area)?,
            ids: self.ids.iter().map(|id| bare(id)).collect(),
            from,
            to,
            most,
        };
        if self.report != Report::Medicines && !self.marks.is_empty() {
            return Err(LookupError::InvalidSearch(
                "marks are only for the report medicines".into(),
            ));
        }
        let texts = [
            &checked.name,
            &checked.substance,
            &checked.atc,
            &checked.status,
            &checked.company,
            &checked.area,
        ];
        let empty = texts.iter().all(|text| text.is_none())
            && checked.ids.is_empty()
            && self.marks.is_empty()
            && from.is_none()
            && to.is_none();
        if empty {
            return Err(LookupError::InvalidSearch(
                "say what to search for: name, substance, atc, status, company, area, marks, ids, from or to".into(),
            ));
        }
        Ok(checked)
    }
}

fn lower(field: &str, text: &Option<String>) -> Result<Option<String>, LookupError> {
    let text = text
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(None) };
    wanted::check_text(field, text)?;
    Ok(Some(text.to_lowercase()))
}

/// Ids as sources have them lead back to their rows.
fn bare(id: &str) -> String {
    let id = id.trim();
    id.strip_prefix("EMA:").unwrap_or(id).to_lowercase()
}

/// The JSON Schema of a search.
pub fn schema() -> Value {
    let marks = Mark::ALL.map(|(_, word)| word);
    let schema = wanted::object_schema(
        "A search of the tables of the European Medicines Agency. All given conditions must match. Medicines \
         authorised by single states are not included.",
        vec![
            (
                "report",
                wanted::choice_schema(
                    &[
                        "medicines",
                        "referrals",
                        "communications",
                        "orphan_designations",
                        "shortages",
                        "paediatric_plans",
                    ],
                    "which table; medicines by default",
                ),
            ),
            (
                "name",
                wanted::text_schema("words of the name of the medicine"),
            ),
            (
                "substance",
                wanted::text_schema("words of the active substance"),
            ),
            (
                "atc",
                wanted::text_schema("the beginning of an ATC code, such as C03"),
            ),
            (
                "status",
                wanted::text_schema("such as Authorised, Withdrawn, Refused, Ongoing"),
            ),
            (
                "company",
                wanted::text_schema("the holder of the authorisation"),
            ),
            (
                "area",
                wanted::text_schema("words of the indication or the therapeutic area"),
            ),
            (
                "category",
                wanted::choice_schema(&["any", "human", "veterinary"], "for whom it is"),
            ),
            (
                "marks",
                wanted::choices_schema(&marks, "all of these; only for medicines"),
            ),
            (
                "ids",
                wanted::list_schema(
                    "product numbers such as EMEA/H/C/004174, or numbers of the other tables",
                    LIST_MAX,
                ),
            ),
            ("from", wanted::date_schema("the first year, month or day")),
            ("to", wanted::date_schema("the last year, month or day")),
        ],
    );
    let fields = [
        "name",
        "substance",
        "atc",
        "status",
        "company",
        "area",
        "marks",
        "ids",
        "from",
        "to",
    ];
    wanted::needs_one_of(schema, &fields)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_schema_demands_what_the_search_does() {
        let samples = json!({
            "name": "x", "substance": "x", "atc": "C03", "status": "Authorised", "company": "Acme", "area": "gout",
            "marks": [Mark::ALL[0].1], "ids": ["EMEA/H/C/004174"], "from": "2020", "to": "2021", "category": "human", "most": 5,
        });
        wanted::check_agrees(&schema(), &samples, |search: Search| search.check().is_ok());
    }
}
