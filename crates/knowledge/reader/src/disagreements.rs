//! Claims that give different values for the same thing: conflicts, and updates of one state by a later one.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use adjutant_text::bm25::inverse_document_frequency;

use crate::claims::{Bound, Claim, Force};
use crate::document_facts::Standing;
use crate::reading::Reading;
use crate::terms::Term;
use crate::values::{Unit, Value};

/// How two different values stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// Both are claimed to hold.
    Conflict,
    /// The second replaces the first.
    Update,
}

/// Claims with different values of the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    pub relation: Relation,
    /// Of different values; the earlier first, where that is known.
    pub claims: Vec<Claim>,
    /// From 0 to 1: how surely they speak of the same.
    pub likeness: f64,
}

/// Two claims that differ.
struct Pair {
    relation: Relation,
    claims: [usize; 2],
    likeness: f64,
}

/// Claims that share a word are compared only if it is not in more claims than this.
const SHARED_BY_MAX: usize = 60;
/// How alike two subjects must be.
const LIKENESS_MIN: f64 = 0.8;
/// Values that one matter can have.
const SIDES_MAX: usize = 8;
/// Tables with more rows are lists of records, not of claims.
const TABLE_ROWS_MAX: usize = 40;
/// What a word of one subject counts where the other has it outside its clause.
const BESIDE: f64 = 0.8;
const NEAR: f64 = 0.6;
const TITLE: f64 = 0.5;

/// What says that a state took the place of another.
const CHANGES: &[&str] = &[
    "replaced by",
    "instead of",
    "no longer",
    " now ",
    "changed from",
    "changed to",
    "was corrected",
    "is corrected",
    "moved to",
    "postponed",
    "withdrawn",
    "increased from",
    "reduced from",
    "reopened",
    "amended to",
];

/// A claim with what it is compared by.
struct Compared<'c> {
    claim: &'c Claim,
    document: usize,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Money(String),
    Percent,
    Time,
    Number,
    Day,
    Clock,
}

fn kind(value: &Value) -> Kind {
    match value {
        Value::Day(_) => Kind::Day,
        Value::Clock(_) => Kind::Clock,
        Value::Amount { unit, .. } => match unit {
            Unit::Money(sign) => Kind::Money(sign.clone()),
            Unit::Percent => Kind::Percent,
            Unit::Time(_) => Kind::Time,
            Unit::Of(_) | Unit::None => Kind::Number,
        },
    }
}

