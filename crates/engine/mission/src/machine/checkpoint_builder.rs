//! The wording of checkpoints: what is asked, with which options, by when.
//!
//! **Invariant:** Where a rule asks for four eyes, nobody who began a mission approves it. Whoever opened or forked it
//! began it, and whoever began a mission above it; their waivers and the decisions given with a fork do not count
//! either.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::checkpoint_answers::{ABORT, ACCEPT, AGAIN, MARK_DONE, RETRY, SKIP};
use super::{HUMAN_RETRIES_MAX, Mission, TaskStatus};
use crate::{
    Action, AgentId, AgentWork, ApprovalSource, Asks, Assessment, Category, Checkpoint,
    CheckpointType, ChoiceOption, ESCALATE_BELOW, EffectNumber, Event, Failure, Human, LayerNumber,
    MicroUsd, OptionKey, Ppm, Recommendation, ReplanTrigger, Risk, Severity, TaskIndex, TaskKey,
    Timestamp, Urgency,
};

/// How many tasks that were not done a question names.
const MISSING_SHOWN_MAX: usize = 60;

impl Mission {
    /// The people who began the mission or one above it.
    pub fn beginners(&self) -> Vec<AgentId> {
        let mut people = self.opened.began_by.clone();
        for began in self.opened_by.iter().chain(&self.forked_by) {
            let who = match &began.on_behalf_of {
                Some(behind) => Some(behind),
                None => (!began.is_system()).then_some(&began.id),
            };
            people.extend(who.filter(|who| !people.contains(who)).cloned());
        }
        people
    }

    /// Whether a rule asks for somebody else than them, because they began the mission.
    pub(super) fn needs_another(&self, kind: CheckpointType, than: &AgentId) -> bool {
        let beginners = || self.opened_by.iter().chain(&self.forked_by);
        let began = || beginners().any(|beginner| beginner.acts_for(than));
        self.plan().four_eyes.contains(&kind) && (self.opened.began_by.contains(than) || began())
    }

    /// Who waived checkpoints of this type in advance, and may. What was waived for other inputs or another model was
    /// waived by whoever changed them, or not at all; what named people must answer is waived by nobody.
    pub(super) fn waiver(&self, kind: CheckpointType) -> Option<AgentId> {
        if self.plan().approvers.contains_key(&kind) {
            return None;
        }
        let changed_by = self.forked_by.last().filter(|_| self.changed_by_fork);
        let mut waivers = self
            .opened
            .approvals
            .iter()
            .filter_map(|source| match source {
                ApprovalSource::Waiver { by, types } => types.0.contains(&kind).then_some(by),
                ApprovalSource::EarnedLevel { .. } => None,
            });
        let holds = |by: &AgentId| changed_by.is_none_or(|changed| changed.acts_for(by));
        let may = |by: &AgentId| holds(by) && !self.needs_another(kind, by);
        waivers.find(|by| may(by)).cloned()
    }

    pub(super) fn new_checkpoint(
        &self,
        now: Timestamp,
        asks: Asks,
        kind: CheckpointType,
        question: String,
    ) -> Checkpoint {
        let trigger = match &asks {
            Asks::ApprovePlan => "plan_ready",
            Asks::ApproveTool { .. } => "tool_call",
            Asks::DoHumanTask { .. } => "human_task",
            Asks::RecoverTask { .. } => "task_failed",
            Asks::SettleInDoubt { .. } => "effect_in_doubt",
            Asks::AcceptConclusion { .. } => "low_confidence",
            Asks::PassLayer { .. } => "layer_done",
            Asks::PassSoftCap { .. } => "soft_cap",
            Asks::ChangePlan { trigger, .. } => trigger.name(),
            Asks::ReviewResult => "result_ready",
        };
        Checkpoint {
            number: self.next_checkpoint(),
            trigger: trigger.into(),
            checkpoint_type: kind,
            asks,
            category: Category::Decision,
            severity: Severity::Medium,
            urgency: Urgency::Soon,
            question,
            context: String::new(),
            options: Vec::new(),
            recommendation: None,
            call: None,
            similar: Vec::new(),
            actions: vec![Action::Approve, Action::Modify, Action::Reject],
            role: None,
            approvers: self.plan().approvers.get(&kind).cloned().map(Box::new),
            deciding_agents: Vec::new(),
            forwarded: Vec::new(),
            deadline: now.plus(self.plan().checkpoint_deadline),
        }
    }

