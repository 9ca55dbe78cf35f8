//! Weak signals of what may come: sentences that speak of a plan, a proposal, a first step or a trend, by topic, with how far off
//! it is, how strong the sign is, and what would confirm it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use adjutant_charts::{Axis, Chart, HeatMap, HeatScale};
use adjutant_questions::Source;
use adjutant_text::dates::Date;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Found};
use crate::method::{InputRefused, Method, read_input};
use crate::text::counted;
use crate::watched::ahead::{Distance, date_of, dates};
use crate::watched::shown::filled;
use crate::watched::{Documents, Earlier, Item, LookedUp, News, Read, Seen, StateOf, each_once};
use crate::words::{covered, short, stems};

const BY: &str = "weak_signals";
const SIGNALS_MAX: usize = 40;
const TOPICS_MAX: usize = 12;
const FIRST_MAX: usize = 3;
const WORDS_MIN: usize = 6;
const WORDS_MAX: usize = 70;
const CELL_CHARS_MAX: usize = 320;
/// A document older than this says nothing of what is to come, unless it names a date that is still ahead.
const FRESH_YEARS: u16 = 1;

pub(crate) const WEAK_SIGNALS: Method = Method {
    id: BY,
    name: "Weak signals",
    about: "Finds signs of what may come in documents and search results, by topic, with how far off it is, how strong the sign \
            is and what would confirm it; with an earlier report, only what is new, changed or gone since.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "topics": {"type": "array", "description": "Topics to sort by, as texts; the usual ones if there are none."},
            "documents": {"type": "array", "description": "Results of `whole_documents`."},
            "looked_up": {"type": "array", "description": "Searches: `where` and `answer`."},
            "attachments": {"type": "array", "description": "Attached texts, as sources."},
            "findings": {"type": "array", "description": "Answers of `extract` questions, whose passages are signs as well."},
            "earlier": {"type": "array", "description": "Results of `earlier_report`."},
            "as_of": {"type": "string", "description": "The day from which it is counted."},
            "choices": {"type": "array", "description": "Answers of checkpoints: `soonest_first` orders by date, `strongest_first` by strength, `confirmed_only` leaves out what only one document says."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).and_then(weak_signals),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    topics: Vec<String>,
    documents: Vec<Documents>,
    looked_up: Vec<LookedUp>,
    attachments: Vec<Source>,
    findings: Vec<Found>,
    earlier: Vec<Earlier>,
    as_of: String,
    choices: Vec<Choice>,
}

/// What kind of sign a sentence is, the least certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Proposed,
    Planned,
    Trend,
    Begun,
}

static PROPOSED: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems("propose proposal consultation consider considers discuss suggest"));
static PLANNED: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems("intend schedule expect forecast await upcoming forthcoming"));
/// Words of a plan that are no names of one: “plans to” and not “the plan”.
const PLANNING: &[&str] = &[
    "plans to",
    "planned for",
    "planning to",
    "is planned",
    "are planned",
    "will",
    "is to",
    "are to",
];
static TREND: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    stems("increase grow growth decline shift trend emerge emerging double shortage")
});
static BEGUN: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems("announce launch submit pilot introduce"));

/// Topics of which nobody said anything, with words that belong to them.
static USUAL_TOPICS: LazyLock<Vec<(&str, BTreeSet<String>)>> = LazyLock::new(|| {
    [
        (
            "Rules and authorities",
            "law regulation authority agency rule guideline licence court government approval",
        ),
        (
            "Market and competitors",
            "market competitor rival price sale customer demand launch",
        ),
        (
            "Science and technology",
            "trial study research technology software method patent science invention",
        ),
        (
            "Supply and operations",
            "supply stock capacity delivery manufacturing factory transport",
        ),
        ("Money", "budget cost cash funding investment loan tax"),
        ("People", "staff team training hire resign union public"),
    ]
    .map(|(name, words)| (name, stems(words)))
    .into()
});
const OTHER: &str = "Other";

#[derive(Debug)]
struct Signal {
    item: Item,
    topic: String,
    sign: Sign,
    date: Option<Date>,
    distance: Distance,
    strength: u8,
}

