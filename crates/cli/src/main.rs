//! The `adjutant` command: the only place that wires everything and reads the environment.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that panics is a test that fails"
    )
)]

mod args;
mod bell;
mod bench;
mod catalogue;
mod commands;
mod embedding;
mod engine;
mod failure;
mod find;
mod library;
mod live;
mod output;
mod reading;
mod service_log;
mod settings;
mod stores;
mod text_file;
mod view;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use clap::error::ErrorKind;

use args::Arguments;
use failure::{Exit, Failure};
use settings::Environment;

fn main() -> ExitCode {
    // A process that does nothing but read one file, and may do nothing else.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == commands::READ_DOCUMENT)
    {
        let served = adjutant_documents::serve(std::io::stdin().lock(), std::io::stdout().lock());
        return match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    // A process that does nothing but run one program where it can do no harm.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == wiring::SANDBOX_CHILD)
    {
        return match adjutant_sandbox::supervise() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let environment = Environment::read();
    output::set_up(&environment);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(asked) if !asked.use_stderr() => {
            // Help or version was asked for. Whoever closed the pipe does not want it.
            let _ = asked.print();
            return Exit::Ok.into();
        }
        Err(asked) if asked.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = asked.print();
            return Exit::BadInput.into();
        }
        Err(error) => return output::report(&Failure::from(error), output::Form::Text),
    };
    let form = arguments.command.form();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build();
    let done = match runtime {
        Ok(runtime) => {
            let done = runtime.block_on(commands::run(arguments, &environment));
            // Whatever still runs has been drained or is meant to be cut off.
            runtime.shutdown_background();
            done
        }
        Err(error) => Err(Failure::new(
            Exit::Trouble,
            "ADJ-6008",
            format!("the program cannot start its threads: {error}"),
            "Check the limits of this user's processes (`ulimit -u`).",
        )),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => output::report(&failure, form),
    }
}

const WORKERS: usize = 3;
