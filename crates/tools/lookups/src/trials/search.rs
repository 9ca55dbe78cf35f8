//! What may be searched for.

use serde::Deserialize;
use serde_json::Value;

use crate::LookupError;
use crate::wanted::{self, MOST_MAX};

/// Words by where they stand, or numbers of studies; all that is given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    #[serde(default)]
    pub query: Option<String>,
    #[serde(default)]
    pub condition: Option<String>,
    #[serde(default)]
    pub intervention: Option<String>,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub sponsor: Option<String>,
    #[serde(default)]
    pub ids: Vec<String>,
    #[serde(default)]
    pub statuses: Vec<Status>,
    #[serde(default)]
    pub phases: Vec<Phase>,
    #[serde(default)]
    pub results: Results,
    #[serde(default)]
    pub started_from: Option<String>,
    #[serde(default)]
    pub started_to: Option<String>,
    #[serde(default)]
    pub sort: Sort,
    #[serde(default = "wanted::most")]
    pub most: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            query: None,
            condition: None,
            intervention: None,
            title: None,
            sponsor: None,
            ids: Vec::new(),
            statuses: Vec::new(),
            phases: Vec::new(),
            results: Results::Any,
            started_from: None,
            started_to: None,
            sort: Sort::Relevance,
            most: wanted::MOST,
        }
    }
}

macro_rules! registry_words {
    ($(#[doc = $about:literal])+ $name:ident { $($variant:ident = $word:literal = $theirs:literal),+ $(,)? }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
        pub enum $name {
            $( #[serde(rename = $word)] $variant, )+
        }

        impl $name {
            const WORDS: &[&str] = &[$($word),+];

            /// As the registry calls it.
            fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $theirs, )+
                }
            }
        }
    };
}

registry_words! {
    /// How far a study is.
    Status {
        ActiveNotRecruiting = "active_not_recruiting" = "ACTIVE_NOT_RECRUITING",
        Completed = "completed" = "COMPLETED",
        EnrollingByInvitation = "enrolling_by_invitation" = "ENROLLING_BY_INVITATION",
        NotYetRecruiting = "not_yet_recruiting" = "NOT_YET_RECRUITING",
        Recruiting = "recruiting" = "RECRUITING",
        Suspended = "suspended" = "SUSPENDED",
        Terminated = "terminated" = "TERMINATED",
        Unknown = "unknown" = "UNKNOWN",
        Withdrawn = "withdrawn" = "WITHDRAWN",
    }
}

