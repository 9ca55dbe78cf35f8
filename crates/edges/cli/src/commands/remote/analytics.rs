//! How well a server's missions go, and what people say of one.

use adjutant_analytics::{Coverage, Figures, GroupBy, Insight, ReportOf};
use adjutant_app::analytics::{group_by, since};
use adjutant_app::error::AppError;
use adjutant_app::wiring;
use adjutant_client::{Server, instant, mission_path};
use adjutant_host::MissionRating;
use adjutant_mission::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{as_type, mission_of};
use crate::args::{Rate, Stats};
use crate::commands::rate_mission as local_rate;
use crate::commands::report::format_of_file;
use crate::commands::stats as local;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::StatsHead;

/// Figures as a server sends them.
#[derive(Debug, Deserialize)]
struct Told {
    tenant: String,
    until: String,
    coverage: Coverage,
    #[serde(flatten)]
    figures: Figures,
}

pub(super) async fn stats(server: &Server, stats: Stats) -> Result<Exit, AppError> {
    // Before anything is asked: it must make sense.
    let by = stats.by.as_deref().map(group_by).transpose()?;
    let now = wiring::clock().now();
    let from = stats.since.as_deref().map(|text| since(text, now));
    let from = from.transpose()?;
    let format = stats.report.as_deref().map(format_of_file).transpose()?;
    if let (Some(path), Some(format)) = (&stats.report, format) {
        let by_type = figures(server, &stats, Some(GroupBy::Type)).await?;
        let by_agent = figures(server, &stats, Some(GroupBy::Agent)).await?;
        let by_week = figures(server, &stats, Some(GroupBy::Week)).await?;
        return local::write(
            path,
            format,
            &ReportOf {
                tenant: &by_type.tenant,
                since: from,
                until: until(server, &by_type)?,
                coverage: by_type.coverage,
                by_type: &by_type.figures,
                by_agent: &by_agent.figures,
                by_week: &by_week.figures,
            },
        );
    }
    if Form::from(stats.json.json) == Form::Json {
        output::line(&answer(server, &stats, by).await?.to_string())?;
        return Ok(Exit::Ok);
    }
    let told = figures(server, &stats, by).await?;
    let head = StatsHead {
        tenant: &told.tenant,
        since: stats.since.as_deref(),
        coverage: told.coverage,
    };
    local::show(&head, &told.figures)
}

fn until(server: &Server, told: &Told) -> Result<Timestamp, AppError> {
    instant(server, &told.until)
}

async fn figures(server: &Server, stats: &Stats, by: Option<GroupBy>) -> Result<Told, AppError> {
    as_type(server, answer(server, stats, by).await?)
}

async fn answer(server: &Server, stats: &Stats, by: Option<GroupBy>) -> Result<Value, AppError> {
    let since = stats.since.as_deref().map(|text| ("since", text));
    let by = by.map(|by| ("by", by.name()));
    let asked: Vec<(&str, &str)> = since.into_iter().chain(by).collect();
    server
        .get(&server.path(&["api", "analytics"], &asked))
        .await
}

/// A mission's ratings; outcomes of conclusions are only recorded where the store is.
pub(super) async fn rate(server: &Server, rate: Rate) -> Result<Exit, AppError> {
    let form = Form::from(rate.json.json);
    let named = rate.mission.as_deref().unwrap_or_default();
    let mission = mission_of(server, named).await?;
    let path = mission_path(mission, "/rating");
    let Some(given) = local_rate::given(rate)? else {
        let mut told = server.get(&path).await?;
        let insights: Vec<Insight> = as_type(server, told["insights"].take())?;
        let ratings: Vec<MissionRating> = as_type(server, told["ratings"].take())?;
        return local_rate::show(mission, &insights, &ratings, form);
    };
    let mut told = server.put(&path, &json!(given)).await?;
    if form == Form::Json {
        output::line(&json!({ "rated": told["rated"] }).to_string())?;
        return Ok(Exit::Ok);
    }
    let is_replaced = told["replaced"] == true;
    let rating: MissionRating = as_type(server, told["rated"].take())?;
    local_rate::confirm(mission, &rating, is_replaced)?;
    Ok(Exit::Ok)
}
