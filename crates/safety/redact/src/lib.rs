//! Finds personal data in text that leaves the sensitive zone and replaces it by pseudonyms.
//!
//! Pure: no clock, no files, no randomness. The same text and key give the same result, in linear time.
//! The caller decides what is redacted, and where the table of pseudonyms is encrypted and stored.

mod address;
mod card;
mod checksums;
mod codes;
mod dates;
mod email;
mod find;
mod gazetteer;
mod iban;
mod identifiers;
mod ip;
mod kind;
mod labelled;
mod list;
mod names;
mod national;
mod numbers;
mod outgoing;
mod person;
mod phone;
mod pseudonyms;
mod shape;
mod text;

pub use find::{all_with_kinds, find};
pub use kind::{Found, Kind};
pub use outgoing::{Leaving, Outgoing, OutgoingPolicy};
pub use pseudonyms::{Pseudonyms, Redacted, Table};
