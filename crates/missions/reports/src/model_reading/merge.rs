//! What a model read, merged with what was read by rules. What the model adds is held against the documents first.

use std::collections::BTreeSet;

use adjutant_questions::{
    ClaimRelation, Evidence, GroupJudgement, JudgedSide, PointJudgement, PointKind, PointStatus,
    Reconciled,
};
use adjutant_text::dates::Date;
use adjutant_text::stated_dates::{YearDigits, parse_stated_date};
use serde::Deserialize;
use serde_json::Value;

use super::check::{
    Checked, NO_VALUE, NOT_SAID, STEERS, Suspicion, by_a_model, checked, note_model,
};
use super::cut::Cut;
use super::group::{Grouped, GroupedStatement};
use super::places::{find, has_value, overlap};
use super::{First, FoundBy, FoundElsewhere, ModelReading, Related, RelatedSide};
use crate::builder::document_of;
use crate::documents_read::{DocumentsRead, Missing, Owed, OwedStatus, Stated};
use crate::text::plain;

const FIRST_MAX: usize = 10;
const RELATIONS_MAX: usize = 120;
const OUTSIDE: &str = "it names a statement that it was not given";
const ONE_DOCUMENT: &str = "both sides are of one document";
const SAME_WORDS: &str = "both sides say the same";
/// What rules call a gap that a model found.
const MISSING_KIND: &str = "spoken of, and not among the documents";

/// What is merged.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeReading {
    pub reading: DocumentsRead,
    pub pieces: Cut,
    /// The answers on the pieces, in their order.
    pub read: Vec<Value>,
    #[serde(default)]
    pub groups: Grouped,
    /// The answers on the groups, in the order of the batches.
    #[serde(default)]
    pub reconciled: Vec<Value>,
}

/// The reading by rules with what the model adds. Without any answer of a model it is the reading by rules.
pub fn merge_reading(request: MergeReading, is_suspicious: Suspicion) -> DocumentsRead {
    let mut merging = Merging {
        read: request.reading,
        told: ModelReading::default(),
        groups: &request.groups,
        is_suspicious,
    };
    let checked = checked(
        &request.pieces,
        &request.read,
        is_suspicious,
        &mut merging.told,
    );
    merging.told.not_compared = request.groups.left_out;
    merging.add_owed(&checked);
    merging.add_missing(&checked);
    for answer in &request.reconciled {
        if let Some(reconciled) = by_a_model::<Reconciled>(answer) {
            note_model(answer, &mut merging.told);
            merging.take(reconciled);
        }
    }
    merging.finished()
}

struct Merging<'a> {
    read: DocumentsRead,
    told: ModelReading,
    groups: &'a Grouped,
    is_suspicious: Suspicion,
}

