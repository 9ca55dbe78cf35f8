//! One search at one office or at both, one after the other.

use std::collections::VecDeque;

use super::epo::Epo;
use super::patent::Patent;
use super::search::{Checked, Office, PatentSearch};
use super::uspto::Uspto;
use crate::{Found, HttpRequest, Lookup, LookupError, Reply, Site, Source, Step};

const USPTO_SETTING: &str = "`lookups.uspto.key`";
const EPO_SETTING: &str = "`lookups.epo.key` and `lookups.epo.secret`";

/// The offices that are set up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatentSites {
    pub uspto: Option<Site>,
    /// Its key and its secret belong together.
    pub epo: Option<Site>,
}

pub fn lookup(sites: &PatentSites, search: PatentSearch) -> PatentLookup {
    PatentLookup {
        sites: sites.clone(),
        search,
        most: 0,
        current: None,
        waiting: VecDeque::new(),
        done: Vec::new(),
        failed: Vec::new(),
        notes: Vec::new(),
    }
}

/// What one office gave.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) patents: Vec<Patent>,
    pub(super) total: Option<u64>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Turn {
    Send(HttpRequest),
    Done(Batch),
}

#[derive(Debug)]
enum Desk {
    Uspto(Uspto),
    Epo(Epo),
}

impl Desk {
    fn begin(&mut self) -> HttpRequest {
        match self {
            Self::Uspto(desk) => desk.begin(),
            Self::Epo(desk) => desk.begin(),
        }
    }

    fn received(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        match self {
            Self::Uspto(desk) => desk.received(reply),
            Self::Epo(desk) => desk.received(reply),
        }
    }
}

#[derive(Debug)]
pub struct PatentLookup {
    sites: PatentSites,
    search: PatentSearch,
    most: usize,
    current: Option<Desk>,
    waiting: VecDeque<Desk>,
    done: Vec<Batch>,
    failed: Vec<LookupError>,
    notes: Vec<String>,
}

impl Lookup for PatentLookup {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let checked = self.search.check()?;
        self.most = checked.most;
        self.open_desks(&checked)?;
        self.next()
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        let Some(desk) = &mut self.current else {
            return Err(LookupError::Unreadable(
                "A response arrived without a request.".into(),
            ));
        };
        match desk.received(&reply) {
            Ok(Turn::Send(request)) => return Ok(Step::Send(request)),
            Ok(Turn::Done(batch)) => self.done.push(batch),
            Err(error) => self.failed.push(error),
        }
        self.next()
    }
}

impl PatentLookup {
    fn open_desks(&mut self, checked: &Checked) -> Result<(), LookupError> {
        let mut missing = Vec::new();
        if self.search.office != Office::Ep {
            match self
                .sites
                .uspto
                .as_ref()
                .and_then(|site| Uspto::new(site, checked))
            {
                Some(desk) => self.waiting.push_back(Desk::Uspto(desk)),
                None => missing.push(("The United States office", USPTO_SETTING)),
            }
        }
        if self.search.office != Office::Us {
            match self
                .sites
                .epo
                .as_ref()
                .and_then(|site| Epo::new(site, checked))
            {
                Some(desk) => self.waiting.push_back(Desk::Epo(desk)),
                None => missing.push(("The European office", EPO_SETTING)),
            }
        }
        if self.waiting.is_empty() {
            let settings: Vec<&str> = missing.iter().map(|(_, setting)| *setting).collect();
            return Err(LookupError::InvalidSetting(format!(
                "No patent office can be searched: {} not set.",
                settings.join(" or ")
            )));
        }
        for (office, setting) in missing {
            let note = format!("{office} was not searched: {setting} not set.");
            self.notes.push(note);
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Step, LookupError> {
        self.current = self.waiting.pop_front();
        match &mut self.current {
            Some(desk) => Ok(Step::Send(desk.begin())),
            None => self.finish(),
        }
    }

    /// An office that failed is a note as long as another answered.
    fn finish(&mut self) -> Result<Step, LookupError> {
        let mut failed = std::mem::take(&mut self.failed);
        if self.done.is_empty() && !failed.is_empty() {
            return Err(failed.remove(0));
        }
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(failed.iter().map(ToString::to_string));
        let mut lists = Vec::new();
        let mut total = Some(0_u64);
        for batch in std::mem::take(&mut self.done) {
            total = total
                .zip(batch.total)
                .map(|(one, other)| one.saturating_add(other));
            notes.extend(batch.notes);
            lists.push(batch.patents.into_iter().map(Patent::source).collect());
        }
        Ok(Step::Done(Found {
            sources: in_turns(lists, self.most),
            total: total.filter(|_| failed.is_empty()),
            notes,
        }))
    }
}

/// The best of each, then the second of each.
fn in_turns(lists: Vec<Vec<Source>>, most: usize) -> Vec<Source> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut mixed = Vec::new();
    while mixed.len() < most {
        let before = mixed.len();
        mixed.extend(lists.iter_mut().filter_map(Iterator::next));
        if mixed.len() == before {
            break;
        }
    }
    mixed.truncate(most);
    mixed
}
