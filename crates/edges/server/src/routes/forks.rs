//! Missions beside one another: forked, compared, and taken along in a file.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use adjutant_app::workflow::{
    ProgramMakers, change_approved_before, may_answer, not_its_own, program_makers,
};
use adjutant_host::{Audited, ForkRequest, HostError, new_mission_id};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{
    Asks, CheckpointNumber, CommandId, Comparison, Decision, ForkChange, Json, Look, Millis,
    Mission, MissionId, ModelId, Payload, Recorded, Refused, Timestamp, fork_point,
    forked_question,
};
use adjutant_store::{Store, TenantStore};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;

use super::missions::{begun, mission_of_key, started_before};
use super::{json as answer, known, mission_id, read};
use crate::access::{Authority, Permit, may};
use crate::{App, Problem, idempotency, limits};

/// A longer file is written by the command line, which needs no memory for it.
const EXPORT_BYTES_MAX: usize = 256 * 1024 * 1024;
const CHANGES_MAX: usize = 100;

/// Where to fork, and what is to be otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// The last event that it inherits; all of them, where none is named.
    at: Option<u64>,
    #[serde(default)]
    decisions: Vec<Decided>,
    #[serde(default)]
    inputs: BTreeMap<String, Json>,
    model: Option<ModelId>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    /// The only one that is open, where none is named.
    checkpoint: Option<CheckpointNumber>,
    decision: Decision,
}

pub(super) async fn fork<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(of): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let of = mission_id(&of)?;
    let wanted: Wanted = match body.is_empty() {
        true => Wanted::default(),
        false => read(&body)?,
    };
    if wanted.decisions.len() + wanted.inputs.len() > CHANGES_MAX {
        let told = format!("a fork can have at most {CHANGES_MAX} changes");
        return Err(Problem::malformed(told));
    }
    // Answering a question in a fork is answering it.
    if !wanted.decisions.is_empty() && !may(authority.role, Permit::Decide) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "ADJ-9007",
            format!(
                "your role, {}, may not answer questions",
                authority.role.name()
            ),
            "Fork without `decisions`, or ask someone who may answer questions.",
        ));
    }
    let key = idempotency::key_of(&headers)?;
    let asked = [of.to_string().as_bytes(), &*body].concat();
    let journal = app.host.journal(&app.tenant);
    if let Some(key) = &key
        && let Some(mission) = started_before(&app, &authority, key, &asked).await?
        && journal.summary(mission).await?.is_some()
    {
        return Ok(begun(StatusCode::OK, mission, &told(mission, of), None));
    }
    let (events, head) = journal.read(of).await?;
    let at = wanted.at.unwrap_or(head.seq);
    let stood = fork_point(&events, at).map_err(adjutant_host::HostError::from)?;
    let makers = program_makers(&journal, of).await?;
    may_repeat(&authority, &makers, &stood)?;
    for (asked, decision) in answered(&stood, &wanted)? {
        may_answer(&makers, &authority.who, authority.way, asked, decision)?;
    }
    let (by, changes) = changes(&app, &authority, &stood, wanted)?;
    limits::check(&app, authority.who.as_str()).await?;
    let mission = match &key {
        Some(key) => mission_of_key(&app, &authority, key, &asked).await?,
        None => new_mission_id(app.host.clock().now())?,
    };
    // Counted one after the other, as all that is started is.
    let _alone = app.starting.lock().await;
    if journal.summary(mission).await?.is_some() {
        return Ok(begun(StatusCode::OK, mission, &told(mission, of), None));
    }
    let room = limits::take(&app, authority.who.as_str(), mission).await?;
    let request = ForkRequest {
        mission,
        of,
        at,
        changes,
    };
    let command = CommandId::from_bits(mission.bits());
    app.host.fork(&app.tenant, by, command, request).await?;
    let status = StatusCode::CREATED;
    Ok(begun(status, mission, &told(mission, of), Some(room)))
}

/// A fork does again what was approved where it began, without another question. That is for those who could approve it.
fn may_repeat(
    authority: &Authority,
    makers: &ProgramMakers,
    stood: &Mission,
) -> Result<(), Problem> {
    let Some(task) = change_approved_before(stood) else {
        return Ok(());
    };
    if !may(authority.role, Permit::Decide) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "ADJ-9007",
            format!(
                "the fork would do task `{task}` by an approval that it inherits, and your role, {}, may not answer questions",
                authority.role.name()
            ),
            "Fork at an event before the plan was approved, or ask someone who may answer questions.",
        ));
    }
    Ok(not_its_own(makers, &authority.who, authority.way)?)
}

/// The questions that a fork answers, with the answers.
fn answered<'a>(
    stood: &'a Mission,
    wanted: &'a Wanted,
) -> Result<Vec<(&'a Asks, &'a Decision)>, Problem> {
    let mut answered = Vec::new();
    for decided in &wanted.decisions {
        let checkpoint = forked_question(stood, decided.checkpoint).map_err(HostError::from)?;
        let asked = stood.checkpoints().get(checkpoint.index());
        let unknown = || HostError::from(Refused::CheckpointUnknown { checkpoint });
        let asked = asked.ok_or_else(unknown)?;
        answered.push((&asked.checkpoint.asks, &decided.decision));
    }
    Ok(answered)
}

