//! Opens a mission and waits, without showing anything, until it has ended or only a person can move it.

use adjutant_host::control::{ClientError, Request};
use adjutant_host::{Host, Performs, new_command_id, own_account};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Actor, Mission, MissionId, Phase, Recorded, Start, TaskStatus, TenantId};
use adjutant_store::{Store, TenantStore};
use tokio::sync::broadcast::error::RecvError;

use crate::context::{Context, Hosting};
use crate::error::{AppError, ErrorKind};
use crate::host_link::HostLink;
use crate::read_only_store::ReadOnlyStore;
use crate::wiring;

/// Opens the mission in the caller's name, and gives it as it stands when it rests.
pub(crate) async fn run_to_rest(context: Context<'_>, start: Start) -> Result<Mission, AppError> {
    let by = context.caller.clone();
    match context.hosting {
        Hosting::Here(host) => in_host(host, by, start).await,
        Hosting::Reached => {
            let link = HostLink::reach(context.settings, Performs::Effects).await?;
            let rested = match link.host() {
                Some(host) => match host.check_claim(own_account().as_ref(), &by, &start.plan) {
                    Ok(()) => in_host(host, by, start).await,
                    Err(error) => Err(error.into()),
                },
                None => through_socket(context, &link, by, start).await,
            };
            let closed = link.close().await;
            // What became of the mission matters more than how the host closes.
            let mission = rested?;
            closed?;
            Ok(mission)
        }
    }
}

async fn in_host<S: Store>(host: &Host<S>, by: Actor, start: Start) -> Result<Mission, AppError> {
    let (tenant, mission) = (start.scope.tenant.clone(), start.mission);
    // From before it is opened: no commit of it is missed.
    let mut commits = host.subscribe();
    let command = new_command_id(host.clock().now())?;
    host.open(by, command, start).await?;
    let journal = host.journal(&tenant);
    loop {
        let (folded, _) = journal.load(mission).await?;
        if rests(&folded) {
            return Ok(folded);
        }
        loop {
            match commits.recv().await {
                Ok(commit) if commit.mission == mission => break,
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => break,
                Err(RecvError::Closed) => return Ok(folded),
            }
        }
    }
}

async fn through_socket(
    context: Context<'_>,
    link: &HostLink,
    by: Actor,
    start: Start,
) -> Result<Mission, AppError> {
    let (tenant, mission) = (start.scope.tenant.clone(), start.mission);
    let command = new_command_id(wiring::clock().now())?;
    let start = Box::new(start);
    link.request(Request::Open { by, command, start }).await?;
    let journal = ReadOnlyStore::expect(context.settings).await?.journal;
    watch(link, &journal, tenant, mission).await?;
    // Whatever the host did not get to tell is in the journal.
    Ok(journal.load(mission).await?.0)
}

async fn watch<T: TenantStore>(
    link: &HostLink,
    journal: &TenantJournal<T>,
    tenant: TenantId,
    mission: MissionId,
) -> Result<(), AppError> {
    let mut watching = link.client().await?.watch(tenant, mission, 1).await?;
    let mut folded: Option<Mission> = None;
    loop {
        let recorded = match watching.next().await {
            Ok(Some(recorded)) => recorded,
            Ok(None) | Err(ClientError::Lost(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let state = fold(&mut folded, mission, &recorded)?;
        if rests(state) {
            // Events come one by one; only where the journal ends does the state say what is so.
            let head = journal.store().head(mission).await?;
            if head.is_some_and(|head| head.seq == state.seq()) {
                return Ok(());
            }
        }
    }
}

fn fold<'a>(
    folded: &'a mut Option<Mission>,
    id: MissionId,
    recorded: &Recorded,
) -> Result<&'a Mission, AppError> {
    let corrupt = |source| JournalError::Corrupt {
        mission: id,
        source: Box::new(source),
    };
    match folded {
        Some(mission) => mission.apply(recorded).map_err(corrupt)?,
        None => *folded = Some(Mission::begin(recorded).map_err(corrupt)?),
    }
    folded.as_ref().ok_or_else(|| {
        AppError::new(
            ErrorKind::Internal,
            "ADJ-6083",
            "a mission that was just written is missing",
            "This is a defect of Adjutant; please report it.",
        )
    })
}

/// Whether it has ended, or only a person can move it.
pub(crate) fn rests(mission: &Mission) -> bool {
    let running = |status| matches!(status, TaskStatus::Running | TaskStatus::Delayed);
    let paused = mission.is_paused()
        && (mission.is_stopped() || !mission.tasks().any(|(_, state)| running(state.status)));
    mission.phase().is_ended() || mission.phase() == Phase::AwaitingHuman || paused
}