    pub(super) fn build_plan_checkpoint(&self, now: Timestamp) -> Event {
        let plan = self.plan();
        let count = plan.tasks.len();
        let tasks = if count == 1 { "task" } else { "tasks" };
        let question = format!("Run the plan “{}” ({count} {tasks})?", plan.title);
        let asked = self.new_checkpoint(
            now,
            Asks::ApprovePlan,
            CheckpointType::PlanApproval,
            question,
        );
        let mut context = Vec::new();
        if !plan.objective.is_empty() {
            context.push(plan.objective.clone());
        }
        context.push(format!("Steps:\n{}", plan.steps_in_words(self.tools())));
        if let Some(limits) = plan.caps.in_words() {
            context.push(format!("Limits: {limits}"));
        }
        if !plan.constraints.is_empty() {
            context.push(format!("For every agent: {}", plan.constraints.join(" · ")));
        }
        let changes = self.opened.plan.changes_to(plan);
        if !changes.is_empty() {
            context.push(format!(
                "Changed from the plan as it was first proposed:\n{}",
                changes.join("\n")
            ));
        }
        open(Checkpoint {
            context: context.join("\n"),
            ..asked
        })
    }

    pub(super) fn build_task_checkpoint(
        &self,
        now: Timestamp,
        task: TaskIndex,
        human: &Human,
    ) -> Event {
        let asks = Asks::DoHumanTask {
            task: self.spec(task).key.clone(),
        };
        let question = self.fill(&human.question);
        let asked = self.new_checkpoint(now, asks, human.kind, question);
        let recommend = |option: &OptionKey| Recommendation {
            option: option.clone(),
            reason: human.because.clone(),
        };
        open(Checkpoint {
            options: human.options.clone(),
            recommendation: human.recommend.as_ref().map(recommend),
            role: human.role.clone(),
            approvers: match &human.approvers {
                Some(approvers) => Some(Box::new(approvers.clone())),
                None => asked.approvers.clone(),
            },
            deadline: human
                .deadline
                .map_or(asked.deadline, |after| now.plus(after)),
            ..asked
        })
    }

    pub(super) fn build_recovery_checkpoint(
        &self,
        now: Timestamp,
        task: TaskIndex,
        failure: &Failure,
    ) -> Event {
        let key = &self.spec(task).key;
        let tries = self.tasks[task.index()].attempt;
        let question = format!("Task `{key}` cannot continue. What should happen?");
        let asks = Asks::RecoverTask { task: key.clone() };
        let asked = self.new_checkpoint(now, asks, CheckpointType::CriticalDecision, question);
        let similar = self.similar(&asked.asks, "");
        let retries = self.human_retries(key);
        let options = [
            option(
                RETRY,
                "Try again",
                "Restarts the task with all its retries; give a change to alter its arguments or a patch to alter the \
                 plan.",
            )
            .filter(|_| retries < HUMAN_RETRIES_MAX),
            option(
                SKIP,
                "Skip it",
                "The tasks that depend on it are skipped as well.",
            ),
        ];
        // The same call may work later once; a second failure in a row tells that it does not.
        let may_work = retries == 0 && failure.kind.is_retryable();
        let (recommended, reason) = match may_work {
            true => (RETRY, "The failure may be temporary."),
            false => (SKIP, "The same call is likely to fail again."),
        };
        open(Checkpoint {
            category: Category::Failed,
            severity: Severity::High,
            similar,
            recommendation: recommendation(recommended, reason),
            context: match tries {
                1 => format!("{} (after one attempt)", failure.message),
                _ => format!("{} (after {tries} attempts)", failure.message),
            },
            options: options.into_iter().flatten().collect(),
            ..asked
        })
    }

