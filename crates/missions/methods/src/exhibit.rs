//! What a method shows: statements, figures, tables and charts, each with the evidence it rests on. A report prints it.

use adjutant_charts::Chart;
use adjutant_questions::{Evidence, FindingKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The result of a method. A report cites the evidence and drops quotes that are not in their sources.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Exhibit {
    /// The result in sentences, the most important first. The first page shows the first ones.
    pub headlines: Vec<Statement>,
    pub figures: Vec<ExhibitFigure>,
    pub tables: Vec<ExhibitTable>,
    pub charts: Vec<ExhibitChart>,
    /// How the result was reached, and what it does not show.
    pub notes: Vec<ExhibitNote>,
    /// The same result for the steps that follow: rules and later tasks read it, the report does not.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    pub text: String,
    pub kind: FindingKind,
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// A large figure on the first page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitFigure {
    pub value: String,
    pub label: String,
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitTable {
    pub caption: String,
    pub columns: Vec<ExhibitColumn>,
    pub rows: Vec<Vec<ExhibitCell>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitColumn {
    pub heading: String,
    /// Against the other columns of the table.
    pub width: u16,
    #[serde(default)]
    pub align: ColumnAlign,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnAlign {
    #[default]
    Text,
    Numbers,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitCell {
    pub text: String,
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Labels need no evidence; a cell that states something without any is marked as interpretation.
    #[serde(default)]
    pub role: CellRole,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellRole {
    #[default]
    Label,
    Statement,
    Calculation,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitChart {
    pub caption: String,
    pub chart: Chart,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhibitNote {
    pub title: String,
    pub text: String,
}

impl Exhibit {
    /// Whether there is anything to show besides notes.
    pub fn is_empty(&self) -> bool {
        self.headlines.is_empty()
            && self.figures.is_empty()
            && self.tables.iter().all(|table| table.rows.is_empty())
            && self.charts.is_empty()
    }

    pub fn add_note(&mut self, title: &str, text: impl Into<String>) {
        self.notes.push(ExhibitNote {
            title: title.to_owned(),
            text: text.into(),
        });
    }

    pub fn add_figure(&mut self, value: impl Into<String>, label: &str) {
        self.figures.push(ExhibitFigure {
            value: value.into(),
            label: label.to_owned(),
            evidence: Vec::new(),
        });
    }
}

impl Statement {
    pub fn fact(text: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self {
            text: text.into(),
            kind: FindingKind::Fact,
            evidence,
        }
    }

    pub fn calculation(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: FindingKind::Calculation,
            evidence: Vec::new(),
        }
    }

    pub fn interpretation(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: FindingKind::Interpretation,
            evidence: Vec::new(),
        }
    }
}

impl ExhibitColumn {
    pub fn text(heading: &str, width: u16) -> Self {
        Self {
            heading: heading.to_owned(),
            width,
            align: ColumnAlign::Text,
        }
    }

    pub fn numbers(heading: &str, width: u16) -> Self {
        Self {
            align: ColumnAlign::Numbers,
            ..Self::text(heading, width)
        }
    }
}

impl ExhibitCell {
    pub fn label(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    pub fn statement(text: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self {
            text: text.into(),
            evidence,
            role: CellRole::Statement,
        }
    }

    pub fn calculation(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            evidence: Vec::new(),
            role: CellRole::Calculation,
        }
    }
}
