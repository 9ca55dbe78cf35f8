//! `adjutant completions`: what a shell completes from.

use clap::CommandFactory;

use crate::args::Arguments;
use crate::exit::Exit;
use crate::output;
use adjutant_app::error::AppError;

pub(super) fn run(shell: clap_complete::Shell) -> Result<Exit, AppError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "adjutant", &mut script);
    output::line(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Ok)
}
