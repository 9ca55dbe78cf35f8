//! What databases answered before, each tenant's for itself and in memory only: what people search for is nobody
//! else's business.

use std::collections::{HashMap, VecDeque};

use adjutant_lookups::{HttpRequest, Method, Reply};
use adjutant_mission::{TenantId, Timestamp};

use super::courier::Known;

const BYTES_MAX: usize = 64 * 1024 * 1024;
/// However long its sender says that an answer holds.
const FRESH_SECONDS_MAX: i64 = 86_400;

type Key = (TenantId, String, Vec<(String, String)>);

#[derive(Debug, Default)]
pub(super) struct Cache {
    kept: HashMap<Key, Kept>,
    /// Oldest first.
    order: VecDeque<Key>,
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    reply: Reply,
    fresh_until: Timestamp,
}

impl Cache {
    pub(super) fn known(&self, tenant: &TenantId, request: &HttpRequest, now: Timestamp) -> Known {
        let Some(kept) = self.kept.get(&key(tenant, request)) else {
            return Known::Nothing;
        };
        if now < kept.fresh_until {
            return Known::Holds(kept.reply.clone());
        }
        let pairs = [
            ("etag", "if-none-match"),
            ("last-modified", "if-modified-since"),
        ];
        let validators = pairs.into_iter().filter_map(|(has, sends)| {
            let value = kept.reply.header(has)?;
            Some((sends.to_owned(), value.to_owned()))
        });
        Known::MayHold(validators.collect())
    }

    /// Takes in an answer, and gives the one that holds: if nothing has changed, the one from before.
    pub(super) fn keep(
        &mut self,
        tenant: &TenantId,
        request: &HttpRequest,
        reply: Reply,
        now: Timestamp,
    ) -> Reply {
        let key = key(tenant, request);
        let fresh_until = fresh_until(&reply, now);
        if reply.status == 304
            && let Some(kept) = self.kept.get_mut(&key)
        {
            kept.fresh_until = fresh_until.unwrap_or(now);
            return kept.reply.clone();
        }
        self.forget(&key);
        let validated = reply.header("etag").is_some() || reply.header("last-modified").is_some();
        let holds = fresh_until.is_some_and(|until| until > now || validated);
        let keeps = request.method == Method::Get && reply.status == 200 && holds;
        if keeps && reply.body.len() <= BYTES_MAX / 2 {
            self.bytes += reply.body.len();
            self.order.push_back(key.clone());
            let kept = Kept {
                reply: reply.clone(),
                fresh_until: fresh_until.unwrap_or(now),
            };
            self.kept.insert(key, kept);
            while self.bytes > BYTES_MAX
                && let Some(oldest) = self.order.front().cloned()
            {
                self.forget(&oldest);
            }
        }
        reply
    }

    fn forget(&mut self, key: &Key) {
        if let Some(kept) = self.kept.remove(key) {
            self.bytes -= kept.reply.body.len();
            self.order.retain(|known| known != key);
        }
    }
}

fn key(tenant: &TenantId, request: &HttpRequest) -> Key {
    (tenant.clone(), request.url.clone(), request.headers.clone())
}

/// Until when an answer holds without asking; none if it must not be kept.
fn fresh_until(reply: &Reply, now: Timestamp) -> Option<Timestamp> {
    let control = reply.header("cache-control").unwrap_or_default();
    let control = control.to_ascii_lowercase();
    let mut seconds = 0;
    for part in control.split(',').map(str::trim) {
        match part.split_once('=') {
            None if part == "no-store" => return None,
            None if part == "no-cache" => return Some(now),
            Some(("max-age", age)) => seconds = age.trim_matches('"').parse().unwrap_or(0),
            _ => {}
        }
    }
    Some(Timestamp(
        now.0 + 1_000 * seconds.clamp(0, FRESH_SECONDS_MAX),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_750_000_000_000);

    fn after(seconds: i64) -> Timestamp {
        Timestamp(NOW.0 + 1_000 * seconds)
    }

    fn tenant(name: &str) -> TenantId {
        TenantId::new(name).unwrap()
    }

    fn told(known: Known) -> String {
        match known {
            Known::Nothing => "nothing".into(),
            Known::Holds(reply) => String::from_utf8(reply.body).unwrap(),
            Known::MayHold(headers) => format!("{headers:?}"),
        }
    }

    #[test]
    fn an_answer_holds_as_long_as_its_sender_says_and_is_asked_after_then() {
        let mut cache = Cache::default();
        let request = HttpRequest::get("https://example.org/a");
        let reply = Reply::new(200, "text/plain", "one")
            .with("cache-control", "public, max-age=60")
            .with("etag", "\"v1\"");
        let acme = tenant("acme");
        cache.keep(&acme, &request, reply, NOW);
        assert_eq!(told(cache.known(&acme, &request, after(59))), "one");
        assert_eq!(
            told(cache.known(&tenant("other"), &request, after(1))),
            "nothing"
        );
        let validators = told(cache.known(&acme, &request, after(60)));
        assert_eq!(validators, r#"[("if-none-match", "\"v1\"")]"#);
        let same = Reply::new(304, "text/plain", "").with("cache-control", "max-age=60");
        let given = cache.keep(&acme, &request, same, after(60));
        assert_eq!(given.body, b"one");
        assert_eq!(told(cache.known(&acme, &request, after(119))), "one");
        let other = Reply::new(200, "text/plain", "two").with("etag", "\"v2\"");
        cache.keep(&acme, &request, other, after(200));
        assert_eq!(
            told(cache.known(&acme, &request, after(201))),
            r#"[("if-none-match", "\"v2\"")]"#
        );
    }

    #[test]
    fn what_must_not_be_kept_is_not() {
        let mut cache = Cache::default();
        let acme = tenant("acme");
        let fresh =
            |body: &str| Reply::new(200, "text/plain", body).with("cache-control", "max-age=9");
        let cases = [
            (
                HttpRequest::get("https://example.org/a"),
                Reply::new(200, "text/plain", "no word about it"),
            ),
            (
                HttpRequest::get("https://example.org/b"),
                Reply {
                    status: 500,
                    ..fresh("error")
                },
            ),
            (
                HttpRequest::post("https://example.org/c", "text/plain", "x"),
                fresh("posted"),
            ),
            (
                HttpRequest::get("https://example.org/d"),
                Reply::new(200, "text/plain", "secret")
                    .with("cache-control", "no-store, max-age=9"),
            ),
        ];
        for (request, reply) in cases {
            cache.keep(&acme, &request, reply, NOW);
            assert_eq!(
                told(cache.known(&acme, &request, NOW)),
                "nothing",
                "{}",
                request.url
            );
        }
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut cache = Cache::default();
        let acme = tenant("acme");
        let large = vec![b'x'; BYTES_MAX / 4];
        for number in 0..9 {
            let request = HttpRequest::get(format!("https://example.org/{number}"));
            let reply = Reply::new(200, "text/plain", large.clone()).with("etag", "\"v\"");
            cache.keep(&acme, &request, reply, NOW);
        }
        assert!(cache.bytes <= BYTES_MAX);
        assert_eq!(cache.kept.len(), 4);
        assert_eq!(cache.order.len(), 4);
        let last = HttpRequest::get("https://example.org/8");
        assert_ne!(told(cache.known(&acme, &last, NOW)), "nothing");
    }
}
