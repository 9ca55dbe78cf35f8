//! The child process on its own, for tests. In the product `adjutant` itself takes this part.

use std::process::ExitCode;

fn main() -> ExitCode {
    match adjutant_import::serve(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
