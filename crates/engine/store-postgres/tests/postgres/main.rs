//! The store against a real server: opening, tenants, roles, hosts that come and go, servers that die.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "these tests look behind the store's back"
)]

mod crashes;
mod groups;
mod hosts;
mod lost_answers;
mod opening;
mod roles;
mod scrubbing;
mod support;
mod tenants;
mod tls;
