//! A mission's events as they come from a host, read in a task of their own so that none is cut in half.

use adjutant_host::control::{Client, ClientError};
use adjutant_mission::{MissionId, Recorded, TenantId};
use tokio::sync::mpsc;

use adjutant_app::error::AppError;

/// Events read ahead of what is shown.
const NEWS_WAITING_MAX: usize = 256;

#[derive(Debug)]
pub(super) enum News {
    Event(Box<Recorded>),
    /// Nothing more comes from this host.
    End,
    Failed(AppError),
}

pub(super) async fn follow(
    client: Client,
    tenant: TenantId,
    mission: MissionId,
    from_seq: u64,
) -> Result<mpsc::Receiver<News>, AppError> {
    let mut watching = client.watch(tenant, mission, from_seq).await?;
    let (to, news) = mpsc::channel(NEWS_WAITING_MAX);
    tokio::spawn(async move {
        loop {
            let next = match watching.next().await {
                Ok(Some(recorded)) => News::Event(Box::new(recorded)),
                // A host that went away is the end of its news, not an error: the journal has the rest.
                Ok(None) | Err(ClientError::Lost(_)) => News::End,
                Err(error) => News::Failed(error.into()),
            };
            let is_last = !matches!(next, News::Event(_));
            if to.send(next).await.is_err() || is_last {
                return;
            }
        }
    });
    Ok(news)
}
