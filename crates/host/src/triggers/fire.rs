//! One fire: announced, done, noted.

use adjutant_mission::{
    Command, Millis, Refused, Timestamp, Trigger, TriggerEnd, TriggerId, TriggerProblem,
    TriggerRecord, TriggerTarget,
};
use adjutant_store::Store;

use super::{Key, timetable};
use crate::ids::{command_of_fire, mission_of_fire};
use crate::{Host, HostError};

/// Longest pause before a fire that was refused for a reason that passes is tried again.
const TRY_AGAIN_MAX: Millis = Millis::seconds(60);

/// What became of a fire.
enum Did {
    /// Now, or before a crash.
    Done,
    /// Not now; the same fire later.
    NotNow(HostError),
    /// Not this one.
    Refused(HostError),
    /// The mission to inform takes nothing more.
    Gone(HostError),
}

/// Does the next thing that is due of a trigger.
pub(super) async fn fire<S: Store>(host: &Host<S>, key: &Key) -> Result<(), HostError> {
    let Some((trigger, at)) = announce(host, key).await? else {
        return Ok(());
    };
    let did = perform(host, key, &trigger, at).await;
    let mut book = host.shared().triggers.book.lock().await;
    // It may have been cancelled meanwhile; then there is nothing to note.
    let Some(mut record) = book.get(key).cloned() else {
        return Ok(());
    };
    let now = host.clock().now();
    let state = &mut record.state;
    let problem = |error: &HostError| TriggerProblem {
        at: now,
        code: error.code().into(),
        message: error.chain(),
    };
    match &did {
        Did::Done => state.fired(now, trigger.repeat_max),
        // The next host fires it.
        Did::NotNow(_) if host.shared().is_draining() => return Ok(()),
        Did::NotNow(error) => {
            let tries = state.firing.as_ref().map_or(0, |firing| firing.refused);
            let pause = Millis::seconds(1 << tries.min(10)).min(TRY_AGAIN_MAX);
            state.wait(problem(error), pause);
        }
        Did::Refused(error) => state.refused(problem(error)),
        Did::Gone(error) => {
            let why = TriggerEnd::MissionGone {
                code: error.code().into(),
                why: error.chain(),
            };
            state.end(now, why);
        }
    }
    book.keep(host, key.clone(), record).await?;
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

async fn perform<S: Store>(host: &Host<S>, key: &Key, trigger: &Trigger, at: Timestamp) -> Did {
    let (tenant, id) = key;
    let by = match trigger.actor(*id) {
        Ok(by) => by,
        Err(error) => return Did::Refused(unnameable(*id, &error)),
    };
    let command = command_of_fire(*id, at);
    match &trigger.target {
        TriggerTarget::StartMission(prepared) => {
            let start = prepared.as_ref().clone().start(mission_of_fire(*id, at));
            match host.open(by, command, start).await {
                Ok(_) => Did::Done,
                Err(error @ HostError::Refused(_)) => Did::Refused(error),
                Err(error) => Did::NotNow(error),
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
                Ok(()) | Err(HostError::Refused(Refused::CommandRepeated)) => Did::Done,
                Err(error @ HostError::Refused(Refused::MissionEnded { .. })) => Did::Gone(error),
                Err(error) if is_gone(error.code()) => Did::Gone(error),
                Err(error @ HostError::Refused(_)) => Did::Refused(error),
                Err(error) => Did::NotNow(error),
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
        why: format!("{id} cannot act: {error}"),
    }
    .into()
}
