//! What is told.

use adjutant_mission::notices::{About, Subject};
use adjutant_mission::{Checkpoint, Ending, MissionId, TenantId, Timestamp};

/// A notice with all it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub tenant: TenantId,
    pub at: Timestamp,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    CheckpointOpened {
        mission: MissionId,
        title: String,
        checkpoint: Box<Checkpoint>,
    },
    MissionEnded {
        mission: MissionId,
        title: String,
        ending: Ending,
    },
    /// Nothing happened: somebody wants to see whether the channel works.
    Test,
}

impl Notice {
    /// The same for every try, so that a receiver can drop repeats.
    pub fn id(&self) -> String {
        match &self.what {
            What::CheckpointOpened {
                mission,
                checkpoint,
                ..
            } => About::checkpoint(*mission, checkpoint, self.at)
                .subject
                .to_string(),
            What::MissionEnded { mission, .. } => Subject::Ending(*mission).to_string(),
            What::Test => format!("test-{}", self.at.0),
        }
    }
}
