//! Reads documents completely, and says what they state.
//!
//! [`Reading::new`] turns every document into [`Statement`]s: sentences, list items and rows of tables, each with the headings, the
//! lead-in and the column heads it stands under. [`Reading::answer`] answers a question out of them, or says that they do not;
//! [`Reading::claims`], [`Reading::disagreements`], [`Reading::denials`], [`Reading::wrong_sums`], [`Reading::obligations`] and
//! [`Reading::gaps`] tell what a careful reader would notice.
//! Pure: the same documents have the same reading, everywhere.

mod absences;
mod action_rows;
mod aim;
mod answer;
mod claims;
mod conditions;
mod confidence;
mod denials;
mod derivation;
mod disagreements;
mod document_facts;
mod due;
mod duty;
mod fulfilment;
mod gaps;
mod genre;
mod genre_sections;
mod genre_words;
mod irregular;
mod main_statements;
mod missing_references;
mod names;
mod obligations;
mod open_questions;
mod parts;
mod planned_days;
mod question;
mod ranking;
mod reading;
mod reports;
mod risk_registers;
mod same_meaning;
mod shortfalls;
mod speakers;
mod statement;
mod sums;
mod terms;
mod tokens;
mod values;
mod verbs;
mod wanted;
mod words;

pub use adjutant_text::dates::Date;
pub use answer::{Answer, Quote, Verdict};
pub use claims::{Bound, Claim, Force};
pub use conditions::Condition;
pub use confidence::{SIGNS, Signs};
pub use denials::Denial;
pub use disagreements::{Disagreement, Relation};
pub use document_facts::{DocumentFacts, Standing};
pub use fulfilment::{ConditionState, Fulfilment};
pub use gaps::{Gap, GapKind};
pub use genre::{Genre, Strength};
pub use main_statements::{MainStatement, is_clause, stands_by_itself};
pub use obligations::{Due, Obligation, Status};
pub use parts::{asks_what_is_owed, asks_what_is_unsettled, parts, questions};
pub use planned_days::{DayCount, Within};
pub use question::{Asked, Question};
pub use reading::{Given, Reading};
pub use risk_registers::{RiskRegister, RiskRow};
pub use shortfalls::Shortfall;
pub use statement::{Cell, Statement, StatementForm};
pub use sums::{SumKind, WrongSum};
pub use values::{Unit, Value, values};
