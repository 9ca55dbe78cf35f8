//! A patent or an application, of whichever office.

use serde_json::{Value, json};

use crate::dates::years_after;
use crate::{Source, csl, url};

const TERM_YEARS: u16 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Authority {
    Uspto,
    Epo,
}

impl Authority {
    fn prefix(self) -> &'static str {
        match self {
            Self::Uspto => "US",
            Self::Epo => "EP",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Uspto => "United States Patent and Trademark Office",
            Self::Epo => "European Patent Office",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Patent {
    pub(super) authority: Authority,
    /// With country and kind, or that of the application where nothing is published.
    pub(super) number: String,
    pub(super) application: Option<String>,
    pub(super) title: String,
    pub(super) summary: Option<String>,
    pub(super) applicants: Vec<String>,
    pub(super) inventors: Vec<String>,
    pub(super) ipc: Vec<String>,
    pub(super) cpc: Vec<String>,
    pub(super) filed: Option<String>,
    pub(super) priority: Option<String>,
    pub(super) published: Option<String>,
    pub(super) granted: Option<String>,
    pub(super) status: Option<String>,
    pub(super) status_date: Option<String>,
    pub(super) family: Option<String>,
}

impl Patent {
    pub(super) fn source(self) -> Source {
        let id = format!("{}:{}", self.authority.prefix(), self.number);
        let address = self.address();
        let issued = self.granted.clone().or_else(|| self.published.clone());
        let names =
            |list: &[String]| Value::Array(list.iter().map(|name| csl::name(name)).collect());
        let date = |day: &Option<String>| day.as_deref().and_then(csl::date).unwrap_or_default();
        let reference = csl::object([
            ("id", json!(id)),
            ("type", json!("patent")),
            ("title", json!(self.title)),
            ("author", names(&self.inventors)),
            ("number", json!(self.number)),
            ("call-number", json!(self.application)),
            ("authority", json!(self.authority.name())),
            ("jurisdiction", json!(self.authority.prefix())),
            ("status", json!(self.status)),
            ("issued", date(&issued)),
            ("submitted", date(&self.filed)),
            ("abstract", json!(self.summary)),
            ("URL", json!(address)),
        ]);
        let details = csl::object([
            ("number", json!(self.number)),
            ("application_number", json!(self.application)),
            ("applicants", json!(self.applicants)),
            ("inventors", json!(self.inventors)),
            ("ipc", json!(self.ipc)),
            ("cpc", json!(self.cpc)),
            ("filed", json!(self.filed)),
            ("priority", json!(self.priority)),
            ("published", json!(self.published)),
            ("granted", json!(self.granted)),
            ("status", json!(self.status)),
            ("status_date", json!(self.status_date)),
            ("family", json!(self.family)),
            ("expiry", self.expiry()),
        ]);
        Source {
            text: self.text(),
            id,
            title: self.title,
            published: issued,
            url: address,
            reference,
            details,
        }
    }

    /// The office does not say when protection ends, so what is said is what can be calculated.
    fn expiry(&self) -> Value {
        let filed = self.filed.as_deref();
        match filed.and_then(|day| years_after(day, TERM_YEARS)) {
            Some(day) => json!({
                "date": day,
                "calculated": "20 years from filing, without extensions",
            }),
            None => Value::Null,
        }
    }

    fn address(&self) -> String {
        match self.authority {
            Authority::Uspto => {
                let application = self.application.as_deref().unwrap_or(&self.number);
                let number = url::encode(application);
                format!("https://patentcenter.uspto.gov/applications/{number}")
            }
            Authority::Epo => {
                let query = url::encode(&format!("pn={}", self.number));
                format!("https://worldwide.espacenet.com/patent/search?q={query}")
            }
        }
    }

    /// The abstract, or what the record says where there is none.
    fn text(&self) -> String {
        if let Some(summary) = &self.summary {
            return summary.clone();
        }
        let mut text = format!("{}.", self.title.trim_end_matches('.'));
        if !self.applicants.is_empty() {
            text.push_str(&format!(" Applicant: {}.", self.applicants.join("; ")));
        }
        if let Some(filed) = &self.filed {
            text.push_str(&format!(" Filed on {filed}."));
        }
        if let Some(granted) = &self.granted {
            text.push_str(&format!(" Granted on {granted}."));
        }
        if let Some(status) = &self.status {
            text.push_str(&format!(" Status: {status}."));
        }
        text
    }
}
