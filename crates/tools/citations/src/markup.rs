//! Escaping for the markup of the output.

use serde::Deserialize;

/// What the text is pasted into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Markup {
    #[default]
    Text,
    Markdown,
    Html,
}

impl Markup {
    pub(crate) fn escape(self, text: &str) -> String {
        match self {
            Self::Text => text.to_owned(),
            Self::Markdown => escape_markdown(text),
            Self::Html => escape_html(text),
        }
    }
}

pub(crate) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

pub(crate) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let special = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' => true,
            // Only where it would start an entity.
            '&' => letters
                .peek()
                .is_some_and(|next| next.is_alphanumeric() || *next == '#'),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
