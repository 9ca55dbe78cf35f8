//! How long a job takes that does nothing: what the sandbox costs.
//! usage: cargo run --release --package adjutant-sandbox --example start_up

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use adjutant_sandbox::{Job, Program, Sandbox, supervise};

const RUNS: usize = 50;
const CHILD: &str = "child";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if std::env::args().nth(1).is_some_and(|word| word == CHILD) {
        supervise()?;
        return Ok(ExitCode::SUCCESS);
    }
    let sandbox = Sandbox {
        program: std::env::current_exe()?,
        arguments: vec![CHILD.into()],
    };
    let runtime = tokio::runtime::Runtime::new()?;
    for words in [&["true"][..], &["python3", "-c", "print(1)"]] {
        let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
        let inside = measure(|| {
            let job = Job::new(Program::Arguments(words.clone()));
            Ok(runtime.block_on(sandbox.run(job)).map(|_| ())?)
        })?;
        let outside = measure(|| {
            let program = adjutant_sandbox::find_program(&words[0]).ok_or("not installed")?;
            std::process::Command::new(program)
                .args(&words[1..])
                .output()?;
            Ok(())
        })?;
        println!("{words:?}: {inside:?} in the sandbox, {outside:?} without (median of {RUNS})");
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(
    mut run: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        run()?;
        times.push(began.elapsed());
    }
    times.sort();
    Ok(times[RUNS / 2])
}
