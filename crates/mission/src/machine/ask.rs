//! The wording of checkpoints: what is asked, with which options, by when.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Mission;
use super::decisions::{ABORT, ACCEPT, AGAIN, MARK_DONE, RETRY, SKIP};
use super::proceed::Leave;
use crate::{
    Action, AgentId, AgentWork, ApprovalSource, Asks, Assessment, Category, Checkpoint,
    CheckpointType, ChoiceOption, ESCALATE_BELOW, Event, Failure, Human, MicroUsd, OptionKey,
    Payload, Ppm, Recommendation, ReplanTrigger, Risk, Severity, Task, TaskKey, Timestamp, Urgency,
    WorkSpec, references,
};

/// How much of a tool's arguments a question shows.
const ARGUMENTS_SHOWN_MAX: usize = 600;
/// How many tasks of a plan a question names.
const PLANNED_SHOWN_MAX: usize = 60;

impl Mission {
    /// Whether a rule asks for somebody else than them: they opened the mission themselves, or forked it.
    pub(super) fn needs_another(&self, kind: CheckpointType, than: &AgentId) -> bool {
        let mut beginners = self.opened_by.iter().chain(&self.forked_by);
        self.plan().four_eyes.contains(&kind) && beginners.any(|beginner| beginner.acts_for(than))
    }

    /// Who waived checkpoints of this type in advance, and may.
    pub(super) fn waiver(&self, kind: CheckpointType) -> Option<AgentId> {
        let mut waivers = self
            .opened
            .approvals
            .iter()
            .filter_map(|source| match source {
                ApprovalSource::Waiver { by, types } => types.0.contains(&kind).then_some(by),
                ApprovalSource::EarnedLevel { .. } => None,
            });
        waivers.find(|by| !self.needs_another(kind, by)).cloned()
    }

