//! Sign-ins, as they are noted for the audit: the first request with a key after an hour without one, and refusals, of
//! which so many are told as one that nobody can fill the store with them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use adjutant_host::{AccessRole, Audited, HostError};
use adjutant_mission::{AgentId, Millis, Timestamp};
use adjutant_store::Store;

use crate::App;

/// Whoever is away for so long signs in anew.
const AWAY: Millis = Millis::hours(1);
/// How often refusals are noted.
const REFUSALS_EVERY: Millis = Millis::seconds(60);

#[derive(Debug, Default)]
pub(crate) struct SignIns(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// When each key was last used; the server's own token has no name.
    keys: HashMap<Option<String>, Timestamp>,
    refused_at: Option<Timestamp>,
    refused: u64,
    /// Who asked for what their role does not let them: when that was last noted, and how often since.
    denied: HashMap<(AgentId, String), (Timestamp, u64)>,
}

impl SignIns {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this use of a key is a sign-in.
    fn comes_in(&self, key: Option<&str>, now: Timestamp) -> bool {
        let mut seen = self.seen();
        let name = key.map(str::to_owned);
        let before = seen.keys.insert(name, now);
        // Those that are away are forgotten, so that keys that are gone take no room.
        seen.keys.retain(|_, at| now.since(*at) < AWAY);
        before.is_none_or(|before| now.since(before) >= AWAY)
    }

    /// How many refusals are to be noted now, if any are.
    fn refusals(&self, now: Timestamp) -> Option<u64> {
        let mut seen = self.seen();
        seen.refused += 1;
        if seen
            .refused_at
            .is_some_and(|at| now.since(at) < REFUSALS_EVERY)
        {
            return None;
        }
        seen.refused_at = Some(now);
        Some(std::mem::take(&mut seen.refused))
    }

    /// How many times somebody was denied a route are to be noted now, if any are.
    fn denials(&self, who: &AgentId, route: &str, now: Timestamp) -> Option<u64> {
        let mut seen = self.seen();
        seen.denied.retain(|_, (at, _)| now.since(*at) < AWAY);
        let key = (who.clone(), route.to_owned());
        match seen.denied.get_mut(&key) {
            Some((at, times)) if now.since(*at) < REFUSALS_EVERY => {
                *times += 1;
                None
            }
            Some((at, times)) => {
                *at = now;
                Some(std::mem::take(times) + 1)
            }
            None => {
                seen.denied.insert(key, (now, 0));
                Some(1)
            }
        }
    }

    /// What could not be noted is tried again with the next request.
    fn forget(&self, key: Option<&str>) {
        self.seen().keys.remove(&key.map(str::to_owned));
    }
}

/// Notes that somebody came in. Nobody is let in whose coming cannot be noted.
pub(crate) async fn came_in<S: Store>(
    app: &App<S>,
    who: &AgentId,
    role: AccessRole,
    key: Option<&str>,
) -> Result<(), HostError> {
    if !app.sign_ins.comes_in(key, app.host.clock().now()) {
        return Ok(());
    }
    let what = Audited::SignIn {
        role,
        key: key.map(str::to_owned),
    };
    let noted = app.host.note(&app.tenant, Some(who.clone()), what).await;
    if noted.is_err() {
        app.sign_ins.forget(key);
    }
    noted.map(|_| ())
}

/// Notes that somebody was not let in.
pub(crate) async fn refused<S: Store>(app: &App<S>) {
    let Some(times) = app.sign_ins.refusals(app.host.clock().now()) else {
        return;
    };
    // They are refused all the same.
    let what = Audited::SignInRefused { times };
    let _ = app.host.note(&app.tenant, None, what).await;
}

/// Notes that somebody asked for what their role does not let them.
pub(crate) async fn denied<S: Store>(app: &App<S>, who: &AgentId, route: &str) {
    let now = app.host.clock().now();
    let Some(times) = app.sign_ins.denials(who, route, now) else {
        return;
    };
    // They are refused all the same.
    let route = route.to_owned();
    let what = Audited::Refused { route, times };
    let _ = app.host.note(&app.tenant, Some(who.clone()), what).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp(minutes * 60_000)
    }

    #[test]
    fn somebody_signs_in_once_until_they_were_away() {
        let sign_ins = SignIns::default();
        assert!(sign_ins.comes_in(Some("a"), at(0)));
        assert!(!sign_ins.comes_in(Some("a"), at(50)));
        assert!(
            !sign_ins.comes_in(Some("a"), at(100)),
            "never away for long"
        );
        assert!(sign_ins.comes_in(None, at(100)), "somebody else");
        assert!(sign_ins.comes_in(Some("a"), at(160)));
        sign_ins.forget(Some("a"));
        assert!(sign_ins.comes_in(Some("a"), at(161)), "it was not noted");
    }

    #[test]
    fn refusals_are_counted_together() {
        let sign_ins = SignIns::default();
        assert_eq!(sign_ins.refusals(Timestamp(0)), Some(1));
        assert_eq!(sign_ins.refusals(Timestamp(10)), None);
        assert_eq!(sign_ins.refusals(Timestamp(20)), None);
        assert_eq!(sign_ins.refusals(Timestamp(60_000)), Some(3));
    }

    #[test]
    fn denials_are_counted_together_for_each_and_each_route() {
        let sign_ins = SignIns::default();
        let who = AgentId::new("vic").unwrap();
        let denied = |route, at| sign_ins.denials(&who, route, Timestamp(at));
        assert_eq!(denied("POST /a", 0), Some(1));
        assert_eq!(denied("POST /a", 10), None);
        assert_eq!(denied("POST /b", 20), Some(1));
        assert_eq!(denied("POST /a", 30), None);
        assert_eq!(denied("POST /a", 60_000), Some(3));
        assert_eq!(denied("POST /a", 60_010), None);
    }
}
