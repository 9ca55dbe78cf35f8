//! The child process of the sandbox, for tests. In the product `adjutant` itself takes this part.

use std::process::ExitCode;

fn main() -> ExitCode {
    match adjutant_sandbox::supervise() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
