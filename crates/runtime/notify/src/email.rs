//! One mail, handed to one server by SMTP.

use std::time::{Duration, UNIX_EPOCH};

use adjutant_mission::Timestamp;
use adjutant_text::errors::with_causes;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use zeroize::Zeroizing;

use crate::send::one_line;
use crate::webhook::is_loopback;
use crate::{AnswerLink, ChannelName, Notice, Plain, Sent, compose};

/// How long the server may take for one answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
const QUOTE_CHARS_MAX: usize = 200;
/// Recipients of one channel.
const RECIPIENTS_MAX: usize = 50;

/// How the connection is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte, usually on port 465.
    Tls,
    /// TLS after a word in the clear, usually on port 587. Without it nothing is sent.
    StartTls,
    /// None at all.
    Plain,
}

impl Security {
    pub fn port(self) -> u16 {
        match self {
            Self::Tls => 465,
            Self::StartTls => 587,
            Self::Plain => 25,
        }
    }
}

#[derive(Clone)]
pub struct Login {
    pub user: String,
    pub password: Zeroizing<String>,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
pub struct Email {
    server: String,
    port: u16,
    security: Security,
    from: Mailbox,
    to: Vec<Mailbox>,
    login: Option<Login>,
    /// Certificates of authorities besides those that the machine trusts.
    authorities: Vec<Certificate>,
    /// Where the recipient answers questions, if they can be answered out of the mail.
    answers: Option<Box<AnswerLink>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    #[error("`{address}` is not a valid address: {why}")]
    Address { address: String, why: String },
    #[error("it has no recipient, or more than {RECIPIENTS_MAX}")]
    Recipients,
    #[error(
        "it would send mission questions to another machine without TLS, and `insecure` is not set"
    )]
    Plain,
    #[error("it would send a password without TLS")]
    PlainLogin,
    #[error("questions can be answered out of a mail to one recipient only")]
    Answers,
    #[error("its CA certificates cannot be read: {why}")]
    Authorities { why: String },
}

impl Email {
    pub fn new(
        server: &str,
        security: Security,
        plain: Plain,
        from: &str,
        to: &[String],
    ) -> Result<Self, EmailError> {
        if security == Security::Plain && plain == Plain::Loopback && !is_loopback(Some(server)) {
            return Err(EmailError::Plain);
        }
        if to.is_empty() || to.len() > RECIPIENTS_MAX {
            return Err(EmailError::Recipients);
        }
        let mailbox = |address: &str| {
            address
                .parse::<Mailbox>()
                .map_err(|error| EmailError::Address {
                    address: address.into(),
                    why: error.to_string(),
                })
        };
        Ok(Self {
            server: server.into(),
            port: security.port(),
            security,
            from: mailbox(from)?,
            to: to
                .iter()
                .map(|address| mailbox(address))
                .collect::<Result<_, _>>()?,
            login: None,
            authorities: Vec::new(),
            answers: None,
        })
    }

    #[must_use]
    pub fn at_port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    pub fn with_login(mut self, login: Login) -> Result<Self, EmailError> {
        if self.security == Security::Plain && !is_loopback(Some(&self.server)) {
            return Err(EmailError::PlainLogin);
        }
        self.login = Some(login);
        Ok(self)
    }

    /// Lets the recipient answer out of the mail. A mail to several would let each answer as the one person.
    pub fn answered_through(mut self, link: AnswerLink) -> Result<Self, EmailError> {
        if self.to.len() != 1 {
            return Err(EmailError::Answers);
        }
        self.answers = Some(Box::new(link));
        Ok(self)
    }

    /// Trusts these authorities too; one or more certificates in PEM.
    pub fn trusting(mut self, pem: &[u8]) -> Result<Self, EmailError> {
        let unreadable = |why: String| EmailError::Authorities { why };
        let certificates = split_pem(pem).map_err(unreadable)?;
        for certificate in certificates {
            let read = Certificate::from_pem(certificate.as_bytes());
            let read = read.map_err(|error| unreadable(error.to_string()))?;
            self.authorities.push(read);
        }
        Ok(self)
    }

