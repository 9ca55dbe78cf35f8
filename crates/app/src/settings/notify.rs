//! Channels of notifications, as the settings file has them. Their secrets stay where they are until needed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use adjutant_mission::{AgentId, Role, TenantId};
use adjutant_notify::{
    AnswerKey, AnswerLink, Carrier, Channel, ChannelName, Content, Email, Login, Plain, PublicUrl,
    QuietHours, Secret, Security, Tells, Urgent, Webhook,
};
use zeroize::Zeroizing;

use super::file::{self, NotifyEvent, NotifyKind};
use super::{Environment, keys};
use crate::error::{AppError, ErrorKind};

/// Channels of one installation.
const CHANNELS_MAX: usize = 50;

/// A channel, checked as far as it can be without its secret.
#[derive(Debug, Clone)]
pub struct ChannelSettings {
    name: ChannelName,
    tenant: TenantId,
    roles: Vec<Role>,
    tells: Tells,
    quiet: Option<QuietHours>,
    content: Content,
    kind: Kind,
    answers: Option<Answers>,
}

/// Who answers questions out of the mails of a channel, and where.
#[derive(Debug, Clone)]
struct Answers {
    person: AgentId,
    address: String,
    base: PublicUrl,
}

#[derive(Debug, Clone)]
enum Kind {
    Webhook {
        url: String,
        plain: Plain,
        secret: Keeping,
    },
    Email {
        email: Box<Email>,
        login: Option<(String, Keeping)>,
        ca_file: Option<PathBuf>,
    },
    Terminal,
}

/// Where a secret is kept.
#[derive(Debug, Clone)]
enum Keeping {
    Variable { name: String, value: Option<Value> },
    File(PathBuf),
}

#[derive(Clone)]
struct Value(Zeroizing<String>);

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl Keeping {
    fn read(&self) -> Result<Zeroizing<String>, String> {
        match self {
            Self::Variable { name, value } => match value {
                Some(Value(text)) => Ok(text.clone()),
                None => Err(format!("the variable {name} is not set")),
            },
            Self::File(path) => match keys::read(path) {
                Ok(Some(text)) => Ok(Zeroizing::new(text.trim_end().to_owned())),
                Ok(None) => Err(format!("the file {} does not exist", path.display())),
                Err(failure) => Err(failure
                    .complaints
                    .into_iter()
                    .map(|complaint| complaint.message)
                    .collect()),
            },
        }
    }
}

impl ChannelSettings {
    pub fn name(&self) -> &ChannelName {
        &self.name
    }

    /// Whether questions are answered out of its mails.
    pub(super) fn is_answered(&self) -> bool {
        self.answers.is_some()
    }

    /// The link through which its recipient answers, if they can.
    pub(super) fn answer_link(&self, key: &AnswerKey) -> Option<AnswerLink> {
        self.answers.as_ref().map(|answers| AnswerLink {
            base: answers.base.clone(),
            key: key.clone(),
            tenant: self.tenant.clone(),
            channel: self.name.clone(),
            person: answers.person.clone(),
            address: answers.address.clone(),
            roles: self.roles.clone(),
            content: self.content,
        })
    }

    /// The channel with its secret, or with the reason why it cannot be used. Its mails have no links.
    pub fn channel(&self) -> Channel {
        self.answerable(None)
    }

    /// The same, with links in its mails.
    pub(super) fn answerable(&self, key: Option<&AnswerKey>) -> Channel {
        let link = key.and_then(|key| self.answer_link(key));
        let carrier = self
            .carrier(link)
            .unwrap_or_else(|why| Carrier::Unusable { why });
        Channel {
            name: self.name.clone(),
            tenant: self.tenant.clone(),
            roles: self.roles.clone(),
            tells: self.tells,
            quiet: self.quiet.clone(),
            content: self.content,
            carrier,
        }
    }

    fn carrier(&self, link: Option<AnswerLink>) -> Result<Carrier, String> {
        match &self.kind {
            Kind::Terminal => Ok(Carrier::Terminal),
            Kind::Webhook { url, plain, secret } => {
                let secret = Secret::parse(&secret.read()?);
                let secret = secret.map_err(|error| format!("its secret is invalid: {error}"))?;
                let webhook = Webhook::new(url, *plain, secret).map_err(|error| error.to_string());
                webhook.map(Carrier::Webhook)
            }
            Kind::Email {
                email,
                login,
                ca_file,
            } => {
                let mut email = Email::clone(email);
                if let Some((user, password)) = login {
                    let login = Login {
                        user: user.clone(),
                        password: password.read()?,
                    };
                    email = email.with_login(login).map_err(|error| error.to_string())?;
                }
                if let Some(path) = ca_file {
                    let pem = std::fs::read(path)
                        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
                    email = email.trusting(&pem).map_err(|error| error.to_string())?;
                }
                if let Some(link) = link {
                    email = email
                        .answered_through(link)
                        .map_err(|error| error.to_string())?;
                }
                Ok(Carrier::Email(Box::new(email)))
            }
        }
    }

