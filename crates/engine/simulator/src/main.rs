//! `adjutant-sim`: runs seeds through the simulator on every core and prints the first law that breaks.
//! Reads arguments, counts, prints; all judgement is in the library.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use adjutant_simulator::{
    CoverageItem, Crashes, Report, Violation, replay, try_every_boundary, try_seed,
};

const USAGE: &str = "usage: adjutant-sim [--seeds N] [--from K] [--seconds T] [--exhaustive]
       adjutant-sim --seed S[:BOUNDARY] [--trace] [--exhaustive]";
/// From this many seeds on, something no run has seen is a failure of the generator.
const SEEDS_FOR_COVERAGE: u64 = 2_000;

#[derive(Debug)]
struct Arguments {
    seeds: u64,
    from: u64,
    seconds: Option<u64>,
    one: Option<(u64, Crashes)>,
    exhaustive: bool,
    trace: bool,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        seeds: SEEDS_FOR_COVERAGE,
        from: 0,
        seconds: None,
        one: None,
        exhaustive: false,
        trace: false,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| {
            text.parse::<u64>()
                .map_err(|_| format!("`{text}` is no number"))
        };
        match word.as_str() {
            "--seeds" => arguments.seeds = number(value()?)?,
            "--from" => arguments.from = number(value()?)?,
            "--seconds" => {
                arguments.seconds = Some(number(value()?)?);
                arguments.seeds = u64::MAX - arguments.from;
            }
            "--seed" => {
                let text = value()?;
                let (seed, crashes) = match text.split_once(':') {
                    None => (text, Crashes::Random),
                    Some((seed, "never")) => (seed.into(), Crashes::Never),
                    Some((seed, at)) => (seed.into(), Crashes::At(number(at.into())?)),
                };
                arguments.one = Some((number(seed)?, crashes));
            }
            "--exhaustive" => arguments.exhaustive = true,
            "--trace" => arguments.trace = true,
            _ => return Err(format!("`{word}` is not an argument\n{USAGE}")),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match arguments.one {
        Some((seed, crashes)) => one_seed(seed, crashes, &arguments),
        None => many_seeds(&arguments),
    }
}

fn one_seed(seed: u64, crashes: Crashes, arguments: &Arguments) -> ExitCode {
    let began = Instant::now();
    let mut report = Report::default();
    let ran = if arguments.exhaustive {
        try_every_boundary(seed, &mut report)
    } else {
        try_seed(seed, crashes, &mut report)
    };
    if arguments.trace && ran.is_ok() {
        for line in replay(seed, crashes).0 {
            println!("  | {line}");
        }
    }
    conclude(&report, ran.err(), began, arguments)
}

/// Seeds are handed out one by one, so that no core waits for another.
fn many_seeds(arguments: &Arguments) -> ExitCode {
    let began = Instant::now();
    let last = arguments.from.saturating_add(arguments.seeds);
    let until = arguments
        .seconds
        .map(|seconds| began + Duration::from_secs(seconds));
    let next = AtomicU64::new(arguments.from);
    let stop = AtomicBool::new(false);
    let found = Mutex::new((Report::default(), None::<Box<Violation>>));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut report = Report::default();
                let mut violation = None;
                while violation.is_none() && !stop.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= last || until.is_some_and(|until| Instant::now() >= until) {
                        break;
                    }
                    let ran = if arguments.exhaustive {
                        try_every_boundary(seed, &mut report)
                    } else {
                        try_seed(seed, Crashes::Random, &mut report)
                    };
                    violation = ran.err();
                    progress(seed - arguments.from, began);
                }
                if violation.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
                if let Ok(mut found) = found.lock() {
                    found.0.add(&report);
                    found.1 = found.1.take().or(violation);
                }
            });
        }
    });
    let (report, violation) = found.into_inner().unwrap_or_default();
    conclude(&report, violation, began, arguments)
}

fn progress(done: u64, began: Instant) {
    const EVERY: u64 = 1_000;
    if done > 0 && done.is_multiple_of(EVERY) {
        let seconds = began.elapsed().as_secs_f32();
        eprint!(
            "\r{done} seeds, {:.0} a second ",
            done as f32 / seconds.max(0.001)
        );
    }
}

fn conclude(
    report: &Report,
    violation: Option<Box<Violation>>,
    began: Instant,
    arguments: &Arguments,
) -> ExitCode {
    eprintln!();
    let unseen = if report.runs >= SEEDS_FOR_COVERAGE && !arguments.exhaustive {
        report.coverage.unseen()
    } else {
        Vec::new()
    };
    if report.runs >= 100 {
        let mut line = String::from("runs that saw:");
        for item in CoverageItem::ALL {
            line.push_str(&format!(" {}={}", item.name(), report.coverage.runs(*item)));
        }
        println!("{line}");
    }
    if let Some(violation) = &violation {
        println!("{violation}");
    }
    if !unseen.is_empty() {
        println!("the generator no longer reaches: {}", unseen.join(", "));
    }
    println!(
        "{} runs, {} events checked, {} crashes, {} commands, {} boundaries, {:.1} s",
        report.runs,
        report.events,
        report.crashes,
        report.decisions,
        report.boundaries,
        began.elapsed().as_secs_f32()
    );
    if violation.is_some() || !unseen.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
