//! How well a tenant's missions go: their journals counted, what people said of them, and which could not be counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_analytics::{
    Coverage, Estimated, Figures, GroupBy, Judged, Member, MissionCount, Opinion, Outputs,
    count_mission, figures, take_in,
};
use adjutant_catalogue::{Catalogue, MissionType, TypeSource, mission_type};
use adjutant_host::outcomes;
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Event, MissionId, Opened, Recorded, TenantId, Timestamp};
use adjutant_store::{ListOrder, ListQuery, MissionRow, Retention, TenantStore};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::JoinError;

use crate::error::{AppError, ErrorKind};
use crate::single_question::is_single_question;

const PAGE: u32 = 1_000;
/// How many counted missions a server keeps in mind.
const KEPT_MAX: usize = 20_000;

/// What is known of missions, before it is put into groups.
#[derive(Debug, Default)]
pub struct Gathered {
    members: Vec<Member>,
    opinions: Vec<Opinion>,
    judged: Vec<Judged>,
    pub coverage: Coverage,
}

impl Gathered {
    pub fn figures(&self, by: Option<GroupBy>) -> Figures {
        figures(&self.members, &self.opinions, &self.judged, by)
    }

    /// Adds what is known of another tenant's missions.
    pub fn add(&mut self, other: Self) {
        self.members.extend(other.members);
        self.opinions.extend(other.opinions);
        self.judged.extend(other.judged);
        self.coverage = self.coverage.plus(other.coverage);
    }
}

/// Missions counted before: the journal of one that has ended does not change until it is erased.
#[derive(Debug, Default)]
pub struct CountedMissions(Mutex<BTreeMap<MissionId, Arc<Counted>>>);

impl CountedMissions {
    fn get(&self, mission: MissionId) -> Option<Arc<Counted>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&mission).cloned()
    }

    fn keep(&self, mission: MissionId, counted: &Arc<Counted>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT_MAX {
            kept.insert(mission, Arc::clone(counted));
        }
    }
}

/// How journals are read.
#[derive(Debug, Clone, Copy)]
pub enum Counting<'a> {
    /// On all cores: somebody waits for it, and nothing else runs.
    OnAllCores,
    /// One after the other, beside other work. What was counted before is not read again.
    Beside(&'a CountedMissions),
}

impl Counting<'_> {
    fn before(self, mission: MissionId) -> Option<Arc<Counted>> {
        match self {
            Self::OnAllCores => None,
            Self::Beside(kept) => kept.get(mission),
        }
    }

    fn at_once(self) -> usize {
        match self {
            Self::OnAllCores => std::thread::available_parallelism().map_or(1, usize::from),
            Self::Beside(_) => 1,
        }
    }
}

/// A journal that was read and counted.
#[derive(Debug)]
struct Counted {
    opened: Opened,
    count: MissionCount,
}

/// Reads and counts every mission of the tenant that ended in time.
pub async fn gather<T: TenantStore>(
    journal: &TenantJournal<T>,
    catalogue: &Catalogue,
    since: Option<Timestamp>,
    counting: Counting<'_>,
) -> Result<Gathered, AppError> {
    let mut gathered = Gathered::default();
    let estimates = estimates(catalogue);
    let mut sub_missions: Vec<(MissionId, MissionCount)> = Vec::new();
    let mut past = None;
    loop {
        let query = ListQuery {
            phases: None,
            limit: PAGE,
            order: ListOrder::NewestFirst,
            past,
        };
        let page = journal.store().list(query).await?;
        past = page.last().map(|row| row.summary.mission);
        let is_last = page.len() < PAGE as usize;
        let coverage = &mut gathered.coverage;
        let rows = page.into_iter();
        let rows: Vec<MissionRow> = rows
            .filter(|row| is_counted(coverage, row, since))
            .collect();
        let counted = stream::iter(rows).map(|row| counted(journal.clone(), row, counting));
        let mut counted = counted.buffered(counting.at_once());
        while let Some(counted) = counted.next().await {
            let Some(counted) = counted? else {
                gathered.coverage.unreadable += 1;
                continue;
            };
            let (opened, count) = (&counted.opened, &counted.count);
            if let Some(parent) = &opened.parent {
                gathered.coverage.sub_missions += 1;
                sub_missions.push((parent.effect.mission, count.clone()));
            } else if is_single_question(&opened.plan) {
                gathered.coverage.questions += 1;
            } else {
                let tenant = journal.tenant().to_string();
                let member = member(
                    &counted,
                    tenant,
                    catalogue,
                    &estimates,
                    &mut gathered.coverage,
                );
                gathered.members.push(member);
            }
        }
        if is_last {
            break;
        }
    }
    take_in(&mut gathered.members, &sub_missions);
    add_opinions(journal, &mut gathered).await?;
    Ok(gathered)
}

