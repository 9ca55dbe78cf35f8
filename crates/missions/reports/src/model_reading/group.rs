//! What the pieces say on the same things, put side by side in batches that fit a question; and what is open, with the
//! statements that may settle it.
//!
//! Statements that are worded differently share few words, so groups are wide: it is the model that tells which belong
//! together.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{
    ClaimGroup, ClaimStatus, ClaimedStatement, OpenPoint, PointKind, Source, ToldDocument,
    token_bound,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ModelReading;
use super::check::{Checked, Claimed, Suspicion, checked};
use super::cut::Cut;
use super::near::Near;
use super::places::{Places, overlap};
use crate::documents_read::{DocumentsRead, OwedStatus, Stated};
use crate::text::{plain, short};

/// So many pieces are compared by one question, and there are so many questions at most.
const PIECES_PER_BATCH: usize = 3;
const BATCHES_MAX: usize = 10;
const BATCH_TOKENS_MAX: u64 = 9_000;
const BATCH_GROUPS_MAX: usize = 24;
/// What stands around a statement in a question.
const STATEMENT_TOKENS: u64 = 150;
const GROUP_STATEMENTS_MAX: usize = 5;
/// The nearest of other documents that a claim is grouped with.
const NEIGHBOURS_MAX: usize = 3;
const NEAR_MIN: f64 = 0.3;
const SETTLES_MIN: f64 = 0.3;
const CANDIDATES_MAX: usize = 3;
const POINTS_MAX: usize = 60;
/// How much sooner a group is compared whose statements give different values, or of which one denies.
const DIFFERENT_VALUE: f64 = 0.4;
const OTHER_STATUS: f64 = 0.2;
const SENTENCE_CHARS_MAX: usize = 700;
const SAYS_CHARS_MAX: usize = 240;

/// What is grouped.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupClaims {
    pub reading: DocumentsRead,
    pub pieces: Cut,
    /// The answers on the pieces, in their order.
    pub read: Vec<Value>,
    /// How many batches there are to be.
    pub count: usize,
}

/// Batches, and what their short names stand for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Grouped {
    pub items: Vec<Batch>,
    pub statements: Vec<GroupedStatement>,
    pub points: Vec<GroupedPoint>,
    /// Groups that are two statements of which the rules say that they contradict each other.
    pub by_rules: BTreeMap<String, [String; 2]>,
    /// Groups that no batch has room for.
    pub left_out: usize,
}

/// What one question compares.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub sources: Vec<Source>,
    pub documents: Vec<ToldDocument>,
    pub groups: Vec<ClaimGroup>,
    pub points: Vec<OpenPoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupedStatement {
    pub id: String,
    pub at: Stated,
    pub is_outdated: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupedPoint {
    pub key: String,
    pub kind: PointKind,
    /// The address of the statement that it comes from.
    pub address: String,
}

/// How many batches so many pieces come to. Known before anything is read.
pub fn batches_for(pieces: usize) -> usize {
    pieces.div_ceil(PIECES_PER_BATCH).min(BATCHES_MAX)
}

/// Groups the claims. Deterministic: the same claims come to the same batches.
pub fn group_claims(request: &GroupClaims, is_suspicious: Suspicion) -> Grouped {
    let mut ignored = ModelReading::default();
    let checked = checked(&request.pieces, &request.read, is_suspicious, &mut ignored);
    let places = Places::of(&request.pieces);
    let mut told = Told {
        places: &places,
        found: Vec::new(),
        by_address: BTreeMap::new(),
    };
    let mut grouped = Grouped::default();
    let mut groups = rule_groups(&request.reading, &mut told, &mut grouped);
    groups.extend(claim_groups(&checked.claims, &mut told, groups.len()));
    let points = points(&request.reading, &checked, &mut told);
    for point in &points {
        let of = told.found.iter().find(|at| at.id == point.statement);
        grouped.points.push(GroupedPoint {
            key: point.key.clone(),
            kind: point.kind,
            address: of.map_or_else(String::new, |at| at.at.address.clone()),
        });
    }
    let count = request.count.min(BATCHES_MAX);
    grouped.items = vec![Batch::default(); count];
    grouped.left_out = fill(&mut grouped.items, groups, points, &told);
    grouped.statements = told
        .found
        .into_iter()
        .map(|one| GroupedStatement {
            id: one.id,
            at: one.at,
            is_outdated: one.is_outdated,
        })
        .collect();
    grouped
}

/// A statement as questions name it.
struct Named {
    id: String,
    at: Stated,
    genre: String,
    standing: String,
    is_outdated: bool,
}

struct Told<'a> {
    places: &'a Places<'a>,
    found: Vec<Named>,
    by_address: BTreeMap<String, usize>,
}

