//! `adjutant kb review`: what a careful reader notices in the documents.

use adjutant_app::document_review::{DocumentReview, review};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::knowledge::{check_named, namespaces};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::single_question::defect;
use adjutant_knowledge_base::{KnowledgeBase, Shelf};
use adjutant_reader::Date;
use adjutant_reports::{DocumentsRead, Miscounted, Missing, Owed, OwedStatus, Stated};
use serde_json::json;

use crate::args::KbReview;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, count, wrap};

const INDENT: usize = 3;
/// How many of each kind are shown unless all are wanted.
const SHOWN_MAX: usize = 8;
/// The most that is shown of one statement, in characters.
const SENTENCE_CHARS_MAX: usize = 240;

pub(super) async fn run(settings: &Settings, wanted: KbReview) -> Result<Exit, AppError> {
    let today = today(wanted.today.as_deref())?;
    check_named(&namespaces(settings).await?, &wanted.namespaces)?;
    let store = ReadOnlyStore::expect(settings).await?;
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(store.journal, &shelf);
    let review = review(&base, &wanted.namespaces, None, today).await?;
    if wanted.json.json {
        let told = serde_json::to_value(&review.found).map_err(|error| defect(&error))?;
        output::line(&json!({ "review": told }).to_string())?;
        return Ok(Exit::Ok);
    }
    let page = Page {
        lines: Vec::new(),
        width: output::size().0.clamp(40, 110),
        most: if wanted.all { usize::MAX } else { SHOWN_MAX },
        cut: false,
    };
    Line::print_all(&page.of(&review), output::paint())?;
    Ok(Exit::Ok)
}

fn today(given: Option<&str>) -> Result<Date, AppError> {
    let Some(text) = given else {
        let now = jiff::Zoned::now().date().to_string();
        return Date::from_iso(&now).ok_or_else(|| no_date(&now));
    };
    let date = Date::from_iso(text).filter(|date| date.day().is_some());
    date.ok_or_else(|| no_date(text))
}

fn no_date(text: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-8014",
        format!("--today: `{text:.40}` is not a day"),
        "Write it as year, month and day: 2026-09-30.",
    )
}

struct Page {
    lines: Vec<Line>,
    width: usize,
    most: usize,
    /// Whether something was left out.
    cut: bool,
}

impl Page {
    fn of(mut self, review: &DocumentReview) -> Vec<Line> {
        let found = &review.found;
        self.section(
            "Replaced by a later version",
            &found.replaced,
            |page, one| {
                page.put(Tone::Plain, &format!("{} by {}", one.source, one.by));
            },
        );
        self.section("Changed since", &found.changed, |page, values| {
            page.values(values);
        });
        self.section("Sums that do not add up", &found.wrong_sums, Self::sum);
        self.perhaps(found);
        self.section("Owed", &found.owed, Self::owed);
        self.section("Missing", &found.missing, Self::missing);
        let read = count(found.documents.len(), "document");
        let took = review.took.as_secs_f64();
        let today = &found.today;
        self.lines.push(Line::of(
            Tone::Dim,
            format!(
                " {read} read completely in {took:.1} s, without a language model; due dates as of {today}."
            ),
        ));
        if self.cut {
            self.lines
                .push(Line::of(Tone::Dim, " `--all` lists everything."));
        }
        self.lines
    }

    /// Most possible conflicts turn out to be about different cases, so they are only listed with `--all`.
    fn perhaps(&mut self, found: &DocumentsRead) {
        if self.most == usize::MAX {
            let heading = "Possible conflicts: different values";
            self.section(heading, &found.differing, |page, values| {
                page.values(values);
            });
            let heading = "Possible conflicts: said here, denied there";
            self.section(heading, &found.contradicting, |page, pair| {
                page.values(pair);
            });
            return;
        }
        let pairs = found.differing.len() + found.contradicting.len();
        if pairs > 0 {
            self.cut = true;
            let told = format!(" Possible conflicts ({pairs}): `--all` lists them");
            self.lines.extend([Line::of(Tone::Bold, told), Line::new()]);
        }
    }

