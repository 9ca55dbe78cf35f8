//! Writes a PDF's table of objects anew, for files whose own is wrong. Many programs get it wrong; readers cope.

use std::collections::BTreeMap;

const OBJECTS_MAX: usize = 1_000_000;
/// Where the end mark must stand. A file without one was cut, and what is missing from it cannot be known.
const END_BYTES_MAX: usize = 2048;

/// The file with a new table at its end, or nothing if that cannot help.
pub(super) fn rebuilt(bytes: &[u8]) -> Option<Vec<u8>> {
    let start = find(bytes, b"%PDF-")?;
    let bytes = bytes.get(start..)?;
    let end = bytes.get(bytes.len().saturating_sub(END_BYTES_MAX)..)?;
    find(end, b"%%EOF")?;
    // A new table would lose what a locked file is opened with.
    if find(bytes, b"/Encrypt").is_some() {
        return None;
    }
    let objects = objects(bytes)?;
    let root = last_reference(bytes, b"/Root")?;
    let last = objects.keys().next_back()?;
    let mut table = String::from("\nxref\n0 1\n0000000000 65535 f \n");
    for (number, (offset, generation)) in &objects {
        table.push_str(&format!("{number} 1\n{offset:010} {generation:05} n \n"));
    }
    let size = last.checked_add(1)?;
    let info =
        last_reference(bytes, b"/Info").map_or_else(String::new, |info| format!(" /Info {info}"));
    let place = bytes.len() + 1;
    table.push_str(&format!(
        "trailer\n<< /Size {size} /Root {root}{info} >>\nstartxref\n{place}\n%%EOF\n"
    ));
    Some([bytes, table.as_bytes()].concat())
}

/// Where each object begins; of several with one number the last is the newest.
fn objects(bytes: &[u8]) -> Option<BTreeMap<u32, (usize, u16)>> {
    let mut objects = BTreeMap::new();
    for (at, window) in bytes.windows(3).enumerate() {
        if window != b"obj" {
            continue;
        }
        let Some((number, generation, offset)) = bytes.get(..at).and_then(named_before) else {
            continue;
        };
        objects.insert(number, (offset, generation));
        if objects.len() > OBJECTS_MAX {
            return None;
        }
    }
    Some(objects)
}

/// `12 0 ` right before the end: the object's number, its generation, and where they stand.
fn named_before(bytes: &[u8]) -> Option<(u32, u16, usize)> {
    let (generation, rest) = number_before(bytes)?;
    let (number, rest) = number_before(rest)?;
    let generation = u16::try_from(generation).ok()?;
    Some((number, generation, rest.len()))
}

fn number_before(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let blank = bytes.trim_ascii_end();
    if blank.len() == bytes.len() {
        return None;
    }
    let digits = blank
        .iter()
        .rev()
        .take(10)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (rest, number) = blank.split_at_checked(blank.len() - digits)?;
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((number, rest))
}

/// `1 0 R` after the last mention of a key.
fn last_reference(bytes: &[u8], key: &[u8]) -> Option<String> {
    let at = bytes.windows(key.len()).rposition(|window| window == key)?;
    let after = bytes.get(at + key.len()..)?;
    let text = String::from_utf8_lossy(after.get(..32).unwrap_or(after)).into_owned();
    let mut words = text.split_ascii_whitespace();
    let number: u32 = words.next()?.parse().ok()?;
    let generation: u16 = words.next()?.parse().ok()?;
    let reference = words.next()?.starts_with('R');
    reference.then(|| format!("{number} {generation} R"))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
