//! What a careful reader notices in a set of documents: what replaced what, what changed, what does not fit together, what is
//! owed and what is missing. Every document is read completely; nothing is sent anywhere.

use std::ops::Range;
use std::time::{Duration, Instant};

use adjutant_knowledge_base::KnowledgeBase;
use adjutant_reader::{
    Claim, Date, Disagreement, Gap, GapKind, Obligation, Reading, Relation, Standing, Status,
    SumKind, WrongSum,
};
use adjutant_store::TenantStore;
use serde::Serialize;

use crate::error::AppError;
use crate::read_documents::ReadDocuments;

#[derive(Debug, Serialize)]
pub struct DocumentReview {
    /// Documents of which there is a later version.
    pub replaced: Vec<Replaced>,
    /// A later state took the place of an earlier one: the earlier value first.
    pub changed: Vec<Vec<Stated>>,
    /// Totals, durations and shares that their own parts contradict.
    pub wrong_sums: Vec<Miscounted>,
    /// Different values for what looks like the same thing, in documents that all hold.
    pub differing: Vec<Vec<Stated>>,
    /// What one document says and another denies.
    pub contradicting: Vec<[Stated; 2]>,
    pub owed: Vec<Owed>,
    pub missing: Vec<Missing>,
    /// The day against which due dates were held.
    pub today: String,
    pub documents: usize,
    #[serde(skip)]
    pub took: Duration,
}

#[derive(Debug, Serialize)]
pub struct Replaced {
    pub source: String,
    pub by: String,
}

/// A statement, letter for letter, and where it stands.
#[derive(Debug, Serialize)]
pub struct Stated {
    /// The value in it, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    pub sentence: String,
    pub source: String,
    pub date: Option<String>,
    /// `kb show` opens it.
    pub address: String,
}

#[derive(Debug, Serialize)]
pub struct Miscounted {
    pub stated: String,
    pub computed: f64,
    /// In which unit that is; empty for the unit of its parts.
    pub unit: &'static str,
    pub at: Stated,
    pub parts: usize,
}

#[derive(Debug, Serialize)]
pub struct Owed {
    pub who: Option<String>,
    pub what: String,
    pub due: Option<String>,
    pub status: OwedStatus,
    pub at: Stated,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fulfilled_by: Option<Stated>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OwedStatus {
    Overdue,
    Open,
    Fulfilled,
}

#[derive(Debug, Serialize)]
pub struct Missing {
    pub kind: &'static str,
    pub what: String,
    pub at: Stated,
}

pub async fn review<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    today: Date,
) -> Result<DocumentReview, AppError> {
    let began = Instant::now();
    let read = ReadDocuments::of(base, namespaces, None).await?;
    let seen = Seen {
        reading: read.reading(),
        read: &read,
    };
    let reading = &seen.reading;
    let disagreements = reading.disagreements(&reading.claims());
    let of = |relation: Relation| {
        let matching = disagreements.iter().filter(|one| one.relation == relation);
        matching.map(|one| seen.values(one)).collect()
    };
    let contradicting = reading.denials().into_iter();
    let mut owed: Vec<Owed> = reading
        .obligations(today)
        .iter()
        .map(|one| seen.owed(one))
        .collect();
    owed.sort_by_key(|one| one.status);
    Ok(DocumentReview {
        replaced: seen.replaced(),
        changed: of(Relation::Update),
        wrong_sums: reading
            .wrong_sums()
            .iter()
            .map(|wrong| seen.miscounted(wrong))
            .collect(),
        differing: of(Relation::Conflict),
        contradicting: contradicting
            .map(|pair| [seen.statement(pair.said), seen.statement(pair.denied)])
            .collect(),
        owed,
        missing: reading
            .gaps(today)
            .iter()
            .map(|gap| seen.missing(gap))
            .collect(),
        today: today.iso(),
        documents: read.documents,
        took: began.elapsed(),
    })
}

/// The documents with what was read in them.
struct Seen<'a> {
    reading: Reading<'a>,
    read: &'a ReadDocuments,
}

impl Seen<'_> {
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
        Stated {
            value: None,
            sentence: one.document.text[statement.span.clone()].to_owned(),
            source: one.kept.source.clone(),
            date: one.kept.date.clone(),
            address: one.address(&statement.span),
        }
    }

    fn words(&self, statement: usize, part: &Range<usize>) -> String {
        let document = self.reading.statements()[statement].document;
        self.read.taken[document].document.text[part.clone()].to_owned()
    }

    fn values(&self, of: &Disagreement) -> Vec<Stated> {
        let stated = |claim: &Claim| Stated {
            value: Some(self.words(claim.statement, &claim.span)),
            ..self.statement(claim.statement)
        };
        of.claims.iter().map(stated).collect()
    }

    fn miscounted(&self, wrong: &WrongSum) -> Miscounted {
        Miscounted {
            stated: self.words(wrong.stated_in, &wrong.span),
            computed: wrong.computed,
            unit: match wrong.kind {
                SumKind::Total => "",
                SumKind::Minutes => "min",
                SumKind::Percent => "%",
            },
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
            kind,
            what: self.words(first, &gap.what),
            at: self.statement(first),
        }
    }
}
