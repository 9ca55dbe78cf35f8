//! Many runs: seeds one after the other, every boundary of one seed, and what is said when a law is broken.

use std::fmt;

use crate::coverage::Coverage;
use crate::laws::{Broken, Law};
use crate::run::{Crashes, Run, Tally};

/// A law that did not hold, and how to see it again.
#[derive(Debug, Clone)]
pub struct Violation {
    pub seed: u64,
    pub crashes: Crashes,
    pub law: Law,
    pub what: String,
    /// The last things that happened.
    pub trace: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, law, .. } = self;
        writeln!(f, "seed {seed} breaks {law}")?;
        writeln!(f, "  {}", self.what)?;
        for line in &self.trace {
            writeln!(f, "  | {line}")?;
        }
        match self.crashes {
            Crashes::Random => write!(f, "replay: make sim SEED={seed}"),
            Crashes::Never => write!(f, "replay: make sim SEED={seed}:never"),
            Crashes::At(boundary) => write!(f, "replay: make sim SEED={seed}:{boundary}"),
        }
    }
}

/// What many runs amounted to.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub runs: u64,
    pub events: u64,
    pub crashes: u64,
    pub decisions: u64,
    pub boundaries: u64,
    pub coverage: Coverage,
}

impl Report {
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.events += other.events;
        self.crashes += other.crashes;
        self.decisions += other.decisions;
        self.boundaries += other.boundaries;
        self.coverage.add(&other.coverage);
    }

    fn count(&mut self, tally: Tally) {
        self.runs += 1;
        self.events += tally.events;
        self.crashes += tally.crashes;
        self.decisions += tally.decisions;
        self.boundaries += tally.boundaries;
    }
}

/// Runs one seed and counts it.
pub fn try_seed(seed: u64, crashes: Crashes, report: &mut Report) -> Result<u64, Box<Violation>> {
    let mut coverage = std::mem::take(&mut report.coverage);
    let ran = Run::new(seed, crashes, &mut coverage).and_then(|mut run| {
        run.run()?;
        Ok(run.tally)
    });
    report.coverage = coverage;
    match ran {
        Ok(tally) => {
            report.count(tally);
            Ok(tally.boundaries)
        }
        Err(broken) => Err(Box::new(explain(seed, crashes, broken))),
    }
}

/// Kills the host at every single boundary of a seed, one run for each.
pub fn try_every_boundary(seed: u64, report: &mut Report) -> Result<u64, Box<Violation>> {
    let boundaries = try_seed(seed, Crashes::Never, report)?;
    for boundary in 0..boundaries {
        try_seed(seed, Crashes::At(boundary), report)?;
    }
    Ok(boundaries)
}

/// Runs these seeds until the first violation.
pub fn explore(
    seeds: impl IntoIterator<Item = u64>,
    report: &mut Report,
) -> Result<(), Box<Violation>> {
    for seed in seeds {
        try_seed(seed, Crashes::Random, report)?;
    }
    Ok(())
}

/// Runs a seed and returns its story: the last lines of it, and the violation if there is one.
pub fn replay(seed: u64, crashes: Crashes) -> (Vec<String>, Option<Box<Violation>>) {
    let mut coverage = Coverage::default();
    let mut run = match Run::new(seed, crashes, &mut coverage) {
        Ok(run) => run.with_trace(),
        Err(broken) => {
            return (
                Vec::new(),
                Some(Box::new(violation(seed, crashes, broken, Vec::new()))),
            );
        }
    };
    let ran = run.run();
    let trace = run.take_trace();
    let found = ran
        .err()
        .map(|broken| Box::new(violation(seed, crashes, broken, trace.clone())));
    (trace, found)
}

/// Runs a failed seed once more to tell its story.
fn explain(seed: u64, crashes: Crashes, broken: Broken) -> Violation {
    match replay(seed, crashes) {
        (_, Some(violation)) => *violation,
        (trace, None) => violation(seed, crashes, broken, trace),
    }
}

fn violation(seed: u64, crashes: Crashes, broken: Broken, trace: Vec<String>) -> Violation {
    Violation {
        seed,
        crashes,
        law: broken.law,
        what: broken.what,
        trace,
    }
}
