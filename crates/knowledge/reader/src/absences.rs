//! What documents themselves say is missing: not made, not received, not yet known, and what a rule demands in vain.

use std::ops::Range;

use adjutant_text::dates::Date;

use crate::document_facts::Standing;
use crate::gaps::{Gap, GapKind};
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::tokens::{Token, is_form_of_be, is_participle, points_back, tokens, verb_after};
use crate::verbs::is_making;

const MARKS: &[&str] = &["tbd", "tbc", "tba", "t.b.d", "t.b.c"];
/// Words after `to be`, where a value should stand.
const LATER: &[&str] = &[
    "confirmed",
    "determined",
    "announced",
    "defined",
    "agreed",
    "advised",
    "clarified",
];
/// A value that nobody knows: after a form of `be`.
const UNKNOWN: &[&str] = &[
    "unknown",
    "unclear",
    "undecided",
    "unconfirmed",
    "unsigned",
    "unverified",
    "unanswered",
    "unresolved",
    "unexplained",
    "assumption",
    "guess",
];
/// Things whose absence matters by itself: what people make, agree and write down.
const THINGS: &[&str] = &[
    "agreement",
    "analysis",
    "answer",
    "approval",
    "assessment",
    "basis",
    "budget",
    "certificate",
    "commitment",
    "consent",
    "contract",
    "copy",
    "data",
    "date",
    "decision",
    "document",
    "documentation",
    "entry",
    "estimate",
    "evidence",
    "explanation",
    "funding",
    "insurance",
    "investigation",
    "licence",
    "measurement",
    "minutes",
    "offer",
    "owner",
    "permit",
    "plan",
    "proof",
    "protocol",
    "quote",
    "reply",
    "signature",
    "record",
    "records",
    "report",
    "reserve",
    "response",
    "review",
    "source",
    "specification",
    "study",
    "survey",
    "test",
    "trial",
    "validation",
];
const UNREAL: &[&str] = &[
    "if", "would", "should", "could", "unless", "may", "might", "must", "shall", "will", "can",
    "whether", "when", "where", "because",
];
/// Headings of what is missing.
const OPEN_HEADS: &[&str] = &[
    "open",
    "missing",
    "outstanding",
    "not included",
    "not covered",
    "not yet included",
    "still not in",
    "still missing",
    "still open",
    "open issues",
    "open points",
    "open questions",
    "unresolved",
    "unresolved issues",
    "pending",
    "information missing",
    "not done",
    "not available",
    "data gaps",
    "gaps",
];
/// What a rule demands in writing.
const WRITINGS: &[&str] = &[
    "assessment",
    "certificate",
    "charter",
    "notice",
    "plan",
    "protocol",
    "record",
    "register",
    "report",
    "statement",
    "summary",
];

/// What is done with a thing that is not there yet.
const UNDER_WAY: &[&str] = &[
    "prepared",
    "compiled",
    "drafted",
    "written",
    "investigated",
    "clarified",
    "negotiated",
    "examined",
    "collected",
    "translated",
];
/// What a document may not do that should say something.
const SILENT: &[&str] = &[
    "contain", "explain", "exist", "include", "mention", "specify", "state",
];
const HANDING: &[&str] = &[
    "answer", "explain", "give", "provide", "receive", "reply", "respond", "send", "show",
    "submit", "deliver",
];
/// What is said of things that were looked for.
const FINDING: &[&str] = &[
    "confirmed",
    "established",
    "explained",
    "found",
    "located",
    "produced",
    "provided",
    "reconciled",
    "reproduced",
    "shown",
    "traced",
    "verified",
];
const IN_WHAT: &[&str] = &[
    "place",
    "service",
    "force",
    "operation",
    "use",
    "hand",
    "writing",
    "the",
    "my",
    "our",
];
/// What a reader would have needed.
const HANDED: &[&str] = &[
    "shown", "given", "provided", "told", "sent", "informed", "answered",
];
/// A statement with more words is no sentence.
const WORDS_MAX: usize = 55;

