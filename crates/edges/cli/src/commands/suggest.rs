//! `adjutant suggest`: a graph of tasks for an intent. Nothing is started.

use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::suggestion::{Suggestions, plan_file, suggest};
use adjutant_app::wiring;

use crate::args::Suggest;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, suggestion};

pub(super) async fn run(settings: &Settings, wanted: Suggest) -> Result<Exit, AppError> {
    let registry = wiring::tools(settings).await?;
    let reading = ReadOnlyStore::open(settings).await?;
    let journal = reading.as_ref().map(|reading| &reading.journal);
    let caller = settings.actor(None);
    let suggester = Suggestions::default()
        .suggester(settings, &registry, &caller, journal)
        .await?;
    let suggested = suggest(&suggester, &wanted.intent)?;
    if wanted.plan {
        output::line(&plan_file(&suggested)?)?;
    } else if Form::from(wanted.json.json) == Form::Json {
        output::line(&serde_json::to_string(&suggested).unwrap_or_default())?;
    } else {
        Line::print_all(&suggestion(&suggested, output::size().0), output::paint())?;
    }
    Ok(Exit::Ok)
}