/// Whether a mission is to be counted; if it cannot be, it is noted why.
fn is_counted(coverage: &mut Coverage, row: &MissionRow, since: Option<Timestamp>) -> bool {
    let has_ended = row.summary.phase.is_ended();
    if !has_ended && row.kept == Retention::Working {
        coverage.running += 1;
        return false;
    }
    if since.is_some_and(|since| row.summary.updated_at < since) {
        return false;
    }
    match row.kept {
        Retention::Erased => coverage.erased += 1,
        Retention::Pruned => coverage.pruned += 1,
        // A copy of a mission that is still under way elsewhere.
        Retention::Archived if !has_ended => coverage.running += 1,
        Retention::Working | Retention::Archived => return true,
    }
    false
}

/// The mission's counts; nothing if its journal cannot be opened or does not add up.
async fn counted<T: TenantStore>(
    journal: TenantJournal<T>,
    row: MissionRow,
    counting: Counting<'_>,
) -> Result<Option<Arc<Counted>>, AppError> {
    let mission = row.summary.mission;
    if let Some(before) = counting.before(mission) {
        return Ok(Some(before));
    }
    let counted = match counting {
        Counting::OnAllCores => {
            let handle = Handle::current();
            let reading = move || handle.block_on(read_and_count(&journal, &row));
            let read = tokio::task::spawn_blocking(reading);
            read.await.map_err(|error| defect(&error))??
        }
        Counting::Beside(_) => read_and_count(&journal, &row).await?,
    };
    if let (Counting::Beside(kept), Some(counted)) = (counting, &counted) {
        kept.keep(mission, counted);
    }
    Ok(counted)
}

fn defect(error: &JoinError) -> AppError {
    AppError::new(
        ErrorKind::Internal,
        "ADJ-6204",
        format!("the missions cannot be counted: {error}"),
        "This is a defect of Adjutant; please report it.",
    )
}

