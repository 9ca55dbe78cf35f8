//! Text fit for one line of output.

/// White space and control characters become single spaces; none remain at the ends.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
