//! One page, after its host has been asked whether it may be read.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{page, robots};
use crate::{Found, HttpRequest, Lookup, LookupError, Reply, Step, address, status};

const URL_CHARS_MAX: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebFetch {
    pub url: String,
}

impl WebFetch {
    pub fn schema() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["url"],
            "properties": {
                "url": {
                    "type": "string", "format": "uri", "pattern": "^https?://", "maxLength": URL_CHARS_MAX,
                    "description": "The address of the page, with http or https.",
                },
            },
        })
    }
}

/// Whether robots.txt decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Robots {
    #[default]
    Honour,
    Overlook,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manners {
    pub robots: Robots,
    /// Whom the owners of a page may write to.
    pub contact: Option<String>,
}

pub fn fetch(manners: &Manners, fetch: WebFetch) -> WebFetchLookup {
    WebFetchLookup {
        manners: manners.clone(),
        url: fetch.url,
        path: String::new(),
        waiting: Waiting::ForPage,
        notes: Vec::new(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    ForRobots,
    ForPage,
}

#[derive(Debug)]
pub struct WebFetchLookup {
    manners: Manners,
    url: String,
    path: String,
    waiting: Waiting,
    notes: Vec<String>,
}

impl Lookup for WebFetchLookup {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let parts = address::origin_and_path(&self.url).filter(|_| address::is_web(&self.url));
        let Some((origin, path)) = parts else {
            return Err(LookupError::InvalidSearch(format!(
                "`url` must be an address with http or https and without a name or password in it: {}",
                self.url.chars().take(200).collect::<String>()
            )));
        };
        self.path = path;
        match self.manners.robots {
            Robots::Overlook => Ok(self.request_page()),
            Robots::Honour => {
                self.waiting = Waiting::ForRobots;
                Ok(Step::Send(
                    self.request(&format!("{origin}/robots.txt"), "text/plain"),
                ))
            }
        }
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        match self.waiting {
            Waiting::ForRobots => self.take_robots(&reply),
            Waiting::ForPage => self.take_page(&reply).map(Step::Done),
        }
    }
}

impl WebFetchLookup {
    fn request(&self, url: &str, accept: &str) -> HttpRequest {
        let contact = self
            .manners
            .contact
            .as_deref()
            .filter(|contact| contact.bytes().all(|byte| (32..127).contains(&byte)));
        let agent = match contact {
            Some(contact) => format!("{}/1.0 ({contact})", robots::AGENT),
            None => format!("{}/1.0", robots::AGENT),
        };
        HttpRequest::get(url)
            .with("accept", accept)
            .with("user-agent", agent)
    }

    fn request_page(&mut self) -> Step {
        self.waiting = Waiting::ForPage;
        let accept = "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.5";
        Step::Send(self.request(&self.url.clone(), accept))
    }

    fn take_robots(&mut self, reply: &Reply) -> Result<Step, LookupError> {
        match reply.status {
            429 => return Err(status::busy(&self.host(), reply)),
            500..=599 => {
                return Err(LookupError::Unavailable(format!(
                    "It is unknown whether pages of {} may be read: its robots.txt cannot be loaded ({}). Try again \
                     later.",
                    self.host(),
                    reply.status
                )));
            }
            200..=299 => {
                let rules = robots::read(&reply.body);
                if !rules.allow(&self.path) {
                    return Err(LookupError::InvalidSearch(format!(
                        "The robots.txt of {} does not allow programs to read this page. Look for another source.",
                        self.host()
                    )));
                }
                if let Some(delay) = rules.crawl_delay {
                    let note = format!(
                        "{} requires {delay} seconds between two requests.",
                        self.host()
                    );
                    self.notes.push(note);
                }
            }
            // Without the file nothing is forbidden.
            _ => {}
        }
        Ok(self.request_page())
    }

    fn take_page(&mut self, reply: &Reply) -> Result<Found, LookupError> {
        let url = &self.url;
        match reply.status {
            404 | 410 => {
                return Err(LookupError::InvalidSearch(format!(
                    "There is no page at {url} ({}).",
                    reply.status
                )));
            }
            401..=403 | 451 => {
                return Err(LookupError::InvalidSearch(format!(
                    "{url} is not public ({}). Look for another source.",
                    reply.status
                )));
            }
            _ => status::check(&self.host(), reply)?,
        }
        let content_type = reply.header("content-type").unwrap_or_default();
        let mut found = page::read(&reply.body, content_type, url)?;
        found.notes.splice(0..0, std::mem::take(&mut self.notes));
        Ok(found)
    }

    fn host(&self) -> String {
        address::host(&self.url).unwrap_or_default()
    }
}
