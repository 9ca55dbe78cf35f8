//! The running text of a Word file: paragraphs, lists, tables, and where notes are cited.

use std::collections::BTreeMap;

use adjutant_knowledge_index::Form;

use super::docx_styles::{Meaning, Styles, outline};
use super::table::{Head, Row, Table};
use super::xml::{self, Element, Seen};
use crate::ReadFailure;
use crate::writing::Writing;

#[derive(Debug, Default)]
pub(super) struct Note {
    pub(super) author: Option<String>,
    pub(super) text: String,
}

/// The notes the text cites, in the order it does.
#[derive(Debug, Default)]
pub(super) struct Cited {
    pub(super) footnotes: Vec<String>,
    pub(super) endnotes: Vec<String>,
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    outline: Option<u8>,
    numbered: Option<bool>,
}

#[derive(Debug, Default)]
struct TableUnderWay {
    table: Table,
    row: Row,
    cell: String,
}

pub(super) struct Body<'w, 'l> {
    writing: &'w mut Writing<'l>,
    styles: &'w Styles,
    cited: Cited,
    /// More than one where a paragraph holds a text box.
    paragraphs: Vec<Paragraph>,
    tables: Vec<TableUnderWay>,
    /// Inside properties of a run: whether it is hidden.
    hidden_run: bool,
    /// How deep inside something that is shown in another way or not at all.
    unseen: usize,
    in_text: bool,
}

