//! A line on a terminal: pieces of text, each with a tone, cut to fit by display width.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a piece of text is about; colour follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Bold,
    Dim,
    Done,
    Running,
    Human,
    Failed,
}

/// Whether tones become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Colours,
    Nothing,
}

impl Paint {
    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        let style = Style::new();
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Bold => style.bold(),
            Tone::Dim => style.dimmed(),
            Tone::Done => style.fg_color(Some(AnsiColor::Green.into())),
            Tone::Running => style.fg_color(Some(AnsiColor::Cyan.into())),
            Tone::Human => style.fg_color(Some(AnsiColor::Yellow.into())),
            Tone::Failed => style.fg_color(Some(AnsiColor::Red.into())),
        };
        match self {
            Self::Nothing => text.to_owned(),
            Self::Colours => format!("{style}{text}{style:#}"),
        }
    }
}

/// Text from outside must not steer the terminal or break the line.
pub(crate) fn clean(text: &str) -> String {
    let steers =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(steers) {
        return text.to_owned();
    }
    let replaced = text.chars().map(|c| match c {
        '\n' | '\t' => ' ',
        '\r' => ' ',
        c if steers(c) => '\u{fffd}',
        c => c,
    });
    replaced.collect()
}

pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pieces: Vec<(Tone, String)>,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn of(tone: Tone, text: impl AsRef<str>) -> Self {
        Self::new().and(tone, text)
    }

    #[must_use]
    pub(crate) fn and(mut self, tone: Tone, text: impl AsRef<str>) -> Self {
        let text = clean(text.as_ref());
        if !text.is_empty() {
            self.pieces.push((tone, text));
        }
        self
    }

    #[must_use]
    pub(crate) fn plain(self, text: impl AsRef<str>) -> Self {
        self.and(Tone::Plain, text)
    }

    #[must_use]
    pub(crate) fn then(mut self, more: Self) -> Self {
        self.pieces.extend(more.pieces);
        self
    }

    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| width(text)).sum()
    }

    /// Fills up with spaces to a column.
    #[must_use]
    pub(crate) fn padded(self, column: usize) -> Self {
        let missing = column.saturating_sub(self.width());
        self.plain(" ".repeat(missing))
    }

    /// Cut to a width, with an ellipsis if anything was lost.
    #[must_use]
    pub(crate) fn fit(self, room: usize) -> Self {
        if self.width() <= room {
            return self;
        }
        let mut left = room.saturating_sub(1);
        let mut pieces = Vec::new();
        for (tone, text) in self.pieces {
            let kept: String = text
                .chars()
                .take_while(|&c| {
                    let wide = c.width().unwrap_or(0);
                    let fits = wide <= left;
                    left = if fits { left - wide } else { 0 };
                    fits
                })
                .collect();
            let cut = kept.len() < text.len();
            pieces.push((tone, if cut { kept + "…" } else { kept }));
            if cut {
                break;
            }
        }
        Self { pieces }
    }

    pub(crate) fn render(&self, paint: Paint) -> String {
        let painted = self
            .pieces
            .iter()
            .map(|(tone, text)| paint.tone(*tone, text));
        let line: String = painted.collect();
        match paint {
            Paint::Colours => line,
            Paint::Nothing => line.trim_end().to_owned(),
        }
    }
}

/// Breaks text at spaces into lines of at most `room`; a longer word is broken where it must be.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(8);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in clean(paragraph).split_whitespace() {
            if !line.is_empty() && width(&line) + 1 + width(word) > room {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for c in word.chars() {
                if width(&line) + c.width().unwrap_or(0) > room {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
