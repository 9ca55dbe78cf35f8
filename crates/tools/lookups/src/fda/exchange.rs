//! Pages of records; or counts of reactions, first of the product and then of all reports.

use serde_json::Value;

use super::query::{self, Fields};
use super::reactions::Counting;
use super::records;
use super::search::{Answer, Search};
use crate::gathered::Gathered;
use crate::{HttpRequest, Lookup, LookupError, Reply, Site, Step, status, url, wanted};

const NAME: &str = "openFDA";
const PAGE: usize = 100;
const SKIP_MAX: usize = 25_000;

pub fn lookup(site: &Site, search: Search) -> Box<dyn Lookup> {
    Box::new(Exchange {
        site: site.clone(),
        search,
        term: String::new(),
        most: 0,
        gathered: Gathered::default(),
        received: 0,
        counting: None,
    })
}

#[derive(Debug)]
struct Exchange {
    site: Site,
    search: Search,
    term: String,
    most: usize,
    gathered: Gathered,
    /// How many records came so far, readable or not.
    received: usize,
    counting: Option<Counting>,
}

/// Where the next page begins.
enum From {
    Start,
    After(String),
    Skip(usize),
}

impl Lookup for Exchange {
    fn begin(&mut self) -> Result<Step, LookupError> {
        self.most = wanted::check_most(self.search.most)?;
        self.term = query::term(&self.search)?;
        self.gathered = Gathered::new(self.most);
        if self.search.answer == Answer::ReactionCounts {
            let counting = Counting::new(&self.search, self.term.clone(), self.most);
            let pairs = counting.pairs();
            self.counting = Some(counting);
            return Ok(Step::Send(self.request(pairs)));
        }
        Ok(Step::Send(self.page(&From::Start)))
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        match self.read(&reply) {
            Ok(step) => Ok(step),
            Err(error) => match self.counting.as_ref().and_then(Counting::source) {
                Some(source) => {
                    self.gathered.add(source);
                    self.gathered
                        .note(format!("some counts could not be retrieved ({error})"));
                    Ok(self.gathered.done())
                }
                None => self.gathered.page_failed(error),
            },
        }
    }
}

impl Exchange {
    fn fields(&self) -> Fields {
        query::fields(self.search.database, self.search.area)
    }

    fn page(&self, from: &From) -> HttpRequest {
        let size = self.most.min(PAGE).to_string();
        let mut pairs = vec![("search", self.term.clone()), ("limit", size)];
        match from {
            From::Start => {}
            From::After(cursor) => pairs.push(("search_after", cursor.clone())),
            From::Skip(count) => pairs.push(("skip", count.to_string())),
        }
        self.request(pairs)
    }

    fn request(&self, mut pairs: Vec<(&str, String)>) -> HttpRequest {
        if let Some(key) = &self.site.key {
            pairs.push(("api_key", key.clone()));
        }
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        HttpRequest::get(url::build(&self.site.base, self.fields().path, &pairs))
    }

    fn read(&mut self, reply: &Reply) -> Result<Step, LookupError> {
        let answer = body(reply)?;
        if let Some(counting) = &mut self.counting {
            let next = counting.received(answer.as_ref())?;
            return Ok(match next {
                Some(pairs) => Step::Send(self.request(pairs)),
                None => self.counted(),
            });
        }
        let Some(answer) = answer else {
            // After the last page it says that there is nothing, as it does when there never was.
            if self.received == 0 {
                self.gathered.total(Some(0));
            }
            return Ok(self.gathered.done());
        };
        let Some(results) = answer["results"].as_array() else {
            return Err(unreadable("no list of results"));
        };
        self.gathered.page_read();
        self.gathered
            .total(answer["meta"]["results"]["total"].as_u64());
        let mut unread: usize = 0;
        for record in results {
            match records::read(self.search.database, self.search.area, record) {
                Some(source) => self.gathered.add(source),
                None => unread += 1,
            }
        }
        if unread > 0 {
            self.gathered
                .note(format!("{unread} records could not be read"));
        }
        self.received += results.len();
        let last = results.is_empty()
            || answer["meta"]["results"]["total"]
                .as_u64()
                .is_some_and(|total| self.received as u64 >= total);
        if last || !self.gathered.wants_more() {
            return Ok(self.gathered.done());
        }
        let from = match cursor(reply) {
            Some(cursor) => From::After(cursor),
            None if self.received <= SKIP_MAX => From::Skip(self.received),
            None => {
                self.gathered
                    .note(format!("{NAME} gives no more than {SKIP_MAX} records"));
                return Ok(self.gathered.done());
            }
        };
        Ok(Step::Send(self.page(&from)))
    }

    fn counted(&mut self) -> Step {
        if let Some(counting) = &self.counting {
            self.gathered.total(Some(counting.reactions() as u64));
            for note in counting.notes() {
                self.gathered.note(note);
            }
            if let Some(source) = counting.source() {
                self.gathered.add(source);
            }
        }
        self.gathered.done()
    }
}

fn unreadable(what: &str) -> LookupError {
    LookupError::Unreadable(format!("{NAME} answered with {what}"))
}

/// Nothing where the database says that nothing matches, which it does with status 404.
fn body(reply: &Reply) -> Result<Option<Value>, LookupError> {
    let parsed: Result<Value, _> = serde_json::from_slice(&reply.body);
    if reply.status == 404
        && let Ok(answer) = &parsed
        && answer["error"]["code"] == "NOT_FOUND"
    {
        return Ok(None);
    }
    status::check(NAME, reply)?;
    match parsed {
        Ok(answer) => Ok(Some(answer)),
        Err(error) => Err(unreadable(&format!("broken JSON: {error}"))),
    }
}

/// Only the cursor is taken from the link; the address stays the one from the settings.
fn cursor(reply: &Reply) -> Option<String> {
    let link = reply.header("link")?;
    let mut next = link.split(',').filter(|part| part.contains("rel=\"next\""));
    let address = next.next()?.split_once('<')?.1.split_once('>')?.0;
    let (_, pairs) = url::path_and_query(address);
    let mut pairs = url::decode_pairs(pairs).into_iter();
    let (_, cursor) = pairs.find(|(name, _)| name == "search_after")?;
    Some(cursor).filter(|cursor| !cursor.is_empty())
}