const PERFECT: f64 = 2.6;
const PRESENT: f64 = 2.4;
const PAST: f64 = 1.6;
const NOT_YET: f64 = 0.6;
const MARKED: f64 = 2.5;
const MISSING: f64 = 2.4;
const UNSURE: f64 = -1.2;
const REPLACED: f64 = -1.0;
const REQUIRED: f64 = 2.0;
const SAME_WRITING: f64 = 0.4;
const CLAUSE_WORDS: usize = 16;
/// With fewer words that carry meaning, a sentence does not say what is missing.
const SELF_EXPLAINING: usize = 3;

impl Reading<'_> {
    pub(crate) fn absences(&self) -> Vec<Gap> {
        let mut found = Vec::new();
        let rules: Vec<bool> = (0..self.given.len())
            .map(|document| self.is_of_rules(document))
            .collect();
        for at in 0..self.statements.len() {
            let text = self.text(at);
            let is_question = text.trim_end_matches(['"', ' ', '*']).ends_with('?');
            let is_other = self.statements[at].form == StatementForm::Code || text.starts_with('>');
            if !is_question && !is_other && !self.is_logged(at) && tokens(text).len() <= WORDS_MAX {
                found.extend(self.absences_in(at, rules[self.statements[at].document]));
            }
        }
        found
    }

    /// What one statement says is missing, once for each of its cells.
    fn absences_in(&self, at: usize, is_rule: bool) -> Vec<Gap> {
        let statement = &self.statements[at];
        let less = match self.facts[statement.document].standing {
            Standing::ReplacedBy(_) => REPLACED,
            Standing::Current => 0.0,
        };
        let gap = |kind: GapKind, what: Range<usize>, score: f64| Gap {
            kind,
            what,
            statements: vec![at],
            score: score + less,
        };
        let mut found = Vec::new();
        let mut pieces: Vec<Range<usize>> = statement
            .cells
            .iter()
            .map(|cell| cell.value.clone())
            .collect();
        if pieces.is_empty() {
            pieces.push(statement.span.clone());
            if self.is_listed_as_open(at) {
                found.push(gap(GapKind::Absence, statement.span.clone(), MISSING));
            }
        }
        for piece in pieces {
            let text = self.range(statement.document, &piece);
            let told = clauses(text).into_iter().find_map(|clause| {
                let words = tokens(&text[clause.clone()]);
                let absent = absent(&words, is_rule).map(|score| (GapKind::Absence, score));
                let marked = || marked(&words).map(|score| (GapKind::Value, score));
                let (kind, score) = absent.or_else(marked)?;
                // A bare mark is told with its row.
                let what = match words.len() < 4 {
                    true => statement.span.clone(),
                    false => piece.start + clause.start..piece.start + clause.end,
                };
                Some(self.with_what_it_means(gap(kind, what, score)))
            });
            found.extend(told);
        }
        found
    }

    /// Whether a row has a time of day beside a date: a log tells what was missing at a moment.
    fn is_logged(&self, at: usize) -> bool {
        let statement = &self.statements[at];
        let mut cells = statement.cells.iter();
        cells.any(|cell| {
            let text = self.range(statement.document, &cell.value).as_bytes();
            text.len() >= 16
                && matches!(text[10], b'T' | b' ')
                && text[4] == b'-'
                && text[13] == b':'
        })
    }

    /// `It has not been sent.` is told with the sentence before it, which says what.
    fn with_what_it_means(&self, mut gap: Gap) -> Gap {
        let at = gap.statements[0];
        let own = &self.statements[at];
        let before = at.checked_sub(1).filter(|before| {
            let before = &self.statements[*before];
            before.document == own.document && before.block == own.block && own.cells.is_empty()
        });
        let is_unclear =
            |range: &Range<usize>| self.act(own.document, range, "").terms.len() < SELF_EXPLAINING;
        if is_unclear(&gap.what) && own.cells.is_empty() {
            gap.what = own.span.clone();
        }
        if let Some(before) = before
            && points_back(self.text(at))
            && is_unclear(&gap.what)
        {
            gap.what = self.statements[before].span.start..gap.what.end;
            gap.statements.push(before);
        }
        gap
    }

    /// Whether a statement stands under a heading or lead-in such as `Not included` or `Open questions`, or has it before it.
    fn is_listed_as_open(&self, at: usize) -> bool {
        let statement = &self.statements[at];
        let text = self.text(at);
        let above = statement
            .headings
            .last()
            .into_iter()
            .chain(statement.leads.last());
        let mut above = above
            .map(|range| self.range(statement.document, range))
            .chain(text.find(": ").map(|colon| &text[..colon]));
        above.any(|text| {
            let words = tokens(text);
            let words: Vec<&str> = words
                .iter()
                .map(|word| word.small.as_str())
                .filter(|word| !word.starts_with(|char: char| char.is_ascii_digit()))
                .collect();
            OPEN_HEADS
                .iter()
                .any(|head| words == head.split(' ').collect::<Vec<_>>())
        })
    }

    /// `must record a written assessment`, where no document is called so.
    pub(crate) fn required_writings(&self, today: Date) -> Vec<Gap> {
        let rules: Vec<bool> = (0..self.given.len())
            .map(|document| self.is_of_rules(document))
            .collect();
        let mut found = Vec::new();
        for (at, statement) in self.statements.iter().enumerate() {
            let text = self.text(at);
            if !matches!(
                statement.form,
                StatementForm::Sentence | StatementForm::Item
            ) || self.facts[statement.document]
                .date
                .is_some_and(|date| date > today)
            {
                continue;
            }
            let all = tokens(text);
            let Some(what) = demanded(&all, rules[statement.document]) else {
                continue;
            };
            let what = statement.span.start + what.start..statement.span.start + what.end;
            let act = self.act(statement.document, &what, "written a the signed");
            let is_there = (0..self.given.len()).any(|document| {
                let held = act
                    .terms
                    .iter()
                    .filter(|(term, _)| self.titles[document].binary_search(term).is_ok());
                document != statement.document
                    && held.map(|(_, weight)| weight).sum::<f64>() >= SAME_WRITING * act.total
            });
            if !is_there && act.terms.len() >= 2 {
                found.push(Gap {
                    kind: GapKind::Required,
                    what,
                    statements: vec![at],
                    score: REQUIRED,
                });
            }
        }
        found
    }
}

