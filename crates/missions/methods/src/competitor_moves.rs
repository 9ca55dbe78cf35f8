//! What competitors did and when, from documents and searches, each move with its sources; what they have announced; and which of
//! our own sentences speak of it. With an earlier report, only what is new, changed or gone.

mod names;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use adjutant_questions::{Evidence, Source};
use adjutant_text::dates::Date;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Found};
use crate::method::{InputRefused, Method, read_input};
use crate::text::{counted, listed};
use crate::watched::ahead::{Distance, date_of, dates};
use crate::watched::shown::filled;
use crate::watched::{Documents, Earlier, Item, LookedUp, News, Read, StateOf, each_once};
use crate::weak_signals::{is_told, today};
use crate::words::{short, stems};
use names::{Competitor, competitors};

const BY: &str = "competitor_moves";
const MOVES_MAX: usize = 60;
const FIRST_MAX: usize = 3;
const MEANS_MAX: usize = 8;
const CELL_CHARS_MAX: usize = 320;

pub(crate) const COMPETITOR_MOVES: Method = Method {
    id: BY,
    name: "Competitors' moves",
    about: "Tells for each competitor what it did and when, with sources, what it has announced, and what our documents say that \
            means for us; with an earlier report, only what is new, changed or gone since.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "competitors": {"type": "array", "description": "Names of competitors, other names of the same behind `=`; those that documents call so if there are none."},
            "own": {"type": "array", "description": "Names of what is ours."},
            "documents": {"type": "array", "description": "Results of `whole_documents`."},
            "looked_up": {"type": "array", "description": "Searches: `where` and `answer`."},
            "attachments": {"type": "array", "description": "Attached texts, as sources."},
            "findings": {"type": "array", "description": "Answers of `extract` questions, whose passages are moves as well."},
            "earlier": {"type": "array", "description": "Results of `earlier_report`."},
            "as_of": {"type": "string", "description": "The day from which it is counted."},
            "choices": {"type": "array", "description": "Answers of checkpoints: `named_only` keeps to the names that were given, `with_my_note` adds those of the note, `facts_only` leaves out what is only announced."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).and_then(competitor_moves),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    competitors: Vec<String>,
    own: Vec<String>,
    documents: Vec<Documents>,
    looked_up: Vec<LookedUp>,
    attachments: Vec<Source>,
    findings: Vec<Found>,
    earlier: Vec<Earlier>,
    as_of: String,
    choices: Vec<Choice>,
}

/// What a move is, and the words by which it is told. The first that fits counts.
static KINDS: LazyLock<Vec<(&str, BTreeSet<String>)>> = LazyLock::new(|| {
    [
        (
            "authorisation",
            "approve approval authorise authorisation application submit submission file licence permit",
        ),
        ("launch", "launch introduce release enter sell offer"),
        ("results", "trial study result report test benchmark"),
        (
            "deal",
            "acquire acquisition merge merger partner partnership agreement contract sign win buy bought",
        ),
        ("price", "price discount tariff fee"),
        ("capacity", "plant factory capacity hire appoint open close"),
        ("rights", "patent lawsuit sue court opposition infringe"),
    ]
    .map(|(kind, words)| (kind, stems(words)))
    .into()
});
const PLAN: &str = "plan";
const STATEMENT: &str = "statement";
/// Words that say that something is still to come.
static TO_COME: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems("plan expect intend schedule announce await aim hope"));
/// Words by which one of our documents weighs something.
const WEIGHING: &[&str] = &[
    "if", "would", "could", "our", "we", "us", "compared", "than", "against", "because",
];

#[derive(Debug)]
struct Move {
    item: Item,
    kind: &'static str,
    date: Option<Date>,
    /// The date is that of the document that tells it.
    is_of_document: bool,
    is_announced: bool,
}

