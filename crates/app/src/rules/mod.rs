//! The rules of tenants: their files, their tests, and which of them are in force.

mod backtest;
mod cases;
mod file;
mod foresight;
mod past_mission;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_effects::{MissionTypes, RuleBook};
use adjutant_mission::TenantId;
use adjutant_rules::RuleSet;

pub use backtest::{Backtest, BacktestOptions, backtest, compare_past};
pub use cases::{CaseResult, run_cases};
pub use file::{Case, RuleFile, read_rules};
pub use foresight::{Foreseen, foresee};
pub use past_mission::Difference;

use crate::catalogue::catalogue;
use crate::error::{AppError, ErrorKind};
use crate::settings::Settings;

/// Where the rules are, by the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFiles {
    /// For all tenants.
    pub general: Option<PathBuf>,
    /// For some tenants besides.
    pub of: BTreeMap<TenantId, PathBuf>,
}

/// The rules in force. Rules that were asked for and cannot be had are an error, never no rules.
pub fn rule_book(settings: &Settings) -> Result<RuleBook, AppError> {
    let files = &settings.rules;
    if *files == RuleFiles::default() {
        return Ok(RuleBook::default());
    }
    let of = files.of.iter();
    Ok(RuleBook {
        general: files.general.as_deref().map(put_in_force).transpose()?,
        of: of
            .map(|(tenant, path)| Ok((tenant.clone(), put_in_force(path)?)))
            .collect::<Result<_, AppError>>()?,
        types: mission_types(settings)?,
    })
}

/// For a host that only records what is said to missions: it starts nothing by rules that it cannot read, and stops and
/// answers as ever.
pub fn rule_book_or_none_start(settings: &Settings) -> RuleBook {
    rule_book(settings).unwrap_or_else(|error| {
        let first = error.complaints.first();
        let why = first.map_or("", |complaint| complaint.message.as_str());
        RuleBook {
            general: Some(Arc::new(RuleSet::denying(why))),
            ..RuleBook::default()
        }
    })
}

/// The types of the catalogue's missions, by what their titles begin with.
pub fn mission_types(settings: &Settings) -> Result<MissionTypes, AppError> {
    let catalogue = catalogue(settings)?;
    let entries = catalogue.entries.into_iter();
    Ok(MissionTypes::new(
        entries.map(|entry| (entry.name, entry.id)),
    ))
}

fn put_in_force(path: &Path) -> Result<Arc<RuleSet>, AppError> {
    read_rules(path)
        .map(|file| Arc::new(file.set))
        .map_err(|error| cannot_be_had(path, error))
}

fn cannot_be_had(path: &Path, error: AppError) -> AppError {
    let shown = path.display();
    let why = match error.complaints.as_slice() {
        [one] => one.message.clone(),
        [first, more @ ..] => format!("{} ({} more problems)", first.message, more.len()),
        [] => "it cannot be read".to_owned(),
    };
    let place = error.complaints.into_iter().find_map(|one| one.place);
    let error = AppError::new(
        ErrorKind::BadInput,
        "ADJ-6191",
        format!("the rules in {shown} cannot be put in force: {why}"),
        "Nothing is performed without rules that the settings name. `adjutant rules check` lists every problem of a file.",
    );
    match place {
        Some(place) => error.at(place),
        None => error,
    }
}
