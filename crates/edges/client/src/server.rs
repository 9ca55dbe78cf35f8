//! Requests to a server, and errors when it does not answer as expected.

use std::error::Error as _;
use std::path::PathBuf;
use std::time::Duration;

use adjutant_mission::{MissionId, Timestamp};
use reqwest::{Client, Method, Response, StatusCode, Url, redirect};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::notes::Notes;
use adjutant_app::remedies;
use adjutant_app::settings::Environment;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A plan may be thought about, and a document set, before a request is answered.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
const TOKEN_BYTES_MAX: u64 = 4 * 1024;
/// Of requests that do the same when they come twice.
const TRIES_MAX: u32 = 3;
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// Which server, and how it is spoken to.
#[derive(Debug, Clone)]
pub struct ServerAddress {
    pub url: String,
    /// A file with the key; without one the environment has it.
    pub token_file: Option<PathBuf>,
    pub plain_http: PlainHttp,
}

/// Where a connection may be unencrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainHttp {
    LoopbackOnly,
    Allowed,
}

/// Whether a request may be sent again when nobody knows if it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    Safe,
    Never,
}

/// A server that answered.
#[expect(missing_debug_implementations, reason = "it holds a key")]
pub struct Server {
    base: Url,
    token: Zeroizing<String>,
    client: Client,
    /// The same for every try of what this invocation sends.
    key: String,
}

impl Server {
    /// The server that was named, if it answers.
    pub async fn reach(at: &ServerAddress, environment: &Environment) -> Result<Self, AppError> {
        let named = at.url.as_str();
        let base = base(named)?;
        let is_plain = base.scheme() == "http";
        if is_plain && !is_loopback(&base) && at.plain_http == PlainHttp::LoopbackOnly {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6141",
                format!("{base} is not encrypted: others on the way could read the key"),
                "Name it with https://, or pass `--insecure-http` on a trusted network.",
            ));
        }
        let token = token(at, environment)?;
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
            AppError::new(
                ErrorKind::Unavailable,
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
        server.compare_versions(&environment.notes).await?;
        Ok(server)
    }

    async fn compare_versions(&self, notes: &Notes) -> Result<(), AppError> {
        let told = self.get("/version").await?;
        let (name, theirs) = (told["name"].as_str(), told["version"].as_str());
        let (Some("adjutant"), Some(theirs)) = (name, theirs) else {
            return Err(self.unexpected_answer("it does not say that it is Adjutant"));
        };
        let ours = env!("CARGO_PKG_VERSION");
        if theirs != ours {
            notes.write(&format!(
                "The server is version {theirs}, this is {ours}: what one knows the other may not."
            ));
        }
        Ok(())
    }

    pub fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    pub async fn get(&self, path: &str) -> Result<Value, AppError> {
        let bytes = self.bytes(path).await?;
        self.read(&bytes)
    }

    pub async fn bytes(&self, path: &str) -> Result<Vec<u8>, AppError> {
        self.send(Method::GET, path, None, Repeat::Safe).await
    }

    pub async fn post(&self, path: &str, body: &Value, repeat: Repeat) -> Result<Value, AppError> {
        let body = Some(body.to_string());
        let bytes = self.send(Method::POST, path, body, repeat).await?;
        self.read(&bytes)
    }

    pub async fn put(&self, path: &str, body: &Value) -> Result<Value, AppError> {
        let body = Some(body.to_string());
        let done = self.send(Method::PUT, path, body, Repeat::Safe);
        self.read(&done.await?)
    }

    /// An answer whose body is taken as it comes.
    pub async fn open(&self, path: &str) -> Result<Response, AppError> {
        let request = self.request(Method::GET, path).timeout(ANSWER_TIMEOUT);
        let answer = request
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        match answer.status().is_success() {
            true => Ok(answer),
            false => Err(self.refused(answer).await),
        }
    }

    /// A path whose parts, and what is asked, may be any text.
    pub fn path(&self, parts: &[&str], asked: &[(&str, &str)]) -> String {
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

    pub async fn delete(&self, path: &str) -> Result<Value, AppError> {
        let gone = self.send(Method::DELETE, path, None, Repeat::Never);
        self.read(&gone.await?)
    }

    fn read(&self, bytes: &[u8]) -> Result<Value, AppError> {
        serde_json::from_slice(bytes).map_err(|error| self.unexpected_answer(&error.to_string()))
    }

    /// The server's answer is none that this program knows.
    pub fn unexpected_answer(&self, why: &str) -> AppError {
        AppError::new(
            ErrorKind::Unavailable,
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
    ) -> Result<Vec<u8>, AppError> {
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

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.address());
        self.client.request(method, url).bearer_auth(&*self.token)
    }

    /// A whole answer, or the problem that it tells.
    async fn whole(&self, mut answer: Response) -> Result<Vec<u8>, AppError> {
        let status = answer.status();
        let mut bytes = Vec::new();
        while let Some(more) = answer
            .chunk()
            .await
            .map_err(|error| away(&self.base, &error))?
        {
            if bytes.len() + more.len() > ANSWER_BYTES_MAX {
                let told = format!("it is longer than {ANSWER_BYTES_MAX} bytes");
                return Err(self.unexpected_answer(&told));
            }
            bytes.extend_from_slice(&more);
        }
        match status.is_success() {
            true => Ok(bytes),
            false => Err(self.problem(status, &bytes)),
        }
    }

    /// What a server refused, as the command line tells it.
    pub async fn refused(&self, answer: Response) -> AppError {
        match self.whole(answer).await {
            Ok(_) => self.unexpected_answer("it is not what was asked for"),
            Err(failure) => failure,
        }
    }

    /// Why no answer came.
    pub fn unreachable(&self, error: &reqwest::Error) -> AppError {
        away(&self.base, error)
    }

    fn problem(&self, status: StatusCode, bytes: &[u8]) -> AppError {
        let told: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let (Some(code), Some(detail)) = (told["code"].as_str(), told["detail"].as_str()) else {
            return self.unexpected_answer(&format!("it says {status} without a problem of ours"));
        };
        let is_ours = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS;
        let kind = match is_ours {
            true => ErrorKind::BadInput,
            false => ErrorKind::from_code(code),
        };
        let remedy = match status {
            StatusCode::UNAUTHORIZED => {
                "Put a key that holds into ADJUTANT_TOKEN, or name its file with `--token-file`; `adjutant access add` makes one on the server.".to_owned()
            }
            _ => {
                let given = told["remedy"].as_str().unwrap_or_default();
                remedies::for_command_line(code, given).to_owned()
            }
        };
        AppError::new(kind, code, detail, remedy)
    }
}

