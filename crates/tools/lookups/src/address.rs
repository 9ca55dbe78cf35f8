//! Addresses on the web: made whole, and made the same where they mean the same.
//!
//! Whether an address may be asked is decided where it is asked, by the same parser.

use ::url::{Position, Url};

/// Parameters that say where a reader came from and nothing of what is read.
const TRACKING: [&str; 16] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "mc_cid", "mc_eid", "igshid", "ref_src",
    "cmpid", "cmp", "_hsenc", "_hsmi", "ocid", "smid", "wt_mc",
];
const TRACKING_BEGINNINGS: [&str; 3] = ["utm_", "at_medium", "at_campaign"];
const CHARS_MAX: usize = 2000;

/// As a request would be sent to it, for addresses of the web only.
fn parse(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Whether this is an address of the web that may be sent as it stands.
pub(crate) fn is_web(address: &str) -> bool {
    let is_plain = address.len() <= CHARS_MAX
        && !address.contains(|sign: char| sign.is_whitespace() || sign.is_control());
    is_plain
        && parse(address).is_some_and(|url| url.username().is_empty() && url.password().is_none())
}

/// `https://host:port` and the path with its query.
pub(crate) fn origin_and_path(address: &str) -> Option<(String, String)> {
    let url = parse(address)?;
    let origin = url.origin().ascii_serialization();
    Some((
        origin,
        url[Position::BeforePath..Position::AfterQuery].to_owned(),
    ))
}

/// The name or the address of the host, an IPv6 address in its brackets.
pub(crate) fn host(address: &str) -> Option<String> {
    parse(address)?.host_str().map(str::to_owned)
}

/// A link as it is meant on the page where it stands; nothing for what does not lead to the web.
pub(crate) fn resolve(base: &str, link: &str) -> Option<String> {
    let link = link.trim();
    if link.is_empty() {
        return None;
    }
    let whole = match Url::parse(link) {
        Ok(whole) => whole,
        Err(_) => parse(base)?.join(link).ok()?,
    };
    matches!(whole.scheme(), "http" | "https").then(|| whole.into())
}

/// The same for all the ways that lead to one page: no fragment, no tracking, no default port.
pub(crate) fn canonical(address: &str) -> String {
    let address = address.trim();
    let Some(url) = parse(address) else {
        return address.to_owned();
    };
    let query = url.query().unwrap_or_default();
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_tracking(pair))
        .collect();
    let query = if kept.is_empty() {
        String::new()
    } else {
        format!("?{}", kept.join("&"))
    };
    let origin = url.origin().ascii_serialization();
    let path = url.path().trim_end_matches('/');
    format!("{origin}{path}{query}")
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or(pair).to_lowercase();
    TRACKING.contains(&name.as_str())
        || TRACKING_BEGINNINGS
            .iter()
            .any(|start| name.starts_with(start))
}

/// FNV-1a over the bytes, in sixteen digits: short, stable, and no secret.
pub(crate) fn fingerprint(text: &str) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = text.bytes().fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
