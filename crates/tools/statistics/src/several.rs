//! Several tests at once: p-values adjusted for their number.

use serde::Deserialize;

use crate::{Answer, Figures, Refusal, checks};

/// What is kept small over all tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjustment {
    Bonferroni,
    Holm,
    Hochberg,
    BenjaminiHochberg,
    BenjaminiYekutieli,
}

/// P-values of several tests.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjustP {
    pub p_values: Vec<f64>,
    pub adjustment: Adjustment,
    #[serde(default = "usual_alpha")]
    pub alpha: f64,
}

pub(crate) fn usual_alpha() -> f64 {
    0.05
}

pub(crate) fn adjust_p(request: &AdjustP) -> Result<Answer, Refusal> {
    checks::sample("p_values", &request.p_values, 1)?;
    checks::share("alpha", request.alpha)?;
    if let Some(index) = request
        .p_values
        .iter()
        .position(|p| !(0.0..=1.0).contains(p))
    {
        return Err(checks::out_of_range(
            format!("p_values[{index}]"),
            request.p_values[index],
            "from 0 to 1",
        ));
    }
    let adjusted = adjust(&request.p_values, request.adjustment);
    let rejected: Vec<bool> = adjusted.iter().map(|&p| p <= request.alpha).collect();
    let how = match request.adjustment {
        Adjustment::Bonferroni => "Bonferroni, family-wise error",
        Adjustment::Holm => "Holm's step-down, family-wise error",
        Adjustment::Hochberg => "Hochberg's step-up, family-wise error",
        Adjustment::BenjaminiHochberg => "Benjamini-Hochberg, false discovery rate",
        Adjustment::BenjaminiYekutieli => {
            "Benjamini-Yekutieli, false discovery rate under any dependence"
        }
    };
    let notes = match request.adjustment {
        Adjustment::Hochberg | Adjustment::BenjaminiHochberg => {
            vec!["holds for independent or positively dependent tests".to_owned()]
        }
        _ => Vec::new(),
    };
    Ok(Answer {
        analysis: "adjust_p",
        figures: Figures::new()
            .with("tests", adjusted.len())
            .with(
                "rejected_count",
                rejected.iter().filter(|&&yes| yes).count(),
            )
            .with("adjusted", adjusted)
            .with("rejected", rejected),
        method: format!(
            "adjusted p-values by {how}; rejected where at most {}",
            request.alpha
        ),
        notes,
    })
}

fn adjust(p_values: &[f64], adjustment: Adjustment) -> Vec<f64> {
    let count = p_values.len();
    let m = count as f64;
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let harmonic: f64 = (1..=count).map(|i| 1.0 / i as f64).sum();
    let scaled = |place: usize| {
        let p = p_values[order[place]];
        match adjustment {
            Adjustment::Bonferroni => p * m,
            Adjustment::Holm | Adjustment::Hochberg => p * (m - place as f64),
            Adjustment::BenjaminiHochberg => p * m / (place as f64 + 1.0),
            Adjustment::BenjaminiYekutieli => p * m * harmonic / (place as f64 + 1.0),
        }
    };
    let mut adjusted = vec![0.0; count];
    match adjustment {
        Adjustment::Bonferroni | Adjustment::Holm => {
            let mut highest: f64 = 0.0;
            for place in 0..count {
                highest = highest.max(scaled(place)).min(1.0);
                adjusted[order[place]] = highest;
            }
        }
        _ => {
            let mut lowest: f64 = 1.0;
            for place in (0..count).rev() {
                lowest = lowest.min(scaled(place));
                adjusted[order[place]] = lowest;
            }
        }
    }
    adjusted
}
