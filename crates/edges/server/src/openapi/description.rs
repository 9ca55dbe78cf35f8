//! How a route is described: what it takes, what it answers, which errors it may give.

use serde_json::Value;

use super::{FORM, HTML, JSON};

/// A description to be filled in.
pub(crate) fn describe(group: &'static str, summary: &'static str) -> Description {
    Description::new(group, summary)
}

/// What the document says of a route besides its path and who may call it.
#[derive(Debug)]
pub(crate) struct Description {
    pub(super) group: &'static str,
    pub(super) summary: &'static str,
    /// Name, schema, and what it is.
    pub(super) parameters: Vec<(&'static str, Value, &'static str)>,
    /// Which of them must be there.
    pub(super) required: Option<&'static str>,
    pub(super) headers: &'static [&'static str],
    /// The kind and the name of what must be sent.
    pub(super) request: Option<(&'static str, &'static str)>,
    /// Status, kind of content, and its schema's name.
    pub(super) answers: Vec<(u16, &'static str, &'static str)>,
    pub(super) refusals: &'static [u16],
}

impl Description {
    fn new(group: &'static str, summary: &'static str) -> Self {
        Self {
            group,
            summary,
            parameters: Vec::new(),
            required: None,
            headers: &[],
            request: None,
            answers: Vec::new(),
            refusals: &[],
        }
    }

    pub(crate) fn query(mut self, name: &'static str, schema: Value, about: &'static str) -> Self {
        self.parameters.push((name, schema, about));
        self
    }

    /// What must be asked with.
    pub(crate) fn required_query(
        self,
        name: &'static str,
        schema: Value,
        about: &'static str,
    ) -> Self {
        let mut this = self.query(name, schema, about);
        this.required = Some(name);
        this
    }

    pub(crate) fn header(mut self, headers: &'static [&'static str]) -> Self {
        self.headers = headers;
        self
    }

    pub(crate) fn body(mut self, schema: &'static str) -> Self {
        self.request = Some((JSON, schema));
        self
    }

    /// What a browser sends.
    pub(crate) fn form(mut self, schema: &'static str) -> Self {
        self.request = Some((FORM, schema));
        self
    }

    /// Pages for people, refusals too.
    pub(crate) fn returns_pages(self, statuses: &'static [u16]) -> Self {
        let statuses = statuses.iter();
        statuses.fold(self, |this, status| this.returns(*status, HTML, "Text"))
    }

    pub(crate) fn returns(mut self, status: u16, kind: &'static str, schema: &'static str) -> Self {
        self.answers.push((status, kind, schema));
        self
    }

    pub(crate) fn returns_json(self, schema: &'static str) -> Self {
        self.returns(200, JSON, schema)
    }

    pub(crate) fn refuses(mut self, statuses: &'static [u16]) -> Self {
        self.refusals = statuses;
        self
    }
}
