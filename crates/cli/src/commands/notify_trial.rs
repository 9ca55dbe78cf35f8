//! `adjutant notify test`: one notice through one channel, and what the other side says to it.

use adjutant_notify::{Carrier, Notice, Sender, Sent, What};

use super::notify::SECRET_MISSING;
use crate::failure::{Exit, Failure};
use crate::output::{self, Form};
use crate::settings::Settings;
use crate::view::{Line, Tone, instant};
use crate::wiring;

pub(super) async fn test(settings: &Settings, name: &str, form: Form) -> Result<Exit, Failure> {
    let found = settings
        .channels
        .iter()
        .find(|channel| channel.name().as_str() == name);
    let configured = found.ok_or_else(|| unknown(settings, name))?;
    let channel = configured.channel();
    let now = wiring::clock().now();
    let notice = Notice {
        tenant: channel.tenant.clone(),
        at: now,
        what: What::Test,
    };
    let sent = match &channel.carrier {
        Carrier::Terminal => {
            output::ring();
            Sent::Delivered {
                said: "the bell was rung".into(),
            }
        }
        Carrier::Unusable { why } => {
            return Err(Failure::new(
                Exit::Trouble,
                "ADJ-7032",
                format!("the channel `{name}` cannot be used: {why}"),
                SECRET_MISSING,
            ));
        }
        Carrier::Webhook(_) | Carrier::Email(_) => {
            Sender::default().send(&channel, &notice, now).await
        }
    };
    let failed = |code: &str, why: &str, help: &str| {
        let told = format!("the channel `{name}` did not deliver: {why}");
        Err(Failure::new(Exit::Trouble, code, told, help))
    };
    match sent {
        Sent::Delivered { said } => {
            if form == Form::Json {
                let told = serde_json::json!({
                    "channel": name, "notice": notice.id(), "delivered_at": now, "said": said,
                });
                output::line(&told.to_string())?;
                return Ok(Exit::Ok);
            }
            let line = Line::new()
                .plain(" ")
                .and(Tone::Done, "✓")
                .plain(" ")
                .and(Tone::Bold, name)
                .plain(format!("  {said}"))
                .and(Tone::Dim, format!("  {}, {}", notice.id(), instant(now)));
            output::line(&line.render(output::paint()))?;
            Ok(Exit::Ok)
        }
        Sent::NotNow { why, .. } => failed(
            "ADJ-7033",
            &why,
            "A real notice would be tried again for about a day. Check that the other side is up.",
        ),
        Sent::Refused { why } | Sent::Gone { why } => failed(
            "ADJ-7034",
            &why,
            "A real notice would be given up. Check the channel's address, secret and recipients.",
        ),
    }
}

fn unknown(settings: &Settings, name: &str) -> Failure {
    let names: Vec<&str> = settings
        .channels
        .iter()
        .map(|channel| channel.name().as_str())
        .collect();
    let there = match names.as_slice() {
        [] => "there are none".into(),
        names => format!("there are: {}", names.join(", ")),
    };
    Failure::new(
        Exit::BadInput,
        "ADJ-7035",
        format!("there is no channel `{name}`; {there}"),
        "Set it up under [[notify]] in adjutant.toml, or name one of these.",
    )
}
