//! `adjutant sign`: signs where journals stand, so that their end can be kept elsewhere.

use adjutant_host::{Performs, Upkeep};

use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    ReadOnlyStore::expect(settings).await?;
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let signed = engine.upkeep(&settings.tenant, Upkeep::Sign).await;
    engine.close().await?;
    let signed = signed?;
    let reading = ReadOnlyStore::expect(settings).await?;
    let attested = reading.journal.verify_attestations(&[], None).await?;
    let head = match attested {
        Ok(attested) => format!("@{}:{}", attested.head.number, attested.head.hash),
        Err(damage) => {
            return Err(AppError::new(
                ErrorKind::NotGood,
                damage.code,
                damage.what,
                "Restore the store from a backup that verifies.",
            ));
        }
    };
    let key = settings.signing_key()?.public();
    if form == Form::Json {
        let told = serde_json::json!({ "signed": signed, "head": head, "key": key });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" {} signed", count(signed, "mission")));
    output::line(&line.render(output::paint()))?;
    let rest = [
        (
            "head",
            head.as_str(),
            "keep it elsewhere: `adjutant verify --all --head HEAD` then proves that nothing before it changed",
        ),
        ("key", key.as_str(), "what the signatures are checked with"),
    ];
    for (name, value, why) in rest {
        output::line(&format!("   {name:<5} {value}"))?;
        let why = Line::of(Tone::Dim, format!("         {why}"));
        output::line(&why.render(output::paint()))?;
    }
    Ok(Exit::Ok)
}
