//! A document as data for the template, and the pictures that the data names. Nothing is escaped, because
//! nothing of it is ever read as markup.

use std::collections::BTreeSet;

use adjutant_charts::{Chart, Drawing, Theme, draw};
use adjutant_document_model::{
    Align, BACK_LINKS_MAX, Block, Callout, Citation, Citations, Column, Document, Made, Manuscript,
    SOURCES_HEADING, Section, Source, Span, Tint, Tone, Whereabout, chart_file, column_count,
    mark_word, running_line, source_facts, tints, web_address, whereabouts,
};
use serde_json::{Value, json};

/// A part with more characters may be split between pages; a shorter one is kept together.
const KEPT_TOGETHER_CHARS_MAX: usize = 900;
const KEPT_TOGETHER_ROWS_MAX: usize = 12;
/// A longer piece of an address breaks within, or it would leave half a line empty.
const ADDRESS_PIECE_CHARS_MAX: usize = 36;
const ADDRESS_CUT_CHARS: usize = 12;
/// Height against width: a taller picture would not fit below its heading.
const CHART_RATIO_MAX: f64 = 1.2;

pub(crate) struct Paper {
    pub(crate) data: Value,
    /// By the name that the data gives them.
    pub(crate) pictures: Vec<(String, String)>,
}

pub(crate) fn paper(document: &Document, made: &Made) -> Paper {
    let manuscript = Manuscript::new(document, made);
    let mut desk = Desk {
        citations: Citations::new(manuscript.sources),
        pictures: Vec::new(),
        charts: 0,
        passages: BTreeSet::new(),
    };
    let notices: Vec<Value> = manuscript
        .notices
        .iter()
        .map(|it| desk.callout(it))
        .collect();
    let sections: Vec<Value> = manuscript
        .sections
        .iter()
        .map(|it| desk.section(it))
        .collect();
    let sources: Vec<Value> = manuscript
        .sources
        .iter()
        .enumerate()
        .map(|(index, it)| desk.source(index + 1, it))
        .collect();
    let data = json!({
        "kind": manuscript.kind,
        "title": manuscript.title,
        "objective": manuscript.objective,
        "date": manuscript.date,
        "mark": manuscript.standing.mark(),
        "running_kind": running_line(manuscript.kind),
        "running_title": running_line(manuscript.title),
        "running_mission": running_line(&made.mission),
        "notices": notices,
        "sections": sections,
        "sources_heading": SOURCES_HEADING,
        "sources": sources,
        "made": desk.section(&manuscript.made),
    });
    Paper {
        data,
        pictures: desk.pictures,
    }
}

struct Desk {
    citations: Citations,
    pictures: Vec<(String, String)>,
    charts: usize,
    /// Those already written: a second of the same number cannot be led to.
    passages: BTreeSet<u32>,
}

impl Desk {
    fn section(&mut self, section: &Section) -> Value {
        let blocks: Vec<Value> = section.blocks.iter().map(|it| self.block(it)).collect();
        json!({ "heading": section.heading, "blocks": blocks })
    }

    fn block(&mut self, block: &Block) -> Value {
        match block {
            Block::Heading(text) => json!({ "is": "heading", "text": text }),
            Block::Paragraph(spans) => json!({ "is": "paragraph", "spans": self.spans(spans) }),
            Block::Bullets(items) => {
                let items: Vec<Value> = items.iter().map(|spans| self.spans(spans)).collect();
                json!({ "is": "bullets", "items": items })
            }
            Block::Table {
                caption,
                columns,
                rows,
            } => self.table(caption, columns, rows),
            Block::Chart { caption, chart } => self.chart(caption, chart),
            Block::Figures(figures) => {
                let figures: Vec<Value> = figures
                    .iter()
                    .map(|it| {
                        json!({ "value": it.value, "label": it.label, "cites": self.cites(&it.cites) })
                    })
                    .collect();
                json!({ "is": "figures", "figures": figures })
            }
            Block::Callout(callout) => self.callout(callout),
            Block::Quote { text, cites } => {
                json!({ "is": "quote", "text": text, "cites": self.cites(cites) })
            }
        }
    }