fn weak_signals(request: Request) -> Result<Exhibit, InputRefused> {
    let today = today(&request.as_of, &request.earlier)?;
    let read = Read::of(&request.documents, &request.looked_up, &request.attachments);
    let mut all = signals(&request, &read, today);
    if Choice::chose(&request.choices, "confirmed_only") {
        all.retain(|one| one.item.documents() > 1);
    }
    order(&mut all, &request.choices);
    all.truncate(SIGNALS_MAX);
    let items = all.iter().map(|one| one.item.clone()).collect();
    let news = News::since(BY, StateOf::AllPlaces, &request.earlier, items, &read);
    let is_news =
        |one: &Signal| !news.follows || news.new.iter().any(|new| new.text == one.item.text);
    let shown: Vec<&Signal> = all.iter().filter(|one| is_news(one)).collect();
    Ok(told(&shown, &all, &news))
}

/// The day from which is counted: the given one, else the one on which the mission runs.
pub(crate) fn today(as_of: &str, earlier: &[Earlier]) -> Result<Date, InputRefused> {
    let day = match as_of.trim() {
        "" => earlier.first().map_or("", |earlier| earlier.today.as_str()),
        day => day,
    };
    let date = Date::from_iso(day).filter(|date| date.day().is_some());
    date.ok_or_else(|| {
        InputRefused(format!(
            "`as_of` is `{day:.40}`, which is not a day: write 2026-09-30"
        ))
    })
}

fn signals(request: &Request, read: &Read, today: Date) -> Vec<Signal> {
    let subject = stems(&request.objective);
    let topics = stems(&request.topics.join(" "));
    let named: Vec<&str> = request
        .findings
        .iter()
        .flat_map(|found| &found.findings)
        .flat_map(|finding| &finding.evidence)
        .map(|one| one.quote.as_str())
        .collect();
    let seen = request.earlier.first().map(|earlier| earlier.seen.clone());
    let seen: Seen = seen
        .and_then(|seen| serde_json::from_value(seen).ok())
        .unwrap_or_default();
    let mut items = Vec::new();
    for (place, source) in &read.sources {
        let published = source.published.as_deref().and_then(Date::from_iso);
        let is_old = published.is_some_and(|date| date.year() + FRESH_YEARS < today.year());
        for range in adjutant_text::sentences::sentences(&source.text) {
            let text = &source.text[range];
            let words = stems(text);
            let Some(sign) = sign_of(text, &words).filter(|_| is_told(text)) else {
                continue;
            };
            let is_named = named
                .iter()
                .any(|quote| quote.contains(text) || text.contains(quote));
            let concerns = is_named || !words.is_disjoint(&subject) || !words.is_disjoint(&topics);
            // Of what has no date that is still ahead, only what is fresh, on the subject, and not over.
            let has_date = !dates(text).is_empty();
            let is_ahead = dates(text).iter().any(|date| date.last_day() >= today);
            let is_sign = is_ahead || (concerns && !is_old && !has_date && sign != Sign::Begun);
            let item = Item::new("", text, place, evidence(source, text));
            // What was told before is told of until it is gone, also once its day has passed.
            if is_sign || seen.items.iter().any(|known| known.text == item.text) {
                items.push(item);
            }
        }
    }
    let once = each_once(items);
    let mut signals: Vec<Signal> = once
        .into_iter()
        .map(|item| signal(item, &request.topics, today))
        .collect();
    corroborate(&mut signals);
    signals
}

fn evidence(source: &Source, text: &str) -> adjutant_questions::Evidence {
    adjutant_questions::Evidence {
        source: source.id.clone(),
        quote: text.to_owned(),
    }
}

/// A sentence, and neither a heading nor a row of a table.
pub(crate) fn is_told(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let is_row = text.matches('|').count() > 1 || text.starts_with('#');
    (WORDS_MIN..=WORDS_MAX).contains(&words)
        && !is_row
        && text.trim_end().ends_with(['.', '!', '"', '”', ')'])
}

