//! The text itself: paragraphs, tables and pictures, in the order in which the schema wants their parts.

use std::collections::BTreeSet;
use std::fmt::Write;

use adjutant_charts::{Chart, Drawing, PngRefusal, Theme, draw, png};

use super::DocxRefusal;
use crate::document::{
    Align, Block, Callout, Column, Figure, Passage, Section, Source, Span, Tone,
};
use crate::manuscript::{
    BACK_LINKS_MAX, Citation, Citations, Manuscript, SOURCES_HEADING, Whereabout, mark_word,
    source_facts, web_address, whereabouts,
};
use crate::table::{Tint, column_count, tints};
use crate::xml_text::escape;

/// Between the margins, in twentieths of a point.
const TEXT_WIDTH: u32 = 9070;
/// Word measures pictures in these; a twentieth of a point has 635.
const PICTURE_UNITS_PER_TWENTIETH: f64 = 635.0;
/// Leaves room for a caption on the same page.
const PICTURE_HEIGHT_MAX: f64 = 11_000.0;
/// Against the drawing's own size: sharp in print, yet no larger than needed.
const PICTURE_SCALE: f64 = 2.0;
/// A table with more rows may be split between pages.
const KEPT_TOGETHER_ROWS_MAX: usize = 12;
const FIGURES_PER_ROW_MAX: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) pictures: Vec<Vec<u8>>,
    /// Web addresses, each a relation of its own.
    pub(super) addresses: Vec<String>,
}

pub(super) fn write(manuscript: &Manuscript<'_>) -> Result<Body, DocxRefusal> {
    let mut writer = Writer {
        body: Body::default(),
        citations: Citations::new(manuscript.sources),
        bookmarks: 0,
        passages: BTreeSet::new(),
    };
    writer.opening(manuscript);
    for section in &manuscript.sections {
        writer.section(section)?;
    }
    writer.sources(manuscript.sources);
    writer.section(&manuscript.made)?;
    Ok(writer.body)
}

struct Writer {
    body: Body,
    citations: Citations,
    bookmarks: u32,
    /// Those already written: Word refuses two bookmarks of one name.
    passages: BTreeSet<u32>,
}

impl Writer {
    fn paragraph(&mut self, style: &str, runs: &str) {
        self.paragraph_with(style, "", runs);
    }

    fn paragraph_with(&mut self, style: &str, properties: &str, runs: &str) {
        let _ = writeln!(self.body.text, "{}", paragraph(style, properties, runs));
    }

    fn opening(&mut self, manuscript: &Manuscript<'_>) {
        self.paragraph("Kind", &words(manuscript.kind, ""));
        self.paragraph("Title", &words(manuscript.title, ""));
        if !manuscript.objective.trim().is_empty() {
            self.paragraph("Label", &words("Objective", ""));
            self.paragraph("Objective", &words(manuscript.objective, ""));
        }
        if let Some(date) = manuscript.date {
            self.paragraph("Facts", &words(date, ""));
        }
        for notice in &manuscript.notices {
            self.callout(notice);
        }
    }

