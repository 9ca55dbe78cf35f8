//! A local server that answers as model providers do, in OpenAI's format and in Anthropic's, by a script: properly, or
//! wrongly in every way there is. For tests; it never judges what it is asked.

mod anthropic;
mod http;
mod misbehaviour;
mod openai;
mod reply;
mod server;

pub use misbehaviour::Misbehaviour;
pub use reply::{Answer, Call, Finish, Reply, Usage};
pub use server::{Format, Received, Server};
