//! What a careful reader notices in a set of documents: what replaced what, what changed, what does not fit together, what is
//! owed and what is missing. Every document is read completely; nothing is sent anywhere.

use std::ops::Range;
use std::time::{Duration, Instant};

use adjutant_knowledge_base::KnowledgeBase;
use adjutant_questions::Source;
use adjutant_reader::{
    Claim, Date, Disagreement, Gap, GapKind, Genre, Obligation, Question, Reading, Relation,
    Standing, Statement, Status, SumKind, Verdict, WrongSum, asks_what_is_owed, questions,
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
    let mut owed: Vec<Owed> = obligations.iter().map(|one| seen.owed(one)).collect();
    owed.sort_by_key(|one| one.status);
    let gaps = reading.gaps(&obligations, today);
    let asked = questions(objective.unwrap_or_default());
    let found = DocumentsRead {
        answers: asked.iter().filter_map(|one| seen.answer(one)).collect(),
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
    fn answer(&self, question: &str) -> Option<PartAnswer> {
        if asks_what_is_owed(question) {
            return Some(PartAnswer {
                question: question.to_owned(),
                verdict: PartVerdict::Owed,
                fit: 1.0,
                passages: Vec::new(),
                missing: Vec::new(),
            });
        }
        let asked = Question::new(question);
        if !asked.is_factual() {
            return None;
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
