//! Text before it is drawn: cleaned, wrapped, shortened, escaped.

use unicode_normalization::UnicodeNormalization;

use crate::font::{Fonts, Weight};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Type {
    pub(crate) size: f64,
    pub(crate) weight: Weight,
}

pub(crate) const TITLE: Type = Type {
    size: 20.0,
    weight: Weight::Medium,
};
pub(crate) const SUBTITLE: Type = Type {
    size: 14.0,
    weight: Weight::Regular,
};
pub(crate) const LABEL: Type = Type {
    size: 12.5,
    weight: Weight::Regular,
};
pub(crate) const STRONG: Type = Type {
    size: 12.5,
    weight: Weight::Medium,
};
pub(crate) const SMALL: Type = Type {
    size: 11.5,
    weight: Weight::Regular,
};

impl Type {
    pub(crate) fn line_height(self) -> f64 {
        (self.size * 1.3).round()
    }

    /// From the middle of a line down to its baseline.
    pub(crate) fn drop(self) -> f64 {
        self.size * 0.36
    }
}

/// Without control characters, accents joined to their letters, blanks collapsed.
pub(crate) fn clean(text: &str) -> String {
    let visible: String = text
        .nfc()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !is_noncharacter(*c))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FFFE}' | '\u{FFFF}' | '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

impl Fonts {
    pub(crate) fn measure(&self, text: &str, style: Type) -> f64 {
        self.width(text, style.weight, style.size)
    }

    pub(crate) fn widest<'a>(&self, texts: impl IntoIterator<Item = &'a str>, style: Type) -> f64 {
        texts
            .into_iter()
            .map(|text| self.measure(text, style))
            .fold(0.0, f64::max)
    }

    /// The text if it fits, else its beginning and an ellipsis.
    pub(crate) fn shorten(&self, text: &str, style: Type, width: f64) -> String {
        if self.measure(text, style) <= width {
            return text.to_owned();
        }
        let room = width - self.measure("…", style);
        let mut used = 0.0;
        let mut kept = String::new();
        for c in text.chars() {
            used += self.advance(c, style.weight) * style.size / crate::font::UNITS_PER_EM;
            if used > room {
                break;
            }
            kept.push(c);
        }
        format!("{}…", kept.trim_end_matches([' ', ',', '.', ';', '-']))
    }

    /// At most `lines_max` lines, each within the width; what is left over ends in an ellipsis.
    pub(crate) fn wrap(
        &self,
        text: &str,
        style: Type,
        width: f64,
        lines_max: usize,
    ) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        let mut words = text.split(' ').peekable();
        while let Some(word) = words.next() {
            let longer = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if line.is_empty() || self.measure(&longer, style) <= width {
                line = longer;
                continue;
            }
            if lines.len() + 1 == lines_max {
                let rest: Vec<&str> = std::iter::once(word).chain(words).collect();
                let all = format!("{line} {}", rest.join(" "));
                lines.push(self.shorten(&all, style, width));
                return lines;
            }
            lines.push(self.shorten(&line, style, width));
            line = word.to_owned();
        }
        lines.push(self.shorten(&line, style, width));
        lines
    }
}
