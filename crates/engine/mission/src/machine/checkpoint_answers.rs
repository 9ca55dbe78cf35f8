//! Answers to checkpoints, and what silence means.
//!
//! **Invariant:** Words are an answer or are refused; nothing is recorded that nobody reads. A `modify` that only says
//! something means what its question makes of words.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::Serialize;

use super::{
    CheckpointState, Closed, HUMAN_RETRIES_MAX, Mission, REVISIONS_MAX, Stage, Step, TaskStatus,
};
use crate::{
    Action, Actor, AgentId, Asks, Checkpoint, CheckpointNumber, CheckpointType, Decision, Delivery,
    Ending, EndingPhase, Event, Json, OptionKey, Payload, PlanPatch, Refused, ReplanTrigger, Signs,
    StepTaken, Stop, TaskIndex, TaskKey, Timestamp, ToolCall, Usage, Verdict, WorkSpec,
};

/// Why somebody who began a mission cannot answer.
pub(super) const FOUR_EYES: &str =
    "a rule requires someone other than the person who started the mission";

/// Why somebody cannot answer a question that is for named people.
pub(super) const NOT_AN_APPROVER: &str = "it is for other people, who are named in the plan";

pub(super) const RETRY: &str = "retry";
pub(super) const SKIP: &str = "skip";
pub(super) const MARK_DONE: &str = "mark_done";
pub(super) const ABORT: &str = "abort";
pub(super) const ACCEPT: &str = "accept";
pub(super) const AGAIN: &str = "again";

impl Mission {
    pub(super) fn decide_answer(
        &self,
        now: Timestamp,
        by: &Actor,
        number: CheckpointNumber,
        decision: &Decision,
    ) -> Result<Step, Refused> {
        let asked = self.may_answer(now, by, number)?;
        let checkpoint = &asked.checkpoint;
        let action = match decision.verdict {
            Verdict::Approve => Action::Approve,
            Verdict::Modify => Action::Modify,
            Verdict::Reject => Action::Reject,
        };
        if !checkpoint.actions.contains(&action) {
            let action = decision.verdict.name();
            return Err(Refused::ActionNotOffered { action });
        }
        // A no is always one's own to say.
        let is_settled = decision.verdict != Verdict::Reject;
        // Whoever answers with other arguments lets the call be made with them.
        let calls = matches!(
            checkpoint.asks,
            Asks::RecoverTask { .. } | Asks::AcceptConclusion { .. }
        );
        let approves_call = decision.change.is_some() && calls;
        let kinds = [
            Some(checkpoint.checkpoint_type),
            approves_call.then_some(CheckpointType::ToolApproval),
            decision
                .patch
                .as_ref()
                .map(|_| CheckpointType::PlanApproval),
        ];
        let mut kinds = kinds.into_iter().flatten();
        if is_settled && kinds.any(|kind| self.needs_another(kind, &by.id)) {
            return Err(Refused::NotAllowed {
                actor: by.to_string(),
                why: FOUR_EYES,
            });
        }
        if decision.patch.is_some() && checkpoint.asks != Asks::ApprovePlan {
            self.may_change_approved_plan(by)?;
        }
        let decision = &self.in_words(checkpoint, decision)?;
        check_option(checkpoint, decision)?;
        self.check_retries(checkpoint, decision)?;
        let may_redo = checkpoint.asks == Asks::ReviewResult && decision.verdict == Verdict::Modify;
        if !decision.redo.is_empty() && !may_redo {
            let why = "only a final review can send tasks back, by `modify`".into();
            return Err(Refused::ChangeUnfit { why });
        }
        if decision.patch.is_some() && decision.verdict != Verdict::Modify {
            let why = "a plan is changed by `modify`".into();
            return Err(Refused::ChangeUnfit { why });
        }
        if self.is_endorsement(asked, by, decision)? {
            return Ok(Step::one(Event::CheckpointEndorsed {
                checkpoint: number,
                decision: decision.clone(),
            }));
        }
        let mut events = vec![Event::CheckpointDecided {
            checkpoint: number,
            decision: decision.clone(),
        }];
        events.extend(self.consequences(checkpoint, decision, by)?);
        Ok(Step { events })
    }

