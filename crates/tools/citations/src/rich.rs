//! Text with italics and links, before it is known what it is pasted into.

use crate::Markup;

const SUPERSCRIPT_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

#[derive(Debug, Clone, PartialEq, Eq)]
enum Span {
    Formatted(String, Format),
    /// The text is its own address.
    Link(String),
}

/// How a piece of text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Format {
    pub(crate) italic: bool,
    pub(crate) bold: bool,
    pub(crate) underlined: bool,
    pub(crate) small_caps: bool,
    pub(crate) height: Height,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Height {
    #[default]
    Line,
    Superscript,
    Subscript,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Rich {
    spans: Vec<Span>,
}

impl Rich {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::formatted(text, Format::default())
    }

    pub(crate) fn italic(text: impl Into<String>) -> Self {
        let italic = Format {
            italic: true,
            ..Format::default()
        };
        Self::formatted(text, italic)
    }

    pub(crate) fn superscript(text: impl Into<String>) -> Self {
        let superscript = Format {
            height: Height::Superscript,
            ..Format::default()
        };
        Self::formatted(text, superscript)
    }

    pub(crate) fn formatted(text: impl Into<String>, format: Format) -> Self {
        Self::from_span(Span::Formatted(text.into(), format))
    }

    /// A link, unless a browser would not open the address as a page.
    pub(crate) fn link(text: impl Into<String>) -> Self {
        Self::from_span(Span::Link(text.into()))
    }

    fn from_span(span: Span) -> Self {
        if span.text().is_empty() {
            return Self::default();
        }
        Self { spans: vec![span] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Appends plain text, unless there is nothing to append it to.
    pub(crate) fn followed_by(mut self, text: &str) -> Self {
        if !self.is_empty() && !text.is_empty() {
            self.spans.push(Span::plain(text));
        }
        self
    }

    /// Prepends plain text, unless there is nothing to prepend it to.
    pub(crate) fn preceded_by(mut self, text: &str) -> Self {
        if !self.is_empty() && !text.is_empty() {
            self.spans.insert(0, Span::plain(text));
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
                joined.spans.push(Span::plain(separator));
            }
            joined.spans.extend(part.spans);
        }
        joined
    }

    /// Adds a full stop, unless the text ends with a mark already.
    pub(crate) fn with_full_stop(mut self) -> Self {
        let last = self.spans.last().map(Span::text);
        if let Some(text) = last
            && !text.ends_with(['.', '?', '!'])
        {
            self.spans.push(Span::plain("."));
        }
        self
    }

    /// Each part as a sentence.
    pub(crate) fn sentences(parts: impl IntoIterator<Item = Rich>) -> Self {
        Self::join(parts.into_iter().map(Self::with_full_stop), " ")
    }

    /// Without white space at both ends.
    pub(crate) fn trimmed(mut self) -> Self {
        if let Some(first) = self.spans.first_mut() {
            first.set_text(|text| text.trim_start().to_owned());
        }
        if let Some(last) = self.spans.last_mut() {
            last.set_text(|text| text.trim_end().to_owned());
        }
        self
    }

    /// Adds a part without a separator.
    pub(crate) fn push(&mut self, part: Rich) {
        self.spans.extend(part.spans);
    }

    /// Adds a space, unless there is nothing before it or a space already.
    pub(crate) fn push_space(&mut self) {
        let last = self.spans.last().map(Span::text);
        if last.is_some_and(|text| !text.ends_with(char::is_whitespace)) {
            self.spans.push(Span::plain(" "));
        }
    }

    pub(crate) fn render(&self, markup: Markup) -> String {
        self.spans.iter().map(|span| span.render(markup)).collect()
    }
}

impl Span {
    fn plain(text: &str) -> Self {
        Self::Formatted(text.to_owned(), Format::default())
    }

    fn text(&self) -> &str {
        match self {
            Self::Formatted(text, _) | Self::Link(text) => text,
        }
    }

    fn set_text(&mut self, change: impl Fn(&str) -> String) {
        match self {
            Self::Formatted(text, _) | Self::Link(text) => *text = change(text),
        }
    }

    fn render(&self, markup: Markup) -> String {
        let escaped = markup.escape(self.text());
        match (self, markup) {
            (Self::Formatted(_, format), Markup::Text) => format.as_text(escaped),
            (Self::Formatted(_, format), Markup::Markdown) => format.as_markdown(escaped),
            (Self::Formatted(_, format), Markup::Html) => format.as_html(escaped),
            (Self::Link(address), Markup::Markdown) if is_web_address(address) => {
                format!("<{address}>")
            }
            (Self::Link(address), Markup::Html) if is_web_address(address) => {
                format!(r#"<a href="{escaped}">{escaped}</a>"#)
            }
            (Self::Link(_), _) => escaped,
        }
    }
}

impl Format {
    /// Only raised digits can be shown without markup.
    fn as_text(self, text: String) -> String {
        if self.height != Height::Superscript {
            return text;
        }
        text.chars()
            .map(|letter| {
                let digit = letter
                    .to_digit(10)
                    .and_then(|digit| usize::try_from(digit).ok());
                digit
                    .and_then(|digit| SUPERSCRIPT_DIGITS.get(digit).copied())
                    .unwrap_or(letter)
            })
            .collect()
    }

    /// Markdown has no underlining and no small capitals; both are left out.
    fn as_markdown(self, text: String) -> String {
        // A mark beside a space would not be read as one.
        let inner = text.trim();
        if inner.is_empty() {
            return text;
        }
        let mut marked = inner.to_owned();
        if self.italic {
            marked = format!("*{marked}*");
        }
        if self.bold {
            marked = format!("**{marked}**");
        }
        let marked = self.at_height(marked);
        text.replacen(inner, &marked, 1)
    }

    fn as_html(self, text: String) -> String {
        let mut marked = text;
        if self.italic {
            marked = format!("<i>{marked}</i>");
        }
        if self.bold {
            marked = format!("<b>{marked}</b>");
        }
        if self.underlined {
            marked = format!("<u>{marked}</u>");
        }
        if self.small_caps {
            marked = format!(r#"<span style="font-variant: small-caps">{marked}</span>"#);
        }
        self.at_height(marked)
    }

    fn at_height(self, marked: String) -> String {
        match self.height {
            Height::Line => marked,
            Height::Superscript => format!("<sup>{marked}</sup>"),
            Height::Subscript => format!("<sub>{marked}</sub>"),
        }
    }
}

/// Whether a browser opens the address as a page; false for scripts.
fn is_web_address(address: &str) -> bool {
    let web = address.starts_with("https://") || address.starts_with("http://");
    web && !address
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control() || "<>\"".contains(letter))
}