impl Reading<'_> {
    /// Where claims differ, the surest first.
    pub fn disagreements(&self, claims: &[Claim]) -> Vec<Disagreement> {
        let compared: Vec<Compared<'_>> = claims
            .iter()
            .filter(|claim| !self.is_record(claim.statement) && is_exact_enough(&claim.value))
            .filter(|claim| claim.force != Force::Supposed && !self.is_boilerplate(claim.statement))
            .map(|claim| Compared {
                claim,
                document: self.statements[claim.statement].document,
                kind: kind(&claim.value),
            })
            .collect();
        let pairs = self.pairs(&compared).into_iter();
        let mut pairs: Vec<Pair> = pairs
            .filter_map(|pair| self.differ(&compared, pair))
            .collect();
        pairs.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
        self.grouped(&compared, pairs)
    }

    /// Pairs that share a claim are one matter.
    fn grouped(&self, compared: &[Compared<'_>], pairs: Vec<Pair>) -> Vec<Disagreement> {
        let mut groups: Vec<(Relation, f64, Vec<usize>)> = Vec::new();
        for pair in pairs {
            let is_its = |group: &&mut (Relation, f64, Vec<usize>)| {
                group.0 == pair.relation
                    && group.2.len() < SIDES_MAX
                    && pair.claims.iter().any(|claim| group.2.contains(claim))
            };
            match groups.iter_mut().find(is_its) {
                Some(group) => group.2.extend(pair.claims),
                None => groups.push((pair.relation, pair.likeness, pair.claims.to_vec())),
            }
        }
        let whole = |(relation, likeness, mut members): (Relation, f64, Vec<usize>)| {
            members.sort_unstable();
            members.dedup();
            members.sort_by(|a, b| self.by_time(compared[*a].document, compared[*b].document));
            let mut claims: Vec<Claim> = Vec::new();
            for claim in members.into_iter().map(|member| compared[member].claim) {
                // A row is told once, and so is a document that says the same twice.
                let known = claims.iter().any(|other| {
                    other.statement == claim.statement
                        || (self.same_document(other, claim) && agree(other, claim))
                });
                if !known {
                    claims.push(claim.clone());
                }
            }
            Disagreement {
                relation,
                claims,
                likeness,
            }
        };
        let mut found: Vec<Disagreement> = groups.into_iter().map(whole).collect();
        let mut seen = BTreeSet::new();
        found.retain(|one| {
            let statements: Vec<usize> = one.claims.iter().map(|claim| claim.statement).collect();
            statements.len() > 1 && seen.insert(statements)
        });
        found
    }

    fn same_document(&self, a: &Claim, b: &Claim) -> bool {
        self.statements[a.statement].document == self.statements[b.statement].document
    }

    /// Claims of the same kind that share a phrase.
    fn pairs(&self, compared: &[Compared<'_>]) -> BTreeSet<(usize, usize)> {
        let mut by_phrase: HashMap<(&Kind, (Term, Term)), Vec<usize>> = HashMap::new();
        for (at, one) in compared.iter().enumerate() {
            for phrase in &one.claim.phrases {
                by_phrase.entry((&one.kind, *phrase)).or_default().push(at);
            }
        }
        let mut pairs = BTreeSet::new();
        for with in by_phrase
            .into_values()
            .filter(|with| with.len() <= SHARED_BY_MAX)
        {
            for (place, a) in with.iter().enumerate() {
                pairs.extend(with[place + 1..].iter().map(|b| (*a, *b)));
            }
        }
        pairs
    }

    fn weight(&self, term: Term) -> f64 {
        inverse_document_frequency(self.spread[term as usize].max(1), self.statements.len())
    }

    fn differ(&self, compared: &[Compared<'_>], (first, second): (usize, usize)) -> Option<Pair> {
        let (a, b) = (&compared[first], &compared[second]);
        if a.claim.statement == b.claim.statement || agree(a.claim, b.claim) {
            return None;
        }
        // A document that gives two values speaks of two things.
        if a.document == b.document {
            return None;
        }
        if self.gives(a, b) || self.gives(b, a) || self.are_two_occasions(a.document, b.document) {
            return None;
        }
        if !self.count_the_same(a.claim, b.claim)
            || self.is_other_case(a, b)
            || self.is_other_case(b, a)
        {
            return None;
        }
        // Cells are compared within the same column.
        let (head, other) = (&a.claim.column, &b.claim.column);
        let in_tables = !head.is_empty() && !other.is_empty();
        if in_tables && !head.iter().any(|term| other.contains(term)) {
            return None;
        }
        let likeness = self.likeness(a, b);
        (likeness >= LIKENESS_MIN).then(|| Pair {
            relation: self.relation(a, b),
            claims: [first, second],
            likeness,
        })
    }

    /// Whether the first statement has the value of the second somewhere.
    fn gives(&self, a: &Compared<'_>, b: &Compared<'_>) -> bool {
        let found = crate::values::values(self.text(a.claim.statement)).into_iter();
        let mut alike = found.filter(|at| kind(&at.value) == b.kind);
        alike.any(|at| match (&at.value, &b.claim.value) {
            (
                Value::Amount { low, high, .. },
                Value::Amount {
                    low: other_low,
                    high: other_high,
                    ..
                },
            ) => (low - other_low).abs() < 1e-9 && (high - other_high).abs() < 1e-9,
            (one, other) => same_day(one, other),
        })
    }

    /// Two documents of one series that report what was so at two times.
    pub(crate) fn are_two_occasions(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.facts[a], &self.facts[b]);
        a.is_same_series(b)
            && a.standing == Standing::Current
            && b.standing == Standing::Current
            && a.date != b.date
    }

    /// Whether a row stands in a long list of records.
    fn is_record(&self, statement: usize) -> bool {
        let own = &self.statements[statement];
        let same = |other: &crate::statement::Statement| {
            other.document == own.document && other.block == own.block
        };
        let before = self.statements[..statement]
            .iter()
            .rev()
            .take_while(|other| same(other))
            .take(TABLE_ROWS_MAX)
            .count();
        let after = self.statements[statement..]
            .iter()
            .take_while(|other| same(other))
            .take(TABLE_ROWS_MAX)
            .count();
        !own.cells.is_empty() && before + after > TABLE_ROWS_MAX
    }

    fn is_boilerplate(&self, statement: usize) -> bool {
        let document = self.statements[statement].document;
        let terms = &self.indexed[statement].own;
        let Some(rarest) = terms.iter().min_by_key(|term| self.spread[**term as usize]) else {
            return true;
        };
        let spread = self.spread[*rarest as usize];
        spread >= 3
            && terms.len() >= 3
            && self
                .statements
                .iter()
                .zip(&self.indexed)
                .filter(|(other, own)| other.document != document && own.own == *terms)
                .take(2)
                .count()
                >= 2
    }

    /// Whether what the numbers count has a word in common.
    fn count_the_same(&self, a: &Claim, b: &Claim) -> bool {
        let shares = |a: &[Term], b: &[Term]| a.iter().any(|term| b.contains(term));
        match (a.counted.is_empty(), b.counted.is_empty()) {
            (true, true) => unit_stem(&a.value) == unit_stem(&b.value),
            (false, false) => shares(&a.counted, &b.counted),
            (false, true) => unit_stem(&b.value).is_none() && shares(&a.counted, &b.subject),
            (true, false) => unit_stem(&a.value).is_none() && shares(&b.counted, &a.subject),
        }
    }

    /// Whether the first speaks of a case that the second does not: another name, number or day.
    fn is_other_case(&self, a: &Compared<'_>, b: &Compared<'_>) -> bool {
        let absent = |mark: &Term| self.presence(*mark, b) == 0.0;
        let unnamed = |mark: &&Term| absent(mark) && !self.vocabulary[b.document].contains(*mark);
        let numbers = |of: &Claim| {
            of.marks
                .iter()
                .copied()
                .filter(|mark| self.has_digit(*mark))
                .collect::<Vec<Term>>()
        };
        let (own, others) = (numbers(a.claim), numbers(b.claim));
        let other_number = !others.is_empty() && own.iter().any(absent);
        let other_name = a
            .claim
            .marks
            .iter()
            .filter(|mark| !own.contains(mark))
            .any(|mark| unnamed(&mark));
        let other_day = !a.claim.dated.is_empty()
            && !b.claim.dated.is_empty()
            && a.claim
                .dated
                .iter()
                .all(|date| !b.claim.dated.iter().any(|other| same_day(date, other)));
        other_number || other_name || other_day
    }

    /// How near a word is to a claim.
    fn presence(&self, term: Term, of: &Compared<'_>) -> f64 {
        let has = |list: &[Term]| list.binary_search(&term).is_ok();
        let indexed = &self.indexed[of.claim.statement];
        match () {
            () if has(&of.claim.subject) => 1.0,
            () if has(&of.claim.beside) => BESIDE,
            () if has(&indexed.near)
                || self
                    .beside(of.claim.statement)
                    .any(|other| has(&self.indexed[other].own)) =>
            {
                NEAR
            }
            () if has(&self.titles[of.document]) || has(&indexed.far) => TITLE,
            () => 0.0,
        }
    }

    fn has_digit(&self, term: Term) -> bool {
        self.terms.has_digit(term)
    }

    fn likeness(&self, a: &Compared<'_>, b: &Compared<'_>) -> f64 {
        let mut held = 0.0;
        let mut total = 0.0;
        for (one, other) in [(a, b), (b, a)] {
            for (term, near) in one.claim.subject.iter().zip(&one.claim.nearness) {
                let weight = self.weight(*term) * near;
                total += weight;
                held += weight * self.presence(*term, other);
            }
        }
        if total == 0.0 { 0.0 } else { held / total }
    }

    fn relation(&self, a: &Compared<'_>, b: &Compared<'_>) -> Relation {
        let (earlier, later) = match self.by_time(a.document, b.document) {
            Ordering::Greater => (b, a),
            _ => (a, b),
        };
        match self.replaces(earlier, later) {
            true => Relation::Update,
            false => Relation::Conflict,
        }
    }

    /// Documents that are replaced, drafts and earlier ones first.
    fn by_time(&self, a: usize, b: usize) -> Ordering {
        let rank = |of: usize| {
            let facts = &self.facts[of];
            let holds = facts.standing == Standing::Current;
            (
                facts.is_amendment,
                holds,
                facts.date,
                facts.version.clone(),
                !facts.is_draft,
            )
        };
        rank(a).cmp(&rank(b))
    }

    /// Whether the later claim takes the place of the earlier.
    fn replaces(&self, earlier: &Compared<'_>, later: &Compared<'_>) -> bool {
        let facts = &self.facts[earlier.document];
        let text = self.text(later.claim.statement).to_lowercase();
        CHANGES.iter().any(|words| text.contains(words))
            || (self.facts[later.document].is_amendment && !facts.is_amendment)
            || (self.facts[later.document].is_kept_up && self.share_a_code(earlier, later))
            || matches!(facts.standing, Standing::ReplacedBy(_))
            || (facts.is_draft && !self.facts[later.document].is_draft)
            || (earlier.claim.force == Force::Planned && later.claim.force == Force::Asserted)
            || self.has_grown(earlier, later)
    }

    /// Rows of two tables with the same code: `R-07`.
    fn share_a_code(&self, a: &Compared<'_>, b: &Compared<'_>) -> bool {
        let code = |term: &&Term| self.has_digit(**term);
        let in_tables = !a.claim.column.is_empty() && !b.claim.column.is_empty();
        let mut codes = a.claim.marks.iter().filter(code);
        in_tables && codes.any(|code| b.claim.marks.contains(code))
    }

    /// A count that a later document has as a larger one: more has happened since.
    fn has_grown(&self, earlier: &Compared<'_>, later: &Compared<'_>) -> bool {
        let count = |of: &Compared<'_>| match (&of.claim.value, &of.kind) {
            (Value::Amount { low, high, .. }, Kind::Number) if low == high => Some(*low),
            _ => None,
        };
        let dates = self.facts[earlier.document]
            .date
            .zip(self.facts[later.document].date);
        let grown = count(earlier).zip(count(later)).is_some_and(|(a, b)| a < b);
        grown && dates.is_some_and(|(a, b)| a.last_day() < b.first_day())
    }
}

