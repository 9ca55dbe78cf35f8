//! One lookup as it goes back and forth.

use crate::{Found, LookupError};

/// Where one database is reached, from the settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    /// Without a slash at its end.
    pub base: String,
    /// Not every database wants one; some take more requests with it.
    pub key: Option<String>,
    /// The second half of a key that has two, such as a secret to its id.
    pub secret: Option<String>,
    /// Whom the operators of the database may write to.
    pub contact: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// A request to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    pub method: Method,
    pub url: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl HttpRequest {
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub fn post(url: impl Into<String>, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            method: Method::Post,
            url: url.into(),
            headers: vec![("content-type".into(), content_type.into())],
            body: body.into(),
        }
    }

    #[must_use]
    pub fn with(mut self, header: &str, value: impl Into<String>) -> Self {
        self.headers.push((header.into(), value.into()));
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type".into(), content_type.into())],
            body: body.into(),
        }
    }

    #[must_use]
    pub fn with(mut self, header: &str, value: impl Into<String>) -> Self {
        self.headers.push((header.into(), value.into()));
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|(known, _)| known == name)?;
    Some(&found.1)
}

/// What is next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Send(HttpRequest),
    Done(Found),
}

/// A search under way.
pub trait Lookup: Send {
    /// The first request, or what is wrong with the search itself.
    fn begin(&mut self) -> Result<Step, LookupError>;

    /// What follows from the answer to the last request.
    fn received(&mut self, reply: Reply) -> Result<Step, LookupError>;
}