async fn read_and_count<T: TenantStore>(
    journal: &TenantJournal<T>,
    row: &MissionRow,
) -> Result<Option<Arc<Counted>>, AppError> {
    let (events, outputs) = match read(journal, row).await {
        Ok(read) => read,
        Err(JournalError::Store(error)) => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    let Some(opened) = events.first().and_then(|first| match &first.event {
        Event::MissionOpened(opened) => Some((**opened).clone()),
        _ => None,
    }) else {
        return Ok(None);
    };
    let Ok(Some(count)) = count_mission(&events, &outputs) else {
        return Ok(None);
    };
    Ok(Some(Arc::new(Counted { opened, count })))
}

/// A mission's events, and the outputs that are kept outside of them.
pub(crate) async fn read<T: TenantStore>(
    journal: &TenantJournal<T>,
    row: &MissionRow,
) -> Result<(Vec<Recorded>, Outputs), JournalError> {
    let mission = row.summary.mission;
    let (events, _) = journal.read(mission).await?;
    let seal = journal.seal_of(row).await?;
    let mut outputs = BTreeMap::new();
    for digest in events.iter().filter_map(|recorded| recorded.event.blob()) {
        if let Ok(parsed) = digest.parse()
            && !outputs.contains_key(digest)
            && let Some(json) = journal.output(&seal, mission, parsed).await?
        {
            outputs.insert(digest.to_owned(), json);
        }
    }
    Ok((events, Outputs(outputs)))
}

fn member(
    counted: &Counted,
    tenant: String,
    catalogue: &Catalogue,
    estimates: &BTreeMap<&str, Estimated>,
    coverage: &mut Coverage,
) -> Member {
    coverage.counted += 1;
    let found = mission_type(&counted.opened.plan, catalogue);
    if let Some(MissionType {
        source: TypeSource::Derived,
        ..
    }) = &found
    {
        coverage.types_derived += 1;
    }
    let estimated = found
        .as_ref()
        .and_then(|found| estimates.get(found.id.as_str()))
        .copied();
    let named = found.map(|found| {
        let entry = catalogue.entry(&found.id);
        let name = entry.map_or_else(|| found.id.clone(), |entry| entry.name.clone());
        (found.id, name)
    });
    Member {
        count: counted.count.clone(),
        tenant,
        mission_type: named,
        estimated,
    }
}

/// What missions of each type are expected to cost at most.
fn estimates(catalogue: &Catalogue) -> BTreeMap<&str, Estimated> {
    let entries = catalogue.entries.iter();
    let estimates = entries.filter_map(|entry| {
        let cost = match (entry.template(), entry.facts) {
            (Some(template), _) => template.estimate.cost,
            (None, Some(facts)) => facts.cost,
            (None, None) => return None,
        };
        let micro_usd_max = cost.to.0;
        Some((entry.id.as_str(), Estimated { micro_usd_max }))
    });
    estimates.collect()
}

/// What people said of the missions, and what conclusions turned out to be worth.
async fn add_opinions<T: TenantStore>(
    journal: &TenantJournal<T>,
    gathered: &mut Gathered,
) -> Result<(), AppError> {
    let outcomes = outcomes(journal).await?;
    let ratings = outcomes.ratings.into_iter().map(|rating| Opinion {
        mission: rating.mission,
        stars: rating.stars.map(u8::from),
        useful: rating.useful.len() as u64,
        not_useful: rating.not_useful.len() as u64,
    });
    gathered.opinions.extend(ratings);
    let mut history = adjutant_host::calibration::History::new();
    for (_, pair) in outcomes.conclusions {
        history.add(pair.forecast, pair.outcome);
    }
    for pair in history.current_pairs() {
        if let Ok(mission) = pair.forecast.mission.parse() {
            gathered.judged.push(Judged {
                mission,
                agent: pair.forecast.agent.clone(),
                said_ppm: pair.forecast.confidence.get(),
                right_ppm: pair.outcome.worth.share().get(),
            });
        }
    }
    Ok(())
}

/// Figures as programs read them.
pub fn figures_json(
    tenant: &TenantId,
    since: Option<Timestamp>,
    until: Timestamp,
    gathered: &Gathered,
    by: Option<GroupBy>,
) -> Value {
    let figures = gathered.figures(by);
    json!({
        "tenant": tenant,
        "since": since.map(instant),
        "until": instant(until),
        "coverage": gathered.coverage,
        "all": figures.all,
        "by": by.map(GroupBy::name),
        "groups": figures.groups,
    })
}

/// A time in UTC, as RFC 3339 writes it.
fn instant(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.0);
    at.map_or_else(|_| String::new(), |at| at.to_string())
}

/// What figures can be grouped by, as somebody named it.
pub fn group_by(name: &str) -> Result<GroupBy, AppError> {
    GroupBy::parse(name).ok_or_else(|| {
        wrong(
            format!("figures cannot be grouped by `{name:.40}`"),
            "Use `type`, `agent`, `tenant` or `week`.",
        )
    })
}

/// The beginning of the time that figures are of: `30d` before now, or a day such as `2026-11-01`.
pub fn since(text: &str, now: Timestamp) -> Result<Timestamp, AppError> {
    let help = "Write a time that has passed, such as `30d`, `12h` or `2026-11-01`.";
    let refused = |why: &str| wrong(format!("`{text:.40}` {why}"), help);
    if let Ok(day) = text.parse::<jiff::civil::Date>() {
        let midnight = day.to_zoned(jiff::tz::TimeZone::UTC);
        let midnight = midnight.map_err(|_| refused("is not a day"))?;
        let at = Timestamp(midnight.timestamp().as_millisecond());
        return match at <= now {
            true => Ok(at),
            false => Err(refused("is in the future")),
        };
    }
    let span = adjutant_plans::parse_duration(text).map_err(|_| refused("is not a time"))?;
    let millis = i64::try_from(span.0).map_err(|_| refused("is too long ago"))?;
    Ok(Timestamp(now.0.saturating_sub(millis)))
}

fn wrong(message: String, help: &str) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-6201", message, help)
}
