//! Addresses: made of a base, a path and pairs, and taken apart again by what stands in for a database.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use ::url::form_urlencoded;

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
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    utf8_percent_encode(text, ENCODED).to_string()
}

/// The pairs of an address, or of the body of a form, in their order.
pub fn decode_pairs(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
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
