//! Text as Markdown that reads back as the same text, never as markup.

/// What becomes of line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// A heading or a cell has one line.
    Join,
    /// A quote keeps its lines.
    Quote,
}

/// Text within a line.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        let follows = rest.peek().copied();
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '#' | '&' | '!' => {
                out.push('\\');
                out.push(c);
            }
            // Bare addresses would turn into links.
            ':' if follows == Some('/') => out.push_str("\\:"),
            '.' if before == 'w' || before == 'W' => out.push_str("\\."),
            '@' => out.push_str("\\@"),
            '\r' if follows == Some('\n') => {}
            '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\0' => {
                out.push(' ');
            }
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// Text that is to be copied as it is. More backticks around it than there are within it in a row.
pub(super) fn code(text: &str) -> String {
    let text: String = text
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let room = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{room}{text}{room}{fence}")
}

pub(super) fn lines(text: &str, how: Lines) -> String {
    match how {
        Lines::Join => inline(text.trim()),
        Lines::Quote => {
            let lines: Vec<String> = text
                .trim()
                .lines()
                .map(|line| start_of_line(&inline(line.trim())))
                .collect();
            let mut out = String::new();
            for (index, line) in lines.iter().enumerate() {
                let next = lines.get(index + 1);
                out.push_str(if line.is_empty() { ">" } else { "> " });
                out.push_str(line);
                // A break within a paragraph, which Markdown would otherwise run together.
                if !line.is_empty() && next.is_some_and(|next| !next.is_empty()) {
                    out.push('\\');
                }
                if next.is_some() {
                    out.push('\n');
                }
            }
            out
        }
    }
}

/// At the start of a block some characters mean more than elsewhere.
pub(super) fn start_of_line(text: &str) -> String {
    let text = text.trim_start();
    if text.starts_with(['+', '-', '=']) {
        return format!("\\{text}");
    }
    // A number and one of these would begin a list.
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = text.split_at(digits);
    if !number.is_empty() && rest.starts_with(['.', ')']) {
        return format!("{number}\\{rest}");
    }
    text.to_owned()
}
