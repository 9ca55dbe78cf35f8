//! One try: a notice, a channel, and what became of it.

use std::sync::OnceLock;
use std::time::Duration;

use adjutant_mission::Timestamp;
use reqwest::Client;

use crate::{Carrier, Channel, Content, Notice, Sent, email, webhook};

/// How long one try may take, from the first packet to the last answer.
const TRY_MAX: Duration = Duration::from_secs(20);

/// Sends notices. Keeps connections, and nothing else.
#[derive(Debug, Default)]
pub struct Sender {
    /// Made at the first call, because reading the machine's certificates takes time.
    client: OnceLock<Result<Client, String>>,
}

impl Sender {
    pub async fn send(&self, channel: &Channel, notice: &Notice, now: Timestamp) -> Sent {
        let redacted;
        let notice = match channel.content {
            Content::Redacted => {
                redacted = notice.redacted();
                &redacted
            }
            Content::Whole => notice,
        };
        let sending = async {
            match &channel.carrier {
                Carrier::Webhook(webhook) => match self.client.get_or_init(webhook::client) {
                    Ok(client) => webhook::post(client, webhook, notice, now).await,
                    Err(why) => Sent::not_now(format!("the HTTP client cannot start: {why}")),
                },
                Carrier::Email(email) => email::mail(email, &channel.name, notice).await,
                Carrier::Terminal => Sent::refused("terminal channels do not send messages"),
                Carrier::Unusable { why } => Sent::not_now(why.as_str()),
            }
        };
        match tokio::time::timeout(TRY_MAX, sending).await {
            Ok(sent) => sent,
            Err(_) => Sent::not_now(format!(
                "no complete response within {} s",
                TRY_MAX.as_secs()
            )),
        }
    }
}

/// Text of the other side, cut and in one line.
pub(crate) fn one_line(text: &str, chars_max: usize) -> String {
    let start: String = text.chars().take(chars_max).collect();
    adjutant_text::lines::one_line(&start)
}
