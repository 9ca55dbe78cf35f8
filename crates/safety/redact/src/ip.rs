//! IP addresses, except those that identify nobody: loopback, unspecified, broadcast and masks. Private
//! ranges are reported, because inside an organisation they identify a machine.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::kind::{Found, Kind};
use crate::list::List;
use crate::text::{Class, Text};

const LENGTH_MAX: usize = 45;

static NOT_ADDRESSES: List = List::new(include_str!("../lists/ip_not_addresses.txt"));

pub(crate) fn find_v4(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    let dotted = |index: usize| text.is_mark(index, ".");
    let shape = dotted(first + 1)
        && dotted(first + 3)
        && dotted(first + 5)
        && [2, 4, 6]
            .iter()
            .all(|step| text.is(first + step, Class::Digits));
    if !shape {
        return;
    }
    let last = first + 6;
    let goes_on = dotted(last + 1)
        && matches!(text.class(last + 2), Some(Class::Digits | Class::Mixed))
        || text.is_any_mark(last + 1, "-_")
            && matches!(text.class(last + 2), Some(Class::Word | Class::Mixed));
    let begins_before = first >= 1
        && text.is_any_mark(first - 1, ".-_")
        && first >= 2
        && !text.is(first - 2, Class::Space);
    let span = text.start(first)..text.end(last);
    let Ok(address) = text.text[span.clone()].parse::<Ipv4Addr>() else {
        return;
    };
    let mask = address.octets()[0] == 255;
    let plain = address.is_loopback() || address.octets()[0] == 0 || mask;
    if goes_on || begins_before || plain || text.cue_before(first, &NOT_ADDRESSES, 2) {
        return;
    }
    found.push(Found {
        kind: Kind::Ip,
        span,
        reason: "IPv4 address",
    });
}

/// Tries an IPv6 address that begins with this token, which may be its first group or its first colon.
pub(crate) fn find_v6(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    if first > 0
        && (text.is_any_mark(first - 1, ":._-")
            || text.is(first, Class::Mark)
                && !matches!(
                    text.class(first - 1),
                    Some(Class::Space | Class::Line | Class::Mark)
                ))
    {
        return;
    }
    if !text.is_mark(first, ":") && !text.is_mark(first + 1, ":") {
        return;
    }
    let start = text.start(first);
    let length = text.text[start..]
        .bytes()
        .take(LENGTH_MAX)
        .take_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'))
        .count();
    let whole = &text.text[start..start + length];
    let candidate = whole.trim_end_matches(['.', ':']);
    let candidate = if whole.starts_with("::") && candidate.is_empty() {
        whole
    } else {
        candidate
    };
    let next = text.text[start + candidate.len()..].chars().next();
    if candidate.matches(':').count() < 2
        || next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    {
        return;
    }
    let Ok(address) = candidate.parse::<Ipv6Addr>() else {
        return;
    };
    let digits = candidate.bytes().any(|byte| byte.is_ascii_digit());
    if address.is_loopback() || address.is_unspecified() || !digits || candidate.len() < 5 {
        return;
    }
    found.push(Found {
        kind: Kind::Ip,
        span: start..start + candidate.len(),
        reason: "IPv6 address",
    });
}
