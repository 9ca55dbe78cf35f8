//! The host's end of the control socket.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_mission::{AgentId, MissionId, Recorded, TenantId};
use adjutant_store::Store;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, watch};

use super::{LINE_BYTES_MAX, PROTOCOL_VERSION, Problem, Reply, Request};
use crate::accounts::account_of;
use crate::{Host, HostError};

/// Terminals that may be connected at once.
const CONNECTIONS_MAX: usize = 128;
/// Events read from the store at a time for a watcher.
const PAGE_EVENTS: u32 = 500;

#[derive(Debug, thiserror::Error)]
#[error("the control socket {} cannot be opened", path.display())]
pub struct ServerError {
    path: PathBuf,
    source: std::io::Error,
}

/// A bound socket. Dropping it removes the file.
#[derive(Debug)]
pub struct Server {
    listener: UnixListener,
    path: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Someone may have removed it already.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Server {
    /// Binds the socket. The caller holds the store's lock, so a file left here belongs to a dead host.
    pub fn bind(path: &Path) -> Result<Self, ServerError> {
        let failed = |source| ServerError {
            path: path.to_owned(),
            source,
        };
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
        let listener = UnixListener::bind(path).map_err(failed)?;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(path, private).map_err(failed)?;
        Ok(Self {
            listener,
            path: path.to_owned(),
        })
    }

    /// Serves until `stop` turns true or is dropped.
    pub async fn run<S: Store>(self, host: Host<S>, mut stop: watch::Receiver<bool>) {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(_) => continue,
                },
                _ = stop.wait_for(|stop| *stop) => return,
            };
            let (host, stop) = (host.clone(), stop.clone());
            tokio::spawn(async move {
                serve(host, stream, stop).await;
                drop(place);
            });
        }
    }
}

async fn serve<S: Store>(host: Host<S>, stream: UnixStream, mut stop: watch::Receiver<bool>) {
    let account = stream.peer_cred().ok();
    let account = account.and_then(|peer| account_of(peer.uid()));
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    loop {
        line.clear();
        tokio::select! {
            read = read_line(&mut reader, &mut line) => match read {
                Ok(true) => {}
                Ok(false) | Err(_) => return,
            },
            _ = stop.wait_for(|stop| *stop) => return,
        }
        let answered = match serde_json::from_slice(&line) {
            Ok(request) => answer(&host, account.as_ref(), &mut writer, request, &mut stop).await,
            Err(why) => send(&mut writer, &Reply::Problem(Problem::malformed(why))).await,
        };
        // A terminal that has gone away ends its connection, nothing else.
        if answered.is_err() {
            return;
        }
    }
}

