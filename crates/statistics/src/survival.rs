//! Times until an event, some of them cut off before it.

use libm::{exp, log, sqrt};
use serde::Deserialize;

use crate::checks::{self, GROUPS_MAX, VALUES_MAX};
use crate::distributions::{chi_square_upper, normal_reach};
use crate::matrix::least_squares;
use crate::{Answer, Figures, Interval, Level, Refusal};

/// How the interval of a survival curve is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CurveInterval {
    /// On the scale of log(-log S): stays within 0 and 1.
    #[default]
    LogLog,
    /// S plus and minus its standard error, cut at 0 and 1.
    Plain,
}

/// A survival curve. `events[i]` is 1 if the event happened at `times[i]`, 0 if observation ended there.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KaplanMeier {
    pub times: Vec<f64>,
    pub events: Vec<f64>,
    #[serde(default)]
    pub interval: CurveInterval,
    #[serde(default)]
    pub level: Level,
}

/// One group's times.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurvivalGroup {
    pub name: String,
    pub times: Vec<f64>,
    pub events: Vec<f64>,
}

/// Do groups differ in survival?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogRank {
    pub groups: Vec<SurvivalGroup>,
}

/// Rows of a survival curve in an answer; a longer curve is thinned out evenly.
pub const CURVE_ROWS_MAX: usize = 1_000;
/// Events below this number make the log-rank test doubtful.
const EVENTS_FEW: f64 = 10.0;
/// A survival of one half is recognised in spite of this much rounding.
const ROUNDING: f64 = 1e-12;
/// At risk below this number make the end of a curve doubtful.
const AT_RISK_FEW: f64 = 5.0;

fn check(prefix: &str, times: &[f64], events: &[f64]) -> Result<(), Refusal> {
    let times_field = format!("{prefix}times");
    let events_field = format!("{prefix}events");
    checks::sample(&times_field, times, 1)?;
    checks::same_length(&times_field, times.len(), &events_field, events.len())?;
    if let Some(index) = times.iter().position(|&time| time < 0.0) {
        return Err(checks::out_of_range(
            format!("{times_field}[{index}]"),
            times[index],
            "0 or more",
        ));
    }
    if let Some(index) = events
        .iter()
        .position(|&event| event != 0.0 && event != 1.0)
    {
        return Err(checks::out_of_range(
            format!("{events_field}[{index}]"),
            events[index],
            "0 (observation ended) or 1 (event)",
        ));
    }
    Ok(())
}

/// What happened at one time.
struct Moment {
    time: f64,
    at_risk: f64,
    events: f64,
    censored: f64,
}

fn moments(times: &[f64], events: &[f64]) -> Vec<Moment> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&left, &right| times[left].total_cmp(&times[right]));
    let mut at_risk = times.len() as f64;
    let mut moments = Vec::new();
    for run in order.chunk_by(|&left, &right| times[left] == times[right]) {
        let happened: f64 = run.iter().map(|&index| events[index]).sum();
        moments.push(Moment {
            time: times[run[0]],
            at_risk,
            events: happened,
            censored: run.len() as f64 - happened,
        });
        at_risk -= run.len() as f64;
    }
    moments
}

pub(crate) fn kaplan_meier(request: &KaplanMeier) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    check("", &request.times, &request.events)?;
    let reach = normal_reach(level);
    let (mut survival, mut hazard_sum) = (1.0, 0.0);
    let mut rows = Vec::new();
    let mut median = f64::NAN;
    let mut median_interval = Interval {
        level,
        low: f64::NAN,
        high: f64::NAN,
    };
    let mut thin = false;
    for moment in moments(&request.times, &request.events) {
        if moment.events > 0.0 {
            survival *= 1.0 - moment.events / moment.at_risk;
            hazard_sum += moment.events / (moment.at_risk * (moment.at_risk - moment.events));
            thin |= moment.at_risk < AT_RISK_FEW;
        }
        let greenwood = if survival > 0.0 {
            survival * sqrt(hazard_sum)
        } else {
            0.0
        };
        let interval = bounds(survival, hazard_sum, reach, request.interval, level);
        let first = |known: &mut f64, value: f64| {
            if known.is_nan() && value <= 0.5 + ROUNDING {
                *known = moment.time;
            }
        };
        first(&mut median, survival);
        first(&mut median_interval.low, interval.low);
        first(&mut median_interval.high, interval.high);
        rows.push(
            Figures::new()
                .with("time", moment.time)
                .with("at_risk", moment.at_risk as u64)
                .with("events", moment.events as u64)
                .with("censored", moment.censored as u64)
                .with("survival", survival)
                .with("standard_error", greenwood)
                .with("interval", interval),
        );
    }
    let happened: f64 = request.events.iter().sum();
    let mut notes = Vec::new();
    if happened == 0.0 {
        notes.push("no event happened: the curve stays at 1".to_owned());
    }
    if median.is_nan() {
        notes.push("survival stays above one half: there is no median".to_owned());
    }
    if thin {
        notes.push(
            "fewer than 5 were at risk at the last events: the end of the curve is doubtful"
                .to_owned(),
        );
    }
    if rows.len() > CURVE_ROWS_MAX {
        let (all, every) = (rows.len(), rows.len().div_ceil(CURVE_ROWS_MAX - 1));
        let mut index = 0;
        rows.retain(|_| {
            index += 1;
            (index - 1) % every == 0 || index == all
        });
        notes.push(format!(
            "the curve has {all} times: only every {every}th and the last are listed"
        ));
    }
    let how = match request.interval {
        CurveInterval::LogLog => "on the log(-log) scale",
        CurveInterval::Plain => "plain, cut at 0 and 1",
    };
    Ok(Answer {
        analysis: "kaplan_meier",
        figures: Figures::new()
            .with("n", request.times.len())
            .with("events", happened as u64)
            .with("median", median)
            .with("median_interval", median_interval)
            .with("curve", rows),
        method: format!(
            "Kaplan-Meier product-limit curve, Greenwood's standard error, interval {how}; the median is the first \
             time with survival at or below 0.5, its interval where the curve's bounds get there"
        ),
        notes,
    })
}

