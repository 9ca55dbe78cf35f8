//! The `adjutant` command: reads arguments, calls the use cases of the `app` crate, and shows what comes of them.
//!
//! Everything a person sees in a terminal is made here. Settings, the environment and wiring are the `app` crate's. The
//! same binary also serves as the child process that parses files, the one that supervises sandboxed programs and the one
//! that keeps MCP servers.
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
mod commands;
mod exit;
mod live;
mod output;
mod progress;
mod service_log;
mod stops_in_force;
mod surroundings;
mod text_file;
mod view;

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::process::ExitCode;

use clap::Parser;

use clap::error::ErrorKind as UsageErrorKind;

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::notes::Notes;
use adjutant_app::settings::{Environment, MCP_KEEPER};
use adjutant_app::wiring;
use args::Arguments;
use exit::Exit;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if let Some(ended) = words.next().and_then(|word| as_child(&word, words)) {
        return ended;
    }
    let mut environment = Environment::read();
    environment.notes = Notes::to(output::note);
    output::set_up(&environment);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) if !usage.use_stderr() => {
            // Help or version was asked for. Whoever closed the pipe does not want it.
            let _ = usage.print();
            return Exit::Ok.into();
        }
        Err(usage) if usage.kind() == UsageErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = usage.print();
            return Exit::BadInput.into();
        }
        Err(error) => return output::report(&view::usage_error(&error), output::Form::Text),
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
        Err(error) => Err(AppError::new(
            ErrorKind::Unavailable,
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

/// What this binary does as a process of its own, and nothing else in it.
fn as_child(word: &OsStr, words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let failed = |error: &dyn Display| {
        eprintln!("{error}");
        ExitCode::FAILURE
    };
    if word == adjutant_app::knowledge::READ_DOCUMENT {
        let served = adjutant_import::serve(std::io::stdin().lock(), std::io::stdout().lock());
        return Some(match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        });
    }
    // Runs one program where it can do no harm.
    if word == wiring::SANDBOX_CHILD {
        return Some(match adjutant_sandbox::supervise() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error),
        });
    }
    // Ends what an MCP server leaves behind.
    if word == MCP_KEEPER {
        return Some(match adjutant_mcp_client::keep(words) {
            Ok(code) => ExitCode::from(code),
            Err(error) => failed(&error),
        });
    }
    None
}
