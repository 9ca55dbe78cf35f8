//! Whether a condition is met, as far as the documents show it.
//!
//! What somebody says of their own plan is a claim. Only what was measured, decided or recorded shows that a condition is met; that
//! it is not met may be shown by anybody.

use adjutant_text::dates::Date;

use crate::aim::Aim;
use crate::claims::{Bound, Force, bound, force};
use crate::conditions::{Condition, has_phrase};
use crate::document_facts::Standing;
use crate::genre::{Genre, Strength};
use crate::planned_days::DayCount;
use crate::reading::Reading;
use crate::reports::is_denied;
use crate::statement::StatementForm;
use crate::values::{Unit, Value, values};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionState {
    NotMet,
    NotShown,
    Met,
}

/// A condition's state, with the statements it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Fulfilment {
    pub state: ConditionState,
    /// The surest first. Of a condition whose state is not shown: the nearest statements.
    pub grounds: Vec<usize>,
    /// Somebody says that it is met whose word does not show it.
    pub claimed: Option<usize>,
    /// What counting days comes to.
    pub days: Option<DayCount>,
}

/// A statement that may tell of a condition.
#[derive(Debug, Clone, Copy)]
struct Witness {
    statement: usize,
    likeness: f64,
    score: f64,
    says: Says,
    is_firm: bool,
    date: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Met,
    NotMet,
    Nothing,
}

/// Words by which something is said to have gone wrong or not to be there.
const AGAINST: &[&str] = &[
    "missed",
    "failed",
    "fails",
    "stopped",
    "aborted",
    "refused",
    "refuses",
    "rejected",
    "exceeded",
    "exceeds",
    "breached",
    "outstanding",
    "missing",
    "awaited",
    "deferred",
    "postponed",
    "insufficient",
    "impossible",
    "lacks",
    "lacking",
    "unsigned",
    "incomplete",
    "pending",
];
/// Words by which something is said to be done.
const FOR: &[&str] = &[
    "met",
    "passed",
    "fulfilled",
    "satisfied",
    "completed",
    "granted",
    "consented",
    "approved",
    "accepted",
    "signed",
    "issued",
    "obtained",
    "achieved",
    "demonstrated",
    "confirmed",
    "delivered",
    "received",
    "paid",
    "submitted",
];
/// From here on a statement is about the condition, and from here on it is near.
const ABOUT: f64 = 0.39;
const NEAR: f64 = 0.34;
/// With less, it only goes on after a statement that is about it.
const OWN: f64 = 0.08;
/// From here on somebody claims that it is met.
const CLAIMED: f64 = 0.5;
/// Values are compared only in statements that are surely about it.
const SAME_VALUE: f64 = 0.5;
const GROUNDS_MAX: usize = 3;
/// What a statement from before the condition was set weighs.
const EARLIER: f64 = 0.75;
const ROW: f64 = 0.85;
const WORDS_MAX: usize = 60;