impl<'w, 'l> Body<'w, 'l> {
    pub(super) fn new(writing: &'w mut Writing<'l>, styles: &'w Styles) -> Self {
        Self {
            writing,
            styles,
            cited: Cited::default(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            hidden_run: false,
            unseen: 0,
            in_text: false,
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), ReadFailure> {
        xml::each(bytes, |event| match event {
            Seen::Start(element) => {
                self.start(&element);
                Ok(())
            }
            Seen::End(name) => self.end(name),
            Seen::Text(text) => {
                if self.in_text {
                    self.add(text);
                }
                Ok(())
            }
        })
    }

    pub(super) fn cited(self) -> Cited {
        self.cited
    }

    fn start(&mut self, element: &Element) {
        if self.unseen > 0 || is_unseen(element.name) {
            self.unseen += 1;
            return;
        }
        let value = || element.attribute("val");
        match element.name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "r" => self.hidden_run = false,
            "vanish" => self.hidden_run = is_on(value()),
            "t" => self.in_text = true,
            "tab"
                if self
                    .paragraphs
                    .last()
                    .is_some_and(|last| !last.text.is_empty()) =>
            {
                self.add("\t");
            }
            "br" | "cr" => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "footnoteReference" => {
                let mark = cite(&mut self.cited.footnotes, element.attribute("id"));
                self.add(&mark);
            }
            "endnoteReference" => {
                let mark = cite(&mut self.cited.endnotes, element.attribute("id"));
                self.add(&mark);
            }
            "tbl" => self.tables.push(TableUnderWay::default()),
            "tblHeader" => {
                if let Some(under_way) = self.tables.last_mut()
                    && is_on(value())
                {
                    under_way.row.head = Head::Marked;
                }
            }
            _ => self.property(element),
        }
    }

    fn property(&mut self, element: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        let value = element.attribute("val");
        match element.name {
            "pStyle" => paragraph.style = value,
            "outlineLvl" => paragraph.outline = value.as_deref().and_then(outline),
            "numId" => paragraph.numbered = Some(value.is_some_and(|id| id != "0")),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), ReadFailure> {
        if self.unseen > 0 {
            self.unseen -= 1;
            return Ok(());
        }
        match name {
            "t" => self.in_text = false,
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    return self.put(&paragraph);
                }
            }
            "tc" => {
                if let Some(under_way) = self.tables.last_mut() {
                    let cell = std::mem::take(&mut under_way.cell);
                    under_way.row.cells.push(cell);
                }
            }
            "tr" => {
                if let Some(under_way) = self.tables.last_mut() {
                    let row = std::mem::take(&mut under_way.row);
                    under_way.table.rows.push(row);
                }
            }
            "tbl" => return self.end_table(),
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, paragraph: &Paragraph) -> Result<(), ReadFailure> {
        if let Some(under_way) = self.tables.last_mut() {
            if !under_way.cell.is_empty() {
                under_way.cell.push('\n');
            }
            under_way.cell.push_str(&paragraph.text);
            return Ok(());
        }
        match self.meaning(paragraph) {
            Meaning::Heading(level) => self.writing.put(Form::Heading(level), &paragraph.text),
            Meaning::ListItem => self
                .writing
                .put_marked(Form::ListItem, "- ", &paragraph.text),
            Meaning::Text => self.writing.put(Form::Paragraph, &paragraph.text),
        }
    }

    fn meaning(&self, paragraph: &Paragraph) -> Meaning {
        let style = paragraph
            .style
            .as_deref()
            .map_or(Meaning::Text, |style| self.styles.meaning(style));
        match (style, paragraph.outline, paragraph.numbered) {
            (Meaning::Heading(level), ..) => Meaning::Heading(level),
            (_, Some(level), _) => Meaning::Heading(level),
            (_, _, Some(true)) => Meaning::ListItem,
            (_, _, Some(false)) => Meaning::Text,
            (style, _, None) => style,
        }
    }

    /// A table inside a table becomes text of the cell it stands in.
    fn end_table(&mut self) -> Result<(), ReadFailure> {
        let Some(under_way) = self.tables.pop() else {
            return Ok(());
        };
        let Some(outer) = self.tables.last_mut() else {
            return under_way.table.put(self.writing);
        };
        for row in under_way.table.rows {
            outer.cell.push('\n');
            outer.cell.push_str(&row.cells.join(" "));
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if self.hidden_run {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }
}

/// Deleted text, field codes, and the second copy of a drawing for old programs.
fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "del" | "moveFrom" | "instrText" | "Fallback" | "pPrChange" | "rPrChange"
    )
}

fn is_on(value: Option<String>) -> bool {
    !matches!(value.as_deref(), Some("0" | "false" | "off" | "none"))
}

fn cite(cited: &mut Vec<String>, id: Option<String>) -> String {
    let Some(id) = id else {
        return String::new();
    };
    cited.push(id);
    format!("[{}]", cited.len())
}

/// Footnotes, endnotes or comments by their ids.
pub(super) fn notes_of(bytes: &[u8]) -> Result<BTreeMap<String, Note>, ReadFailure> {
    let mut notes: BTreeMap<String, Note> = BTreeMap::new();
    let mut current: Option<String> = None;
    let mut in_text = false;
    xml::each(bytes, |event| {
        match event {
            Seen::Start(element) => match element.name {
                "footnote" | "endnote" | "comment" => {
                    // The lines that separate notes from the text are notes with a type.
                    let drawn = element
                        .attribute("type")
                        .is_some_and(|kind| kind != "normal");
                    current = element.attribute("id").filter(|_| !drawn);
                    if let Some(id) = &current {
                        let author = element.attribute("author");
                        notes.insert(
                            id.clone(),
                            Note {
                                author,
                                text: String::new(),
                            },
                        );
                    }
                }
                "t" => in_text = true,
                _ => {}
            },
            Seen::End("t") => in_text = false,
            Seen::End(name @ ("p" | "footnote" | "endnote" | "comment")) => {
                if let Some(note) = current.as_ref().and_then(|id| notes.get_mut(id)) {
                    note.text.push('\n');
                }
                if name != "p" {
                    current = None;
                }
            }
            Seen::End(_) => {}
            Seen::Text(text) => {
                if let (true, Some(note)) =
                    (in_text, current.as_ref().and_then(|id| notes.get_mut(id)))
                {
                    note.text.push_str(text);
                }
            }
        }
        Ok(())
    })?;
    Ok(notes)
}
