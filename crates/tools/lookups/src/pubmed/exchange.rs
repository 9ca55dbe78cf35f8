//! A search that the server keeps, then batches of its articles.

use adjutant_text::xml::{self, Element, Strictness};
use serde_json::Value;

use super::article::Read;
use super::search::{Checked, Search};
use super::{article, book};
use crate::gathered::Gathered;
use crate::{HttpRequest, Lookup, LookupError, Reply, Site, Step, status, url};

const NAME: &str = "PubMed";
const TOOL: &str = "adjutant";
const BATCH_MAX: usize = 100;
const ELEMENTS_MAX: usize = 2_000_000;

pub fn lookup(site: &Site, search: Search) -> Box<dyn Lookup> {
    Box::new(Exchange {
        site: site.clone(),
        search,
        gathered: Gathered::default(),
        state: State::New,
        requested: 0,
        available: 0,
    })
}

#[derive(Debug)]
struct Exchange {
    site: Site,
    search: Search,
    gathered: Gathered,
    state: State,
    /// How many articles were asked for so far.
    requested: usize,
    /// How many can be asked for.
    available: usize,
}

#[derive(Debug)]
enum State {
    New,
    Searching { most: usize },
    Fetching { of: Kept },
}

/// What the batches are cut from.
#[derive(Debug)]
enum Kept {
    ByServer { environment: String, key: String },
    Ids(Vec<String>),
}

impl Lookup for Exchange {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let checked = self.search.check()?;
        self.gathered = Gathered::new(checked.most);
        if checked.ids.is_empty() {
            let request = self.search_request(&checked);
            self.state = State::Searching { most: checked.most };
            return Ok(Step::Send(request));
        }
        if checked.ids.len() > checked.most {
            self.gathered.note(format!(
                "{} ids were given, but only {} are looked up",
                checked.ids.len(),
                checked.most
            ));
        }
        self.available = checked.ids.len().min(checked.most);
        self.state = State::Fetching {
            of: Kept::Ids(checked.ids),
        };
        Ok(self.next_batch())
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        match &self.state {
            State::New => Err(LookupError::InvalidSearch("no request was sent yet".into())),
            State::Searching { most } => {
                let most = *most;
                checked_status(&reply)?;
                self.searched(&reply, most)
            }
            State::Fetching { .. } => match self.fetched(&reply) {
                Ok(step) => Ok(step),
                Err(error) => self.gathered.page_failed(error),
            },
        }
    }
}

impl Exchange {
    fn search_request(&self, search: &Checked) -> HttpRequest {
        let most = search.most.to_string();
        let slashes = |date: crate::dates::Date| date.join("/");
        let from = search.from.map_or_else(|| "1000".to_owned(), slashes);
        let to = search.to.map_or_else(|| "3000".to_owned(), slashes);
        let mut pairs = vec![
            ("db", "pubmed"),
            ("term", search.term.as_str()),
            ("retmode", "json"),
            ("retmax", &most),
            ("usehistory", "y"),
            ("sort", search.sort.parameter()),
        ];
        if search.from.is_some() || search.to.is_some() {
            pairs.extend([("datetype", "pdat"), ("mindate", &from), ("maxdate", &to)]);
        }
        self.request("/esearch.fcgi", pairs)
    }