    /// Whether an answer is one of several approvals that a question needs, and not the last of them.
    fn is_endorsement(
        &self,
        asked: &CheckpointState,
        by: &Actor,
        decision: &Decision,
    ) -> Result<bool, Refused> {
        let needed = asked.checkpoint.approvals_needed();
        let unfit = |why: String| Err(Refused::ChangeUnfit { why });
        if needed <= 1 || decision.verdict == Verdict::Reject {
            return Ok(false);
        }
        if decision.verdict == Verdict::Modify {
            // These are asked again once they are changed.
            let asked_again = match asked.checkpoint.asks {
                Asks::ApprovePlan => decision.patch.is_some(),
                Asks::ReviewResult => !decision.redo.is_empty(),
                _ => false,
            };
            return match asked_again {
                true => Ok(false),
                false => unfit(format!(
                    "{needed} people must agree on the same: approve or reject it as it is"
                )),
            };
        }
        let given = &asked.endorsed;
        if given
            .iter()
            .any(|one| one.by.acts_for(&by.id) || by.acts_for(&one.by.id))
        {
            let count = given.len();
            return unfit(format!(
                "{by} has approved it already; {count} of {needed} people have"
            ));
        }
        if let Some(first) = given.first()
            && first.decision.option != decision.option
        {
            let option = first.decision.option.as_ref().map_or("", OptionKey::as_str);
            return unfit(format!(
                "{} approved it with option `{option}`: approve the same, or reject",
                first.by
            ));
        }
        Ok(given.len() + 1 < needed)
    }

    /// Refuses a change of the approved plan by one person, where named people or several had to approve it.
    pub(super) fn may_change_approved_plan(&self, by: &Actor) -> Result<(), Refused> {
        let Some(approvers) = self.plan().approvers.get(&CheckpointType::PlanApproval) else {
            return Ok(());
        };
        if self.stage == Stage::Planning {
            return Ok(());
        }
        if approvers.needed > 1 {
            let needed = approvers.needed;
            let why = format!("{needed} people approved this plan, so one alone cannot change it");
            return Err(Refused::ChangeUnfit { why });
        }
        if !approvers.by.is_empty() && !approvers.by.contains(&by.id) {
            return Err(Refused::NotAllowed {
                actor: by.to_string(),
                why: NOT_AN_APPROVER,
            });
        }
        Ok(())
    }

    /// An answer with what its words choose filled in. A `modify` that only says something means what the question
    /// makes of words: where it makes nothing of them, the answer says what to give instead, and nothing is recorded
    /// that nobody would read.
    pub fn in_words(
        &self,
        checkpoint: &Checkpoint,
        decision: &Decision,
    ) -> Result<Decision, Refused> {
        let mut decision = decision.clone();
        // Where there is nothing to choose from, the answers themselves are listed as options.
        let named = decision.option.as_ref().map(OptionKey::as_str);
        if checkpoint.options.is_empty() && named == Some(decision.verdict.name()) {
            decision.option = None;
        }
        if !decision.is_words() {
            return Ok(decision);
        }
        let unfit = |why: String| Err(Refused::ChangeUnfit { why });
        if decision.note.trim().is_empty() && decision.option.is_none() {
            return unfit("`modify` must say what to change".into());
        }
        match &checkpoint.asks {
            Asks::DoHumanTask { task } if decision.option.is_none() => {
                let human = self
                    .task(task.as_str())
                    .and_then(|(spec, _)| match &spec.work {
                        WorkSpec::Human(human) => Some(human),
                        _ => None,
                    });
                let chosen = human.and_then(|human| human.on_modify.as_ref());
                let recommended = checkpoint.recommendation.as_ref().map(|told| &told.option);
                let only = match checkpoint.options.as_slice() {
                    [one] => Some(&one.key),
                    _ => None,
                };
                decision.option = chosen.or(recommended).or(only).cloned();
                if decision.option.is_none() && !checkpoint.options.is_empty() {
                    let options = offered(checkpoint);
                    return Err(Refused::OptionNeeded { options });
                }
            }
            Asks::ApproveTool { task } | Asks::RecoverTask { task } if !self.reads_words(task) => {
                return unfit(format!(
                    "task `{task}` does not read words: give the new arguments as the change, or approve or reject"
                ));
            }
            _ => {}
        }
        Ok(decision)
    }

