//! Overruling: a person's approval at the final review that names the findings and the reason.

use std::collections::BTreeSet;

use adjutant_constitution::Finding;
use adjutant_journal::TenantJournal;
use adjutant_mission::{
    Actor, ActorKind, Asks, Checkpoint, CheckpointState, Closed, Decision, Json, Mission,
    MissionId, Verdict,
};
use adjutant_store::TenantStore;
use serde::{Deserialize, Serialize};

use super::release::Release;
use crate::error::{AppError, ErrorKind};
use crate::mission_record::MissionRecord;
use crate::single_question::defect;
use crate::words::short;

/// What an approval of a blocked result is refused with.
pub const RESULT_BLOCKED: &str = "ADJ-6186";

/// What an approval says beside its verdict and its note, which is the reason.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Overrule {
    /// The ids of findings.
    overrule: BTreeSet<String>,
}

/// The findings that persons overruled. Where several people must approve, each of them must have.
pub(super) fn overruled(mission: &Mission) -> BTreeSet<String> {
    let reviews = mission.checkpoints().iter();
    let reviews = reviews.filter(|asked| asked.checkpoint.asks == Asks::ReviewResult);
    reviews.flat_map(overruled_at).collect()
}

fn overruled_at(asked: &CheckpointState) -> BTreeSet<String> {
    let Some(Closed::Decided { by, decision }) = &asked.closed else {
        return BTreeSet::new();
    };
    let earlier = asked.endorsed.iter().map(|one| (&one.by, &one.decision));
    let mut given = earlier.map(|(by, decision)| overruled_by(by, decision));
    let last = overruled_by(by, decision);
    given
        .try_fold(last, |all, one| {
            let both: BTreeSet<String> = all.intersection(&one).cloned().collect();
            Some(both)
        })
        .unwrap_or_default()
}

fn overruled_by(by: &Actor, decision: &Decision) -> BTreeSet<String> {
    let says_why = !decision.note.trim().is_empty();
    let approves = decision.verdict == Verdict::Approve;
    if by.kind != ActorKind::Human || !says_why || !approves {
        return BTreeSet::new();
    }
    read(decision).map_or_else(BTreeSet::new, |given| given.overrule)
}

fn read(decision: &Decision) -> Option<Overrule> {
    serde_json::from_str(decision.change.as_ref()?.text()).ok()
}

/// What an approval asks for before it is spelled out: that all that blocks be overruled.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverruleAll {
    overrule: bool,
}

/// The change of an approval that overrules all that blocks; the reason is in its note.
pub fn overrule_all() -> Json {
    #[derive(Serialize)]
    struct All {
        overrule: bool,
    }
    Json::encode(&All { overrule: true }).unwrap_or_else(|_| Json::null())
}

/// Lists in an answer to a final review the findings that it overrules. Refuses an approval that leaves the result blocked,
/// that has no reason, or that overrules a rule that cannot be overruled.
pub async fn review_answer<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    checkpoint: &Checkpoint,
    decision: Decision,
) -> Result<Decision, AppError> {
    let is_approval = decision.verdict == Verdict::Approve;
    if checkpoint.asks != Asks::ReviewResult || !is_approval {
        return match read(&decision).is_some() || wants_all(&decision) {
            true => Err(nothing_to_overrule(mission)),
            false => Ok(decision),
        };
    }
    let record = MissionRecord::read(journal, mission).await?;
    spelled_out(&record, decision)
}

fn wants_all(decision: &Decision) -> bool {
    let change = decision.change.as_ref();
    let read = change.and_then(|change| serde_json::from_str::<OverruleAll>(change.text()).ok());
    read.is_some_and(|all| all.overrule)
}

fn spelled_out(record: &MissionRecord, decision: Decision) -> Result<Decision, AppError> {
    let mission = record.mission.id();
    let release = Release::of(record);
    let blocking = release.blocking_result(record);
    if let Some(finding) = blocking.iter().find(|finding| !finding.may_be_overruled) {
        return Err(nobody_may(mission, finding));
    }
    let given = match wants_all(&decision) {
        false => read(&decision),
        true => {
            let all = release.blocking_anywhere(record).into_iter();
            let all = all.filter(|finding| finding.may_be_overruled);
            let overrule = all.map(|finding| finding.id).collect();
            Some(Overrule { overrule })
        }
    };
    let Some(given) = given else {
        return match blocking.first() {
            None => Ok(decision),
            Some(first) => Err(blocked(mission, blocking.len(), first)),
        };
    };
    if given.overrule.is_empty() {
        return Err(nothing_to_overrule(mission));
    }
    let mut left = blocking
        .iter()
        .filter(|it| !given.overrule.contains(&it.id));
    if let Some(first) = left.next() {
        return Err(blocked(mission, 1 + left.count(), first));
    }
    if decision.note.trim().is_empty() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6189",
            format!(
                "overruling the constitutional checks of mission {} needs a reason",
                short(mission)
            ),
            "Say it with `--overrule REASON`, or in the note of the decision.",
        ));
    }
    let change = Json::encode(&given).map_err(|error| defect(&error))?;
    Ok(Decision {
        change: Some(change),
        ..decision
    })
}

fn nobody_may(mission: MissionId, finding: &Finding) -> AppError {
    AppError::new(
        ErrorKind::Forbidden,
        "ADJ-6187",
        format!(
            "the result of mission {} breaks the rule `{}`, which cannot be overruled: “{}”",
            short(mission),
            finding.rule,
            finding.excerpt
        ),
        "Have it reworked with `modify` and `--redo`, or reject it.",
    )
}

fn blocked(mission: MissionId, count: usize, first: &Finding) -> AppError {
    let more = match count {
        1 => String::new(),
        count => format!(" ({} more)", count - 1),
    };
    AppError::new(
        ErrorKind::Conflict,
        RESULT_BLOCKED,
        format!(
            "the constitutional checks block the result of mission {} by the rule `{}`: “{}”{more}",
            short(mission),
            first.rule,
            first.excerpt
        ),
        "If it is a false alarm, approve with `--overrule REASON`. Otherwise have it reworked with `modify`, or reject it.",
    )
}

fn nothing_to_overrule(mission: MissionId) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6188",
        format!(
            "nothing of mission {} is blocked, so there is nothing to overrule",
            short(mission)
        ),
        "Answer without `--overrule`.",
    )
}
