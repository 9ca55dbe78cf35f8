//! A search of the web through one engine.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::engine::{Engine, Hit};
use crate::words::one_line;
use crate::{Found, Lookup, LookupError, Reply, Source, Step, address, csl, most};

const QUERY_CHARS_MAX: usize = 400;
const PAGES_MAX: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebSearch {
    pub query: String,
    #[serde(default)]
    pub language: Option<String>,
    #[serde(default = "most::most_unless_said")]
    pub most: u32,
}

impl WebSearch {
    pub fn schema() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["query"],
            "properties": {
                "query": {
                    "type": "string", "minLength": 1, "maxLength": QUERY_CHARS_MAX,
                    "description": "The search query.",
                },
                "language": {
                    "type": "string", "pattern": "^[a-z]{2}$",
                    "description": "A two-letter language code, if the engine supports it.",
                },
                "most": most::schema(),
            },
        })
    }

    fn check(&self) -> Result<Checked, LookupError> {
        let query = one_line(&self.query);
        if query.is_empty() || query.chars().count() > QUERY_CHARS_MAX {
            return Err(LookupError::InvalidSearch(format!(
                "`query` must have between 1 and {QUERY_CHARS_MAX} characters."
            )));
        }
        let is_code =
            |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase());
        if let Some(code) = self.language.as_ref().filter(|code| !is_code(code)) {
            return Err(LookupError::InvalidSearch(format!(
                "`language` must be two lower-case letters such as en, but is {code}."
            )));
        }
        Ok(Checked {
            query,
            language: self.language.clone(),
            most: most::check(self.most)?,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub(super) query: String,
    pub(super) language: Option<String>,
    pub(super) most: usize,
}

/// `engine` is the one that the settings name, if any.
pub fn search(engine: Option<&Engine>, search: WebSearch) -> WebSearchLookup {
    WebSearchLookup {
        engine: engine.cloned(),
        search,
        under_way: None,
    }
}

#[derive(Debug)]
pub struct WebSearchLookup {
    engine: Option<Engine>,
    search: WebSearch,
    under_way: Option<UnderWay>,
}

#[derive(Debug)]
struct UnderWay {
    engine: Engine,
    search: Checked,
    page: usize,
    sources: Vec<Source>,
    total: Option<u64>,
    notes: Vec<String>,
}

impl Lookup for WebSearchLookup {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let search = self.search.check()?;
        let Some(engine) = self.engine.clone() else {
            return Err(LookupError::InvalidSetting(
                "No web search engine is configured: set `lookups.tavily.key`, `lookups.serpapi.key` or \
                 `lookups.searxng.base`.".into(),
            ));
        };
        let request = engine.request(&search, 0)?;
        self.under_way = Some(UnderWay {
            engine,
            search,
            page: 0,
            sources: Vec::new(),
            total: None,
            notes: Vec::new(),
        });
        Ok(Step::Send(request))
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        match &mut self.under_way {
            Some(under_way) => under_way.received(&reply),
            None => Err(LookupError::Unreadable(
                "A response arrived without a request.".into(),
            )),
        }
    }
}

impl UnderWay {
    fn received(&mut self, reply: &Reply) -> Result<Step, LookupError> {
        let page = match self.engine.read(reply) {
            Ok(page) => page,
            Err(error) if self.sources.is_empty() => return Err(error),
            Err(error) => {
                let count = self.sources.len();
                self.notes.push(format!(
                    "Only the first {count} results were retrieved: {error}"
                ));
                return Ok(self.done());
            }
        };
        self.total = self.total.or(page.total);
        for note in page.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let before = self.sources.len();
        for hit in page.hits {
            let source = source(&self.engine, hit, self.sources.len() + 1);
            if !self.sources.iter().any(|known| known.id == source.id) {
                self.sources.push(source);
            }
        }
        self.page += 1;
        let enough = self.sources.len() >= self.search.most || self.sources.len() == before;
        if enough || !page.more || self.page >= PAGES_MAX {
            return Ok(self.done());
        }
        Ok(Step::Send(self.engine.request(&self.search, self.page)?))
    }

    fn done(&mut self) -> Step {
        let mut sources = std::mem::take(&mut self.sources);
        sources.truncate(self.search.most);
        let mut notes = std::mem::take(&mut self.notes);
        if !sources.is_empty() {
            notes.push(
                "The texts are excerpts from the search engine: fetch a page before citing it."
                    .into(),
            );
        }
        Step::Done(Found {
            sources,
            total: self.total,
            notes,
        })
    }
}

fn source(engine: &Engine, hit: Hit, position: usize) -> Source {
    let address = address::canonical(&hit.url);
    let id = format!("WEB:{address}");
    let site = address::host(&address);
    let reference = csl::object([
        ("id", json!(id)),
        ("type", json!("webpage")),
        ("title", json!(hit.title)),
        ("container-title", json!(site)),
        (
            "issued",
            hit.published
                .as_deref()
                .and_then(csl::date)
                .unwrap_or_default(),
        ),
        ("URL", json!(address)),
    ]);
    Source {
        id,
        text: if hit.text.is_empty() {
            hit.title.clone()
        } else {
            hit.text
        },
        title: hit.title,
        published: hit.published,
        url: address,
        reference,
        details: json!({ "engine": engine.name(), "position": position, "site": site }),
    }
}