    fn section<T>(&mut self, heading: &str, all: &[T], show: impl Fn(&mut Self, &T)) {
        let title = format!(" {heading} ({})", all.len());
        self.lines.push(Line::of(Tone::Bold, title));
        for one in all.iter().take(self.most) {
            self.lines.push(Line::new());
            show(self, one);
        }
        let rest = all.len().saturating_sub(self.most);
        if rest > 0 {
            self.cut = true;
            self.lines.push(Line::new());
            self.put(Tone::Dim, &format!("and {rest} more"));
        }
        self.lines.push(Line::new());
    }

    fn put(&mut self, tone: Tone, text: &str) {
        let room = self.width.saturating_sub(INDENT + 1);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in wrap(&text, room) {
            let line = Line::new().plain(" ".repeat(INDENT)).and(tone, part);
            self.lines.push(line);
        }
    }

    fn values(&mut self, values: &[Stated]) {
        for stated in values {
            match &stated.value {
                Some(value) => self.put(Tone::Bold, value),
                None => self.put(Tone::Plain, &cut(&stated.sentence)),
            }
            if stated.value.is_some() {
                self.put(Tone::Plain, &cut(&stated.sentence));
            }
            self.place(stated);
        }
    }

    fn place(&mut self, stated: &Stated) {
        let date = stated.date.as_ref();
        let date = date.map_or(String::new(), |date| format!(" · {date}"));
        let told = format!("{}{date}", stated.address);
        self.put(Tone::Running, &told);
    }

    fn sum(&mut self, wrong: &Miscounted) {
        let computed = match wrong.unit.as_str() {
            "min" if wrong.computed >= 60.0 => {
                let (hours, minutes) = ((wrong.computed / 60.0).floor(), wrong.computed % 60.0);
                format!("{hours:.0} h {minutes:02.0} min")
            }
            unit => format!("{} {unit}", grouped(wrong.computed)),
        };
        let told = format!(
            "{} is stated; its parts come to {}",
            wrong.stated,
            computed.trim_end()
        );
        self.put(Tone::Bold, &told);
        self.put(Tone::Plain, &cut(&wrong.at.sentence));
        self.place(&wrong.at);
    }

    fn owed(&mut self, one: &Owed) {
        let tone = match one.status {
            OwedStatus::Overdue => Tone::Failed,
            OwedStatus::Open => Tone::Human,
            OwedStatus::Fulfilled => Tone::Done,
        };
        let status = match one.status {
            OwedStatus::Overdue => "overdue",
            OwedStatus::Open => "open",
            OwedStatus::Fulfilled => "done",
        };
        let due = one.due.as_ref();
        let due = due.map_or(String::new(), |due| format!(", due {due}"));
        let who = one.who.as_deref().unwrap_or("nobody is named");
        self.put(tone, &format!("{status}{due}: {who}"));
        self.put(Tone::Plain, &cut(&one.what));
        self.place(&one.at);
        if let Some(by) = &one.fulfilled_by {
            self.put(Tone::Dim, &format!("done by: {}", cut(&by.sentence)));
            self.place(by);
        }
    }

    fn missing(&mut self, one: &Missing) {
        self.put(Tone::Bold, &cut(&one.what));
        self.put(Tone::Dim, &one.kind);
        if one.at.sentence != one.what {
            self.put(Tone::Plain, &cut(&one.at.sentence));
        }
        self.place(&one.at);
    }
}

/// A number with its thousands apart.
fn grouped(number: f64) -> String {
    let written = format!("{}", (number * 100.0).round() / 100.0);
    let (whole, rest) = written.split_once('.').unwrap_or((&written, ""));
    let mut shown = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && digit.is_ascii_digit() && (whole.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    if !rest.is_empty() {
        shown.push('.');
        shown.push_str(rest);
    }
    shown
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SENTENCE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}
