//! A collection of knowledge by where it came from: how many statements each document and each public source gave to each
//! topic, which gave none, how firm each statement is, and which statement holds where two do not agree.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_charts::{Axis, Chart, HeatMap, HeatScale};
use adjutant_questions::{Finding, SourceGrade};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{capital, content, counted, is_about, short};
use crate::reading::{
    Answered, Findings, Grades, OwedStatus, Reading, Stated, Wanted, document_of, documents_of,
    strength, strength_name,
};

const TOPICS_MAX: usize = 12;
const FINDINGS_MAX: usize = 120;
const ORIGINS_SHOWN_MAX: usize = 16;
const STATEMENTS_SHOWN_MAX: usize = 30;
const PAIRS_MAX: usize = 12;
const TEXT_CHARS_MAX: usize = 240;
const TITLE_CHARS_MAX: usize = 70;
const OTHER: &str = "other";
/// Options that people may choose.
const NEWER_HOLDS: &str = "newer_holds";
const STRONGER_HOLDS: &str = "stronger_holds";
const LIST_REQUESTS: &str = "list_requests";

pub(crate) const COVERAGE_MAP: Method = Method {
    id: "coverage_map",
    name: "Coverage map",
    about: "Orders collected statements by topic and origin: what was taken from where, what gave nothing, and which of two disagreeing statements holds.",
    inputs: || {
        json!({
            "topics": {"type": "array", "description": "What the collection is to cover, each with `key` and `wants`."},
            "findings": {"type": "array", "description": "Answers with findings."},
            "sources": {"type": "array", "description": "Everything that was looked through, with `id` and `title`."},
            "grade": {"type": "array", "description": "Answers to a `grade` question."},
            "reading": {"type": "array", "description": "What was read in the documents."},
            "answers": {"type": "array", "description": "Answers of people: `newer_holds` or `stronger_holds` decide where two statements do not agree, else both are kept; `list_requests` lists whom to ask for what is open."},
        })
    },
    required: &["topics", "findings", "sources"],
    apply: |input| read_input(input).and_then(coverage_map),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoverageMap {
    topics: Vec<Wanted>,
    findings: Vec<Findings>,
    sources: Vec<Origin>,
    #[serde(default)]
    grade: Vec<Grades>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    answers: Vec<Answered>,
}

#[derive(Debug, Deserialize)]
struct Origin {
    id: String,
    #[serde(default)]
    title: String,
}

/// A statement of the collection, under the topic that it is about.
struct Collected<'a> {
    finding: &'a Finding,
    topic: Option<usize>,
    strength: u8,
}

