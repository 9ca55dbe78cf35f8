//! A document as GitHub Markdown. Charts are pictures in files of their own: see `chart_files`.

mod escape;

use std::fmt::Write;

use adjutant_charts::{Chart, Theme, draw};

use crate::chart_files::chart_file;
use crate::document::{
    Align, Block, Callout, Column, Document, Figure, Made, Passage, Section, Source, Span, Tone,
};
use crate::manuscript::{
    Citation, Citations, Manuscript, SOURCES_HEADING, Whereabout, mark_word, source_facts,
    whereabouts,
};
use crate::table::column_count;
use escape::{Lines, inline, lines};

#[must_use]
pub fn markdown(document: &Document, made: &Made) -> String {
    let manuscript = Manuscript::new(document, made);
    let mut page = Page::of(document, &manuscript);
    page.opening(&manuscript);
    for notice in &manuscript.notices {
        page.callout(notice);
    }
    page.body(&manuscript);
    page.section(&manuscript.made);
    page.finished()
}

/// The document alone, without how it was made and who has reviewed it: it is the same whenever it is written.
#[must_use]
pub fn markdown_text(document: &Document) -> String {
    let made = Made::default();
    let manuscript = Manuscript::new(document, &made);
    let mut page = Page::of(document, &manuscript);
    page.opening(&manuscript);
    page.body(&manuscript);
    page.finished()
}

/// What a reader in a hurry needs of it.
pub fn markdown_summary(document: &Document) -> String {
    let made = Made::default();
    let short = Document {
        sections: Vec::new(),
        ..document.clone()
    };
    let manuscript = Manuscript::new(&short, &made);
    let mut page = Page::of(&short, &manuscript);
    page.opening(&manuscript);
    page.finished()
}

struct Page {
    text: String,
    citations: Citations,
    kind: String,
    charts: usize,
}

impl Page {
    fn of(document: &Document, manuscript: &Manuscript<'_>) -> Self {
        Self {
            text: String::new(),
            citations: Citations::new(manuscript.sources),
            kind: document.kind.clone(),
            charts: 0,
        }
    }

    fn body(&mut self, manuscript: &Manuscript<'_>) {
        for section in &manuscript.sections {
            self.section(section);
        }
        self.sources(manuscript.sources);
    }

    fn finished(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        self.text
    }

    /// One block, and the empty line behind it.
    fn put(&mut self, block: impl AsRef<str>) {
        let block = block.as_ref();
        if !block.trim().is_empty() {
            self.text.push_str(block.trim_end());
            self.text.push_str("\n\n");
        }
    }

    fn opening(&mut self, manuscript: &Manuscript<'_>) {
        self.put(format!("# {}", lines(manuscript.title, Lines::Join)));
        let kind = lines(manuscript.kind, Lines::Join);
        let under: Vec<String> = [
            (!kind.is_empty()).then(|| format!("<strong>{kind}</strong>")),
            manuscript.date.map(|date| lines(date, Lines::Join)),
        ]
        .into_iter()
        .flatten()
        .collect();
        self.put(under.join(" \u{B7} "));
        if !manuscript.objective.trim().is_empty() {
            self.put(format!(
                "**Objective:** {}",
                inline(manuscript.objective.trim())
            ));
        }
    }