    fn asking(
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
            number: self.checkpoints.len() as u32,
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
            similar: Vec::new(),
            actions: vec![Action::Approve, Action::Modify, Action::Reject],
            role: None,
            deciding_agents: Vec::new(),
            forwarded: Vec::new(),
            deadline: now.plus(self.plan().checkpoint_deadline),
        }
    }

    pub(super) fn ask_plan(&self, now: Timestamp) -> Event {
        let plan = self.plan();
        let count = plan.tasks.len();
        let tasks = if count == 1 { "task" } else { "tasks" };
        let question = format!("Carry out the plan “{}” ({count} {tasks})?", plan.title);
        let asked = self.asking(
            now,
            Asks::ApprovePlan,
            CheckpointType::PlanApproval,
            question,
        );
        let shown = plan.tasks.iter().take(PLANNED_SHOWN_MAX).map(Task::name);
        let shown: Vec<&str> = shown.collect();
        let hidden = match count - shown.len() {
            0 => String::new(),
            more => format!(" · and {more} more"),
        };
        let steps = format!("Steps: {}{hidden}", shown.join(" · "));
        let context = match plan.objective.is_empty() {
            true => steps,
            false => format!("{}\n{steps}", plan.objective),
        };
        open(Checkpoint { context, ..asked })
    }

    pub(super) fn ask_tool(&self, now: Timestamp, task: u32, leave: &Leave<'_>) -> Event {
        let (spec, state) = (self.spec(task), &self.tasks[task as usize]);
        let chosen = state.next_call(spec);
        let (tool, with) = match &spec.work {
            WorkSpec::Agent(_) if let Some(call) = &chosen => {
                (call.tool.as_str(), call.with.text())
            }
            WorkSpec::Tool(call) => {
                let call = state.call(spec, call);
                (call.tool.as_str(), call.with.text())
            }
            WorkSpec::Agent(agent) => match state.instead_of_asking(spec) {
                Some(call) => (call.tool.as_str(), call.with.text()),
                None => (agent.purpose.as_str(), agent.with.text()),
            },
            WorkSpec::Mission(sub) => ("mission", sub.plan.title.as_str()),
            WorkSpec::Human(_) | WorkSpec::Gate(_) => ("", ""),
        };
        let asks = Asks::ApproveTool {
            task: spec.key.clone(),
        };
        let (kind, question) = match &spec.work {
            WorkSpec::Mission(_) => (
                CheckpointType::SubagentApproval,
                format!("Let task `{}` start a sub-mission?", spec.key),
            ),
            WorkSpec::Agent(agent)
                if chosen.is_none() && state.instead_of_asking(spec).is_none() =>
            {
                (
                    CheckpointType::SubagentApproval,
                    format!(
                        "Let task `{}` ask a model ({tool}, {})?",
                        spec.key,
                        agent.level.name()
                    ),
                )
            }
            _ => (
                CheckpointType::ToolApproval,
                format!("Let task `{}` call `{tool}`?", spec.key),
            ),
        };
        let asked = self.asking(now, asks, kind, question);
        let again = match self.forked() {
            Some(forked) => format!("This is a fork of {}, which may have done it. ", forked.of),
            None => String::new(),
        };
        // Before the arguments: these are words of whoever wrote that text.
        let provenance = match leave.outside_text {
            Some(text) => format!("Its arguments derive from {text}. "),
            None => String::new(),
        };
        let arguments = shorten(&self.fill(with), ARGUMENTS_SHOWN_MAX);
        open(Checkpoint {
            context: again + &provenance + &arguments,
            ..asked
        })
    }

    pub(super) fn ask_human_task(&self, now: Timestamp, task: u32, human: &Human) -> Event {
        let asks = Asks::DoHumanTask {
            task: self.spec(task).key.clone(),
        };
        let question = self.fill(&human.question);
        let asked = self.asking(now, asks, human.kind, question);
        let recommend = |option: &OptionKey| Recommendation {
            option: option.clone(),
            reason: human.because.clone(),
        };
        open(Checkpoint {
            options: human.options.clone(),
            recommendation: human.recommend.as_ref().map(recommend),
            role: human.role.clone(),
            deadline: human
                .deadline
                .map_or(asked.deadline, |after| now.plus(after)),
            ..asked
        })
    }

    pub(super) fn ask_recovery(&self, now: Timestamp, task: u32, failure: &Failure) -> Event {
        let key = &self.spec(task).key;
        let tries = self.tasks[task as usize].attempt;
        let question = format!("Task `{key}` cannot go on. What now?");
        let asks = Asks::RecoverTask { task: key.clone() };
        let asked = self.asking(now, asks, CheckpointType::CriticalDecision, question);
        let options = [
            option(
                RETRY,
                "Try again",
                "Starts over with fresh retries; give a change to alter its arguments, a patch to alter the plan.",
            ),
            option(
                SKIP,
                "Leave it out",
                "Whatever depends on it is left out as well.",
            ),
        ];
        open(Checkpoint {
            category: Category::Failed,
            severity: Severity::High,
            context: match tries {
                1 => format!("{} (after one try)", failure.message),
                _ => format!("{} (after {tries} tries)", failure.message),
            },
            options: options.into_iter().flatten().collect(),
            ..asked
        })
    }

    pub(super) fn ask_in_doubt(
        &self,
        now: Timestamp,
        task: u32,
        effect: u32,
        reason: &str,
    ) -> Event {
        let key = &self.spec(task).key;
        let question =
            format!("Task `{key}` was sent, and what became of it is not known. What now?");
        let asks = Asks::SettleInDoubt {
            task: key.clone(),
            effect,
        };
        let asked = self.asking(now, asks, CheckpointType::CriticalDecision, question);
        let options = [
            option(
                RETRY,
                "Send it again",
                "If it did happen, it happens twice.",
            )
            .map(|option| ChoiceOption {
                risk: Some(Risk::High),
                ..option
            }),
            option(
                MARK_DONE,
                "It happened",
                "Goes on as if it had succeeded; give its result as the change.",
            ),
            option(
                ABORT,
                "Abort the mission",
                "Stops here; the effect stays recorded as in doubt.",
            ),
        ];
        open(Checkpoint {
            category: Category::Blocked,
            severity: Severity::Critical,
            urgency: Urgency::Immediate,
            context: format!("It may happen only once, and {reason}. Look before you answer."),
            options: options.into_iter().flatten().collect(),
            ..asked
        })
    }

    /// A conclusion is not sure enough, and another round of thought would not mend that.
    pub(super) fn ask_conclusion(
        &self,
        now: Timestamp,
        task: u32,
        agent: &AgentWork,
        assessment: &Assessment,
        gist: Option<&str>,
    ) -> Event {
        let key = &self.spec(task).key;
        let says = gist.map_or(String::new(), |gist| format!("It says: {gist}\n"));
        let percent = |share: Ppm| share.0 / 10_000;
        let question = format!(
            "Task `{key}` is {}% sure of its conclusion, and {}% are wanted. Take it?",
            percent(assessment.composite),
            percent(assessment.threshold)
        );
        let asks = Asks::AcceptConclusion { task: key.clone() };
        let asked = self.asking(now, asks, CheckpointType::CriticalDecision, question);
        let state = &self.tasks[task as usize];
        let steps = state.steps.len().max(1) as u64;
        let price = self.tools().get(&state.asked(agent).route());
        let round = price.map(|facts| MicroUsd(facts.price.0.saturating_mul(3)));
        let reason = match assessment.composite < ESCALATE_BELOW {
            true => "Too little supports it; say what is missing, or where to look.",
            false => "It was thought through again and did not get surer.",
        };
        let options = [
            option(
                ACCEPT,
                "Take it as it is",
                "Goes on with it; its confidence stands in the report.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["Costs nothing more".into(), "The mission goes on".into()],
                cons: vec!["What rests on it is as uncertain as it is".into()],
                cost: Some(MicroUsd::ZERO),
                risk: Some(Risk::Medium),
                ..option
            }),
            option(
                AGAIN,
                "Think again",
                "One more round, with what you say in the note or as guidance.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["May find what was missed".into()],
                cons: vec!["Costs up to three more questions".into()],
                cost: round,
                risk: Some(Risk::Low),
                ..option
            }),
            option(
                SKIP,
                "Leave it out",
                "Whatever depends on it is left out as well.",
            )
            .map(|option| ChoiceOption {
                pros: vec!["Nothing uncertain gets into the result".into()],
                cons: vec!["What depends on it is lost, too".into()],
                cost: Some(MicroUsd::ZERO),
                risk: Some(Risk::High),
                ..option
            }),
        ];
        let recommended = match assessment.composite < ESCALATE_BELOW {
            true => AGAIN,
            false => ACCEPT,
        };
        open(Checkpoint {
            severity: Severity::High,
            context: format!(
                "{says}{steps} steps of thought. Sure of itself {}%, rules of evidence {}%, support {}%.",
                percent(assessment.sure),
                percent(assessment.rules),
                percent(assessment.support)
            ),
            options: options.into_iter().flatten().collect(),
            recommendation: OptionKey::new(recommended)
                .ok()
                .map(|option| Recommendation {
                    option,
                    reason: reason.into(),
                }),
            ..asked
        })
    }

    pub(super) fn ask_layer(&self, now: Timestamp, layer: u32) -> Event {
        let question = format!("Layer {} is done. Go on with the next?", layer + 1);
        let asks = Asks::PassLayer { layer };
        let asked = self.asking(now, asks, CheckpointType::CriticalDecision, question);
        open(Checkpoint { ..asked })
    }

    pub(super) fn ask_change(
        &self,
        now: Timestamp,
        trigger: ReplanTrigger,
        task: Option<TaskKey>,
        what: &str,
    ) -> Event {
        let question = String::from("Go on with the plan as it is?");
        let asks = Asks::ChangePlan { trigger, task };
        let asked = self.asking(now, asks, CheckpointType::PlanApproval, question);
        open(Checkpoint {
            context: format!("{what} To change the plan, answer `modify` with a patch."),
            ..asked
        })
    }

    pub(super) fn ask_soft_cap(&self, now: Timestamp, whose: Option<TaskKey>, why: &str) -> Event {
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
        let asked = self.asking(now, asks, CheckpointType::CriticalDecision, question);
        let used = self.used.plus(self.reserved);
        open(Checkpoint {
            severity: Severity::High,
            context: format!(
                "{why}. So far: {} and {} calls. A yes goes on up to the hard caps.",
                used.money, self.turns
            ),
            actions: vec![Action::Approve, Action::Reject],
            ..asked
        })
    }

    pub(super) fn ask_review(&self, now: Timestamp) -> Event {
        let (done, all) = (self.queues.completed, self.tasks.len());
        let question = format!("Deliver the result of “{}”?", self.plan().title);
        let asked = self.asking(
            now,
            Asks::ReviewResult,
            CheckpointType::FinalReview,
            question,
        );
        let stopped = self
            .stop_reason
            .as_ref()
            .map_or(String::new(), |why| format!("; stopped early: {why}"));
        open(Checkpoint {
            context: format!("{done} of {all} tasks completed{stopped}"),
            ..asked
        })
    }

    /// Puts recorded outputs in the place of references, as text.
    fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        for reference in references(text) {
            let Some(start) = rest.find("{{") else { break };
            let Some(length) = rest[start..].find("}}") else {
                break;
            };
            filled.push_str(&rest[..start]);
            filled.push_str(
                &self
                    .look_up(&reference.parts)
                    .unwrap_or_else(|| "(not there)".into()),
            );
            rest = &rest[start + length + 2..];
        }
        filled.push_str(rest);
        filled
    }

    fn look_up(&self, parts: &[String]) -> Option<String> {
        let (first, path) = parts.split_first()?;
        if first == "inputs" {
            return self
                .plan()
                .inputs
                .as_ref()?
                .at(path)
                .map(|found| found.to_plain_text());
        }
        match self.output(first)? {
            Payload::Inline(json) => json.at(path.get(1..)?).map(|found| found.to_plain_text()),
            Payload::Blob { bytes, .. } => Some(format!("({bytes} bytes: see task {first})")),
        }
    }
}

fn open(checkpoint: Checkpoint) -> Event {
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

fn shorten(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_string();
    }
    let end = (0..=bytes_max)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    format!("{}… ({} bytes)", &text[..end], text.len())
}
