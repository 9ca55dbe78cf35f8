//! What is measured, in which unit, and the target that is set for it.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    Completion,
    ErrorRate,
    ResponseTime,
    Duration,
    EventLatency,
    ToolSuccess,
    ToolEfficiency,
    CitationAccuracy,
    Compliance,
    Satisfaction,
    InsightUsefulness,
    Calibration,
    Cost,
    CostAgainstEstimate,
    TokenAdherence,
}

/// All, in the order in which they are shown.
pub const MEASURES: [Measure; 15] = [
    Measure::Completion,
    Measure::ErrorRate,
    Measure::ResponseTime,
    Measure::Duration,
    Measure::EventLatency,
    Measure::ToolSuccess,
    Measure::ToolEfficiency,
    Measure::CitationAccuracy,
    Measure::Compliance,
    Measure::Satisfaction,
    Measure::InsightUsefulness,
    Measure::Calibration,
    Measure::Cost,
    Measure::CostAgainstEstimate,
    Measure::TokenAdherence,
];

/// Which measures stand together, under which heading.
pub const SECTIONS: [(&str, &[Measure]); 3] = [
    (
        "Operation",
        &[
            Measure::Completion,
            Measure::ErrorRate,
            Measure::ResponseTime,
            Measure::EventLatency,
            Measure::ToolSuccess,
            Measure::Duration,
        ],
    ),
    (
        "Quality",
        &[
            Measure::CitationAccuracy,
            Measure::Compliance,
            Measure::Satisfaction,
            Measure::InsightUsefulness,
            Measure::Calibration,
        ],
    ),
    (
        "Cost",
        &[
            Measure::Cost,
            Measure::CostAgainstEstimate,
            Measure::ToolEfficiency,
            Measure::TokenAdherence,
        ],
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// From 0 to 1, shown in per cent.
    Share,
    /// Parts of a whole that may be passed: 1.05 is 105 %.
    Percentage,
    Milliseconds,
    /// From 1 to 5.
    Stars,
    Dollars,
    /// A share without a sign, as the target is given.
    Ratio,
    /// The distance of two shares, from 0 to 1, shown in percentage points.
    Distance,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// More than this.
    Above(f64),
    /// This or more.
    AtLeast(f64),
    /// Less than this.
    Below(f64),
    /// No more than this away.
    Within(f64),
}

impl Target {
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::Above(limit) => value > limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Below(limit) => value < limit,
            Self::Within(limit) => value <= limit,
        }
    }

    pub fn limit(self) -> f64 {
        match self {
            Self::Above(limit)
            | Self::AtLeast(limit)
            | Self::Below(limit)
            | Self::Within(limit) => limit,
        }
    }
}

impl Measure {
    pub fn name(self) -> &'static str {
        match self {
            Self::Completion => "Missions completed",
            Self::ErrorRate => "Missions failed",
            Self::ResponseTime => "Response time (P95)",
            Self::Duration => "Duration (median)",
            Self::EventLatency => "Event latency (P95)",
            Self::ToolSuccess => "Tool calls succeeded",
            Self::ToolEfficiency => "Tool efficiency",
            Self::CitationAccuracy => "Citations accurate",
            Self::Compliance => "Constitution kept",
            Self::Satisfaction => "Satisfaction",
            Self::InsightUsefulness => "Insights useful",
            Self::Calibration => "Calibration error",
            Self::Cost => "Cost per mission",
            Self::CostAgainstEstimate => "Cost against estimate",
            Self::TokenAdherence => "Tokens against budget",
        }
    }

    /// As few words as a column has room for.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Completion => "completed",
            Self::ErrorRate => "failed",
            Self::ResponseTime => "response",
            Self::Duration => "duration",
            Self::EventLatency => "latency",
            Self::ToolSuccess => "tools ok",
            Self::ToolEfficiency => "tools useful",
            Self::CitationAccuracy => "citations",
            Self::Compliance => "constitution",
            Self::Satisfaction => "stars",
            Self::InsightUsefulness => "insights",
            Self::Calibration => "calibration",
            Self::Cost => "cost",
            Self::CostAgainstEstimate => "estimate",
            Self::TokenAdherence => "tokens",
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Self::Completion
            | Self::ErrorRate
            | Self::ToolSuccess
            | Self::CitationAccuracy
            | Self::Compliance
            | Self::InsightUsefulness => Unit::Share,
            Self::ResponseTime | Self::Duration | Self::EventLatency => Unit::Milliseconds,
            Self::ToolEfficiency => Unit::Ratio,
            Self::Satisfaction => Unit::Stars,
            Self::Calibration => Unit::Distance,
            Self::Cost => Unit::Dollars,
            Self::CostAgainstEstimate | Self::TokenAdherence => Unit::Percentage,
        }
    }

    pub fn target(self) -> Option<Target> {
        Some(match self {
            Self::Completion => Target::Above(0.95),
            Self::ErrorRate => Target::Below(0.01),
            Self::ResponseTime => Target::Below(120_000.0),
            Self::EventLatency => Target::Below(200.0),
            Self::ToolSuccess => Target::Above(0.99),
            Self::ToolEfficiency => Target::Above(0.8),
            Self::CitationAccuracy => Target::Above(0.9),
            Self::Compliance => Target::AtLeast(1.0),
            Self::Satisfaction => Target::Above(4.0),
            Self::InsightUsefulness => Target::Above(0.8),
            Self::Calibration => Target::Within(0.1),
            Self::Cost => Target::Below(0.5),
            Self::TokenAdherence => Target::Below(1.05),
            // Every type of mission has a duration and an estimate of its own.
            Self::Duration | Self::CostAgainstEstimate => return None,
        })
    }

    /// One of what is counted.
    pub fn case(self) -> &'static str {
        match self {
            Self::Completion | Self::ErrorRate | Self::Duration | Self::Cost => "mission",
            Self::CostAgainstEstimate => "mission with an estimate",
            Self::ResponseTime => "question",
            Self::EventLatency => "event",
            Self::ToolSuccess | Self::ToolEfficiency => "call",
            Self::CitationAccuracy => "citation",
            Self::Compliance => "check",
            Self::Satisfaction => "rating",
            Self::InsightUsefulness => "marked insight",
            Self::Calibration => "outcome",
            Self::TokenAdherence => "question to a model",
        }
    }

    /// Why journals cannot say it, where they cannot.
    pub fn measured_elsewhere(self) -> Option<&'static str> {
        match self {
            Self::EventLatency => Some("not in journals"),
            _ => None,
        }
    }
}
