//! Markdown: the text as it reads when rendered, and what the front matter says.

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::html;
use super::table::{Head, Row, Table};
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

pub(super) fn read(text: &str, limits: &Limits) -> Result<Document, ReadFailure> {
    let mut writing = Writing::new(limits);
    let mut about = put(&mut writing, text)?;
    about.title = about.title.or_else(|| writing.first_heading());
    writing.finish(DocumentKind::Markdown, about)
}

/// Adds a Markdown text, and gives what its front matter says.
pub(super) fn put(writing: &mut Writing, text: &str) -> Result<About, ReadFailure> {
    let mut reading = Reading::new(writing);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    for event in Parser::new_ext(text, options) {
        reading.take(event)?;
    }
    reading.flush(Form::Paragraph)?;
    Ok(reading.about)
}

struct Reading<'w, 'l> {
    writing: &'w mut Writing<'l>,
    about: About,
    buffer: String,
    /// The number the next item bears, for each open list.
    lists: Vec<Option<u64>>,
    /// The mark of an item or a footnote whose text has not come yet.
    mark: Option<(Form, String)>,
    table: Table,
    row: Row,
    metadata: Metadata,
}

#[derive(PartialEq, Eq)]
enum Metadata {
    Inside,
    Outside,
}

impl<'w, 'l> Reading<'w, 'l> {
    fn new(writing: &'w mut Writing<'l>) -> Self {
        Self {
            writing,
            about: About::default(),
            buffer: String::new(),
            lists: Vec::new(),
            mark: None,
            table: Table::default(),
            row: Row::default(),
            metadata: Metadata::Outside,
        }
    }

    fn take(&mut self, event: Event) -> Result<(), ReadFailure> {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.metadata == Metadata::Inside => {
                self.about = front_matter(&text);
                Ok(())
            }
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => {
                self.buffer.push_str(&text);
                Ok(())
            }
            Event::Html(text) => {
                self.buffer.push_str(&text);
                Ok(())
            }
            Event::InlineHtml(tag) => {
                if tag.to_ascii_lowercase().starts_with("<br") {
                    self.buffer.push('\n');
                }
                Ok(())
            }
            Event::FootnoteReference(name) => {
                self.buffer.push_str(&format!("[{name}]"));
                Ok(())
            }
            Event::SoftBreak => {
                self.buffer.push(' ');
                Ok(())
            }
            Event::HardBreak => {
                self.buffer.push('\n');
                Ok(())
            }
            Event::TaskListMarker(done) => {
                self.buffer.push_str(if done { "[x] " } else { "[ ] " });
                Ok(())
            }
            Event::Rule => self.flush(Form::Paragraph),
        }
    }

    fn start(&mut self, tag: Tag) -> Result<(), ReadFailure> {
        match tag {
            Tag::List(first) => {
                self.flush(Form::Paragraph)?;
                self.lists.push(first);
            }
            Tag::Item => {
                let indent = "  ".repeat(self.lists.len().saturating_sub(1));
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{indent}{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => format!("{indent}- "),
                };
                self.mark = Some((Form::ListItem, mark));
            }
            Tag::FootnoteDefinition(name) => {
                self.mark = Some((Form::Paragraph, format!("[{name}] ")));
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)
            | Tag::Heading { .. }
            | Tag::HtmlBlock
            | Tag::BlockQuote(_) => self.flush(Form::Paragraph)?,
            Tag::MetadataBlock(_) => self.metadata = Metadata::Inside,
            Tag::Table(_) => {
                self.flush(Form::Paragraph)?;
                self.table = Table::default();
            }
            Tag::TableHead => {
                self.row = Row {
                    head: Head::Marked,
                    ..Row::default()
                };
            }
            Tag::TableRow => self.row = Row::default(),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, tag: TagEnd) -> Result<(), ReadFailure> {
        match tag {
            TagEnd::Paragraph | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush(Form::Paragraph)?;
                if tag != TagEnd::Paragraph {
                    self.mark = None;
                }
            }
            TagEnd::Heading(level) => self.flush(Form::Heading(level_of(level)))?,
            TagEnd::CodeBlock => self.flush(Form::Code)?,
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::HtmlBlock => {
                let block = std::mem::take(&mut self.buffer);
                html::put(self.writing, &block)?;
            }
            TagEnd::MetadataBlock(_) => self.metadata = Metadata::Outside,
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.buffer);
                self.row.cells.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.table.rows.push(row);
            }
            TagEnd::Table => std::mem::take(&mut self.table).put(self.writing)?,
            _ => {}
        }
        Ok(())
    }

    fn flush(&mut self, form: Form) -> Result<(), ReadFailure> {
        if self.buffer.trim().is_empty() {
            self.buffer.clear();
            return Ok(());
        }
        let text = std::mem::take(&mut self.buffer);
        match (form, self.mark.take()) {
            (Form::Paragraph, Some((form, mark))) => self.writing.put_marked(form, &mark, &text),
            (form, _) => self.writing.put(form, &text),
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The few lines of front matter that matter here; a whole YAML parser would be more to trust than it is worth.
fn front_matter(text: &str) -> About {
    let mut about = About::default();
    let mut authors: Vec<String> = Vec::new();
    let mut in_authors = false;
    for line in text.lines() {
        let item = line.trim().strip_prefix("- ");
        if let (true, Some(item)) = (in_authors, item) {
            authors.extend(names(item));
            continue;
        }
        in_authors = false;
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let Some((key, value)) = line.split_once([':', '=']) else {
            continue;
        };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "title" => about.title = Some(unquoted(value).to_owned()),
            "date" | "published" => about.date = about.date.or_else(|| date::stated(value)),
            "author" | "authors" => {
                in_authors = value.is_empty();
                authors.extend(names(value));
            }
            _ => {}
        }
    }
    if !authors.is_empty() {
        about.author = Some(authors.join(", "));
    }
    about
}

/// `Ada Holm`, `"Ada Holm"`, `[Ada Holm, Ben Ode]` or `name: Ada Holm`.
fn names(value: &str) -> Vec<String> {
    let list = value
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    let one = [value.strip_prefix("name:").unwrap_or(value)];
    let several: Vec<&str> = match list {
        Some(list) => list.split(',').collect(),
        None => one.to_vec(),
    };
    several
        .into_iter()
        .map(|name| unquoted(name.trim()).to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        let inner = value
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    value
}
