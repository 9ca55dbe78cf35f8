//! Whether a statement has a value of the kind that a question asks for.

use adjutant_text::dates::english_month;

use crate::question::{Asked, Question};
use crate::reading::Reading;
use crate::same_meaning::same_meaning;
use crate::statement::StatementForm;
use crate::values::{Placed, Unit, Value, values};
use crate::words::{stemmed, words};

/// Words that say how often, and days of the week.
const FREQUENCIES: &[&str] = &[
    "daily",
    "weekly",
    "fortnightly",
    "monthly",
    "quarterly",
    "yearly",
    "annually",
    "annual",
    "hourly",
    "every",
    "each",
    "once",
    "twice",
    "never",
    "always",
    "immediately",
    "continuously",
];
const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "quarter",
    "q1",
    "q2",
    "q3",
    "q4",
];
/// How the head of a column, a heading or a lead-in names a currency.
const CURRENCIES: &[&str] = &[
    "eur", "usd", "gbp", "chf", "euro", "euros", "dollar", "dollars", "pounds", "sek", "nok",
    "dkk", "jpy", "yen", "price", "cost", "costs", "budget", "fee", "amount",
];
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2199.0;

/// The kinds of values that a text has.
#[derive(Debug, Default, Clone, Copy)]
struct Kinds {
    money: bool,
    share: bool,
    time: bool,
    often: bool,
    day: bool,
    amount: bool,
    name: bool,
}

impl Reading<'_> {
    /// Whether a statement has a value of the kind that is asked for, which the question itself does not have.
    pub(crate) fn has_wanted(&self, question: &Question, statement: usize) -> bool {
        let text = self.text(statement);
        let mut kinds = kinds(question, text);
        let own = &self.statements[statement];
        // In a table the unit stands in the head of the column, or above the table.
        let heads = own.cells.iter().filter_map(|cell| cell.head.as_ref());
        let above = own.leads.iter().chain(own.headings.last());
        for range in heads.chain(above) {
            let head = self.range(own.document, range).to_lowercase();
            let has = |list: &[&str]| {
                let mut words = words(&head).into_iter();
                words.any(|word| list.contains(&&head[word]))
            };
            kinds.money |= kinds.amount && (has(CURRENCIES) || head.contains(['€', '$', '£']));
            kinds.share |= kinds.amount && head.contains('%');
            kinds.time |= kinds.amount
                && has(&[
                    "days", "hours", "minutes", "months", "weeks", "years", "seconds",
                ]);
        }
        let is_row = own.form == StatementForm::Row;
        match question.asked {
            Asked::Money => kinds.money || (is_row && self.has_number_cell(statement)),
            Asked::Share => kinds.amount,
            Asked::Amount => match &question.counted {
                Some(counted) => could_count(text, counted),
                None => kinds.amount,
            },
            Asked::Duration => kinds.time || kinds.day || kinds.often || kinds.share,
            Asked::Date => kinds.day,
            Asked::Who => kinds.name,
            Asked::Which if question.wants_name => kinds.name || kinds.amount,
            Asked::Where | Asked::Whether | Asked::Why | Asked::Which => true,
        }
    }

    /// Whether a cell of a row is a number and nothing else.
    fn has_number_cell(&self, statement: usize) -> bool {
        let own = &self.statements[statement];
        own.cells.iter().any(|cell| {
            let value = self.range(own.document, &cell.value).trim();
            value.contains(|char: char| char.is_ascii_digit())
                && value
                    .chars()
                    .all(|char| char.is_ascii_digit() || " .,-+%€$£".contains(char))
        })
    }
}

/// The kinds of values in a text that are not in the question.
fn kinds(question: &Question, text: &str) -> Kinds {
    let given = values(&question.text);
    let asked_small = question.text.to_lowercase();
    let asked_words: Vec<&str> = words(&asked_small)
        .into_iter()
        .map(|word| &asked_small[word])
        .collect();
    let mut kinds = Kinds::default();
    let found = values(text);
    for own in &found {
        let is_given = given.iter().any(|other| other.value == own.value);
        if is_given || is_clause_number(text, own) {
            continue;
        }
        match &own.value {
            Value::Day(_) | Value::Clock(_) => kinds.day = true,
            Value::Amount { low, unit, .. } => {
                kinds.amount = true;
                match unit {
                    Unit::Money(_) => kinds.money = true,
                    Unit::Percent => kinds.share = true,
                    Unit::Time(_) => kinds.time = true,
                    Unit::None | Unit::Of(_) => kinds.day |= YEARS.contains(low),
                }
            }
        }
    }
    for (place, word) in words(text).into_iter().enumerate() {
        let written = &text[word.clone()];
        let small = written.to_lowercase();
        if asked_words.contains(&small.as_str()) {
            continue;
        }
        kinds.often |= FREQUENCIES.contains(&small.as_str());
        let is_month = written.starts_with(char::is_uppercase) && english_month(&small).is_some();
        let is_day = is_month || WEEKDAYS.contains(&small.as_str());
        kinds.day |= is_day;
        let of_value = found.iter().any(|at| at.span.contains(&word.start));
        let is_name =
            place > 0 && !of_value && written.len() > 1 && written.starts_with(char::is_uppercase);
        kinds.name |= is_name && !is_day;
    }
    kinds
}

/// Whether a text has a number that may count these: not one that counts something else.
fn could_count(text: &str, counted: &str) -> bool {
    let fits = |unit: &Unit| match unit {
        Unit::None | Unit::Percent => true,
        Unit::Of(stem) => is_same(stem, counted) || !is_plural_in(text, stem),
        Unit::Time(name) => stemmed(name) == *counted,
        Unit::Money(_) => false,
    };
    let found = values(text);
    let mut found = found.into_iter().filter(|at| !is_clause_number(text, at));
    found.any(|at| matches!(at.value, Value::Amount { unit, .. } if fits(&unit)))
}

/// Whether a value is the number that a clause or an item begins with, before a word with a capital: `2.1 The owner …`.
fn is_clause_number(text: &str, at: &Placed) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit() || char == '.');
    let is_amount = matches!(at.value, Value::Amount { .. });
    is_amount && at.span.start == 0 && rest.trim_start().starts_with(char::is_uppercase)
}

/// Whether two stems are of one word, or of words that mean nearly the same.
fn is_same(stem: &str, counted: &str) -> bool {
    stem == counted
        || same_meaning(counted)
            .iter()
            .any(|other| stemmed(other) == stem)
}

/// Whether a text has a word of this stem in the plural: then it may be what is counted.
fn is_plural_in(text: &str, stem: &str) -> bool {
    let mut all = words(text)
        .into_iter()
        .map(|word| text[word].to_lowercase());
    all.any(|word| word.ends_with('s') && stemmed(&word) == *stem)
}

/// Whether a text says how many of these there are.
pub(crate) fn counts(text: &str, counted: &str) -> bool {
    let is_it = |unit: &Unit| match unit {
        Unit::Of(stem) => is_same(stem, counted),
        Unit::Time(name) => stemmed(name) == *counted,
        Unit::Percent | Unit::Money(_) | Unit::None => false,
    };
    let mut found = values(text).into_iter();
    found.any(|at| matches!(at.value, Value::Amount { unit, .. } if is_it(&unit)))
}
