//! One try: whether there is still something to tell, and if so, telling it.

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::Mission;
use adjutant_notify::{About, Channel, Notice, Progress, Sent, Subject, What};
use adjutant_store::{Store, TenantStore};

use crate::shared::Shared;

pub(super) enum Tried {
    /// There is nothing to tell any more: it was answered, or its content is gone.
    Moot,
    /// The mission could not be read just now.
    Unread,
    /// It is settled already; only keeping that failed.
    Before(Progress),
    Sent(Sent),
}

pub(super) async fn try_one<S: Store>(
    shared: &Shared<S>,
    journal: &TenantJournal<S::Tenant>,
    channel: &Channel,
    about: &About,
) -> Tried {
    let notice = match compose(journal, channel, about).await {
        Ok(Some(notice)) => notice,
        Ok(None) => return Tried::Moot,
        Err(JournalError::Store(_)) => return Tried::Unread,
        // A journal that does not read will not read tomorrow either.
        Err(error) => {
            let why = error.to_string();
            return Tried::Sent(Sent::Refused { why });
        }
    };
    let Some(notifier) = &shared.notifier else {
        return Tried::Moot;
    };
    let now = shared.clock.now();
    Tried::Sent(notifier.sender.send(channel, &notice, now).await)
}

/// All there is to say, as the mission stands now.
async fn compose<T: TenantStore>(
    journal: &TenantJournal<T>,
    channel: &Channel,
    about: &About,
) -> Result<Option<Notice>, JournalError> {
    let id = about.subject.mission();
    let mission = match journal.load(id).await {
        Ok((mission, _)) => mission,
        Err(JournalError::MissionUnknown(_) | JournalError::Gone { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(told(&mission, about.subject).map(|what| Notice {
        tenant: channel.tenant.clone(),
        at: about.at,
        what,
    }))
}

fn told(mission: &Mission, subject: Subject) -> Option<What> {
    let title = mission.plan().title.clone();
    match subject {
        Subject::Checkpoint(id) => {
            let mut open = mission.open_checkpoints();
            let asked = open.find(|state| state.checkpoint.number == id.number)?;
            Some(What::CheckpointOpened {
                mission: id.mission,
                title,
                checkpoint: asked.checkpoint.clone(),
            })
        }
        Subject::Ending(id) => Some(What::MissionEnded {
            mission: id,
            title,
            ending: mission.ending()?.clone(),
        }),
    }
}