impl Merging<'_> {
    fn mark(&mut self, at: &Stated, by: FoundBy) {
        self.told.found_by.insert(at.address.clone(), by);
    }

    fn add_owed(&mut self, checked: &Checked) {
        let today = Date::from_iso(&self.read.today);
        for one in &checked.obligations {
            let known = self
                .read
                .owed
                .iter()
                .position(|owed| overlap(&owed.at, &one.at));
            if let Some(known) = known {
                let address = self.read.owed[known].at.clone();
                self.mark(&address, FoundBy::Both);
                continue;
            }
            if one.is_outdated {
                continue;
            }
            let due = one.told.due.as_deref();
            let date = due.and_then(|due| parse_stated_date(due, YearDigits::Four));
            let is_over = date
                .zip(today)
                .is_some_and(|(due, today)| due.last_day() < today);
            let status = match (one.told.done, is_over) {
                (true, _) => OwedStatus::Fulfilled,
                (false, true) => OwedStatus::Overdue,
                (false, false) => OwedStatus::Open,
            };
            self.mark(&one.at, FoundBy::Model);
            self.read.owed.push(Owed {
                who: one.told.who.clone(),
                what: one.told.evidence.quote.clone(),
                due: date.map(Date::iso).or_else(|| one.told.due.clone()),
                status,
                fulfilled_by: one.told.done.then(|| one.at.clone()),
                at: one.at.clone(),
            });
        }
    }

    fn add_missing(&mut self, checked: &Checked) {
        for one in &checked.missing {
            let known = self
                .read
                .missing
                .iter()
                .position(|gap| overlap(&gap.at, &one.at));
            if let Some(known) = known {
                let address = self.read.missing[known].at.clone();
                self.mark(&address, FoundBy::Both);
                continue;
            }
            if one.is_outdated {
                continue;
            }
            self.mark(&one.at, FoundBy::Model);
            self.read.missing.push(Missing {
                kind: MISSING_KIND.to_owned(),
                what: one.told.evidence.quote.clone(),
                at: one.at.clone(),
            });
        }
    }

    fn take(&mut self, reconciled: Reconciled) {
        for _ in 0..reconciled.dropped {
            self.told.drop_one(NOT_SAID);
        }
        for judgement in reconciled.judgements {
            self.judged(judgement);
        }
        for point in reconciled.points {
            self.settled(&point);
        }
        for first in reconciled.first {
            let Some((at, _)) = self.statement(&first.evidence) else {
                continue;
            };
            let is_known = self.told.first.iter().any(|known| overlap(&known.at, &at));
            if !is_known && self.told.first.len() < FIRST_MAX {
                self.told.first.push(First { why: first.why, at });
            }
        }
    }

    /// The statement that is quoted, and whether its document no longer holds. What is not said is dropped and counted.
    fn statement(&mut self, evidence: &Evidence) -> Option<(Stated, bool)> {
        let mut given = self.groups.statements.iter();
        let Some(GroupedStatement {
            at, is_outdated, ..
        }) = given.find(|one| one.id == evidence.source)
        else {
            self.told.drop_one(OUTSIDE);
            return None;
        };
        if find(&at.sentence, &evidence.quote).is_none() {
            self.told.drop_one(NOT_SAID);
            return None;
        }
        if (self.is_suspicious)(&evidence.quote) {
            self.told.drop_one(STEERS);
            return None;
        }
        Some((at.clone(), *is_outdated))
    }

    /// The sides of a judgement, each with whether its document no longer holds; nothing if one of them is not said.
    fn sides(&mut self, judged: Vec<JudgedSide>) -> Option<Vec<(RelatedSide, bool)>> {
        let mut sides = Vec::new();
        for side in judged {
            let value = side.value.filter(|value| !value.trim().is_empty());
            if let Some(value) = &value
                && !has_value(&side.evidence.quote, value)
            {
                self.told.drop_one(NO_VALUE);
                return None;
            }
            let (at, is_outdated) = self.statement(&side.evidence)?;
            let at = Stated { value, ..at };
            sides.push((
                RelatedSide {
                    says: side.says,
                    at,
                },
                is_outdated,
            ));
        }
        Some(sides)
    }

    fn judged(&mut self, judgement: GroupJudgement) {
        let Some(mut sides) = self.sides(judgement.sides) else {
            return;
        };
        let mut relation = judgement.relation;
        let by_rules = self.groups.by_rules.get(&judgement.group).cloned();
        if let Some(pair) = &by_rules {
            // The model has judged it, one way or the other.
            self.read
                .contradicting
                .retain(|[one, other]| [&one.address, &other.address] != [&pair[0], &pair[1]]);
        }
        if matches!(relation, ClaimRelation::Same | ClaimRelation::Unrelated) {
            return;
        }
        let documents: BTreeSet<&str> = sides
            .iter()
            .map(|(side, _)| document_of(&side.at.address))
            .collect();
        if documents.len() < 2 {
            self.told.drop_one(ONE_DOCUMENT);
            return;
        }
        let texts: BTreeSet<String> = sides
            .iter()
            .map(|(side, _)| plain(&side.at.sentence))
            .collect();
        if texts.len() < 2 {
            self.told.drop_one(SAME_WORDS);
            return;
        }
        let holding: BTreeSet<&str> = sides
            .iter()
            .filter(|(_, is_outdated)| !is_outdated)
            .map(|(side, _)| document_of(&side.at.address))
            .collect();
        if relation == ClaimRelation::Conflict && holding.len() < 2 {
            relation = ClaimRelation::Update;
            self.told.turned_into_changes += 1;
        }
        // Of a change the earlier state comes first: what no longer holds, then by date.
        if relation == ClaimRelation::Update {
            sides.sort_by(|(one, outdated), (other, others)| {
                let by_standing = others.cmp(outdated);
                by_standing.then_with(|| one.at.date.cmp(&other.at.date))
            });
        }
        let sides: Vec<RelatedSide> = sides.into_iter().map(|(side, _)| side).collect();
        self.relate(Related {
            about: judgement.about,
            relation,
            sides,
            why: judgement.why,
            settled_by: judgement.settled_by,
            found_by: match by_rules {
                Some(_) if relation == ClaimRelation::Conflict => FoundBy::Both,
                _ => FoundBy::Model,
            },
        });
    }

    fn relate(&mut self, related: Related) {
        let addresses = |of: &Related| -> BTreeSet<String> {
            let sides = of.sides.iter();
            sides.map(|side| side.at.address.clone()).collect()
        };
        let own = addresses(&related);
        let is_known = self
            .told
            .relations
            .iter()
            .any(|known| addresses(known) == own);
        if !is_known && self.told.relations.len() < RELATIONS_MAX {
            self.told.relations.push(related);
        }
    }

    fn settled(&mut self, judgement: &PointJudgement) {
        if judgement.status == PointStatus::Open {
            return;
        }
        let mut points = self.groups.points.iter();
        let Some(point) = points.find(|one| one.key == judgement.point) else {
            self.told.drop_one(OUTSIDE);
            return;
        };
        let (kind, address) = (point.kind, point.address.clone());
        let Some(evidence) = judgement.evidence.first() else {
            self.told.drop_one(NOT_SAID);
            return;
        };
        let Some((by, is_outdated)) = self.statement(evidence) else {
            return;
        };
        // Nothing settles itself, and what no longer holds settles nothing.
        if is_outdated || by.address == address {
            return;
        }
        match kind {
            PointKind::Owed => {
                let open = |one: &&mut Owed| {
                    one.at.address == address && one.status != OwedStatus::Fulfilled
                };
                if let Some(owed) = self.read.owed.iter_mut().find(open) {
                    owed.status = OwedStatus::Fulfilled;
                    owed.fulfilled_by = Some(by);
                    let owed = owed.clone();
                    self.told.done.push(owed);
                }
            }
            PointKind::Missing => {
                let at = self.read.missing.iter();
                let mut at = at.enumerate().filter(|(_, one)| one.at.address == address);
                if let Some(at) = at.next().map(|(at, _)| at) {
                    let gap = self.read.missing.remove(at);
                    self.told.found_elsewhere.push(FoundElsewhere {
                        what: gap.what,
                        at: gap.at,
                        by,
                    });
                }
            }
        }
    }

    fn finished(mut self) -> DocumentsRead {
        if self.told.pieces == 0 {
            return self.read;
        }
        self.told.relations.sort_by_key(|one| one.relation);
        self.read.owed.sort_by_key(|one| one.status);
        self.read.model = Some(self.told);
        self.read
    }
}