registry_words! {
    /// The phase of a drug's development.
    Phase {
        EarlyPhase1 = "early_phase_1" = "EARLY_PHASE1",
        Phase1 = "phase_1" = "PHASE1",
        Phase2 = "phase_2" = "PHASE2",
        Phase3 = "phase_3" = "PHASE3",
        Phase4 = "phase_4" = "PHASE4",
        NotApplicable = "not_applicable" = "NA",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Results {
    #[default]
    Any,
    Posted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    #[default]
    Relevance,
    LastUpdate,
    Start,
    Enrolment,
}

impl Sort {
    fn parameter(self) -> &'static str {
        match self {
            Self::Relevance => "@relevance",
            Self::LastUpdate => "LastUpdatePostDate:desc",
            Self::Start => "StartDate:desc",
            Self::Enrolment => "EnrollmentCount:desc",
        }
    }
}

/// A search that can be sent.
#[derive(Debug)]
pub(super) struct Checked {
    /// All pairs but those of a page.
    pub(super) pairs: Vec<(&'static str, String)>,
    pub(super) ids: Vec<String>,
    pub(super) most: usize,
}

impl Search {
    pub(super) fn check(&self) -> Result<Checked, LookupError> {
        let most = wanted::check_most(self.most)?;
        let mut pairs = Vec::new();
        let words = [
            ("query", "query.term", &self.query),
            ("condition", "query.cond", &self.condition),
            ("intervention", "query.intr", &self.intervention),
            ("title", "query.titles", &self.title),
            ("sponsor", "query.spons", &self.sponsor),
        ];
        for (field, parameter, text) in words {
            if let Some(text) = text
                .as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
            {
                wanted::check_text(field, text)?;
                pairs.push((parameter, text.to_owned()));
            }
        }
        wanted::check_list("ids", &self.ids, MOST_MAX as usize)?;
        let ids = self.ids.iter().map(|id| number(id));
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        if pairs.is_empty() && ids.is_empty() {
            return Err(LookupError::InvalidSearch(
                "say what to search for: query, condition, intervention, title, sponsor or ids"
                    .into(),
            ));
        }
        if !ids.is_empty() {
            pairs.push(("filter.ids", ids.join(",")));
        }
        if !self.statuses.is_empty() {
            let names = self.statuses.iter().map(|status| status.name());
            pairs.push(("filter.overallStatus", names.collect::<Vec<_>>().join(",")));
        }
        let advanced = self.advanced()?;
        if !advanced.is_empty() {
            pairs.push(("filter.advanced", advanced));
        }
        if self.results == Results::Posted {
            pairs.push(("aggFilters", "results:with".into()));
        }
        pairs.push(("sort", self.sort.parameter().into()));
        Ok(Checked { pairs, ids, most })
    }

    /// There is no filter of its own for phases and dates.
    fn advanced(&self) -> Result<String, LookupError> {
        let mut parts = Vec::new();
        if !self.phases.is_empty() {
            let names = self.phases.iter().map(|phase| phase.name());
            let names = names.collect::<Vec<_>>().join(" OR ");
            parts.push(format!("AREA[Phase]({names})"));
        }
        let (from, to) = wanted::range(
            ("started_from", self.started_from.as_deref()),
            ("started_to", self.started_to.as_deref()),
        )?;
        if from.is_some() || to.is_some() {
            let from = from.map_or("MIN".to_owned(), |date| date.first_day().iso());
            let to = to.map_or("MAX".to_owned(), |date| date.last_day().iso());
            parts.push(format!("AREA[StartDate]RANGE[{from},{to}]"));
        }
        Ok(parts.join(" AND "))
    }
}

/// `NCT` and eight digits, with or without `NCT:` before it.
fn number(id: &str) -> Result<String, LookupError> {
    let given = id.trim().to_uppercase();
    let given = given.strip_prefix("NCT:").unwrap_or(&given);
    let digits = given.strip_prefix("NCT").unwrap_or_default();
    if digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(given.to_owned())
    } else {
        Err(LookupError::InvalidSearch(format!(
            "ids has `{id}`; the number of a study is NCT and eight digits"
        )))
    }
}

/// The JSON Schema of a search.
pub fn schema() -> Value {
    let schema = wanted::object_schema(
        "A search of ClinicalTrials.gov. All given conditions must match; at least one of query, condition, \
         intervention, title, sponsor and ids is needed.",
        vec![
            (
                "query",
                wanted::text_schema(
                    "words anywhere in a record, with AND, OR, NOT, quotes and brackets",
                ),
            ),
            ("condition", wanted::text_schema("the disease")),
            (
                "intervention",
                wanted::text_schema("the drug, device or procedure"),
            ),
            (
                "title",
                wanted::text_schema("words of the titles or the acronym"),
            ),
            (
                "sponsor",
                wanted::text_schema("the sponsor or a collaborator"),
            ),
            (
                "ids",
                wanted::list_schema("numbers of studies, such as NCT04280705", MOST_MAX as usize),
            ),
            (
                "statuses",
                wanted::choices_schema(Status::WORDS, "any of these"),
            ),
            (
                "phases",
                wanted::choices_schema(Phase::WORDS, "any of these"),
            ),
            (
                "results",
                wanted::choice_schema(
                    &["any", "posted"],
                    "only studies with posted results, or all",
                ),
            ),
            (
                "started_from",
                wanted::date_schema("the first year, month or day of the start"),
            ),
            (
                "started_to",
                wanted::date_schema("the last year, month or day of the start"),
            ),
            (
                "sort",
                wanted::choice_schema(
                    &["relevance", "last_update", "start", "enrolment"],
                    "the sort order",
                ),
            ),
        ],
    );
    let fields = [
        "query",
        "condition",
        "intervention",
        "title",
        "sponsor",
        "ids",
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
            "query": "gout", "condition": "gout", "intervention": "colchicine", "title": "x", "sponsor": "Acme",
            "ids": ["NCT04280705"], "started_from": "2020", "most": 5,
        });
        wanted::check_agrees(&schema(), &samples, |search: Search| search.check().is_ok());
    }
}
