//! HTML: what a reader of the page sees, without scripts, styles, menus and what is hidden.
//!
//! Puts the tree of a page into parts. How the tree is built and what is hidden is decided in `adjutant_text::html`.

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use adjutant_text::html::{Dom, Node, ROOT, Visibility, parse};

use super::html_elements::{Role, is_unseen, role_of};
use super::table::{Head, Row, Table};
use crate::encoding::decode_labelled;
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

/// Elements, texts and attributes of one page.
const NODES_MAX: usize = 1_500_000;
/// A cell with more text than this holds a piece of the page and not a value.
const CELL_BYTES_MAX: usize = 2000;
/// How far the look for the page's own word on its encoding goes.
const CHARSET_BYTES_MAX: usize = 4096;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let text = decode_labelled(bytes, charset_of(bytes).as_deref())?;
    let mut writing = Writing::new(limits);
    let mut about = put(&mut writing, &text)?;
    about.title = about.title.or_else(|| writing.first_heading());
    writing.finish(DocumentKind::Html, about)
}

/// Adds what a page or a piece of one shows, and says what it states of itself.
pub(super) fn put(writing: &mut Writing, text: &str) -> Result<About, ReadFailure> {
    let dom = parse(text, NODES_MAX);
    if dom.is_cut() {
        return Err(ReadFailure::too_much(format!(
            "more than {NODES_MAX} elements, or elements nested deeper than any browser shows"
        )));
    }
    if dom.are_styles_cut() {
        return Err(ReadFailure::too_much("more style rules than are read"));
    }
    let mut page = Page::new(writing, &dom);
    page.read()?;
    page.finish()
}

fn charset_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = bytes.get(..CHARSET_BYTES_MAX).unwrap_or(bytes);
    let head = head.to_ascii_lowercase();
    let at = head.windows(8).position(|window| window == b"charset=")?;
    let rest = head.get(at + 8..)?;
    let name = rest
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b'"' | b'\''))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
    Some(name.collect())
}

struct Open {
    role: Role,
    /// The place after all that is in it.
    end: usize,
}

/// A table under way: its rows, until something shows that it only arranges the page.
enum Gathering {
    Rows(Table, Row),
    Layout,
}

struct Page<'w, 'l> {
    writing: &'w mut Writing<'l>,
    dom: &'w Dom,
    about: About,
    open: Vec<Open>,
    buffer: String,
    /// Set by `<li>` until its first text is put.
    item: Option<String>,
    /// The number the next item bears, for each open list.
    lists: Vec<Option<u64>>,
    tables: Vec<Gathering>,
    title: String,
}

impl<'w, 'l> Page<'w, 'l> {
    fn new(writing: &'w mut Writing<'l>, dom: &'w Dom) -> Self {
        Self {
            writing,
            dom,
            about: About::default(),
            open: Vec::new(),
            buffer: String::new(),
            item: None,
            lists: Vec::new(),
            tables: Vec::new(),
            title: String::new(),
        }
    }

    fn read(&mut self) -> Result<(), ReadFailure> {
        let dom = self.dom;
        let mut at = ROOT + 1;
        while at < dom.nodes().len() {
            self.close_before(at)?;
            let node = dom.node(at);
            if node.is_element() {
                at = self.start(at, node)?;
            } else {
                self.text(node);
                at += 1;
            }
        }
        self.close_before(usize::MAX)
    }

    fn finish(mut self) -> Result<About, ReadFailure> {
        self.flush()?;
        let title = self.title.trim();
        if !title.is_empty() {
            self.about.title = Some(title.to_owned());
        }
        Ok(self.about)
    }

    /// Takes in an element, and says where to read on.
    fn start(&mut self, at: usize, node: &Node) -> Result<usize, ReadFailure> {
        let role = role_of(node.name());
        let is_shown = node.visibility == Visibility::Shown;
        match role {
            Role::Break if is_shown => self.buffer.push('\n'),
            Role::Meta => self.meta(node),
            Role::Rule => self.flush()?,
            _ => {}
        }
        if role == Role::Time && self.about.date.is_none() {
            self.about.date = node.attribute("datetime").and_then(date::stated);
        }
        let end = self.dom.subtree(at).end;
        if is_unseen(node) {
            return Ok(end);
        }
        if role.is_block() {
            self.flush()?;
        }
        // What is hidden may hold what is shown again, and is then only its frame.
        if is_shown && !role.is_void() && role != Role::Inline {
            self.enter(role, node)?;
            self.open.push(Open { role, end });
        }
        Ok(at + 1)
    }

