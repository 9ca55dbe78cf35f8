//! One fire: announced, done, noted.

use adjutant_mission::{
    Command, Fired, Refused, TRY_AGAIN_MAX, Timestamp, Trigger, TriggerId, TriggerProblem,
    TriggerRecord, TriggerTarget,
};
use adjutant_store::Store;

use super::{Key, authority, timetable};
use crate::ids::{command_of_fire, mission_of_fire};
use crate::{Audited, Host, HostError};

/// Does the next thing that is due of a trigger.
pub(super) async fn fire<S: Store>(host: &Host<S>, key: &Key) -> Result<(), HostError> {
    let Some((trigger, at)) = announce(host, key).await? else {
        return Ok(());
    };
    let fired = perform(host, key, &trigger, at).await;
    let mut book = host.shared().triggers.book.lock().await;
    // It may have been cancelled meanwhile; then there is nothing to note.
    let Some(mut record) = book.get(key).cloned() else {
        return Ok(());
    };
    let now = host.clock().now();
    if matches!(fired, Fired::NotNow(_)) && host.shared().is_draining() {
        // The next host fires it.
        return Ok(());
    }
    if let Fired::Held(problem) = &fired {
        note_held(host, key, &record, problem).await?;
    }
    record.state.note(now, fired, trigger.repeat_max);
    book.keep(host, key.clone(), record).await?;
    Ok(())
}

/// Notes for the audit that a trigger is put on hold, once for as long as it is for the same reason.
async fn note_held<S: Store>(
    host: &Host<S>,
    key: &Key,
    record: &TriggerRecord,
    problem: &TriggerProblem,
) -> Result<(), HostError> {
    let held = record.state.held.as_ref();
    if held.is_some_and(|held| held.code == problem.code) {
        return Ok(());
    }
    let (tenant, id) = key;
    let what = Audited::TriggerHeld {
        trigger: *id,
        code: problem.code.clone(),
        why: problem.message.clone(),
    };
    let by = record.trigger.made_by.id.clone();
    host.note(tenant, Some(by), what).await?;
    Ok(())
}

/// Says durably what is going to be fired: what was announced before, or what is due now.
async fn announce<S: Store>(
    host: &Host<S>,
    key: &Key,
) -> Result<Option<(Trigger, Timestamp)>, HostError> {
    let mut book = host.shared().triggers.book.lock().await;
    let Some(TriggerRecord { trigger, mut state }) = book.get(key).cloned() else {
        return Ok(None);
    };
    if let Some(firing) = &state.firing {
        return Ok(Some((trigger, firing.at)));
    }
    let now = host.clock().now();
    let due = match timetable(&trigger) {
        Ok(times) => trigger.due(&state, now, |after| times.times_after(after)),
        // A zone that was there when the trigger was made is not any more.
        Err(error) => {
            state.refused(TriggerProblem {
                at: now,
                code: error.code().into(),
                message: error.to_string(),
            });
            state.next_at = Some(now.plus(TRY_AGAIN_MAX));
            let record = TriggerRecord { trigger, state };
            book.keep(host, key.clone(), record).await?;
            return Ok(None);
        }
    };
    let Some(due) = due else { return Ok(None) };
    state.announce(now, due);
    let announced = state.firing.as_ref().map(|firing| firing.at);
    let record = TriggerRecord {
        trigger: trigger.clone(),
        state,
    };
    book.keep(host, key.clone(), record).await?;
    Ok(announced.map(|at| (trigger, at)))
}

async fn perform<S: Store>(host: &Host<S>, key: &Key, trigger: &Trigger, at: Timestamp) -> Fired {
    let (tenant, id) = key;
    let problem = |error: &HostError| TriggerProblem {
        at: host.clock().now(),
        code: error.code().into(),
        message: error.chain(),
    };
    let by = match trigger.actor(*id) {
        Ok(by) => by,
        Err(error) => return Fired::Refused(problem(&unnameable(*id, &error))),
    };
    if let Err(error) = authority::check(host, tenant, trigger).await {
        return match authority::holds(&error) {
            true => Fired::Held(problem(&error)),
            false => Fired::NotNow(problem(&error)),
        };
    }
    let command = command_of_fire(*id, at);
    match &trigger.target {
        TriggerTarget::StartMission(prepared) => {
            let mission = mission_of_fire(*id, at);
            if let Err(error) = authority::count(host, tenant, trigger, mission).await {
                return Fired::NotNow(problem(&error));
            }
            let start = prepared.as_ref().clone().start(mission);
            match host.open(by, command, start).await {
                Ok(_) => Fired::Done,
                Err(error @ HostError::Refused(_)) => Fired::Refused(problem(&error)),
                Err(error) => Fired::NotNow(problem(&error)),
            }
        }
        TriggerTarget::InformMission {
            mission,
            topic,
            trust,
            body,
        } => {
            let inform = Command::Inform {
                topic: topic.clone(),
                trust: *trust,
                body: body.clone(),
            };
            match host.command(tenant, *mission, command, by, inform).await {
                Ok(()) => Fired::Done,
                Err(error) if is_gone(error.code()) => Fired::Gone(problem(&error)),
                Err(error) => match &error {
                    HostError::Refused(refused) => Fired::not_informed(refused, problem(&error)),
                    _ => Fired::NotNow(problem(&error)),
                },
            }
        }
    }
}

/// Unknown, erased or pruned, without its key, or from elsewhere and only to be read.
fn is_gone(code: &str) -> bool {
    ["ADJ-5001", "ADJ-4005", "ADJ-4007", "ADJ-3023"].contains(&code)
}

fn unnameable(id: TriggerId, error: &adjutant_mission::IdError) -> HostError {
    Refused::MachineFault {
        why: format!("{id} could not fire: {error}"),
    }
    .into()
}
