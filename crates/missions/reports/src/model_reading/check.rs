//! What a model read in the pieces, as far as it stands up to the documents.

use adjutant_questions::{ClaimStatus, Evidence, ReadClaim, ReadMissing, ReadObligation, ReadOf};
use serde_json::Value;

use super::cut::Cut;
use super::places::{Places, has_value};
use super::{ModelReading, Unread};
use crate::documents_read::Stated;

/// Whether a text looks like an instruction to whoever reads it.
pub type Suspicion = fn(&str) -> bool;

pub(super) const NOT_SAID: &str = "the quote is not in the document";
pub(super) const NO_VALUE: &str = "the value is not in the quote";
pub(super) const STEERS: &str = "the quote looks like an instruction";
const FAILED: &str = "the question to the model failed, or was not affordable";
const NO_ROOM: &str = "there are more pieces than are read by a model";

/// A claim of a model that is in its document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claimed {
    pub(super) subject: String,
    pub(super) says: String,
    pub(super) value: Option<String>,
    pub(super) status: ClaimStatus,
    pub(super) at: Stated,
    pub(super) document: String,
    pub(super) genre: String,
    pub(super) standing: String,
    pub(super) is_outdated: bool,
}

/// What is owed, or missing, according to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Noted<T> {
    pub(super) told: T,
    pub(super) at: Stated,
    pub(super) is_outdated: bool,
}

#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) claims: Vec<Claimed>,
    pub(super) obligations: Vec<Noted<ReadObligation>>,
    pub(super) missing: Vec<Noted<ReadMissing>>,
}

/// Reads the answers on the pieces, in their order. What fails is dropped and counted.
pub(super) fn checked(
    cut: &Cut,
    answers: &[Value],
    is_suspicious: Suspicion,
    told: &mut ModelReading,
) -> Checked {
    let places = Places::of(cut);
    let mut checked = Checked::default();
    told.pieces = cut.items.iter().filter(|at| !at.sources.is_empty()).count();
    for (piece, item) in cut.items.iter().enumerate() {
        if item.sources.is_empty() {
            continue;
        }
        let Some(read) = answers.get(piece).and_then(by_a_model::<ReadOf>) else {
            let own = cut.parts.iter().filter(|part| part.piece == piece);
            told.unread
                .extend(own.map(|part| unread(&part.document, &part.title, FAILED)));
            continue;
        };
        told.read += 1;
        note_model(&answers[piece], told);
        for _ in 0..read.dropped {
            told.drop_one(NOT_SAID);
        }
        let mut reader = Reader {
            places: &places,
            is_suspicious,
            told: &mut *told,
        };
        reader.read(read, &mut checked);
    }
    let rest = cut.unread.iter();
    told.unread
        .extend(rest.map(|part| unread(&part.document, &part.title, NO_ROOM)));
    told.unread.sort();
    told.unread.dedup();
    checked
}

fn unread(document: &str, title: &str, why: &str) -> Unread {
    Unread {
        document: document.to_owned(),
        title: title.to_owned(),
        why: why.to_owned(),
    }
}

/// An answer, if a model gave it: what rules answer in its place adds nothing, nor does what stands for a failure.
pub(super) fn by_a_model<T: serde::de::DeserializeOwned>(answer: &Value) -> Option<T> {
    let by = answer.get("answered_by")?;
    if by["provider"] == "offline" {
        return None;
    }
    let mut bare = answer.clone();
    bare.as_object_mut()?.remove("answered_by");
    serde_json::from_value(bare).ok()
}

pub(super) fn note_model(answer: &Value, told: &mut ModelReading) {
    let by = &answer["answered_by"];
    let text = |name: &str| by[name].as_str().unwrap_or_default().to_owned();
    let name = format!("{}: {}", text("provider"), text("model"));
    if !told.by.contains(&name) {
        told.by.push(name);
    }
}

struct Reader<'a> {
    places: &'a Places<'a>,
    is_suspicious: Suspicion,
    told: &'a mut ModelReading,
}

impl Reader<'_> {
    fn read(&mut self, read: ReadOf, checked: &mut Checked) {
        for claim in read.claims {
            if let Some(claimed) = self.claim(claim) {
                checked.claims.push(claimed);
            }
        }
        for told in read.obligations {
            if let Some((at, is_outdated)) = self.place(&told.evidence) {
                checked.obligations.push(Noted {
                    told,
                    at,
                    is_outdated,
                });
            }
        }
        for told in read.missing {
            if let Some((at, is_outdated)) = self.place(&told.evidence) {
                checked.missing.push(Noted {
                    told,
                    at,
                    is_outdated,
                });
            }
        }
    }

    fn claim(&mut self, claim: ReadClaim) -> Option<Claimed> {
        let value = claim.value.filter(|value| !value.trim().is_empty());
        if let Some(value) = &value
            && !has_value(&claim.evidence.quote, value)
        {
            self.told.drop_one(NO_VALUE);
            return None;
        }
        let (at, is_outdated) = self.place(&claim.evidence)?;
        let part = self.places.get(&claim.evidence.source)?.part;
        let more = [&claim.condition, &claim.time, &claim.speaker];
        let more: Vec<&str> = more.into_iter().flatten().map(String::as_str).collect();
        let says = match more.is_empty() {
            true => claim.assertion,
            false => format!("{} ({})", claim.assertion, more.join("; ")),
        };
        Some(Claimed {
            subject: claim.subject,
            says,
            at: Stated {
                value: value.clone(),
                ..at
            },
            value,
            status: claim.status,
            document: part.document.clone(),
            genre: part.genre.clone(),
            standing: part.standing.clone(),
            is_outdated,
        })
    }

    /// The statement that is quoted, and whether its document no longer holds.
    fn place(&mut self, evidence: &Evidence) -> Option<(Stated, bool)> {
        let place = self.places.get(&evidence.source);
        let found = place.and_then(|place| Some((place.stated(&evidence.quote)?, place.part)));
        let Some((at, part)) = found else {
            self.told.drop_one(NOT_SAID);
            return None;
        };
        if (self.is_suspicious)(&evidence.quote) || (self.is_suspicious)(&at.sentence) {
            self.told.drop_one(STEERS);
            return None;
        }
        Some((at, part.is_outdated))
    }
}