    fn enter(&mut self, role: Role, node: &Node) -> Result<(), ReadFailure> {
        match role {
            Role::List => self.lists.push(None),
            Role::NumberedList => {
                let first = node.attribute("start").and_then(|text| text.parse().ok());
                self.lists.push(Some(first.unwrap_or(1)));
            }
            Role::Item => {
                self.item = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "- ".to_owned(),
                });
            }
            Role::Table => {
                self.spill_table()?;
                self.tables
                    .push(Gathering::Rows(Table::default(), Row::default()));
            }
            Role::Heading(_) => self.spill_table()?,
            Role::Row => {
                let marked = self
                    .open
                    .iter()
                    .rev()
                    .take_while(|open| open.role != Role::Table);
                let head = marked.into_iter().any(|open| open.role == Role::TableHead);
                if let Some(Gathering::Rows(_, row)) = self.tables.last_mut() {
                    *row = Row::default();
                    if head {
                        row.head = Head::Marked;
                    }
                }
            }
            Role::HeadCell => {
                if let Some(Gathering::Rows(_, row)) = self.tables.last_mut()
                    && row.cells.is_empty()
                {
                    row.head = Head::Marked;
                }
            }
            Role::Cell => {
                let in_head = self
                    .open
                    .iter()
                    .rev()
                    .any(|open| open.role == Role::TableHead);
                if let Some(Gathering::Rows(_, row)) = self.tables.last_mut()
                    && !in_head
                    && row.head == Head::Marked
                {
                    row.head = Head::Never;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the elements that hold nothing from `at` on.
    fn close_before(&mut self, at: usize) -> Result<(), ReadFailure> {
        while let Some(last) = self.open.last()
            && last.end <= at
        {
            if last.role.is_block() {
                self.flush()?;
            }
            if let Some(closed) = self.open.pop() {
                self.leave(closed.role)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, role: Role) -> Result<(), ReadFailure> {
        match role {
            Role::List | Role::NumberedList => {
                self.lists.pop();
            }
            Role::Item => self.item = None,
            Role::Cell | Role::HeadCell => {
                if let Some(Gathering::Rows(_, row)) = self.tables.last_mut() {
                    let cell = std::mem::take(&mut self.buffer);
                    let long = cell.len() > CELL_BYTES_MAX;
                    row.cells.push(cell);
                    if long {
                        self.spill_table()?;
                    }
                }
            }
            Role::Row => {
                if let Some(Gathering::Rows(table, row)) = self.tables.last_mut() {
                    table.rows.push(std::mem::take(row));
                }
            }
            Role::Table => {
                if let Some(Gathering::Rows(mut table, row)) = self.tables.pop() {
                    table.rows.push(row);
                    table.put(self.writing)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, node: &Node) {
        let text = node.text();
        if node.visibility == Visibility::Hidden {
            return;
        }
        if self.inside(Role::Title) {
            self.title.push_str(text);
            return;
        }
        if self.inside(Role::Preformatted) {
            self.buffer.push_str(text);
            return;
        }
        for character in text.chars() {
            if !character.is_ascii_whitespace() {
                self.buffer.push(character);
            } else if !self.buffer.ends_with([' ', '\n']) {
                self.buffer.push(' ');
            }
        }
    }

    fn inside(&self, role: Role) -> bool {
        self.open.last().is_some_and(|open| open.role == role)
            || (role == Role::Preformatted && self.open.iter().any(|open| open.role == role))
    }

    fn flush(&mut self) -> Result<(), ReadFailure> {
        if self.gathers_cell() {
            if !self.buffer.is_empty() {
                self.buffer.push('\n');
            }
            return Ok(());
        }
        if self.buffer.trim().is_empty() {
            self.buffer.clear();
            return Ok(());
        }
        let text = std::mem::take(&mut self.buffer);
        match self.form() {
            Form::ListItem => match self.item.take() {
                Some(mark) => self.writing.put_marked(Form::ListItem, &mark, &text),
                None => self.writing.put(Form::Paragraph, &text),
            },
            form => self.writing.put(form, &text),
        }
    }

    fn form(&self) -> Form {
        for open in self.open.iter().rev() {
            match open.role {
                Role::Heading(level) => return Form::Heading(level),
                Role::Preformatted => return Form::Code,
                Role::Item => return Form::ListItem,
                Role::Cell | Role::HeadCell | Role::Table => return Form::Paragraph,
                _ => {}
            }
        }
        Form::Paragraph
    }

    fn gathers_cell(&self) -> bool {
        let in_cell = self
            .open
            .iter()
            .rev()
            .map(|open| open.role)
            .find(|role| {
                matches!(
                    role,
                    Role::Cell | Role::HeadCell | Role::Table | Role::Caption
                )
            })
            .is_some_and(|role| matches!(role, Role::Cell | Role::HeadCell));
        in_cell && matches!(self.tables.last(), Some(Gathering::Rows(..)))
    }

    /// The open table turned out to arrange the page: what it holds so far is put as plain paragraphs.
    fn spill_table(&mut self) -> Result<(), ReadFailure> {
        let Some(gathering) = self.tables.last_mut() else {
            return Ok(());
        };
        if let Gathering::Rows(table, row) = std::mem::replace(gathering, Gathering::Layout) {
            let rows = table.rows.into_iter().chain([row]);
            for cell in rows.flat_map(|row| row.cells) {
                for line in cell.lines() {
                    self.writing.put(Form::Paragraph, line)?;
                }
            }
        }
        self.flush()
    }

    fn meta(&mut self, node: &Node) {
        let name = node
            .attribute("name")
            .or_else(|| node.attribute("property"));
        let (Some(name), Some(content)) = (name, node.attribute("content")) else {
            return;
        };
        match name.to_ascii_lowercase().as_str() {
            "author" | "article:author" | "dc.creator" | "dcterms.creator" => {
                self.about.author.get_or_insert(content.to_owned());
            }
            "date"
            | "article:published_time"
            | "dc.date"
            | "dcterms.date"
            | "dcterms.created"
            | "pubdate"
            | "citation_publication_date" => {
                let stated = date::stated(content);
                self.about.date = self.about.date.take().or(stated);
            }
            "og:title" => {
                self.about.title.get_or_insert(content.to_owned());
            }
            _ => {}
        }
    }
}