impl Told<'_> {
    /// The id of a statement. A statement without a place among the pieces has none.
    fn id(&mut self, at: &Stated) -> Option<String> {
        if let Some(known) = self.by_address.get(&at.address) {
            return Some(self.found[*known].id.clone());
        }
        let part = self.places.holding(&at.address)?.part;
        let id = format!("s{}", self.found.len() + 1);
        self.by_address.insert(at.address.clone(), self.found.len());
        self.found.push(Named {
            id: id.clone(),
            at: at.clone(),
            genre: part.genre.clone(),
            standing: part.standing.clone(),
            is_outdated: part.is_outdated,
        });
        Some(id)
    }

    fn named(&self, id: &str) -> Option<&Named> {
        self.found.iter().find(|one| one.id == id)
    }
}

/// What the rules take for contradictions: the model says which of them are.
fn rule_groups(
    reading: &DocumentsRead,
    told: &mut Told<'_>,
    grouped: &mut Grouped,
) -> Vec<ClaimGroup> {
    let mut groups = Vec::new();
    for [one, other] in &reading.contradicting {
        let (Some(first), Some(second)) = (told.id(one), told.id(other)) else {
            continue;
        };
        let key = format!("g{}", groups.len() + 1);
        grouped
            .by_rules
            .insert(key.clone(), [one.address.clone(), other.address.clone()]);
        groups.push(ClaimGroup {
            key,
            subject: "said by one, and denied by the other".to_owned(),
            statements: [(first, one), (second, other)]
                .into_iter()
                .map(|(source, at)| ClaimedStatement {
                    source,
                    says: short(at.told(), SAYS_CHARS_MAX),
                })
                .collect(),
        });
    }
    groups
}

struct Edge {
    score: f64,
    ends: [usize; 2],
}

/// Claims of different documents that are near each other, the most promising groups first.
fn claim_groups(claims: &[Claimed], told: &mut Told<'_>, before: usize) -> Vec<ClaimGroup> {
    let mut edges = edges(claims);
    edges.sort_by(|one, other| {
        let by_score = other.score.total_cmp(&one.score);
        by_score.then(one.ends.cmp(&other.ends))
    });
    let mut group_of: Vec<usize> = (0..claims.len()).collect();
    let mut members: Vec<BTreeSet<usize>> = (0..claims.len()).map(|at| [at].into()).collect();
    let mut order: Vec<usize> = Vec::new();
    for edge in &edges {
        let [one, other] = edge.ends.map(|end| group_of[end]);
        if one == other || members[one].len() + members[other].len() > GROUP_STATEMENTS_MAX {
            continue;
        }
        let moved = std::mem::take(&mut members[other]);
        for at in &moved {
            group_of[*at] = one;
        }
        members[one].extend(moved);
        // The place of a group is that of its best pair.
        order.retain(|at| *at != other);
        if !order.contains(&one) {
            order.push(one);
        }
    }
    let groups = order.into_iter().filter_map(|at| {
        let own: Vec<&Claimed> = members[at].iter().map(|at| &claims[*at]).collect();
        let subject = own.first()?.subject.clone();
        let statements: Vec<ClaimedStatement> = own
            .iter()
            .filter_map(|claim| {
                Some(ClaimedStatement {
                    source: told.id(&claim.at)?,
                    says: short(&claim.says, SAYS_CHARS_MAX),
                })
            })
            .collect();
        (statements.len() > 1).then_some((subject, statements))
    });
    let numbered = groups.collect::<Vec<_>>().into_iter().zip(before + 1..);
    numbered
        .map(|((subject, statements), number)| ClaimGroup {
            key: format!("g{number}"),
            subject: short(&subject, SAYS_CHARS_MAX),
            statements,
        })
        .collect()
}