    fn section(&mut self, section: &Section) {
        self.put(format!("## {}", lines(&section.heading, Lines::Join)));
        for block in &section.blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => self.put(format!("### {}", lines(text, Lines::Join))),
            Block::Paragraph(spans) => {
                let text = self.spans(spans);
                self.put(escape::start_of_line(&text));
            }
            Block::Bullets(items) => {
                let list: Vec<String> = items
                    .iter()
                    .map(|spans| {
                        let text = self.spans(spans);
                        format!("- {}", escape::start_of_line(&text))
                    })
                    .collect();
                self.put(list.join("\n"));
            }
            Block::Table {
                caption,
                columns,
                rows,
            } => self.table(caption, columns, rows),
            Block::Chart { caption, chart } => self.chart(caption, chart),
            Block::Figures(figures) => self.figures(figures),
            Block::Callout(callout) => self.callout(callout),
            Block::Quote { text, cites } => {
                let cites = self.cites(cites);
                self.put(format!("{}{cites}", lines(text, Lines::Quote)));
            }
        }
    }

    fn table(&mut self, caption: &str, columns: &[Column], rows: &[Vec<Vec<Span>>]) {
        if !caption.trim().is_empty() {
            self.put(strong(caption));
        }
        let count = column_count(columns, rows);
        if count == 0 {
            return;
        }
        let mut table = String::from("|");
        for index in 0..count {
            let heading = columns
                .get(index)
                .map_or("", |column| column.heading.as_str());
            let _ = write!(table, " {} |", lines(heading, Lines::Join));
        }
        table.push_str("\n|");
        for index in 0..count {
            table.push_str(match columns.get(index).map(|column| column.align) {
                Some(Align::Right) => " ---: |",
                Some(Align::Centre) => " :---: |",
                Some(Align::Left) | None => " --- |",
            });
        }
        for row in rows {
            table.push_str("\n|");
            for index in 0..count {
                let cell = row
                    .get(index)
                    .map_or_else(String::new, |cell| self.spans(cell));
                let _ = write!(table, " {} |", cell.trim());
            }
        }
        self.put(table);
    }

    fn chart(&mut self, caption: &str, chart: &Chart) {
        self.charts += 1;
        match draw(chart, Theme::Light) {
            Ok(drawing) => self.put(format!(
                "![{}]({})",
                lines(&drawing.alt, Lines::Join),
                chart_file(&self.kind, self.charts)
            )),
            Err(refusal) => self.put(format!(
                "*This chart cannot be drawn: {}*",
                lines(&refusal.to_string(), Lines::Join)
            )),
        }
        self.put(escape::start_of_line(&inline(caption.trim())));
    }

    fn figures(&mut self, figures: &[Figure]) {
        let list: Vec<String> = figures
            .iter()
            .map(|figure| {
                let cites = self.cites(&figure.cites);
                format!(
                    "- {} {}{cites}",
                    strong(&figure.value),
                    inline(figure.label.trim())
                )
            })
            .collect();
        self.put(list.join("\n"));
    }

    fn callout(&mut self, callout: &Callout) {
        let tone = match callout.tone {
            Tone::Note => "NOTE",
            Tone::Good => "TIP",
            Tone::Warning => "WARNING",
            Tone::Bad => "CAUTION",
        };
        let mut text = format!("> [!{tone}]");
        if !callout.title.trim().is_empty() {
            let _ = write!(text, "\n> {}\n>", strong(&callout.title));
        }
        let words = self.spans(&callout.text);
        let _ = write!(text, "\n> {}", escape::start_of_line(&words));
        self.put(text);
    }

    fn sources(&mut self, sources: &[Source]) {
        self.put(format!("## {SOURCES_HEADING}"));
        if sources.is_empty() {
            self.put("No source is cited.");
        }
        for (index, source) in sources.iter().enumerate() {
            self.put(format!(
                "### {}\\. {}",
                index + 1,
                lines(&source.title, Lines::Join)
            ));
            let facts: Vec<String> = source_facts(source)
                .iter()
                .chain(source.place.iter())
                .map(|fact| lines(fact, Lines::Join))
                .filter(|fact| !fact.is_empty())
                .collect();
            self.put(escape::start_of_line(&facts.join(" \u{B7} ")));
            for passage in &source.passages {
                self.passage(passage);
            }
        }
    }

    fn passage(&mut self, passage: &Passage) {
        let number = passage.number;
        self.put(format!("<a id=\"passage-{number}\"></a>**\\[{number}\\]**"));
        self.put(lines(&passage.text, Lines::Quote));
        let told: Vec<String> = whereabouts(passage)
            .into_iter()
            .map(|it| match it {
                Whereabout::Place(place) => lines(place, Lines::Join),
                Whereabout::Address(address) => escape::code(address),
            })
            .collect();
        self.put(escape::start_of_line(&told.join(" \u{B7} ")));
    }

    fn spans(&mut self, spans: &[Span]) -> String {
        let mut text = String::new();
        for span in spans {
            if span.strong {
                text.push_str(&strong(&span.text));
            } else {
                text.push_str(&inline(&span.text));
            }
            if let Some(mark) = span.mark {
                let space = if text.ends_with(char::is_whitespace) {
                    ""
                } else {
                    " "
                };
                let _ = write!(text, "{space}<em>({})</em>", mark_word(mark));
            }
            text.push_str(&self.cites(&span.cites));
        }
        text
    }

    fn cites(&mut self, cites: &[u32]) -> String {
        let mut text = String::new();
        for number in cites {
            let _ = match self.citations.cite(*number) {
                Citation::Found { number, .. } => {
                    write!(text, "[\\[{number}\\]](#passage-{number})")
                }
                Citation::Missing { number } => write!(text, "\\[{number}: no such passage\\]"),
            };
        }
        text
    }
}

/// Stars only mark letters and digits as strong wherever they stand; around anything else, tags do.
fn strong(text: &str) -> String {
    let inner = text.trim();
    if inner.is_empty() {
        return inline(text);
    }
    let ahead = &text[..text.len() - text.trim_start().len()];
    let behind = &text[text.trim_end().len()..];
    let (ahead, behind) = (inline(ahead), inline(behind));
    let at_ease =
        inner.starts_with(char::is_alphanumeric) && inner.ends_with(char::is_alphanumeric);
    let inner = inline(inner);
    if at_ease {
        format!("{ahead}**{inner}**{behind}")
    } else {
        format!("{ahead}<strong>{inner}</strong>{behind}")
    }
}
