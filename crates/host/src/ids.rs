//! New ids: time from the clock, the rest from the system's randomness.

use adjutant_journal::JournalError;
use adjutant_mission::{CommandId, MissionId, Timestamp};

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