fn edges(claims: &[Claimed]) -> Vec<Edge> {
    let subjects = Near::of(claims.iter().map(|claim| claim.subject.as_str()));
    let texts: Vec<String> = claims
        .iter()
        .map(|claim| format!("{} {} {}", claim.subject, claim.says, claim.at.sentence))
        .collect();
    let texts = Near::of(texts.iter().map(String::as_str));
    let mut edges: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for (at, claim) in claims.iter().enumerate() {
        let mut nearest: Vec<(f64, usize)> = Vec::new();
        for (other_at, other) in claims.iter().enumerate() {
            if claim.document == other.document || (claim.is_outdated && other.is_outdated) {
                continue;
            }
            let near = subjects
                .between(at, other_at)
                .max(texts.between(at, other_at));
            if near >= NEAR_MIN && plain(&claim.at.sentence) != plain(&other.at.sentence) {
                nearest.push((near + difference(claim, other), other_at));
            }
        }
        nearest.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for (score, other) in nearest.into_iter().take(NEIGHBOURS_MAX) {
            edges.insert([at.min(other), at.max(other)], score);
        }
    }
    edges
        .into_iter()
        .map(|(ends, score)| Edge { score, ends })
        .collect()
}

fn difference(one: &Claimed, other: &Claimed) -> f64 {
    let value = |claim: &Claimed| claim.value.as_deref().map(plain);
    let values = match (value(one), value(other)) {
        (Some(first), Some(second)) if first != second => DIFFERENT_VALUE,
        _ => 0.0,
    };
    let denied = |claim: &Claimed| claim.status == ClaimStatus::Denied;
    match denied(one) != denied(other) {
        true => values + OTHER_STATUS,
        false => values,
    }
}

/// What is open, as far as a statement may settle it.
fn points(reading: &DocumentsRead, checked: &Checked, told: &mut Told<'_>) -> Vec<OpenPoint> {
    let mut open: Vec<(PointKind, String, Option<String>, Stated)> = Vec::new();
    let mut add = |kind, what: &str, due: Option<String>, at: &Stated| {
        let known = open
            .iter()
            .any(|(other, _, _, stated)| *other == kind && overlap(stated, at));
        if !known {
            open.push((kind, short(what, SAYS_CHARS_MAX), due, at.clone()));
        }
    };
    for one in reading
        .owed
        .iter()
        .filter(|at| at.status != OwedStatus::Fulfilled)
    {
        add(PointKind::Owed, &one.what, one.due.clone(), &one.at);
    }
    for one in &reading.missing {
        add(PointKind::Missing, &one.what, None, &one.at);
    }
    for one in checked.obligations.iter().filter(|at| !at.told.done) {
        add(
            PointKind::Owed,
            &one.told.what,
            one.told.due.clone(),
            &one.at,
        );
    }
    for one in &checked.missing {
        add(PointKind::Missing, &one.told.what, None, &one.at);
    }
    let texts: Vec<String> = checked
        .claims
        .iter()
        .map(|claim| format!("{} {} {}", claim.subject, claim.says, claim.at.sentence))
        .chain(
            open.iter()
                .map(|(_, what, _, at)| format!("{what} {}", at.sentence)),
        )
        .collect();
    let near = Near::of(texts.iter().map(String::as_str));
    let mut found: Vec<(f64, OpenPoint)> = Vec::new();
    for (number, (kind, what, due, at)) in open.iter().enumerate() {
        let own = checked.claims.len() + number;
        let mut settling: Vec<(f64, &Claimed)> = checked
            .claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| may_settle(claim, at))
            .map(|(other, claim)| (near.between(own, other), claim))
            .filter(|(score, _)| *score >= SETTLES_MIN)
            .collect();
        settling.sort_by(|one, other| other.0.total_cmp(&one.0));
        settling.truncate(CANDIDATES_MAX);
        let Some(best) = settling.first().map(|(score, _)| *score) else {
            continue;
        };
        let Some(statement) = told.id(at) else {
            continue;
        };
        let candidates = settling.iter().filter_map(|(_, claim)| told.id(&claim.at));
        let point = OpenPoint {
            key: format!("p{}", number + 1),
            kind: *kind,
            what: what.clone(),
            due: due.clone(),
            statement,
            candidates: candidates.collect(),
        };
        found.push((best, point));
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.truncate(POINTS_MAX);
    found.into_iter().map(|(_, point)| point).collect()
}