    fn section(&mut self, section: &Section) -> Result<(), DocxRefusal> {
        self.paragraph("Heading1", &words(&section.heading, ""));
        section
            .blocks
            .iter()
            .try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> Result<(), DocxRefusal> {
        match block {
            Block::Heading(text) => self.paragraph("Heading2", &words(text, "")),
            Block::Paragraph(spans) => {
                let runs = self.spans(spans);
                self.paragraph("Normal", &runs);
            }
            Block::Bullets(items) => {
                for spans in items {
                    let runs = self.spans(spans);
                    self.paragraph("ListBullet", &runs);
                }
            }
            Block::Table {
                caption,
                columns,
                rows,
            } => self.table(caption, columns, rows),
            Block::Chart { caption, chart } => self.chart(caption, chart)?,
            Block::Figures(figures) => self.figures(figures),
            Block::Callout(callout) => self.callout(callout),
            Block::Quote { text, cites } => {
                let runs = words(text, "") + &self.cites(cites);
                self.paragraph("Quote", &runs);
            }
        }
        Ok(())
    }

    fn table(&mut self, caption: &str, columns: &[Column], rows: &[Vec<Vec<Span>>]) {
        if !caption.trim().is_empty() {
            self.paragraph("Caption", &words(caption, ""));
        }
        let count = column_count(columns, rows);
        if count == 0 {
            return;
        }
        let widths = widths(columns, count);
        let align = |index: usize| match columns.get(index).map(|column| column.align) {
            Some(Align::Right) => "<w:jc w:val=\"right\"/>",
            Some(Align::Centre) => "<w:jc w:val=\"center\"/>",
            Some(Align::Left) | None => "",
        };
        let mut text = format!(
            "<w:tbl><w:tblPr><w:tblW w:w=\"{TEXT_WIDTH}\" w:type=\"dxa\"/><w:tblBorders>\
             <w:top w:val=\"single\" w:sz=\"10\" w:space=\"0\" w:color=\"17202B\"/>\
             <w:bottom w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"CFD6DD\"/>\
             <w:insideH w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"E4E8ED\"/></w:tblBorders>\
             <w:tblLayout w:type=\"fixed\"/><w:tblCellMar><w:left w:w=\"70\" w:type=\"dxa\"/><w:right w:w=\"70\" w:type=\"dxa\"/></w:tblCellMar>\
             <w:tblLook w:val=\"0020\" w:firstRow=\"1\" w:lastRow=\"0\" w:firstColumn=\"0\" w:lastColumn=\"0\" w:noHBand=\"1\" w:noVBand=\"1\"/></w:tblPr>"
        );
        text.push_str(&grid(&widths));
        text.push_str("<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>");
        for (index, width) in widths.iter().enumerate() {
            let heading = columns
                .get(index)
                .map_or("", |column| column.heading.as_str());
            let look = "<w:tcBorders><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"0\" w:color=\"17202B\"/></w:tcBorders>\
                        <w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"F5F7F9\"/><w:vAlign w:val=\"bottom\"/>";
            text.push_str(&cell(
                *width,
                look,
                &paragraph("TableHead", align(index), &words(heading, "")),
            ));
        }
        text.push_str("</w:tr>");
        for (index, (row, tints)) in rows.iter().zip(tints(columns, rows)).enumerate() {
            let more = index + 1 < rows.len();
            let keep = if more && rows.len() <= KEPT_TOGETHER_ROWS_MAX {
                "<w:keepNext/>"
            } else {
                ""
            };
            text.push_str("<w:tr><w:trPr><w:cantSplit/></w:trPr>");
            for (index, width) in widths.iter().enumerate() {
                let runs = row
                    .get(index)
                    .map_or_else(String::new, |spans| self.spans(spans));
                let look = match tints.get(index) {
                    Some(Tint::Low) => shade("FDF3E1"),
                    Some(Tint::Middle) => shade("FBDFB4"),
                    Some(Tint::High) => shade("F7BD92"),
                    Some(Tint::None) | None => String::new(),
                };
                text.push_str(&cell(
                    *width,
                    &look,
                    &paragraph("TableText", &format!("{keep}{}", align(index)), &runs),
                ));
            }
            text.push_str("</w:tr>");
        }
        text.push_str("</w:tbl>\n");
        self.body.text.push_str(&text);
        // Two tables that touch would become one.
        self.paragraph("AfterTable", "");
    }

    fn chart(&mut self, caption: &str, chart: &Chart) -> Result<(), DocxRefusal> {
        match draw(chart, Theme::Light) {
            Ok(drawing) => match png(&drawing, PICTURE_SCALE) {
                Ok(bytes) => {
                    self.body.pictures.push(bytes);
                    let run = picture(self.body.pictures.len(), &drawing);
                    self.paragraph("Picture", &run);
                }
                Err(refusal @ PngRefusal::Characters) => {
                    let text = format!("{} ({refusal}.)", drawing.alt);
                    self.paragraph("Normal", &words(&text, "Mark"));
                }
                Err(refusal) => return Err(DocxRefusal::Picture(refusal)),
            },
            Err(refusal) => {
                let text = format!("This chart cannot be drawn: {refusal}");
                self.paragraph("Normal", &words(&text, "Mark"));
            }
        }
        if !caption.trim().is_empty() {
            self.paragraph("PictureCaption", &words(caption, ""));
        }
        Ok(())
    }

    fn figures(&mut self, figures: &[Figure]) {
        for row in figures.chunks(FIGURES_PER_ROW_MAX) {
            let widths = widths(&[], row.len());
            let mut text = format!(
                "<w:tbl><w:tblPr><w:tblW w:w=\"{TEXT_WIDTH}\" w:type=\"dxa\"/><w:tblLayout w:type=\"fixed\"/></w:tblPr>{}<w:tr><w:trPr><w:cantSplit/></w:trPr>",
                grid(&widths)
            );
            for (figure, width) in row.iter().zip(&widths) {
                let label = words(&figure.label, "") + &self.cites(&figure.cites);
                let look = "<w:tcBorders><w:top w:val=\"single\" w:sz=\"12\" w:space=\"0\" w:color=\"0B5C94\"/></w:tcBorders>";
                let paragraphs = paragraph("FigureValue", "", &words(&figure.value, ""))
                    + &paragraph("FigureLabel", "", &label);
                text.push_str(&cell(*width, look, &paragraphs));
            }
            text.push_str("</w:tr></w:tbl>\n");
            self.body.text.push_str(&text);
            self.paragraph("AfterTable", "");
        }
    }

    fn callout(&mut self, callout: &Callout) {
        let colour = match callout.tone {
            Tone::Note => "0B5C94",
            Tone::Good => "00704F",
            Tone::Warning => "9A5B00",
            Tone::Bad => "A8261C",
        };
        // A line in the ground's own colour keeps the words off the edge.
        let room = "w:val=\"single\" w:sz=\"4\" w:space=\"5\" w:color=\"F5F7F9\"";
        let left =
            format!("<w:left w:val=\"single\" w:sz=\"24\" w:space=\"8\" w:color=\"{colour}\"/>");
        let title = format!(
            "<w:r><w:rPr><w:color w:val=\"{colour}\"/></w:rPr>{}</w:r>",
            text_of(&callout.title)
        );
        self.paragraph_with(
            "CalloutTitle",
            &format!("<w:pBdr><w:top {room}/>{left}</w:pBdr>"),
            &title,
        );
        let runs = self.spans(&callout.text);
        self.paragraph_with(
            "CalloutText",
            &format!("<w:pBdr>{left}<w:bottom {room}/></w:pBdr>"),
            &runs,
        );
    }

    fn sources(&mut self, sources: &[Source]) {
        self.paragraph("Heading1", &words(SOURCES_HEADING, ""));
        if sources.is_empty() {
            self.paragraph("Normal", &words("No source is cited.", ""));
        }
        for (index, source) in sources.iter().enumerate() {
            self.source(index + 1, source);
        }
    }

    fn source(&mut self, number: usize, source: &Source) {
        self.paragraph(
            "Heading2",
            &words(&format!("{number}. {}", source.title), ""),
        );
        let mut facts: Vec<String> = source_facts(source)
            .iter()
            .map(|fact| words(fact, ""))
            .collect();
        match (web_address(source), &source.place) {
            (Some(address), _) => {
                self.body.addresses.push(address.to_owned());
                facts.push(format!(
                    "<w:hyperlink r:id=\"web{}\" w:history=\"1\">{}</w:hyperlink>",
                    self.body.addresses.len(),
                    words(address, "Hyperlink")
                ));
            }
            (None, Some(place)) if !place.trim().is_empty() => facts.push(words(place, "")),
            (None, _) => {}
        }
        if !facts.is_empty() {
            self.paragraph_with(
                "Facts",
                "<w:keepNext/>",
                &facts.join(&words(" \u{B7} ", "")),
            );
        }
        for passage in &source.passages {
            self.passage(passage);
        }
    }

    fn passage(&mut self, passage: &Passage) {
        let number = passage.number;
        let run = words(&number.to_string(), "PassageNumber");
        let run = if self.passages.insert(number) {
            self.bookmarked(&format!("passage_{number}"), &run)
        } else {
            run
        };
        let text = words(passage.text.trim(), "");
        let told: Vec<String> = whereabouts(passage)
            .into_iter()
            .map(|it| match it {
                Whereabout::Place(place) => words(place, ""),
                Whereabout::Address(address) => words(address, "Address"),
            })
            .collect();
        // Where a passage stands is on the page on which the passage ends.
        let keep = if told.is_empty() { "" } else { "<w:keepNext/>" };
        self.paragraph_with("Passage", keep, &format!("{run}<w:r><w:tab/></w:r>{text}"));
        if !told.is_empty() {
            self.paragraph("Whereabouts", &told.join(&words(" \u{B7} ", "")));
        }
        let back: Vec<String> = (1..=self.citations.turns(number).min(BACK_LINKS_MAX))
            .map(|turn| {
                link(
                    &format!("cite_{number}_{turn}"),
                    &turn.to_string(),
                    "Hyperlink",
                )
            })
            .collect();
        if !back.is_empty() {
            let runs = words("Cited: ", "") + &back.join(&words(", ", ""));
            self.paragraph("BackLinks", &runs);
        }
    }

    fn spans(&mut self, spans: &[Span]) -> String {
        let mut runs = String::new();
        for span in spans {
            runs.push_str(&words(&span.text, if span.strong { "Strong" } else { "" }));
            if let Some(mark) = span.mark {
                runs.push_str(&words(&format!(" {}", mark_word(mark)), "Mark"));
            }
            runs.push_str(&self.cites(&span.cites));
        }
        runs
    }

    fn cites(&mut self, cites: &[u32]) -> String {
        let mut runs = String::new();
        for (index, number) in cites.iter().enumerate() {
            if index > 0 {
                runs.push_str(&words(", ", "Citation"));
            }
            let run = match self.citations.cite(*number) {
                Citation::Found { number, turn } => {
                    let link = link(
                        &format!("passage_{number}"),
                        &number.to_string(),
                        "Citation",
                    );
                    // A passage leads back to no more than these.
                    if turn <= BACK_LINKS_MAX {
                        self.bookmarked(&format!("cite_{number}_{turn}"), &link)
                    } else {
                        link
                    }
                }
                Citation::Missing { number } => {
                    words(&format!("{number}: no such passage"), "MissingCitation")
                }
            };
            runs.push_str(&run);
        }
        runs
    }

    fn bookmarked(&mut self, name: &str, runs: &str) -> String {
        self.bookmarks += 1;
        let id = self.bookmarks;
        format!(
            "<w:bookmarkStart w:id=\"{id}\" w:name=\"{name}\"/>{runs}<w:bookmarkEnd w:id=\"{id}\"/>"
        )
    }
}

fn paragraph(style: &str, properties: &str, runs: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{properties}</w:pPr>{runs}</w:p>")
}

/// A run in a style of characters, or in none if it is empty.
fn words(text: &str, style: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let properties = if style.is_empty() {
        String::new()
    } else {
        format!("<w:rPr><w:rStyle w:val=\"{style}\"/></w:rPr>")
    };
    format!("<w:r>{properties}{}</w:r>", text_of(text))
}

/// Word wants breaks and tabs as elements, and spaces at the edges announced.
fn text_of(text: &str) -> String {
    let mut out = String::new();
    for (line_index, line) in text.split('\n').enumerate() {
        if line_index > 0 {
            out.push_str("<w:br/>");
        }
        for (index, piece) in line.trim_end_matches('\r').split('\t').enumerate() {
            if index > 0 {
                out.push_str("<w:tab/>");
            }
            if !piece.is_empty() {
                let _ = write!(out, "<w:t xml:space=\"preserve\">{}</w:t>", escape(piece));
            }
        }
    }
    out
}

fn link(anchor: &str, text: &str, style: &str) -> String {
    format!(
        "<w:hyperlink w:anchor=\"{anchor}\" w:history=\"1\">{}</w:hyperlink>",
        words(text, style)
    )
}

fn shade(fill: &str) -> String {
    format!("<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"{fill}\"/>")
}

fn cell(width: u32, look: &str, paragraphs: &str) -> String {
    format!(
        "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/>{look}</w:tcPr>{paragraphs}</w:tc>"
    )
}

fn grid(widths: &[u32]) -> String {
    let mut text = String::from("<w:tblGrid>");
    for width in widths {
        let _ = write!(text, "<w:gridCol w:w=\"{width}\"/>");
    }
    text + "</w:tblGrid>"
}

/// The columns' shares of the text's width; none runs over the margin.
fn widths(columns: &[Column], count: usize) -> Vec<u32> {
    let share = |index: usize| {
        columns
            .get(index)
            .map_or(1, |column| u32::from(column.width.max(1)))
    };
    let whole: u32 = (0..count).map(share).sum();
    (0..count)
        .map(|index| (TEXT_WIDTH * share(index) / whole.max(1)).max(1))
        .collect()
}

fn picture(number: usize, drawing: &Drawing) -> String {
    let ratio = drawing.height / drawing.width;
    let width = f64::from(TEXT_WIDTH).min(PICTURE_HEIGHT_MAX / ratio);
    let across = (width * PICTURE_UNITS_PER_TWENTIETH) as u64;
    let down = (width * ratio * PICTURE_UNITS_PER_TWENTIETH) as u64;
    let alt = escape(&drawing.alt);
    format!(
        "<w:r><w:drawing><wp:inline distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\"><wp:extent cx=\"{across}\" cy=\"{down}\"/>\
         <wp:docPr id=\"{number}\" name=\"Chart {number}\" descr=\"{alt}\"/>\
         <a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><pic:pic>\
         <pic:nvPicPr><pic:cNvPr id=\"{number}\" name=\"chart{number}.png\" descr=\"{alt}\"/><pic:cNvPicPr/></pic:nvPicPr>\
         <pic:blipFill><a:blip r:embed=\"chart{number}\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
         <pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{across}\" cy=\"{down}\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr>\
         </pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
}
