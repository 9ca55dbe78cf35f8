//! What notices say: JSON for programs, plain text for people.

use adjutant_mission::{
    Action, Checkpoint, CheckpointId, ChoiceOption, Delivery, Ending, EndingPhase, MissionId,
    Recommendation, Role, Severity, TenantId, Timestamp, Urgency,
};
use serde::Serialize;

use crate::{AnswerLink, Notice, What};

/// Longest subject of a mail, in characters.
const SUBJECT_CHARS_MAX: usize = 120;

#[derive(Serialize)]
struct Envelope<'a, D> {
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: String,
    data: D,
}

#[derive(Serialize)]
struct Opened<'a> {
    tenant: &'a TenantId,
    mission: MissionId,
    title: &'a str,
    checkpoint: CheckpointId,
    question: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    context: &'a str,
    options: &'a [ChoiceOption],
    #[serde(skip_serializing_if = "Option::is_none")]
    recommendation: Option<&'a Recommendation>,
    actions: &'a [Action],
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a Role>,
    severity: Severity,
    urgency: Urgency,
    deadline: String,
}

#[derive(Serialize)]
struct Ended<'a> {
    tenant: &'a TenantId,
    mission: MissionId,
    title: &'a str,
    phase: EndingPhase,
    delivery: Delivery,
    reason: &'a str,
}

#[derive(Serialize)]
struct Test<'a> {
    tenant: &'a TenantId,
}

/// The body of a webhook. The same notice gives the same bytes.
pub(crate) fn json(notice: &Notice) -> String {
    let (tenant, at) = (&notice.tenant, notice.at);
    match &notice.what {
        What::CheckpointOpened {
            mission,
            title,
            checkpoint,
        } => encode(
            "checkpoint.opened",
            at,
            Opened {
                tenant,
                mission: *mission,
                title,
                checkpoint: id(*mission, checkpoint),
                question: &checkpoint.question,
                context: &checkpoint.context,
                options: &checkpoint.options,
                recommendation: checkpoint.recommendation.as_ref(),
                actions: &checkpoint.actions,
                role: checkpoint.role.as_ref(),
                severity: checkpoint.severity,
                urgency: checkpoint.urgency,
                deadline: rfc3339(checkpoint.deadline),
            },
        ),
        What::MissionEnded {
            mission,
            title,
            ending,
        } => encode(
            "mission.ended",
            at,
            Ended {
                tenant,
                mission: *mission,
                title,
                phase: ending.phase,
                delivery: ending.delivery,
                reason: &ending.reason,
            },
        ),
        What::Test => encode("test", at, Test { tenant }),
    }
}

fn encode<D: Serialize>(kind: &str, at: Timestamp, data: D) -> String {
    let envelope = Envelope {
        kind,
        timestamp: rfc3339(at),
        data,
    };
    // Strings and enums only: there is nothing in it that JSON could not say.
    serde_json::to_string(&envelope).unwrap_or_default()
}

fn id(mission: MissionId, checkpoint: &Checkpoint) -> CheckpointId {
    let number = checkpoint.number;
    CheckpointId { mission, number }
}

fn rfc3339(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(|_| at.0.to_string(), |at| at.to_string())
}

/// To the minute, for people.
fn when(at: Timestamp) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => format!("{} ms", at.0),
    }
}

pub fn subject_line(notice: &Notice) -> String {
    let line = match &notice.what {
        What::CheckpointOpened {
            title, checkpoint, ..
        } => format!("{} ({title})", checkpoint.question),
        What::MissionEnded { title, ending, .. } => format!("{title}: {}", outcome(ending)),
        What::Test => "A test of this channel".into(),
    };
    crate::send::one_line(&format!("[adjutant] {line}"), SUBJECT_CHARS_MAX)
}

fn outcome(ending: &Ending) -> &'static str {
    match (ending.phase, ending.delivery) {
        (EndingPhase::Completed, Delivery::Delivered) => "completed, delivered",
        (EndingPhase::Completed, Delivery::Draft) => "completed, kept as an unreviewed draft",
        (EndingPhase::Completed, Delivery::Nothing) => "completed",
        (EndingPhase::Failed, _) => "failed",
        (EndingPhase::Cancelled, _) => "cancelled",
    }
}

/// The notice as a person reads it. With a link, a question can be answered there by those whom it asks.
pub fn text(notice: &Notice, link: Option<&AnswerLink>) -> String {
    let mut lines = Vec::new();
    let command = match &notice.what {
        What::CheckpointOpened {
            mission,
            title,
            checkpoint,
        } => {
            question(&mut lines, title, checkpoint);
            format!("adjutant decide {}", id(*mission, checkpoint))
        }
        What::MissionEnded {
            mission,
            title,
            ending,
        } => {
            lines.push(format!("{title}: {}.", outcome(ending)));
            if !ending.reason.is_empty() {
                lines.extend([String::new(), ending.reason.clone()]);
            }
            format!("adjutant show {mission}")
        }
        What::Test => {
            lines.push("This is a test. Notices will be sent to the same recipients.".into());
            "adjutant notify list".into()
        }
    };
    lines.extend([String::new(), format!("    {command}"), String::new()]);
    if let Some((link, checkpoint)) = link.and_then(|link| answerable(notice, link)) {
        lines.extend([
            format!("Answer here (as {}): {}", link.person, link.url(checkpoint)),
            format!(
                "Whoever has this link can answer as {}: do not forward it.",
                link.person
            ),
            String::new(),
        ]);
    }
    lines.extend([
        format!("Tenant {}, {}.", notice.tenant, when(notice.at)),
        String::new(),
    ]);
    lines.join("\n")
}

/// The question, if the link's person is asked.
fn answerable<'a>(notice: &Notice, link: &'a AnswerLink) -> Option<(&'a AnswerLink, CheckpointId)> {
    match &notice.what {
        What::CheckpointOpened {
            mission,
            checkpoint,
            ..
        } if link.is_for(checkpoint) => Some((link, id(*mission, checkpoint))),
        _ => None,
    }
}

fn question(lines: &mut Vec<String>, title: &str, checkpoint: &Checkpoint) {
    lines.push(checkpoint.question.clone());
    if !checkpoint.context.is_empty() {
        lines.extend([String::new(), checkpoint.context.clone()]);
    }
    if !checkpoint.options.is_empty() {
        lines.push(String::new());
    }
    for option in &checkpoint.options {
        let recommended = checkpoint
            .recommendation
            .as_ref()
            .filter(|recommendation| recommendation.option == option.key);
        let mark = if recommended.is_some() { "*" } else { "-" };
        lines.push(format!("{mark} {}  ({})", option.label, option.key));
        if !option.description.is_empty() {
            lines.push(format!("    {}", option.description));
        }
        lines.extend(option.pros.iter().map(|pro| format!("    + {pro}")));
        lines.extend(option.cons.iter().map(|con| format!("    - {con}")));
        if let Some(recommendation) = recommended.filter(|told| !told.reason.is_empty()) {
            lines.push(format!("    recommended: {}", recommendation.reason));
        }
    }
    let role = checkpoint
        .role
        .as_ref()
        .map_or(String::new(), |role| format!(" It is for the role {role}."));
    lines.extend([
        String::new(),
        format!(
            "Rejected if not answered by {}.{role} Mission: {title}.",
            when(checkpoint.deadline)
        ),
    ]);
}
