//! Pure parts first, then real sockets: servers that stand for a webhook's receiver and for a mail server.

mod answering;
mod http_server;
mod mails;
mod quiet;
mod routing;
mod schedule;
mod signing;
mod smtp_server;
mod webhooks;

use adjutant_mission::*;

use crate::*;

/// 2026-11-15 13:00:00 UTC.
pub(super) const NOW: Timestamp = Timestamp(1_794_747_600_000);

pub(super) fn mission() -> MissionId {
    MissionId::from_parts(1_794_747_600_000, 7)
}

pub(super) fn tenant() -> TenantId {
    TenantId::new("acme").unwrap()
}

pub(super) fn checkpoint(severity: Severity, role: Option<&str>) -> Checkpoint {
    Checkpoint {
        number: CheckpointNumber::new(2),
        trigger: "task_ready".into(),
        checkpoint_type: CheckpointType::CriticalDecision,
        asks: Asks::DoHumanTask {
            task: TaskKey::new("choose").unwrap(),
        },
        category: Category::Decision,
        severity,
        urgency: Urgency::Soon,
        question: "Welcher Weg, \u{201e}links\u{201c}?".into(),
        context: ".hidden line\nFrom here".into(),
        options: vec![ChoiceOption {
            key: OptionKey::new("left").unwrap(),
            label: "Left".into(),
            description: String::new(),
            pros: vec!["Short".into()],
            cons: vec!["Steep".into()],
            cost: None,
            time: None,
            risk: None,
        }],
        recommendation: Some(Recommendation {
            option: OptionKey::new("left").unwrap(),
            reason: "It is shorter".into(),
        }),
        call: None,
        approvers: None,
        similar: Vec::new(),
        actions: vec![Action::Approve, Action::Reject],
        role: role.map(|role| Role::new(role).unwrap()),
        deciding_agents: Vec::new(),
        forwarded: Vec::new(),
        deadline: NOW.plus(Millis::hours(24)),
    }
}

pub(super) fn asked(severity: Severity, role: Option<&str>) -> Notice {
    Notice {
        tenant: tenant(),
        at: NOW,
        what: What::CheckpointOpened {
            mission: mission(),
            title: "A choice".into(),
            checkpoint: Box::new(checkpoint(severity, role)),
        },
    }
}

pub(super) fn about(severity: Severity, role: Option<&str>) -> About {
    About::checkpoint(mission(), &checkpoint(severity, role), NOW)
}

pub(super) fn channel(carrier: Carrier) -> Channel {
    Channel {
        name: ChannelName::new("team").unwrap(),
        tenant: tenant(),
        roles: Vec::new(),
        tells: Tells::Both,
        quiet: None,
        content: Content::Redacted,
        carrier,
    }
}