/// Pieces of a sentence between semicolons.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive([';', '\u{2014}']) {
        found.push(start..start + piece.trim_end_matches([';', ' ']).len());
        start += piece.len();
    }
    found
}

/// How surely words say that something does not exist or has not been done.
fn absent(all: &[Token], is_rule: bool) -> Option<f64> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let any = |list: &[&str]| all.iter().any(|word| list.contains(&word.small.as_str()));
    let unsure = if any(UNREAL) { UNSURE } else { 0.0 };
    let yet = if any(&["yet", "still"]) { NOT_YET } else { 0.0 };
    let mut best: Option<f64> = None;
    for at in 0..all.len() {
        let found = match small(at) {
            "no" | "none" | "nobody" | "neither" => {
                denied_thing(all, at).max_by_score(denied_noun(all, at))
            }
            "not" | "never" => denied_verb(all, at, is_rule),
            "cannot" if small(at + 1) == "be" => unfound(all, at + 1),
            "asked" if small(at + 1) == "for" && small(at + 2) == "again" => Some(MISSING),
            "longer"
                if at > 0
                    && small(at - 1) == "no"
                    && matches!(small(at + 1), "exist" | "exists" | "available") =>
            {
                Some(PRESENT)
            }
            "exist" | "exists" if at > 1 && small(at - 2) == "no" && small(at - 1) == "longer" => {
                Some(PRESENT)
            }
            "hasn't" | "haven't" => verb_after(all, at)
                .filter(|verb| is_making(small(*verb)) || small(*verb) == "been")
                .map(|_| PERFECT),
            "missing" | "outstanding" | "awaited"
                if at > 0 && matches!(small(at - 1), "is" | "are" | "still") =>
            {
                Some(MISSING)
            }
            "preparation" if at > 0 && small(at - 1) == "in" => Some(MISSING),
            "to" if small(at + 1) == "follow" && at + 2 == all.len() => Some(MISSING),
            "being"
                if at > 0
                    && matches!(small(at - 1), "is" | "are")
                    && UNDER_WAY.contains(&small(at + 1)) =>
            {
                Some(MISSING)
            }
            "without" if at > 0 && matches!(small(at - 1), "is" | "are" | "still" | "remains") => {
                (at + 1..at + 4)
                    .any(|next| THINGS.contains(&small(next)))
                    .then_some(PRESENT)
            }
            _ => None,
        };
        best = best.max_by_score(found);
    }
    best.map(|score| score + yet + unsure)
}

