//! Text with italics and links, before it is known what it is pasted into.

use crate::Markup;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Span {
    Plain(String),
    Italic(String),
    /// The text is its own address.
    Link(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Rich {
    spans: Vec<Span>,
}

impl Rich {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::of(Span::Plain(text.into()))
    }

    pub(crate) fn italic(text: impl Into<String>) -> Self {
        Self::of(Span::Italic(text.into()))
    }

    pub(crate) fn link(text: impl Into<String>) -> Self {
        Self::of(Span::Link(text.into()))
    }

    fn of(span: Span) -> Self {
        if span.text().is_empty() {
            return Self::default();
        }
        Self { spans: vec![span] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds plain text behind; nothing to nothing.
    pub(crate) fn then(mut self, text: &str) -> Self {
        if !self.is_empty() && !text.is_empty() {
            self.spans.push(Span::Plain(text.to_owned()));
        }
        self
    }

    /// Adds plain text before; nothing to nothing.
    pub(crate) fn after(mut self, text: &str) -> Self {
        if !self.is_empty() && !text.is_empty() {
            self.spans.insert(0, Span::Plain(text.to_owned()));
        }
        self
    }

    pub(crate) fn join(parts: impl IntoIterator<Item = Rich>, separator: &str) -> Self {
        let mut joined = Self::default();
        for part in parts {
            if part.is_empty() {
                continue;
            }
            if !joined.is_empty() {
                joined.spans.push(Span::Plain(separator.to_owned()));
            }
            joined.spans.extend(part.spans);
        }
        joined
    }

    /// Ends with one mark: a full stop, unless there is one already.
    pub(crate) fn stopped(mut self) -> Self {
        let last = self.spans.last().map(Span::text);
        if let Some(text) = last
            && !text.ends_with(['.', '?', '!'])
        {
            self.spans.push(Span::Plain(".".to_owned()));
        }
        self
    }

    /// Parts as sentences, one after the other.
    pub(crate) fn sentences(parts: impl IntoIterator<Item = Rich>) -> Self {
        Self::join(parts.into_iter().map(Self::stopped), " ")
    }

    pub(crate) fn render(&self, markup: Markup) -> String {
        self.spans.iter().map(|span| span.render(markup)).collect()
    }
}

impl Span {
    fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Italic(text) | Self::Link(text) => text,
        }
    }

    fn render(&self, markup: Markup) -> String {
        let escaped = markup.escape(self.text());
        match (self, markup) {
            (Self::Italic(_), Markup::Markdown) => format!("*{escaped}*"),
            (Self::Italic(_), Markup::Html) => format!("<i>{escaped}</i>"),
            (Self::Link(address), Markup::Markdown) if opens(address) => format!("<{address}>"),
            (Self::Link(address), Markup::Html) if opens(address) => {
                format!(r#"<a href="{escaped}">{escaped}</a>"#)
            }
            _ => escaped,
        }
    }
}

/// Only what a browser opens as a page, never a script.
fn opens(address: &str) -> bool {
    let web = address.starts_with("https://") || address.starts_with("http://");
    web && !address
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control() || "<>\"".contains(letter))
}