/// Years alone are too coarse to contradict each other.
fn is_exact_enough(value: &Value) -> bool {
    match value {
        Value::Day(date) => date.month().is_some(),
        Value::Amount { .. } | Value::Clock(_) => true,
    }
}

fn unit_stem(value: &Value) -> Option<&str> {
    match value {
        Value::Amount {
            unit: Unit::Of(stem),
            ..
        } => Some(stem),
        _ => None,
    }
}

fn same_day(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Day(a), Value::Day(b)) => a.is_within(*b) || b.is_within(*a),
        (a, b) => a == b,
    }
}

/// Whether two claims can both be true of one thing.
fn agree(a: &Claim, b: &Claim) -> bool {
    match (&a.value, &b.value) {
        (Value::Day(_), Value::Day(_)) => same_day(&a.value, &b.value),
        (Value::Clock(one), Value::Clock(other)) => one == other,
        (
            Value::Amount { low, high, unit },
            Value::Amount {
                low: other_low,
                high: other_high,
                unit: other,
            },
        ) => {
            let (Some(one), Some(two)) = (scale(unit, other), scale(other, unit)) else {
                return true;
            };
            let a_ends = (low * one, high * one);
            let b_ends = (other_low * two, other_high * two);
            amounts_agree(a_ends, a.bound, b_ends, b.bound)
        }
        _ => true,
    }
}

