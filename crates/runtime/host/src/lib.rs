//! The embedded host: loads missions, records what they decide, performs what they owe, and wakes them.
//!
//! A mission at work is one task of the runtime; a mission that waits for a person or a time is a row in
//! the store and nothing else. What a mission does is decided in the machine; nothing is decided here.

mod access;
mod accounts;
mod audit;
pub mod calibration;
mod clock;
mod config;
pub mod control;
mod effect_context;
mod effect_run;
mod error;
mod feed;
mod fork;
mod handle;
mod health;
mod ids;
mod notifier;
mod offers;
mod permits;
mod ratings;
mod registry;
mod request_keys;
mod runner;
mod shared;
mod signer;
mod starts;
mod stops;
mod sub_missions;
mod supervisors;
mod triggers;
mod upkeep;
mod waker;

pub use access::{AccessKey, AccessRole};
pub use accounts::own_account;
pub use audit::{AuditEntry, Audited, audit_broken_at, audit_entries};
pub use clock::Clock;
pub use config::{Config, Performs, Quotas, Signing};
pub use error::HostError;
pub use feed::Committed;
pub use fork::ForkRequest;
pub use handle::Host;
pub use ids::{mission_of_fire, new_command_id, new_mission_id, new_trigger_id};
pub use offers::{AnsweredOffer, OFFER_LASTS, Offer, OfferAnswer, read_offer};
pub use ratings::{MissionRating, OutcomeRecord, Outcomes, Stars, outcomes};
pub use request_keys::RequestKey;
pub use starts::{Room, StartLimits, TooManyStarts};
pub use stops::{StopNote, StopScope};
pub use supervisors::Replanner;
pub use triggers::repeats::{FOLLOWS, RepeatChoice, RepeatOrder, SCHEDULE_REPEAT, left_by};
pub use triggers::{TRIGGERS_MAX, TriggerError};
pub use upkeep::Upkeep;
