//! An error as a person reads it: one line of what happened with its code, the place in the file, one line of help.

use std::fmt::Write as _;

use adjutant_app::error::{AppError, Complaint, ErrorKind, Place};

use super::{Paint, Tone, clean, width};

/// How much of a line an excerpt shows.
const EXCERPT_CHARS_MAX: usize = 100;

pub(crate) fn error_text(error: &AppError, paint: Paint) -> String {
    let mut text = String::new();
    for complaint in &error.complaints {
        write_complaint(complaint, &mut text, paint);
    }
    if error.left_out > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "… and {} more", error.left_out);
    }
    text
}

fn write_complaint(complaint: &Complaint, text: &mut String, paint: Paint) {
    let head = paint.tone(Tone::Failed, &format!("error[{}]", complaint.code));
    let place = complaint.place.as_ref().map_or(String::new(), |place| {
        let path = match place.path.as_str() {
            "" => String::new(),
            path => format!("{path}: "),
        };
        format!("{}:{}:{}: {path}", place.file, place.line, place.column)
    });
    let message = clean(&complaint.message);
    let _ = writeln!(text, "{head}: {place}{message}");
    if let Some(place) = &complaint.place {
        write_excerpt(place, text, paint);
    }
    let help = paint.tone(Tone::Bold, "help");
    let _ = writeln!(text, "  {help}: {}", clean(&complaint.help));
}

fn write_excerpt(place: &Place, text: &mut String, paint: Paint) {
    if place.excerpt.trim().is_empty() {
        return;
    }
    let column = place.column.saturating_sub(1);
    let from = column.saturating_sub(EXCERPT_CHARS_MAX - 20);
    let shown: String = place
        .excerpt
        .chars()
        .skip(from)
        .take(EXCERPT_CHARS_MAX)
        .collect();
    let before: String = shown.chars().take(column - from).collect();
    let indent = width(&clean(&before));
    let number = paint.tone(Tone::Dim, &format!("{:>5} │", place.line));
    let bar = paint.tone(Tone::Dim, "      │");
    let caret = paint.tone(Tone::Failed, "^");
    let _ = writeln!(text, "{number} {}", clean(&shown));
    let _ = writeln!(text, "{bar} {:indent$}{caret}", "");
}

/// Turns the several paragraphs of the command line's parser into our two lines.
pub(crate) fn usage_error(error: &clap::Error) -> AppError {
    let rendered = error.render().to_string();
    let mut lines = rendered
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("the command line cannot be read");
    let mut message = first.trim_start_matches("error: ").to_owned();
    let mut help = String::new();
    for line in lines {
        if let Some(tip) = line.strip_prefix("tip: ") {
            tip.clone_into(&mut help);
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            if help.is_empty() {
                help = format!("Usage: {usage}");
            }
        } else if !line.starts_with("For more information") {
            message = format!("{message} {line}");
        }
    }
    if help.is_empty() {
        help = "See `adjutant --help`.".into();
    }
    AppError::new(ErrorKind::BadInput, "ADJ-6001", message, help)
}
