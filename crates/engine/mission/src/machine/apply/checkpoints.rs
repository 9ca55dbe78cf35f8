//! What events do to checkpoints.

use alloc::format;
use alloc::vec::Vec;

use super::Applied;
use crate::machine::queues::Due;
use crate::machine::{CheckpointState, Closed, Endorsement, Mission, TaskStatus};
use crate::{Actor, Asks, Checkpoint, Claim, Event, Payload, Timestamp};

impl Mission {
    pub(super) fn open_checkpoint(&mut self, at: Timestamp, checkpoint: &Checkpoint) -> Applied {
        if checkpoint.number.index() != self.checkpoints.len() {
            return Err(format!(
                "checkpoint {} was expected",
                self.checkpoints.len()
            ));
        }
        if let Some(key) = checkpoint.asks.task() {
            let task = self.find(key)?;
            self.tasks[task.index()].checkpoint = Some(checkpoint.number);
            if matches!(checkpoint.asks, Asks::ApproveTool { .. }) {
                self.expect(task, &[TaskStatus::Ready, TaskStatus::Delayed])?;
                self.move_task(task, TaskStatus::AwaitingApproval);
            }
        }
        if matches!(checkpoint.asks, Asks::PassSoftCap { .. }) {
            self.asks_soft_cap = Some(checkpoint.number);
        }
        if matches!(checkpoint.asks, Asks::ChangePlan { .. }) {
            self.asks_plan = Some(checkpoint.number);
        }
        self.checkpoints.push(CheckpointState {
            checkpoint: checkpoint.clone().into(),
            opened_at: at,
            claim: None,
            guidance: Vec::new(),
            endorsed: Vec::new(),
            closed: None,
        });
        self.queues.open.insert(checkpoint.number);
        self.queues.due.insert((
            checkpoint.deadline,
            Due::CheckpointDeadline(checkpoint.number),
        ));
        Ok(())
    }

    pub(super) fn apply_to_checkpoint(
        &mut self,
        at: Timestamp,
        actor: Option<&Actor>,
        event: &Event,
    ) -> Applied {
        let (number, closed) = match event {
            Event::CheckpointClaimed { checkpoint }
            | Event::CheckpointReleased { checkpoint }
            | Event::CheckpointGuided { checkpoint, .. }
            | Event::CheckpointEndorsed { checkpoint, .. } => (*checkpoint, None),
            Event::CheckpointDecided {
                checkpoint,
                decision,
            } => {
                let by = actor.cloned().ok_or("a decision needs an actor")?;
                (
                    *checkpoint,
                    Some(Closed::Decided {
                        by,
                        decision: decision.clone(),
                    }),
                )
            }
            Event::CheckpointExpired { checkpoint } => (*checkpoint, Some(Closed::Expired)),
            Event::CheckpointWithdrawn { checkpoint, reason } => (
                *checkpoint,
                Some(Closed::Withdrawn {
                    reason: reason.clone(),
                }),
            ),
            _ => return Err("not an event of a checkpoint".into()),
        };
        if !self.queues.open.contains(&number) {
            return Err(format!("checkpoint {number} is not open"));
        }
        let state = &mut self.checkpoints[number.index()];
        match event {
            Event::CheckpointClaimed { .. } => {
                let by = actor.cloned().ok_or("a claim needs an actor")?;
                state.claim = Some(Claim { by, at });
            }
            Event::CheckpointReleased { .. } => state.claim = None,
            Event::CheckpointEndorsed { decision, .. } => {
                let by = actor.cloned().ok_or("an approval needs an actor")?;
                let decision = decision.clone();
                state.endorsed.push(Endorsement { by, decision });
                // The next one may answer.
                state.claim = None;
            }
            Event::CheckpointGuided { note, .. } => state.guidance.push(note.clone()),
            _ => {
                let rewritten = match (&state.checkpoint.asks, &closed) {
                    (Asks::ReviewResult, Some(Closed::Decided { decision, .. })) => {
                        decision.change.clone().zip(decision.redo.first().cloned())
                    }
                    _ => None,
                };
                state.closed = closed;
                let deadline = state.checkpoint.deadline;
                self.queues.open.remove(&number);
                self.asks_soft_cap = self.asks_soft_cap.filter(|asked| *asked != number);
                self.asks_plan = self.asks_plan.filter(|asked| *asked != number);
                self.queues
                    .due
                    .remove(&(deadline, Due::CheckpointDeadline(number)));
                if let Some((text, task)) = rewritten {
                    let task = self.find(&task)?;
                    self.tasks[task.index()].output = Some(Payload::Inline(text));
                }
            }
        }
        Ok(())
    }
}
