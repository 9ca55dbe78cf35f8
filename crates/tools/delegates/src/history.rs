//! What the journal of a mission knows of earlier runs.

use std::collections::BTreeSet;
use std::fmt;

use adjutant_mission::{EffectId, EffectNumber, Event, Recorded, TaskKey, TenantId};
use adjutant_tools::{BoxFuture, ToolFailure};

/// Where earlier runs are looked up.
pub trait RunHistory: fmt::Debug + Send + Sync {
    /// Whether a run for the same task was lost, and no person has sent the task back to work since.
    fn has_lost_run(
        &self,
        tenant: TenantId,
        effect: EffectId,
    ) -> BoxFuture<'_, Result<bool, ToolFailure>>;
}

/// Whether a run for the task of `effect` was lost, and no person has sent the task back to work since.
pub fn lost_run_is_undecided(events: &[Recorded], effect: EffectNumber) -> bool {
    let Some(task) = task_of(events, effect) else {
        return false;
    };
    let mut runs = BTreeSet::new();
    let mut lost = false;
    for recorded in events {
        match &recorded.event {
            Event::TaskStarted {
                task: started,
                effect: Some(number),
                ..
            } if started == task => {
                runs.insert(*number);
            }
            Event::EffectLost { effect: number } if runs.contains(number) => lost = true,
            Event::TaskRequeued { task: requeued } if requeued == task => lost = false,
            _ => {}
        }
    }
    lost
}

fn task_of(events: &[Recorded], effect: EffectNumber) -> Option<&TaskKey> {
    events
        .iter()
        .rev()
        .find_map(|recorded| match &recorded.event {
            Event::TaskStarted {
                task,
                effect: Some(number),
                ..
            } if *number == effect => Some(task),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use adjutant_mission::{Timestamp, Usage, Zone};

    use super::*;

    fn journal(events: Vec<Event>) -> Vec<Recorded> {
        let recorded = (1..).zip(events).map(|(seq, event)| Recorded {
            seq,
            at: Timestamp(0),
            actor: None,
            cause: None,
            zone: Zone::Platform,
            event,
        });
        recorded.collect()
    }

    fn started(task: &str, effect: u32) -> Event {
        Event::TaskStarted {
            task: TaskKey::new(task).unwrap(),
            effect: Some(EffectNumber::new(effect)),
            attempt: 1,
            reserved: Usage::NONE,
        }
    }

    fn lost(effect: u32) -> Event {
        Event::EffectLost {
            effect: EffectNumber::new(effect),
        }
    }

    fn requeued(task: &str) -> Event {
        Event::TaskRequeued {
            task: TaskKey::new(task).unwrap(),
        }
    }

    #[test]
    fn a_lost_run_is_asked_about_until_a_person_has_decided() {
        for (events, effect, asked) in [
            (vec![started("a", 0)], 0, false),
            (vec![started("a", 0), lost(0), started("a", 1)], 1, true),
            // Killed again while it was asking.
            (
                vec![
                    started("a", 0),
                    lost(0),
                    started("a", 1),
                    lost(1),
                    started("a", 2),
                ],
                2,
                true,
            ),
            (
                vec![
                    started("a", 0),
                    lost(0),
                    started("a", 1),
                    requeued("a"),
                    started("a", 2),
                ],
                2,
                false,
            ),
            // What was decided holds for the run that was lost, not for the next one.
            (
                vec![
                    started("a", 0),
                    lost(0),
                    requeued("a"),
                    started("a", 1),
                    lost(1),
                    started("a", 2),
                ],
                2,
                true,
            ),
            // Other tasks have nothing to do with it.
            (vec![started("b", 0), lost(0), started("a", 1)], 1, false),
            (
                vec![started("a", 0), lost(0), requeued("b"), started("a", 1)],
                1,
                true,
            ),
            (vec![], 7, false),
        ] {
            let found = lost_run_is_undecided(&journal(events), EffectNumber::new(effect));
            assert_eq!(found, asked, "{effect}");
        }
    }
}
