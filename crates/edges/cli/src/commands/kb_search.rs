//! `adjutant kb search`: passages, best first, and why.

use adjutant_knowledge_base::{KnowledgeBase, Passage, Passages, Shelf};
use adjutant_knowledge_index::{TermOrigin, TermShare, Way};
use adjutant_tools::Wanted;
use serde_json::{Value, json};

use crate::args::KbSearch;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, count, wrap};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::knowledge::Embedding;
use adjutant_app::knowledge::{by_words, look_up, query, title};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

/// Lines of a passage that are shown; `kb show` has the rest.
const LINES_SHOWN: usize = 4;
const INDENT: usize = 4;
/// Of the words that the best passages added, those that count most; `--json` has all.
const ADDED_SHOWN: usize = 6;

pub(super) async fn run(settings: &Settings, search: KbSearch) -> Result<Exit, AppError> {
    for date in search.from.iter().chain(&search.to) {
        if !is_date(date) {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-8014",
                format!("`{date}` is not a date"),
                "Write 2024, 2024-03 or 2024-03-01.",
            ));
        }
    }
    let wanted = Wanted {
        question: search.question,
        namespaces: search.namespaces,
        kinds: search.kinds,
        tags: search.tags,
        from: search.from,
        to: search.to,
        most: search.most,
    };
    let reading = ReadOnlyStore::expect(settings).await?;
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(reading.journal, &shelf);
    let embedding = Embedding::of(settings)?;
    let (found, trouble) = look_up(&base, embedding.as_ref(), query(wanted)).await?;
    if let Some(trouble) = trouble {
        output::note(&by_words(&trouble));
    }
    match Form::from(search.json.json) {
        Form::Json => as_json(&found, search.explain),
        Form::Text => as_text(&found, search.explain),
    }
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    parts.next().is_some_and(|year| digits(year, 4))
        && parts.by_ref().take(2).all(|part| digits(part, 2))
        && parts.next().is_none()
}

fn way_name(way: Way) -> &'static str {
    match way {
        Way::Words => "words",
        Way::Spelling => "spelling",
        Way::Expansion => "expansion",
        Way::Neighbours => "neighbours",
        Way::Vectors => "vectors",
        Way::Diversity => "diversity",
    }
}

fn origin_name(origin: TermOrigin) -> &'static str {
    match origin {
        TermOrigin::Asked => "asked",
        TermOrigin::Spelled => "spelled",
        TermOrigin::Expanded => "expanded",
    }
}

fn as_json(found: &Passages, explain: bool) -> Result<Exit, AppError> {
    for (rank, passage) in (1..).zip(&found.passages) {
        let mut told = json!({
            "rank": rank, "address": passage.address.to_string(), "title": passage.document.title,
            "source": passage.document.source, "kind": passage.document.kind, "date": passage.document.date,
            "headings": passage.place.headings, "pages": passage.place.pages, "score": passage.score,
            "text": passage.text,
        });
        if explain && let Value::Object(fields) = &mut told {
            fields.insert("explained".into(), explained(passage));
        }
        output::line(&told.to_string())?;
    }
    Ok(Exit::Ok)
}

fn explained(passage: &Passage) -> Value {
    let of = &passage.explained;
    let terms: Vec<Value> = of
        .terms
        .iter()
        .map(|term| {
            json!({
                "term": term.term, "origin": origin_name(term.origin), "weight": term.weight,
                "in_body": term.in_body, "in_heads": term.in_heads, "passages_with": term.chunks_with,
                "idf": term.idf, "length_norm": term.length_norm,
                "passage_share": term.passage_share, "document_share": term.document_share,
            })
        })
        .collect();
    let ways: Vec<Value> = of
        .ways
        .iter()
        .map(|way| {
            json!({
                "way": way_name(way.way), "rank": way.rank, "value": way.value, "best": way.best,
                "weight": way.weight, "share": way.share,
            })
        })
        .collect();
    let diversity = of
        .diversity
        .map(|moved| json!({ "from": moved.from, "to": moved.to, "factor": moved.factor }));
    json!({ "terms": terms, "ways": ways, "diversity": diversity })
}

