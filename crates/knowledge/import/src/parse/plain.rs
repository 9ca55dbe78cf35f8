//! Plain text: paragraphs between blank lines, lists, underlined headings.

use adjutant_knowledge_index::{Document, DocumentKind, Form};

use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

/// Lines narrower than this were broken on purpose.
const WRAP_WIDTH_MIN: usize = 50;
const HEADING_CHARACTERS_MAX: usize = 120;
const HEAD_LINES_MAX: usize = 20;

pub(super) fn read(text: &str, limits: &Limits) -> Result<Document, ReadFailure> {
    let mut writing = Writing::new(limits);
    put(&mut writing, text)?;
    let mut about = memo_head(text);
    about.title = about.title.or_else(|| writing.first_heading());
    writing.finish(DocumentKind::Text, about)
}

/// What a memo says of itself in its first lines: `From: …`, `Date: …`, `Subject: …`.
fn memo_head(text: &str) -> About {
    let mut about = About::default();
    let first = text
        .trim_start()
        .lines()
        .take(HEAD_LINES_MAX)
        .take_while(|line| !line.trim().is_empty());
    for line in first {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        // A second one may share the line, after a gap.
        let (value, second) = value.trim().split_once("   ").unwrap_or((value.trim(), ""));
        if let Some((name, value)) = second.trim().split_once(':')
            && name.eq_ignore_ascii_case("date")
        {
            about.date = about.date.or_else(|| date::stated(value));
        }
        if value.is_empty() {
            continue;
        }
        match name.trim().to_ascii_lowercase().as_str() {
            "title" | "subject" => {
                about.title.get_or_insert(value.to_owned());
            }
            "from" | "author" | "authors" => {
                about.author.get_or_insert(value.to_owned());
            }
            "date" => about.date = about.date.or_else(|| date::stated(value)),
            _ => {}
        }
    }
    about
}

/// Adds a plain text's paragraphs.
pub(super) fn put(writing: &mut Writing, text: &str) -> Result<(), ReadFailure> {
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        let line = line.trim_end();
        if !line.trim_start().is_empty() {
            paragraph.push(line);
            continue;
        }
        put_paragraph(writing, &paragraph)?;
        paragraph.clear();
    }
    Ok(())
}

fn put_paragraph(writing: &mut Writing, lines: &[&str]) -> Result<(), ReadFailure> {
    let mut rest = lines;
    if let [title, underline, after @ ..] = lines
        && let Some(level) = underlined(title, underline)
    {
        writing.put(Form::Heading(level), title)?;
        rest = after;
    }
    if let [line] = rest
        && is_in_capitals(line)
    {
        return writing.put(Form::Heading(2), line);
    }
    while let [first, after @ ..] = rest {
        let item = list_item(first);
        let end = after
            .iter()
            .position(|line| list_item(line).is_some())
            .unwrap_or(after.len());
        let (follow, next) = after.split_at(end);
        match item {
            Some((mark, text)) => {
                let mut all = vec![text];
                all.extend(follow);
                writing.put_marked(Form::ListItem, mark, &joined(&all))?;
            }
            None => {
                let mut all = vec![*first];
                all.extend(follow);
                writing.put(Form::Paragraph, &joined(&all))?;
            }
        }
        rest = next;
    }
    Ok(())
}

fn underlined(title: &str, underline: &str) -> Option<u8> {
    let line = underline.trim();
    let long_enough = line.len() >= 3 && title.chars().count() <= HEADING_CHARACTERS_MAX;
    if !long_enough {
        return None;
    }
    if line.bytes().all(|byte| byte == b'=') {
        Some(1)
    } else if line.bytes().all(|byte| byte == b'-') {
        Some(2)
    } else {
        None
    }
}

/// A line of its own in capitals, with or without a number before it.
fn is_in_capitals(line: &str) -> bool {
    let words = line.trim_start_matches(|mark: char| !mark.is_alphabetic());
    let main = words.split('(').next().unwrap_or(words);
    let letters = main.chars().filter(|letter| letter.is_alphabetic()).count();
    letters > 3
        && line.chars().count() <= HEADING_CHARACTERS_MAX
        && !main.chars().any(char::is_lowercase)
        && !line.trim_end().ends_with(['.', ',', ';'])
}

/// A line that begins an item of a list, as its mark and its text.
fn list_item(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    for bullet in ["- ", "* ", "• ", "– "] {
        if let Some(text) = line.strip_prefix(bullet) {
            return Some(("- ", text));
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&digits) {
        return None;
    }
    let rest = line.get(digits..)?;
    if rest.starts_with(". ") || rest.starts_with(") ") {
        let (mark, text) = line.split_at_checked(digits + 2)?;
        return Some((mark, text));
    }
    None
}

/// Lines that a program broke at some width are one line again; lines that a person broke stay as they are.
fn joined(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let width = lines
        .iter()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let quoted = lines.iter().any(|line| line.starts_with('>'));
    let wrapped = !quoted
        && width >= WRAP_WIDTH_MIN
        && lines.windows(2).all(|pair| match pair {
            [line, next] => line.chars().count() + 1 + first_word(next) > width,
            _ => true,
        });
    lines.join(if wrapped { " " } else { "\n" })
}

fn first_word(line: &str) -> usize {
    line.split_whitespace()
        .next()
        .map_or(0, |word| word.chars().count())
}
