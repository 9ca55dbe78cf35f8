//! Pages of studies, each with the token of the next.

use serde_json::Value;

use super::search::{Checked, Search};
use super::study;
use crate::gathered::Gathered;
use crate::{HttpRequest, Lookup, LookupError, Reply, Site, Step, status, url};

const NAME: &str = "ClinicalTrials.gov";
/// A study with results can be some hundred kilobytes long.
const PAGE: usize = 25;
const FIELDS: &str = "protocolSection,hasResults,resultsSection.participantFlowModule,\
                      resultsSection.outcomeMeasuresModule,resultsSection.adverseEventsModule";

pub fn lookup(site: &Site, search: Search) -> Box<dyn Lookup> {
    Box::new(Exchange {
        site: site.clone(),
        search,
        gathered: Gathered::default(),
        checked: None,
    })
}

#[derive(Debug)]
struct Exchange {
    site: Site,
    search: Search,
    gathered: Gathered,
    checked: Option<Checked>,
}

impl Lookup for Exchange {
    fn begin(&mut self) -> Result<Step, LookupError> {
        let checked = self.search.check()?;
        self.gathered = Gathered::new(checked.most);
        let request = self.page(&checked, None);
        self.checked = Some(checked);
        Ok(Step::Send(request))
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        match self.read(&reply) {
            Ok(step) => Ok(step),
            Err(error) => self.gathered.page_failed(error),
        }
    }
}

impl Exchange {
    fn page(&self, search: &Checked, token: Option<&str>) -> HttpRequest {
        let size = search.most.min(PAGE).to_string();
        let mut pairs: Vec<(&str, &str)> = vec![("format", "json"), ("fields", FIELDS)];
        pairs.extend(
            search
                .pairs
                .iter()
                .map(|(name, value)| (*name, value.as_str())),
        );
        pairs.push(("pageSize", &size));
        match token {
            Some(token) => pairs.push(("pageToken", token)),
            None => pairs.push(("countTotal", "true")),
        }
        HttpRequest::get(url::build(&self.site.base, "/studies", &pairs))
    }

    fn read(&mut self, reply: &Reply) -> Result<Step, LookupError> {
        status::check(NAME, reply)?;
        let unreadable =
            |what: String| LookupError::Unreadable(format!("{NAME} answered with {what}"));
        let answer: Value = serde_json::from_slice(&reply.body)
            .map_err(|error| unreadable(format!("broken JSON: {error}")))?;
        let Some(studies) = answer["studies"].as_array() else {
            return Err(unreadable("no list of studies".into()));
        };
        self.gathered.page_read();
        self.gathered.total(answer["totalCount"].as_u64());
        let mut unread: usize = 0;
        for given in studies {
            match study::read(given) {
                Some(source) => {
                    for note in study::notes(&source) {
                        self.gathered.note(note);
                    }
                    self.gathered.add(source);
                }
                None => unread += 1,
            }
        }
        if unread > 0 {
            self.gathered
                .note(format!("{unread} studies could not be read"));
        }
        let token = answer["nextPageToken"].as_str();
        let token = token.filter(|token| !token.is_empty());
        let more = token.filter(|_| !studies.is_empty() && self.gathered.wants_more());
        if let (Some(token), Some(search)) = (more, &self.checked) {
            return Ok(Step::Send(self.page(search, Some(token))));
        }
        self.say_what_is_missing(token.is_some());
        Ok(self.gathered.done())
    }

    fn say_what_is_missing(&mut self, more: bool) {
        let Some(search) = &self.checked else { return };
        if search.ids.is_empty() || more {
            return;
        }
        let missing: Vec<String> = search
            .ids
            .iter()
            .filter(|id| !self.gathered.has(&format!("NCT:{id}")))
            .cloned()
            .collect();
        if !missing.is_empty() {
            self.gathered
                .note(format!("not found: {}", missing.join(", ")));
        }
    }
}
