//! A request that is sent again does its work once: who sends the same `Idempotency-Key` means the same request.

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Command, CommandId, Millis, MissionId, Timestamp};
use adjutant_store::{RecordKind, TenantStore};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};

use crate::Problem;

const HEADER: &str = "idempotency-key";
const KEY_BYTES_MAX: usize = 255;
/// How long a request may be repeated.
const KEPT: Millis = Millis::hours(48);

/// The key that a request came with, if it came with one.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(HEADER) else {
        return Ok(None);
    };
    let text = value.to_str().ok().filter(|text| !text.is_empty());
    let is_plain = |text: &&str| {
        text.len() <= KEY_BYTES_MAX && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match text.filter(is_plain) {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "ADJ-9002",
            format!("the Idempotency-Key is not 1 to {KEY_BYTES_MAX} plain characters"),
            "Send a new UUID with every new request, and the same one when you repeat it.",
        )),
    }
}

/// The command that a request with this key is, however often it comes. Another command with the same key is another.
pub(crate) fn command_of(
    caller: &str,
    mission: MissionId,
    command: &Command,
    key: &str,
) -> CommandId {
    let said = serde_json::to_string(command).unwrap_or_default();
    let bits = hashed(
        "adjutant 2026-11 command of an idempotency key",
        &[caller, &mission.to_string(), &said, key],
    );
    CommandId::from_bits(bits)
}

/// Under which name it is kept what a request with this key started.
pub(crate) fn record_of(caller: &str, key: &str) -> String {
    let context = "adjutant 2026-11 record of an idempotency key";
    format!("{:032x}", hashed(context, &[caller, key]))
}

/// What a request started, so that the same request starts it once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Started {
    pub(crate) mission: MissionId,
    pub(crate) at: Timestamp,
    /// Of what was asked for: the same key with another request is a mistake.
    pub(crate) asked: String,
}

/// Forgets keys that nobody repeats any more. To be called now and then.
pub(crate) async fn forget_old<T: TenantStore>(
    journal: &TenantJournal<T>,
    now: Timestamp,
) -> Result<(), JournalError> {
    let kept: Vec<(String, Started)> = journal.records(RecordKind::Request).await?;
    for (name, started) in kept {
        if now.since(started.at) >= KEPT {
            journal.drop_record(RecordKind::Request, &name).await?;
        }
    }
    Ok(())
}

/// What stands for a request's content.
pub(crate) fn digest_of(asked: &[u8]) -> String {
    blake3::hash(asked).to_hex().to_string()
}

pub(crate) fn another_request() -> Problem {
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "ADJ-9003",
        "this Idempotency-Key came with another request before",
        "Send a new key with every new request.",
    )
}

fn hashed(context: &str, parts: &[&str]) -> u128 {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut bytes = [0u8; 16];
    hasher.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}