/// One line, or `false` at the end of the stream.
async fn read_line(
    reader: &mut BufReader<OwnedReadHalf>,
    line: &mut Vec<u8>,
) -> std::io::Result<bool> {
    let mut limited = reader.take(LINE_BYTES_MAX as u64);
    let read = limited.read_until(b'\n', line).await?;
    if read > 0 && line.last() != Some(&b'\n') {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    Ok(read > 0)
}

async fn send(writer: &mut OwnedWriteHalf, reply: &Reply) -> std::io::Result<()> {
    let mut bytes = serde_json::to_vec(reply)?;
    bytes.push(b'\n');
    writer.write_all(&bytes).await
}

async fn answer<S: Store>(
    host: &Host<S>,
    account: Option<&AgentId>,
    writer: &mut OwnedWriteHalf,
    request: Request,
    stop: &mut watch::Receiver<bool>,
) -> std::io::Result<()> {
    if let Err(error) = check_claim(host, account, &request).await {
        return send(writer, &Reply::Problem(Problem::from(&error))).await;
    }
    let done = match request {
        Request::Hello => {
            let hello = Reply::Hello {
                protocol: PROTOCOL_VERSION,
                pid: std::process::id(),
            };
            return send(writer, &hello).await;
        }
        Request::Open { by, command, start } => host.open(by, command, *start).await.map(|_| ()),
        Request::Fork {
            tenant,
            by,
            command,
            fork,
        } => host.fork(&tenant, by, command, *fork).await.map(|_| ()),
        Request::Command {
            tenant,
            mission,
            id,
            by,
            command,
        } => host.command(&tenant, mission, id, by, command).await,
        Request::Watch {
            tenant,
            mission,
            from_seq,
        } => {
            return tokio::select! {
                watched = watch_mission(host, writer, &tenant, mission, from_seq) => watched,
                _ = stop.wait_for(|stop| *stop) => Ok(()),
            };
        }
        Request::Upkeep { tenant, upkeep } => {
            let reply = match host.upkeep(&tenant, upkeep).await {
                Ok(missions) => Reply::DoneTo(missions),
                Err(error) => Reply::Problem(Problem::from(&error)),
            };
            return send(writer, &reply).await;
        }
        Request::KeepOffer { tenant, offer } => host.keep_offer(&tenant, *offer).await,
        Request::AnswerOffer {
            tenant,
            by,
            command,
            given,
        } => host.answer_offer(&tenant, by, command, *given).await,
        Request::MissionOfKey { tenant, key } => {
            let reply = match host.mission_of_key(&tenant, &key).await {
                Ok(mission) => Reply::Mission(mission),
                Err(error) => Reply::Problem(Problem::from(&error)),
            };
            return send(writer, &reply).await;
        }
    };
    let reply = match &done {
        Ok(()) => Reply::Done,
        Err(error) => Reply::Problem(Problem::from(error)),
    };
    send(writer, &reply).await
}

async fn check_claim<S: Store>(
    host: &Host<S>,
    account: Option<&AgentId>,
    request: &Request,
) -> Result<(), HostError> {
    match request {
        Request::Open { by, start, .. } => host.check_claim(account, by, &start.plan),
        Request::Command {
            tenant,
            mission,
            by,
            ..
        } => host.check_claim_in(account, by, tenant, *mission).await,
        Request::Fork {
            tenant, by, fork, ..
        } => host.check_claim_in(account, by, tenant, fork.of).await,
        Request::AnswerOffer { by, given, .. } => match &given.start {
            Some(start) => host.check_claim(account, by, &start.plan),
            None => Ok(()),
        },
        Request::Hello
        | Request::Watch { .. }
        | Request::Upkeep { .. }
        | Request::KeepOffer { .. }
        | Request::MissionOfKey { .. } => Ok(()),
    }
}

/// Sends the journal from `from_seq`, then what is committed, without a gap: the subscription begins
/// before the journal is read, and a watcher that falls behind reads the journal again.
async fn watch_mission<S: Store>(
    host: &Host<S>,
    writer: &mut OwnedWriteHalf,
    tenant: &TenantId,
    mission: MissionId,
    from_seq: u64,
) -> std::io::Result<()> {
    let journal = host.journal(tenant);
    let mut next = from_seq.max(1);
    let mut feed = host.subscribe();
    'behind: loop {
        loop {
            let page = match journal.events(mission, next, PAGE_EVENTS).await {
                Ok(page) => page,
                Err(error) => {
                    let problem = Problem::from(&HostError::from(error));
                    return send(writer, &Reply::Problem(problem)).await;
                }
            };
            let is_last = page.len() < PAGE_EVENTS as usize;
            for recorded in page {
                if forward(writer, &mut next, recorded).await? == Ended::Yes {
                    return send(writer, &Reply::End).await;
                }
            }
            if is_last {
                break;
            }
        }
        loop {
            let committed = match feed.recv().await {
                Ok(committed) => committed,
                Err(RecvError::Lagged(_)) => continue 'behind,
                Err(RecvError::Closed) => return send(writer, &Reply::End).await,
            };
            if committed.mission != mission || committed.tenant != *tenant {
                continue;
            }
            for recorded in committed.events.iter() {
                if recorded.seq < next {
                    continue;
                }
                if recorded.seq > next {
                    continue 'behind;
                }
                if forward(writer, &mut next, recorded.clone()).await? == Ended::Yes {
                    return send(writer, &Reply::End).await;
                }
            }
        }
    }
}

#[derive(PartialEq, Eq)]
enum Ended {
    Yes,
    No,
}

async fn forward(
    writer: &mut OwnedWriteHalf,
    next: &mut u64,
    recorded: Recorded,
) -> std::io::Result<Ended> {
    let ended = matches!(recorded.event, adjutant_mission::Event::MissionEnded(_));
    *next = recorded.seq + 1;
    send(writer, &Reply::Event(Box::new(recorded))).await?;
    Ok(if ended { Ended::Yes } else { Ended::No })
}
