//! What a mission's own journal does not tell, and a look at it should: its sub-missions, and what holds it up.

use std::collections::BTreeMap;

use adjutant_mission::{
    EffectId, EffectNumber, Event, Mission, MissionId, Summary, TaskKey, WorkSpec,
};

use adjutant_host::calibration::Table;

use super::Line;

#[derive(Debug, Default)]
pub(crate) struct Around {
    /// The missions that its tasks are.
    pub(crate) children: BTreeMap<TaskKey, Summary>,
    /// What is stopped that it needs to go on, and how to allow it.
    pub(crate) held_by: Vec<Line>,
    /// How good confidences were so far.
    pub(crate) calibration: Option<Table>,
}

/// Which effect last started each task, and which mission it was of, if not of the one that is looked at.
#[derive(Debug, Default)]
pub(crate) struct Started(BTreeMap<TaskKey, (Option<MissionId>, EffectNumber)>);

impl Started {
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::TaskStarted {
                task,
                effect: Some(number),
                ..
            } => {
                self.0.insert(task.clone(), (None, *number));
            }
            Event::MissionForked { of, .. } => {
                for (owner, _) in self.0.values_mut() {
                    owner.get_or_insert(*of);
                }
            }
            _ => {}
        }
    }

    /// The missions that a mission's tasks have started.
    pub(crate) fn children(&self, mission: &Mission) -> Vec<(TaskKey, MissionId)> {
        let child = |(key, (owner, number)): (&TaskKey, &(Option<MissionId>, EffectNumber))| {
            let (task, state) = mission.task(key.as_str())?;
            if !matches!(task.work, WorkSpec::Mission(_)) {
                return None;
            }
            // What a fork finds under way it does itself.
            let own = state.effect == Some(*number);
            let owner = owner.filter(|_| !own).unwrap_or_else(|| mission.id());
            let effect = EffectId {
                mission: owner,
                number: *number,
            };
            Some((key.clone(), MissionId::of_effect(effect)))
        };
        self.0.iter().filter_map(child).collect()
    }
}