    /// With who asks, as the operators wish.
    fn request<'a>(&'a self, path: &str, mut pairs: Vec<(&'a str, &'a str)>) -> HttpRequest {
        pairs.push(("tool", TOOL));
        if let Some(contact) = &self.site.contact {
            pairs.push(("email", contact));
        }
        if let Some(key) = &self.site.key {
            pairs.push(("api_key", key));
        }
        HttpRequest::get(url::build(&self.site.base, path, &pairs))
    }

    fn searched(&mut self, reply: &Reply, most: usize) -> Result<Step, LookupError> {
        let answer: Value = serde_json::from_slice(&reply.body).map_err(|error| {
            LookupError::Unreadable(format!(
                "{NAME} answered a search with broken JSON: {error}"
            ))
        })?;
        let result = &answer["esearchresult"];
        if let Some(error) = result["ERROR"].as_str().or(answer["error"].as_str()) {
            return Err(refused(error));
        }
        let count = result["count"].as_str().and_then(|text| text.parse().ok());
        let Some(count) = count.or(result["count"].as_u64()) else {
            return Err(LookupError::Unreadable(format!(
                "{NAME} answered a search without saying how many articles there are"
            )));
        };
        self.gathered.total(Some(count));
        for note in doubts(result) {
            self.gathered.note(note);
        }
        self.available = usize::try_from(count).unwrap_or(usize::MAX).min(most);
        let text = |name: &str| result[name].as_str().map(str::to_owned);
        let of = match (text("webenv"), text("querykey")) {
            (Some(environment), Some(key)) => Kept::ByServer { environment, key },
            _ => Kept::Ids(listed(result)),
        };
        if let Kept::Ids(ids) = &of {
            self.available = self.available.min(ids.len());
            if self.available < most && (self.available as u64) < count {
                self.gathered
                    .note(format!("{NAME} listed only some of the articles"));
            }
        }
        self.state = State::Fetching { of };
        Ok(self.next_batch())
    }

    fn next_batch(&mut self) -> Step {
        let left = self.available.saturating_sub(self.requested);
        if left == 0 || !self.gathered.wants_more() {
            return self.gathered.done();
        }
        let State::Fetching { of } = &self.state else {
            return self.gathered.done();
        };
        let size = left.min(BATCH_MAX);
        let (start, count) = (self.requested.to_string(), size.to_string());
        let mut pairs = vec![
            ("db", "pubmed"),
            ("retmode", "xml"),
            ("rettype", "abstract"),
        ];
        let batch;
        match of {
            Kept::ByServer { environment, key } => pairs.extend([
                ("WebEnv", environment.as_str()),
                ("query_key", key),
                ("retstart", &start),
                ("retmax", &count),
            ]),
            Kept::Ids(ids) => {
                let cut = ids.iter().skip(self.requested).take(size);
                batch = cut.cloned().collect::<Vec<_>>().join(",");
                pairs.push(("id", &batch));
            }
        }
        let request = self.request("/efetch.fcgi", pairs);
        self.requested += size;
        Step::Send(request)
    }

    fn fetched(&mut self, reply: &Reply) -> Result<Step, LookupError> {
        checked_status(reply)?;
        let set = articles(&reply.body)?;
        self.gathered.page_read();
        let mut unread: usize = 0;
        for node in set.children() {
            let read = match node.name.as_str() {
                "PubmedArticle" => article::read(node),
                "PubmedBookArticle" => book::read(node),
                _ => continue,
            };
            let Some(Read { source, notes }) = read else {
                unread += 1;
                continue;
            };
            self.gathered.add(source);
            for note in notes {
                self.gathered.note(note);
            }
        }
        if unread > 0 {
            self.gathered
                .note(format!("{unread} articles could not be read"));
        }
        let step = self.next_batch();
        Ok(step)
    }
}

/// A key that is refused comes with status 400, as does a search that cannot be.
fn checked_status(reply: &Reply) -> Result<(), LookupError> {
    if reply.status == 400 {
        let said = status::said(reply);
        if said.to_lowercase().contains("api key") {
            return Err(LookupError::InvalidSetting(format!(
                "{NAME} rejects this API key. Check its key in the settings."
            )));
        }
        if said.contains("Unable to obtain query") {
            return Err(LookupError::Unavailable(format!(
                "{NAME} no longer keeps this search. Search again."
            )));
        }
    }
    status::check(NAME, reply)
}

fn articles(body: &[u8]) -> Result<Element, LookupError> {
    let text = String::from_utf8_lossy(body);
    let tree = xml::read(&text, Strictness::WellFormed, ELEMENTS_MAX).map_err(|error| {
        LookupError::Unreadable(format!(
            "{NAME} answered with XML that cannot be read: {error}"
        ))
    })?;
    let set = tree.root;
    if set.name == "PubmedArticleSet" {
        return Ok(set);
    }
    match set.line_at(&["ERROR"]) {
        Some(error) => Err(refused(&error)),
        None => Err(LookupError::Unreadable(format!(
            "{NAME} answered with `{}` instead of articles",
            set.name
        ))),
    }
}

/// What fails on its side may work the next time; what it does not understand will not.
fn refused(error: &str) -> LookupError {
    let lower = error.to_lowercase();
    let failed = [
        "backend",
        "unable to obtain",
        "timed out",
        "server",
        "unavailable",
    ];
    if failed.iter().any(|word| lower.contains(word)) {
        LookupError::Unavailable(format!("{NAME} failed: {error}. Try again later."))
    } else {
        LookupError::InvalidSearch(format!("{NAME} rejects this search: {error}"))
    }
}

fn listed(result: &Value) -> Vec<String> {
    let ids = result["idlist"].as_array().into_iter().flatten();
    let ids = ids.filter_map(Value::as_str);
    let numbers = ids.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()));
    numbers.map(str::to_owned).collect()
}

/// Where the search that ran is not the one that was asked for.
fn doubts(result: &Value) -> Vec<String> {
    let named = [
        ("/errorlist/phrasesnotfound", "no article has the phrase"),
        ("/errorlist/fieldsnotfound", "there is no field"),
        ("/warninglist/phrasesignored", "ignored was"),
        (
            "/warninglist/quotedphrasesnotfound",
            "searched as single words, because no article has the phrase",
        ),
    ];
    let mut notes = Vec::new();
    for (place, what) in named {
        for phrase in strings(result, place) {
            notes.push(format!("{NAME}: {what} `{phrase}`"));
        }
    }
    for message in strings(result, "/warninglist/outputmessages") {
        // It stands in every empty result, and the total says the same.
        if message != "No items found." {
            notes.push(format!("{NAME}: {message}"));
        }
    }
    notes
}

fn strings<'a>(value: &'a Value, place: &str) -> impl Iterator<Item = &'a str> {
    let list = value.pointer(place).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}