impl Reading<'_> {
    /// Looks in all documents for what shows that a condition is met or not. `planned` is the day for which it matters.
    pub fn fulfilment(&self, of: &Condition, planned: Option<Date>, today: Date) -> Fulfilment {
        let document = self.statements[of.statement].document;
        let words = self.range(document, &of.words);
        // `(a)` is no name.
        let label = of.label.as_deref().filter(|label| !label.starts_with('('));
        let mut named = format!("{} {words}", label.unwrap_or_default());
        // A code names another decision, which is looked up for its limits.
        for code in codes(words) {
            named = named.replace(code, " ");
        }
        let aim = self.aim(&named);
        let limits = self.limits_of(of, words);
        let set_on = self.facts[document].date;
        let mut all: Vec<Witness> = (0..self.statements.len())
            .filter(|at| self.may_tell(*at, of))
            .filter_map(|at| self.witness(at, &aim, &limits, set_on, today))
            .collect();
        all.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statement.cmp(&b.statement))
        });
        let days = planned.and_then(|planned| self.day_count(words, document, planned, today));
        judged(&all, days)
    }

    /// Statements of documents in force, other than the condition and what stands with it.
    fn may_tell(&self, at: usize, of: &Condition) -> bool {
        let own = &self.statements[of.statement];
        let statement = &self.statements[at];
        let facts = &self.facts[statement.document];
        let holds = facts.standing == Standing::Current && !facts.is_draft;
        let text = self.text(at);
        let document = self.range(own.document, &of.words);
        let restates = codes(document).iter().any(|code| text.contains(code));
        let is_with = statement.document == own.document
            && (statement.block == own.block || statement.headings == own.headings);
        holds
            && !is_with
            && !restates
            && !is_data(text)
            && statement.form != StatementForm::Code
            && self.indexed[at].words <= WORDS_MAX
            && !matches!(
                facts.genre,
                Genre::Law | Genre::Contract | Genre::Specification | Genre::Policy
            )
            && of
                .set_in
                .as_ref()
                .is_none_or(|lead| statement.document != own.document || *lead != statement.span)
    }

    fn witness(
        &self,
        at: usize,
        aim: &Aim,
        limits: &[(Bound, Value)],
        set_on: Option<Date>,
        today: Date,
    ) -> Option<Witness> {
        let own = self.relevance(aim, at);
        let mut likeness = own;
        if let Some(before) = self.sentence_before(at).filter(|_| own >= OWN) {
            likeness = likeness.max(self.relevance_of_two(aim, at, before));
        }
        if likeness < NEAR {
            return None;
        }
        let document = self.statements[at].document;
        let facts = &self.facts[document];
        if facts.date.is_some_and(|date| date > today) {
            return None;
        }
        let is_later = facts.date.is_none() || facts.date >= set_on;
        let strength = match facts.strength() {
            Strength::High => 1.0,
            Strength::Moderate => 0.95,
            Strength::Low => 0.8,
            Strength::VeryLow => 0.6,
        };
        let says = self.says(at, likeness, limits);
        let speaks = if says == Says::Nothing { 0.8 } else { 1.0 };
        // A row of a list speaks of its own entry first.
        let speaks = if self.statements[at].form == StatementForm::Row {
            speaks * ROW
        } else {
            speaks
        };
        Some(Witness {
            statement: at,
            likeness,
            score: likeness * strength * speaks * if is_later { 1.0 } else { EARLIER },
            says,
            is_firm: facts.strength() <= Strength::Moderate
                && !matches!(facts.genre, Genre::Register | Genre::Protocol),
            date: facts.date,
        })
    }

    pub(crate) fn sentence_before(&self, at: usize) -> Option<usize> {
        let own = &self.statements[at];
        let before = at.checked_sub(1)?;
        let above = &self.statements[before];
        let near = above.document == own.document && above.block == own.block;
        (near && own.is_prose()).then_some(before)
    }

    fn says(&self, at: usize, likeness: f64, limits: &[(Bound, Value)]) -> Says {
        let text = self.text(at);
        let by_value = match likeness >= SAME_VALUE {
            true => compared(text, limits),
            false => Says::Nothing,
        };
        if by_value != Says::Nothing {
            return by_value;
        }
        let against = is_denied(text) || has_phrase(text, AGAINST);
        match force(text) {
            Force::Supposed => Says::Nothing,
            _ if against => Says::NotMet,
            Force::Planned => Says::Nothing,
            Force::Asserted if has_phrase(text, FOR) => Says::Met,
            Force::Asserted => Says::Nothing,
        }
    }

    /// The limits that a condition sets, its own and those of a decision that it names by its code.
    fn limits_of(&self, of: &Condition, words: &str) -> Vec<(Bound, Value)> {
        let mut found = limits_in(words);
        let own = self.statements[of.statement].document;
        for code in codes(words) {
            let named = (0..self.statements.len()).filter(|at| {
                let statement = &self.statements[*at];
                statement.document == own
                    && *at != of.statement
                    && self.text(*at).contains(code)
                    && !statement.span.contains(&of.words.start)
            });
            for at in named {
                let text = self.text(at);
                let behind = text.find(code).map_or(text, |at| &text[at + code.len()..]);
                found.extend(limits_in(behind).into_iter().take(1));
            }
        }
        found
    }
}

/// Whether a text is a record's fields and no prose: `items[0].state: open`.
pub(crate) fn is_data(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_field = |word: &str| {
        let is_name = word.ends_with(':') && word.trim_end_matches(':').contains(['_', '.']);
        let is_path = word.split_once('.').is_some_and(|(name, place)| {
            name.len() > 3
                && name.chars().all(|char| char.is_lowercase())
                && place.starts_with(|char: char| char.is_ascii_digit())
        });
        is_name || is_path
    };
    text.contains("].") || text.contains("]:") || words.any(is_field)
}