fn coverage_map(input: CoverageMap) -> Result<Exhibit, InputRefused> {
    if input.topics.is_empty() || input.topics.len() > TOPICS_MAX {
        return Err(InputRefused(format!("give 1 to {TOPICS_MAX} topics")));
    }
    let reading = Reading::of(&input.reading);
    let grades: Vec<SourceGrade> = input
        .grade
        .iter()
        .flat_map(|one| one.sources.clone())
        .collect();
    let collected = collected(&input, &reading, &grades);
    let titles = titles(&input.sources, &reading);
    let taken = taken(&collected);
    let silent: Vec<&str> = titles
        .iter()
        .filter(|(id, _)| !taken.contains_key(*id))
        .map(|(_, title)| title.as_str())
        .collect();
    let empty: Vec<usize> = (0..input.topics.len())
        .filter(|topic| !collected.iter().any(|one| one.topic == Some(*topic)))
        .collect();
    let mut exhibit = Exhibit::default();
    exhibit.headlines.extend(headlines(
        &input.topics,
        &collected,
        &titles,
        &silent,
        &empty,
    ));
    exhibit.add_figure(
        collected.len().to_string(),
        "statements collected, each with its passage",
    );
    exhibit.add_figure(
        taken.len().to_string(),
        "documents and sources that gave them",
    );
    exhibit.add_figure(silent.len().to_string(), "looked through without result");
    exhibit.add_figure(empty.len().to_string(), "topics on which nothing was found");
    exhibit.tables.extend(by_topic(&input.topics, &collected));
    exhibit
        .tables
        .extend(by_origin(&input.topics, &taken, &titles, &reading));
    exhibit
        .tables
        .extend(disagreeing(&reading, &input.answers, &grades));
    if Answered::chose(&input.answers, LIST_REQUESTS) {
        exhibit
            .tables
            .extend(requests(&input.topics, &empty, &reading));
    }
    exhibit.charts.extend(chart(&input.topics, &taken, &titles));
    if !silent.is_empty() {
        let named: Vec<String> = silent
            .iter()
            .take(10)
            .map(|title| short(title, TITLE_CHARS_MAX))
            .collect();
        let more = silent.len().saturating_sub(named.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        exhibit.add_note(
            "Looked through without result",
            format!("{}{more}", named.join("; ")),
        );
    }
    let open: Vec<&str> = empty
        .iter()
        .map(|topic| input.topics[*topic].wants.as_str())
        .collect();
    exhibit.data = json!({
        "text": in_short(&collected, &reading, &open),
        "open": open,
        "disagreeing": reading.contradicting.len(),
    });
    Ok(exhibit)
}

/// Each statement once, under the topic of which it has most words.
fn collected<'a>(
    input: &'a CoverageMap,
    reading: &Reading,
    grades: &[SourceGrade],
) -> Vec<Collected<'a>> {
    let topics: Vec<BTreeSet<String>> = input.topics.iter().map(|it| content(&it.wants)).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let all = input.findings.iter().flat_map(|one| &one.findings);
    let proved =
        all.filter(|finding| !finding.evidence.is_empty() && reading.holds(&finding.evidence));
    proved
        .filter(|finding| seen.insert(finding.text.trim()))
        .take(FINDINGS_MAX)
        .map(|finding| {
            let words = content(&finding.text);
            let common = |topic: usize| topics[topic].intersection(&words).count();
            let about = (0..topics.len())
                .filter(|topic| is_about(&topics[*topic], &finding.text) || common(*topic) > 1);
            let best = finding
                .evidence
                .iter()
                .map(|one| strength(&one.source, reading, grades))
                .max();
            Collected {
                finding,
                topic: about.max_by_key(|topic| (common(*topic), std::cmp::Reverse(*topic))),
                strength: best.unwrap_or(1),
            }
        })
        .collect()
}

/// The title of each document and source, by its id.
fn titles(sources: &[Origin], reading: &Reading) -> BTreeMap<String, String> {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for document in reading
        .documents
        .iter()
        .filter(|document| !document.is_outdated())
    {
        titles.insert(document.id.clone(), document.title.clone());
    }
    for source in sources {
        let id = document_of(&source.id);
        let title = source.title.split(" · ").next().unwrap_or_default();
        let title = if title.is_empty() { id } else { title };
        titles
            .entry(id.to_owned())
            .or_insert_with(|| title.to_owned());
    }
    titles
}

