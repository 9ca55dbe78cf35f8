//! Identifiers. Generated ids carry a prefix in text (`msn_…`); chosen names (`fetch`, `finance`) are
//! checked strings. Ids of effects and checkpoints are a mission id and a number, so that anyone who
//! holds one can find its mission, and so that they come out the same on every replay.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest chosen name, in bytes.
pub const NAME_LENGTH_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    #[error("`{text}` is not an id of the form {prefix}…")]
    Form { text: String, prefix: &'static str },
    #[error("a name has 1 to {NAME_LENGTH_MAX} characters; this one has {length}")]
    Length { length: usize },
    #[error(
        "`{character}` is not allowed in a name: use letters, digits, `_`, `-`, `.`, `:` or `@`"
    )]
    Character { character: char },
}

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 26;

fn write_base32(value: u128, out: &mut [u8; DIGITS]) {
    let mut rest = value;
    for slot in out.iter_mut().rev() {
        *slot = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
}

fn parse_base32(text: &str) -> Option<u128> {
    if text.len() != DIGITS {
        return None;
    }
    let mut value: u128 = 0;
    for byte in text.bytes() {
        let digit = ALPHABET.iter().position(|&known| known == byte)?;
        value = value.checked_mul(32)?.checked_add(digit as u128)?;
    }
    Some(value)
}

macro_rules! generated_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            /// Makes an id whose order follows time: 48 bits of milliseconds, 80 bits from `entropy`.
            pub fn from_parts(unix_ms: u64, entropy: u128) -> Self {
                Self((u128::from(unix_ms) << 80) | (entropy & ((1 << 80) - 1)))
            }

            /// When it was made, as [`Self::from_parts`] was told.
            pub const fn unix_ms(self) -> u64 {
                (self.0 >> 80) as u64
            }

            pub const fn from_bits(bits: u128) -> Self {
                Self(bits)
            }

            pub const fn bits(self) -> u128 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut digits = [0u8; DIGITS];
                write_base32(self.0, &mut digits);
                f.write_str($prefix)?;
                f.write_str(core::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix)
                    .and_then(parse_base32)
                    .map(Self)
                    .ok_or_else(|| IdError::Form { text: text.to_owned(), prefix: $prefix })
            }
        }

        text_serde!($name);
    };
}

macro_rules! text_serde {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <alloc::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

generated_id!(
    /// One mission.
    MissionId,
    "msn_"
);
generated_id!(
    /// One command from outside; the same id twice is the same command.
    CommandId,
    "cmd_"
);
generated_id!(
    /// One trigger.
    TriggerId,
    "trg_"
);

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            pub const FIRST: Self = Self(0);

            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            pub const fn get(self) -> u32 {
                self.0
            }

            /// The number after this one. The last one is followed by itself.
            pub const fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }

            pub const fn from_index(index: usize) -> Self {
                Self(index as u32)
            }

            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The first `count` numbers, in order.
            pub fn all(count: usize) -> impl Iterator<Item = Self> {
                (0..count as u32).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                u32::deserialize(from).map(Self)
            }
        }
    };
}

number!(
    /// A task's place in its mission's plan.
    TaskIndex
);
number!(
    /// An effect's number in its mission: they are counted from zero as they are issued.
    EffectNumber
);
number!(
    /// A checkpoint's number in its mission: they are counted from zero as they are opened.
    CheckpointNumber
);
number!(
    /// How many layers of the plan come before this one.
    LayerNumber
);

macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident, $number:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub mission: MissionId,
            pub number: $number,
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut digits = [0u8; DIGITS];
                write_base32(self.mission.0, &mut digits);
                let text = core::str::from_utf8(&digits).map_err(|_| fmt::Error)?;
                write!(f, concat!($prefix, "{}-{}"), text, self.number)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix)
                    .and_then(|rest| rest.split_once('-'))
                    .and_then(|(mission, number)| {
                        Some(Self {
                            mission: MissionId(parse_base32(mission)?),
                            number: $number(number.parse().ok()?),
                        })
                    })
                    .ok_or_else(|| IdError::Form { text: text.to_owned(), prefix: $prefix })
            }
        }

        text_serde!($name);
    };
}

numbered_id!(
    /// One effect: the idempotency key that travels with every performance of it.
    EffectId,
    EffectNumber,
    "eff_"
);
numbered_id!(
    /// One question put to a human.
    CheckpointId,
    CheckpointNumber,
    "chk_"
);

/// What a name may hold besides letters and digits.
const NAME_MARKS: &str = "_-.:@";

macro_rules! chosen_name {
    ($(#[$doc:meta])* $name:ident) => {
        chosen_name!($(#[$doc])* $name, NAME_MARKS);
    };
    ($(#[$doc:meta])* $name:ident, $marks:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                if text.is_empty() || text.len() > NAME_LENGTH_MAX {
                    return Err(IdError::Length { length: text.len() });
                }
                let allowed = |c: char| c.is_ascii_alphanumeric() || $marks.contains(c);
                match text.chars().find(|&c| !allowed(c)) {
                    Some(character) => Err(IdError::Character { character }),
                    None => Ok(Self(text)),
                }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl core::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(from)?).map_err(D::Error::custom)
            }
        }
    };
}

chosen_name!(
    /// Who owns data and work. Every mission, event and query belongs to exactly one.
    TenantId
);
chosen_name!(
    /// A department of a tenant.
    DepartmentId
);
chosen_name!(
    /// A team of a department.
    TeamId
);
chosen_name!(
    /// A campaign: missions that belong together over days.
    CampaignId
);
chosen_name!(
    /// A task's name inside its plan.
    TaskKey
);
chosen_name!(
    /// A tool's id in the registry.
    ToolId
);
impl ToolId {
    /// What stands for a route of questions that is too long for a name: its FNV-1a hash.
    pub(crate) fn of_long(level: &str, route: &str) -> Self {
        let hash = route.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(alloc::format!("ask:{level}.h:{hash:016x}"))
    }
}

chosen_name!(
    /// Somebody who answers questions to models.
    ProviderId
);
chosen_name!(
    /// What a question to a model is for.
    PurposeId
);
chosen_name!(
    /// A field of knowledge.
    DomainId
);
chosen_name!(
    /// A model with its provider in front: `openai/gpt-5`.
    ModelId,
    "_-.:@/"
);
chosen_name!(
    /// An agent's persistent identity. Humans have one too.
    AgentId
);
impl AgentId {
    /// What a host goes by in the journals it writes.
    pub(crate) fn host() -> Self {
        Self("host".to_owned())
    }
}

chosen_name!(
    /// A role that a person or agent holds.
    Role
);
chosen_name!(
    /// Something two tasks must not use at once.
    ResourceKey
);
chosen_name!(
    /// An option of a checkpoint.
    OptionKey
);
