//! The address in a mail under which one person answers one question.
//!
//! **Invariant:** A link opens one question, for the person and the address that it was mailed to, and for nobody else.
//! Nothing about it is stored: it is computed when the mail is written, and again when somebody comes with it. A link
//! stops working when its tenant, channel, person, address or key changes.

use adjutant_mission::{AgentId, Checkpoint, CheckpointId, Role, TenantId};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use ring::hmac;

use crate::webhook::is_loopback;
use crate::{ChannelName, Content};

/// Where the server has its page for answers.
const PATH: &str = "/answer/";
/// What a tag is made for: no other use of the key gives the same one.
const LINK: &str = "adjutant 2026-11 answer link";
const KEY: &str = "adjutant 2026-11 key of answer links";
/// The longest channel name and question id, and a tag, have less. What is longer is not looked at.
const TOKEN_BYTES_MAX: usize = 200;

/// Where browsers reach a server: a scheme, a host and maybe a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: String,
    host: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    #[error("it is not a valid address: {why}")]
    Unreadable { why: String },
    #[error("it begins with `{scheme}:` instead of `https:`")]
    Scheme { scheme: String },
    #[error("plain `http:` is permitted to this machine only, because links in mails are secret")]
    Plain,
    #[error("it has {what}; give only the scheme, the host and, if needed, the port")]
    More { what: &'static str },
}

impl PublicUrl {
    pub fn parse(text: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(text.trim()).map_err(|error| PublicUrlError::Unreadable {
            why: error.to_string(),
        })?;
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(url.host_str()) => {}
            "http" => return Err(PublicUrlError::Plain),
            scheme => {
                let scheme = scheme.into();
                return Err(PublicUrlError::Scheme { scheme });
            }
        }
        let more = [
            (
                !url.username().is_empty() || url.password().is_some(),
                "credentials",
            ),
            (url.path() != "/", "a path"),
            (url.query().is_some(), "a query"),
            (url.fragment().is_some(), "a fragment"),
        ];
        if let Some((_, what)) = more.into_iter().find(|(has, _)| *has) {
            return Err(PublicUrlError::More { what });
        }
        let host = url.host_str().unwrap_or_default();
        Ok(Self {
            scheme: url.scheme().into(),
            host: match url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.into(),
            },
        })
    }

    /// The host, and the port if it is not the usual one: what a browser names as the host it asks.
    pub fn host(&self) -> &str {
        &self.host
    }
}

/// What all links of a store are made with. Never shown.
#[derive(Clone)]
pub struct AnswerKey(hmac::Key);

impl std::fmt::Debug for AnswerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnswerKey(…)")
    }
}

impl AnswerKey {
    /// From the master key, which all hosts of a store share: each can open what another has mailed.
    pub fn of_master(text: &str) -> Self {
        let master = hmac::Key::new(hmac::HMAC_SHA256, text.as_bytes());
        let derived = hmac::sign(&master, KEY.as_bytes());
        Self(hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()))
    }
}

/// One person who answers through one channel.
#[derive(Debug, Clone)]
pub struct AnswerLink {
    pub base: PublicUrl,
    pub key: AnswerKey,
    pub tenant: TenantId,
    pub channel: ChannelName,
    pub person: AgentId,
    /// The one address that the mails go to.
    pub address: String,
    /// In which roles the person answers.
    pub roles: Vec<Role>,
    /// What the mails show, and so the page.
    pub content: Content,
}

impl AnswerLink {
    /// Where the person answers this question. Always the same, so that a mail that is sent again has the same link.
    pub fn url(&self, checkpoint: CheckpointId) -> String {
        let tag = hmac::sign(&self.key.0, &self.signed(checkpoint));
        let tag = URL_SAFE_NO_PAD.encode(tag.as_ref());
        let PublicUrl { scheme, host } = &self.base;
        let channel = &self.channel;
        format!("{scheme}://{host}{PATH}{channel}.{checkpoint}.{tag}")
    }

    /// The question that a token opens; nothing if it is not a token of this link.
    pub fn opens(&self, token: &str) -> Option<CheckpointId> {
        if token.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let mut parts = token.split('.');
        let (channel, id, tag) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || channel != self.channel.as_str() {
            return None;
        }
        let checkpoint: CheckpointId = id.parse().ok()?;
        // An id may be written in several ways; a link has one.
        if checkpoint.to_string() != id {
            return None;
        }
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        // In constant time, as ring compares.
        hmac::verify(&self.key.0, &self.signed(checkpoint), &tag).ok()?;
        Some(checkpoint)
    }

    /// Whether the person is among those who are asked: by role, and by name where there are names.
    pub fn is_for(&self, checkpoint: &Checkpoint) -> bool {
        let in_role = match &checkpoint.role {
            Some(role) => self.roles.contains(role),
            None => true,
        };
        let approvers = checkpoint.approvers.as_ref().map(|who| &who.by);
        in_role && approvers.is_none_or(|by| by.is_empty() || by.contains(&self.person))
    }

    /// Each part with its length before it, so that no two lists of parts give the same bytes.
    fn signed(&self, checkpoint: CheckpointId) -> Vec<u8> {
        let checkpoint = checkpoint.to_string();
        let parts = [
            LINK,
            self.tenant.as_str(),
            self.channel.as_str(),
            self.person.as_str(),
            &self.address,
            &checkpoint,
        ];
        let mut signed = Vec::new();
        for part in parts {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            signed.extend_from_slice(&length.to_be_bytes());
            signed.extend_from_slice(part.as_bytes());
        }
        signed
    }
}
