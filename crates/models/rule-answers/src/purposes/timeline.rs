//! What happened when: sentences with dates, oldest first.

use std::collections::BTreeSet;

use adjutant_questions::{Dated, Evidence, Timeline, TimelineOf};

use crate::corpus::{Corpus, Query};
use crate::document_id::document_id;
use crate::stance::Reading;
use crate::subject::Subject;
use crate::text::{Date, confidence, precision, states, words};

const EVENTS_MAX: usize = 500;
const DATES_PER_SENTENCE_MAX: usize = 4;
/// Which share of what it should be about a sentence, with its source's title, must have.
const ABOUT_MIN: f64 = 0.3;
/// From here on two sentences with the same date tell of the same event.
const SAME_EVENT_MIN: f64 = 0.4;
/// A date that one source gives, and one that several give.
const SURE_OF_ONE: f64 = 0.7;
const SURE_OF_SEVERAL: f64 = 0.9;

struct Event {
    date: Date,
    sentence: usize,
    others: Vec<usize>,
}

pub(crate) fn timeline(input: &Timeline) -> TimelineOf {
    let mut corpus = Corpus::read(&input.sources);
    let about = corpus.query(&input.about);
    let subject = Subject::new(&input.about, &input.sources);
    let named = corpus.documents_naming(&about, &input.about);
    let mut events: Vec<Event> = Vec::new();
    for at in 0..corpus.sentences.len() {
        let on_it = bears_on(&corpus, &about, at) || of_named(&corpus, &about, &named, at);
        let on_another =
            subject.is_about_another(corpus.source_of(at), corpus.with_previous_sentence(at));
        if !on_it || on_another || !states(corpus.text(at)) || of_birth(corpus.text(at)) {
            continue;
        }
        for date in event_dates(&mut corpus, at) {
            let room = events.len() < EVENTS_MAX;
            let same = events.iter_mut().find(|event| {
                event.date == date && corpus.likeness(event.sentence, at) >= SAME_EVENT_MIN
            });
            match same {
                Some(event) => event.others.push(at),
                None if room => events.push(Event {
                    date,
                    sentence: at,
                    others: Vec::new(),
                }),
                None => {}
            }
        }
    }
    events.sort_by_key(|event| (event.date, event.sentence));
    let sure: f64 = events
        .iter()
        .map(|event| {
            if event.others.is_empty() {
                SURE_OF_ONE
            } else {
                SURE_OF_SEVERAL
            }
        })
        .sum();
    TimelineOf {
        confidence: confidence(sure / (events.len() as f64).max(1.0)),
        events: events
            .iter()
            .map(|event| to_dated(&corpus, event))
            .collect(),
    }
}

/// The dates of a sentence on which something is said to have happened, each once.
fn event_dates(corpus: &mut Corpus<'_>, at: usize) -> Vec<Date> {
    let said = Reading::new(corpus.text(at), &mut corpus.stems);
    let mut found: Vec<Date> = Vec::new();
    for said in said.dates.iter().filter(|said| !said.denied) {
        if !found.contains(&said.date) && found.len() < DATES_PER_SENTENCE_MAX {
            found.push(said.date);
        }
    }
    found
}

fn bears_on(corpus: &Corpus<'_>, about: &Query, at: usize) -> bool {
    if about.terms.is_empty() {
        return true;
    }
    let source = corpus.sentences[at].source;
    let has = about
        .terms
        .iter()
        .filter(|term| corpus.has(term, at) || corpus.title_has(term, source));
    has.count() as f64 / about.terms.len() as f64 >= ABOUT_MIN
}

/// Whether it stands in a document that has what is asked about by name, if anything is.
fn of_named(corpus: &Corpus<'_>, about: &Query, named: &BTreeSet<&str>, at: usize) -> bool {
    let source = &corpus.sources[corpus.sentences[at].source];
    about.has_names() && named.contains(document_id(&source.id))
}

/// When somebody was born is no event of anything but a life.
fn of_birth(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| word.text.eq_ignore_ascii_case("born"))
}

fn to_dated(corpus: &Corpus<'_>, event: &Event) -> Dated {
    let mut evidence: Vec<Evidence> = Vec::new();
    for at in [event.sentence].iter().chain(&event.others) {
        let said = corpus.evidence(*at);
        if !evidence.contains(&said) {
            evidence.push(said);
        }
    }
    Dated {
        date: event.date.iso(),
        precision: precision(event.date),
        text: corpus.line(event.sentence),
        evidence,
    }
}
