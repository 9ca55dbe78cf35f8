//! robots.txt, as RFC 9309 has it.

/// Under which groups are looked for.
pub(super) const AGENT: &str = "adjutant";
/// The standard asks for at least this much to be read.
const BYTES_MAX: usize = 512_000;
const RULES_MAX: usize = 5_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Allow,
    Disallow,
}

#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: Vec<(Verdict, String)>,
    /// As the file has it.
    pub(super) crawl_delay: Option<String>,
}

/// The rules for us: those of all groups that name us, or else of those for everybody.
pub(super) fn read(bytes: &[u8]) -> Rules {
    let bytes = bytes.get(..BYTES_MAX).unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let (mut ours, mut everybody) = (Rules::default(), Rules::default());
    let mut named_us = false;
    let (mut to_us, mut to_all, mut in_head) = (false, false, false);
    for line in text.trim_start_matches('\u{feff}').lines().take(RULES_MAX) {
        let line = line.split('#').next().unwrap_or_default();
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "user-agent" => {
                if !in_head {
                    (to_us, to_all) = (false, false);
                }
                in_head = true;
                to_us |= is_us(value);
                to_all |= value == "*";
                named_us |= to_us;
            }
            "sitemap" => {}
            key => {
                in_head = false;
                if to_us {
                    ours.add(key, value);
                }
                if to_all {
                    everybody.add(key, value);
                }
            }
        }
    }
    if named_us { ours } else { everybody }
}

fn is_us(value: &str) -> bool {
    let product: String = value
        .chars()
        .take_while(|sign| sign.is_ascii_alphabetic() || matches!(sign, '-' | '_'))
        .collect();
    product.eq_ignore_ascii_case(AGENT)
}

impl Rules {
    fn add(&mut self, key: &str, value: &str) {
        let verdict = match key {
            "allow" => Verdict::Allow,
            "disallow" => Verdict::Disallow,
            "crawl-delay" => {
                let short = value.chars().take(20).collect();
                self.crawl_delay.get_or_insert(short);
                return;
            }
            _ => return,
        };
        if !value.is_empty() {
            self.rules.push((verdict, normal(value)));
        }
    }

    /// The longest pattern decides, and of two as long the one that allows.
    pub(super) fn allow(&self, path: &str) -> bool {
        let path = normal(path);
        let fitting = self
            .rules
            .iter()
            .filter(|(_, pattern)| fits(pattern, &path));
        let best =
            fitting.max_by_key(|(verdict, pattern)| (pattern.len(), *verdict == Verdict::Allow));
        best.is_none_or(|(verdict, _)| *verdict == Verdict::Allow)
    }
}

/// Percent codes in capitals, and other bytes than ASCII as percent codes.
fn normal(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut code = 0;
    for byte in path.bytes() {
        match byte {
            b'%' => {
                code = 2;
                text.push('%');
            }
            byte if byte.is_ascii() => {
                let sign = char::from(byte);
                text.push(if code > 0 {
                    sign.to_ascii_uppercase()
                } else {
                    sign
                });
                code = i32::max(code - 1, 0);
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// A star is anything, a dollar sign at the end is the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            let Some(at) = rest.find(before) else {
                return false;
            };
            rest = rest.get(at + before.len()..).unwrap_or_default();
        }
    }
    match (last, whole) {
        (None, true) => rest.is_empty(),
        (None, false) => true,
        (Some(last), true) => rest.ends_with(last),
        (Some(last), false) => rest.contains(last),
    }
}

#[cfg(test)]
#[path = "robots_tests.rs"]
mod tests;
