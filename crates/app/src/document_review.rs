//! What a careful reader notices in a set of documents: what replaced what, what changed, what does not fit together, what is
//! owed and what is missing. Every document is read completely; nothing is sent anywhere.

mod noticed;

use std::ops::Range;
use std::time::{Duration, Instant};

use adjutant_knowledge_base::KnowledgeBase;
use adjutant_questions::Source;
use adjutant_reader::{
    Claim, Date, Disagreement, Gap, GapKind, Genre, Obligation, Question, Reading, Relation,
    Standing, Statement, Status, SumKind, Verdict, WrongSum, asks_what_is_owed,
    asks_what_is_unsettled, parts,
};
use adjutant_reports::{
    DocumentRead, DocumentsRead, Miscounted, Missing, Owed, OwedStatus, PartAnswer, PartVerdict,
    Replaced, Stated,
};
use adjutant_store::TenantStore;

use crate::error::AppError;
use crate::knowledge::title_within;
use crate::read_documents::ReadDocuments;

/// Passages that are told where there is no answer to a question.
const NEAREST_MAX: usize = 2;
/// Statements that are given on what is to be found out; how much of it the best must have, and the others of that.
const EXPLAINED_MAX: usize = 3;
const EXPLAINED_FIT: f64 = 0.6;
/// Of a reason that is looked for with the words of the whole objective.
const REASON_FIT: f64 = 0.3;
const EXPLAINED_SHARE: f64 = 0.6;
/// Words for something that was named before.
const DANGLING: &[&str] = &[
    "Both", "He", "Her", "His", "It", "Its", "She", "Such", "That", "Their", "These", "They",
    "This", "Those",
];
/// So many registers go to a mission whole, if they are not longer than this.
const REGISTERS_MAX: usize = 6;
const REGISTER_BYTES_MAX: usize = 60_000;
/// So many cells of a row tell what it is about.
const LABELS_MAX: usize = 2;

/// What was read, and how long that took.
#[derive(Debug)]
pub struct DocumentReview {
    pub found: DocumentsRead,
    pub took: Duration,
}

/// Reads the documents of the namespaces, all of them or, of very many, those that the objective concerns.
pub async fn review<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    objective: Option<&str>,
    today: Date,
) -> Result<DocumentReview, AppError> {
    let began = Instant::now();
    let read = ReadDocuments::of(base, namespaces, objective).await?;
    let seen = Seen {
        reading: read.reading(),
        read: &read,
    };
    let reading = &seen.reading;
    let disagreements = reading.disagreements(&reading.claims());
    let of = |relation: Relation| -> Vec<Vec<Stated>> {
        let matching = disagreements.iter().filter(|one| one.relation == relation);
        matching.map(|one| seen.values(one)).collect()
    };
    let documents: Vec<DocumentRead> = (0..read.taken.len()).map(|at| seen.document(at)).collect();
    let holds = |statement: usize| {
        let document = reading.statements()[statement].document;
        !documents[document].is_outdated()
    };
    let denials = reading.denials().into_iter();
    let denials = denials.filter(|pair| holds(pair.said) && holds(pair.denied));
    let contradicting = denials
        .map(|pair| [seen.statement(pair.said), seen.statement(pair.denied)])
        .collect();
    let obligations = reading.obligations(today);
    let mut in_order: Vec<&Obligation> = obligations.iter().collect();
    let is_unsure = |one: &Obligation| objective.is_some() && !seen.is_sure(one, today);
    in_order.sort_by_key(|one| (is_unsure(one), rank(one.status)));
    let owed: Vec<Owed> = in_order.into_iter().map(|one| seen.owed(one)).collect();
    let mut gaps = reading.gaps(&obligations, today);
    let noticed = objective.map(|objective| {
        let mut noticed = seen.noticed(objective, today);
        let sure = |one: &Obligation| seen.is_sure(one, today);
        noticed.sure_owed = Some(obligations.iter().filter(|one| sure(one)).count());
        noticed.sure_missing = Some(gaps.iter().filter(|gap| seen.is_sure_gap(gap)).count());
        noticed
    });
    if noticed.is_some() {
        gaps.sort_by_key(|gap| !seen.is_sure_gap(gap));
    }
    let asked = parts(objective.unwrap_or_default());
    let found = DocumentsRead {
        answers: asked
            .iter()
            .filter_map(|one| seen.answer(one, objective.unwrap_or_default()))
            .collect(),
        outdated: documents
            .iter()
            .filter(|document| document.is_outdated())
            .map(|document| document.id.clone())
            .collect(),
        registers: seen.registers(),
        documents,
        replaced: seen.replaced(),
        changed: of(Relation::Update),
        wrong_sums: reading
            .wrong_sums()
            .iter()
            .map(|wrong| seen.miscounted(wrong))
            .collect(),
        differing: of(Relation::Conflict),
        contradicting,
        owed,
        missing: gaps.iter().map(|gap| seen.missing(gap)).collect(),
        noticed: noticed.unwrap_or_default(),
        today: today.iso(),
        documents_found: read.documents,
        model: None,
    };
    Ok(DocumentReview {
        found,
        took: began.elapsed(),
    })
}