    pub(super) fn build_doubt_checkpoint(
        &self,
        now: Timestamp,
        task: TaskIndex,
        effect: EffectNumber,
        reason: &str,
    ) -> Event {
        let key = &self.spec(task).key;
        let question =
            format!("Task `{key}` was sent, but its outcome is unknown. What should happen?");
        let asks = Asks::SettleInDoubt {
            task: key.clone(),
            effect,
        };
        let asked = self.new_checkpoint(now, asks, CheckpointType::CriticalDecision, question);
        let options = [
            option(
                RETRY,
                "Send it again",
                "If it already took effect, it takes effect twice.",
            )
            .map(|option| ChoiceOption {
                risk: Some(Risk::High),
                ..option
            }),
            option(
                MARK_DONE,
                "It happened",
                "Continues as if it had succeeded; give its result as the change.",
            ),
            option(
                ABORT,
                "Abort the mission",
                "Stops here; the effect stays recorded as uncertain.",
            ),
        ];
        open(Checkpoint {
            category: Category::Blocked,
            severity: Severity::Critical,
            urgency: Urgency::Immediate,
            context: format!(
                "It must not be repeated, and {reason}. Check its effect before you answer."
            ),
            options: options.into_iter().flatten().collect(),
            ..asked
        })
    }

    /// A conclusion is not sure enough, and another round of thought would not mend that.
    pub(super) fn build_conclusion_checkpoint(
        &self,
        now: Timestamp,
        task: TaskIndex,
        agent: &AgentWork,
        assessment: &Assessment,
        gist: Option<&str>,
    ) -> Event {
        let key = &self.spec(task).key;
        let says = gist.map_or(String::new(), |gist| format!("It says: {gist}\n"));
        let percent = |share: Ppm| share.0 / 10_000;
        let question = format!(
            "Task `{key}` is {}% confident in its conclusion; {}% is required. Accept it?",
            percent(assessment.composite),
            percent(assessment.threshold)
        );
        let asks = Asks::AcceptConclusion { task: key.clone() };
        let asked = self.new_checkpoint(now, asks, CheckpointType::CriticalDecision, question);
        let similar = self.similar(&asked.asks, "");
        let state = &self.tasks[task.index()];
        let steps = state.steps.len().max(1) as u64;
        let price = self.tools().get(&state.asked(agent).route());
        let round = price.map(|facts| MicroUsd(facts.price.0.saturating_mul(3)));
        // Nothing has been learnt since that another round could use: whoever has something to add says so.
        let reason = match assessment.composite < ESCALATE_BELOW {
            true => {
                "It has little support, and the report says so. If you know what is missing, let it think again."
            }
            false => "It was reconsidered and the confidence did not improve.",
        };
        let options = [
            option(
                ACCEPT,
                "Accept it as it is",
                "Continues with it; the report states its confidence.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["Costs nothing more".into(), "The mission continues".into()],
                cons: vec!["What builds on it is equally uncertain".into()],
                cost: Some(MicroUsd::ZERO),
                risk: Some(Risk::Medium),
                ..option
            }),
            option(
                AGAIN,
                "Think again",
                "One more iteration, with what you write in the note.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["May find what was missed".into()],
                cons: vec!["Costs up to three more questions".into()],
                cost: round,
                risk: Some(Risk::Low),
                ..option
            })
            .filter(|_| self.human_retries(key) < HUMAN_RETRIES_MAX),
            option(
                SKIP,
                "Skip it",
                "The tasks that depend on it are skipped as well.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["Nothing uncertain enters the result".into()],
                cons: vec!["What depends on it is lost as well".into()],
                cost: Some(MicroUsd::ZERO),
                risk: Some(Risk::High),
                ..option
            }),
        ];
        open(Checkpoint {
            severity: Severity::High,
            context: format!(
                "{says}{steps} reasoning steps. Own confidence {}%, evidence rules {}%, support {}%.",
                percent(assessment.sure),
                percent(assessment.rules),
                percent(assessment.support)
            ),
            options: options.into_iter().flatten().collect(),
            recommendation: recommendation(ACCEPT, reason),
            similar,
            ..asked
        })
    }

    pub(super) fn build_layer_checkpoint(&self, now: Timestamp, layer: LayerNumber) -> Event {
        let question = format!("Layer {} is done. Continue with the next?", layer.next());
        let asks = Asks::PassLayer { layer };
        let asked = self.new_checkpoint(now, asks, CheckpointType::CriticalDecision, question);
        open(Checkpoint { ..asked })
    }

    pub(super) fn build_change_checkpoint(
        &self,
        now: Timestamp,
        trigger: ReplanTrigger,
        task: Option<TaskKey>,
        what: &str,
    ) -> Event {
        let question = String::from("Continue with the plan as it is?");
        let asks = Asks::ChangePlan { trigger, task };
        let asked = self.new_checkpoint(now, asks, CheckpointType::PlanApproval, question);
        open(Checkpoint {
            context: format!("{what} To change the plan, answer `modify` with a patch."),
            ..asked
        })
    }

    pub(super) fn build_soft_cap_checkpoint(
        &self,
        now: Timestamp,
        whose: Option<TaskKey>,
        why: &str,
    ) -> Event {
        let (asks, question) = match whose {
            Some(key) => {
                let question = format!("Let task `{key}` spend more?");
                (Asks::PassSoftCap { task: Some(key) }, question)
            }
            None => {
                let question = format!("Let “{}” spend more?", self.plan().title);
                (Asks::PassSoftCap { task: None }, question)
            }
        };
        let asked = self.new_checkpoint(now, asks, CheckpointType::CriticalDecision, question);
        let used = self.used.plus(self.reserved);
        open(Checkpoint {
            severity: Severity::High,
            context: format!(
                "{why}. So far: {} and {} calls. Approving continues up to the hard limits.",
                used.money, self.turns
            ),
            actions: vec![Action::Approve, Action::Reject],
            ..asked
        })
    }

    pub(super) fn build_review_checkpoint(&self, now: Timestamp) -> Event {
        let (done, all) = (self.queues.completed, self.tasks.len());
        let question = format!("Deliver the result of “{}”?", self.plan().title);
        let asked = self.new_checkpoint(
            now,
            Asks::ReviewResult,
            CheckpointType::FinalReview,
            question,
        );
        let stopped = self
            .stop_reason
            .as_ref()
            .map_or(String::new(), |why| format!("; stopped early: {why}"));
        let missing = self.tasks().filter_map(|(spec, state)| {
            let is_missing = state.status != TaskStatus::Completed;
            is_missing.then(|| format!("{} ({})", spec.name(), state.status.name()))
        });
        let missing: Vec<String> = missing.take(MISSING_SHOWN_MAX).collect();
        let missing = match missing.is_empty() {
            true => String::new(),
            false => format!("\nNot done: {}", missing.join(" · ")),
        };
        let results = self.results_in_words();
        let results = match results.is_empty() {
            true => String::new(),
            false => format!("\nResult: {}", results.join("\n")),
        };
        open(Checkpoint {
            context: format!("{done} of {all} tasks completed{stopped}{missing}{results}"),
            ..asked
        })
    }
}

pub(super) fn open(checkpoint: Checkpoint) -> Event {
    Event::CheckpointOpened(Box::new(checkpoint))
}

fn option(key: &str, label: &str, description: &str) -> Option<ChoiceOption> {
    Some(ChoiceOption {
        key: OptionKey::new(key).ok()?,
        label: label.into(),
        description: description.into(),
        pros: Vec::new(),
        cons: Vec::new(),
        cost: None,
        time: None,
        risk: None,
    })
}

fn recommendation(key: &str, reason: &str) -> Option<Recommendation> {
    Some(Recommendation {
        option: OptionKey::new(key).ok()?,
        reason: reason.into(),
    })
}