/// What makes an amount comparable with one of another unit; none if they are not.
fn scale(unit: &Unit, other: &Unit) -> Option<f64> {
    match (unit, other) {
        (Unit::Time(own), Unit::Time(other)) => {
            let (own, other) = (minutes(own)?, minutes(other)?);
            (own.0 == other.0).then_some(own.1)
        }
        _ => Some(1.0),
    }
}

/// Units of clocks and of calendars cannot be turned into each other.
fn minutes(unit: &str) -> Option<(bool, f64)> {
    Some(match unit {
        "millisecond" => (false, 1.0 / 60_000.0),
        "second" => (false, 1.0 / 60.0),
        "minute" => (false, 1.0),
        "hour" => (false, 60.0),
        "day" => (false, 1_440.0),
        "week" => (false, 10_080.0),
        "month" => (true, 1.0),
        "quarter" => (true, 3.0),
        "year" => (true, 12.0),
        _ => return None,
    })
}

fn amounts_agree(a: (f64, f64), a_bound: Bound, b: (f64, f64), b_bound: Bound) -> bool {
    let tolerance = match (a_bound, b_bound) {
        (Bound::About, _) | (_, Bound::About) => 0.1,
        _ => 0.0,
    };
    let slack = tolerance * a.1.abs().max(b.1.abs()) + 1e-9;
    let meets = a.0 <= b.1 + slack && b.0 <= a.1 + slack;
    let rounded = is_rounded(a.0, b.0) || is_rounded(b.0, a.0);
    match (a_bound, b_bound) {
        (Bound::AtLeast, Bound::Exactly | Bound::About) => b.1 >= a.0 || meets,
        (Bound::Exactly | Bound::About, Bound::AtLeast) => a.1 >= b.0 || meets,
        (Bound::AtMost, Bound::Exactly | Bound::About) => b.0 <= a.1 || meets,
        (Bound::Exactly | Bound::About, Bound::AtMost) => a.0 <= b.1 || meets,
        (Bound::AtLeast, Bound::AtMost) => a.0 <= b.1,
        (Bound::AtMost, Bound::AtLeast) => b.0 <= a.1,
        _ => meets || rounded,
    }
}

/// Whether the first is the second with fewer digits: 41,000 and 41,380 are, 41,000 and 42,000 are not.
fn is_rounded(round: f64, exact: f64) -> bool {
    if round == 0.0 || exact == 0.0 {
        return false;
    }
    let mut step = 1e12;
    while step > 1e-6 && (round / step).fract().abs() > 1e-9 {
        step /= 10.0;
    }
    let digits = (round.abs() / step).log10();
    digits >= 1.0
        && step >= 1.0
        && (round - exact).abs() <= step / 2.0
        && (exact / step).fract() != 0.0
}