fn competitor_moves(request: Request) -> Result<Exhibit, InputRefused> {
    let today = today(&request.as_of, &request.earlier)?;
    let read = Read::of(&request.documents, &request.looked_up, &request.attachments);
    let known = competitors(&request.competitors, &request.own, &request.choices, &read);
    let mut moves = moves(&request, &read, &known, today);
    if Choice::chose(&request.choices, "facts_only") {
        moves.retain(|one| !one.is_announced);
    }
    moves.sort_by_key(|one| (one.item.scope.clone(), std::cmp::Reverse(one.date)));
    moves.truncate(MOVES_MAX);
    let items = moves.iter().map(|one| one.item.clone()).collect();
    let news = News::since(BY, StateOf::AllPlaces, &request.earlier, items, &read);
    let is_news = |one: &Move| {
        !news.follows
            || news
                .new
                .iter()
                .any(|new| new.scope == one.item.scope && new.text == one.item.text)
    };
    let shown: Vec<&Move> = moves.iter().filter(|one| is_news(one)).collect();
    let told_of: Vec<&Move> = match news.follows {
        true => shown.clone(),
        false => moves.iter().collect(),
    };
    let means = means(&read, &known, &told_of);
    let mut exhibit = told(&known, &shown, &moves, &means, &news);
    exhibit.data["compared"] = json!(compared(&request.own, &known));
    Ok(exhibit)
}

fn moves(request: &Request, read: &Read, known: &[Competitor], today: Date) -> Vec<Move> {
    let named: Vec<&str> = request
        .findings
        .iter()
        .flat_map(|found| &found.findings)
        .flat_map(|finding| &finding.evidence)
        .map(|one| one.quote.as_str())
        .collect();
    let mut items: Vec<Item> = Vec::new();
    let mut published: Vec<(String, Date)> = Vec::new();
    for (place, source) in &read.sources {
        let date = source.published.as_deref().and_then(Date::from_iso);
        published.extend(date.map(|date| (source.id.clone(), date)));
        for text in with_subject(&source.text, known) {
            let Some(whose) = known.iter().find(|one| one.is_in(text.whose)) else {
                continue;
            };
            let is_named = named.iter().any(|quote| quote.contains(text.sentence));
            let is_move = kind_of(text.sentence) != STATEMENT && !is_ours(text.sentence);
            if is_told(text.sentence) && (is_move || is_named) {
                let evidence = Evidence {
                    source: source.id.clone(),
                    quote: text.sentence.to_owned(),
                };
                items.push(Item::new(&whose.name, text.sentence, place, evidence));
            }
        }
    }
    let once = each_once(items);
    once.into_iter()
        .map(|item| one_move(item, &published, today))
        .collect()
}

/// A sentence, and the text that names whose it is.
struct OfCompetitor<'a> {
    sentence: &'a str,
    whose: &'a str,
}

/// The sentences that name a competitor, and those right after one that say “the company” or “it”.
fn with_subject<'a>(text: &'a str, known: &[Competitor]) -> Vec<OfCompetitor<'a>> {
    let mut found = Vec::new();
    let mut before: Option<&str> = None;
    for range in adjutant_text::sentences::sentences(text) {
        let sentence = &text[range];
        let names = known.iter().any(|one| one.is_in(sentence));
        let small = sentence.trim_start().to_lowercase();
        let continues = ["the company", "it ", "its ", "they "]
            .iter()
            .any(|start| small.starts_with(start));
        let whose = match (names, before) {
            (true, _) => Some(sentence),
            (false, Some(before)) if continues => Some(before),
            _ => None,
        };
        before = whose;
        found.extend(whose.map(|whose| OfCompetitor { sentence, whose }));
    }
    found
}

fn kind_of(text: &str) -> &'static str {
    let words = stems(text);
    let first = KINDS.iter().find(|(_, list)| !words.is_disjoint(list));
    match first {
        Some((kind, _)) => kind,
        None if !words.is_disjoint(&TO_COME) => PLAN,
        None => STATEMENT,
    }
}

