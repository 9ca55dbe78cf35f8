//! Builds the text of a document, part by part, clean and within its limits.

use adjutant_knowledge_index::{Document, DocumentKind, Form, Part, Span};

use crate::{Limits, ReadFailure};

/// Titles and names longer than this are cut.
const ABOUT_CHARACTERS_MAX: usize = 300;
/// Sentences on what was left out.
pub(crate) const OMISSIONS_MAX: usize = 16;

/// What a file says of itself.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) date: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Writing<'a> {
    limits: &'a Limits,
    text: String,
    parts: Vec<Part>,
    omissions: Vec<String>,
    page: Option<u32>,
}

impl<'a> Writing<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            text: String::new(),
            parts: Vec::new(),
            omissions: Vec::new(),
            page: None,
        }
    }

    pub(crate) fn turn_to_page(&mut self, page: u32) {
        self.page = Some(page);
    }

    /// Adds a part. Text without any visible letter adds nothing.
    pub(crate) fn put(&mut self, form: Form, text: &str) -> Result<(), ReadFailure> {
        self.put_marked(form, "", text)
    }

    /// Adds a part with a mark before it (`- `, `3. `), which is layout and no part of it.
    pub(crate) fn put_marked(
        &mut self,
        form: Form,
        mark: &str,
        text: &str,
    ) -> Result<(), ReadFailure> {
        let clean = match form {
            Form::Code => clean_code(text),
            _ => clean_lines(text),
        };
        if clean.is_empty() {
            return Ok(());
        }
        if self.parts.len() as u64 >= self.limits.parts_max {
            return Err(ReadFailure::too_much(format!(
                "more than {} paragraphs, rows or list items",
                self.limits.parts_max
            )));
        }
        self.text.push_str(self.gap_before(form));
        self.text.push_str(mark);
        let start = self.text.len();
        self.text.push_str(&clean);
        self.check_size()?;
        let span = Span {
            start: place(start)?,
            end: place(self.text.len())?,
        };
        self.parts.push(Part {
            span,
            form,
            page: self.page,
        });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Says in a sentence what the file has and the document has not.
    pub(crate) fn leave_out(&mut self, what: String) {
        if self.omissions.len() < OMISSIONS_MAX {
            self.omissions.push(what);
        }
    }

    /// The first heading of the highest rank, for files that name no title.
    pub(crate) fn first_heading(&self) -> Option<String> {
        let heading = self
            .parts
            .iter()
            .find(|part| part.form == Form::Heading(1))?;
        self.text
            .get(heading.span.start as usize..heading.span.end as usize)
            .map(str::to_owned)
    }

    pub(crate) fn finish(self, kind: DocumentKind, about: About) -> Result<Document, ReadFailure> {
        if self.parts.is_empty() {
            return Err(ReadFailure::NoText);
        }
        Ok(Document {
            kind,
            title: about.title.as_deref().and_then(one_line),
            author: about.author.as_deref().and_then(one_line),
            date: about.date,
            text: self.text,
            parts: self.parts,
            omissions: self.omissions,
        })
    }

    fn gap_before(&self, form: Form) -> &'static str {
        let Some(last) = self.parts.last() else {
            return "";
        };
        match (last.form, form) {
            (Form::ListItem, Form::ListItem)
            | (Form::RowHead, Form::Row)
            | (Form::Row, Form::Row) => "\n",
            _ => "\n\n",
        }
    }

    fn check_size(&self) -> Result<(), ReadFailure> {
        if self.text.len() as u64 > self.limits.text_bytes_max {
            return Err(ReadFailure::too_much(format!(
                "more than {} bytes",
                self.limits.text_bytes_max
            )));
        }
        Ok(())
    }
}

fn place(offset: usize) -> Result<u32, ReadFailure> {
    u32::try_from(offset).map_err(|_| ReadFailure::too_much("more than 4 GB"))
}

/// All white space becomes single spaces, as where line breaks mean nothing (HTML, Word).
pub(crate) fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

/// A title or a name: one line, no controls, not endless.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let line = squeeze(&visible(text));
    if line.is_empty() {
        return None;
    }
    Some(line.chars().take(ABOUT_CHARACTERS_MAX).collect())
}

fn clean_lines(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for line in visible(text).lines() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if !clean.is_empty() {
            clean.push('\n');
        }
        clean.push_str(line);
    }
    clean
}

fn clean_code(text: &str) -> String {
    let shown = visible(text);
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let Some(first) = lines.iter().position(|line| !line.is_empty()) else {
        return String::new();
    };
    let last = lines.iter().rposition(|line| !line.is_empty());
    lines
        .get(first..=last.unwrap_or(first))
        .map_or_else(String::new, |kept| kept.join("\n"))
}

/// Leaves out what no reader sees. Invisible characters could hide words from people that a model would still read.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    shown.push('\n');
                }
            }
            '\n' | '\t' => shown.push(character),
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push('\n'),
            '\u{a0}' | '\u{2007}' | '\u{202f}' => shown.push(' '),
            _ if character.is_control() || is_invisible(character) => {}
            _ => shown.push(character),
        }
    }
    shown
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
            // Private characters mean something in one font only.
            | '\u{e000}'..='\u{f8ff}'
            | '\u{f0000}'..='\u{10ffff}'
    )
}
