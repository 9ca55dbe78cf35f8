//! A method as a tool sees it: a name, what it takes, and a pure function from its input to an exhibit.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::exhibit::Exhibit;

/// A method that missions may call as a tool.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// The tool's id, such as `coverage_map`.
    pub id: &'static str,
    pub name: &'static str,
    /// One or two sentences for people and models.
    pub about: &'static str,
    /// JSON Schema of each input, by name.
    pub inputs: fn() -> Value,
    pub required: &'static [&'static str],
    pub apply: fn(Value) -> Result<Exhibit, InputRefused>,
}

/// Why a method cannot work with what it was given: one sentence that says what is wrong and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputRefused(pub String);

impl std::fmt::Display for InputRefused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InputRefused {}

/// Reads the input of a method; what does not fit is refused with the reason.
pub(crate) fn read_input<T: DeserializeOwned>(input: Value) -> Result<T, InputRefused> {
    serde_json::from_value(input).map_err(|error| InputRefused(format!("invalid input: {error}")))
}

/// A person's answer at a checkpoint. A checkpoint that was not part of the plan has none.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Answer {
    #[serde(default)]
    pub(crate) option: Option<String>,
    #[serde(default)]
    note: Option<String>,
}

impl Answer {
    pub(crate) fn note(&self) -> &str {
        self.note.as_deref().unwrap_or_default()
    }

    pub(crate) fn chose(&self, option: &str) -> bool {
        self.option.as_deref() == Some(option)
    }
}

/// All methods, in the order of their ids.
pub const METHODS: &[Method] = &[
    crate::argument_map::ARGUMENT_MAP,
    crate::causal_tree::CAUSAL_TREE,
    crate::claim_check::CLAIM_CHECK,
    crate::claim_review::CLAIM_REVIEW,
    crate::competitor_moves::COMPETITOR_MOVES,
    crate::coverage_map::COVERAGE_MAP,
    crate::curriculum::CURRICULUM,
    crate::decision_frame::DECISION_FRAME,
    crate::graded_test::GRADED_TEST,
    crate::need_matrix::NEED_MATRIX,
    crate::next_due_date::NEXT_DUE_DATE,
    crate::next_moves::NEXT_MOVES,
    crate::option_space::OPTION_SPACE,
    crate::options::OPTIONS,
    crate::path::PATH,
    crate::pattern_search::PATTERN_SEARCH,
    crate::question_sheet::QUESTION_SHEET,
    crate::reference_list::REFERENCE_LIST,
    crate::report_signals::REPORT_SIGNALS,
    crate::requirement_check::REQUIREMENT_CHECK,
    crate::stable_ranking::STABLE_RANKING,
    crate::stated_shares::STATED_SHARES,
    crate::substitutes::SUBSTITUTES,
    crate::trade_off::TRADE_OFF,
    crate::watched_conditions::WATCHED_CONDITIONS,
    crate::weak_signals::WEAK_SIGNALS,
];

pub fn method(id: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.id == id)
}
