//! The version that a title or a file name gives: `Handbook, version 3.1`, `plan-v2`, `draft`.

/// Words before the number of a version.
const BEFORE_NUMBERS: &[&str] = &["edition", "issue", "rev", "revision", "version"];
/// Words that stand for a version without a number.
const IN_WORDS: &[&str] = &["draft", "final"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) written: String,
    /// What it is a version of: the title without it, in small letters.
    pub(crate) of: String,
    /// The parts of the number: `3.1` is 3, 1. A draft comes before everything, what is final after.
    pub(crate) number: Vec<u32>,
}

pub(crate) fn version(title: &str) -> Option<Version> {
    // The ending of a file's name belongs to no number.
    let small = title.to_lowercase();
    let small = match small.rsplit_once('.') {
        Some((name, ending)) if ending.chars().all(char::is_alphabetic) => name,
        _ => small.as_str(),
    };
    let words: Vec<&str> = small
        .split(|char: char| !char.is_alphanumeric() && char != '.')
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let of = |from: usize, to: usize| {
        let rest = words[..from].iter().chain(&words[to..]);
        rest.copied().collect::<Vec<_>>().join(" ")
    };
    for (at, word) in words.iter().enumerate() {
        let short = word.strip_prefix('v').and_then(numbers);
        if let Some(number) = short {
            return Some(Version {
                written: (*word).to_owned(),
                of: of(at, at + 1),
                number,
            });
        }
        let next = words.get(at + 1).and_then(|next| numbers(next));
        if let Some(number) = next.filter(|_| BEFORE_NUMBERS.contains(word)) {
            return Some(Version {
                written: format!("{word} {}", words[at + 1]),
                of: of(at, at + 2),
                number,
            });
        }
        if IN_WORDS.contains(word) {
            let number = match *word == "draft" {
                true => vec![0],
                false => vec![u32::MAX],
            };
            return Some(Version {
                written: (*word).to_owned(),
                of: of(at, at + 1),
                number,
            });
        }
    }
    None
}

/// `3`, `3.1`: few parts, each of few digits.
fn numbers(word: &str) -> Option<Vec<u32>> {
    let parts = word.split('.').map(|part| match part.len() {
        1..=3 => part.parse().ok(),
        _ => None,
    });
    parts.collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails may panic")]
mod tests {
    use super::version;

    #[test]
    fn versions_are_read_where_titles_give_them() {
        for (title, written, of, number) in [
            (
                "Handbook, version 3.1",
                "version 3.1",
                "handbook",
                vec![3, 1],
            ),
            ("kb:plan-v2.1", "v2.1", "kb plan", vec![2, 1]),
            ("kb:plan-v2.md", "v2", "kb plan", vec![2]),
            ("Report (draft)", "draft", "report", vec![0]),
            ("Report, final", "final", "report", vec![u32::MAX]),
        ] {
            let found = version(title).unwrap();
            assert_eq!(
                (found.written.as_str(), found.of.as_str(), found.number),
                (written, of, number)
            );
        }
        for title in ["Vacation 2024", "The valve", "v", "Versions of a story", ""] {
            assert_eq!(version(title), None, "{title}");
        }
    }
}
