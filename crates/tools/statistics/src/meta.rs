//! Estimates of several studies put together.

use libm::sqrt;
use serde::Deserialize;

use crate::checks::{self, GROUPS_MAX};
use crate::distributions::{chi_square_upper, normal_p, normal_reach};
use crate::{Alternative, Answer, Figures, Interval, Level, Refusal};

/// One study's estimate. Ratios belong here as logarithms.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    pub name: String,
    pub estimate: f64,
    pub standard_error: f64,
}

/// Whether studies share one true value or only its distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetaModel {
    Fixed,
    #[default]
    Random,
}

/// Studies to put together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetaAnalysis {
    pub studies: Vec<Study>,
    #[serde(default)]
    pub model: MetaModel,
    #[serde(default)]
    pub level: Level,
}

/// Studies in one analysis.
pub const STUDIES_MAX: usize = 20 * GROUPS_MAX;
const STUDIES_FEW: usize = 5;
const HETEROGENEITY_NOTED: f64 = 0.5;

struct Pooled {
    estimate: f64,
    standard_error: f64,
    weights: Vec<f64>,
}

impl Pooled {
    fn of(studies: &[Study], between: f64) -> Self {
        let weights: Vec<f64> = studies
            .iter()
            .map(|study| 1.0 / (study.standard_error * study.standard_error + between))
            .collect();
        let sum: f64 = weights.iter().sum();
        let estimate = studies
            .iter()
            .zip(&weights)
            .map(|(study, weight)| study.estimate * (weight / sum))
            .sum();
        Self {
            estimate,
            standard_error: sqrt(1.0 / sum),
            weights,
        }
    }
}

/// How far the studies are apart.
struct Spread {
    q: f64,
    df: f64,
    tau_squared: f64,
    i_squared: f64,
}

impl Spread {
    fn of(studies: &[Study], fixed: &Pooled) -> Result<Self, Refusal> {
        let q: f64 = studies
            .iter()
            .zip(&fixed.weights)
            .map(|(study, weight)| {
                let off = study.estimate - fixed.estimate;
                weight * off * off
            })
            .sum();
        checks::computable("Q", q)?;
        let df = studies.len() as f64 - 1.0;
        let sum: f64 = fixed.weights.iter().sum();
        let square_sum: f64 = fixed
            .weights
            .iter()
            .map(|weight| weight * (weight / sum))
            .sum();
        Ok(Self {
            q,
            df,
            tau_squared: ((q - df) / (sum - square_sum)).max(0.0),
            i_squared: if q > df { (q - df) / q } else { 0.0 },
        })
    }
}

fn notes(request: &MetaAnalysis, i_squared: f64) -> Vec<String> {
    let mut notes = Vec::new();
    if request.studies.len() < STUDIES_FEW && request.model == MetaModel::Random {
        notes.push(
            "fewer than 5 studies: tau squared is poorly known and the interval too short"
                .to_owned(),
        );
    }
    if i_squared > HETEROGENEITY_NOTED && request.model == MetaModel::Fixed {
        notes.push(
            "the studies differ by more than chance: the fixed model's one true value is doubtful"
                .to_owned(),
        );
    }
    notes
}

pub(crate) fn meta_analysis(request: &MetaAnalysis) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let studies = &request.studies;
    checks::length("studies", studies.len(), 2, STUDIES_MAX)?;
    for (index, study) in studies.iter().enumerate() {
        checks::name(&format!("studies[{index}].name"), &study.name)?;
        checks::number(&format!("studies[{index}].estimate"), study.estimate)?;
        checks::positive(
            &format!("studies[{index}].standard_error"),
            study.standard_error,
        )?;
    }
    let fixed = Pooled::of(studies, 0.0);
    let Spread {
        q,
        df,
        tau_squared,
        i_squared,
    } = Spread::of(studies, &fixed)?;
    let pooled = match request.model {
        MetaModel::Fixed => fixed,
        MetaModel::Random => Pooled::of(studies, tau_squared),
    };
    let z = pooled.estimate / pooled.standard_error;
    let reach = normal_reach(level) * pooled.standard_error;
    let whole: f64 = pooled.weights.iter().sum();
    let rows: Vec<Figures> = studies
        .iter()
        .zip(&pooled.weights)
        .map(|(study, weight)| {
            Figures::new()
                .with("name", study.name.as_str())
                .with("weight", weight / whole)
        })
        .collect();
    let how = match request.model {
        MetaModel::Fixed => "fixed effect, inverse variance",
        MetaModel::Random => "random effects, inverse variance with DerSimonian-Laird tau squared",
    };
    Ok(Answer {
        analysis: "meta_analysis",
        figures: Figures::new()
            .with(
                "estimate",
                checks::computable("the estimate", pooled.estimate)?,
            )
            .with("standard_error", pooled.standard_error)
            .with(
                "interval",
                Interval {
                    level,
                    low: pooled.estimate - reach,
                    high: pooled.estimate + reach,
                },
            )
            .with("statistic", z)
            .with("p", normal_p(z, Alternative::TwoSided))
            .with("q", q)
            .with("q_df", df)
            .with("q_p", chi_square_upper(q, df))
            .with("i_squared", i_squared)
            .with("tau_squared", tau_squared)
            .with("studies", rows),
        method: format!("{how}; normal interval and z-test; I squared = (Q - df) / Q, not below 0"),
        notes: notes(request, i_squared),
    })
}