    pub fn place(&self) -> String {
        format!("{}:{}", self.server, self.port)
    }

    pub fn recipients(&self) -> impl Iterator<Item = String> {
        self.to.iter().map(|mailbox| mailbox.email.to_string())
    }

    fn transport(
        &self,
    ) -> Result<AsyncSmtpTransport<Tokio1Executor>, lettre::transport::smtp::Error> {
        let tls = match self.security {
            Security::Plain => Tls::None,
            Security::Tls => Tls::Wrapper(self.tls()?),
            Security::StartTls => Tls::Required(self.tls()?),
        };
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&self.server);
        let builder = builder
            .port(self.port)
            .tls(tls)
            // A name that says nothing about the machine.
            .hello_name(ClientId::Domain("adjutant.localdomain".into()))
            .timeout(Some(ANSWER_TIMEOUT));
        Ok(match &self.login {
            Some(login) => builder
                .credentials(Credentials::new(
                    login.user.clone(),
                    login.password.to_string(),
                ))
                .build(),
            None => builder.build(),
        })
    }

    fn tls(&self) -> Result<TlsParameters, lettre::transport::smtp::Error> {
        let mut parameters = TlsParameters::builder(self.server.clone());
        for authority in &self.authorities {
            parameters = parameters.add_root_certificate(authority.clone());
        }
        parameters.build_rustls()
    }

    fn message(
        &self,
        channel: &ChannelName,
        notice: &Notice,
    ) -> Result<Message, lettre::error::Error> {
        let mut message = Message::builder()
            .from(self.from.clone())
            .date(UNIX_EPOCH + since_epoch(notice.at))
            .message_id(Some(message_id(channel, notice)))
            .subject(compose::subject_line(notice))
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".into(),
            ))
            .header(ContentType::TEXT_PLAIN);
        for to in &self.to {
            message = message.to(to.clone());
        }
        message.body(compose::text(notice, self.answers.as_deref()))
    }
}

/// The same for every try, so that a mail that comes twice is recognised.
fn message_id(channel: &ChannelName, notice: &Notice) -> String {
    format!("<{}.{channel}@{}.adjutant>", notice.id(), domain(notice))
}

fn domain(notice: &Notice) -> String {
    let tenant = notice.tenant.as_str().chars();
    tenant
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

fn since_epoch(at: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(at.0).unwrap_or(0))
}

fn split_pem(pem: &[u8]) -> Result<Vec<String>, String> {
    const END: &str = "-----END CERTIFICATE-----";
    let text = std::str::from_utf8(pem).map_err(|error| error.to_string())?;
    let found: Vec<String> = text
        .split_inclusive(END)
        .filter(|part| part.contains(END))
        .map(ToOwned::to_owned)
        .collect();
    if found.is_empty() {
        return Err("there is no certificate".into());
    }
    Ok(found)
}

pub(crate) async fn mail(email: &Email, channel: &ChannelName, notice: &Notice) -> Sent {
    let place = email.place();
    let message = match email.message(channel, notice) {
        Ok(message) => message,
        Err(error) => return Sent::refused(format!("the mail cannot be built: {error}")),
    };
    let transport = match email.transport() {
        Ok(transport) => transport,
        Err(error) => return Sent::not_now(format!("{place}: {}", explain(&error))),
    };
    match transport.send(message).await {
        Ok(response) => {
            let said = response.message().collect::<Vec<&str>>().join(" ");
            let said = one_line(&said, QUOTE_CHARS_MAX);
            Sent::Delivered {
                said: format!("{place} answered {}: {said}", response.code()),
            }
        }
        // The server said that it will never take it, or lacks what we must have.
        Err(error) if error.is_permanent() || error.is_client() => {
            Sent::refused(format!("{place}: {}", explain(&error)))
        }
        Err(error) => Sent::not_now(format!("{place}: {}", explain(&error))),
    }
}

fn explain(error: &lettre::transport::smtp::Error) -> String {
    one_line(&with_causes(error), QUOTE_CHARS_MAX)
}
