//! What a check found.

use serde::{Deserialize, Serialize};

/// The four areas of the constitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    MedicalSafety,
    InformationIntegrity,
    BiasMitigation,
    HarmfulContent,
}

impl Area {
    pub const ALL: [Self; 4] = [
        Self::MedicalSafety,
        Self::InformationIntegrity,
        Self::BiasMitigation,
        Self::HarmfulContent,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MedicalSafety => "medical_safety",
            Self::InformationIntegrity => "information_integrity",
            Self::BiasMitigation => "bias_mitigation",
            Self::HarmfulContent => "harmful_content",
        }
    }

    /// As people say it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::MedicalSafety => "Medical safety",
            Self::InformationIntegrity => "Information integrity",
            Self::BiasMitigation => "Bias",
            Self::HarmfulContent => "Harmful content",
        }
    }

    /// What is done when something is found.
    #[must_use]
    pub fn action(self) -> Action {
        match self {
            Self::MedicalSafety => Action::AddWarning,
            Self::InformationIntegrity => Action::AddCitations,
            Self::BiasMitigation => Action::Revise,
            Self::HarmfulContent => Action::Block,
        }
    }

    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::MedicalSafety => Severity::High,
            Self::InformationIntegrity | Self::BiasMitigation => Severity::Medium,
            Self::HarmfulContent => Severity::Critical,
        }
    }
}

/// What follows from a finding. Everything that is found is flagged for review as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The report gets a safety warning.
    AddWarning,
    /// The statement needs a source, or is to be marked as uncertain.
    AddCitations,
    /// To be revised for balance.
    Revise,
    /// The report does not leave.
    Block,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Medium,
    High,
    Critical,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The same for the same sentence and rule, wherever the sentence stands.
    pub id: String,
    pub area: Area,
    /// The rule, such as `harmful.conceal`.
    pub rule: String,
    pub severity: Severity,
    pub action: Action,
    /// Whether a person may overrule it with a reason.
    pub may_be_overruled: bool,
    /// Where in the output it stands: the heading, or what its part is called.
    pub place: String,
    /// The sentence.
    pub excerpt: String,
    /// Bytes of the part's text that the sentence takes.
    pub from: usize,
    pub to: usize,
    pub reason: String,
    #[serde(default, skip_serializing_if = "CheckedBy::is_rules")]
    pub by: CheckedBy,
}

/// Who found something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedBy {
    #[default]
    Rules,
    Model,
}

impl CheckedBy {
    fn is_rules(&self) -> bool {
        *self == Self::Rules
    }
}