fn sign_of(text: &str, words: &BTreeSet<String>) -> Option<Sign> {
    let small = format!(" {} ", text.to_lowercase());
    let is_planned = PLANNING
        .iter()
        .any(|phrase| small.contains(&format!(" {phrase} ")));
    [
        (Sign::Begun, &BEGUN),
        (Sign::Trend, &TREND),
        (Sign::Planned, &PLANNED),
        (Sign::Proposed, &PROPOSED),
    ]
    .into_iter()
    .find_map(|(sign, list)| {
        let says = !words.is_disjoint(list) || (sign == Sign::Planned && is_planned);
        says.then_some(sign)
    })
}

fn signal(item: Item, topics: &[String], today: Date) -> Signal {
    let words = stems(&item.text);
    let date = date_of(&item.text, today);
    Signal {
        topic: topic_of(&words, topics),
        sign: sign_of(&item.text, &words).unwrap_or(Sign::Proposed),
        date,
        distance: Distance::between(today, date),
        strength: 0,
        item,
    }
}

fn topic_of(words: &BTreeSet<String>, topics: &[String]) -> String {
    let own = topics
        .iter()
        .take(TOPICS_MAX)
        .map(|topic| (covered(&stems(topic), words), topic.as_str()));
    let best = match topics.is_empty() {
        false => own.fold(
            (0.0, OTHER),
            |best, one| if one.0 > best.0 { one } else { best },
        ),
        true => USUAL_TOPICS
            .iter()
            .map(|(name, list)| (list.intersection(words).count() as f64, *name))
            .fold(
                (0.0, OTHER),
                |best, one| if one.0 > best.0 { one } else { best },
            ),
    };
    best.1.to_owned()
}

/// One step each for: something has happened, a date is named, two documents say it, more than two do.
fn corroborate(signals: &mut [Signal]) {
    let words: Vec<BTreeSet<String>> = signals.iter().map(|one| stems(&one.item.text)).collect();
    let documents: Vec<String> = signals.iter().map(|one| one.item.origin.clone()).collect();
    for (at, signal) in signals.iter_mut().enumerate() {
        let others = words.iter().enumerate().filter(|(other, theirs)| {
            documents[*other] != documents[at] && crate::words::likeness(&words[at], theirs) >= 0.5
        });
        let others: BTreeSet<&str> = others.map(|(other, _)| documents[other].as_str()).collect();
        let all = signal.item.documents() + others.len();
        signal.strength = 1
            + u8::from(signal.sign == Sign::Begun)
            + u8::from(signal.date.is_some())
            + u8::from(all > 1)
            + u8::from(all > 2);
        signal.strength = signal.strength.min(4);
        let passed = if signal.distance == Distance::Passed {
            ", its date has passed"
        } else {
            ""
        };
        signal.item.state = format!("{}{passed}", strength_name(signal.strength));
    }
}

fn strength_name(strength: u8) -> &'static str {
    match strength {
        1 => "faint",
        2 => "weak",
        3 => "clear",
        _ => "strong",
    }
}

fn order(signals: &mut [Signal], choices: &[Choice]) {
    let by_strength = |one: &Signal| (std::cmp::Reverse(one.strength), one.distance);
    if Choice::chose(choices, "soonest_first") {
        signals.sort_by_key(|one| (one.distance, std::cmp::Reverse(one.strength)));
    } else {
        signals.sort_by_key(by_strength);
    }
}

/// What would show that it comes.
fn confirmed_by(signal: &Signal) -> String {
    let second = match signal.item.documents() {
        0 | 1 => "; a second source that says so",
        _ => "",
    };
    let date = signal.date.map(Date::iso).unwrap_or_default();
    let first = match (signal.sign, signal.distance) {
        (_, Distance::Passed) => format!("a record that it happened by {date}"),
        (Sign::Proposed, _) => "a decision on it by whoever proposed it".to_owned(),
        (Sign::Planned, Distance::Open) => "a date or money set aside for it".to_owned(),
        (Sign::Planned, _) => format!("that it happens by {date}"),
        (Sign::Trend, _) => "the next figure, if it goes the same way".to_owned(),
        (Sign::Begun, _) => "a second step, or a first result".to_owned(),
    };
    format!("{first}{second}")
}

