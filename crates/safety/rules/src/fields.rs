//! What a tenant's rules may know: of missions, calls, results and reports. The documentation has the same table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a rule decides about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Before a mission starts.
    Mission,
    /// Before a tool is called or a model is asked.
    Call,
    /// Before the mission sees what a tool or a model gave.
    Result,
    /// Before a report exists.
    Report,
}

impl Subject {
    pub const ALL: [Self; 4] = [Self::Mission, Self::Call, Self::Result, Self::Report];

    pub fn name(self) -> &'static str {
        match self {
            Self::Mission => "mission",
            Self::Call => "call",
            Self::Result => "result",
            Self::Report => "report",
        }
    }

    /// The fields of the value that has this subject's name.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::Mission => MISSION,
            Self::Call => CALL,
            Self::Result => RESULT,
            Self::Report => REPORT,
        }
    }

    /// The values that rules on this subject may name: its own, and the mission's.
    pub fn variables(self) -> &'static [Self] {
        match self {
            Self::Mission => &[Self::Mission],
            Self::Call => &[Self::Mission, Self::Call],
            Self::Result => &[Self::Mission, Self::Result],
            Self::Report => &[Self::Mission, Self::Report],
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Text,
    /// Whole.
    Count,
    /// With decimals.
    Amount,
    Truth,
    Texts,
    /// Whatever was given: nothing is known of it beforehand.
    Anything,
}

impl FieldType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Count => "whole number",
            Self::Amount => "number",
            Self::Truth => "true or false",
            Self::Texts => "list of texts",
            Self::Anything => "anything",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub of_type: FieldType,
    pub meaning: &'static str,
}

const fn field(name: &'static str, of_type: FieldType, meaning: &'static str) -> Field {
    Field {
        name,
        of_type,
        meaning,
    }
}

const MISSION: &[Field] = &[
    field(
        "type",
        FieldType::Text,
        "The mission's type in the catalogue, such as `deep_dive`; `question` for a single question to a model; empty for a plan file. For missions from before types were recorded, taken from the title.",
    ),
    field("title", FieldType::Text, "The title."),
    field("objective", FieldType::Text, "The objective."),
    field(
        "autonomy",
        FieldType::Text,
        "`strict`, `balanced` or `permissive`.",
    ),
    field(
        "budget",
        FieldType::Amount,
        "The hard cap in dollars. Absent if there is none: test it with `has(mission.budget)`.",
    ),
    field(
        "four_eyes",
        FieldType::Texts,
        "Checkpoint types that someone other than the starter must approve.",
    ),
    field(
        "waived",
        FieldType::Texts,
        "Checkpoint types that were approved in advance, so that nobody is asked.",
    ),
    field(
        "inputs",
        FieldType::Anything,
        "The inputs, by name, as they were given.",
    ),
    field(
        "knowledge_bases",
        FieldType::Texts,
        "The knowledge bases that the inputs or the plan name.",
    ),
    field(
        "tools",
        FieldType::Texts,
        "The tools that the plan may call.",
    ),
    field("tasks", FieldType::Count, "The number of tasks."),
    field(
        "started_by",
        FieldType::Text,
        "Who started it, or the mission above it.",
    ),
    field(
        "sub_mission",
        FieldType::Truth,
        "Whether it is part of another mission.",
    ),
];

const CALL: &[Field] = &[
    field(
        "kind",
        FieldType::Text,
        "`tool`, or `model` for a question to a language model or to the built-in rules.",
    ),
    field(
        "tool",
        FieldType::Text,
        "The tool; for a question, its purpose, such as `summarise`.",
    ),
    field(
        "arguments",
        FieldType::Anything,
        "The arguments, references resolved.",
    ),
    field(
        "class",
        FieldType::Text,
        "`pure`, `idempotent`, `once` or `paid`.",
    ),
    field(
        "cost",
        FieldType::Amount,
        "The most that the call costs, in dollars.",
    ),
    field(
        "provenance",
        FieldType::Text,
        "`own` if the result is made of the arguments alone, `outside` or `any_host`; of a question `outside`.",
    ),
    field("task", FieldType::Text, "The task that calls."),
    field(
        "chosen_by_model",
        FieldType::Truth,
        "Whether an agent chose the call while it worked, instead of the plan.",
    ),
    field(
        "outside_model",
        FieldType::Truth,
        "Whether it is a question to a model outside the sensitive zone.",
    ),
    field(
        "pseudonyms",
        FieldType::Truth,
        "Whether personal data is replaced by pseudonyms before it leaves.",
    ),
    field(
        "personal_data",
        FieldType::Count,
        "The number of passages in the arguments in which personal data is recognised.",
    ),
];

const RESULT: &[Field] = &[
    field("kind", FieldType::Text, "As in `call`."),
    field("tool", FieldType::Text, "As in `call`."),
    field("task", FieldType::Text, "The task that called."),
    field(
        "text",
        FieldType::Text,
        "All texts of the result, one per line.",
    ),
    field(
        "size",
        FieldType::Count,
        "The length of the result in bytes.",
    ),
    field("fields", FieldType::Anything, "The result itself."),
    field("cost", FieldType::Amount, "What it cost, in dollars."),
    field(
        "personal_data",
        FieldType::Count,
        "The number of passages in the result in which personal data is recognised.",
    ),
];

const REPORT: &[Field] = &[
    field(
        "kind",
        FieldType::Text,
        "What the report calls itself, such as `Deep Dive`.",
    ),
    field("title", FieldType::Text, "The title."),
    field(
        "sections",
        FieldType::Texts,
        "The headings of the sections.",
    ),
    field("sources", FieldType::Count, "The number of cited sources."),
    field(
        "unsupported",
        FieldType::Count,
        "The number of paragraphs and list items that cite nothing and are not marked as interpretation or calculation.",
    ),
    field(
        "offline",
        FieldType::Truth,
        "Whether no language model had a part in it.",
    ),
    field(
        "text",
        FieldType::Text,
        "All texts of the report, one per line.",
    ),
    field(
        "personal_data",
        FieldType::Count,
        "The number of passages in the report in which personal data is recognised.",
    ),
];
