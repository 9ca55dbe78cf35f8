//! From what a person types to the mission or question they mean.

use adjutant_mission::{CheckpointId, CheckpointNumber, MissionId, TriggerId};
use adjutant_store::{ListOrder, ListQuery, TenantStore};

use crate::error::{AppError, ErrorKind};
use crate::words::{short, short_checkpoint, short_trigger};

/// How many of the newest missions are searched for the end of an id.
const SEARCHED_MAX: usize = 100_000;
const PAGE: u32 = 1_000;
/// How many candidates an answer lists.
const CANDIDATES_MAX: u32 = 5;

/// The mission whose id is `text`, or begins or ends with it; `last` is the newest.
pub async fn mission<T: TenantStore>(store: &T, text: &str) -> Result<MissionId, AppError> {
    if text == "last" {
        let newest = store.list(query(1, None)).await?;
        return newest
            .first()
            .map(|row| row.summary.mission)
            .ok_or_else(|| unknown(text));
    }
    if let Ok(id) = text.parse::<MissionId>() {
        return match store.row(id).await? {
            Some(_) => Ok(id),
            None => Err(unknown(text)),
        };
    }
    let part = part(text)?;
    let mut found = store.find(&part, CANDIDATES_MAX).await?;
    for id in ending_with(store, &part).await? {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    only(text, &found)
}

/// What of an id is meant by a text.
pub fn part(text: &str) -> Result<String, AppError> {
    let part = text
        .trim_start_matches(MissionId::PREFIX)
        .trim_start_matches('…')
        .to_ascii_lowercase();
    if part.is_empty() || !part.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6020",
            format!("`{text}` is not a mission id or part of one"),
            "Copy an id from `adjutant list`; its last six characters are enough.",
        ));
    }
    Ok(part)
}

/// The one mission that a text fits.
pub fn only(text: &str, found: &[MissionId]) -> Result<MissionId, AppError> {
    match found {
        [] => Err(unknown(text)),
        [one] => Ok(*one),
        several => {
            let shown: Vec<String> = several
                .iter()
                .take(CANDIDATES_MAX as usize)
                .map(|id| short(*id))
                .collect();
            Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6022",
                format!("`{text}` matches several missions: {}", shown.join(", ")),
                "Give more characters of the id, or its end.",
            ))
        }
    }
}

fn query(limit: u32, before: Option<MissionId>) -> ListQuery {
    ListQuery {
        phases: None,
        limit,
        order: ListOrder::NewestFirst,
        past: before,
    }
}

async fn ending_with<T: TenantStore>(store: &T, part: &str) -> Result<Vec<MissionId>, AppError> {
    let (mut found, mut before, mut searched) = (Vec::new(), None, 0);
    while searched < SEARCHED_MAX {
        let page = store.list(query(PAGE, before)).await?;
        searched += page.len();
        before = page.last().map(|row| row.summary.mission);
        let is_last = page.len() < PAGE as usize;
        found.extend(
            page.into_iter()
                .map(|row| row.summary.mission)
                .filter(|id| id.to_string().ends_with(part)),
        );
        if is_last || found.len() > CANDIDATES_MAX as usize {
            break;
        }
    }
    Ok(found)
}

fn unknown(text: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6021",
        format!("no mission matches `{text}`"),
        "List the missions with `adjutant list --all`.",
    )
}

/// The question `text` names: `chk_…-2`, `k3f9qz-2`, or a mission with one open question.
pub async fn checkpoint<T: TenantStore>(store: &T, text: &str) -> Result<CheckpointId, AppError> {
    let part = text.trim_start_matches("chk_");
    if let Some((id, number)) = part.rsplit_once('-') {
        let number = number.parse().map_err(|_| no_question(text))?;
        let mission = mission(store, id).await?;
        return Ok(CheckpointId {
            mission,
            number: CheckpointNumber::new(number),
        });
    }
    let mission = mission(store, part).await?;
    let inbox = store.inbox(u32::MAX).await?;
    let open: Vec<CheckpointId> = inbox
        .into_iter()
        .map(|asked| asked.row.checkpoint)
        .filter(|checkpoint| checkpoint.mission == mission)
        .collect();
    only_open(mission, &open)
}

pub fn no_question(text: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6023",
        format!("`{text}` is not a question id"),
        "Copy an id from `adjutant inbox`; it looks like `k3f9qz-2`.",
    )
}

/// The only open question of a mission.
pub fn only_open(mission: MissionId, open: &[CheckpointId]) -> Result<CheckpointId, AppError> {
    match open {
        [one] => Ok(*one),
        [] => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6024",
            format!("mission {} has no open question", short(mission)),
            "See its state with `adjutant show`.",
        )),
        several => {
            let shown: Vec<String> = several.iter().map(|id| short_checkpoint(*id)).collect();
            Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6025",
                format!(
                    "mission {} has several open questions: {}",
                    short(mission),
                    shown.join(", ")
                ),
                "Name one of them.",
            ))
        }
    }
}

/// The trigger whose id is `text`, or begins or ends with it.
pub fn trigger<T>(kept: Vec<(TriggerId, T)>, text: &str) -> Result<(TriggerId, T), AppError> {
    let part = text
        .trim_start_matches(TriggerId::PREFIX)
        .trim_start_matches('…')
        .to_ascii_lowercase();
    let fits = |(id, _): &(TriggerId, T)| {
        let id = id.to_string();
        let digits = id.trim_start_matches(TriggerId::PREFIX);
        !part.is_empty() && (digits.starts_with(&part) || digits.ends_with(&part))
    };
    let mut fitting: Vec<_> = kept.into_iter().filter(fits).collect();
    match (fitting.pop(), fitting.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-7007",
            format!("no trigger matches `{text}`"),
            "List the triggers with `adjutant trigger list --all`.",
        )),
        (Some(last), _) => {
            fitting.push(last);
            let shown: Vec<String> = fitting
                .iter()
                .take(CANDIDATES_MAX as usize)
                .map(|(id, _)| short_trigger(*id))
                .collect();
            Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-7008",
                format!("`{text}` matches several triggers: {}", shown.join(", ")),
                "Give more characters of the id, or its end.",
            ))
        }
    }
}
