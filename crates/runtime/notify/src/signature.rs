//! Signatures of webhooks, by the Standard Webhooks convention: `webhook-id`, `webhook-timestamp`, and
//! `webhook-signature: v1,` with an HMAC-SHA256 over the three parts that matter, joined by dots.

use adjutant_mission::{Millis, Timestamp};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use zeroize::Zeroizing;

/// How far the clock of a message may be from the receiver's. What is older may be a replay.
pub const REPLAY_TOLERANCE: Millis = Millis::seconds(5 * 60);

const PREFIX: &str = "whsec_";
const VERSION: &str = "v1";
const SECRET_BYTES_MIN: usize = 24;
const SECRET_BYTES_MAX: usize = 64;
/// Signatures that one header may offer: a sender that changes its secret sends two.
const SIGNATURES_MAX: usize = 8;

/// What sender and receiver share. Never shown.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a secret is `{PREFIX}` followed by {SECRET_BYTES_MIN} to {SECRET_BYTES_MAX} bytes in base64"
)]
pub struct SecretError;

impl Secret {
    /// Reads `whsec_…`; the prefix may be missing, the base64 may not.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let text = text.trim();
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        let bytes = Zeroizing::new(STANDARD.decode(encoded).map_err(|_| SecretError)?);
        if !(SECRET_BYTES_MIN..=SECRET_BYTES_MAX).contains(&bytes.len()) {
            return Err(SecretError);
        }
        Ok(Self(bytes))
    }

    fn key(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.0)
    }
}

fn signed(id: &str, timestamp: &str, body: &[u8]) -> Vec<u8> {
    let mut signed = format!("{id}.{timestamp}.").into_bytes();
    signed.extend_from_slice(body);
    signed
}

/// The value of `webhook-signature` for a message of that id, second and body.
pub fn sign(secret: &Secret, id: &str, timestamp: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&secret.key(), &signed(id, timestamp, body));
    format!("{VERSION},{}", STANDARD.encode(tag.as_ref()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    #[error("the timestamp is not a number of seconds")]
    NoTimestamp,
    #[error("the message is too old or from the future: it may be a replay")]
    OutOfTime,
    #[error("no signature matches the message")]
    BadSignature,
}

/// Whether a message comes from who has the secret, whole, and now. A receiver calls this with the three
/// headers and the body as it came, and drops an id that it has seen: the same notice may come twice.
pub fn verify(
    secret: &Secret,
    id: &str,
    timestamp: &str,
    signature: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<(), Unverified> {
    let seconds: i64 = timestamp.parse().map_err(|_| Unverified::NoTimestamp)?;
    let sent = Timestamp(seconds.saturating_mul(1_000));
    if now.since(sent) > REPLAY_TOLERANCE || sent.since(now) > REPLAY_TOLERANCE {
        return Err(Unverified::OutOfTime);
    }
    let (key, signed) = (secret.key(), signed(id, timestamp, body));
    let offered = signature.split(' ').take(SIGNATURES_MAX);
    let fits = offered
        .filter_map(|one| one.strip_prefix(VERSION)?.strip_prefix(','))
        .filter_map(|encoded| STANDARD.decode(encoded).ok())
        // In constant time, as ring compares.
        .any(|tag| hmac::verify(&key, &signed, &tag).is_ok());
    if fits {
        Ok(())
    } else {
        Err(Unverified::BadSignature)
    }
}
