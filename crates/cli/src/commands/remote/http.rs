//! Requests to a server: which it is, what it answers, and what is told when it does not.

use std::error::Error as _;
use std::time::Duration;

use adjutant_mission::Timestamp;
use reqwest::{Client, Method, Response, StatusCode, Url, redirect};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::remedies;
use crate::args::FromAfar;
use crate::failure::{Exit, Failure, exit_of};
use crate::output;
use crate::settings::Environment;
use crate::wiring;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A plan may be thought about, and a document set, before a request is answered.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
const TOKEN_BYTES_MAX: u64 = 4 * 1024;
/// Of requests that do the same when they come twice.
const TRIES_MAX: u32 = 3;
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// Whether a request may be sent again when nobody knows if it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    Safe,
    Never,
}

pub(super) struct Server {
    base: Url,
    token: Zeroizing<String>,
    client: Client,
    /// The same for every try of what this invocation sends.
    key: String,
}

impl Server {
    /// The server that was named, if it answers.
    pub(super) async fn reach(from: &FromAfar, environment: &Environment) -> Result<Self, Failure> {
        let named = from.server.as_deref().unwrap_or_default();
        let base = base(named)?;
        let is_plain = base.scheme() == "http";
        if is_plain && !is_loopback(&base) && !from.insecure_http {
            return Err(Failure::new(
                Exit::BadInput,
                "ADJ-6141",
                format!("{base} is not encrypted: others on the way could read the key"),
                "Name it with https://, or say `--insecure-http` where nobody listens.",
            ));
        }
        let token = token(from, environment)?;
        // Another part of the process may have installed the provider before: then that one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .referer(false)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")));
        let client = client.build().map_err(|error| away(&base, &error))?;
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|error| {
            Failure::new(
                Exit::Trouble,
                "ADJ-6143",
                format!("there is no randomness for a request's key: {error}"),
                "Check the machine.",
            )
        })?;
        let server = Self {
            base,
            token,
            client,
            key: format!("{:032x}", u128::from_be_bytes(bits)),
        };
        server.compare_versions().await?;
        Ok(server)
    }

    async fn compare_versions(&self) -> Result<(), Failure> {
        let told = self.get("/version").await?;
        let (name, theirs) = (told["name"].as_str(), told["version"].as_str());
        let (Some("adjutant"), Some(theirs)) = (name, theirs) else {
            return Err(self.strange("it does not say that it is Adjutant"));
        };
        let ours = env!("CARGO_PKG_VERSION");
        if theirs != ours {
            output::note(&format!(
                "The server is version {theirs}, this is {ours}: what one knows the other may not."
            ));
        }
        Ok(())
    }

    pub(super) fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        let bytes = self.bytes(path).await?;
        self.read(&bytes)
    }

    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        self.send(Method::GET, path, None, Repeat::Safe).await
    }

    pub(super) async fn post(
        &self,
        path: &str,
        body: &Value,
        repeat: Repeat,
    ) -> Result<Value, Failure> {
        let body = Some(body.to_string());
        let bytes = self.send(Method::POST, path, body, repeat).await?;
        self.read(&bytes)
    }

    pub(super) async fn put(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let body = Some(body.to_string());
        let done = self.send(Method::PUT, path, body, Repeat::Safe);
        self.read(&done.await?)
    }

    /// An answer whose body is taken as it comes.
    pub(super) async fn open(&self, path: &str) -> Result<Response, Failure> {
        let request = self.request(Method::GET, path).timeout(ANSWER_TIMEOUT);
        let answer = request.send().await.map_err(|error| self.away(&error))?;
        match answer.status().is_success() {
            true => Ok(answer),
            false => Err(self.refused(answer).await),
        }
    }

    /// A path whose parts, and what is asked, may be any text.
    pub(super) fn path(&self, parts: &[&str], asked: &[(&str, &str)]) -> String {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(parts);
        }
        if asked.is_empty() {
            return url.path().to_owned();
        }
        url.query_pairs_mut().extend_pairs(asked);
        format!("{}?{}", url.path(), url.query().unwrap_or_default())
    }

    pub(super) async fn delete(&self, path: &str) -> Result<Value, Failure> {
        let gone = self.send(Method::DELETE, path, None, Repeat::Never);
        self.read(&gone.await?)
    }

    fn read(&self, bytes: &[u8]) -> Result<Value, Failure> {
        serde_json::from_slice(bytes).map_err(|error| self.strange(&error.to_string()))
    }

    /// The server's answer is none that this program knows.
    pub(super) fn strange(&self, why: &str) -> Failure {
        Failure::new(
            Exit::Trouble,
            "ADJ-6147",
            format!("the answer of {} cannot be read: {why}", self.address()),
            "Check the address, and use the same version of `adjutant` as the server.",
        )
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        repeat: Repeat,
    ) -> Result<Vec<u8>, Failure> {
        let mut tries = 1;
        loop {
            let request = self.request(method.clone(), path).timeout(ANSWER_TIMEOUT);
            let request = match (&body, repeat) {
                (Some(body), Repeat::Safe) => request
                    .header("idempotency-key", &self.key)
                    .body(body.clone()),
                (Some(body), Repeat::Never) => request.body(body.clone()),
                (None, _) => request,
            };
            let may_repeat = repeat == Repeat::Safe && tries < TRIES_MAX;
            match request.send().await {
                Ok(answer) if may_repeat && is_passing(answer.status()) => {}
                Ok(answer) => return self.whole(answer).await,
                Err(error) if may_repeat && is_interrupted(&error) => {}
                Err(error) => return Err(away(&self.base, &error)),
            }
            tokio::time::sleep(TRY_AGAIN * tries).await;
            tries += 1;
        }
    }

    pub(super) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.address());
        self.client.request(method, url).bearer_auth(&*self.token)
    }

    /// A whole answer, or the problem that it tells.
    async fn whole(&self, mut answer: Response) -> Result<Vec<u8>, Failure> {
        let status = answer.status();
        let mut bytes = Vec::new();
        while let Some(more) = answer
            .chunk()
            .await
            .map_err(|error| away(&self.base, &error))?
        {
            if bytes.len() + more.len() > ANSWER_BYTES_MAX {
                let told = format!("it is longer than {ANSWER_BYTES_MAX} bytes");
                return Err(self.strange(&told));
            }
            bytes.extend_from_slice(&more);
        }
        match status.is_success() {
            true => Ok(bytes),
            false => Err(self.problem(status, &bytes)),
        }
    }

    /// What a server refused, as the command line tells it.
    pub(super) async fn refused(&self, answer: Response) -> Failure {
        match self.whole(answer).await {
            Ok(_) => self.strange("it is not what was asked for"),
            Err(failure) => failure,
        }
    }

    /// Why no answer came.
    pub(super) fn away(&self, error: &reqwest::Error) -> Failure {
        away(&self.base, error)
    }

    fn problem(&self, status: StatusCode, bytes: &[u8]) -> Failure {
        let told: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let (Some(code), Some(detail)) = (told["code"].as_str(), told["detail"].as_str()) else {
            return self.strange(&format!("it says {status} without a problem of ours"));
        };
        let is_ours = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS;
        let exit = match is_ours {
            true => Exit::BadInput,
            false => exit_of(code),
        };
        let remedy = match status {
            StatusCode::UNAUTHORIZED => {
                "Put a key that holds into ADJUTANT_TOKEN, or name its file with `--token-file`; `adjutant access add` makes one on the server.".to_owned()
            }
            _ => remedies::typed(told["remedy"].as_str().unwrap_or_default()),
        };
        Failure::new(exit, code, detail, remedy)
    }
}