    /// Whether what people say about a task reaches an agent when it goes on: it asks a model next, and no call that
    /// was chosen already.
    fn reads_words(&self, task: &TaskKey) -> bool {
        self.task(task.as_str()).is_some_and(|(spec, state)| {
            matches!(spec.work, WorkSpec::Agent(_))
                && state.next_call(spec).is_none()
                && state.instead_of_asking(spec).is_none()
        })
    }

    /// How often people have had a task done again.
    pub(super) fn human_retries(&self, task: &TaskKey) -> u32 {
        let answered = self.checkpoints.iter().filter(|state| {
            let decided = match &state.closed {
                Some(Closed::Decided { decision, .. }) => Some(decision),
                _ => None,
            };
            state.checkpoint.asks.task() == Some(task)
                && decided.is_some_and(|decision| does_again(&state.checkpoint.asks, decision))
        });
        answered.count() as u32
    }

    fn check_retries(&self, checkpoint: &Checkpoint, decision: &Decision) -> Result<(), Refused> {
        let Some(task) = checkpoint.asks.task() else {
            return Ok(());
        };
        let again = does_again(&checkpoint.asks, decision);
        if again && self.human_retries(task) >= HUMAN_RETRIES_MAX {
            let why = format!("`{task}` was already done again {HUMAN_RETRIES_MAX} times");
            return Err(Refused::ChangeUnfit { why });
        }
        Ok(())
    }

    /// What an answer brings about.
    fn consequences(
        &self,
        checkpoint: &Checkpoint,
        decision: &Decision,
        by: &Actor,
    ) -> Result<Vec<Event>, Refused> {
        if decision.verdict == Verdict::Reject {
            if let Some(told) = self.tell_agent_no(checkpoint, decision, by) {
                return Ok(vec![told]);
            }
            return Ok(self.refusal(checkpoint, &format!("rejected by {by}"), &decision.note));
        }
        if let Some(patch) = &decision.patch {
            return self.replan_at(checkpoint, patch, &decision.note);
        }
        let option = decision.option.as_ref().map(OptionKey::as_str);
        let events = match &checkpoint.asks {
            Asks::ApprovePlan | Asks::ChangePlan { .. } | Asks::PassLayer { .. }
                if decision.verdict == Verdict::Modify =>
            {
                let why = "a plan is changed by a patch".into();
                return Err(Refused::ChangeUnfit { why });
            }
            Asks::ChangePlan { .. } => Vec::new(),
            Asks::ApprovePlan => vec![Event::ExecutionStarted {}],
            Asks::ApproveTool { task } => {
                let call = decision
                    .change
                    .as_ref()
                    .map(|with| self.changed_call(task, with));
                vec![Event::ToolCallApproved {
                    task: task.clone(),
                    call: call.transpose()?,
                }]
            }
            Asks::DoHumanTask { task } => vec![self.done(task, decision.output(by), Usage::NONE)],
            Asks::RecoverTask { task } => match (option, &decision.change) {
                (Some(SKIP), _) => self.skip(task, &format!("skipped by {by}")),
                (Some(RETRY) | None, Some(with)) => {
                    let call = Some(self.changed_call(task, with)?);
                    let approved = Event::ToolCallApproved {
                        task: task.clone(),
                        call,
                    };
                    vec![approved, Event::TaskRequeued { task: task.clone() }]
                }
                _ => vec![Event::TaskRequeued { task: task.clone() }],
            },
            Asks::SettleInDoubt { task, effect } => match option {
                Some(MARK_DONE) => {
                    let output = decision.change.clone().unwrap_or_else(Json::null);
                    let usage = self
                        .effects
                        .get(effect)
                        .map_or(Usage::NONE, |effect| effect.reserved);
                    vec![self.marked_done(task, Payload::Inline(output), usage)]
                }
                Some(ABORT) => vec![stop(Stop::Cancel, format!("aborted by {by}"))],
                _ => vec![Event::TaskRequeued { task: task.clone() }],
            },
            Asks::AcceptConclusion { task } => match (option, &decision.change) {
                (Some(SKIP), _) => self.skip(task, &format!("skipped by {by}")),
                (Some(ACCEPT), None) => self.conclusion(task),
                (_, None) => vec![Event::TaskRequeued { task: task.clone() }],
                (_, Some(with)) => {
                    let call = Some(self.changed_call(task, with)?);
                    let task = task.clone();
                    let requeued = Event::TaskRequeued { task: task.clone() };
                    vec![Event::ToolCallApproved { task, call }, requeued]
                }
            },
            Asks::PassLayer { layer } => vec![Event::LayerPassed { layer: *layer }],
            Asks::PassSoftCap { task } => vec![Event::SoftCapPassed { task: task.clone() }],
            Asks::ReviewResult if decision.verdict == Verdict::Modify => {
                vec![self.revise(decision, by)?]
            }
            Asks::ReviewResult => vec![self.end_reviewed(Delivery::Delivered, String::new())],
        };
        Ok(events)
    }