fn as_text(found: &Passages, explain: bool) -> Result<Exit, AppError> {
    let (width, _) = output::size();
    let room = room(width);
    let mut lines = Vec::new();
    if found.passages.is_empty() {
        nothing_found(found.searched);
        return Ok(Exit::Ok);
    }
    for (rank, passage) in (1..).zip(&found.passages) {
        let shown = Shown {
            title: title(passage),
            pages: passage.place.pages,
            date: passage.document.date.clone(),
            text: passage.text.clone(),
            address: passage.address.to_string(),
        };
        lines.extend(shown.lines(rank, width));
        if explain {
            lines.extend(explanation(passage, room));
        }
        lines.push(Line::new());
    }
    if explain && !found.expanded_with.is_empty() {
        let words: Vec<String> = found
            .expanded_with
            .iter()
            .map(|(term, weight)| format!("{term} {weight:.2}"))
            .collect();
        let told = format!("The best passages added: {}", words.join(", "));
        lines.extend(
            wrap(&told, width)
                .iter()
                .map(|line| Line::of(Tone::Dim, line)),
        );
    }
    lines.push(searched(found.searched));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

pub(super) fn searched(passages: u32) -> Line {
    let were = if passages == 1 { "was" } else { "were" };
    let passages = count(passages as usize, "passage");
    Line::of(Tone::Dim, format!("{passages} {were} searched."))
}

pub(super) fn nothing_found(searched: u32) {
    let searched = count(searched as usize, "passage");
    output::note(&format!("Nothing found in {searched}."));
}

/// A passage as it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) title: String,
    pub(super) pages: Option<(u32, u32)>,
    pub(super) date: Option<String>,
    pub(super) text: String,
    pub(super) address: String,
}

impl Shown {
    pub(super) fn lines(&self, rank: u32, width: usize) -> Vec<Line> {
        let mut place = Vec::new();
        if let Some((first, last)) = self.pages {
            place.push(match first == last {
                true => format!("page {first}"),
                false => format!("pages {first} to {last}"),
            });
        }
        place.extend(self.date.clone());
        let mut lines = vec![
            Line::of(Tone::Dim, format!("{rank:>2}  "))
                .and(Tone::Bold, &self.title)
                .and(Tone::Dim, format!("  {}", place.join(" · ")))
                .fit(width),
        ];
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let wrapped = wrap(&text, room(width));
        let more = wrapped.len() > LINES_SHOWN;
        for (at, line) in wrapped.iter().take(LINES_SHOWN).enumerate() {
            let end = if more && at + 1 == LINES_SHOWN {
                " …"
            } else {
                ""
            };
            lines.push(Line::new().plain(format!("    {line}{end}")).fit(width));
        }
        lines.push(Line::of(Tone::Running, format!("    {}", self.address)));
        lines
    }
}

fn room(width: usize) -> usize {
    width.saturating_sub(INDENT).max(20)
}

fn share(term: &TermShare) -> f64 {
    term.passage_share + term.document_share
}

fn explanation(passage: &Passage, room: usize) -> Vec<Line> {
    let of = &passage.explained;
    let mut told = vec![Line::of(
        Tone::Dim,
        format!("    score {:.4}", passage.score),
    )];
    let mut ways = Table::headed(&["way", "share", "rank", "value", "of best", "weight"]);
    for way in &of.ways {
        ways.row([
            Line::new().plain(way_name(way.way)),
            Line::new().plain(format!("{:.4}", way.share)),
            Line::new().plain(way.rank.map_or("–".into(), |rank| rank.to_string())),
            Line::new().plain(format!("{:.3}", way.value)),
            Line::new().plain(format!("{:.3}", way.best)),
            Line::new().plain(format!("{:.2}", way.weight)),
        ]);
    }
    let mut terms = Table::headed(&[
        "term", "", "in text", "in heads", "passages", "idf", "share",
    ]);
    let (shown, rest): (Vec<_>, Vec<_>) = of.terms.iter().partition(|term| {
        let stronger =
            |other: &&TermShare| other.origin == TermOrigin::Expanded && share(other) > share(term);
        term.origin != TermOrigin::Expanded
            || of.terms.iter().filter(stronger).count() < ADDED_SHOWN
    });
    for term in shown {
        terms.row([
            Line::of(Tone::Bold, &term.term),
            Line::of(Tone::Dim, origin_name(term.origin)),
            Line::new().plain(term.in_body.to_string()),
            Line::new().plain(term.in_heads.to_string()),
            Line::new().plain(term.chunks_with.to_string()),
            Line::new().plain(format!("{:.2}", term.idf)),
            Line::new().plain(format!("{:.3}", share(term))),
        ]);
    }
    for table in [ways, terms] {
        for line in table.lines(room, 0) {
            told.push(Line::new().plain("    ").then(line));
        }
    }
    if !rest.is_empty() {
        let sum: f64 = rest.iter().map(|term| share(term)).sum();
        let words = count(rest.len(), "added word");
        told.push(Line::of(
            Tone::Dim,
            format!("     and {words} more, {sum:.3} together"),
        ));
    }
    if let Some(moved) = of.diversity.filter(|moved| moved.from != moved.to) {
        let (from, to) = (moved.from, moved.to);
        let line =
            format!("    ranked {to}, by score alone {from}: other passages are nearly the same");
        told.push(Line::of(Tone::Dim, line));
    }
    told
}