fn told(mission: MissionId, of: MissionId) -> serde_json::Value {
    json!({ "mission": mission, "of": of })
}

/// What a fork makes different, and as whom its maker acts.
fn changes<S: Store>(
    app: &App<S>,
    authority: &Authority,
    stood: &Mission,
    wanted: Wanted,
) -> Result<(adjutant_mission::Actor, Vec<ForkChange>), Problem> {
    let mut by = authority.actor();
    let mut changes = Vec::new();
    for Decided {
        checkpoint,
        decision,
    } in wanted.decisions
    {
        let checkpoint = forked_question(stood, checkpoint);
        let checkpoint = checkpoint.map_err(adjutant_host::HostError::from)?;
        let asked = stood.checkpoints().get(checkpoint.index());
        by = authority.answering(asked.map(|asked| &*asked.checkpoint));
        changes.push(ForkChange::Decision {
            checkpoint,
            decision,
        });
    }
    for name in wanted.inputs.keys() {
        adjutant_app::planning::check_fork_input(name)?;
    }
    let inputs = wanted.inputs.into_iter();
    changes.extend(inputs.map(|(name, value)| ForkChange::Input { name, value }));
    if let Some(model) = wanted.model {
        let tools = app.use_cases.model_routes(&model, stood.plan())?;
        changes.push(ForkChange::Model { model, tools });
    }
    Ok((by, changes))
}

/// A mission with all that it gave.
struct Whole {
    events: Vec<Recorded>,
    mission: Mission,
    blobs: BTreeMap<String, Json>,
}

impl Whole {
    async fn read<T: TenantStore>(
        journal: &TenantJournal<T>,
        mission: MissionId,
    ) -> Result<Self, Problem> {
        let (events, _) = journal.read(mission).await?;
        let (folded, standing) = journal.load(mission).await?;
        let given = folded.tasks().flat_map(|(_, state)| {
            let steps = state.steps.iter().map(|taken| &taken.output);
            steps.chain(state.output.as_ref())
        });
        let digests: Vec<&String> = given
            .filter_map(|payload| match payload {
                Payload::Blob { digest, .. } => Some(digest),
                Payload::Inline(_) => None,
            })
            .collect();
        let mut blobs = BTreeMap::new();
        for digest in digests {
            if let Ok(parsed) = digest.parse()
                && let Some(json) = journal.output(&standing.seal, mission, parsed).await?
            {
                blobs.insert(digest.clone(), json);
            }
        }
        Ok(Self {
            events,
            mission: folded,
            blobs,
        })
    }

    fn look(&self) -> Look<'_> {
        Look {
            events: &self.events,
            mission: &self.mission,
            blobs: &self.blobs,
        }
    }

    /// How long it has taken by now, with what it inherited.
    fn lasted(&self, now: Timestamp) -> Millis {
        let mission = &self.mission;
        let until = match mission.ending() {
            Some(_) => mission.updated_at(),
            None => now,
        };
        match mission.forked() {
            None => until.since(mission.opened_at()),
            Some(forked) => {
                let inherited = forked.left_at.since(mission.opened_at());
                Millis(inherited.0.saturating_add(until.since(forked.since).0))
            }
        }
    }
}

pub(super) async fn compare<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path((a, b)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let journal = app.host.journal(&app.tenant);
    let (a, b) = (mission_id(&a)?, mission_id(&b)?);
    let a = Whole::read(&journal, a).await?;
    let b = Whole::read(&journal, b).await?;
    let mut told = Comparison::of(a.look(), b.look());
    // A journal tells nothing of the time since its last event; a mission that goes on takes it all the same.
    let now = app.host.clock().now();
    for (side, whole) in [(&mut told.a, &a), (&mut told.b, &b)] {
        let lasted = whole.lasted(now);
        side.own.time = Millis(lasted.0.saturating_sub(side.inherited.time.0));
    }
    let told = serde_json::to_value(&told).map_err(JournalError::Encode)?;
    Ok(answer(StatusCode::OK, &told))
}

/// What is written, up to as much as may be.
#[derive(Default)]
struct Room(Vec<u8>);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > EXPORT_BYTES_MAX {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The journal in a file of its own. Its content stays sealed: it can be verified anywhere, and read here alone.
pub(super) async fn export<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    known(&app, mission).await?;
    let export = Audited::Export {
        mission,
        what: "journal".to_owned(),
    };
    let by = Some(authority.who);
    app.host.note(&app.tenant, by, export).await?;
    let journal = app.host.journal(&app.tenant);
    let now = app.host.clock().now();
    let written = journal.export(&[mission], None, now, Room::default()).await;
    let written = written.map_err(|error| match error {
        JournalError::Write(_) => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "ADJ-9021",
            format!("the export would be larger than {EXPORT_BYTES_MAX} bytes"),
            "Run `adjutant export` on the server's machine.",
        ),
        error => error.into(),
    })?;
    let name = format!("attachment; filename=\"{mission}.adjutant\"");
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((StatusCode::OK, headers, written.0).into_response())
}
