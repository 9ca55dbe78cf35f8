//! Europe: Open Patent Services, with a token that lasts twenty minutes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::cql;
use super::epo_document::{self, Page};
use super::lookup::{Batch, Turn};
use super::search::Checked;
use crate::{HttpRequest, LookupError, Reply, Site, status, url};

const OFFICE: &str = "The European patent office";
/// Small, so that a page which fails loses little.
const PAGE_MAX: usize = 10;
/// The service shows no more of one search.
const REACH_MAX: usize = 2000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    ForToken,
    ForPage,
}

/// A token that ran out is renewed once; a second refusal is the service's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    First,
    Renewed,
}

#[derive(Debug)]
pub(super) struct Epo {
    base: String,
    credentials: String,
    bearer: String,
    query: String,
    most: usize,
    offset: usize,
    waiting: Waiting,
    token: Token,
    batch: Batch,
}

impl Epo {
    /// Nothing without both halves of the key.
    pub(super) fn new(site: &Site, search: &Checked) -> Option<Self> {
        let key = site.key.as_deref().filter(|key| !key.is_empty())?;
        let secret = site.secret.as_deref().filter(|secret| !secret.is_empty())?;
        Some(Self {
            base: site.base.clone(),
            credentials: STANDARD.encode(format!("{key}:{secret}")),
            bearer: String::new(),
            query: cql::query(search),
            most: search.most,
            offset: 0,
            waiting: Waiting::ForToken,
            token: Token::First,
            batch: Batch::default(),
        })
    }

    pub(super) fn begin(&mut self) -> HttpRequest {
        self.waiting = Waiting::ForToken;
        HttpRequest::post(
            format!("{}/3.2/auth/accesstoken", self.base),
            "application/x-www-form-urlencoded",
            "grant_type=client_credentials",
        )
        .with("authorization", format!("Basic {}", self.credentials))
        .with("accept", "application/json")
    }

    pub(super) fn received(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        let next = match self.waiting {
            Waiting::ForToken => self.take_token(reply),
            Waiting::ForPage => self.page(reply),
        };
        match next {
            Err(error) if !self.batch.patents.is_empty() => {
                let count = self.batch.patents.len();
                self.batch.notes.push(format!(
                    "Only the first {count} European patents were retrieved: {error}"
                ));
                Ok(self.done())
            }
            next => next,
        }
    }

    fn take_token(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        if matches!(reply.status, 400 | 401) {
            return Err(LookupError::InvalidSetting(format!(
                "{OFFICE} rejects this key: check `lookups.epo.key` and `lookups.epo.secret`."
            )));
        }
        rejected(reply)?;
        status::check(OFFICE, reply)?;
        let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
        let token = body.as_ref().and_then(|body| body["access_token"].as_str());
        match token {
            Some(token)
                if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                self.bearer = token.to_owned();
                Ok(Turn::Send(self.request_page()))
            }
            _ => Err(LookupError::Unreadable(format!(
                "{OFFICE} returned no token."
            ))),
        }
    }

    fn request_page(&mut self) -> HttpRequest {
        self.waiting = Waiting::ForPage;
        let wanted = self.most - self.batch.patents.len().min(self.most);
        let first = self.offset + 1;
        let last = self.offset + wanted.clamp(1, PAGE_MAX);
        let path = "/3.2/rest-services/published-data/search/biblio,abstract";
        HttpRequest::get(url::build(&self.base, path, &[("q", &self.query)]))
            .with("authorization", format!("Bearer {}", self.bearer))
            .with("accept", "application/xml")
            .with("x-ops-range", format!("{first}-{last}"))
    }

    fn page(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        match (expired(reply), self.token) {
            (true, Token::First) => {
                self.token = Token::Renewed;
                return Ok(Turn::Send(self.begin()));
            }
            (true, Token::Renewed) => {
                return Err(LookupError::Unavailable(format!(
                    "{OFFICE} rejects the token that it has just issued. Try again later."
                )));
            }
            (false, _) => {}
        }
        if reply.status == 404 && says(reply, "SERVER.EntityNotFound") {
            self.batch.total.get_or_insert(0);
            return Ok(self.done());
        }
        rejected(reply)?;
        status::check(OFFICE, reply)?;
        let Page {
            patents,
            listed,
            total,
        } = epo_document::read(&reply.body).map_err(|why| {
            LookupError::Unreadable(format!("The response of {OFFICE} cannot be read: {why}."))
        })?;
        self.batch.total = total;
        if listed > patents.len() {
            let lost = listed - patents.len();
            self.batch
                .notes
                .push(format!("{lost} European records could not be read."));
        }
        self.batch.patents.extend(patents);
        self.offset += listed;
        let reach = total.map_or(REACH_MAX, |total| {
            usize::try_from(total).unwrap_or(REACH_MAX)
        });
        if listed == 0
            || self.offset >= reach.min(REACH_MAX)
            || self.batch.patents.len() >= self.most
        {
            return Ok(self.done());
        }
        if closed_for_searches(reply) {
            let count = self.batch.patents.len();
            self.batch.notes.push(format!(
                "Only the first {count} European patents were retrieved: the service accepts no more searches for now."
            ));
            return Ok(self.done());
        }
        Ok(Turn::Send(self.request_page()))
    }

    fn done(&mut self) -> Turn {
        Turn::Done(std::mem::take(&mut self.batch))
    }
}

fn expired(reply: &Reply) -> bool {
    let told = reply.header("www-authenticate").unwrap_or_default();
    reply.status == 401
        || (reply.status == 400
            && (told.contains("invalid_access_token") || says(reply, "invalid_access_token")))
}

/// A used quota comes as 403, which elsewhere means a wrong key.
fn rejected(reply: &Reply) -> Result<(), LookupError> {
    let Some(reason) = reply
        .header("x-rejection-reason")
        .filter(|_| reply.status == 403)
    else {
        return Ok(());
    };
    if reason.contains("Blocked") {
        return Err(LookupError::InvalidSetting(format!(
            "{OFFICE} has blocked the owner of `lookups.epo.key` ({reason})."
        )));
    }
    Err(LookupError::Busy {
        message: format!(
            "The quota of {} is used up ({reason}).",
            OFFICE.replacen('T', "t", 1)
        ),
        after_seconds: status::retry_after_seconds(reply),
    })
}

/// The service tells ahead how many more searches it takes in this minute: `search=black:0`.
fn closed_for_searches(reply: &Reply) -> bool {
    let lights = reply.header("x-throttling-control").unwrap_or_default();
    lights.contains("search=black")
}

fn says(reply: &Reply, code: &str) -> bool {
    String::from_utf8_lossy(&reply.body).contains(code)
}