trait Better {
    fn max_by_score(self, other: Self) -> Self;
}

impl Better for Option<f64> {
    fn max_by_score(self, other: Self) -> Self {
        match (self, other) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        }
    }
}

/// `no plan has been received`, `no protocol exists`, `there is no contract`, `none was made`, `we have received no request`.
fn denied_thing(all: &[Token], at: usize) -> Option<f64> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let before = |back: usize| at.checked_sub(back).map_or("", |at| all[at].small.as_str());
    if matches!(
        small(at + 1),
        "longer" | "more" | "later" | "less" | "one" | "doubt"
    ) {
        return None;
    }
    // `have received no`, `has no`.
    if is_making(before(1)) && matches!(before(2), "have" | "has") {
        return Some(PERFECT);
    }
    for next in at + 1..all.len().min(at + CLAUSE_WORDS) {
        let after = || verb_after(all, next).map(|verb| small(verb).to_owned());
        match small(next) {
            "exists" | "exist" => return Some(PRESENT),
            "available" => return Some(PRESENT),
            "has" | "have" => {
                let verb = after()?;
                let verb = if verb == "been" {
                    verb_after(all, next + 1).map(|verb| small(verb).to_owned())?
                } else {
                    verb
                };
                return is_making(&verb).then_some(PERFECT);
            }
            "had" if matches!(small(at), "nobody" | "none") || small(at + 1) == "one" => {
                let verb = after()?;
                return (is_making(&verb) || verb == "seen").then_some(PAST + NOT_YET);
            }
            "was" | "were" | "is" | "are" => {
                let verb = after()?;
                let is = is_participle(&verb) && is_making(&verb);
                let present = matches!(small(next), "is" | "are");
                return is.then_some(if present { PRESENT } else { PAST });
            }
            _ => {}
        }
    }
    None
}

/// `there is no contract`, `has no entry`, `no quote yet`, `none exposed`, and `No contract with a second supplier.`
fn denied_noun(all: &[Token], at: usize) -> Option<f64> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let before = at.checked_sub(1).map_or("", |at| all[at].small.as_str());
    let near = at + 1..all.len().min(at + 4);
    let is_thing = near.clone().any(|next| THINGS.contains(&small(next)));
    let is_yet = (at + 1..all.len().min(at + 6)).any(|next| small(next) == "yet");
    if is_yet || small(at) == "none" && is_participle(small(at + 1)) && is_making(small(at + 1)) {
        return Some(PRESENT);
    }
    let is_told = matches!(before, "is" | "are" | "has" | "have" | "been");
    let alone = at == 0
        && !all.iter().any(|word| {
            is_form_of_be(&word.small)
                || word.small.ends_with("ed")
                || matches!(word.small.as_str(), "has" | "have" | "had")
        });
    (small(at) == "no" && is_thing && (is_told || alone)).then_some(PRESENT)
}

