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

/// A survival curve, row by row, and what is read off it.
struct Curve {
    rows: Vec<Figures>,
    median: f64,
    median_interval: Interval,
    at_risk_least: f64,
}

impl Curve {
    fn of(request: &KaplanMeier, level: f64) -> Self {
        let reach = normal_reach(level);
        let (mut survival, mut hazard_sum) = (1.0, 0.0);
        let mut curve = Self {
            rows: Vec::new(),
            median: f64::NAN,
            median_interval: Interval {
                level,
                low: f64::NAN,
                high: f64::NAN,
            },
            at_risk_least: f64::INFINITY,
        };
        for moment in moments(&request.times, &request.events) {
            if moment.events > 0.0 {
                survival *= 1.0 - moment.events / moment.at_risk;
                hazard_sum += moment.events / (moment.at_risk * (moment.at_risk - moment.events));
                curve.at_risk_least = moment.at_risk;
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
            first(&mut curve.median, survival);
            first(&mut curve.median_interval.low, interval.low);
            first(&mut curve.median_interval.high, interval.high);
            curve.rows.push(
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
        curve
    }

    /// Leaves at most as many rows as an answer may have; says so if any were left out.
    fn thin_out(&mut self) -> Option<String> {
        let all = self.rows.len();
        if all <= CURVE_ROWS_MAX {
            return None;
        }
        let every = all.div_ceil(CURVE_ROWS_MAX - 1);
        let mut index = 0;
        self.rows.retain(|_| {
            index += 1;
            (index - 1) % every == 0 || index == all
        });
        Some(format!(
            "the curve has {all} times: only one in {every} and the last are listed"
        ))
    }
}

pub(crate) fn kaplan_meier(request: &KaplanMeier) -> Result<Answer, Refusal> {
    let level = request.level.check()?;
    check("", &request.times, &request.events)?;
    let mut curve = Curve::of(request, level);
    let happened: f64 = request.events.iter().sum();
    let mut notes = Vec::new();
    if happened == 0.0 {
        notes.push("no event happened: the curve stays at 1".to_owned());
    }
    if curve.median.is_nan() {
        notes.push("survival stays above one half: there is no median".to_owned());
    }
    if curve.at_risk_least < AT_RISK_FEW {
        notes.push(
            "fewer than 5 were at risk at the last events: the end of the curve is doubtful"
                .to_owned(),
        );
    }
    notes.extend(curve.thin_out());
    let how = match request.interval {
        CurveInterval::LogLog => "on the log(-log) scale",
        CurveInterval::Plain => "plain, cut at 0 and 1",
    };
    Ok(Answer {
        analysis: "kaplan_meier",
        figures: Figures::new()
            .with("n", request.times.len())
            .with("events", happened as u64)
            .with("median", curve.median)
            .with("median_interval", curve.median_interval)
            .with("curve", curve.rows),
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

/// Events seen in each group and events expected if all groups were alike.
struct Tally {
    observed: Vec<f64>,
    expected: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Tally {
    /// From times in order, each with its event and its group.
    fn of(all: &[(f64, f64, usize)], mut at_risk: Vec<f64>) -> Self {
        let k = at_risk.len();
        let mut tally = Self {
            observed: vec![0.0; k],
            expected: vec![0.0; k],
            covariance: vec![vec![0.0; k]; k],
        };
        for run in all.chunk_by(|left, right| left.0 == right.0) {
            let events: f64 = run.iter().map(|&(_, event, _)| event).sum();
            if events > 0.0 {
                tally.expect(events, &at_risk);
            }
            for &(_, event, group) in run {
                tally.observed[group] += event;
                at_risk[group] -= 1.0;
            }
        }
        tally
    }

    fn expect(&mut self, events: f64, at_risk: &[f64]) {
        let total: f64 = at_risk.iter().sum();
        let spread = if total > 1.0 {
            events * (total - events) / (total - 1.0)
        } else {
            0.0
        };
        for (i, here) in at_risk.iter().enumerate() {
            let share = here / total;
            self.expected[i] += events * share;
            for (j, there) in at_risk.iter().enumerate() {
                let same = if i == j { share } else { 0.0 };
                self.covariance[i][j] += spread * (same - share * there / total);
            }
        }
    }
}

pub(crate) fn log_rank(request: &LogRank) -> Result<Answer, Refusal> {
    let groups = &request.groups;
    checks::length("groups", groups.len(), 2, GROUPS_MAX)?;
    let mut all: Vec<(f64, f64, usize)> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        checks::name(&format!("groups[{index}].name"), &group.name)?;
        check(&format!("groups[{index}]."), &group.times, &group.events)?;
        let pairs = group.times.iter().zip(&group.events);
        all.extend(pairs.map(|(&time, &event)| (time, event, index)));
    }
    checks::length("groups", all.len(), 2, VALUES_MAX)?;
    all.sort_by(|left, right| left.0.total_cmp(&right.0));
    let sizes = groups
        .iter()
        .map(|group| group.times.len() as f64)
        .collect();
    let Tally {
        observed,
        expected,
        covariance,
    } = Tally::of(&all, sizes);
    let statistic = quadratic_form(&observed, &expected, covariance)?;
    let df = groups.len() as f64 - 1.0;
    let rows: Vec<Figures> = (0..groups.len())
        .map(|index| {
            Figures::new()
                .with("name", groups[index].name.as_str())
                .with("n", groups[index].times.len())
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
