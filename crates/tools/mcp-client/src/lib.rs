//! Tools of MCP servers, each with a manifest like any other tool.
//!
//! What a server says is text from outside: names, descriptions and schemas are checked and cut before they become a
//! manifest, and nothing a server does can hold up or bring down more than its own calls. Which servers there are is
//! read by the settings of the `app` crate, not here.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod connection;
mod keeper;
mod lines;
mod offer;
mod process;
mod result;
mod server;
mod servers;
mod settings;
mod tool;
mod watch;
mod web;

pub use connection::ConnectError;
pub use keeper::{Keeper, keep};
pub use offer::{AtFault, LeftOut};
pub use servers::{Servers, Standing};
pub use settings::{Allowed, NAME_CHARS_MAX, Reach, Secret, ServerSettings, SettingsError};
pub use tool::RemoteTool;
