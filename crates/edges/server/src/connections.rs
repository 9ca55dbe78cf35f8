//! Connections: taken, unwrapped from TLS where there is a certificate, and served until they end or the server stops.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// At the same time.
pub(crate) const CONNECTIONS_MAX: usize = 8_192;

/// Whether the address of a connection identifies its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// Each comes from an address of its own.
    Direct,
    /// All come from the address of a proxy, which sees to it that none takes the connections of all others.
    ThroughProxy,
}

/// What one caller may take from all others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// How long a caller may take to say hello, and to say what it wants.
    asked_within: Duration,
    /// At the same time; those that come then wait.
    connections_max: usize,
    /// Of those, from one address; those that come then are refused.
    per_address_max: usize,
    counts: Counted,
}

impl Bounds {
    pub(crate) fn of(callers: Callers) -> Self {
        Self {
            asked_within: Duration::from_secs(30),
            connections_max: CONNECTIONS_MAX,
            per_address_max: CONNECTIONS_MAX / 4,
            counts: match callers {
                Callers::Direct => Counted::ButLoopback,
                Callers::ThroughProxy => Counted::Nobody,
            },
        }
    }
}

/// Whose connections are counted by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Nobody,
    /// Programs on this machine share one address.
    ButLoopback,
    #[cfg(test)]
    Everybody,
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
    let addresses = Addresses::default();
    let mut connections = JoinSet::new();
    loop {
        // A sender that is gone stops nothing more: it stops now.
        let next = tokio::select! {
            next = take(&listener, &room) => next,
            _ = stopping.wait_for(|stop| *stop) => break,
        };
        let Some((stream, from, turn)) = next else {
            continue;
        };
        let Some(share) = addresses.take(from.ip(), bounds) else {
            refuse(&stream, tls.as_ref());
            continue;
        };
        let (tls, router, stopping) = (tls.clone(), router.clone(), stopping.clone());
        connections.spawn(async move {
            let _held = (turn, share);
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

async fn take(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, Turn)> {
    let turn = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, from)) => {
            // What is said goes out at once; whoever takes nothing for too long is let go. Neither is worth a refusal.
            let _ = stream.set_nodelay(true);
            let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(TAKEN_WITHIN));
            Some((stream, from, turn))
        }
        Err(error) if is_of_the_caller(&error) => None,
        Err(_) => {
            tokio::time::sleep(WAIT_FOR_FILES).await;
            None
        }
    }
}

/// How many connections each address has.
#[derive(Debug, Clone, Default)]
struct Addresses(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One connection of an address; none where they are not counted.
struct Share(Option<(Addresses, IpAddr)>);

impl Addresses {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None if the address has its share already.
    fn take(&self, from: IpAddr, bounds: Bounds) -> Option<Share> {
        let address = caller_of(from);
        match bounds.counts {
            Counted::Nobody => return Some(Share(None)),
            Counted::ButLoopback if address.is_loopback() => return Some(Share(None)),
            _ => {}
        }
        let mut counts = self.lock();
        let count = counts.entry(address).or_default();
        if *count >= bounds.per_address_max {
            return None;
        }
        *count += 1;
        Some(Share(Some((self.clone(), address))))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some((addresses, address)) = &self.0 else {
            return;
        };
        let mut counts = addresses.lock();
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

/// All addresses of an IPv6 /64 network count as one caller, because a network of that size is given to one.
fn caller_of(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(six) if !six.is_loopback() => {
            let network = u128::from(six) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}

/// Says why, where that can be said without waiting, and closes.
fn refuse(stream: &TcpStream, tls: Option<&Tls>) {
    if tls.is_some() {
        return;
    }
    let body = r#"{"title":"Too Many Requests","status":429,"code":"ADJ-9047","detail":"this address has its share of the server's connections","remedy":"Close some of them; one connection serves many requests."}"#;
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\
         Retry-After: 10\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // Whoever does not take it is closed to without a word.
    let _ = stream.try_write(answer.as_bytes());
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
            ..Bounds::of(Callers::Direct)
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
            ..Bounds::of(Callers::Direct)
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

    #[tokio::test]
    async fn one_address_has_its_share_and_is_refused_more() {
        let bounds = Bounds {
            per_address_max: 2,
            counts: Counted::Everybody,
            ..Bounds::of(Callers::Direct)
        };
        let (address, _stop) = served(bounds).await;
        let open = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n";
        let mut held = Vec::new();
        for _ in 0..2 {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(open).await.unwrap();
            let mut told = [0; 1024];
            assert!(stream.read(&mut told).await.unwrap() > 0);
            held.push(stream);
        }
        let mut more = TcpStream::connect(address).await.unwrap();
        let told = rest(&mut more).await;
        assert!(told.starts_with("HTTP/1.1 429"), "{told}");
        assert!(told.contains("ADJ-9047"), "{told}");
        // Another place is free as soon as the server has seen one end.
        drop(held.pop());
        let again = async {
            loop {
                let mut stream = TcpStream::connect(address).await.unwrap();
                let _ = stream.write_all(REQUEST).await;
                if rest(&mut stream).await.ends_with("here") {
                    break;
                }
            }
        };
        timeout(LONG, again).await.unwrap();
    }

    #[test]
    fn callers_are_told_apart_by_network() {
        let of = |text: &str| caller_of(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.2"), of("192.0.2.1"));
        let bounds = Bounds {
            per_address_max: 0,
            ..Bounds::of(Callers::Direct)
        };
        let addresses = Addresses::default();
        let take = |text: &str, bounds| addresses.take(text.parse().unwrap(), bounds).is_some();
        assert!(take("127.0.0.1", bounds) && take("::1", bounds));
        assert!(!take("192.0.2.1", bounds));
        let proxied = Bounds {
            per_address_max: 0,
            ..Bounds::of(Callers::ThroughProxy)
        };
        assert!(take("192.0.2.1", proxied));
    }
}