/// Whether a sentence weighs what it means for us, rather than tell what a competitor does.
fn is_ours(text: &str) -> bool {
    let small = text.to_lowercase();
    let mut words = small.split(|char: char| !char.is_alphanumeric());
    let first = words.next().unwrap_or_default().to_owned();
    first == "if" || words.any(|word| ["our", "we", "us", "would"].contains(&word))
}

fn one_move(item: Item, published: &[(String, Date)], today: Date) -> Move {
    let words = stems(&item.text);
    let stated = date_of(&item.text, today);
    let of_document = item
        .evidence
        .iter()
        .filter_map(|one| published.iter().find(|(id, _)| *id == one.source))
        .map(|(_, date)| *date)
        .min();
    let is_ahead = dates(&item.text)
        .iter()
        .any(|date| date.last_day() >= today);
    let is_announced = is_ahead || !words.is_disjoint(&TO_COME);
    let mut item = item;
    if Distance::between(today, stated) == Distance::Passed && is_announced {
        item.state = "its date has passed".to_owned();
    }
    Move {
        kind: kind_of(&item.text),
        date: stated.or(of_document),
        is_of_document: stated.is_none(),
        is_announced,
        item,
    }
}

/// What is put side by side: ours and theirs, two things at least.
fn compared(own: &[String], known: &[Competitor]) -> Vec<String> {
    let mut names: Vec<String> = own
        .iter()
        .filter(|name| !name.trim().is_empty())
        .cloned()
        .collect();
    names.extend(known.iter().map(|one| one.name.clone()));
    for other in ["ours", "others"] {
        if names.len() < 2 {
            names.push(other.to_owned());
        }
    }
    names
}

/// What our documents say that a competitor means for us.
fn means(read: &Read, known: &[Competitor], moves: &[&Move]) -> Vec<(String, Evidence, String)> {
    let mut found: Vec<(String, Evidence, String)> = Vec::new();
    let told: BTreeSet<&str> = moves.iter().map(|one| one.item.text.as_str()).collect();
    for (place, source) in &read.sources {
        if place != "our documents" {
            continue;
        }
        for range in adjutant_text::sentences::sentences(&source.text) {
            let text = &source.text[range];
            let small = text.to_lowercase();
            let weighs = small
                .split(|char: char| !char.is_alphanumeric())
                .filter(|word| WEIGHING.contains(word))
                .count()
                > 0;
            let Some(of) = known.iter().find(|one| one.is_in(text)) else {
                continue;
            };
            let is_of_a_move = moves.iter().any(|one| one.item.scope == of.name);
            if weighs
                && is_of_a_move
                && is_told(text)
                && !told.contains(text)
                && found.len() < MEANS_MAX
            {
                let evidence = Evidence {
                    source: source.id.clone(),
                    quote: text.to_owned(),
                };
                if !found.iter().any(|(known, ..)| known == text) {
                    found.push((text.to_owned(), evidence, of.name.clone()));
                }
            }
        }
    }
    found
}

/// What to look at when a competitor makes such a move and no document says what it means.
fn question_of(kind: &str) -> &'static str {
    match kind {
        "authorisation" => "When could it be sold, and to whom that we count on?",
        "launch" => "Which of our customers can choose it now?",
        "results" => "Is it better than ours where ours is compared?",
        "deal" => "What can it do now that it could not do before?",
        "price" => "Does our price still hold?",
        "capacity" => "How much more can it deliver, and when?",
        "rights" => "Does it bind us, or them?",
        _ => "Does anything of ours depend on it?",
    }
}