    /// What it is and where it goes, without what may be secret about it.
    pub fn described(&self) -> (&'static str, String) {
        match &self.kind {
            Kind::Terminal => ("terminal", String::new()),
            Kind::Webhook { url, plain, .. } => (
                "webhook",
                Webhook::place_of(url, *plain).unwrap_or_default(),
            ),
            Kind::Email { email, .. } => {
                let to: Vec<String> = email.recipients().collect();
                ("email", to.join(", "))
            }
        }
    }
}

/// Every channel of the file, or the first mistake in them.
pub(super) fn channels(
    tables: Vec<file::Notify>,
    tenant: &TenantId,
    placed: &dyn Fn(PathBuf) -> PathBuf,
    public_url: Option<&PublicUrl>,
) -> Result<Vec<ChannelSettings>, AppError> {
    if tables.len() > CHANNELS_MAX {
        let told = format!("there are {} channels", tables.len());
        return Err(wrong(&told, &format!("the limit is {CHANNELS_MAX}")));
    }
    let mut names = BTreeSet::new();
    let mut channels = Vec::new();
    for table in tables {
        let channel = channel(table, tenant, placed, public_url)?;
        if !names.insert(channel.name.clone()) {
            return Err(unfit(
                channel.name.as_str(),
                "another channel has this name",
            ));
        }
        channels.push(channel);
    }
    Ok(channels)
}

fn channel(
    table: file::Notify,
    tenant: &TenantId,
    placed: &dyn Fn(PathBuf) -> PathBuf,
    public_url: Option<&PublicUrl>,
) -> Result<ChannelSettings, AppError> {
    let shown = table.name.clone();
    let mistake = |why: &dyn std::fmt::Display| unfit(&shown, &why.to_string());
    let name = ChannelName::new(&table.name).map_err(|error| mistake(&error))?;
    if let Some(key) = foreign(&table) {
        return Err(mistake(&format!("`{key}` does not fit its kind")));
    }
    let tenant = match &table.tenant {
        Some(text) => super::name("notify.tenant", text, TenantId::new)?,
        None => tenant.clone(),
    };
    let roles = table.roles.iter();
    let roles = roles
        .map(|role| super::name("notify.roles", role, Role::new))
        .collect::<Result<_, _>>()?;
    let tells = tells(table.events.as_deref())
        .ok_or_else(|| mistake(&"its `events` are empty; omit them to select both"))?;
    let quiet = table.quiet.as_ref().map(quiet).transpose();
    let quiet = quiet.map_err(|error| mistake(&error))?;
    let content = match table.redact {
        Some(false) => Content::Whole,
        Some(true) | None => Content::Redacted,
    };
    let answers_as = table.answers_as.as_ref();
    let answers_as = answers_as
        .map(|person| super::name("notify.answers_as", person, AgentId::new))
        .transpose()?;
    let kind = kind(table, placed).map_err(|why| mistake(&why))?;
    let answers = answers_as
        .map(|person| answers(person, &kind, tells, public_url))
        .transpose()
        .map_err(|why| mistake(&why))?;
    Ok(ChannelSettings {
        name,
        tenant,
        roles,
        tells,
        quiet,
        content,
        kind,
        answers,
    })
}

/// Who answers out of the mails, if that can be.
fn answers(
    person: AgentId,
    kind: &Kind,
    tells: Tells,
    public_url: Option<&PublicUrl>,
) -> Result<Answers, &'static str> {
    let Kind::Email { email, .. } = kind else {
        return Err("`answers_as` does not fit its kind");
    };
    if !tells.checkpoints() {
        return Err("it has `answers_as`, and its `events` are without `checkpoints`");
    }
    let mut recipients = email.recipients();
    let (Some(address), None) = (recipients.next(), recipients.next()) else {
        return Err(
            "it has `answers_as` and several recipients in `to`; make a channel for each person",
        );
    };
    let base = public_url.ok_or(
        "it has `answers_as`, which needs `public_url` under [server], the address of the links",
    )?;
    Ok(Answers {
        person,
        address,
        base: base.clone(),
    })
}

