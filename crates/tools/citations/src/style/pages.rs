//! Ranges of pages.

/// `123-8`: without the digits that repeat.
pub(super) fn shortened(pages: &str) -> String {
    each_range(pages, |from, to| {
        let (letters, first) = split(from);
        let (to_letters, last) = split(to);
        if letters != to_letters || first.len() != last.len() || last.is_empty() {
            return format!("{from}-{to}");
        }
        let same = first
            .bytes()
            .zip(last.bytes())
            .take_while(|(one, other)| one == other)
            .count();
        let kept = &last[same.min(last.len() - 1)..];
        format!("{from}-{kept}")
    })
}

/// `123-128`: all digits.
pub(super) fn full(pages: &str, dash: &str) -> String {
    each_range(pages, |from, to| {
        let (letters, first) = split(from);
        let (to_letters, last) = split(to);
        if to_letters.is_empty() && !last.is_empty() && last.len() < first.len() {
            let before = &first[..first.len() - last.len()];
            return format!("{from}{dash}{letters}{before}{last}");
        }
        format!("{from}{dash}{to}")
    })
}

fn each_range(pages: &str, write: impl Fn(&str, &str) -> String) -> String {
    let pages = pages.replace(['–', '—', '‑', '−'], "-").replace("--", "-");
    let ranges: Vec<String> = pages
        .split(',')
        .map(str::trim)
        .map(|range| match range.split_once('-') {
            Some((from, to)) if !to.contains('-') => write(from.trim(), to.trim()),
            _ => range.to_owned(),
        })
        .collect();
    ranges.join(", ")
}

/// `e100` is `e` and `100`; other texts have no digits.
fn split(page: &str) -> (&str, &str) {
    let start = page
        .find(|letter: char| letter.is_ascii_digit())
        .unwrap_or(page.len());
    let (letters, digits) = page.split_at(start);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        (letters, digits)
    } else {
        (page, "")
    }
}