/// Something later that is said to be so.
fn may_settle(claim: &Claimed, open: &Stated) -> bool {
    let is_earlier = match (&claim.at.date, &open.date) {
        (Some(claimed), Some(opened)) => claimed < opened,
        _ => false,
    };
    claim.status == ClaimStatus::Asserted
        && !claim.is_outdated
        && !is_earlier
        && !overlap(&claim.at, open)
}

/// Deals groups and points out to the batches in turn. Returns how many groups found no room.
fn fill(
    batches: &mut [Batch],
    groups: Vec<ClaimGroup>,
    points: Vec<OpenPoint>,
    told: &Told<'_>,
) -> usize {
    let mut tokens = vec![0_u64; batches.len()];
    let mut left_out = 0;
    let mut place = |ids: &[String], has_room: &dyn Fn(&Batch) -> bool, batches: &mut [Batch]| {
        let least = (0..batches.len())
            .filter(|at| has_room(&batches[*at]))
            .min_by_key(|at| tokens[*at])?;
        let cost: u64 = ids
            .iter()
            .filter(|id| !batches[least].sources.iter().any(|known| known.id == **id))
            .filter_map(|id| told.named(id))
            .map(|one| STATEMENT_TOKENS + token_bound(&one.at.sentence))
            .sum();
        if tokens[least] + cost > BATCH_TOKENS_MAX {
            return None;
        }
        tokens[least] += cost;
        for id in ids {
            add_source(&mut batches[least], id, told);
        }
        Some(least)
    };
    for group in groups {
        let ids: Vec<String> = group
            .statements
            .iter()
            .map(|at| at.source.clone())
            .collect();
        let has_room = |batch: &Batch| batch.groups.len() < BATCH_GROUPS_MAX;
        match place(&ids, &has_room, batches) {
            Some(at) => batches[at].groups.push(group),
            None => left_out += 1,
        }
    }
    for point in points {
        let ids: Vec<String> = std::iter::once(&point.statement)
            .chain(&point.candidates)
            .cloned()
            .collect();
        if let Some(at) = place(&ids, &|_| true, batches) {
            batches[at].points.push(point);
        }
    }
    left_out
}

fn add_source(batch: &mut Batch, id: &str, told: &Told<'_>) {
    if batch.sources.iter().any(|known| known.id == id) {
        return;
    }
    let Some(one) = told.named(id) else {
        return;
    };
    batch.sources.push(Source {
        id: id.to_owned(),
        title: one.at.title.clone(),
        text: clipped(&one.at.sentence),
        published: one.at.date.clone(),
    });
    batch.documents.push(ToldDocument {
        source: id.to_owned(),
        genre: one.genre.clone(),
        standing: one.standing.clone(),
    });
}

/// The beginning of a very long statement, letter for letter.
fn clipped(sentence: &str) -> String {
    sentence.chars().take(SENTENCE_CHARS_MAX).collect()
}