    /// Changes the plan in answer to a question. A task that came to a stand must be part of the change: nobody is
    /// asked about it any more.
    fn replan_at(
        &self,
        checkpoint: &Checkpoint,
        patch: &PlanPatch,
        note: &str,
    ) -> Result<Vec<Event>, Refused> {
        let trigger = match &checkpoint.asks {
            Asks::ChangePlan { trigger, .. } => *trigger,
            Asks::RecoverTask { task } if !patch.touches().any(|key| key == task) => {
                let why = format!("it must change or drop task `{task}`, which cannot continue");
                return Err(Refused::ChangeUnfit { why });
            }
            Asks::RecoverTask { .. } => ReplanTrigger::Failure,
            Asks::ApprovePlan | Asks::PassLayer { .. } => ReplanTrigger::Checkpoint,
            _ => {
                let why = "this question is not about the plan".into();
                return Err(Refused::ChangeUnfit { why });
            }
        };
        let mut events = self.replan(patch, trigger, note)?;
        // Its own question is answered, not withdrawn.
        events.retain(|event| {
            !matches!(event, Event::CheckpointWithdrawn { checkpoint: number, .. } if *number == checkpoint.number)
        });
        Ok(events)
    }

    /// Whether it asks about a call that an agent chose while it reasoned.
    pub fn is_call_chosen_by_agent(&self, checkpoint: &Checkpoint) -> bool {
        let found = checkpoint
            .asks
            .task()
            .and_then(|key| self.task(key.as_str()));
        matches!(checkpoint.asks, Asks::ApproveTool { .. })
            && checkpoint.checkpoint_type == CheckpointType::ToolApproval
            && found.is_some_and(|(spec, state)| state.next_call(spec).is_some())
    }