/// `has not been sent`, `is not yet in service`, `not yet signed`, `has never been tested`.
fn denied_verb(all: &[Token], at: usize, is_rule: bool) -> Option<f64> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let before = at.checked_sub(1).map_or("", |at| all[at].small.as_str());
    let verb = verb_after(all, at)?;
    let verb_small = small(verb);
    let yet = small(at + 1) == "yet";
    match before {
        "has" | "have" if verb_small == "been" => {
            let verb = verb_after(all, verb)?;
            is_making(small(verb)).then_some(PERFECT)
        }
        "has" | "have" => is_making(verb_small).then_some(PERFECT),
        "is" | "are" if matches!(verb_small, "known" | "clear" | "certain" | "documented") => {
            Some(PRESENT)
        }
        "does" | "do" if !is_rule && SILENT.contains(&verb_small) => Some(PRESENT),
        "did" if HANDING.contains(&verb_small) => Some(PAST + NOT_YET),
        // It tells what happened, although `could` is a word of what might be.
        "could" | "can" if verb_small == "be" => unfound(all, verb).map(|score| score - UNSURE),
        "is" | "are"
            if verb_small == "with"
                || small(at + 1) == "in" && IN_WHAT.contains(&small(at + 2)) =>
        {
            Some(PRESENT)
        }
        // In a rule the present tells what must not be done.
        "is" | "are"
            if yet
                || verb_small == "available"
                || !is_rule && is_participle(verb_small) && is_making(verb_small) =>
        {
            Some(PRESENT)
        }
        "was" | "were" if HANDED.contains(&verb_small) => Some(PAST + NOT_YET),
        "was" | "were" if is_participle(verb_small) && is_making(verb_small) => Some(PAST),
        _ if yet => Some(PRESENT),
        _ => None,
    }
}

/// `could not be found`, `cannot be verified`.
fn unfound(all: &[Token], be: usize) -> Option<f64> {
    let verb = verb_after(all, be)?;
    FINDING
        .contains(&all[verb].small.as_str())
        .then_some(PAST + NOT_YET)
}

/// `TBD`, `to be confirmed`, `not available`, and `n/a` alone.
fn marked(all: &[Token]) -> Option<f64> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let bare = all.len() == 2
        && matches!(
            (small(0), small(1)),
            ("n", "a")
                | (
                    "not",
                    "available"
                        | "assessed"
                        | "known"
                        | "stated"
                        | "determined"
                        | "measured"
                        | "given"
                )
        );
    let is_later =
        |at: usize| (small(at), small(at + 1)) == ("to", "be") && LATER.contains(&small(at + 2));
    let mark = (0..all.len()).any(|at| MARKS.contains(&small(at)) || is_later(at));
    let is_unknown = |at: usize| {
        let is = matches!(small(at), "is" | "are" | "remains" | "remain");
        is && (at + 1..at + 4).any(|next| UNKNOWN.contains(&small(next)))
            && !all.iter().any(|word| UNREAL.contains(&word.small.as_str()))
    };
    if mark || bare {
        Some(MARKED)
    } else {
        (0..all.len()).any(is_unknown).then_some(MISSING)
    }
}

/// What is demanded in writing: from the article to the word for the writing.
fn demanded(all: &[Token], is_rule: bool) -> Option<Range<usize>> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let modal = (0..all.len()).find(|at| matches!(small(*at), "must" | "shall"))?;
    let verb = verb_after(all, modal)?;
    if small(verb) == "be" || !is_making(small(verb)) {
        return None;
    }
    let article =
        (verb + 1..all.len().min(verb + 4)).find(|at| matches!(small(*at), "a" | "an"))?;
    let last =
        (article + 1..all.len().min(article + 5)).find(|at| WRITINGS.contains(&small(*at)))?;
    let is_written =
        (article + 1..last).any(|at| matches!(small(at), "written" | "signed" | "documented"));
    let is_described = is_rule && last > article + 1;
    (is_written || is_described).then(|| all[article].span.start..all[last].span.end)
}
