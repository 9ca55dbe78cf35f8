//! An event in one line, for pipes, logs and `events`.

use adjutant_mission::{
    Actor, AfterAssessment, AfterFailure, AfterVerdict, Event, ForkChange, GateVerdict, Mission,
    Pause, Recorded, Stop, Verdict,
};
use adjutant_session_events::Through;

use super::thoughts::{THOUGHT_CHARS_MAX, said};
use super::words::{elapsed, instant, ordinal, preview};
use super::{Line, Tone, count};

/// What an event tells a person: a verb, what it is about, and how it should look.
fn told(event: &Event) -> (Tone, &'static str, String) {
    match event {
        Event::MissionOpened(opened) => {
            let tasks = count(opened.plan.tasks.len(), "task");
            (
                Tone::Bold,
                "opened",
                format!("{} ({tasks})  {}", opened.plan.title, opened.mission),
            )
        }
        Event::MissionForked { of, at, changes } => {
            let changes = changes.iter().map(|change| match change {
                ForkChange::Decision { checkpoint, .. } => {
                    format!(", [{checkpoint}] answered anew")
                }
                ForkChange::Input { name, value } => {
                    format!(", {name} = {}", value.to_plain_text())
                }
                ForkChange::Model { model, .. } => format!(", asks {model}"),
            });
            let changes: String = changes.collect();
            (
                Tone::Bold,
                "forked",
                format!("from {of} at event {at}{changes}"),
            )
        }
        Event::ExecutionStarted {} => (Tone::Running, "executing", String::new()),
        Event::MissionPaused { reason } => (Tone::Human, "paused", reason.clone()),
        Event::MissionResumed {} => (Tone::Running, "resumed", String::new()),
        Event::LayerPassed { layer } => {
            (Tone::Running, "layer", format!("{} passed", layer.next()))
        }
        Event::StopRequested { into, reason, .. } => {
            let into = match into {
                Stop::Synthesize => "makes what it can of what exists",
                Stop::Fail => "fails",
                Stop::Cancel => "is cancelled",
            };
            (Tone::Failed, "stopping", format!("{into}: {reason}"))
        }
        Event::UndoBegan {} => (Tone::Running, "undoing", "newest first".to_owned()),
        Event::UndoStarted { task, attempt, .. } => {
            let again = match attempt {
                0 | 1 => String::new(),
                more => format!(", {} try", ordinal(*more)),
            };
            (Tone::Running, "undoes", format!("{task}{again}"))
        }
        Event::Undone { task, .. } => (Tone::Done, "undone", task.to_string()),
        Event::UndoFailed {
            task,
            failure,
            then,
            ..
        } => {
            let then = match then {
                AfterFailure::Retry { .. } => "will try again",
                _ => "it stays as it is",
            };
            let told = format!("{task}: {} ({then})", failure.message);
            (Tone::Failed, "not undone", told)
        }
        Event::PlanChanged {
            trigger,
            why,
            patch,
        } => {
            let mut parts = Vec::new();
            let names = |keys: Vec<&str>| keys.join(", ");
            if !patch.add.is_empty() {
                let keys = patch.add.iter().map(|task| task.key.as_str()).collect();
                parts.push(format!("adds {}", names(keys)));
            }
            if !patch.change.is_empty() {
                let keys = patch.change.iter().map(|task| task.key.as_str()).collect();
                parts.push(format!("changes {}", names(keys)));
            }
            if !patch.drop.is_empty() {
                let keys = patch.drop.iter().map(|key| key.as_str()).collect();
                parts.push(format!("drops {}", names(keys)));
            }
            if patch.caps.is_some() {
                parts.push("sets caps".to_owned());
            }
            let colon = if why.is_empty() { "" } else { ": " };
            let occasion = trigger.name().replace('_', " ");
            let told = format!("{} ({occasion}){colon}{why}", parts.join("; "));
            (Tone::Human, "replanned", told)
        }
        Event::SynthesisStarted {} => (Tone::Running, "finishing", String::new()),
        Event::MissionEnded(ending) => {
            let reason = if ending.reason.is_empty() {
                String::new()
            } else {
                format!(": {}", ending.reason)
            };
            let told = format!("{:?}, {:?}", ending.phase, ending.delivery).to_lowercase();
            (Tone::Bold, "ended", format!("{told}{reason}"))
        }
        _ => task_told(event),
    }
}

