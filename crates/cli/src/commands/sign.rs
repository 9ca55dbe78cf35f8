//! `adjutant sign`: signs where journals stand, so that their end can be kept elsewhere.

use adjutant_host::{Performs, Upkeep};

use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Tone, count};

pub(super) async fn run(settings: &Settings, form: Form) -> Result<Exit, Failure> {
    Reading::expect(settings).await?;
    let engine = Engine::reach(settings, Performs::Nothing).await?;
    let signed = engine.upkeep(&settings.tenant, Upkeep::Sign).await;
    engine.close().await?;
    let signed = signed?;
    let reading = Reading::expect(settings).await?;
    let attested = reading.journal.verify_attestations(&[], None).await?;
    let head = match attested {
        Ok(attested) => format!("@{}:{}", attested.head.number, attested.head.hash),
        Err(damage) => {
            return Err(Failure::new(
                Exit::NotGood,
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
            "keep it elsewhere: `adjutant verify --all --head HEAD` proves that nothing before it changed",
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