fn base(text: &str) -> Result<Url, Failure> {
    let wrong = |why: String| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6140",
            format!("`--server {text}` is no address of a server: {why}"),
            "Write it like https://adjutant.example, without a path.",
        )
    };
    let url: Url = text.parse().map_err(|error| wrong(format!("{error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("it begins with neither https:// nor http://".into()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it has a name or a password in it".into()));
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it goes on after the host".into()));
    }
    Ok(url)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<std::net::IpAddr, _> = bare.parse();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn token(from: &FromAfar, environment: &Environment) -> Result<Zeroizing<String>, Failure> {
    let wrong = |message: String| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6142",
            message,
            "Put the key into ADJUTANT_TOKEN, or name its file with `--token-file`; `adjutant access add` makes one on the server.",
        )
    };
    let token = match &from.token_file {
        Some(path) => {
            let bytes = wiring::read_file(path, TOKEN_BYTES_MAX)?;
            let text = String::from_utf8(bytes);
            text.map_err(|_| wrong(format!("{} has no key in it", path.display())))?
        }
        None => match &environment.token {
            Some(token) => token.to_string(),
            None => return Err(wrong("there is no key for the server".into())),
        },
    };
    let token = Zeroizing::new(token);
    let bare = token.trim();
    if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong(
            "what should be the key for the server is none".into(),
        ));
    }
    Ok(Zeroizing::new(bare.to_owned()))
}

/// A status that says no more than: not now.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 502..=504)
}

fn is_interrupted(error: &reqwest::Error) -> bool {
    !error.is_builder() && !is_certificate(error)
}

fn is_certificate(error: &reqwest::Error) -> bool {
    let mut source = error.source();
    while let Some(inner) = source {
        if inner.to_string().contains("certificate") {
            return true;
        }
        source = inner.source();
    }
    false
}

/// Why no answer came.
fn away(base: &Url, error: &reqwest::Error) -> Failure {
    let mut innermost = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        innermost = inner.to_string();
        source = inner.source();
    }
    let (code, what, help) = match is_certificate(error) {
        true => (
            "ADJ-6144",
            "shows a certificate that does not hold",
            "Check the name in the address, and that this machine trusts who signed the certificate.",
        ),
        false => (
            "ADJ-6143",
            "cannot be reached",
            "Check the address, and that `adjutant serve` runs there. What it had taken in is safe.",
        ),
    };
    Failure::new(
        Exit::Trouble,
        code,
        format!("{base} {what}: {innermost}"),
        help,
    )
}

/// An instant that a server tells.
pub(super) fn instant(server: &Server, text: &str) -> Result<Timestamp, Failure> {
    let at: Result<jiff::Timestamp, _> = text.parse();
    let at = at.map_err(|error| server.strange(&error.to_string()))?;
    Ok(Timestamp(at.as_millisecond()))
}

/// The path of a mission.
pub(super) fn of(mission: adjutant_mission::MissionId, rest: &str) -> String {
    format!("/api/missions/{mission}{rest}")
}

/// A body that says nothing.
pub(super) fn nothing() -> Value {
    json!({})
}