fn judged(all: &[Witness], days: Option<DayCount>) -> Fulfilment {
    let about = || all.iter().filter(|one| one.likeness >= ABOUT);
    let mut against: Vec<&Witness> = about().filter(|one| one.says == Says::NotMet).collect();
    // What was measured, decided or recorded tells it best.
    against.sort_by_key(|one| !one.is_firm);
    let shown: Vec<&Witness> = about()
        .filter(|one| one.says == Says::Met && one.is_firm)
        .collect();
    let claims = all
        .iter()
        .filter(|one| one.says == Says::Met && !one.is_firm && one.likeness >= CLAIMED);
    let claimed = claims.max_by(|a, b| a.likeness.total_cmp(&b.likeness));
    let is_late = days.as_ref().is_some_and(|count| !count.is_enough);
    let outweighs = |one: &&Witness, other: &&Witness| match (one.date, other.date) {
        (Some(one), Some(other)) if one != other => one > other,
        _ => one.score >= other.score,
    };
    let (state, grounds) = match (against.first(), shown.first()) {
        (Some(no), Some(yes)) if outweighs(yes, no) && !is_late => (ConditionState::Met, &shown),
        (Some(_), _) => (ConditionState::NotMet, &against),
        (None, Some(_)) if !is_late => (ConditionState::Met, &shown),
        _ => (ConditionState::NotShown, &against),
    };
    let state = if is_late {
        ConditionState::NotMet
    } else {
        state
    };
    let grounds: Vec<usize> = match grounds.is_empty() {
        false => grounds
            .iter()
            .take(GROUNDS_MAX)
            .map(|one| one.statement)
            .collect(),
        true => {
            let nearest = all
                .iter()
                .filter(|one| claimed.is_none_or(|at| at.statement != one.statement));
            nearest.take(2).map(|one| one.statement).collect()
        }
    };
    Fulfilment {
        state,
        grounds,
        claimed: claimed.map(|one| one.statement),
        days,
    }
}

/// Amounts with a limit: `at least 70 %`, `within four hours`, `up to EUR 2 million`.
fn limits_in(text: &str) -> Vec<(Bound, Value)> {
    let found = values(text).into_iter();
    let limits = found.filter_map(|placed| {
        let bound = bound(text, &placed);
        // `above 6.0` says what is counted; `at least 6.0` says how much it takes.
        let before = text[..placed.span.start].to_lowercase();
        let before: Vec<&str> = before.split_whitespace().rev().take(3).collect();
        let names = before
            .iter()
            .any(|word| ["above", "over", "below", "under"].contains(word));
        let is_limit = matches!(bound, Bound::AtLeast | Bound::AtMost) && !names;
        let is_amount = matches!(&placed.value, Value::Amount { unit, .. } if *unit != Unit::None);
        (is_limit && is_amount).then_some((bound, placed.value))
    });
    limits.collect()
}

/// What the values of a statement come to against limits. Nothing, if some keep them and some do not.
fn compared(text: &str, limits: &[(Bound, Value)]) -> Says {
    let mut kept = false;
    let mut broken = false;
    for placed in values(text) {
        for (limit, needed) in limits {
            match keeps(&placed.value, *limit, needed) {
                Some(true) => kept = true,
                Some(false) => broken = true,
                None => {}
            }
        }
    }
    match (kept, broken) {
        (true, false) => Says::Met,
        (false, true) => Says::NotMet,
        _ => Says::Nothing,
    }
}

fn keeps(value: &Value, limit: Bound, needed: &Value) -> Option<bool> {
    let (
        Value::Amount { low, high, unit },
        Value::Amount {
            low: from,
            high: to,
            unit: wanted,
        },
    ) = (value, needed)
    else {
        return None;
    };
    let (own, other) = (scale(unit)?, scale(wanted)?);
    if own.0 != other.0 {
        return None;
    }
    match limit {
        Bound::AtLeast => Some(low * own.1 >= from * other.1),
        Bound::AtMost => Some(high * own.1 <= to * other.1),
        Bound::Exactly | Bound::About => None,
    }
}

/// What is measured, and how much of the smallest unit it is.
fn scale(unit: &Unit) -> Option<(&str, f64)> {
    match unit {
        Unit::Percent => Some(("%", 1.0)),
        Unit::Money(sign) => Some((sign.as_str(), 1.0)),
        Unit::Time(name) => {
            let minutes = match name.as_str() {
                "second" => 1.0 / 60.0,
                "minute" => 1.0,
                "hour" => 60.0,
                "day" => 1440.0,
                "week" => 10_080.0,
                "month" => 43_800.0,
                "year" => 525_600.0,
                _ => return None,
            };
            Some(("time", minutes))
        }
        Unit::Of(name) => Some((name.as_str(), 1.0)),
        Unit::None => None,
    }
}

/// `R 2026-14`, `D-7`: capitals with a number.
fn codes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let parts: Vec<(usize, &str)> = text
        .split_whitespace()
        .map(|part| (part.as_ptr() as usize - text.as_ptr() as usize, part))
        .collect();
    let is_capitals = |part: &str| {
        (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let bare = |part: &str| part.trim_end_matches([',', ';', '.', ')']).len();
    for pair in parts.windows(2) {
        let [(start, first), (at, second)] = pair else {
            continue;
        };
        let is_number =
            second.starts_with(|char: char| char.is_ascii_digit()) && second.contains('-');
        if is_capitals(first) && is_number {
            found.push(&text[*start..*at + bare(second)]);
        }
    }
    found.extend(parts.iter().filter_map(|(start, part)| {
        let (letters, number) = part.split_once('-')?;
        let fits = is_capitals(letters) && number.starts_with(|char: char| char.is_ascii_digit());
        fits.then(|| &text[*start..start + bare(part)])
    }));
    found
}
