//! A document as one HTML page that needs nothing else: no scripts, no fonts, no pictures from elsewhere.

use std::fmt::Write;

use adjutant_charts::{Chart, Theme, draw};

use crate::document::{
    Align, Block, Callout, Column, Document, Figure, Made, Passage, Section, Source, Span, Tone,
};
use crate::manuscript::{
    BACK_LINKS_MAX, Citation, Citations, Manuscript, SOURCES_HEADING, Whereabout, mark_word,
    source_facts, web_address, whereabouts,
};
use crate::table::{Tint, column_count, tints};
use crate::xml_text::escape;

const STYLE: &str = include_str!("html/style.css");

#[must_use]
pub fn html(document: &Document, made: &Made) -> String {
    let manuscript = Manuscript::new(document, made);
    let mut page = Page {
        text: String::new(),
        citations: Citations::new(manuscript.sources),
    };
    page.opening(&manuscript);
    for (index, section) in manuscript.sections.iter().enumerate() {
        page.section(&format!("section-{}", index + 1), section);
    }
    page.sources(manuscript.sources);
    page.section("how-made", &manuscript.made);
    page.text.push_str("</main>\n</body>\n</html>\n");
    page.text
}

struct Page {
    text: String,
    citations: Citations,
}

impl Page {
    fn put(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn opening(&mut self, manuscript: &Manuscript<'_>) {
        let title = escape(manuscript.title);
        self.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">");
        self.put(
            "<meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        );
        self.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        self.put("<meta name=\"color-scheme\" content=\"light dark\">");
        self.put(format!(
            "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>"
        ));
        self.put("<a class=\"skip\" href=\"#content\">Skip to the content</a>");
        if let Some(mark) = manuscript.standing.mark() {
            self.put(format!(
                "<div class=\"draft\" role=\"note\">{}</div>",
                escape(mark)
            ));
        }
        self.put("<header>");
        self.put(format!(
            "<p class=\"kind\" dir=\"auto\">{}</p>",
            escape(manuscript.kind)
        ));
        self.put(format!("<h1 dir=\"auto\">{title}</h1>"));
        if !manuscript.objective.trim().is_empty() {
            self.put(format!(
                "<p class=\"objective\"><span class=\"label\">Objective</span> <span dir=\"auto\">{}</span></p>",
                escape(manuscript.objective)
            ));
        }
        if let Some(date) = manuscript.date {
            self.put(format!(
                "<p class=\"date\" dir=\"auto\">{}</p>",
                escape(date)
            ));
        }
        self.put("</header>\n<main id=\"content\">");
        for notice in &manuscript.notices {
            self.callout(notice);
        }
    }

    fn section(&mut self, id: &str, section: &Section) {
        self.put(format!("<section aria-labelledby=\"{id}\">"));
        self.put(format!(
            "<h2 id=\"{id}\" dir=\"auto\">{}</h2>",
            escape(&section.heading)
        ));
        for block in &section.blocks {
            self.block(block);
        }
        self.put("</section>");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => {
                self.put(format!("<h3 dir=\"auto\">{}</h3>", escape(text)));
            }
            Block::Paragraph(spans) => {
                let text = self.spans(spans);
                self.put(format!("<p dir=\"auto\">{text}</p>"));
            }
            Block::Bullets(items) => {
                self.put("<ul>");
                for spans in items {
                    let text = self.spans(spans);
                    self.put(format!("<li dir=\"auto\">{text}</li>"));
                }
                self.put("</ul>");
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
                self.put(format!(
                    "<blockquote dir=\"auto\">{}{cites}</blockquote>",
                    escape(text)
                ));
            }
        }
    }

    fn table(&mut self, caption: &str, columns: &[Column], rows: &[Vec<Vec<Span>>]) {
        let count = column_count(columns, rows);
        let name = escape(caption);
        self.put(format!(
            "<div class=\"table\" role=\"region\" aria-label=\"Table: {name}\" tabindex=\"0\">\n<table>"
        ));
        if !caption.trim().is_empty() {
            self.put(format!("<caption dir=\"auto\">{name}</caption>"));
        }
        let share = |index: usize| columns.get(index).map_or(1, |column| column.width.max(1));
        let whole: u32 = (0..count).map(|index| u32::from(share(index))).sum();
        self.text.push_str("<colgroup>");
        for index in 0..count {
            let percent = f64::from(share(index)) * 100.0 / f64::from(whole.max(1));
            let _ = write!(self.text, "<col style=\"width:{percent:.2}%\">");
        }
        self.put("</colgroup>\n<thead><tr>");
        let align = |index: usize| match columns.get(index).map(|column| column.align) {
            Some(Align::Right) => "right",
            Some(Align::Centre) => "centre",
            Some(Align::Left) | None => "left",
        };
        for index in 0..count {
            let heading = columns
                .get(index)
                .map_or("", |column| column.heading.as_str());
            self.put(format!(
                "<th scope=\"col\" class=\"{}\" dir=\"auto\">{}</th>",
                align(index),
                escape(heading)
            ));
        }
        self.put("</tr></thead>\n<tbody>");
        for (row, tints) in rows.iter().zip(tints(columns, rows)) {
            self.put("<tr>");
            for index in 0..count {
                let text = row
                    .get(index)
                    .map_or_else(String::new, |cell| self.spans(cell));
                let tint = match tints.get(index) {
                    Some(Tint::Low) => " low",
                    Some(Tint::Middle) => " middle",
                    Some(Tint::High) => " high",
                    Some(Tint::None) | None => "",
                };
                self.put(format!(
                    "<td class=\"{}{tint}\" dir=\"auto\">{text}</td>",
                    align(index)
                ));
            }
            self.put("</tr>");
        }
        self.put("</tbody>\n</table>\n</div>");
    }

