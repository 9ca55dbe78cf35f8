//! What reading found for a decision or an assessment: conditions with their state, risks with their reasons, what comes first.

use serde::{Deserialize, Serialize};

use crate::documents_read::Stated;

/// What was noticed besides answers, changes, obligations and gaps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Noticed {
    /// What a careful reader would put first.
    pub first: Vec<Stated>,
    /// Those that were set for what the objective speaks of.
    pub conditions: Vec<ConditionRead>,
    /// The planned day that the objective names, and the times in which it lies.
    pub planned: Option<PlannedDay>,
    pub registers: Vec<RegisterRead>,
    /// What does not work or is not there, the gravest first.
    pub shortfalls: Vec<Stated>,
    /// How many of what is owed and of what is missing are sure enough to be told, from the first; all, if nothing is given.
    pub sure_owed: Option<usize>,
    pub sure_missing: Option<usize>,
}

/// A condition, and whether the documents show that it is met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConditionRead {
    pub label: Option<String>,
    pub at: Stated,
    /// Who may do what under this condition.
    pub lead: Option<Stated>,
    /// What happens if it is not met.
    pub otherwise: Option<Stated>,
    pub is_must: bool,
    pub state: ConditionRated,
    pub grounds: Vec<Stated>,
    /// Somebody says that it is met, and their word does not show it.
    pub claimed: Option<Stated>,
    pub days: Option<DaysRead>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConditionRated {
    NotMet,
    NotShown,
    Met,
}

/// What counting days before an event came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaysRead {
    pub needed: i64,
    pub there: i64,
    pub from: String,
    pub to: String,
    pub event: Option<Stated>,
    pub is_enough: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedDay {
    pub day: String,
    pub within: Vec<Stated>,
}

/// A register of risks, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegisterRead {
    pub title: String,
    pub date: Option<String>,
    pub columns: Vec<String>,
    pub rows: Vec<RiskRead>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RiskRead {
    pub code: Option<String>,
    pub name: String,
    /// As the documents give it.
    pub score: Option<f64>,
    /// Where the score is given, if that is not the row.
    pub scored_in: Option<Stated>,
    /// In the order of the register's columns.
    pub cells: Vec<String>,
    pub at: Stated,
    pub notes: Vec<Stated>,
    pub because: Vec<Stated>,
}

impl ConditionRated {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NotMet => "not met",
            Self::NotShown => "not shown",
            Self::Met => "met",
        }
    }
}

impl RiskRead {
    /// `R-04 Fire in the store`.
    pub(crate) fn named(&self) -> String {
        match &self.code {
            Some(code) => format!("{code} {}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Noticed {
    /// All statements in it.
    pub(crate) fn all(&self) -> Vec<&Stated> {
        let mut all: Vec<&Stated> = self.first.iter().chain(&self.shortfalls).collect();
        for one in &self.conditions {
            all.push(&one.at);
            all.extend(
                one.lead
                    .iter()
                    .chain(&one.otherwise)
                    .chain(&one.grounds)
                    .chain(&one.claimed),
            );
            all.extend(one.days.as_ref().and_then(|days| days.event.as_ref()));
        }
        all.extend(self.planned.iter().flat_map(|planned| &planned.within));
        for row in self.registers.iter().flat_map(|register| &register.rows) {
            all.push(&row.at);
            all.extend(row.scored_in.iter().chain(&row.notes).chain(&row.because));
        }
        all
    }
}
