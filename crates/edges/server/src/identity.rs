//! Ids as UUIDs, for clients that know no other. A mission's id is 128 bits and stays what it is; agents and checkpoints
//! have names, and their UUIDs follow from those.

use adjutant_mission::{CheckpointId, MissionId};

const AGENT: &str = "adjutant 2026-11 agent id as uuid";
const CHECKPOINT: &str = "adjutant 2026-11 checkpoint id as uuid";

pub(crate) fn uuid_of_mission(mission: MissionId) -> String {
    text(mission.bits())
}

pub(crate) fn mission_of_uuid(text: &str) -> Option<MissionId> {
    parse(text).map(MissionId::from_bits)
}

/// The UUID that an agent always has.
pub(crate) fn uuid_of_agent(id: &str) -> String {
    text(derived(AGENT, id.as_bytes()))
}

pub(crate) fn uuid_of_checkpoint(id: CheckpointId) -> String {
    let mut bytes = [0u8; 20];
    bytes[..16].copy_from_slice(&id.mission.bits().to_be_bytes());
    bytes[16..].copy_from_slice(&id.number.get().to_be_bytes());
    text(derived(CHECKPOINT, &bytes))
}

/// Version 8, which leaves its making to whoever makes it.
fn derived(context: &str, of: &[u8]) -> u128 {
    let hash = blake3::derive_key(context, of);
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    u128::from_be_bytes(bytes)
}

fn text(bits: u128) -> String {
    let hex = format!("{bits:032x}");
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    parts.join("-")
}

fn parse(text: &str) -> Option<u128> {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = text.split('-').collect();
    let fits = parts.len() == lengths.len()
        && parts
            .iter()
            .zip(lengths)
            .all(|(part, length)| part.len() == length);
    let hex = parts.concat();
    let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    (fits && is_hex).then(|| u128::from_str_radix(&hex, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mission_comes_back_from_its_uuid() {
        let mission = MissionId::from_parts(1_790_000_000_000, 0x1234_5678_9abc);
        let uuid = uuid_of_mission(mission);
        assert_eq!(uuid.len(), 36);
        assert_eq!(mission_of_uuid(&uuid), Some(mission));
        assert_eq!(mission_of_uuid(&uuid.to_uppercase()), Some(mission));
    }

    #[test]
    fn what_is_no_uuid_is_none() {
        for text in [
            "",
            "msn_1",
            "0192-0",
            "0192aaaa-0000-0000-0000-00000000000g",
        ] {
            assert_eq!(mission_of_uuid(text), None, "{text}");
        }
        let signs = "+192aaaa-0000-0000-0000-000000000000";
        assert_eq!(mission_of_uuid(signs), None);
    }

    /// Clients keep these: a change here would break them.
    #[test]
    fn an_agent_keeps_its_uuid() {
        assert_eq!(uuid_of_agent("L2-RES"), uuid_of_agent("L2-RES"));
        assert_ne!(uuid_of_agent("L2-RES"), uuid_of_agent("L2-REG"));
        assert_eq!(uuid_of_agent("L2-RES").as_bytes()[14], b'8', "its version");
    }
}
