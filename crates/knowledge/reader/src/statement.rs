//! A document as statements, each with what it stands under.

use std::ops::Range;

use adjutant_knowledge_index::{Document, Form, Part};
use adjutant_text::sentences::sentences;

const CELL_GAP: &str = " | ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementForm {
    Sentence,
    Item,
    Row,
    Code,
}

/// One thing that a document says. All ranges are bytes of the document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub document: usize,
    pub span: Range<usize>,
    pub form: StatementForm,
    /// The headings above it, highest first.
    pub headings: Vec<Range<usize>>,
    /// What introduces it: the item it is nested in, or a line that ends with a colon.
    pub leads: Vec<Range<usize>>,
    /// Of a row.
    pub cells: Vec<Cell>,
    /// Statements with the same number stand in one paragraph, list item or table.
    pub block: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub head: Option<Range<usize>>,
    pub value: Range<usize>,
}

pub(crate) fn statements(number: usize, document: &Document) -> Vec<Statement> {
    let mut reader = Reader {
        number,
        text: &document.text,
        headings: Vec::new(),
        leads: Vec::new(),
        row_head: None,
        block: 0,
        in_table: false,
        found: Vec::new(),
    };
    for part in &document.parts {
        reader.take(part);
    }
    reader.found
}

struct Reader<'a> {
    number: usize,
    text: &'a str,
    headings: Vec<(u8, Range<usize>)>,
    /// What introduces items that are deeper than this.
    leads: Vec<(usize, Range<usize>)>,
    row_head: Option<Range<usize>>,
    block: usize,
    in_table: bool,
    found: Vec<Statement>,
}

impl Reader<'_> {
    fn take(&mut self, part: &Part) {
        let span = part.span.start as usize..part.span.end as usize;
        let Some(text) = self.text.get(span.clone()) else {
            return;
        };
        let is_row = matches!(part.form, Form::RowHead | Form::Row);
        if !(is_row && self.in_table) {
            self.block += 1;
        }
        if !is_row {
            self.row_head = None;
        }
        self.in_table = is_row;
        match part.form {
            Form::Heading(level) => {
                self.headings.retain(|(above, _)| *above < level);
                self.headings.push((level, span));
                self.leads.clear();
            }
            Form::RowHead => self.row_head = Some(span),
            Form::Row => self.row(span),
            Form::Code => {
                for line in lines(text) {
                    let line = span.start + line.start..span.start + line.end;
                    self.put(line, StatementForm::Code, Vec::new());
                }
            }
            Form::Paragraph if is_chat(text) => {
                self.leads.clear();
                for line in lines(text) {
                    let line = span.start + line.start..span.start + line.end;
                    self.block += 1;
                    self.sentences(&line, StatementForm::Sentence);
                }
            }
            Form::Paragraph => {
                self.leads.clear();
                self.sentences(&span, StatementForm::Sentence);
                if text.trim_end().ends_with(':') {
                    let last = self.found.last().map(|last| last.span.clone());
                    self.leads.extend(last.map(|last| (0, last)));
                }
            }
            Form::ListItem => {
                let depth = self.depth(span.start);
                self.leads.retain(|(above, _)| *above < depth);
                self.sentences(&span, StatementForm::Item);
                self.leads.push((depth, span));
            }
        }
    }

    /// How far the mark of an item is indented, from 1.
    fn depth(&self, start: usize) -> usize {
        let line = self.text[..start].rsplit('\n').next().unwrap_or_default();
        1 + line.len() - line.trim_start().len()
    }

    fn row(&mut self, span: Range<usize>) {
        let heads = self.row_head.clone().map(|head| cells(self.text, head));
        let cells = cells(self.text, span.clone()).into_iter().enumerate();
        let cells = cells.map(|(column, value)| Cell {
            head: heads.as_ref().and_then(|heads| heads.get(column).cloned()),
            value,
        });
        self.put(span, StatementForm::Row, cells.collect());
    }

    fn sentences(&mut self, span: &Range<usize>, form: StatementForm) {
        for sentence in sentences(&self.text[span.clone()]) {
            let sentence = span.start + sentence.start..span.start + sentence.end;
            self.put(sentence, form, Vec::new());
        }
    }

    fn put(&mut self, span: Range<usize>, form: StatementForm, cells: Vec<Cell>) {
        self.found.push(Statement {
            document: self.number,
            span,
            form,
            headings: self.headings.iter().map(|(_, at)| at.clone()).collect(),
            leads: self.leads.iter().map(|(_, at)| at.clone()).collect(),
            cells,
            block: self.block,
        });
    }
}

fn cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = row.start;
    for cell in text[row].split(CELL_GAP) {
        found.push(start..start + cell.len());
        start += cell.len() + CELL_GAP.len();
    }
    found
}

/// Whether lines begin with the time at which each was written, as in `[10:04] Jane: ready`.
fn is_chat(text: &str) -> bool {
    let is_timed = |line: &Range<usize>| {
        let line = text[line.clone()].trim_start_matches('[');
        let hours = line.bytes().take_while(u8::is_ascii_digit).count();
        let behind = line[hours..].strip_prefix(':');
        let minutes = behind.map_or(0, |at| at.bytes().take_while(u8::is_ascii_digit).count());
        (1..=2).contains(&hours) && minutes == 2
    };
    let all = lines(text);
    all.len() > 1 && all.iter().filter(|line| is_timed(line)).count() * 2 > all.len()
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let shown = line.trim();
        if !shown.is_empty() {
            let from = start + line.len() - line.trim_start().len();
            found.push(from..from + shown.len());
        }
        start += line.len();
    }
    found
}
