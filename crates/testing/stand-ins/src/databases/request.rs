//! A request as a stand-in reads it.

use adjutant_lookups::{HttpRequest, Method, url};

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// What follows the name of the database, with its first slash.
    pub(crate) path: String,
    /// From the address, then from the body of a form.
    pub(crate) pairs: Vec<(String, String)>,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// What the address begins with, up to and with the name of the database.
    pub(crate) base: String,
    /// Milliseconds since the epoch.
    pub(crate) now: u64,
}

impl Request {
    /// The name of the database and what is asked of it.
    pub(crate) fn parse(request: &HttpRequest, now: u64) -> (String, Self) {
        let (whole, query) = url::path_and_query(&request.url);
        let trimmed = whole.trim_start_matches('/');
        let (name, path) = trimmed.split_once('/').unwrap_or((trimmed, ""));
        let host = request.url.find(whole).map_or("", |at| &request.url[..at]);
        let mut pairs = url::decode_pairs(query);
        let content_type = request.header("content-type").unwrap_or_default();
        if content_type.starts_with("application/x-www-form-urlencoded") {
            pairs.extend(url::decode_pairs(&String::from_utf8_lossy(&request.body)));
        }
        let parsed = Self {
            method: request.method,
            path: format!("/{path}"),
            pairs,
            headers: request.headers.clone(),
            body: request.body.clone(),
            base: format!("{host}/{name}"),
            now,
        };
        (name.to_owned(), parsed)
    }

    /// The first value under a name, if it is not empty.
    pub(crate) fn pair(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(known, _)| known == name)?;
        Some(found.1.as_str()).filter(|value| !value.is_empty())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }
}
