//! Words, as the stand-ins compare them.

pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether every wanted word is among those of the text.
pub(crate) fn has_all(text: &str, wanted: &str) -> bool {
    let there = words(text);
    words(wanted).iter().all(|word| there.contains(word))
}

/// A key that the stand-ins know; any other is refused as the services refuse a wrong one.
pub(crate) fn is_known_key(key: &str) -> bool {
    key.starts_with("stand-in")
}
