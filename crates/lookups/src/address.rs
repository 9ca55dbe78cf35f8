//! Addresses on the web: made whole, and made the same where they mean the same.

/// Parameters that say where a reader came from and nothing of what is read.
const TRACKING: [&str; 16] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "mc_cid", "mc_eid", "igshid", "ref_src",
    "cmpid", "cmp", "_hsenc", "_hsmi", "ocid", "smid", "wt_mc",
];
const TRACKING_BEGINNINGS: [&str; 3] = ["utm_", "at_medium", "at_campaign"];
const CHARS_MAX: usize = 2000;

/// Scheme, authority and the rest, for addresses of the web only.
fn split(address: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = address.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end)?;
    let proper = !authority.is_empty() && !authority.contains(char::is_whitespace);
    proper.then_some((scheme, authority, rest))
}

/// Whether this is an address of the web that may be sent as it stands.
pub(crate) fn is_web(address: &str) -> bool {
    let plain = address.len() <= CHARS_MAX
        && !address.contains(|sign: char| sign.is_whitespace() || sign.is_control());
    plain && split(address).is_some_and(|(_, authority, _)| !authority.contains('@'))
}

/// `https://host:port` and the path with its query.
pub(crate) fn origin_and_path(address: &str) -> Option<(String, String)> {
    let (scheme, authority, rest) = split(address)?;
    let rest = rest.split('#').next().unwrap_or_default();
    let path = if rest.starts_with('/') {
        rest.to_owned()
    } else {
        format!("/{rest}")
    };
    let origin = format!("{scheme}://{authority}").to_lowercase();
    Some((origin, path))
}

pub(crate) fn host(address: &str) -> Option<&str> {
    let (_, authority, _) = split(address)?;
    let host = authority.rsplit('@').next().unwrap_or(authority);
    Some(host.split(':').next().unwrap_or(host))
}

/// A link as it is meant on the page where it stands; nothing for what does not lead to the web.
pub(crate) fn resolve(base: &str, link: &str) -> Option<String> {
    let link = link.trim();
    if split(link).is_some() {
        return Some(link.to_owned());
    }
    let before_path = link.split(['/', '?', '#']).next().unwrap_or_default();
    if before_path.contains(':') || link.is_empty() {
        return None;
    }
    let (scheme, authority, rest) = split(base)?;
    if let Some(other) = link.strip_prefix("//") {
        let whole = format!("{scheme}://{other}");
        return split(&whole).is_some().then_some(whole);
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let joined = if link.starts_with('/') {
        link.to_owned()
    } else if link.starts_with(['?', '#']) {
        format!("{path}{link}")
    } else {
        let folder = path.rfind('/').map_or("/", |slash| &path[..=slash]);
        format!("{folder}{link}")
    };
    Some(format!("{scheme}://{authority}{}", without_dots(&joined)))
}

fn without_dots(path: &str) -> String {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, tail) = path.split_at(end);
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}{tail}", kept.join("/"))
}

/// The same for all the ways that lead to one page: no fragment, no tracking, no default port.
pub(crate) fn canonical(address: &str) -> String {
    let Some((scheme, authority, rest)) = split(address.trim()) else {
        return address.trim().to_owned();
    };
    let scheme = scheme.to_lowercase();
    let authority = authority.to_lowercase();
    let port = if scheme == "https" { ":443" } else { ":80" };
    let authority = authority.strip_suffix(port).unwrap_or(&authority);
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_tracking(pair))
        .collect();
    let path = path.trim_end_matches('/');
    let query = if kept.is_empty() {
        String::new()
    } else {
        format!("?{}", kept.join("&"))
    };
    format!("{scheme}://{authority}{path}{query}")
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
