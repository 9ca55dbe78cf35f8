//! `adjutant serve`: the host that `adjutant up` is, and HTTP beside it.

use std::sync::Arc;
use std::time::Duration;

use adjutant_host::{AccessKey, Host};
use adjutant_server::{Counted, Parts, Tls, Token, serve};
use adjutant_telemetry::Sender;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use super::desk::ServerDesk;
use super::up;
use crate::args::Serve;
use crate::failure::{Exit, Failure};
use crate::output::{self, Form};
use crate::service_log::ServiceLog;
use crate::settings::Settings;
use crate::stores::AnyStore;
use crate::view::{Line, Tone};
use crate::wiring::Known;

/// Where a token may be given that is to stay the same over restarts.
const TOKEN_VARIABLE: &str = "ADJUTANT_TOKEN";
/// Documents that are set at the same time.
const REPORTS_AT_ONCE: usize = 2;
/// A shorter one could be guessed.
const TOKEN_CHARS_MIN: usize = 24;

pub(super) async fn run(settings: &Settings, given: Serve) -> Result<Exit, Failure> {
    let form = Form::from(given.json.json);
    up::carry_on(settings, form, Some(&given)).await
}

/// How a server will be reached. What is wrong with that is told before the store is taken.
pub(super) struct Door<'a> {
    given: &'a Serve,
    tls: Option<Tls>,
    /// And whether it was made just now, so that nobody knows it yet.
    token: (String, bool),
}

/// A server at work.
pub(super) struct Serving {
    stop: watch::Sender<bool>,
    task: JoinHandle<std::io::Result<()>>,
}

impl<'a> Door<'a> {
    pub(super) fn checked(given: &'a Serve) -> Result<Self, Failure> {
        let tls = tls(given)?;
        let is_encrypted = tls.is_some() || given.behind_proxy;
        if !given.listen.ip().is_loopback() && !is_encrypted {
            return Err(Failure::new(
                Exit::BadInput,
                "ADJ-6120",
                format!(
                    "{} can be reached from other machines, and what is said there is not encrypted",
                    given.listen
                ),
                "Give it a certificate with `--tls-cert` and `--tls-key`, or say `--behind-proxy` where a proxy in front of it encrypts.",
            ));
        }
        Ok(Self {
            given,
            tls,
            token: token(given.token.as_deref())?,
        })
    }

    /// Only who has the store listens: whoever knocks is answered.
    pub(super) async fn listen(&self) -> Result<TcpListener, Failure> {
        let listener = TcpListener::bind(self.given.listen).await;
        listener.map_err(|error| {
            Failure::new(
                Exit::Trouble,
                "ADJ-6121",
                format!("{} cannot be listened on: {error}", self.given.listen),
                "Name another address with `--listen`; port 0 takes any that is free.",
            )
        })
    }

    /// Serves, and says where and with which token.
    pub(super) async fn serve(
        self,
        listener: TcpListener,
        settings: &Settings,
        host: Host<AnyStore>,
        traces: Option<&Sender>,
        log: Option<&ServiceLog>,
        form: Form,
    ) -> Result<Serving, Failure> {
        let Self {
            given,
            tls,
            token: (text, is_new),
        } = self;
        let address = listener.local_addr().map_err(output::unwritten)?;
        let desk = ServerDesk {
            settings: settings.clone(),
            known: Known::new(settings).await?,
            writing: Arc::new(Semaphore::new(REPORTS_AT_ONCE)),
        };
        let spans_dropped = traces.map(|traces| {
            let dropped = traces.dropped();
            let count: Counted = Arc::new(move || dropped.count());
            count
        });
        let parts = Parts {
            host,
            tenant: settings.tenant.clone(),
            desk: Arc::new(desk),
            token: Token::new(settings.me.clone(), settings.roles.clone(), &text),
            limits: settings.limits,
            names: given.names.clone(),
            tls,
            spans_dropped,
            log: log.map(ServiceLog::of_requests),
        };
        let scheme = match given.tls_cert {
            Some(_) => "https",
            None => "http",
        };
        if let Some(log) = log {
            let fields = serde_json::json!({ "address": format!("{scheme}://{address}"), "version": env!("CARGO_PKG_VERSION") });
            log.tell("info", "serving", fields);
        }
        let (stop, stopping) = watch::channel(false);
        let task = tokio::spawn(serve(listener, parts, stopping));
        tell(
            &format!("{scheme}://{address}"),
            is_new.then_some(&*text),
            form,
        )?;
        Ok(Serving { stop, task })
    }
}

impl Serving {
    /// Ends streams, and waits for the answers that are under way, but not for ever.
    pub(super) async fn stop(self, at_most: Duration) {
        let _ = self.stop.send(true);
        // If it broke, there is nothing to wait for; if somebody holds it up, it is left.
        let _ = tokio::time::timeout(at_most, self.task).await;
    }
}

/// The token, and whether it was made just now.
fn token(given: Option<&str>) -> Result<(String, bool), Failure> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    match given.map(str::trim) {
        Some(text) if text.len() < TOKEN_CHARS_MIN || !plain(text) => Err(Failure::new(
            Exit::BadInput,
            "ADJ-6122",
            format!("{TOKEN_VARIABLE} is not {TOKEN_CHARS_MIN} or more plain characters"),
            "Leave it unset to have one made, or set a longer one, without spaces.",
        )),
        Some(text) => Ok((text.to_owned(), false)),
        None => Ok((AccessKey::new_token()?.1, true)),
    }
}

/// The certificate that was given, if one was.
fn tls(given: &Serve) -> Result<Option<Tls>, Failure> {
    let (Some(certificates), Some(key)) = (&given.tls_cert, &given.tls_key) else {
        return Ok(None);
    };
    let read = Tls::read(certificates, key);
    read.map(Some).map_err(|why| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6125",
            format!("there can be no TLS with these files: {why}"),
            "Give a chain of certificates and the key of its first one, both as PEM.",
        )
    })
}

fn tell(address: &str, token: Option<&str>, form: Form) -> Result<(), Failure> {
    if form == Form::Json {
        let serving = serde_json::json!({ "address": address, "token": token });
        return output::line(&serde_json::json!({ "serving": serving }).to_string());
    }
    let at = Line::new().plain("   ").and(Tone::Bold, address);
    output::line(&at.render(output::paint()))?;
    let told = match token {
        Some(token) => format!("   token {token}"),
        None => format!("   token as in {TOKEN_VARIABLE}"),
    };
    output::line(&told)
}
