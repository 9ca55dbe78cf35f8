//! From PostgreSQL's failures to the store's.

use std::error::Error as _;
use std::io;
use std::path::Path;

use adjutant_store::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::{Severity, SqlState};

/// What the fence raises when an append comes from a host that is none any more. See the migrations.
pub(crate) const FENCED: &str = "ADJ01";

/// What a failed request means.
pub(crate) fn from_request(place: &Path, error: &Error) -> StoreError {
    if is_lost(error) {
        return unreachable(place, said(error));
    }
    match error.code() {
        Some(code) => from_state(place, code, said(error)),
        // A stored value that is not what the schema promises.
        None => StoreError::Corrupt { what: said(error) },
    }
}

/// What it means that a connection could not be made.
pub(crate) fn from_connecting(place: &Path, error: &Error) -> StoreError {
    if let Some(code) = error.code() {
        return from_state(place, code, said(error));
    }
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    let wrong_certificate = |cause: &io::Error| {
        let within = cause.get_ref();
        within.is_some_and(|within| within.is::<rustls::Error>())
    };
    if error.is_closed() || cause.is_some_and(|cause| !wrong_certificate(cause)) {
        return unreachable(place, said(error));
    }
    StoreError::Refused {
        path: place.to_owned(),
        why: said(error),
    }
}

pub(crate) fn unreachable(place: &Path, why: String) -> StoreError {
    StoreError::Unreachable {
        path: place.to_owned(),
        why,
    }
}

/// Whether the connection is gone, and with it the answer to everything that was asked on it.
pub(crate) fn is_lost(error: &Error) -> bool {
    match error.as_db_error() {
        Some(said) => said
            .parsed_severity()
            .is_some_and(|severity| matches!(severity, Severity::Fatal | Severity::Panic)),
        None => {
            let cause = error.source();
            error.is_closed() || cause.is_some_and(|cause| cause.is::<io::Error>())
        }
    }
}

fn from_state(place: &Path, state: &SqlState, what: String) -> StoreError {
    let path = place.to_owned();
    let (class, _) = state.code().split_at_checked(2).unwrap_or_default();
    match (state.code(), class) {
        (FENCED, _) => StoreError::TakenOver { path },
        // The disk is full.
        ("53100", _) => StoreError::DiskFull { path },
        // A replica, or a server that is kept from writing.
        ("25006", _) => StoreError::ReadOnly { path },
        // Too many connections; shutting down, starting up, crashed; the connection's own troubles.
        ("53300" | "57P01" | "57P02" | "57P03" | "57P05", _) | (_, "08") => {
            unreachable(place, what)
        }
        // Wrong user or password, no such database, not granted.
        ("42501" | "3D000", _) | (_, "28") => StoreError::Refused { path, why: what },
        // Somebody holds a lock, asked to cancel, or used up what the server has.
        ("55P03" | "57014", _) | (_, "40" | "53") => StoreError::Busy { path },
        ("XX001" | "XX002", _) => StoreError::Corrupt { what },
        (_, "58") => StoreError::Io { path, why: what },
        _ => StoreError::Backend { what },
    }
}

/// What went wrong, in the server's words if it said something. Never its details: they quote rows.
pub(crate) fn said(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_owned();
    }
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |said, cause| format!("{said}: {cause}"))
}
