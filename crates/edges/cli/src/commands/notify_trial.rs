//! `adjutant notify test`: one notice through one channel, and what the other side says to it.

use adjutant_notify::{Carrier, Notice, Sender, Sent, What};

use super::notify::SECRET_MISSING;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, instant};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn test(settings: &Settings, name: &str, form: Form) -> Result<Exit, AppError> {
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
            return Err(AppError::new(
                ErrorKind::Unavailable,
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
        Err(AppError::new(ErrorKind::Unavailable, code, told, help))
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
            "A real notice would be retried for about a day. Check that the receiver is running.",
        ),
        Sent::Refused { why } | Sent::Gone { why } => failed(
            "ADJ-7034",
            &why,
            "A real notice would not be retried. Check the channel's address, secret and recipients.",
        ),
    }
}

fn unknown(settings: &Settings, name: &str) -> AppError {
    let names: Vec<&str> = settings
        .channels
        .iter()
        .map(|channel| channel.name().as_str())
        .collect();
    let there = match names.as_slice() {
        [] => "there are none".into(),
        names => format!("there are: {}", names.join(", ")),
    };
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-7035",
        format!("unknown channel `{name}`; {there}"),
        "Set it up under [[notify]] in adjutant.toml, or name one of these.",
    )
}
