//! New ids: time from the clock, the rest from the system's randomness. What a trigger does has ids that follow from
//! the trigger and the time it fires for, so that doing it again is doing it once.

use adjutant_journal::JournalError;
use adjutant_mission::{CommandId, MissionId, Timestamp, TriggerId};

use crate::HostError;

fn parts(now: Timestamp) -> Result<(u64, u128), HostError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| JournalError::NoRandomness)?;
    Ok((
        u64::try_from(now.0).unwrap_or(0),
        u128::from_le_bytes(bytes),
    ))
}

pub fn new_mission_id(now: Timestamp) -> Result<MissionId, HostError> {
    parts(now).map(|(ms, entropy)| MissionId::from_parts(ms, entropy))
}

pub fn new_command_id(now: Timestamp) -> Result<CommandId, HostError> {
    parts(now).map(|(ms, entropy)| CommandId::from_parts(ms, entropy))
}

pub fn new_trigger_id(now: Timestamp) -> Result<TriggerId, HostError> {
    parts(now).map(|(ms, entropy)| TriggerId::from_parts(ms, entropy))
}

fn parts_of_fire(context: &str, trigger: TriggerId, at: Timestamp) -> (u64, u128) {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    hasher.update(&trigger.bits().to_le_bytes());
    hasher.update(&at.0.to_le_bytes());
    let mut bytes = [0u8; 16];
    hasher.finalize_xof().fill(&mut bytes);
    (u64::try_from(at.0).unwrap_or(0), u128::from_le_bytes(bytes))
}

/// The mission that a trigger starts when it fires for this time.
pub fn mission_of_fire(trigger: TriggerId, at: Timestamp) -> MissionId {
    let (ms, entropy) = parts_of_fire("adjutant trigger mission v1", trigger, at);
    MissionId::from_parts(ms, entropy)
}

/// The command that a trigger gives when it fires for this time.
pub(crate) fn command_of_fire(trigger: TriggerId, at: Timestamp) -> CommandId {
    let (ms, entropy) = parts_of_fire("adjutant trigger command v1", trigger, at);
    CommandId::from_parts(ms, entropy)
}

/// The trigger that a mission leaves behind.
pub(crate) fn trigger_left_by(mission: MissionId) -> TriggerId {
    let mut hasher = blake3::Hasher::new_derive_key("adjutant trigger left by mission v1");
    hasher.update(&mission.bits().to_le_bytes());
    let mut bytes = [0u8; 16];
    hasher.finalize_xof().fill(&mut bytes);
    TriggerId::from_bits(u128::from_le_bytes(bytes))
}
