//! A part of a page as Markdown.

use adjutant_text::html::{Dom, Node};

use super::content::Seen;
use crate::address;
use crate::words::one_line;

pub(super) const TEXT_CHARS_MAX: usize = 200_000;
const LINKS_MAX: usize = 100;
const CELL_CHARS_MAX: usize = 500;
/// Stands for a line break until white space has been put together.
const BREAK: char = '\u{2028}';

#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: String,
    /// Words and addresses.
    pub(super) links: Vec<(String, String)>,
    pub(super) cut: bool,
}

pub(super) fn write(dom: &Dom, seen: &Seen, part: usize, base: &str) -> Written {
    let mut writing = Writing {
        dom,
        seen,
        base,
        written: Written::default(),
        line: String::new(),
        mark: String::new(),
        quotes: 0,
        lists: Vec::new(),
    };
    writing.node(part);
    writing.flush();
    let mut written = writing.written;
    if written.text.chars().count() > TEXT_CHARS_MAX {
        written.text = written.text.chars().take(TEXT_CHARS_MAX).collect();
        written.cut = true;
    }
    written.text.truncate(written.text.trim_end().len());
    written
}

/// A table under way; a cell that holds pieces of a page shows that it only arranges them.
#[derive(Default)]
struct Cells {
    rows: Vec<Vec<String>>,
    arranges: bool,
}

struct Writing<'a> {
    dom: &'a Dom,
    seen: &'a Seen,
    base: &'a str,
    written: Written,
    line: String,
    /// What the next line begins with: a heading or an item.
    mark: String,
    quotes: usize,
    /// The number of the next item of each open list.
    lists: Vec<Option<u64>>,
}

