//! Journals a court would accept, on any store: content sealed, heads signed, and what can be said of both.
//!
//! The store below keeps bytes and knows no keys; the host above decides nothing about either.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod attest;
mod backup;
mod caps;
mod charge;
pub mod conformance;
mod cursor;
mod erase;
mod error;
mod event;
mod export;
mod file;
mod fork;
mod hex;
mod keys;
mod mission_seal;
mod prune;
mod record;
mod register;
mod rotate;
mod seal;
mod tenant;
mod verify;

pub use attest::{Attestation, AttestedHead, RegisterHead, SigningKey, Statement};
pub use backup::BackedUp;
pub use charge::RecordsVerified;
pub use cursor::JournalCursor;
pub use error::JournalError;
pub use event::Label;
pub use export::{ExportKey, FileVerified, verify_file};
pub use file::Kind;
pub use fork::Inheritance;
pub use keys::{DataKey, MasterKey, TenantKey};
pub use mission_seal::MissionSeal;
pub use record::ContentKey;
pub use tenant::{Listed, TenantJournal, Vault};
pub use verify::{Attested, Damage, Verified, verify_whole};