/// The documents with what was read in them.
struct Seen<'a> {
    reading: Reading<'a>,
    read: &'a ReadDocuments,
}

impl Seen<'_> {
    /// What the documents say on a question; nothing on one for advice, which they cannot give.
    fn answer(&self, question: &str, objective: &str) -> Option<PartAnswer> {
        if asks_what_is_owed(question) {
            return Some(PartAnswer {
                question: question.to_owned(),
                verdict: PartVerdict::Owed,
                fit: 1.0,
                passages: Vec::new(),
                missing: Vec::new(),
            });
        }
        if asks_what_is_unsettled(question) {
            return Some(PartAnswer {
                question: question.to_owned(),
                verdict: PartVerdict::Unsettled,
                fit: 1.0,
                passages: Vec::new(),
                missing: Vec::new(),
            });
        }
        let asked = Question::new(question);
        if !asked.is_factual() {
            return None;
        }
        // What is to be found out, and is no single fact.
        let is_open = ["how ", "what ", "which ", "why "]
            .iter()
            .any(|open| question.starts_with(open))
            && !question.starts_with("how m");
        if is_open {
            return Some(self.explained(question, objective));
        }
        let answer = self.reading.answer(&asked);
        let (verdict, most) = match answer.verdict {
            Verdict::Answered => (PartVerdict::Answered, usize::MAX),
            Verdict::NotFound => (PartVerdict::NotFound, NEAREST_MAX),
        };
        let quotes = answer.quotes.iter().take(most);
        Some(PartAnswer {
            question: question.to_owned(),
            verdict,
            fit: answer.fit,
            passages: quotes
                .map(|quote| self.understandable(quote.statement))
                .collect(),
            missing: answer.missing,
        })
    }

    /// What strong documents say on something that is to be found out: no single fact answers it.
    fn explained(&self, question: &str, objective: &str) -> PartAnswer {
        // The reason of a thing is seldom told in the words of the question alone.
        let whole = format!("{question} {objective}");
        let asked = match question.starts_with("why") {
            true => whole.as_str(),
            false => question,
        };
        let best = self.reading.main_statements(asked, EXPLAINED_MAX);
        let needed = if asked == question {
            EXPLAINED_FIT
        } else {
            REASON_FIT
        };
        let fit = best.first().map_or(0.0, |one| one.relevance);
        let near = best
            .iter()
            .filter(|one| one.relevance >= fit * EXPLAINED_SHARE);
        PartAnswer {
            question: question.to_owned(),
            verdict: match fit >= needed {
                true => PartVerdict::Answered,
                false => PartVerdict::NotFound,
            },
            fit,
            passages: match fit >= needed {
                true => near.map(|one| self.statement(one.statement)).collect(),
                false => Vec::new(),
            },
            missing: Vec::new(),
        }
    }

    fn document(&self, number: usize) -> DocumentRead {
        let one = &self.read.taken[number];
        let facts = &self.reading.documents()[number];
        DocumentRead {
            id: one.id(),
            title: one.title().to_owned(),
            date: one
                .kept
                .date
                .clone()
                .or_else(|| facts.date.map(|date| date.iso())),
            genre: facts.genre.name().to_owned(),
            strength: facts.strength().name().to_owned(),
            is_draft: facts.is_draft,
            replaced_by: match facts.standing {
                Standing::Current => None,
                Standing::ReplacedBy(later) => Some(self.read.taken[later].title().to_owned()),
            },
        }
    }

    fn replaced(&self) -> Vec<Replaced> {
        let source = |document: usize| self.read.taken[document].kept.source.clone();
        let all = self.reading.documents().iter().enumerate();
        let replaced = all.filter_map(|(document, facts)| match facts.standing {
            Standing::Current => None,
            Standing::ReplacedBy(later) => Some(Replaced {
                source: source(document),
                by: source(later),
            }),
        });
        replaced.collect()
    }

    fn statement(&self, number: usize) -> Stated {
        let statement = &self.reading.statements()[number];
        let one = &self.read.taken[statement.document];
        let text = &one.document.text;
        let heading = statement.headings.last().map(|at| text[at.clone()].trim());
        Stated {
            value: None,
            sentence: text[statement.span.clone()].to_owned(),
            row: row(text, statement),
            title: title_within(one.title(), heading),
            source: one.kept.source.clone(),
            date: one.kept.date.clone(),
            address: one.address(&statement.span),
        }
    }

    /// A statement, with the one before it if it begins with a word that only means something after it.
    fn understandable(&self, number: usize) -> Stated {
        let own = self.statement(number);
        let all = self.reading.statements();
        let statement = &all[number];
        let first = own
            .sentence
            .split(|char: char| !char.is_alphabetic())
            .next();
        let dangles = first.is_some_and(|word| DANGLING.contains(&word));
        let before = number.checked_sub(1).map(|at| &all[at]);
        let before = before.filter(|before| {
            let together = before.document == statement.document && before.block == statement.block;
            dangles && together && statement.cells.is_empty()
        });
        let Some(before) = before else {
            return own;
        };
        let both = before.span.start..statement.span.end;
        let one = &self.read.taken[statement.document];
        Stated {
            sentence: one.document.text[both.clone()].to_owned(),
            address: one.address(&both),
            ..own
        }
    }

    fn words(&self, statement: usize, part: &Range<usize>) -> String {
        let document = self.reading.statements()[statement].document;
        self.read.taken[document].document.text[part.clone()].to_owned()
    }

    fn values(&self, of: &Disagreement) -> Vec<Stated> {
        let stated = |claim: &Claim| Stated {
            value: Some(self.words(claim.statement, &claim.span)),
            row: self.cell(claim),
            ..self.statement(claim.statement)
        };
        of.claims.iter().map(stated).collect()
    }

    /// What a value in a table is of: the first cells of its row, and the head of its column.
    fn cell(&self, claim: &Claim) -> Option<String> {
        let statement = &self.reading.statements()[claim.statement];
        let text = &self.read.taken[statement.document].document.text;
        let shown = |range: &Range<usize>| text[range.clone()].trim();
        let own = statement.cells.iter().find(|cell| {
            cell.value.start <= claim.span.start && claim.span.end <= cell.value.end
        })?;
        let head = own.head.as_ref().map(shown).unwrap_or_default();
        let labels = statement.cells.iter().map(|cell| shown(&cell.value));
        let labels = labels.filter(|label| label.chars().any(char::is_alphabetic));
        let labels: Vec<&str> = labels.take(LABELS_MAX).collect();
        Some(format!(
            "{}, {head}: {}",
            labels.join(" "),
            shown(&own.value)
        ))
    }

    fn registers(&self) -> Vec<Source> {
        let documents = self.reading.documents().iter().enumerate();
        let registers = documents.filter(|(at, facts)| {
            let size = self.read.taken[*at].document.text.len();
            facts.genre == Genre::Register
                && facts.standing == Standing::Current
                && !facts.is_draft
                && size <= REGISTER_BYTES_MAX
        });
        let whole = registers.map(|(at, facts)| {
            let one = &self.read.taken[at];
            let text = &one.document.text;
            Source {
                id: one.address(&(0..text.len())),
                title: one.title().to_owned(),
                text: text.clone(),
                published: one
                    .kept
                    .date
                    .clone()
                    .or_else(|| facts.date.map(|date| date.iso())),
            }
        });
        whole.take(REGISTERS_MAX).collect()
    }

    fn miscounted(&self, wrong: &WrongSum) -> Miscounted {
        Miscounted {
            stated: self.words(wrong.stated_in, &wrong.span),
            computed: wrong.computed,
            unit: match wrong.kind {
                SumKind::Total => "",
                SumKind::Minutes => "min",
                SumKind::Percent => "%",
            }
            .to_owned(),
            at: self.statement(wrong.stated_in),
            parts: wrong.parts.len(),
        }
    }

    fn owed(&self, one: &Obligation) -> Owed {
        let due = one.due.as_ref();
        let (status, by) = match one.status {
            Status::Fulfilled { by } => (OwedStatus::Fulfilled, Some(by)),
            Status::Open => (OwedStatus::Open, None),
            Status::Overdue => (OwedStatus::Overdue, None),
        };
        Owed {
            who: one.who.clone(),
            what: self.words(one.statement, &one.what),
            due: due.map(|due| match due.date {
                Some(date) => date.iso(),
                None => self.words(one.statement, &due.words),
            }),
            status,
            at: self.statement(one.statement),
            fulfilled_by: by.map(|by| self.statement(by)),
        }
    }

    fn missing(&self, gap: &Gap) -> Missing {
        let kind = match gap.kind {
            GapKind::Reference => "referred to, and not among the documents",
            GapKind::Question => "asked, and not answered",
            GapKind::Value => "still to be given",
            GapKind::Absence => "said not to exist, or not to be done",
            GapKind::Required => "required by a rule, and not among the documents",
        };
        let first = gap.statements[0];
        Missing {
            kind: kind.to_owned(),
            what: self.words(first, &gap.what),
            at: self.statement(first),
        }
    }
}

/// What waits longest first.
fn rank(status: Status) -> OwedStatus {
    match status {
        Status::Overdue => OwedStatus::Overdue,
        Status::Open => OwedStatus::Open,
        Status::Fulfilled { .. } => OwedStatus::Fulfilled,
    }
}

/// A row as a line to read: each cell with the head of its column, empty ones left out.
fn row(text: &str, statement: &Statement) -> Option<String> {
    let told = statement.cells.iter().filter_map(|cell| {
        let value = text[cell.value.clone()].trim();
        let head = cell.head.as_ref().map(|head| text[head.clone()].trim());
        match head {
            _ if value.is_empty() => None,
            Some(head) if !head.is_empty() => Some(format!("{head}: {value}")),
            _ => Some(value.to_owned()),
        }
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}