/// How many statements each origin gave to each topic; the last is for other topics.
fn taken(collected: &[Collected<'_>]) -> BTreeMap<String, BTreeMap<Option<usize>, usize>> {
    let mut taken: BTreeMap<String, BTreeMap<Option<usize>, usize>> = BTreeMap::new();
    for one in collected {
        let origins: BTreeSet<&str> = one
            .finding
            .evidence
            .iter()
            .map(|it| document_of(&it.source))
            .collect();
        for origin in origins {
            *taken
                .entry(origin.to_owned())
                .or_default()
                .entry(one.topic)
                .or_default() += 1;
        }
    }
    taken
}

fn headlines(
    topics: &[Wanted],
    collected: &[Collected<'_>],
    titles: &BTreeMap<String, String>,
    silent: &[&str],
    empty: &[usize],
) -> Vec<Statement> {
    let several = collected
        .iter()
        .filter(|one| documents_of(&one.finding.evidence) > 1)
        .count();
    let mut told = vec![Statement::calculation(format!(
        "{} collected from {} of {}; {several} stated by more than one",
        counted(collected.len(), "statement"),
        titles.len() - silent.len(),
        counted(titles.len(), "document or source")
            .replace("document or sources", "documents and sources"),
    ))];
    if !empty.is_empty() {
        let open: Vec<&str> = empty
            .iter()
            .map(|topic| topics[*topic].wants.as_str())
            .collect();
        told.push(Statement::interpretation(format!(
            "The collection has nothing on: {}",
            open.join("; ")
        )));
    }
    let mut firmest: Vec<&Collected<'_>> = collected.iter().collect();
    firmest
        .sort_by_key(|one| std::cmp::Reverse((one.strength, documents_of(&one.finding.evidence))));
    told.extend(
        firmest
            .iter()
            .take(2)
            .map(|one| Statement::fact(&one.finding.text, one.finding.evidence.clone())),
    );
    told
}

fn in_short(collected: &[Collected<'_>], reading: &Reading, open: &[&str]) -> String {
    let disagreeing = counted(reading.contradicting.len(), "pair");
    let open = match open.is_empty() {
        true => "every topic is covered".to_owned(),
        false => format!("nothing was found on {}", open.join("; ")),
    };
    format!(
        "{} collected; {disagreeing} of statements do not agree; {open}.",
        counted(collected.len(), "statement")
    )
}

/// The collection itself, topic by topic.
fn by_topic(topics: &[Wanted], collected: &[Collected<'_>]) -> Option<ExhibitTable> {
    let mut order: Vec<&Collected<'_>> = collected.iter().collect();
    order.sort_by_key(|one| {
        (
            one.topic.is_none(),
            one.topic,
            std::cmp::Reverse(one.strength),
        )
    });
    let rows: Vec<Vec<ExhibitCell>> = order
        .iter()
        .take(STATEMENTS_SHOWN_MAX)
        .map(|one| {
            let topic = one
                .topic
                .map_or(OTHER, |topic| topics[topic].wants.as_str());
            vec![
                ExhibitCell::label(capital(&short(topic, TITLE_CHARS_MAX))),
                ExhibitCell::statement(
                    short(&one.finding.text, TEXT_CHARS_MAX),
                    one.finding.evidence.clone(),
                ),
                ExhibitCell::label(strength_name(one.strength)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "The collection, by topic".to_owned(),
        columns: vec![
            ExhibitColumn::text("Topic", 3),
            ExhibitColumn::text("Statement", 9),
            ExhibitColumn::text("Evidence", 2),
        ],
        rows,
    })
}

fn by_origin(
    topics: &[Wanted],
    taken: &BTreeMap<String, BTreeMap<Option<usize>, usize>>,
    titles: &BTreeMap<String, String>,
    reading: &Reading,
) -> Option<ExhibitTable> {
    let mut order: Vec<(&String, usize)> = taken
        .iter()
        .map(|(id, of)| (id, of.values().sum()))
        .collect();
    order.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), (*id).clone()));
    let rows: Vec<Vec<ExhibitCell>> = order
        .iter()
        .take(ORIGINS_SHOWN_MAX)
        .map(|(id, count)| {
            let document = reading.document(id);
            let kind = document.map_or("public or attached source", |it| it.genre.as_str());
            let date = document.and_then(|it| it.date.clone()).unwrap_or_default();
            let of: Vec<&str> = taken[*id]
                .keys()
                .map(|topic| topic.map_or(OTHER, |topic| topics[topic].key.as_str()))
                .collect();
            vec![
                ExhibitCell::label(short(titles.get(*id).unwrap_or(*id), TITLE_CHARS_MAX)),
                ExhibitCell::label(kind),
                ExhibitCell::label(date),
                ExhibitCell::calculation(count.to_string()),
                ExhibitCell::label(of.join(", ")),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What was taken from where".to_owned(),
        columns: vec![
            ExhibitColumn::text("Document or source", 6),
            ExhibitColumn::text("What it is", 3),
            ExhibitColumn::text("Date", 2),
            ExhibitColumn::numbers("Statements", 2),
            ExhibitColumn::text("On", 3),
        ],
        rows,
    })
}

/// Statements that do not agree, and which of them the collection keeps.
fn disagreeing(
    reading: &Reading,
    answers: &[Answered],
    grades: &[SourceGrade],
) -> Option<ExhibitTable> {
    let keep = |pair: &[Stated; 2]| -> &'static str {
        let proved = pair
            .each_ref()
            .map(|one| strength(&one.address, reading, grades));
        let dates = pair
            .each_ref()
            .map(|one| one.date.clone().unwrap_or_default());
        let order = if Answered::chose(answers, NEWER_HOLDS) {
            dates[0].cmp(&dates[1])
        } else if Answered::chose(answers, STRONGER_HOLDS) {
            proved[0].cmp(&proved[1])
        } else {
            return "both, until somebody decides";
        };
        match order {
            std::cmp::Ordering::Greater => "the first",
            std::cmp::Ordering::Less => "the second",
            std::cmp::Ordering::Equal => "both: neither is ahead by this rule",
        }
    };
    let cell = |one: &Stated| ExhibitCell::statement(one.told(), one.evidence());
    let rows: Vec<Vec<ExhibitCell>> = reading
        .contradicting
        .iter()
        .take(PAIRS_MAX)
        .map(|pair| {
            vec![
                cell(&pair[0]),
                cell(&pair[1]),
                ExhibitCell::label(keep(pair)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Statements that do not agree".to_owned(),
        columns: vec![
            ExhibitColumn::text("First", 5),
            ExhibitColumn::text("Second", 5),
            ExhibitColumn::text("The collection keeps", 3),
        ],
        rows,
    })
}

/// Whom to ask for what the collection does not have: who owes something on it, as far as the documents say.
fn requests(topics: &[Wanted], empty: &[usize], reading: &Reading) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = empty
        .iter()
        .map(|topic| {
            let wanted = &topics[*topic].wants;
            let words = content(wanted);
            let waiting = reading
                .owed
                .iter()
                .filter(|one| one.status != OwedStatus::Fulfilled);
            let mut owed = waiting.filter(|one| is_about(&words, &one.at.sentence));
            let (who, why) = match owed.next() {
                Some(one) => (
                    one.who.clone().unwrap_or_else(|| "not named".to_owned()),
                    ExhibitCell::statement(
                        capital(&short(&one.what, TEXT_CHARS_MAX)),
                        one.at.evidence(),
                    ),
                ),
                None => (
                    "nobody is named".to_owned(),
                    ExhibitCell::label("no document says who has it"),
                ),
            };
            vec![
                ExhibitCell::label(capital(&short(wanted, TITLE_CHARS_MAX))),
                ExhibitCell::label(who),
                why,
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Requests for what is open".to_owned(),
        columns: vec![
            ExhibitColumn::text("What is wanted", 4),
            ExhibitColumn::text("From whom", 3),
            ExhibitColumn::text("Why from there", 6),
        ],
        rows,
    })
}

fn chart(
    topics: &[Wanted],
    taken: &BTreeMap<String, BTreeMap<Option<usize>, usize>>,
    titles: &BTreeMap<String, String>,
) -> Option<ExhibitChart> {
    if taken.len() < 2 {
        return None;
    }
    let mut order: Vec<&String> = taken.keys().collect();
    order.sort_by_key(|id| std::cmp::Reverse(taken[*id].values().sum::<usize>()));
    order.truncate(ORIGINS_SHOWN_MAX);
    let columns: Vec<Option<usize>> = (0..topics.len()).map(Some).chain([None]).collect();
    let value = |id: &String, topic: &Option<usize>| {
        Some(taken[id].get(topic).copied().unwrap_or(0) as f64)
    };
    Some(ExhibitChart {
        caption: "Coverage: statements by origin and topic".to_owned(),
        chart: Chart::HeatMap(HeatMap {
            title: "Where the collection comes from".to_owned(),
            subtitle: Some("number of statements".to_owned()),
            source: None,
            columns: columns
                .iter()
                .map(|topic| topic.map_or(OTHER.to_owned(), |topic| short(&topics[topic].key, 20)))
                .collect(),
            rows: order
                .iter()
                .map(|id| short(titles.get(*id).unwrap_or(*id), 36))
                .collect(),
            values: order
                .iter()
                .map(|id| columns.iter().map(|topic| value(id, topic)).collect())
                .collect(),
            colours: HeatScale::default(),
            value_axis: Axis::default(),
        }),
    })
}

#[cfg(test)]
#[path = "coverage_map_tests.rs"]
mod tests;