fn task_told(event: &Event) -> (Tone, &'static str, String) {
    match event {
        Event::TaskStarted { task, attempt, .. } => {
            let again = if *attempt > 1 {
                format!(", {} try", ordinal(*attempt))
            } else {
                String::new()
            };
            (Tone::Running, "started", format!("{task}{again}"))
        }
        Event::TaskCompleted { task, output, .. } => {
            let shown = preview(output);
            let arrow = if shown.is_empty() { "" } else { " → " };
            (Tone::Done, "done", format!("{task}{arrow}{shown}"))
        }
        Event::TaskHeld { task, .. } => (
            Tone::Dim,
            "held",
            format!("{task} waits for others to finish"),
        ),
        Event::TaskReleased { task } => (Tone::Done, "done", task.to_string()),
        Event::AttemptFailed {
            task,
            failure,
            then,
            ..
        } => {
            let then = match then {
                AfterFailure::Retry { .. } => "will try again".to_owned(),
                AfterFailure::Alternative => "will try the other way".to_owned(),
                AfterFailure::Upward { to } => format!("handed up to {to}"),
                AfterFailure::Escalate => "asks a human".to_owned(),
                AfterFailure::GiveUp => "gives up".to_owned(),
            };
            (
                Tone::Failed,
                "failed",
                format!("{task}: {} ({then})", failure.message),
            )
        }
        Event::AgentStarted {
            agent, started_by, ..
        } => {
            let by = started_by.as_ref();
            let by = by.map_or(String::new(), |by| format!(", started by {by}"));
            (Tone::Running, "agent", format!("{agent}{by}"))
        }
        Event::StepTaken { task, taken } => {
            let (step, signs) = (&taken.step, &taken.signs);
            let said = said(step.kind, &taken.output).map_or(String::new(), |said| {
                let said: String = said.chars().take(THOUGHT_CHARS_MAX).collect();
                format!(": {said}")
            });
            let sure = signs.sure.map_or(String::new(), |sure| {
                format!(" ({}% sure)", sure.0 / 10_000)
            });
            let (pattern, role) = (step.pattern.name(), step.role.name());
            let told = format!("{task} · {pattern}, {role}{sure}{said}").replace('_', " ");
            (Tone::Dim, "thought", told)
        }
        Event::ConfidenceAssessed {
            task,
            assessment,
            then,
        } => {
            let then = match then {
                AfterAssessment::GoOn => "",
                AfterAssessment::Again => "; thinks again",
                AfterAssessment::Ask => "; asks a human",
            };
            let sure = assessment.composite.0 / 10_000;
            let wanted = assessment.threshold.0 / 10_000;
            let told = format!("{task} {sure}%, {wanted}% wanted{then}");
            let tone = match assessment.is_enough() {
                true => Tone::Done,
                false => Tone::Human,
            };
            (tone, "confidence", told)
        }
        Event::BreachRefused { task, reason, .. } => {
            (Tone::Failed, "refused", format!("{task}: {reason}"))
        }
        Event::TaskRequeued { task } => (Tone::Running, "again", task.to_string()),
        Event::TaskSkipped { task, reason } => (Tone::Dim, "skipped", format!("{task}: {reason}")),
        Event::GateJudged {
            task,
            verdict,
            reason,
            then,
            ..
        } => {
            let verdict = match verdict {
                GateVerdict::Valid => "valid",
                GateVerdict::Repairable => "repairable",
                GateVerdict::Fatal => "fatal",
                GateVerdict::Infeasible => "infeasible",
            };
            let tone = if *then == AfterVerdict::Pass {
                Tone::Done
            } else {
                Tone::Failed
            };
            let reason = if reason.is_empty() {
                String::new()
            } else {
                format!(": {reason}")
            };
            (tone, "judged", format!("{task} {verdict}{reason}"))
        }
        Event::TasksReturned { tasks, reason } => {
            let tasks: Vec<&str> = tasks.iter().map(|task| task.as_str()).collect();
            (
                Tone::Human,
                "returned",
                format!("{}: {reason}", tasks.join(", ")),
            )
        }
        Event::ToolCallApproved { task, .. } => {
            (Tone::Done, "allowed", format!("{task} may call its tool"))
        }
        Event::CapReached { task, reason, .. } => {
            let task = task
                .as_ref()
                .map_or(String::new(), |task| format!("{task}: "));
            (Tone::Failed, "capped", format!("{task}{reason}"))
        }
        Event::SoftCapPassed { task } => {
            let whose = task
                .as_ref()
                .map_or("the mission".to_owned(), |task| task.to_string());
            (
                Tone::Human,
                "allowed",
                format!("{whose} may spend more, up to the hard caps"),
            )
        }
        Event::Degraded { reason } => (
            Tone::Human,
            "cheaper",
            format!("{reason}: cheaper ways from here on"),
        ),
        Event::EffectStarted { effect } => (Tone::Dim, "begun", format!("effect {effect}")),
        Event::EffectDeferred { effect, until } => (
            Tone::Dim,
            "put off",
            format!("effect {effect} until {}", instant(*until)),
        ),
        Event::EffectInDoubt { effect, reason } => (
            Tone::Failed,
            "in doubt",
            format!("effect {effect}: {reason}"),
        ),
        Event::EffectLost { effect } => (
            Tone::Failed,
            "lost",
            // Whether it is sent again depends on what follows: the mission may have ended, or its task been dropped.
            format!("effect {effect}: no response; it is charged in full"),
        ),
        Event::EffectAbandoned { effect, reason } => {
            (Tone::Dim, "dropped", format!("effect {effect}: {reason}"))
        }
        Event::ContentErased { reason } => (Tone::Failed, "erased", reason.clone()),
        Event::Informed { topic, .. } => (Tone::Human, "informed", topic.clone()),
        other => checkpoint_told(other),
    }
}