    /// A no to a call that an agent chose: the agent learns it as the result of its step, and goes on without.
    fn tell_agent_no(
        &self,
        checkpoint: &Checkpoint,
        decision: &Decision,
        by: &Actor,
    ) -> Option<Event> {
        #[derive(Serialize)]
        struct Refusal<'a> {
            refused: &'a str,
            by: &'a AgentId,
            why: &'a str,
        }
        let Asks::ApproveTool { task } = &checkpoint.asks else {
            return None;
        };
        let is_chosen = self.is_call_chosen_by_agent(checkpoint);
        let (spec, state) = self.task(task.as_str()).filter(|_| is_chosen)?;
        let call = state.next_call(spec)?;
        let output = Json::encode(&Refusal {
            refused: call.tool.as_str(),
            by: &by.id,
            why: &decision.note,
        });
        Some(Event::StepTaken {
            task: task.clone(),
            taken: Box::new(StepTaken {
                step: state.next_step(spec)?,
                signs: Signs::default(),
                output: Payload::Inline(output.ok()?),
                usage: Usage::NONE,
            }),
        })
    }

    /// What a no brings about, whether somebody said it or nobody said anything in time.
    pub(super) fn refusal(&self, checkpoint: &Checkpoint, how: &str, note: &str) -> Vec<Event> {
        let what = match &checkpoint.asks {
            Asks::ApprovePlan => "the plan was",
            Asks::ApproveTool { .. }
                if checkpoint.checkpoint_type == CheckpointType::SubagentApproval =>
            {
                "an agent's start was"
            }
            Asks::ApproveTool { .. } => "a tool call was",
            Asks::DoHumanTask { .. } => "a question was",
            Asks::RecoverTask { .. } => "a way to recover was",
            Asks::SettleInDoubt { .. } => "an effect in doubt was",
            Asks::AcceptConclusion { .. } => "an uncertain conclusion was",
            Asks::PassLayer { .. } => "the next layer was",
            Asks::PassSoftCap { .. } => "more spending was",
            Asks::ChangePlan { .. } => "continuing the plan was",
            Asks::ReviewResult => "the result was",
        };
        let colon = if note.is_empty() { "" } else { ": " };
        let reason = format!("{what} {how}{colon}{note}");
        match checkpoint.asks {
            Asks::ApprovePlan => vec![stop(Stop::Cancel, reason)],
            Asks::ReviewResult => vec![self.end_reviewed(Delivery::Draft, reason)],
            _ => vec![stop(Stop::Synthesize, reason)],
        }
    }

    fn end_reviewed(&self, delivery: Delivery, reason: String) -> Event {
        let stopped = self.stop_reason.as_deref().unwrap_or("");
        let between = if stopped.is_empty() || reason.is_empty() {
            ""
        } else {
            "; "
        };
        let reason = format!("{stopped}{between}{reason}");
        Event::MissionEnded(Ending {
            phase: EndingPhase::Completed,
            delivery,
            reason,
        })
    }

    /// The call a human changed: the same tool or model with other arguments.
    fn changed_call(&self, task: &TaskKey, with: &Json) -> Result<ToolCall, Refused> {
        let found = self.task(task.as_str());
        let Some((spec, state)) = found else {
            return Err(Refused::ChangeUnfit {
                why: format!("there is no task `{task}`"),
            });
        };
        let Some(tool) = state.callee(spec) else {
            let why = format!("`{task}` does not call a tool, so it has no arguments to change");
            return Err(Refused::ChangeUnfit { why });
        };
        if !with.text().trim_start().starts_with('{') {
            return Err(Refused::ChangeUnfit {
                why: "the arguments must be a JSON object".into(),
            });
        }
        Ok(ToolCall {
            tool,
            with: with.clone(),
        })
    }

    /// A task of which nobody has said what became of it.
    fn doubted(&self) -> Option<TaskIndex> {
        let sent = self.effects.values().next().map(|effect| effect.task);
        let mut tasks = TaskIndex::all(self.tasks.len());
        sent.or_else(|| tasks.find(|&at| self.was_sent_before_fork(&self.tasks[at.index()])))
    }

    /// Sends the work back from the final review to the named tasks and all that follows them. A task whose text is
    /// changed is done: only what follows it is done again.
    fn revise(&self, decision: &Decision, by: &Actor) -> Result<Event, Refused> {
        let (redo, note) = (&decision.redo, decision.note.as_str());
        if self.revisions >= REVISIONS_MAX {
            let why = format!("the result was already sent back {REVISIONS_MAX} times");
            return Err(Refused::ChangeUnfit { why });
        }
        if redo.is_empty() {
            return Err(Refused::ChangeUnfit {
                why: "name the tasks to repeat".into(),
            });
        }
        if let Some(task) = self.doubted() {
            let task = &self.spec(task).key;
            let why =
                format!("the outcome of task `{task}` is unknown: accept or reject the result");
            return Err(Refused::ChangeUnfit { why });
        }
        let rewritten = match decision.change {
            Some(_) => Some(self.rewritten(redo)?),
            None => None,
        };
        // These were dropped, or whoever was asked about them is asked no longer: they start over.
        let cut_short = |&at: &TaskIndex| {
            use TaskStatus::{AwaitingApproval, AwaitingHuman, Blocked, Stopped};
            let status = self.tasks[at.index()].status;
            matches!(status, AwaitingApproval | AwaitingHuman | Blocked | Stopped)
        };
        let mut again: BTreeSet<TaskIndex> =
            TaskIndex::all(self.tasks.len()).filter(cut_short).collect();
        for key in redo {
            let Some(task) = self.graph.find(key.as_str()) else {
                return Err(Refused::ChangeUnfit {
                    why: format!("there is no task `{key}`"),
                });
            };
            let after = self.graph.downstream(task);
            again.extend(TaskIndex::all(self.tasks.len()).filter(|&at| after[at.index()]));
        }
        if let Some(task) = rewritten {
            again.remove(&task);
        }
        let colon = if note.is_empty() { "" } else { ": " };
        let reason = format!("sent back by {by}{colon}{note}");
        Ok(Event::TasksReturned {
            tasks: self.keys(again),
            reason,
        })
    }

    /// The task whose text a person puts another in the place of. What tools found is evidence, and stays as it is.
    fn rewritten(&self, redo: &[TaskKey]) -> Result<TaskIndex, Refused> {
        let unfit = |why: String| Refused::ChangeUnfit { why };
        let [key] = redo else {
            let why = "name the one task whose text it replaces";
            return Err(unfit(why.into()));
        };
        let task = self.graph.find(key.as_str());
        let task = task.ok_or_else(|| unfit(format!("there is no task `{key}`")))?;
        if !matches!(self.spec(task).work, WorkSpec::Agent(_)) {
            return Err(unfit(format!(
                "the output of `{key}` was not written by an agent"
            )));
        }
        if self.tasks[task.index()].status != TaskStatus::Completed {
            return Err(unfit(format!("`{key}` has no output yet")));
        }
        Ok(task)
    }

    pub(super) fn keys(&self, tasks: impl IntoIterator<Item = TaskIndex>) -> Vec<TaskKey> {
        tasks
            .into_iter()
            .map(|task| self.spec(task).key.clone())
            .collect()
    }

    /// The event that ends a task's work well: at once, or held until others let it finish.
    pub(super) fn done(&self, task: &TaskKey, output: Payload, usage: Usage) -> Event {
        let key = task.clone();
        let held = self.task(task.as_str()).is_some_and(|(_, state)| {
            state.finish_unmet > 0 || state.finish_not_before > self.updated_at
        });
        if held && self.stage == Stage::Executing {
            Event::TaskHeld {
                task: key,
                output,
                usage,
            }
        } else {
            Event::TaskCompleted {
                task: key,
                output,
                usage,
            }
        }
    }
}

