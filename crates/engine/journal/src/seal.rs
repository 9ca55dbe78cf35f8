//! Sealing bytes: AES-256-GCM under a key, bound to the place they belong to.
//!
//! Sealed bytes begin with their format, 1, then the nonce, then the ciphertext with its tag. What a seal is
//! bound to (whose it is, which mission, what it is there for) is not stored but must be said again to open it,
//! so nothing sealed can be moved somewhere else.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use zeroize::Zeroizing;

use crate::JournalError;

pub(crate) const FORMAT: u8 = 1;
const NONCE_BYTES: usize = 12;
const TAG_BYTES: usize = 16;

/// A key in memory, wiped when it is dropped.
#[derive(Clone)]
pub(crate) struct Secret(Zeroizing<[u8; 32]>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    pub(crate) fn random() -> Result<Self, JournalError> {
        let mut bytes = [0; 32];
        fill(&mut bytes)?;
        Ok(Self::new(bytes))
    }

    pub(crate) fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::new)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Another key, for another purpose, that tells nothing of this one.
    pub(crate) fn derive(&self, purpose: &str) -> Self {
        Self::new(blake3::derive_key(purpose, self.bytes()))
    }

    fn cipher(&self) -> Option<LessSafeKey> {
        let key = UnboundKey::new(&AES_256_GCM, self.bytes()).ok()?;
        Some(LessSafeKey::new(key))
    }
}

pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), JournalError> {
    SystemRandom::new()
        .fill(bytes)
        .map_err(|_| JournalError::NoRandomness)
}

/// Seals with a nonce of its own. At 2^32 seals under one key, chance would begin to matter; no mission has as
/// many events.
pub(crate) fn seal(secret: &Secret, bound: &[u8], plain: &[u8]) -> Result<Vec<u8>, JournalError> {
    let mut nonce = [0; NONCE_BYTES];
    fill(&mut nonce)?;
    seal_with(secret, nonce, bound, plain)
}

pub(crate) fn seal_with(
    secret: &Secret,
    nonce: [u8; NONCE_BYTES],
    bound: &[u8],
    plain: &[u8],
) -> Result<Vec<u8>, JournalError> {
    let mut sealed = Vec::with_capacity(1 + NONCE_BYTES + plain.len() + TAG_BYTES);
    sealed.push(FORMAT);
    sealed.extend_from_slice(&nonce);
    let mut body = plain.to_vec();
    let cipher = secret.cipher().ok_or(JournalError::NotSealed)?;
    let nonce = Nonce::assume_unique_for_key(nonce);
    cipher
        .seal_in_place_append_tag(nonce, Aad::from(bound), &mut body)
        .map_err(|_| JournalError::NotSealed)?;
    sealed.append(&mut body);
    Ok(sealed)
}

pub(crate) fn is_sealed(bytes: &[u8]) -> bool {
    bytes.first() == Some(&FORMAT)
}

/// Opens what was sealed for the same place; `None` if it was not, or was altered.
pub(crate) fn open(secret: &Secret, bound: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let rest = sealed.strip_prefix(&[FORMAT])?;
    let (nonce, body) = rest.split_at_checked(NONCE_BYTES)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut body = body.to_vec();
    let plain = secret
        .cipher()?
        .open_in_place(nonce, Aad::from(bound), &mut body)
        .ok()?;
    let length = plain.len();
    body.truncate(length);
    Some(body)
}

/// Parts joined so that no two lists of parts read alike.
pub(crate) fn bound(parts: &[&[u8]]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
    for part in parts {
        joined.extend_from_slice(&(part.len() as u64).to_le_bytes());
        joined.extend_from_slice(part);
    }
    joined
}
