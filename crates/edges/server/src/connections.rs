//! Connections: taken, unwrapped from TLS where there is a certificate, and served until they end or the server stops.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// How long a reader may leave untaken what it was sent.
const TAKEN_WITHIN: Duration = Duration::from_secs(60);
/// After a connection could not be taken, because there are no more files to be had.
const WAIT_FOR_FILES: Duration = Duration::from_secs(1);

/// What one caller may take from all others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// How long a caller may take to say hello, and to say what it wants.
    asked_within: Duration,
    /// At the same time; those that come then wait.
    connections_max: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            asked_within: Duration::from_secs(30),
            connections_max: 8_192,
        }
    }
}

/// A certificate and its key: whoever connects speaks TLS.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads a chain of certificates and its key, both as PEM. What is wrong is told in words.
    pub fn read(certificates: &Path, key: &Path) -> Result<Self, String> {
        let wrong = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificates)
            .map_err(|error| wrong(certificates, &error))?
            .collect();
        let chain = chain.map_err(|error| wrong(certificates, &error))?;
        if chain.is_empty() {
            return Err(wrong(certificates, &"it contains no certificate"));
        }
        let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_no_client_auth()
            .with_single_cert(chain, key_der)
            .map_err(|error| wrong(key, &error))?;
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }
}

/// Takes connections until the server stops, and then waits for the answers that are under way.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    router: Router,
    bounds: Bounds,
    mut stopping: watch::Receiver<bool>,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(bounds.connections_max));
    let mut connections = JoinSet::new();
    loop {
        // A sender that is gone stops nothing more: it stops now.
        let next = tokio::select! {
            next = take(&listener, &room) => next,
            _ = stopping.wait_for(|stop| *stop) => break,
        };
        let Some((stream, turn)) = next else { continue };
        let (tls, router, stopping) = (tls.clone(), router.clone(), stopping.clone());
        connections.spawn(async move {
            let _turn = turn;
            match tls {
                None => talk(stream, router, bounds, stopping).await,
                Some(Tls(acceptor)) => {
                    let hello = tokio::time::timeout(bounds.asked_within, acceptor.accept(stream));
                    // Whoever speaks no TLS, or takes too long, is let go.
                    if let Ok(Ok(stream)) = hello.await {
                        talk(stream, router, bounds, stopping).await;
                    }
                }
            }
        });
        // Those that have ended are forgotten.
        while connections.try_join_next().is_some() {}
    }
    while connections.join_next().await.is_some() {}
    Ok(())
}

type Turn = tokio::sync::OwnedSemaphorePermit;

async fn take(listener: &TcpListener, room: &Arc<Semaphore>) -> Option<(TcpStream, Turn)> {
    let turn = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // What is said goes out at once; whoever takes nothing for too long is let go. Neither is worth a refusal.
            let _ = stream.set_nodelay(true);
            let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(TAKEN_WITHIN));
            Some((stream, turn))
        }
        Err(error) if is_of_the_caller(&error) => None,
        Err(_) => {
            tokio::time::sleep(WAIT_FOR_FILES).await;
            None
        }
    }
}

fn is_of_the_caller(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

/// Answers what one connection asks, one request after the other.
async fn talk<IO>(stream: IO, router: Router, bounds: Bounds, mut stopping: watch::Receiver<bool>)
where
    IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.asked_within);
    let service = TowerToHyperService::new(router);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        _ = stopping.wait_for(|stop| *stop) => None,
    };
    // How a connection ends is its caller's business.
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::time::timeout;

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    const LONG: Duration = Duration::from_secs(20);

    /// A server with these bounds; it stops when the sender is dropped.
    async fn served(bounds: Bounds) -> (std::net::SocketAddr, watch::Sender<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (stop, stopping) = watch::channel(false);
        tokio::spawn(serve(listener, None, router, bounds, stopping));
        (address, stop)
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut told = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut told)).await.unwrap();
        String::from_utf8(told).unwrap()
    }

    #[tokio::test]
    async fn who_does_not_say_what_it_wants_is_let_go() {
        let bounds = Bounds {
            asked_within: Duration::from_millis(100),
            ..Bounds::default()
        };
        let (address, _stop) = served(bounds).await;
        let mut half = TcpStream::connect(address).await.unwrap();
        half.write_all(&REQUEST[..20]).await.unwrap();
        assert!(!rest(&mut half).await.contains("here"));
        let mut whole = TcpStream::connect(address).await.unwrap();
        whole.write_all(REQUEST).await.unwrap();
        assert!(rest(&mut whole).await.ends_with("here"));
    }

    #[tokio::test]
    async fn who_comes_when_all_places_are_taken_waits_for_one() {
        let bounds = Bounds {
            connections_max: 1,
            ..Bounds::default()
        };
        let (address, _stop) = served(bounds).await;
        let mut first = TcpStream::connect(address).await.unwrap();
        // Answered, and kept open: its place is taken.
        let open = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n";
        first.write_all(open).await.unwrap();
        let mut told = [0; 1024];
        assert!(first.read(&mut told).await.unwrap() > 0);
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(REQUEST).await.unwrap();
        let early = timeout(Duration::from_millis(300), second.read(&mut told)).await;
        assert!(early.is_err(), "there was a place for it");
        drop(first);
        assert!(rest(&mut second).await.ends_with("here"));
    }
}