fn base(text: &str) -> Result<Url, AppError> {
    let wrong = |why: String| {
        AppError::new(
            ErrorKind::BadInput,
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

fn token(at: &ServerAddress, environment: &Environment) -> Result<Zeroizing<String>, AppError> {
    let wrong = |message: String| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6142",
            message,
            "Put the key into ADJUTANT_TOKEN, or name its file with `--token-file`; `adjutant access add` makes one on the server.",
        )
    };
    let token = match &at.token_file {
        Some(path) => {
            let bytes = adjutant_app::files::read(path, TOKEN_BYTES_MAX)?;
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
fn away(base: &Url, error: &reqwest::Error) -> AppError {
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
    AppError::new(
        ErrorKind::Unavailable,
        code,
        format!("{base} {what}: {innermost}"),
        help,
    )
}

/// An instant that a server tells.
pub fn instant(server: &Server, text: &str) -> Result<Timestamp, AppError> {
    let at: Result<jiff::Timestamp, _> = text.parse();
    let at = at.map_err(|error| server.unexpected_answer(&error.to_string()))?;
    Ok(Timestamp(at.as_millisecond()))
}

/// The path of a mission.
pub fn mission_path(mission: MissionId, rest: &str) -> String {
    format!("/api/missions/{mission}{rest}")
}

/// The body of a request that needs none.
pub fn empty_body() -> Value {
    json!({})
}
