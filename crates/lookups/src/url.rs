//! Addresses: made of a base, a path and pairs, and taken apart again by what stands in for a database.

use std::fmt::Write as _;

/// `base` as in the settings, `path` with its first slash and already safe, pairs as they are meant.
pub fn build(base: &str, path: &str, pairs: &[(&str, &str)]) -> String {
    let mut url = format!("{}{path}", base.trim_end_matches('/'));
    if !pairs.is_empty() {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&encode_pairs(pairs));
    }
    url
}

/// As in a query, and as in the body of a form.
pub fn encode_pairs(pairs: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in pairs {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(&encode(name));
        text.push('=');
        text.push_str(&encode(value));
    }
    text
}

/// Every byte but letters, digits and `-._~` as a percent sign and two digits.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// The pairs of an address, or of the body of a form, in their order.
pub fn decode_pairs(query: &str) -> Vec<(String, String)> {
    let given = query.split('&').filter(|part| !part.is_empty());
    given
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// A plus is a space; what is no proper percent code stays as it is.
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(hex);
        match (byte, code) {
            (b'%', Some(value)) => {
                decoded.push(value);
                at += 2;
            }
            (b'+', _) => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let [high, low] = digits else { return None };
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

/// The path with its first slash, and the query without its question mark.
pub fn path_and_query(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |slash| &rest[slash..]);
    let path = path.split('#').next().unwrap_or(path);
    path.split_once('?').unwrap_or((path, ""))
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