impl Writing<'_> {
    fn is_shown(&self, at: usize) -> bool {
        self.seen.is_shown(at)
    }

    fn children(&mut self, at: usize) {
        let dom = self.dom;
        for child in dom.children(at) {
            self.node(child);
        }
    }

    fn node(&mut self, at: usize) {
        if !self.is_shown(at) || self.written.text.len() > TEXT_CHARS_MAX * 4 {
            return;
        }
        let dom = self.dom;
        let node = dom.node(at);
        match node.name() {
            "" => {
                self.line.push_str(node.text());
                self.children(at);
            }
            "br" => self.line.push(BREAK),
            "a" => self.link(at, node),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = node
                    .name()
                    .as_bytes()
                    .get(1)
                    .map_or(1, |digit| usize::from(digit - b'0'));
                self.marked(at, &format!("{} ", "#".repeat(level)));
            }
            "ul" | "menu" => self.list(at, None),
            "ol" => {
                let first = node.attribute("start").and_then(|start| start.parse().ok());
                self.list(at, Some(first.unwrap_or(1)));
            }
            "li" | "dd" => {
                let indent = "  ".repeat(self.lists.len().saturating_sub(1));
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{indent}{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => format!("{indent}- "),
                };
                self.marked(at, &mark);
            }
            "pre" => {
                self.flush();
                let text = self.shown_text(at);
                self.put(&format!("```\n{}\n```", text.trim_matches('\n')));
            }
            "blockquote" => {
                self.flush();
                self.quotes += 1;
                self.children(at);
                self.flush();
                self.quotes -= 1;
            }
            "table" => self.table(at),
            name if is_block(name) => {
                self.flush();
                self.children(at);
                self.flush();
            }
            _ => self.children(at),
        }
    }

    fn marked(&mut self, at: usize, mark: &str) {
        self.flush();
        self.mark = mark.to_owned();
        self.children(at);
        self.flush();
        self.mark.clear();
    }

    fn list(&mut self, at: usize, first: Option<u64>) {
        self.flush();
        self.lists.push(first);
        self.children(at);
        self.lists.pop();
        self.flush();
    }

    fn link(&mut self, at: usize, node: &Node) {
        self.children(at);
        let target = node.attribute("href").filter(|href| !href.starts_with('#'));
        let target = target.and_then(|href| address::resolve(self.base, href));
        let words = one_line(&self.shown_text(at));
        if let Some(target) =
            target.filter(|_| !words.is_empty() && self.written.links.len() < LINKS_MAX)
        {
            let known = self.written.links.iter().any(|(_, other)| *other == target);
            if !known {
                self.written.links.push((words, target));
            }
        }
    }

    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        let lines: Vec<String> = line.split(BREAK).map(one_line).collect();
        let text = lines.join("\n");
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let mark = std::mem::take(&mut self.mark);
        self.put(&format!("{mark}{text}"));
    }

    fn put(&mut self, block: &str) {
        if block.trim().is_empty() {
            return;
        }
        let quote = "> ".repeat(self.quotes.min(3));
        let block = block.replace('\n', &format!("\n{quote}"));
        let item = |text: &str| {
            let text = text.trim_start();
            let number = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
            text.starts_with("- ") || (number.len() < text.len() && number.starts_with(". "))
        };
        let last = self
            .written
            .text
            .trim_end()
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let tight = item(&block) && item(last) && self.quotes == 0;
        if tight {
            self.written
                .text
                .truncate(self.written.text.trim_end().len());
            self.written.text.push('\n');
        }
        self.written.text.push_str(&format!("{quote}{block}\n\n"));
    }

    /// The text of an element that readers see, as it stands.
    fn shown_text(&self, at: usize) -> String {
        let mut text = String::new();
        for at in self.dom.subtree(at) {
            if !self.is_shown(at) {
                continue;
            }
            let node = self.dom.node(at);
            match node.name() {
                "br" => text.push('\n'),
                name if is_block(name) || matches!(name, "li" | "td" | "th") => text.push(' '),
                _ => {}
            }
            text.push_str(node.text());
        }
        text
    }

    fn table(&mut self, at: usize) {
        self.flush();
        let mut cells = Cells::default();
        self.gather(at, &mut cells);
        let Cells { mut rows, arranges } = cells;
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        if arranges || rows.len() < 2 || width < 2 {
            self.children(at);
            self.flush();
            return;
        }
        let mut lines = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let cell = |place: usize| row.get(place).map_or("", String::as_str);
            let cells: Vec<&str> = (0..width).map(cell).collect();
            lines.push(format!("| {} |", cells.join(" | ")));
            if number == 0 {
                lines.push(format!("|{}", "---|".repeat(width)));
            }
        }
        self.put(&lines.join("\n"));
    }

    fn gather(&self, at: usize, cells: &mut Cells) {
        for child in self.dom.children(at) {
            if cells.arranges || !self.is_shown(child) {
                continue;
            }
            match self.dom.node(child).name() {
                "tr" => cells.rows.push(Vec::new()),
                "td" | "th" => {
                    cells.arranges |= self.holds_table(child);
                    if cells.arranges {
                        return;
                    }
                    let cell = one_line(&self.shown_text(child)).replace('|', "\\|");
                    cells.arranges |= cell.chars().count() > CELL_CHARS_MAX;
                    if let Some(row) = cells.rows.last_mut() {
                        row.push(cell);
                    }
                    continue;
                }
                "thead" | "tbody" | "tfoot" => {}
                _ => continue,
            }
            self.gather(child, cells);
        }
    }

    fn holds_table(&self, at: usize) -> bool {
        let nodes = self.dom.nodes().get(self.dom.subtree(at));
        nodes
            .unwrap_or_default()
            .iter()
            .any(|node| matches!(node.name(), "table" | "h1" | "h2" | "h3"))
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "aside"
            | "figure"
            | "figcaption"
            | "address"
            | "details"
            | "summary"
            | "fieldset"
            | "form"
            | "body"
            | "html"
            | "center"
            | "dl"
            | "dt"
            | "hr"
            | "tr"
            | "td"
            | "th"
            | "caption"
            | "hgroup"
            | "table"
            | "tbody"
            | "thead"
            | "tfoot"
            | "legend"
    )
}
