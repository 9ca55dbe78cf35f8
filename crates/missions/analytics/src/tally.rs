//! Counts of many missions added up, and the figures that they come to.

use adjutant_mission::EndingPhase;

use crate::count::{CheckCount, MissionCount, WorkCount};
use crate::figure::{Figure, percentile};
use crate::group::{Estimated, Judged, Opinion};
use crate::measure::{MEASURES, Measure};

/// Confidences are told apart by tenths.
const BINS: usize = 10;
const PPM: u64 = 1_000_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) missions: u64,
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) cancelled: u64,
    waits: Vec<u64>,
    durations: Vec<u64>,
    work: WorkCount,
    checks: CheckCount,
    micro_usd: u64,
    estimated: u64,
    estimated_micro_usd: u64,
    spent_of_estimated: u64,
    stars: u64,
    ratings: u64,
    useful: u64,
    marked: u64,
    bins: [Bin; BINS],
    /// It is of an agent, and not of whole missions.
    of_agent: bool,
}

/// Conclusions of one tenth of confidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bin {
    pub(crate) count: u64,
    pub(crate) said: u64,
    pub(crate) right: u64,
}

impl Tally {
    pub(crate) fn of_agent() -> Self {
        Self {
            of_agent: true,
            ..Self::default()
        }
    }

    pub(crate) fn add_mission(&mut self, count: &MissionCount, estimated: Option<Estimated>) {
        self.missions += 1;
        match count.phase {
            EndingPhase::Completed => self.completed += 1,
            EndingPhase::Failed => self.failed += 1,
            EndingPhase::Cancelled => self.cancelled += 1,
        }
        // Who did not answer in time waited at least that long.
        let waits = count
            .responses
            .iter()
            .map(|response| response.waited_millis);
        self.waits.extend(waits);
        self.durations.push(count.lasted_millis);
        self.checks.add(count.checks);
        self.micro_usd = self.micro_usd.saturating_add(count.used.money.0);
        let planned = count.planned_micro_usd;
        if let Some(expected) = estimated.map(|it| it.micro_usd_max).or(planned) {
            self.estimated += 1;
            self.estimated_micro_usd = self.estimated_micro_usd.saturating_add(expected);
            self.spent_of_estimated = self.spent_of_estimated.saturating_add(count.used.money.0);
        }
        for work in count.work.values() {
            self.work.add(work);
        }
    }

    pub(crate) fn add_work(&mut self, work: &WorkCount) {
        self.missions += 1;
        self.micro_usd = self.micro_usd.saturating_add(work.micro_usd);
        self.work.add(work);
    }

    pub(crate) fn add_opinion(&mut self, opinion: &Opinion) {
        if let Some(stars) = opinion.stars {
            self.ratings += 1;
            self.stars += u64::from(stars);
        }
        self.useful += opinion.useful;
        self.marked += opinion.useful + opinion.not_useful;
    }

    pub(crate) fn add_outcome(&mut self, judged: &Judged) {
        let said = u64::from(judged.said_ppm).min(PPM);
        let place = said / (PPM / BINS as u64);
        let place = usize::try_from(place).unwrap_or(BINS).min(BINS - 1);
        if let Some(bin) = self.bins.get_mut(place) {
            bin.count += 1;
            bin.said += said;
            bin.right += u64::from(judged.right_ppm).min(PPM);
        }
    }

    pub(crate) fn bins(&self) -> &[Bin] {
        &self.bins
    }

    pub(crate) fn figures(mut self) -> Vec<Figure> {
        self.waits.sort_unstable();
        self.durations.sort_unstable();
        MEASURES.map(|measure| self.figure(measure)).to_vec()
    }

    fn figure(&self, measure: Measure) -> Figure {
        // Whether missions end well is not an agent's doing alone.
        let ended = if self.of_agent { 0 } else { self.missions };
        match measure {
            Measure::Completion => Figure::share(measure, self.completed, ended),
            Measure::ErrorRate => Figure::share(measure, self.failed, ended),
            Measure::ResponseTime => {
                let value = percentile(&self.waits, 95).map(|millis| millis as f64);
                Figure::percentile(measure, value, self.waits.len() as u64)
            }
            Measure::Duration => {
                let value = percentile(&self.durations, 50).map(|millis| millis as f64);
                Figure::value(measure, value, self.durations.len() as u64)
            }
            Measure::EventLatency => Figure::value(measure, None, 0),
            Measure::ToolSuccess => {
                Figure::share(measure, self.work.calls_succeeded, self.work.calls)
            }
            Measure::ToolEfficiency => {
                Figure::share(measure, self.work.calls_useful, self.work.calls)
            }
            Measure::CitationAccuracy => {
                Figure::share(measure, self.work.citations_held, self.work.citations)
            }
            Measure::Compliance => {
                Figure::share(measure, self.checks.areas_passed, self.checks.areas)
            }
            Measure::Satisfaction => {
                let value = ratio(self.stars, self.ratings);
                Figure::value(measure, value, self.ratings)
            }
            Measure::InsightUsefulness => Figure::share(measure, self.useful, self.marked),
            Measure::Calibration => self.calibration(),
            Measure::Cost => {
                let value = ratio(self.micro_usd, self.missions).map(|micro| micro / 1e6);
                let figure = Figure::value(measure, value, self.missions);
                match self.of_agent {
                    true => figure.without_target(),
                    false => figure,
                }
            }
            Measure::CostAgainstEstimate => {
                let value = ratio(self.spent_of_estimated, self.estimated_micro_usd);
                let cases = if value.is_some() { self.estimated } else { 0 };
                Figure::value(measure, value, cases)
            }
            Measure::TokenAdherence => {
                let value = ratio(self.work.tokens, self.work.tokens_max);
                Figure::value(measure, value, self.work.questions)
            }
        }
    }

    /// How far what was said is from what was right, in the mean over the tenths: errors that go both ways do not cancel
    /// out.
    fn calibration(&self) -> Figure {
        let count: u64 = self.bins.iter().map(|bin| bin.count).sum();
        let apart: u64 = self
            .bins
            .iter()
            .map(|bin| bin.said.abs_diff(bin.right))
            .sum();
        let value = ratio(apart, count).map(|ppm| ppm / PPM as f64);
        Figure::value(Measure::Calibration, value, count)
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
