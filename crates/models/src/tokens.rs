//! How many tokens a text is at most.

/// Words are cut into pieces of three letters and more, everything else into single characters; what is not ASCII into
/// its bytes at worst.
pub(crate) fn token_bound(text: &str) -> u64 {
    const THIRDS_A_LETTER: u64 = 1;
    const THIRDS_OF_ANOTHER: u64 = 3;
    let thirds: u64 = text
        .chars()
        .map(|char| match char {
            'a'..='z' | 'A'..='Z' | ' ' => THIRDS_A_LETTER,
            _ => THIRDS_OF_ANOTHER * char.len_utf8() as u64,
        })
        .sum();
    thirds.div_ceil(3)
}
