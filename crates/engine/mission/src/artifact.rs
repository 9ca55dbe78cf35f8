//! Artifacts are versioned results, addressed `artifact:{mission}/{name}`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::ids::IdError;
use crate::{MissionId, TaskKey};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArtifactAddress {
    pub mission: MissionId,
    pub name: TaskKey,
}

impl fmt::Display for ArtifactAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "artifact:{}/{}", self.mission, self.name)
    }
}

impl FromStr for ArtifactAddress {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        let wrong = || IdError::Form {
            text: String::from(text),
            prefix: "artifact:",
        };
        let (mission, name) = text
            .strip_prefix("artifact:")
            .and_then(|rest| rest.split_once('/'))
            .ok_or_else(wrong)?;
        Ok(Self {
            mission: mission.parse()?,
            name: TaskKey::new(name.to_owned())?,
        })
    }
}
