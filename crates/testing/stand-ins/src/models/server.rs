use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::models::{Reply, http};

/// Requests that are remembered; of more only the number.
const REMEMBERED_MAX: usize = 10_000;

/// Whose format a request is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    OpenAi,
    Anthropic,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// The first is 1.
    pub number: usize,
    pub path: String,
    pub format: Format,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

/// Serves until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// On a free port of this machine.
    pub async fn start(
        script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), script).await
    }

    pub async fn start_at(
        address: SocketAddr,
        script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let received = Arc::default();
        let script: Arc<Script> = Arc::new(script);
        let task = tokio::spawn(accept(listener, script, Arc::clone(&received)));
        Ok(Self {
            address,
            received,
            task,
        })
    }

    /// Without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn received(&self) -> Vec<Received> {
        locked(&self.received).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, script: Arc<Script>, received: Arc<Mutex<Vec<Received>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (script, received) = (Arc::clone(&script), Arc::clone(&received));
        tokio::spawn(async move {
            // The other side may go when it likes.
            let _ = serve(stream, &*script, &received).await;
        });
    }
}

async fn serve(
    mut stream: TcpStream,
    script: &Script,
    received: &Mutex<Vec<Received>>,
) -> io::Result<()> {
    let request = crate::http::read(&mut stream).await?;
    let format = match request.path.ends_with("/messages") {
        true => Format::Anthropic,
        false => Format::OpenAi,
    };
    let request = {
        let mut received = locked(received);
        let request = Received {
            number: received.len() + 1,
            path: request.path,
            format,
            headers: request.headers,
            body: serde_json::from_slice(&request.body).unwrap_or(Value::Null),
        };
        if received.len() < REMEMBERED_MAX {
            received.push(request.clone());
        }
        request
    };
    let steps = script(&request).steps(format);
    http::play(&mut stream, steps).await
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
