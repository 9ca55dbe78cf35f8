//! Finds personal data in text and puts pseudonyms in its place, on the way out of the sensitive zone.
//!
//! Pure: no clock, no files, no randomness; the same text and key give the same result, in time linear in the text.
//! Whoever calls decides what is redacted and where the table of pseudonyms is sealed and kept.

mod address;
mod card;
mod checksums;
mod codes;
mod dates;
mod email;
mod find;
mod gazetteer;
mod iban;
mod ip;
mod kind;
mod labelled;
mod list;
mod names;
mod national;
mod numbers;
mod person;
mod phone;
mod pseudonyms;
mod shape;
mod text;

pub use find::{all_with_kinds, find};
pub use kind::{Found, Kind};
pub use pseudonyms::{Pseudonyms, Redacted, Table};
