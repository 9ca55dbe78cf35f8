//! The process that keeps a server, for tests. In the product `adjutant` itself takes this part.

use std::process::ExitCode;

fn main() -> ExitCode {
    match adjutant_mcp_client::keep(std::env::args_os().skip(1)) {
        Ok(code) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}
