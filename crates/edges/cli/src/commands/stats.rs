//! `adjutant stats`: how well missions go, next to their targets.

use std::path::Path;

use adjutant_analytics::{Figures, GroupBy, ReportOf, report};
use adjutant_app::analytics::{Counting, Gathered, figures_json, gather, group_by, since};
use adjutant_app::catalogue::catalogue;
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::report::{ReportFormat, write_report};
use adjutant_app::settings::Settings;
use adjutant_app::wiring;
use adjutant_store::Store as _;

use super::report::{format_of_file, write_file, write_pdf};
use crate::args::Stats;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, StatsHead, stats as stats_view};

pub(super) async fn run(settings: &Settings, stats: Stats) -> Result<Exit, AppError> {
    let form = Form::from(stats.json.json);
    let now = wiring::clock().now();
    // Before anything is read: what is asked must make sense.
    let by = stats.by.as_deref().map(group_by).transpose()?;
    let from = stats.since.as_deref().map(|text| since(text, now));
    let from = from.transpose()?;
    let format = stats.report.as_deref().map(format_of_file).transpose()?;
    let catalogue = catalogue(settings)?;
    let gathered = match ReadOnlyStore::open(settings).await? {
        None => Gathered::default(),
        Some(reading) if by == Some(GroupBy::Tenant) => {
            let mut gathered = Gathered::default();
            let Some(vault) = settings.vault_to_read(&reading.whole).await? else {
                return Ok(Exit::Ok);
            };
            for tenant in reading.whole.tenants().await? {
                let journal = vault.tenant(&reading.whole, &tenant);
                gathered.add(gather(&journal, &catalogue, from, Counting::OnAllCores).await?);
            }
            gathered
        }
        Some(reading) => gather(&reading.journal, &catalogue, from, Counting::OnAllCores).await?,
    };
    if let (Some(path), Some(format)) = (&stats.report, format) {
        let of = ReportOf {
            tenant: settings.tenant.as_str(),
            since: from,
            until: now,
            coverage: gathered.coverage,
            by_type: &gathered.figures(Some(GroupBy::Type)),
            by_agent: &gathered.figures(Some(GroupBy::Agent)),
            by_week: &gathered.figures(Some(GroupBy::Week)),
        };
        return write(path, format, &of);
    }
    if form == Form::Json {
        let told = figures_json(&settings.tenant, from, now, &gathered, by);
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let head = StatsHead {
        tenant: settings.tenant.as_str(),
        since: stats.since.as_deref(),
        coverage: gathered.coverage,
    };
    show(&head, &gathered.figures(by))
}

/// Writes the figures as a document with charts.
pub(super) fn write(
    path: &Path,
    format: ReportFormat,
    of: &ReportOf<'_>,
) -> Result<Exit, AppError> {
    let (document, made) = report(of);
    let bytes = write_report(format, &document, &made, write_pdf)?;
    write_file(path, format, &document, &bytes)?;
    Ok(Exit::Ok)
}

pub(super) fn show(head: &StatsHead<'_>, figures: &Figures) -> Result<Exit, AppError> {
    let lines = stats_view(head, figures, output::size().0);
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}
