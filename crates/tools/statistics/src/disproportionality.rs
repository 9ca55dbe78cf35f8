//! Is an event reported more often with one drug than with others?

use serde::Deserialize;

use crate::checks::Count;
use crate::effects::Ratios;
use crate::tables::{Correction, Margins};
use crate::{Answer, Figures, Level, Refusal};

/// Reports by drug and event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disproportionality {
    pub drug_event: Count,
    pub drug_other_events: Count,
    pub other_drugs_event: Count,
    pub other_drugs_other_events: Count,
    #[serde(default)]
    pub level: Level,
}

const SIGNAL_PRR_MIN: f64 = 2.0;
const SIGNAL_CHI_SQUARE_MIN: f64 = 4.0;
const SIGNAL_REPORTS_MIN: f64 = 3.0;

pub(crate) fn disproportionality(request: &Disproportionality) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    let table = [
        ("drug_event", request.drug_event),
        ("drug_other_events", request.drug_other_events),
        ("other_drugs_event", request.other_drugs_event),
        ("other_drugs_other_events", request.other_drugs_other_events),
    ];
    if let Some((name, _)) = table.iter().find(|(_, count)| count.0 == 0) {
        return Err(Refusal::Unsuitable {
            field: (*name).to_owned(),
            problem: "is zero, so a ratio or its interval is not defined".to_owned(),
            remedy: "wait for more reports or use risk_effect, which corrects for zeros",
        });
    }
    let counts = table.map(|(_, count)| count);
    let margins = Margins::of(&[counts[..2].to_vec(), counts[2..].to_vec()])?;
    let chi_square = margins.chi_square(Correction::Yates);
    let ratios = Ratios::of(counts.map(Count::value), level);
    let reports = request.drug_event.value();
    let signal = ratios.risk_ratio >= SIGNAL_PRR_MIN
        && chi_square >= SIGNAL_CHI_SQUARE_MIN
        && reports >= SIGNAL_REPORTS_MIN;
    let mut notes = vec![
        "spontaneous reports show disproportion, not risk: no denominator of exposed people is known".to_owned(),
    ];
    if reports < SIGNAL_REPORTS_MIN {
        notes.push("fewer than 3 reports of the event with the drug".to_owned());
    }
    Ok(Answer {
        analysis: "disproportionality",
        figures: Figures::new()
            .with("reports", request.drug_event.0)
            .with("expected", margins.expected(0, 0))
            .with("prr", ratios.risk_ratio)
            .with("prr_interval", ratios.risk_interval)
            .with("ror", ratios.odds_ratio)
            .with("ror_interval", ratios.odds_interval)
            .with("chi_square", chi_square)
            .with("signal", signal),
        method: "proportional reporting ratio and reporting odds ratio with log intervals; chi-square with Yates' \
                 correction; signal if PRR >= 2, chi-square >= 4 and reports >= 3"
            .to_owned(),
        notes,
    })
}