    /// Drawn for light and for dark; the style shows the one that fits.
    fn chart(&mut self, caption: &str, chart: &Chart) {
        self.put("<figure class=\"chart\">");
        for (theme, class) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            match draw(chart, theme) {
                Ok(drawing) => {
                    self.put(format!(
                        "<div class=\"{class}\">{}</div>",
                        drawing.svg.trim()
                    ));
                }
                Err(refusal) => {
                    self.put(format!(
                        "<p class=\"undrawn\">This chart cannot be drawn: {}</p>",
                        escape(&refusal.to_string())
                    ));
                    break;
                }
            }
        }
        self.put(format!(
            "<figcaption dir=\"auto\">{}</figcaption>\n</figure>",
            escape(caption)
        ));
    }

    fn figures(&mut self, figures: &[Figure]) {
        self.put("<dl class=\"figures\">");
        for figure in figures {
            let cites = self.cites(&figure.cites);
            self.put(format!(
                "<div><dt dir=\"auto\">{}{cites}</dt><dd dir=\"auto\">{}</dd></div>",
                escape(&figure.label),
                escape(&figure.value)
            ));
        }
        self.put("</dl>");
    }

    fn callout(&mut self, callout: &Callout) {
        let tone = match callout.tone {
            Tone::Note => "note",
            Tone::Good => "good",
            Tone::Warning => "warning",
            Tone::Bad => "bad",
        };
        let text = self.spans(&callout.text);
        self.put(format!(
            "<aside class=\"callout {tone}\">\n<p class=\"callout-title\" dir=\"auto\">{}</p>\n<p dir=\"auto\">{text}</p>\n</aside>",
            escape(&callout.title)
        ));
    }

    fn sources(&mut self, sources: &[Source]) {
        self.put("<section class=\"sources\" aria-labelledby=\"sources\">");
        self.put(format!("<h2 id=\"sources\">{SOURCES_HEADING}</h2>"));
        if sources.is_empty() {
            self.put("<p>No source is cited.</p>");
        }
        for (index, source) in sources.iter().enumerate() {
            self.source(index + 1, source);
        }
        self.put("</section>");
    }

    fn source(&mut self, number: usize, source: &Source) {
        self.put(format!(
            "<h3 dir=\"auto\">{number}. {}</h3>",
            escape(&source.title)
        ));
        let mut facts: Vec<String> = source_facts(source)
            .iter()
            .map(|fact| escape(fact))
            .collect();
        match (web_address(source), &source.place) {
            (Some(address), _) => facts.push(format!(
                "<a href=\"{0}\" rel=\"noopener noreferrer\">{0}</a>",
                escape(address)
            )),
            (None, Some(place)) if !place.trim().is_empty() => facts.push(escape(place)),
            (None, _) => {}
        }
        if !facts.is_empty() {
            self.put(format!(
                "<p class=\"facts\" dir=\"auto\">{}</p>",
                facts.join(" \u{B7} ")
            ));
        }
        for passage in &source.passages {
            self.passage(passage);
        }
    }

    fn passage(&mut self, passage: &Passage) {
        let number = passage.number;
        self.put(format!(
            "<div class=\"passage\" id=\"passage-{number}\"><span class=\"number\">{number}</span>\n<blockquote dir=\"auto\">{}</blockquote>",
            escape(passage.text.trim())
        ));
        let told: Vec<String> = whereabouts(passage)
            .into_iter()
            .map(|it| match it {
                Whereabout::Place(place) => format!("<span dir=\"auto\">{}</span>", escape(place)),
                Whereabout::Address(address) => {
                    format!("<code dir=\"ltr\">{}</code>", escape(address))
                }
            })
            .collect();
        if !told.is_empty() {
            self.put(format!("<p class=\"where\">{}</p>", told.join(" \u{B7} ")));
        }
        let turns = self.citations.turns(number);
        let back: Vec<String> = (1..=turns.min(BACK_LINKS_MAX))
            .map(|turn| {
                format!(
                    "<a href=\"#cite-{number}-{turn}\" aria-label=\"Back to citation {turn} of passage {number}\">\u{21A9}\u{FE0E}{turn}</a>"
                )
            })
            .collect();
        if !back.is_empty() {
            self.put(format!(
                "<p class=\"back\"><span class=\"label\">Cited</span> {}</p>",
                back.join(" ")
            ));
        }
        self.put("</div>");
    }

    fn spans(&mut self, spans: &[Span]) -> String {
        let mut text = String::new();
        for span in spans {
            let words = escape(&span.text);
            let _ = if span.strong {
                write!(text, "<strong>{words}</strong>")
            } else {
                write!(text, "{words}")
            };
            if let Some(mark) = span.mark {
                let _ = write!(text, " <em class=\"mark\">{}</em>", mark_word(mark));
            }
            text.push_str(&self.cites(&span.cites));
        }
        text
    }

    fn cites(&mut self, cites: &[u32]) -> String {
        if cites.is_empty() {
            return String::new();
        }
        let links: Vec<String> = cites
            .iter()
            .map(|number| match self.citations.cite(*number) {
                Citation::Found { number, turn } => format!(
                    "<a id=\"cite-{number}-{turn}\" href=\"#passage-{number}\" aria-label=\"Passage {number}\">{number}</a>"
                ),
                Citation::Missing { number } => {
                    format!("<span class=\"missing\">{number}: no such passage</span>")
                }
            })
            .collect();
        format!("<sup class=\"cite\">{}</sup>", links.join(", "))
    }
}
