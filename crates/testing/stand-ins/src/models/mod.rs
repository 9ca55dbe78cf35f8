//! A local server that answers as model providers do, in OpenAI's format and in Anthropic's, by a script: properly, or
//! wrongly in every way there is. A script may read what it is asked and answer from it: see [`Asked`]. For tests.

mod anthropic;
mod asked;
mod http;
mod misbehaviour;
mod openai;
mod reader;
mod reply;
mod server;

pub use asked::{Asked, EarlierThought, Given};
pub use misbehaviour::Misbehaviour;
pub use reply::{Answer, Call, Finish, Reply, Usage};
pub use server::{Format, Received, Server};
