//! The stand-ins on a port of this machine.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_lookups::{HttpRequest, Method};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::databases::StandIns;

/// Serves until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    answered: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

/// Requests that are remembered.
const REMEMBERED_MAX: usize = 100_000;

impl Server {
    /// `clock` gives milliseconds since the epoch.
    pub async fn start(
        address: SocketAddr,
        stand_ins: StandIns,
        clock: fn() -> u64,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let answered = Arc::default();
        let shared = Arc::new(Mutex::new(stand_ins));
        let task = tokio::spawn(accept(listener, shared, Arc::clone(&answered), clock));
        Ok(Self {
            address,
            answered,
            task,
        })
    }

    /// Without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked and how it was answered, a line each, from the `from`th on.
    pub fn answered(&self, from: usize) -> Vec<String> {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get(from..).unwrap_or_default().to_vec()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(
    listener: TcpListener,
    stand_ins: Arc<Mutex<StandIns>>,
    answered: Arc<Mutex<Vec<String>>>,
    clock: fn() -> u64,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (stand_ins, answered) = (Arc::clone(&stand_ins), Arc::clone(&answered));
        tokio::spawn(async move {
            // The other side may go when it likes.
            let _ = serve(stream, &stand_ins, &answered, clock()).await;
        });
    }
}

async fn serve(
    mut stream: TcpStream,
    stand_ins: &Mutex<StandIns>,
    answered: &Mutex<Vec<String>>,
    now: u64,
) -> io::Result<()> {
    let received = crate::http::read(&mut stream).await?;
    let host = received
        .headers
        .get("host")
        .map_or("localhost", |host| host);
    let request = HttpRequest {
        method: match received.method.as_str() {
            "POST" => Method::Post,
            _ => Method::Get,
        },
        url: format!("http://{host}{}", received.path),
        headers: received.headers.into_iter().collect(),
        body: received.body,
    };
    let reply = {
        let mut stand_ins = stand_ins.lock().unwrap_or_else(PoisonError::into_inner);
        stand_ins.answer(&request, now)
    };
    {
        let mut answered = answered.lock().unwrap_or_else(PoisonError::into_inner);
        if answered.len() < REMEMBERED_MAX {
            // What follows the question mark may hold a key.
            let place = received.path.split('?').next().unwrap_or_default();
            answered.push(format!("{} {place} {}", received.method, reply.status));
        }
    }
    let headers = reply
        .headers
        .iter()
        .map(|(name, value)| (&**name, &**value));
    let bytes = crate::http::response(reply.status, headers, &reply.body);
    stream.write_all(&bytes).await?;
    stream.shutdown().await
}
