//! Authentication and permissions. The table is data: [`crate::ROUTES`] names a permit for every route, and
//! [`may`] says which roles hold it.

use adjutant_app::workflow::{AnswerWay, ProgramCaller, Right};
use adjutant_host::{AccessKey, AccessRole};
use adjutant_mission::{Actor, AgentId, Checkpoint, Role};
use adjutant_notify::AnswerLink;
use adjutant_store::{RecordKind, Store};
use axum::http::{HeaderMap, StatusCode, header};

use crate::{App, Problem};

/// The permission that a route requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permit {
    /// No access token: health, readiness and version; and answers out of mails, whose links are checked by the route.
    Anybody,
    /// Looking at missions, questions, reports and the catalogue.
    Read,
    /// Starting missions.
    Start,
    /// Answering questions.
    Decide,
    /// Saying what the result of a mission is worth.
    Rate,
    /// Pausing, resuming, changing and stopping missions.
    Steer,
    /// Exporting a mission's whole journal.
    Export,
    /// Reading the audit log.
    Audit,
    /// Managing access tokens.
    Admit,
}

impl Permit {
    pub const ALL: [Self; 9] = [
        Self::Anybody,
        Self::Read,
        Self::Start,
        Self::Decide,
        Self::Rate,
        Self::Steer,
        Self::Export,
        Self::Audit,
        Self::Admit,
    ];

    /// The permitted action, as in "your role may not …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Anybody => "check the server's health",
            Self::Read => "read missions",
            Self::Start => "start missions",
            Self::Decide => "answer questions",
            Self::Rate => "rate missions",
            Self::Steer => "steer missions, set limits or stop anything",
            Self::Export => "export journals",
            Self::Audit => "read the audit log",
            Self::Admit => "manage access tokens",
        }
    }
}

pub fn may(role: AccessRole, permit: Permit) -> bool {
    use AccessRole::{Admin, Analyst, Approver, Auditor, Operator};
    match permit {
        Permit::Anybody | Permit::Read => true,
        Permit::Start => matches!(role, Admin | Operator | Analyst),
        Permit::Decide => matches!(role, Admin | Operator | Approver),
        Permit::Rate => matches!(role, Admin | Operator | Approver | Analyst),
        Permit::Steer => role.may_steer(),
        Permit::Export => matches!(role, Admin | Operator | Auditor),
        Permit::Audit => matches!(role, Admin | Auditor),
        Permit::Admit => role == Admin,
    }
}

/// Who sent a request, and what they are here.
#[derive(Debug, Clone)]
pub(crate) struct Authority {
    pub(crate) who: AgentId,
    pub(crate) role: AccessRole,
    decides_for: Vec<Role>,
    /// The name of their key; none for the server's own token.
    pub(crate) key: Option<String>,
    /// How they showed who they are.
    pub(crate) way: AnswerWay,
}

impl Authority {
    /// Whoever answers out of a mail: nothing but an approver, in the roles of the mail's channel.
    pub(crate) fn of_link(link: &AnswerLink) -> Self {
        Self {
            who: link.person.clone(),
            role: AccessRole::Approver,
            decides_for: link.roles.clone(),
            key: Some(format!("mail:{}", link.channel)),
            way: AnswerWay::Mail,
        }
    }

    /// As whom they act: in the first of their roles, if they have any.
    pub(crate) fn actor(&self) -> Actor {
        self.in_role(self.decides_for.first())
    }

    /// The program that sent the request, with the rights of its token.
    pub(crate) fn program(&self) -> ProgramCaller {
        let permits = [
            (Permit::Read, Right::Read),
            (Permit::Start, Right::Start),
            (Permit::Steer, Right::Steer),
            (Permit::Decide, Right::Decide),
        ];
        let rights = permits
            .into_iter()
            .filter(|(permit, _)| may(self.role, *permit));
        let rights = rights.map(|(_, right)| right).collect();
        ProgramCaller::new(self.who.clone(), self.decides_for.clone(), rights)
    }

    fn in_role(&self, role: Option<&Role>) -> Actor {
        let actor = Actor::human(self.who.clone());
        match role {
            Some(role) => actor.with_role(role.clone()),
            None => actor,
        }
    }

    /// As whom they answer a question: in the role that it asks for, if it is theirs.
    pub(crate) fn answering(&self, checkpoint: Option<&Checkpoint>) -> Actor {
        let role = checkpoint.and_then(|checkpoint| checkpoint.role.as_ref());
        let held = role.filter(|role| self.decides_for.contains(role));
        self.in_role(held.or(self.decides_for.first()))
    }
}

/// The token of whoever started the server. Only its hash is kept.
#[derive(Debug, Clone)]
pub struct Token {
    pub who: AgentId,
    /// The roles whose questions they may answer.
    pub decides_for: Vec<Role>,
    hash: blake3::Hash,
}

impl Token {
    pub fn new(who: AgentId, decides_for: Vec<Role>, text: &str) -> Self {
        Self {
            who,
            decides_for,
            hash: blake3::hash(text.as_bytes()),
        }
    }
}

/// Who a request is from: the owner of the token, or of a key that was given.
pub(crate) async fn signed_in<S: Store>(
    app: &App<S>,
    headers: &HeaderMap,
) -> Result<Authority, Problem> {
    let given = headers.get(header::AUTHORIZATION);
    let given = given.and_then(|value| value.to_str().ok());
    let given = given.and_then(|given| given.split_once(' '));
    let token = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let Some(token) = token.map(|(_, token)| token.trim()) else {
        return Err(not_let_in("the request has no access token"));
    };
    // Hashes are compared in constant time.
    if app.token.hash == blake3::hash(token.as_bytes()) {
        return Ok(Authority {
            who: app.token.who.clone(),
            role: AccessRole::Admin,
            decides_for: app.token.decides_for.clone(),
            key: None,
            way: AnswerWay::Token,
        });
    }
    let Some(id) = AccessKey::id_of(token) else {
        return Err(not_let_in("the access token is unknown"));
    };
    let journal = app.host.journal(&app.tenant);
    // Read for every request, so that a revoked key stops working at once.
    let key: Option<AccessKey> = journal.record(RecordKind::Access, id).await?;
    match key.filter(|key| key.opens(token, app.host.clock().now())) {
        Some(key) => Ok(Authority {
            who: key.who,
            role: key.role,
            decides_for: key.decides_for,
            key: Some(id.to_owned()),
            way: AnswerWay::Token,
        }),
        None => Err(not_let_in(
            "the access token is unknown, expired or revoked",
        )),
    }
}

fn not_let_in(why: &str) -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "ADJ-9006",
        why,
        "Send `Authorization: Bearer TOKEN` with the token that the server printed when it started, or with a key from `adjutant access add`.",
    )
}
