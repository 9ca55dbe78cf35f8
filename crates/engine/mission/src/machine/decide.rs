//! Deciding: one input in, events out, state untouched. Opening a mission and taking commands.
//!
//! **Invariant:** A `once` effect is announced (`effect_started/1`) before it is sent, and is never sent again unless
//! a person says so. Pure and idempotent effects need no announcement: they are repeated under the same id.
//!
//! **Invariant:** An answer by somebody without the right to give it is no answer. It is refused and the checkpoint
//! stays open until its deadline, when silence becomes a no; otherwise anybody could stop a mission by answering
//! badly.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use super::checkpoint_answers::NOT_AN_APPROVER;
use super::{CheckpointState, Closed, Input, Mission, Stage, Step};
use crate::{
    Actor, ActorKind, Asks, CLAIM_LASTS, Checkpoint, CheckpointNumber, Command, CommandId,
    Decision, EffectNumber, Event, Failure, FailureKind, LOGIC_VERSION, Opened, Refused,
    ReplanTrigger, Start, Stop, Timestamp, Verdict,
};

impl Mission {
    /// Decides the opening of a mission: the plan is validated, and what tools it uses is fixed.
    pub fn open(start: Start) -> Result<Step, Refused> {
        let above = start.parent.map_or(0, |parent| usize::from(parent.depth));
        let problems = start.plan.problems_below(&start.tools, above);
        if !problems.is_empty() {
            return Err(Refused::PlanInvalid(problems));
        }
        let Start {
            mission,
            scope,
            plan,
            mut tools,
            approvals,
            parent,
            began_by,
        } = start;
        tools.retain(|id, _| plan.uses_tool(id));
        let opened = Opened {
            mission,
            scope,
            logic: LOGIC_VERSION,
            plan,
            tools,
            approvals,
            parent,
            began_by,
        };
        Ok(Step::one(Event::MissionOpened(Box::new(opened))))
    }

    /// What `input` leads to, now. Refused means that nothing changes.
    pub fn decide(&self, now: Timestamp, input: &Input) -> Result<Step, Refused> {
        match input {
            Input::Command { id, by, command } => self.decide_command(now, *id, by, command),
            Input::Outcome { effect, outcome } => self.decide_outcome(now, *effect, outcome),
            Input::Starting { effect } => self.decide_starting(*effect),
            Input::Recovered => Ok(self.decide_recovered(now)),
            Input::Proceed => Ok(self.decide_proceed(now)),
        }
    }

    fn decide_command(
        &self,
        now: Timestamp,
        id: CommandId,
        by: &Actor,
        command: &Command,
    ) -> Result<Step, Refused> {
        if self.commands.contains(&id) {
            return Err(Refused::CommandRepeated);
        }
        self.refuse_if_ended()?;
        let unfit = |why| {
            Err(Refused::DoesNotFit {
                command: command.name(),
                why,
            })
        };
        let stopping = self.is_winding_down();
        match command {
            // Somebody who means it to rest must not see it go on because a stop was lifted.
            Command::Pause { .. } if self.is_paused() && (by.is_system() || !self.is_stopped()) => {
                unfit("the mission is already paused")
            }
            Command::Pause { .. } if stopping => unfit("the mission is stopping"),
            Command::Pause { reason } => Ok(Step::one(Event::MissionPaused {
                reason: reason.clone(),
            })),
            Command::Resume if !self.is_paused() => unfit("the mission is not paused"),
            Command::Resume => Ok(Step::one(Event::MissionResumed {})),
            Command::Abort { .. }
                if matches!(self.stage, Stage::Stopping(Stop::Cancel) | Stage::Undoing) =>
            {
                unfit("the mission is already being aborted")
            }
            Command::Abort { undo: true, .. } if by.kind != ActorKind::Human => {
                Err(Refused::NotAllowed {
                    actor: by.to_string(),
                    why: "only a person can request an undo",
                })
            }
            Command::Abort { reason, undo } => {
                let (into, reason, undo) = (Stop::Cancel, reason.clone(), *undo);
                Ok(Step::one(Event::StopRequested { into, reason, undo }))
            }
            Command::Inform { topic, trust, body } => {
                let told = format!("The mission received a message about “{topic}”.");
                let occasion = self.occasion(now, ReplanTrigger::NewInformation, None, &told);
                let (topic, trust, body) = (topic.clone(), *trust, body.clone());
                let mut events = vec![Event::Informed { topic, trust, body }];
                events.extend(occasion);
                Ok(Step { events })
            }
            Command::Replan { patch, why } => self.decide_replan(by, patch, why),
            Command::Continue => {
                let waiting = self
                    .open_checkpoints()
                    .find(|state| matches!(state.checkpoint.asks, Asks::PassLayer { .. }));
                match waiting {
                    None => unfit("the mission is not waiting between layers"),
                    Some(state) => {
                        let number = state.checkpoint.number;
                        self.decide_answer(now, by, number, &Decision::new(Verdict::Approve))
                    }
                }
            }
            Command::Decide {
                checkpoint,
                decision,
            } => self.decide_answer(now, by, *checkpoint, decision),
            Command::Claim { checkpoint } => {
                self.may_answer(now, by, *checkpoint)?;
                Ok(Step::one(Event::CheckpointClaimed {
                    checkpoint: *checkpoint,
                }))
            }
            Command::Release { checkpoint } => {
                let state = self.may_answer(now, by, *checkpoint)?;
                if state.claim.is_none() {
                    return unfit("the checkpoint is not claimed");
                }
                Ok(Step::one(Event::CheckpointReleased {
                    checkpoint: *checkpoint,
                }))
            }
        }
    }

