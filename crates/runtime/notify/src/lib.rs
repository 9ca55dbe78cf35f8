//! Who is told of open checkpoints and endings, when, and how.
//!
//! Nothing here knows a store or decides anything about a mission. What is owed to whom is computed by the host;
//! this crate says which channel wants it, when it may go out, what it says, and what became of one try.

mod answer_link;
mod channel;
mod compose;
mod email;
mod notice;
mod quiet;
mod redacted;
mod send;
mod signature;
mod webhook;

pub use adjutant_mission::notices::{
    About, ChannelState, Look, Progress, Sent, State, Subject, TRIES_MAX, pause_after,
};
pub use answer_link::{AnswerKey, AnswerLink, PublicUrl, PublicUrlError};
pub use channel::{Carrier, Channel, ChannelName, NameError, Tells};
pub use compose::{subject_line, text};
pub use email::{Email, EmailError, Login, Security};
pub use notice::{Notice, What};
pub use quiet::{QuietError, QuietHours, Urgent};
pub use redacted::Content;
pub use send::Sender;
pub use signature::{REPLAY_TOLERANCE, Secret, SecretError, Unverified, sign, verify};
pub use webhook::{Plain, Webhook, WebhookError};

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#[path = "tests/mod.rs"]
mod tests;
