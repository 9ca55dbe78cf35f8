//! Whether an event is seen more often here than elsewhere: proportional reporting ratio, reporting odds ratio and empirical
//! Bayes geometric mean, each with its interval, on counts of reports or of groups in tables.
//!
//! Counts are only compared; nothing is estimated where none were found. A signal is a reason to look, not a cause.

mod counts;

use adjutant_charts::{Axis, AxisScale, Chart, ForestPlot, Study};
use adjutant_questions::Source;
use adjutant_statistics::{
    Count, Disproportionality, Figure, GammaMixture, Interval, Level, Request, ShrunkRatio,
    analyse, shrunk_ratio,
};
use serde::Deserialize;
use serde_json::json;

use self::counts::{Counted, Origin, Pair, of_groups, of_reports};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::Choice;
use crate::method::{InputRefused, Method, read_input};
use crate::words::short;

const SOURCES_MAX: usize = 400;
const PAIRS_MAX: usize = 40;
const SIGNALS_TOLD_MAX: usize = 3;
const EVENT_CHARACTERS_MAX: usize = 60;
const REPORTS_MIN: u64 = 3;
const RATIO_MIN: f64 = 2.0;
const CHI_SQUARE_MIN: f64 = 4.0;
const SHRUNK_LOW_MIN: f64 = 2.0;
const SHRUNK_LEVEL: f64 = 0.9;
/// The option of a person for whom any criterion is enough.
const EARLY: &str = "any_criterion";
/// The option of a person who wants no next steps.
const NUMBERS_ONLY: &str = "numbers_only";