fn told(shown: &[&Signal], all: &[Signal], news: &News) -> Exhibit {
    let mut exhibit = Exhibit::default();
    for one in shown.iter().take(FIRST_MAX) {
        exhibit
            .headlines
            .push(Statement::fact(&one.item.text, one.item.evidence.clone()));
    }
    let clear = all.iter().filter(|one| one.strength >= 3).count();
    let near = all
        .iter()
        .filter(|one| one.distance <= Distance::Year)
        .count();
    if !news.follows {
        let text = match all.len() {
            0 => "No sign of what may come was found in the sources".to_owned(),
            count => format!(
                "{} found; {clear} of them clear or strong, {near} within a year",
                counted(count, "sign")
            ),
        };
        exhibit.headlines.insert(0, Statement::calculation(text));
        exhibit.add_figure(all.len().to_string(), "signs");
        exhibit.add_figure(near.to_string(), "within a year");
        exhibit.add_figure(clear.to_string(), "clear or strong");
        exhibit.charts.extend(map(all));
    }
    let mut topics: Vec<&str> = Vec::new();
    for one in shown {
        if !topics.contains(&one.topic.as_str()) {
            topics.push(&one.topic);
        }
    }
    for topic in &topics {
        exhibit.tables.extend(table(topic, shown));
    }
    news.tell(&mut exhibit);
    if !shown.is_empty() {
        exhibit.add_note(
            "How strong a sign is",
            "One step each if something has already happened, if a date is named, if a second document says the same, and if a \
             third does. A faint sign is one sentence of one document without a date",
        );
    }
    let text = match news.follows {
        true => news.told(),
        false => format!(
            "{} in {}",
            counted(all.len(), "sign"),
            counted(topics.len(), "topic")
        ),
    };
    exhibit.data = news.data(&text);
    exhibit
}

fn table(topic: &str, signals: &[&Signal]) -> Option<ExhibitTable> {
    let rows = signals.iter().filter(|one| one.topic == topic).map(|one| {
        let when = match one.date {
            Some(date) => format!("{}: {}", date.iso(), one.distance.told()),
            None => one.distance.told().to_owned(),
        };
        vec![
            ExhibitCell::statement(
                short(&one.item.text, CELL_CHARS_MAX),
                one.item.evidence.clone(),
            ),
            ExhibitCell::label(when),
            ExhibitCell::label(strength_name(one.strength)),
            ExhibitCell::label(confirmed_by(one)),
        ]
    });
    let columns = vec![
        ExhibitColumn::text("Sign", 6),
        ExhibitColumn::text("When", 2),
        ExhibitColumn::text("Strength", 2),
        ExhibitColumn::text("What would confirm it", 4),
    ];
    filled(topic, columns, rows.collect())
}

/// How many signs there are by topic and distance.
fn map(signals: &[Signal]) -> Option<ExhibitChart> {
    let topics: BTreeSet<&str> = signals.iter().map(|one| one.topic.as_str()).collect();
    if topics.len() < 2 {
        return None;
    }
    let count = |topic: &str, distance: Distance| {
        let of = signals
            .iter()
            .filter(|one| one.topic == topic && one.distance == distance);
        Some(of.count() as f64)
    };
    Some(ExhibitChart {
        caption: "The horizon: signs by topic and by how far off they are".to_owned(),
        chart: Chart::HeatMap(HeatMap {
            title: "Signs by topic and distance".to_owned(),
            subtitle: Some("number of signs".to_owned()),
            source: None,
            columns: Distance::ALL.map(|one| one.told().to_owned()).to_vec(),
            rows: topics.iter().map(|topic| short(topic, 36)).collect(),
            values: topics
                .iter()
                .map(|topic| {
                    Distance::ALL
                        .map(|distance| count(topic, distance))
                        .to_vec()
                })
                .collect(),
            colours: HeatScale::default(),
            value_axis: Axis::default(),
        }),
    })
}

#[cfg(test)]
#[path = "weak_signals_tests.rs"]
mod tests;