fn bounds(survival: f64, hazard_sum: f64, reach: f64, how: CurveInterval, level: f64) -> Interval {
    if survival <= 0.0 || survival >= 1.0 {
        return Interval {
            level,
            low: survival,
            high: survival,
        };
    }
    let (low, high) = match how {
        CurveInterval::LogLog => {
            let width = reach * sqrt(hazard_sum) / log(survival);
            (
                exp(log(survival) * exp(-width)),
                exp(log(survival) * exp(width)),
            )
        }
        CurveInterval::Plain => {
            let width = reach * survival * sqrt(hazard_sum);
            ((survival - width).max(0.0), (survival + width).min(1.0))
        }
    };
    Interval { level, low, high }
}

pub(crate) fn log_rank(request: &LogRank) -> Result<Answer, Refusal> {
    checks::length("groups", request.groups.len(), 2, GROUPS_MAX)?;
    for (index, group) in request.groups.iter().enumerate() {
        checks::name(&format!("groups[{index}].name"), &group.name)?;
        check(&format!("groups[{index}]."), &group.times, &group.events)?;
    }
    let mut all: Vec<(f64, f64, usize)> = Vec::new();
    for (index, group) in request.groups.iter().enumerate() {
        all.extend(
            group
                .times
                .iter()
                .zip(&group.events)
                .map(|(&time, &event)| (time, event, index)),
        );
    }
    checks::length("groups", all.len(), 2, VALUES_MAX)?;
    all.sort_by(|left, right| left.0.total_cmp(&right.0));
    let k = request.groups.len();
    let mut at_risk: Vec<f64> = request
        .groups
        .iter()
        .map(|group| group.times.len() as f64)
        .collect();
    let mut observed = vec![0.0; k];
    let mut expected = vec![0.0; k];
    let mut covariance = vec![vec![0.0; k]; k];
    for run in all.chunk_by(|left, right| left.0 == right.0) {
        let total: f64 = at_risk.iter().sum();
        let events: f64 = run.iter().map(|&(_, event, _)| event).sum();
        if events > 0.0 {
            let spread = if total > 1.0 {
                events * (total - events) / (total - 1.0)
            } else {
                0.0
            };
            for i in 0..k {
                let share = at_risk[i] / total;
                expected[i] += events * share;
                for j in 0..k {
                    let same = if i == j { share } else { 0.0 };
                    covariance[i][j] += spread * (same - share * at_risk[j] / total);
                }
            }
        }
        for &(_, event, group) in run {
            observed[group] += event;
            at_risk[group] -= 1.0;
        }
    }
    let statistic = quadratic_form(&observed, &expected, covariance)?;
    let df = k as f64 - 1.0;
    let rows: Vec<Figures> = (0..k)
        .map(|index| {
            Figures::new()
                .with("name", request.groups[index].name.as_str())
                .with("n", request.groups[index].times.len())
                .with("observed", observed[index])
                .with("expected", expected[index])
        })
        .collect();
    let mut notes = Vec::new();
    if observed.iter().sum::<f64>() < EVENTS_FEW {
        notes.push("fewer than 10 events: the chi-square approximation is rough".to_owned());
    }
    Ok(Answer {
        analysis: "log_rank",
        figures: Figures::new()
            .with("statistic", statistic)
            .with("df", df)
            .with("p", chi_square_upper(statistic, df))
            .with("groups", rows),
        method: "log-rank (Mantel-Haenszel) test with hypergeometric variance, all times weighted alike, df groups - 1"
            .to_owned(),
        notes,
    })
}

/// The deviations measured in their own covariance. The last group follows from the others and is left out.
fn quadratic_form(
    observed: &[f64],
    expected: &[f64],
    mut covariance: Vec<Vec<f64>>,
) -> Result<f64, Refusal> {
    let free = observed.len() - 1;
    covariance.truncate(free);
    covariance.iter_mut().for_each(|row| row.truncate(free));
    let off: Vec<f64> = (0..free).map(|i| observed[i] - expected[i]).collect();
    let fit = least_squares(covariance, off.clone()).map_err(|dependent| Refusal::Unsuitable {
        field: format!("groups[{}]", dependent.index),
        problem: "is never at risk together with the others when an event happens".to_owned(),
        remedy: "leave it out or merge it",
    })?;
    Ok(off.iter().zip(&fit.coefficients).map(|(a, b)| a * b).sum())
}