pub(super) fn stop(into: Stop, reason: String) -> Event {
    Event::StopRequested {
        into,
        reason,
        undo: false,
    }
}

/// Whether an answer has the task done again.
fn does_again(asks: &Asks, decision: &Decision) -> bool {
    let option = decision.option.as_ref().map(OptionKey::as_str);
    let is_ended = match asks {
        Asks::RecoverTask { .. } => option == Some(SKIP),
        Asks::AcceptConclusion { .. } => {
            option == Some(SKIP) || (option == Some(ACCEPT) && decision.change.is_none())
        }
        _ => true,
    };
    !is_ended && decision.verdict != Verdict::Reject && decision.patch.is_none()
}

fn offered(checkpoint: &Checkpoint) -> String {
    let options = checkpoint.options.iter();
    let keys: Vec<&str> = options.map(|option| option.key.as_str()).collect();
    match keys.as_slice() {
        [] => String::from("it has none"),
        keys => keys.join(", "),
    }
}

fn check_option(checkpoint: &Checkpoint, decision: &Decision) -> Result<(), Refused> {
    // A change to an effect in doubt is its result or nothing: it never means "send it again".
    let needs_option = match decision.verdict {
        Verdict::Approve => true,
        Verdict::Modify => matches!(checkpoint.asks, Asks::SettleInDoubt { .. }),
        Verdict::Reject => false,
    };
    match &decision.option {
        Some(chosen)
            if !checkpoint
                .options
                .iter()
                .any(|option| option.key == *chosen) =>
        {
            Err(Refused::OptionUnknown {
                option: chosen.to_string(),
                options: offered(checkpoint),
            })
        }
        None if needs_option && !checkpoint.options.is_empty() => {
            let options = offered(checkpoint);
            Err(Refused::OptionNeeded { options })
        }
        _ => Ok(()),
    }
}
