//! A channel: a way out of the house, and what goes through it.

use std::fmt;

use adjutant_mission::{Role, TenantId, Timestamp};

use crate::{About, Content, Email, QuietHours, Subject, Webhook};

/// Longest name of a channel: it is part of the name of records, and of messages' ids.
const NAME_LENGTH_MAX: usize = 40;

/// How a channel is called, in settings, in records and on the screen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelName(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a channel's name has 1 to {NAME_LENGTH_MAX} letters, digits, `_` or `-`")]
pub struct NameError;

impl ChannelName {
    pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
        let text = text.into();
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if text.is_empty() || text.len() > NAME_LENGTH_MAX || !text.chars().all(fits) {
            return Err(NameError);
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Under which name a record tells how far this channel is with a notice.
    pub fn record(&self, subject: Subject) -> String {
        format!("{self}/{subject}")
    }

    /// The channel and the notice that a record is about.
    pub fn of_record(name: &str) -> Option<(Self, Subject)> {
        let (channel, subject) = name.split_once('/')?;
        Some((Self::new(channel).ok()?, subject.parse().ok()?))
    }
}

impl fmt::Display for ChannelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a channel tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    Checkpoints,
    Endings,
    Both,
}

impl Tells {
    pub fn checkpoints(self) -> bool {
        self != Self::Endings
    }

    pub fn endings(self) -> bool {
        self != Self::Checkpoints
    }
}

#[derive(Debug, Clone)]
pub struct Channel {
    pub name: ChannelName,
    /// Whose missions it tells of. Nothing of another tenant ever goes through it.
    pub tenant: TenantId,
    /// Roles that it reaches; empty means everyone.
    pub roles: Vec<Role>,
    pub tells: Tells,
    pub quiet: Option<QuietHours>,
    pub content: Content,
    pub carrier: Carrier,
}

#[derive(Debug, Clone)]
pub enum Carrier {
    Webhook(Webhook),
    Email(Box<Email>),
    /// The bell of a terminal that follows missions. It is rung on the spot or not at all.
    Terminal,
    /// Something is missing, such as its secret. What it owes is kept until it can be sent.
    Unusable {
        why: String,
    },
}

impl Channel {
    /// Whether a notice of this channel's tenant is for whom it reaches. A question that names no role is for
    /// everyone; so is an ending.
    pub fn takes(&self, about: &About) -> bool {
        let wanted = match about.subject {
            Subject::Checkpoint(_) => self.tells.checkpoints(),
            Subject::Ending(_) => self.tells.endings(),
        };
        let reached = match &about.role {
            None => true,
            Some(role) => self.roles.is_empty() || self.roles.contains(role),
        };
        wanted && reached
    }

    /// When a notice that could go out now may: now, or at the end of quiet hours.
    pub fn not_before(&self, now: Timestamp, about: &About) -> Timestamp {
        match &self.quiet {
            Some(quiet) => quiet.not_before(now, about),
            None => now,
        }
    }
}