/// The address that links in mails begin with.
pub(super) fn public_url(text: &str) -> Result<PublicUrl, AppError> {
    PublicUrl::parse(text).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-7031",
            format!("the `public_url` cannot be used: {error}"),
            "Correct it under [server] in adjutant.toml, such as \"https://adjutant.example.org\"; see docs/notifications.md.",
        )
    })
}

/// The first key that means nothing for this kind of channel.
fn foreign(table: &file::Notify) -> Option<&'static str> {
    let webhook = table.kind == NotifyKind::Webhook;
    let email = table.kind == NotifyKind::Email;
    let keys = [
        ("url", table.url.is_some(), webhook),
        ("server", table.server.is_some(), email),
        ("port", table.port.is_some(), email),
        ("security", table.security.is_some(), email),
        ("user", table.user.is_some(), email),
        ("from", table.from.is_some(), email),
        ("to", table.to.is_some(), email),
        ("ca_file", table.ca_file.is_some(), email),
        ("secret_env", table.secret_env.is_some(), webhook || email),
        ("secret_file", table.secret_file.is_some(), webhook || email),
        ("insecure", table.insecure, webhook || email),
        ("redact", table.redact.is_some(), webhook || email),
        ("answers_as", table.answers_as.is_some(), email),
    ];
    let mut foreign = keys.into_iter().filter(|(_, given, fits)| *given && !fits);
    foreign.next().map(|(key, _, _)| key)
}

fn tells(events: Option<&[NotifyEvent]>) -> Option<Tells> {
    let Some(events) = events else {
        return Some(Tells::Both);
    };
    let wants = |event| events.contains(&event);
    match (wants(NotifyEvent::Checkpoints), wants(NotifyEvent::Endings)) {
        (true, true) => Some(Tells::Both),
        (true, false) => Some(Tells::Checkpoints),
        (false, true) => Some(Tells::Endings),
        (false, false) => None,
    }
}

fn quiet(table: &file::Quiet) -> Result<QuietHours, adjutant_notify::QuietError> {
    let zone = match &table.zone {
        Some(name) => QuietHours::zone(name)?,
        None => jiff::tz::TimeZone::system(),
    };
    let urgent = match table.urgent_anyway {
        Some(false) => Urgent::Waits,
        Some(true) | None => Urgent::Passes,
    };
    QuietHours::parse(&table.from, &table.until, zone, urgent)
}

fn kind(table: file::Notify, placed: &dyn Fn(PathBuf) -> PathBuf) -> Result<Kind, String> {
    let plain = if table.insecure {
        Plain::Allowed
    } else {
        Plain::Loopback
    };
    let kept = match (table.secret_env, table.secret_file) {
        (Some(_), Some(_)) => return Err("it names two sources for its secret".into()),
        (Some(name), None) => {
            let value = Environment::secret(&name).map(Value);
            Some(Keeping::Variable { name, value })
        }
        (None, Some(path)) => Some(Keeping::File(placed(path))),
        (None, None) => None,
    };
    match table.kind {
        NotifyKind::Terminal => Ok(Kind::Terminal),
        NotifyKind::Webhook => {
            let url = table.url.ok_or("it has no `url`")?;
            let secret = kept.ok_or("it has no `secret_env` or `secret_file` to sign with")?;
            Webhook::place_of(&url, plain).map_err(|error| error.to_string())?;
            Ok(Kind::Webhook { url, plain, secret })
        }
        NotifyKind::Email => {
            let server = table.server.ok_or("it has no `server`")?;
            let from = table.from.ok_or("it has no `from`")?;
            let security = match table.security {
                Some(file::Security::Tls) => Security::Tls,
                Some(file::Security::Starttls) | None => Security::StartTls,
                Some(file::Security::None) => Security::Plain,
            };
            let to = table.to.unwrap_or_default();
            let email = Email::new(&server, security, plain, &from, &to);
            let email = email.map_err(|error| error.to_string())?;
            let email = email.at_port(table.port.unwrap_or(security.port()));
            let login = match (table.user, kept) {
                (Some(user), Some(kept)) => Some((user, kept)),
                (None, None) => None,
                (Some(_), None) => return Err("it has a `user` and no password".into()),
                (None, Some(_)) => return Err("it has a password and no `user`".into()),
            };
            Ok(Kind::Email {
                email: Box::new(email),
                login,
                ca_file: table.ca_file.map(placed),
            })
        }
    }
}

fn unfit(name: &str, why: &str) -> AppError {
    wrong(&format!("the channel `{name}` cannot be set up"), why)
}

fn wrong(what: &str, why: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-7031",
        format!("{what}: {why}"),
        "Correct it under [[notify]] in adjutant.toml; see docs/notifications.md.",
    )
}