    /// The open checkpoint, if `by` has the right to answer it now. Law 5: anything else is no answer.
    pub(super) fn may_answer(
        &self,
        now: Timestamp,
        by: &Actor,
        number: CheckpointNumber,
    ) -> Result<&CheckpointState, Refused> {
        let state = self
            .checkpoints
            .get(number.index())
            .ok_or(Refused::CheckpointUnknown { checkpoint: number })?;
        let closed = |how: &str| Refused::CheckpointClosed {
            checkpoint: number,
            how: how.to_string(),
        };
        match &state.closed {
            Some(Closed::Decided { by, decision }) => {
                let verdict = match decision.verdict {
                    Verdict::Approve => "approved",
                    Verdict::Modify => "modified",
                    Verdict::Reject => "rejected",
                };
                return Err(closed(&alloc::format!("{verdict} by {by}")));
            }
            Some(Closed::Expired) => return Err(closed("its deadline passed")),
            Some(Closed::Withdrawn { reason }) => return Err(closed(reason)),
            None if now >= state.checkpoint.deadline => return Err(closed("its deadline passed")),
            None => {}
        }
        may_decide(by, &state.checkpoint)?;
        if let Some(claim) = &state.claim
            && claim.by.id != by.id
            && now.since(claim.at) < CLAIM_LASTS
        {
            let by = claim.by.to_string();
            return Err(Refused::CheckpointClaimed {
                checkpoint: number,
                by,
            });
        }
        Ok(state)
    }

    fn decide_starting(&self, number: EffectNumber) -> Result<Step, Refused> {
        let effect = self
            .effects
            .get(&number)
            .filter(|effect| !effect.in_doubt)
            .ok_or(Refused::EffectNotOutstanding { effect: number })?;
        if effect.started {
            return Err(Refused::OutcomeUnfit {
                effect: number,
                why: "it was already started",
            });
        }
        Ok(Step::one(Event::EffectStarted { effect: number }))
    }

    /// Law 3: a `once` effect that was sent and has no outcome is in doubt, and only a human may say
    /// what became of it. Everything else that was under way is simply done again.
    fn decide_recovered(&self, now: Timestamp) -> Step {
        let mut events = vec![];
        for (&number, effect) in &self.effects {
            if !effect.started || effect.in_doubt {
                continue;
            }
            if effect.undoes {
                let failure = Failure {
                    kind: FailureKind::OutcomeUnknown,
                    message: "it may have been undone: the host stopped before its result arrived"
                        .into(),
                };
                events.push(self.not_undone(effect.task, failure, effect.reserved));
                continue;
            }
            if effect.is_sent_paid() {
                events.push(Event::EffectLost { effect: number });
                continue;
            }
            events.extend(self.doubt(
                now,
                number,
                effect,
                "the host stopped before its result arrived",
            ));
        }
        renumber_checkpoints(self.next_checkpoint(), &mut events);
        Step { events }
    }
}

/// Several checkpoints opened in one step follow each other in number.
pub(super) fn renumber_checkpoints(first: CheckpointNumber, events: &mut [Event]) {
    let opened = events.iter_mut().filter_map(|event| match event {
        Event::CheckpointOpened(checkpoint) => Some(checkpoint),
        _ => None,
    });
    let mut number = first;
    for checkpoint in opened {
        checkpoint.number = number;
        number = number.next();
    }
}

fn may_decide(by: &Actor, checkpoint: &Checkpoint) -> Result<(), Refused> {
    let not_allowed = |why| {
        Err(Refused::NotAllowed {
            actor: by.to_string(),
            why,
        })
    };
    match by.kind {
        ActorKind::System => return not_allowed("the system cannot answer a checkpoint"),
        ActorKind::Agent if !checkpoint.deciding_agents.contains(&by.id) => {
            return not_allowed("no policy allows this agent");
        }
        ActorKind::Agent | ActorKind::Human => {}
    }
    let named = checkpoint.approvers.as_ref().map(|who| &who.by);
    if named.is_some_and(|named| !named.is_empty() && !named.contains(&by.id)) {
        return not_allowed(NOT_AN_APPROVER);
    }
    match &checkpoint.role {
        Some(role) if by.role.as_ref() != Some(role) => {
            Err(Refused::RoleMissing { role: role.clone() })
        }
        _ => Ok(()),
    }
}