    fn table(&mut self, caption: &str, columns: &[Column], rows: &[Vec<Vec<Span>>]) -> Value {
        let count = column_count(columns, rows);
        let heads: Vec<Value> = (0..count)
            .map(|index| match columns.get(index) {
                Some(column) => json!({
                    "heading": column.heading,
                    "align": match column.align {
                        Align::Left => "left",
                        Align::Right => "right",
                        Align::Centre => "centre",
                    },
                    "width": column.width.max(1),
                }),
                None => json!({ "heading": "", "align": "left", "width": 1 }),
            })
            .collect();
        let tints = tints(columns, rows);
        let spans: Vec<Span> = rows.iter().flatten().flatten().cloned().collect();
        let long = rows.len() > KEPT_TOGETHER_ROWS_MAX || is_long(&spans);
        let rows: Vec<Value> = rows
            .iter()
            .zip(&tints)
            .map(|(row, tints)| {
                (0..count)
                    .map(|index| {
                        let spans = row.get(index).map_or(&[][..], Vec::as_slice);
                        let tint = match tints.get(index) {
                            Some(Tint::Low) => Some("low"),
                            Some(Tint::Middle) => Some("middle"),
                            Some(Tint::High) => Some("high"),
                            Some(Tint::None) | None => None,
                        };
                        json!({ "spans": self.spans(spans), "tint": tint, "long": is_long(spans) })
                    })
                    .collect()
            })
            .collect();
        json!({ "is": "table", "caption": caption, "columns": heads, "rows": rows, "long": long })
    }

    fn chart(&mut self, caption: &str, chart: &Chart) -> Value {
        self.charts += 1;
        match draw(chart, Theme::Light) {
            Ok(Drawing {
                svg,
                width,
                height,
                alt,
            }) => {
                let file = chart_file("", self.charts);
                let value = json!({
                    "is": "chart", "caption": caption, "file": file, "alt": alt,
                    "tall": height > width * CHART_RATIO_MAX,
                });
                self.pictures.push((file, svg));
                value
            }
            Err(refusal) => json!({
                "is": "chart", "caption": caption, "file": null,
                "refusal": format!("This chart cannot be drawn: {refusal}"),
            }),
        }
    }

    fn callout(&mut self, callout: &Callout) -> Value {
        let tone = match callout.tone {
            Tone::Note => "note",
            Tone::Good => "good",
            Tone::Warning => "warning",
            Tone::Bad => "bad",
        };
        json!({
            "is": "callout", "tone": tone, "title": callout.title,
            "text": self.spans(&callout.text), "long": is_long(&callout.text),
        })
    }

    fn source(&mut self, number: usize, source: &Source) -> Value {
        let passages: Vec<Value> = source
            .passages
            .iter()
            .map(|passage| {
                json!({
                    "number": passage.number,
                    "text": passage.text.trim(),
                    "long": passage.text.chars().count() > KEPT_TOGETHER_CHARS_MAX,
                    "turns": self.citations.turns(passage.number).min(BACK_LINKS_MAX),
                    "first": self.passages.insert(passage.number),
                    "where": whereabouts(passage).into_iter().map(whereabout).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "number": number,
            "title": source.title,
            "facts": source_facts(source),
            "link": web_address(source),
            "place": source.place.as_deref().filter(|place| !place.trim().is_empty()),
            "passages": passages,
        })
    }

    fn spans(&mut self, spans: &[Span]) -> Value {
        spans
            .iter()
            .map(|span| {
                json!({
                    "text": span.text,
                    "strong": span.strong,
                    "mark": span.mark.map(mark_word),
                    "cites": self.cites(&span.cites),
                })
            })
            .collect()
    }

    fn cites(&mut self, cites: &[u32]) -> Value {
        cites
            .iter()
            .map(|number| match self.citations.cite(*number) {
                Citation::Found { number, turn } => json!({ "number": number, "turn": turn }),
                Citation::Missing { number } => json!({ "number": number, "turn": null }),
            })
            .collect()
    }
}

fn whereabout(it: Whereabout<'_>) -> Value {
    match it {
        Whereabout::Place(place) => json!({ "is": "place", "text": place }),
        Whereabout::Address(address) => json!({ "is": "address", "pieces": pieces(address) }),
    }
}

/// The pieces of an address, behind each of which a line may end: behind a slash and before the numbers at its end; in a
/// long name also behind a hyphen or a dot, and anywhere if there is neither.
fn pieces(address: &str) -> Vec<String> {
    let (path, end) = address.split_at(address.rfind('#').unwrap_or(address.len()));
    let fits = |piece: &str| piece.chars().count() <= ADDRESS_PIECE_CHARS_MAX;
    let mut pieces = Vec::new();
    for name in path.split_inclusive('/').chain([end]) {
        if fits(name) {
            pieces.push(name.to_owned());
            continue;
        }
        for part in name.split_inclusive(['-', '_', '.']) {
            let letters: Vec<char> = part.chars().collect();
            let most = if fits(part) {
                letters.len()
            } else {
                ADDRESS_CUT_CHARS
            };
            let cut = letters.chunks(most.max(1));
            pieces.extend(cut.map(|chunk| chunk.iter().collect::<String>()));
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn is_long(spans: &[Span]) -> bool {
    let chars: usize = spans.iter().map(|span| span.text.chars().count()).sum();
    chars > KEPT_TOGETHER_CHARS_MAX
}