fn checkpoint_told(event: &Event) -> (Tone, &'static str, String) {
    match event {
        Event::CheckpointOpened(asked) => (
            Tone::Human,
            "asks",
            format!("[{}] {}", asked.number, asked.question),
        ),
        Event::CheckpointWaived(waived) => {
            let about = waived
                .task
                .as_ref()
                .map_or(String::new(), |task| format!(" of {task}"));
            let kind = format!("{:?}", waived.checkpoint_type);
            (
                Tone::Dim,
                "waived",
                format!("{}{about}, by {}", spaced(&kind), waived.by),
            )
        }
        Event::CheckpointClaimed { checkpoint } => {
            (Tone::Human, "claimed", format!("[{checkpoint}]"))
        }
        Event::CheckpointReleased { checkpoint } => {
            (Tone::Human, "released", format!("[{checkpoint}]"))
        }
        Event::CheckpointGuided { checkpoint, note } => {
            (Tone::Human, "guided", format!("[{checkpoint}] {note}"))
        }
        Event::CheckpointEndorsed { checkpoint, .. } => (
            Tone::Human,
            "approved",
            format!("[{checkpoint}] by one of several"),
        ),
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } => {
            let verdict = match decision.verdict {
                Verdict::Approve => "approve",
                Verdict::Modify => "modify",
                Verdict::Reject => "reject",
            };
            let option = decision
                .option
                .as_ref()
                .map_or(String::new(), |option| format!(" {option}"));
            let note = if decision.note.is_empty() {
                String::new()
            } else {
                format!(": {}", decision.note)
            };
            (
                Tone::Human,
                "decided",
                format!("[{checkpoint}] {verdict}{option}{note}"),
            )
        }
        Event::CheckpointExpired { checkpoint } => (
            Tone::Failed,
            "expired",
            format!("[{checkpoint}] nobody answered in time"),
        ),
        Event::CheckpointWithdrawn { checkpoint, reason } => {
            (Tone::Dim, "withdrawn", format!("[{checkpoint}] {reason}"))
        }
        _ => (Tone::Dim, "event", String::new()),
    }
}

/// `PlanApproval` as `plan approval`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// Who did it, and in whose name.
fn doer(actor: &Actor, through: Option<Through<'_>>) -> String {
    match (through, &actor.on_behalf_of) {
        (Some(through), _) => through.told(&actor.id),
        (None, Some(whom)) => format!("{} for {whom}", actor.id),
        (None, None) => actor.id.to_string(),
    }
}

/// Who paused a mission, and why; nothing where neither is known.
pub(crate) fn pause_words(pause: &Pause) -> String {
    let by = pause.by.as_ref().filter(|by| !by.is_system());
    let by = by.map(|by| format!("by {}", doer(by, None)));
    let reason = Some(pause.reason.clone()).filter(|reason| !reason.is_empty());
    let told: Vec<String> = by.into_iter().chain(reason).collect();
    told.join(": ")
}

/// One line about `recorded`, timed from the mission's opening.
pub(crate) fn happened(mission: &Mission, recorded: &Recorded) -> Line {
    let (tone, verb, about) = match &recorded.event {
        Event::TaskStarted { task, attempt, .. }
            if *attempt > 1
                && let Some((spec, state)) = mission.task(task.as_str())
                && spec.reasons() =>
        {
            let step = state.steps.len() + 1;
            (Tone::Dim, "thinks", format!("{task}, step {step}"))
        }
        event => told(event),
    };
    let since = elapsed(recorded.at.since(mission.opened_at()));
    let actor = recorded.actor.as_ref();
    let by = actor
        .filter(|_| !matches!(recorded.event, Event::MissionOpened(_)))
        .map_or(String::new(), |actor| {
            let space = if about.is_empty() { "" } else { "  " };
            format!("{space}by {}", doer(actor, Through::of(recorded)))
        });
    let column = Line::of(Tone::Dim, format!("{since:>12}"))
        .plain("  ")
        .and(tone, verb);
    column.padded(25).plain(about).and(Tone::Dim, by)
}