fn told(
    known: &[Competitor],
    shown: &[&Move],
    all: &[Move],
    means: &[(String, Evidence, String)],
    news: &News,
) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
    let mut newest: Vec<&&Move> = shown.iter().collect();
    newest.sort_by_key(|one| std::cmp::Reverse(one.date));
    for one in newest.iter().take(FIRST_MAX) {
        exhibit
            .headlines
            .push(Statement::fact(&one.item.text, one.item.evidence.clone()));
    }
    if !news.follows {
        let announced = all.iter().filter(|one| one.is_announced).count();
        let text = match (names.len(), all.len()) {
            (0, _) => {
                "No document names a competitor. Name them with the input `competitors`".to_owned()
            }
            (_, 0) => format!("Nothing was found of what {} did", listed(&names)),
            (_, moves) if known.iter().all(Competitor::is_only_named) => format!(
                "No document calls anybody a competitor. {} of the companies that documents name: {}. Name others with the input \
                 `competitors`",
                counted(moves, "move"),
                listed(&names)
            ),
            (count, moves) => format!(
                "{} by {}: {}, of which {announced} only announced",
                counted(moves, "move"),
                counted(count, "competitor"),
                listed(&names)
            ),
        };
        exhibit.headlines.insert(0, Statement::calculation(text));
        exhibit.add_figure(names.len().to_string(), "companies watched");
        exhibit.add_figure(all.len().to_string(), "moves");
        exhibit.add_figure(announced.to_string(), "only announced");
    }
    for name in &names {
        exhibit.tables.extend(moves_table(name, shown));
    }
    news.tell(&mut exhibit);
    exhibit.tables.extend(means_table(means, shown));
    if !names.is_empty() {
        exhibit.add_note(
            "Who counts as a competitor",
            format!(
                "{}. A sentence counts as a move if it names one of them, or follows such a sentence, and tells of an \
                 authorisation, a launch, results, a deal, a price, capacity or rights",
                known.iter().map(Competitor::told).collect::<Vec<_>>().join("; ")
            ),
        );
    }
    let text = match news.follows {
        true => news.told(),
        false => format!(
            "{} of {}: {}",
            counted(all.len(), "move"),
            counted(names.len(), "competitor"),
            listed(&names)
        ),
    };
    exhibit.data = news.data(&text);
    exhibit.data["competitors"] = json!(names);
    exhibit
}

fn moves_table(name: &str, moves: &[&Move]) -> Option<ExhibitTable> {
    let rows = moves
        .iter()
        .filter(|one| one.item.scope == name)
        .map(|one| {
            let when = match (one.date, one.is_of_document) {
                (None, _) => "not dated".to_owned(),
                (Some(date), true) => format!("told {}", date.iso()),
                (Some(date), false) => date.iso(),
            };
            vec![
                ExhibitCell::label(when),
                ExhibitCell::label(one.kind),
                ExhibitCell::statement(
                    short(&one.item.text, CELL_CHARS_MAX),
                    one.item.evidence.clone(),
                ),
                ExhibitCell::label(if one.is_announced {
                    "announced"
                } else {
                    "done"
                }),
            ]
        });
    let columns = vec![
        ExhibitColumn::text("When", 2),
        ExhibitColumn::text("What", 2),
        ExhibitColumn::text("Move", 8),
        ExhibitColumn::text("State", 2),
    ];
    filled(name, columns, rows.collect())
}

fn means_table(means: &[(String, Evidence, String)], shown: &[&Move]) -> Option<ExhibitTable> {
    let mut rows: Vec<Vec<ExhibitCell>> = means
        .iter()
        .map(|(text, evidence, of)| {
            vec![
                ExhibitCell::label(of),
                ExhibitCell::statement(short(text, CELL_CHARS_MAX), vec![evidence.clone()]),
            ]
        })
        .collect();
    let mut asked: BTreeSet<(&str, &str)> = BTreeSet::new();
    for one in shown {
        if asked.insert((&one.item.scope, one.kind)) && rows.len() < 2 * MEANS_MAX {
            rows.push(vec![
                ExhibitCell::label(&one.item.scope),
                ExhibitCell::statement(
                    format!("To be answered, {}: {}", one.kind, question_of(one.kind)),
                    Vec::new(),
                ),
            ]);
        }
    }
    let columns = vec![
        ExhibitColumn::text("Competitor", 2),
        ExhibitColumn::text("What our documents say of it, and what is to be asked", 9),
    ];
    filled("What it means for us", columns, rows)
}

#[cfg(test)]
#[path = "competitor_moves_tests.rs"]
mod tests;
