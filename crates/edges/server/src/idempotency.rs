//! A request that is sent again does its work once: who sends the same `Idempotency-Key` means the same request.

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Command, CommandId, Millis, MissionId, Timestamp};
use adjutant_store::{RecordKind, TenantStore};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
            format!(
                "the Idempotency-Key must have 1 to {KEY_BYTES_MAX} printable ASCII characters"
            ),
            "Send a new UUID with every new request, and the same UUID when you retry it.",
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

/// What was answered to a request that started no mission.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Answered {
    at: Timestamp,
    asked: String,
    answer: Value,
}

/// What all that is kept of requests has in common.
#[derive(Debug, Clone, Deserialize)]
struct Dated {
    at: Timestamp,
}

/// A request that may have come before: by whom, where to, and with which key.
pub(crate) struct Asked {
    /// Under which name its answer is kept; none without a key.
    name: Option<String>,
    digest: String,
    bits: Option<u128>,
}

impl Asked {
    pub(crate) fn of(
        caller: &str,
        route: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Self, Problem> {
        let context = "adjutant 2026-11 answer of an idempotency key";
        let bits = key_of(headers)?.map(|key| hashed(context, &[caller, route, &key]));
        Ok(Self {
            name: bits.map(|bits| format!("{bits:032x}")),
            digest: digest_of(body),
            bits,
        })
    }

    /// The same number for the same request, for ids of what it makes; none without a key.
    pub(crate) fn bits(&self) -> Option<u128> {
        self.bits
    }

    /// What was answered when it came before.
    pub(crate) async fn before<T: TenantStore>(
        &self,
        journal: &TenantJournal<T>,
    ) -> Result<Option<Value>, Problem> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        let before: Option<Answered> = journal.record(RecordKind::Request, name).await?;
        match before {
            Some(before) if before.asked != self.digest => Err(another_request()),
            before => Ok(before.map(|before| before.answer)),
        }
    }

    /// Keeps the answer, for when it comes again.
    pub(crate) async fn keep<T: TenantStore>(
        self,
        journal: &TenantJournal<T>,
        now: Timestamp,
        answer: &Value,
    ) -> Result<(), Problem> {
        let Some(name) = &self.name else {
            return Ok(());
        };
        let answered = Answered {
            at: now,
            asked: self.digest,
            answer: answer.clone(),
        };
        let kept = journal.put_record(RecordKind::Request, name, &answered);
        Ok(kept.await?)
    }
}

/// Forgets keys that nobody repeats any more. To be called now and then.
pub(crate) async fn forget_old<T: TenantStore>(
    journal: &TenantJournal<T>,
    now: Timestamp,
) -> Result<(), JournalError> {
    let kept: Vec<(String, Dated)> = journal.records(RecordKind::Request).await?;
    for (name, dated) in kept {
        if now.since(dated.at) >= KEPT {
            journal.drop_record(RecordKind::Request, &name).await?;
        }
    }
    Ok(())
}

/// What stands for a request's content.
fn digest_of(asked: &[u8]) -> String {
    blake3::hash(asked).to_hex().to_string()
}

pub(crate) fn another_request() -> Problem {
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "ADJ-9003",
        "this Idempotency-Key was already used for a different request",
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
