//! Past missions under other rules: which decisions would differ. Reads journals and changes nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_journal::TenantJournal;
use adjutant_mission::{MissionId, TenantId, Timestamp};
use adjutant_rules::RuleSet;
use adjutant_store::{ListOrder, ListQuery, TenantStore as _};
use futures::{StreamExt as _, stream};
use serde::Serialize;

use super::past_mission::{Comparison, Difference};
use super::{RuleFiles, mission_types, read_rules, rule_book};
use crate::error::{AppError, ErrorKind};
use crate::read_only_store::ReadOnlyStore;
use crate::settings::Settings;
use crate::stores::AnyTenant;
use crate::wiring;

/// Missions that are read at the same time.
const AT_ONCE: usize = 8;
const PAGE: u32 = 500;

/// What to compare a file with.
#[derive(Debug, Clone, Copy)]
pub struct BacktestOptions<'a> {
    /// Instead of the rules in force.
    pub against: Option<&'a Path>,
    /// Only missions that were started from then on.
    pub since: Option<Timestamp>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Backtest {
    pub missions: u64,
    pub decisions: u64,
    pub differences: Vec<Difference>,
    /// Missions that cannot be read: erased, pruned, or without their key.
    pub unreadable: u64,
    /// Results that a rule withheld at the time: they are not recorded, so nothing is known of them.
    pub withheld: u64,
    /// Calls whose arguments cannot be put together any more.
    pub unclear: u64,
    #[serde(serialize_with = "in_milliseconds", rename = "took_ms")]
    pub took: Duration,
}

fn in_milliseconds<S: serde::Serializer>(took: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(u64::try_from(took.as_millis()).unwrap_or(u64::MAX))
}

/// Compares the decisions of a rules file with those of the rules in force, or of another file.
pub async fn backtest(
    settings: &Settings,
    file: &Path,
    options: BacktestOptions<'_>,
) -> Result<Backtest, AppError> {
    let wanted = Arc::new(read_rules(file)?.set);
    let (before, after) = match options.against {
        Some(other) => (vec![Arc::new(read_rules(other)?.set)], vec![wanted]),
        None => {
            let book = rule_book(settings)?;
            let before = book.of(&settings.tenant);
            let after = in_its_place(&settings.rules, &settings.tenant, &before, wanted);
            (before, after)
        }
    };
    let journal = ReadOnlyStore::expect(settings).await?.journal;
    compare_past(settings, journal, before, after, options.since).await
}

/// Compares the decisions that two groups of rules make about the missions of a journal.
pub async fn compare_past(
    settings: &Settings,
    journal: TenantJournal<AnyTenant>,
    before: Vec<Arc<RuleSet>>,
    after: Vec<Arc<RuleSet>>,
    since: Option<Timestamp>,
) -> Result<Backtest, AppError> {
    let began = Instant::now();
    let comparison = Arc::new(Comparison {
        before,
        after,
        types: mission_types(settings)?,
        registry: wiring::own_tools(settings, wiring::HostParts::default())?,
        models: wiring::models(settings).ok(),
    });
    let journal = Arc::new(journal);
    let mut result = Backtest::default();
    let mut past = None;
    loop {
        let page = missions(&journal, past, since).await?;
        let Some(last) = page.last().copied() else {
            break;
        };
        past = Some(last);
        add_page(&mut result, &comparison, &journal, page).await?;
    }
    result.took = began.elapsed();
    Ok(result)
}

/// The rules in force with this file instead of the one that is the tenant's own, or else the operator's.
fn in_its_place(
    files: &RuleFiles,
    tenant: &TenantId,
    before: &[Arc<RuleSet>],
    wanted: Arc<RuleSet>,
) -> Vec<Arc<RuleSet>> {
    let has_both = files.general.is_some() && files.of.contains_key(tenant);
    let stays = before.iter().take(usize::from(has_both)).cloned();
    stays.chain([wanted]).collect()
}

/// The next missions, newest first.
async fn missions(
    journal: &TenantJournal<AnyTenant>,
    past: Option<MissionId>,
    since: Option<Timestamp>,
) -> Result<Vec<MissionId>, AppError> {
    let query = ListQuery {
        phases: None,
        limit: PAGE,
        order: ListOrder::NewestFirst,
        past,
    };
    let rows = journal.store().list(query).await?;
    let ids = rows.into_iter().map(|row| row.summary.mission);
    let is_wanted = |id: &MissionId| {
        since.is_none_or(|since| i64::try_from(id.unix_ms()).unwrap_or(i64::MAX) >= since.0)
    };
    Ok(ids.take_while(is_wanted).collect())
}

async fn add_page(
    result: &mut Backtest,
    comparison: &Arc<Comparison>,
    journal: &Arc<TenantJournal<AnyTenant>>,
    page: Vec<MissionId>,
) -> Result<(), AppError> {
    let compared = stream::iter(page).map(|id| {
        let (comparison, journal) = (Arc::clone(comparison), Arc::clone(journal));
        tokio::spawn(async move { comparison.compare(&journal, id).await })
    });
    let mut compared = compared.buffered(AT_ONCE);
    while let Some(joined) = compared.next().await {
        let compared = joined.map_err(|error| {
            AppError::new(
                ErrorKind::Internal,
                "ADJ-6083",
                error.to_string(),
                "This is a defect of Adjutant; please report it.",
            )
        })?;
        match compared {
            Ok(compared) => {
                result.missions += 1;
                result.decisions += compared.decisions;
                result.withheld += compared.withheld;
                result.unclear += compared.unclear;
                result.differences.extend(compared.differences);
            }
            Err(error) if is_gone(&error) => result.unreadable += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether nobody can read it any more, or not here.
fn is_gone(error: &AppError) -> bool {
    ["ADJ-4005", "ADJ-4007"]
        .iter()
        .any(|code| error.has_code(code))
}
