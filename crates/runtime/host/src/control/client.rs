//! A terminal's end of the control socket.

use std::path::Path;

use adjutant_mission::{MissionId, Recorded, TenantId};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::{LINE_BYTES_MAX, Problem, Reply, Request};

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens: there is no running host.
    #[error("no host is running")]
    NoHost(#[source] std::io::Error),
    #[error("the connection to the host was lost")]
    Lost(#[source] std::io::Error),
    #[error("the host sent an unexpected response")]
    Unexpected,
    #[error("{}", .0.message)]
    Problem(Problem),
}

#[derive(Debug)]
pub struct Client {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

impl Client {
    /// Connects to the host that serves `socket`.
    pub async fn connect(socket: &Path) -> Result<Self, ClientError> {
        let stream = UnixStream::connect(socket)
            .await
            .map_err(ClientError::NoHost)?;
        let (reader, writer) = stream.into_split();
        Ok(Self {
            reader: BufReader::new(reader),
            writer,
        })
    }

    /// The process id of the host.
    pub async fn hello(&mut self) -> Result<u32, ClientError> {
        match self.exchange(&Request::Hello).await? {
            Reply::Hello { pid, .. } => Ok(pid),
            _ => Err(ClientError::Unexpected),
        }
    }

    /// Sends a request that is answered by `Done`.
    pub async fn request(&mut self, request: &Request) -> Result<(), ClientError> {
        match self.exchange(request).await? {
            Reply::Done => Ok(()),
            _ => Err(ClientError::Unexpected),
        }
    }

    /// Sends a request that is answered by how many missions it was done to.
    pub async fn request_count(&mut self, request: &Request) -> Result<usize, ClientError> {
        match self.exchange(request).await? {
            Reply::DoneTo(missions) => Ok(missions),
            _ => Err(ClientError::Unexpected),
        }
    }

    /// Sends a request that is answered by a mission.
    pub async fn request_mission(&mut self, request: &Request) -> Result<MissionId, ClientError> {
        match self.exchange(request).await? {
            Reply::Mission(mission) => Ok(mission),
            _ => Err(ClientError::Unexpected),
        }
    }

    /// Follows a mission's events.
    pub async fn watch(
        mut self,
        tenant: TenantId,
        mission: MissionId,
        from_seq: u64,
    ) -> Result<Watching, ClientError> {
        self.send(&Request::Watch {
            tenant,
            mission,
            from_seq,
        })
        .await?;
        Ok(Watching(self))
    }

    async fn exchange(&mut self, request: &Request) -> Result<Reply, ClientError> {
        self.send(request).await?;
        self.receive().await
    }

    async fn send(&mut self, request: &Request) -> Result<(), ClientError> {
        let mut bytes =
            serde_json::to_vec(request).map_err(|error| ClientError::Lost(error.into()))?;
        bytes.push(b'\n');
        self.writer
            .write_all(&bytes)
            .await
            .map_err(ClientError::Lost)
    }

    async fn receive(&mut self) -> Result<Reply, ClientError> {
        let mut line = Vec::new();
        let mut limited = (&mut self.reader).take(LINE_BYTES_MAX as u64);
        let read = limited
            .read_until(b'\n', &mut line)
            .await
            .map_err(ClientError::Lost)?;
        if read == 0 {
            return Err(ClientError::Lost(std::io::ErrorKind::UnexpectedEof.into()));
        }
        match serde_json::from_slice(&line) {
            Ok(Reply::Problem(problem)) => Err(ClientError::Problem(problem)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(ClientError::Lost(error.into())),
        }
    }
}

/// The events of a mission under watch.
#[derive(Debug)]
pub struct Watching(Client);

impl Watching {
    /// The next event; `None` when the mission has ended.
    pub async fn next(&mut self) -> Result<Option<Recorded>, ClientError> {
        match self.0.receive().await? {
            Reply::Event(recorded) => Ok(Some(*recorded)),
            Reply::End => Ok(None),
            _ => Err(ClientError::Unexpected),
        }
    }
}