pub(crate) const REPORT_SIGNALS: Method = Method {
    id: "report_signals",
    name: "Signals in counts",
    about: "Compares how often events are counted here and elsewhere: PRR, ROR and EBGM with intervals, and which of them are \
            signals by stated criteria.",
    inputs: || {
        json!({
            "counts": {"type": "array", "description": "Answers of lookups that count reports, such as `reaction_counts`."},
            "sources": {"type": "array", "description": "Sources whose tables give counts of groups of a known size, such as `(n=120)`."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`."},
        })
    },
    required: &[],
    apply: |input| read_input(input).and_then(report_signals),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportSignals {
    #[serde(default)]
    counts: Vec<Counted>,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    choices: Vec<Choice>,
}

/// A pair with its figures. Ratios are missing where a count is zero.
struct Measured {
    pair: Pair,
    ratios: Option<Ratios>,
    /// Only of reports: groups have their own size.
    shrunk: Option<ShrunkRatio>,
    met: Criteria,
}

struct Ratios {
    prr: (f64, Interval),
    ror: (f64, Interval),
}

/// Which criteria of a signal are met, of those that apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Criteria {
    met: usize,
    applied: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    All,
    Any,
}

impl Criteria {
    fn is_signal(self, rule: Rule) -> bool {
        match rule {
            Rule::All => self.applied > 0 && self.met == self.applied,
            Rule::Any => self.met > 0,
        }
    }
}

fn report_signals(input: ReportSignals) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let rule = match Choice::chose(&input.choices, EARLY) {
        true => Rule::Any,
        false => Rule::All,
    };
    let (mut pairs, impossible) = of_reports(&input.counts);
    pairs.extend(of_groups(&input.sources));
    let found = pairs.len();
    pairs.truncate(PAIRS_MAX);
    let mut measured: Vec<Measured> = pairs.into_iter().map(measure).collect();
    let strength = |one: &Measured| {
        one.shrunk
            .map(|at| at.interval.low)
            .or(one.ratios.as_ref().map(|at| at.ror.1.low))
    };
    measured.sort_by(|a, b| {
        let signal = b.met.is_signal(rule).cmp(&a.met.is_signal(rule));
        signal.then(
            strength(b)
                .unwrap_or(0.0)
                .total_cmp(&strength(a).unwrap_or(0.0)),
        )
    });
    let signals: Vec<&Measured> = measured
        .iter()
        .filter(|one| one.met.is_signal(rule))
        .collect();
    let mut exhibit = Exhibit::default();
    let text = summary(&measured, &signals, rule);
    if !measured.is_empty() {
        exhibit.headlines.push(Statement::calculation(text.clone()));
        exhibit.add_figure(
            format!("{} of {}", signals.len(), measured.len()),
            "events are signals",
        );
    }
    for one in signals.iter().take(SIGNALS_TOLD_MAX) {
        exhibit.headlines.push(Statement {
            evidence: one.pair.evidence.clone(),
            ..Statement::calculation(told(one))
        });
    }
    if let (Some(first), false) = (signals.first(), Choice::chose(&input.choices, NUMBERS_ONLY)) {
        exhibit.headlines.push(Statement::interpretation(format!(
            "Next: read the single cases of {} for dose, time to onset and other explanations",
            short(&first.pair.event, EVENT_CHARACTERS_MAX)
        )));
    }
    exhibit.charts.extend(chart(&measured));
    exhibit.tables.extend(ratios_table(&measured, rule));
    exhibit.tables.extend(counts_table(&measured));
    notes(&mut exhibit, &measured, impossible, found);
    exhibit.data = json!({"pairs": measured.len(), "signals": signals.len(), "text": text});
    Ok(exhibit)
}

fn measure(pair: Pair) -> Measured {
    let ratios = ratios(&pair);
    let shrunk = match pair.origin {
        Origin::Reports => shrunk_ratio(
            pair.with_event,
            pair.expected(),
            &GammaMixture::CUSTOMARY,
            SHRUNK_LEVEL,
        ),
        Origin::Groups => None,
    };
    let proportional = ratios.as_ref().map(|at| {
        pair.with_event >= REPORTS_MIN && at.0.prr.0 >= RATIO_MIN && at.1 >= CHI_SQUARE_MIN
    });
    let odds = ratios
        .as_ref()
        .map(|at| pair.with_event >= REPORTS_MIN && at.0.ror.1.low > 1.0);
    let bayes = shrunk.map(|at| at.interval.low >= SHRUNK_LOW_MIN);
    let applied = [proportional, odds, bayes];
    Measured {
        met: Criteria {
            met: applied.iter().filter(|one| **one == Some(true)).count(),
            applied: applied.iter().flatten().count(),
        },
        ratios: ratios.map(|at| at.0),
        shrunk,
        pair,
    }
}

/// The ratios, and chi-square with Yates' correction. Nothing if a count is zero.
fn ratios(pair: &Pair) -> Option<(Ratios, f64)> {
    let request = Request::Disproportionality(Disproportionality {
        drug_event: Count(pair.with_event),
        drug_other_events: Count(pair.without_event),
        other_drugs_event: Count(pair.others_with_event),
        other_drugs_other_events: Count(pair.others_without_event),
        level: Level::default(),
    });
    let figures = analyse(&request).ok()?.figures;
    let interval = |name: &str| match figures.get(name) {
        Some(Figure::Interval(interval)) => Some(*interval),
        _ => None,
    };
    let ratios = Ratios {
        prr: (figures.number("prr")?, interval("prr_interval")?),
        ror: (figures.number("ror")?, interval("ror_interval")?),
    };
    Some((ratios, figures.number("chi_square")?))
}

fn summary(measured: &[Measured], signals: &[&Measured], rule: Rule) -> String {
    if measured.is_empty() {
        return "No counts were found that could be compared".to_owned();
    }
    let by = match rule {
        Rule::All => "by all criteria",
        Rule::Any => "by at least one criterion",
    };
    format!(
        "{} of {} events are signals {by}",
        signals.len(),
        measured.len()
    )
}

fn told(one: &Measured) -> String {
    let event = short(&one.pair.event, EVENT_CHARACTERS_MAX);
    let mut parts = vec![format!(
        "{event}: {} observed, {} expected",
        one.pair.with_event,
        written(one.pair.expected())
    )];
    if let Some(ratios) = &one.ratios {
        parts.push(format!(
            "PRR {}",
            with_interval(ratios.prr.0, &ratios.prr.1)
        ));
    }
    if let Some(shrunk) = &one.shrunk {
        parts.push(format!(
            "EBGM {}",
            with_interval(shrunk.mean, &shrunk.interval)
        ));
    }
    parts.join(", ")
}

fn chart(measured: &[Measured]) -> Option<ExhibitChart> {
    let studies: Vec<Study> = measured
        .iter()
        .filter_map(|one| {
            let (estimate, interval) = one.ratios.as_ref()?.ror;
            Some(Study {
                name: short(&one.pair.event, EVENT_CHARACTERS_MAX),
                estimate,
                low: interval.low,
                high: interval.high,
                weight: None,
            })
        })
        .collect();
    (!studies.is_empty()).then(|| ExhibitChart {
        caption: "Reporting odds ratios with 95% intervals; one means as often as elsewhere"
            .to_owned(),
        chart: Chart::Forest(ForestPlot {
            title: "How much more often than elsewhere".to_owned(),
            subtitle: None,
            source: None,
            value_axis: Axis {
                label: Some("reporting odds ratio".to_owned()),
                unit: None,
                scale: AxisScale::Log,
            },
            no_effect: None,
            studies,
            pooled: None,
        }),
    })
}

fn ratios_table(measured: &[Measured], rule: Rule) -> Option<ExhibitTable> {
    let ratio = |found: Option<(f64, Interval)>| match found {
        Some((value, interval)) => ExhibitCell::calculation(with_interval(value, &interval)),
        None => ExhibitCell::label("not defined"),
    };
    let rows: Vec<Vec<ExhibitCell>> = measured
        .iter()
        .map(|one| {
            let ratios = one.ratios.as_ref();
            vec![
                ExhibitCell::label(short(&one.pair.event, EVENT_CHARACTERS_MAX)),
                ratio(ratios.map(|at| at.prr)),
                ratio(ratios.map(|at| at.ror)),
                ratio(one.shrunk.map(|at| (at.mean, at.interval))),
                ExhibitCell::calculation(format!("{} of {}", one.met.met, one.met.applied)),
                ExhibitCell::calculation(match one.met.is_signal(rule) {
                    true => "signal",
                    false => "no signal",
                }),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Disproportionality, the strongest first".to_owned(),
        columns: vec![
            ExhibitColumn::text("Event", 3),
            ExhibitColumn::numbers("PRR (95%)", 3),
            ExhibitColumn::numbers("ROR (95%)", 3),
            ExhibitColumn::numbers("EBGM (90%)", 3),
            ExhibitColumn::numbers("Criteria met", 2),
            ExhibitColumn::text("Result", 2),
        ],
        rows,
    })
}

fn counts_table(measured: &[Measured]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = measured
        .iter()
        .map(|one| {
            let pair = &one.pair;
            vec![
                ExhibitCell {
                    evidence: pair.evidence.clone(),
                    ..ExhibitCell::label(short(&pair.event, EVENT_CHARACTERS_MAX))
                },
                ExhibitCell::calculation(pair.with_event.to_string()),
                ExhibitCell::calculation((pair.with_event + pair.without_event).to_string()),
                ExhibitCell::calculation(pair.others_with_event.to_string()),
                ExhibitCell::calculation(
                    (pair.others_with_event + pair.others_without_event).to_string(),
                ),
                ExhibitCell::calculation(written(pair.expected())),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "The counts behind it".to_owned(),
        columns: vec![
            ExhibitColumn::text("Event", 3),
            ExhibitColumn::numbers("Seen here", 2),
            ExhibitColumn::numbers("of", 2),
            ExhibitColumn::numbers("Elsewhere", 2),
            ExhibitColumn::numbers("of", 2),
            ExhibitColumn::numbers("Expected", 2),
        ],
        rows,
    })
}

fn notes(exhibit: &mut Exhibit, measured: &[Measured], impossible: usize, found: usize) {
    if measured.is_empty() {
        exhibit.add_note(
            "No counts",
            "No database of reports gave counts, and no table of a document gives events of groups with their size, such as \
             “(n=120)”. Whether there is a signal cannot be computed",
        );
        return;
    }
    if found > PAIRS_MAX {
        exhibit.add_note(
            "Limits",
            format!("{PAIRS_MAX} of {found} events were compared"),
        );
    }
    if impossible > 0 {
        exhibit.add_note(
            "Left out",
            format!(
                "{impossible} events have more reports of the product than of all products together"
            ),
        );
    }
    if measured.iter().any(|one| one.ratios.is_none()) {
        exhibit.add_note(
            "Not defined",
            "Where a count is zero, PRR and ROR have no value",
        );
    }
    let is_reports = measured
        .iter()
        .any(|one| one.pair.origin == Origin::Reports);
    exhibit.add_note(
        "Criteria of a signal",
        "PRR at least 2 with chi-square at least 4 and 3 cases; lower end of the ROR above 1 with 3 cases; lower end of the EBGM \
         at least 2, where it applies",
    );
    if is_reports {
        exhibit.add_note(
            "What this cannot show",
            "Reports are sent in by choice: nobody knows how many people were exposed, so the ratios measure reporting, not risk. \
             The EBGM uses the customary prior of the literature (0.2, 0.1, 2, 4, 1/3), not one fitted to these counts",
        );
    }
}

fn with_interval(value: f64, interval: &Interval) -> String {
    format!(
        "{} ({} to {})",
        written(value),
        written(interval.low),
        written(interval.high)
    )
}

fn written(value: f64) -> String {
    match value.abs() >= 100.0 {
        true => format!("{value:.0}"),
        false => format!("{value:.2}"),
    }
}

#[cfg(test)]
#[path = "report_signals_tests.rs"]
mod tests;
