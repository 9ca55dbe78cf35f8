//! The HTTP side of `adjutant serve`: where it listens and its token. The host itself runs in `up.rs`.

use std::sync::Arc;
use std::time::Duration;

use adjutant_host::{AccessKey, Host};
use adjutant_server::{Callers, Counted, Parts, Tls, Token, serve};
use adjutant_telemetry::Sender;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::report;
use crate::args::Serve;
use crate::output::{self, Form};
use crate::service_log::ServiceLog;
use crate::view::{Line, Tone};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;
use adjutant_app::stores::AnyStore;
use adjutant_app::use_cases::App;

/// Where a token may be given that is to stay the same over restarts.
const TOKEN_VARIABLE: &str = "ADJUTANT_TOKEN";
/// A shorter one could be guessed.
const TOKEN_CHARS_MIN: usize = 24;

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
    pub(super) fn checked(given: &'a Serve) -> Result<Self, AppError> {
        let tls = tls(given)?;
        let is_encrypted = tls.is_some() || given.behind_proxy;
        if !given.listen.ip().is_loopback() && !is_encrypted {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6120",
                format!(
                    "{} can be reached from other machines, and the connection is not encrypted",
                    given.listen
                ),
                "Set a certificate with `--tls-cert` and `--tls-key`, or use `--behind-proxy` if a proxy encrypts the connection.",
            ));
        }
        Ok(Self {
            given,
            tls,
            token: token(given.token.as_deref())?,
        })
    }

    /// Only who has the store listens: whoever knocks is answered.
    pub(super) async fn listen(&self) -> Result<TcpListener, AppError> {
        let listener = TcpListener::bind(self.given.listen).await;
        listener.map_err(|error| {
            AppError::new(
                ErrorKind::Unavailable,
                "ADJ-6121",
                format!("cannot listen on {}: {error}", self.given.listen),
                "Use another address with `--listen`; port 0 selects a free port.",
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
    ) -> Result<Serving, AppError> {
        let Self {
            given,
            tls,
            token: (text, is_new),
        } = self;
        let address = listener.local_addr().map_err(output::unwritten)?;
        let app = App::new(settings.clone(), host.clone(), report::write_pdf).await?;
        let spans_dropped = traces.map(|traces| {
            let dropped = traces.dropped();
            let count: Counted = Arc::new(move || dropped.count());
            count
        });
        let public = settings.public_url.as_ref();
        let public = public.map(|url| url.host().to_owned());
        let names = given.names.iter().cloned().chain(public).collect();
        let parts = Parts {
            host,
            tenant: settings.tenant.clone(),
            use_cases: Arc::new(app),
            token: Token::new(settings.me.clone(), settings.roles.clone(), &text),
            limits: settings.limits,
            answer_links: settings.answer_links()?,
            names,
            tls,
            callers: match given.behind_proxy {
                true => Callers::ThroughProxy,
                false => Callers::Direct,
            },
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
fn token(given: Option<&str>) -> Result<(String, bool), AppError> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    match given.map(str::trim) {
        Some(text) if text.len() < TOKEN_CHARS_MIN || !plain(text) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6122",
            format!(
                "{TOKEN_VARIABLE} must have at least {TOKEN_CHARS_MIN} printable ASCII characters"
            ),
            "Unset it to generate a token, or set a longer one without spaces.",
        )),
        Some(text) => Ok((text.to_owned(), false)),
        None => Ok((AccessKey::new_token()?.1, true)),
    }
}

/// The certificate that was given, if one was.
fn tls(given: &Serve) -> Result<Option<Tls>, AppError> {
    let (Some(certificates), Some(key)) = (&given.tls_cert, &given.tls_key) else {
        return Ok(None);
    };
    let read = Tls::read(certificates, key);
    read.map(Some).map_err(|why| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6125",
            format!("TLS cannot be set up with these files: {why}"),
            "Give a certificate chain and the private key of its first certificate, both as PEM.",
        )
    })
}

fn tell(address: &str, token: Option<&str>, form: Form) -> Result<(), AppError> {
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
