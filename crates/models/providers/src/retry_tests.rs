use adjutant_mission::{Millis, Timestamp};
use proptest::prelude::*;

use super::{Headers, RETRY_AFTER_MAX, WAIT_MAX, backoff, rate_reset, retry_after, span};

/// Wed, 21 Oct 2015 07:28:00 GMT
const NOW: Timestamp = Timestamp(1_445_412_480_000);

fn headers(list: &[(&str, &str)]) -> Headers {
    let owned = list
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    owned.collect()
}

#[test]
fn a_server_may_name_seconds_milliseconds_or_a_date() {
    let wait = |name: &str, value: &str| {
        retry_after(&headers(&[(name, value)]), NOW).map(|until| until.since(NOW))
    };
    assert_eq!(wait("retry-after", "7"), Some(Millis::seconds(7)));
    assert_eq!(wait("retry-after-ms", "250"), Some(Millis(250)));
    assert_eq!(
        wait("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT"),
        Some(Millis::seconds(30))
    );
    assert_eq!(
        wait("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"),
        Some(Millis::ZERO)
    );
    assert_eq!(wait("retry-after", "999999999999"), Some(RETRY_AFTER_MAX));
    assert_eq!(wait("retry-after", "soon"), None);
    assert_eq!(wait("retry-after", "-1"), None);
}

#[test]
fn what_is_used_up_is_there_again_when_its_header_says() {
    let openai = headers(&[
        ("x-ratelimit-remaining-requests", "0"),
        ("x-ratelimit-reset-requests", "1m30s"),
        ("x-ratelimit-remaining-tokens", "149984"),
        ("x-ratelimit-reset-tokens", "6m0s"),
    ]);
    assert_eq!(
        rate_reset(&openai, NOW),
        Some(NOW.plus(Millis::seconds(90)))
    );
    let anthropic = headers(&[
        ("anthropic-ratelimit-requests-remaining", "12"),
        ("anthropic-ratelimit-requests-reset", "2015-10-21T07:40:00Z"),
        ("anthropic-ratelimit-input-tokens-remaining", "0"),
        (
            "anthropic-ratelimit-input-tokens-reset",
            "2015-10-21T07:28:20Z",
        ),
    ]);
    assert_eq!(
        rate_reset(&anthropic, NOW),
        Some(NOW.plus(Millis::seconds(20)))
    );
    assert_eq!(rate_reset(&headers(&[]), NOW), None);
    assert_eq!(
        rate_reset(&headers(&[("x-ratelimit-remaining-requests", "0")]), NOW),
        None
    );
}

#[test]
fn spans_are_read_as_go_writes_them() {
    assert_eq!(span("120ms"), Some(Millis(120)));
    assert_eq!(span("6m0s"), Some(Millis::seconds(360)));
    assert_eq!(span("1h2m3.5s"), Some(Millis(3_723_500)));
    assert_eq!(span(""), None);
    assert_eq!(span("5"), None);
    assert_eq!(span("5 parsecs"), None);
}

proptest! {
    #[test]
    fn waits_double_within_their_limits(next in 1u32..100, first in 0u64..20_000, random: u64) {
        let wait = backoff(next, Millis(first), random);
        prop_assert!(wait <= WAIT_MAX);
        let full = first.saturating_mul(1 << (next - 1).min(20)).clamp(1, WAIT_MAX.0);
        prop_assert!(wait.0 >= full / 2 && wait.0 <= full);
    }

    #[test]
    fn no_header_makes_it_panic(value in ".{0,40}") {
        let headers = headers(&[
            ("retry-after", &value),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", &value),
        ]);
        let _ = (retry_after(&headers, NOW), rate_reset(&headers, NOW));
    }
}
