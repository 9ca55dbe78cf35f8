//! Lines to paragraphs, headings, lists and tables, by size and distance.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_knowledge_index::Form;

use super::pdf_glyphs::{Line, PageLines};
use super::table::{Row, Table};
use crate::ReadFailure;
use crate::writing::Writing;

/// A heading is this much larger than the body.
const HEADING_RATIO: f64 = 1.12;
const HEADING_BYTES_MAX: usize = 200;
const HEADING_LEVELS_MAX: usize = 4;
/// A step this much wider than usual begins a paragraph.
const PARAGRAPH_RATIO: f64 = 1.15;
/// Parts of the letters' size.
const INDENT: f64 = 0.8;
const SAME_SIZE: f64 = 0.08;
/// A cell's second line stands under its first, no farther than this.
const CELL_STEP_MAX: f64 = 1.6;
const COLUMNS_MAX: usize = 40;
/// A line at the same edge of this many pages, and of half of them, belongs to the sheet and not to the text.
const REPEATS_MIN: usize = 2;
const BULLETS: [char; 11] = [
    '•', '▪', '●', '○', '◦', '■', '–', '‣', '\u{f0b7}', '\u{f0a7}', '∙',
];

pub(super) fn put_pages(
    writing: &mut Writing,
    mut pages: Vec<PageLines>,
) -> Result<(), ReadFailure> {
    drop_running_lines(&mut pages);
    for page in &mut pages {
        page.lines = rows_made_whole(std::mem::take(&mut page.lines));
    }
    let style = Style::of(&pages);
    for page in &pages {
        writing.turn_to_page(page.number);
        for block in blocks(&page.lines, &style) {
            put_block(writing, block, &style)?;
        }
    }
    Ok(())
}

/// What is usual in a document.
struct Style {
    body: f64,
    /// From one line to the next, in parts of the size.
    step: f64,
    /// Sizes of headings, largest first.
    headings: Vec<i64>,
}

impl Style {
    fn of(pages: &[PageLines]) -> Self {
        let mut letters: BTreeMap<i64, usize> = BTreeMap::new();
        let mut steps: BTreeMap<i64, usize> = BTreeMap::new();
        for page in pages {
            for line in &page.lines {
                *letters.entry(rounded(line.size)).or_default() += line.text().len();
            }
            for pair in page.lines.windows(2) {
                if let [one, next] = pair
                    && one.cells.len() == 1
                    && next.cells.len() == 1
                {
                    let step = (one.base - next.base) / one.size;
                    if (0.8..3.0).contains(&step) && same_size(one, next) {
                        *steps.entry((step * 20.0).round() as i64).or_default() += 1;
                    }
                }
            }
        }
        let usual = |counts: &BTreeMap<i64, usize>| {
            counts
                .iter()
                .max_by_key(|(_, count)| **count)
                .map(|(value, _)| *value as f64)
        };
        let body = usual(&letters).unwrap_or(20.0) / 2.0;
        let sizes: BTreeSet<i64> = letters
            .keys()
            .copied()
            .filter(|size| *size as f64 / 2.0 >= body * HEADING_RATIO)
            .collect();
        Self {
            body,
            step: usual(&steps).unwrap_or(24.0) / 20.0,
            headings: sizes.into_iter().rev().collect(),
        }
    }

    fn heading_level(&self, size: f64) -> Option<u8> {
        if size < self.body * HEADING_RATIO {
            return None;
        }
        let place = self
            .headings
            .iter()
            .position(|heading| *heading == rounded(size))?;
        u8::try_from(place.min(HEADING_LEVELS_MAX - 1) + 1).ok()
    }
}

/// Sizes in halves of a point, so that rounding in files does not make two of one.
fn rounded(size: f64) -> i64 {
    (size * 2.0).round() as i64
}

fn same_size(one: &Line, other: &Line) -> bool {
    (one.size - other.size).abs() <= SAME_SIZE * one.size.max(other.size)
}

/// Takes away running heads, feet and page numbers: what stands at the same edge of many pages.
fn drop_running_lines(pages: &mut [PageLines]) {
    let mut seen: BTreeMap<(String, i64), usize> = BTreeMap::new();
    for page in pages.iter() {
        for edge in edges(page) {
            *seen.entry(edge).or_default() += 1;
        }
    }
    let enough = REPEATS_MIN.max(pages.len().div_ceil(2));
    for page in pages.iter_mut() {
        let mut running = edges(page);
        running.retain(|edge| {
            is_page_number(&edge.0) || seen.get(edge).is_some_and(|count| *count >= enough)
        });
        let is_text = |line: &Line| !running.contains(&edge_of(line));
        if page.lines.iter().any(is_text) {
            page.lines.retain(is_text);
        }
    }
}

/// The two highest and the two lowest lines.
fn edges(page: &PageLines) -> BTreeSet<(String, i64)> {
    let mut by_height: Vec<&Line> = page.lines.iter().collect();
    by_height.sort_by(|one, other| other.base.total_cmp(&one.base));
    let count = by_height.len();
    by_height
        .into_iter()
        .enumerate()
        .filter(|(place, _)| *place < 2 || place + 2 >= count)
        .map(|(_, line)| edge_of(line))
        .collect()
}

/// A line without its numbers, and its height.
fn edge_of(line: &Line) -> (String, i64) {
    let mut masked = String::new();
    for character in line.text().chars() {
        if !character.is_ascii_digit() {
            masked.push(character);
        } else if !masked.ends_with('0') {
            masked.push('0');
        }
    }
    (masked, rounded(line.base))
}

fn is_page_number(masked: &str) -> bool {
    matches!(
        masked.to_ascii_lowercase().as_str(),
        "0" | "- 0 -" | "page 0" | "page 0 of 0" | "page 0/0" | "0/0" | "0 / 0" | "0 of 0"
    )
}

/// Puts the further lines of a cell to its first.
fn rows_made_whole(lines: Vec<Line>) -> Vec<Line> {
    let mut whole: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        if let (Some(row), [more]) = (whole.last_mut(), line.cells.as_slice())
            && row.cells.len() > 1
        {
            let step = (row.base - line.base) / line.size;
            let cell = row
                .cells
                .iter_mut()
                .skip(1)
                .find(|cell| (cell.left - more.left).abs() < INDENT * line.size);
            if let (Some(cell), true) = (cell, step > 0.0 && step < CELL_STEP_MAX) {
                cell.text.push(' ');
                cell.text.push_str(&more.text);
                cell.right = cell.right.max(more.right);
                row.base = line.base;
                continue;
            }
        }
        whole.push(line);
    }
    whole
}

/// The rows with every cell in its column. Cells that stand over one another are a column.
fn aligned(lines: &[Line]) -> Vec<Row> {
    let mut spans: Vec<(f64, f64)> = lines
        .iter()
        .flat_map(|line| &line.cells)
        .map(|cell| (cell.left, cell.right))
        .collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut columns: Vec<(f64, f64)> = Vec::new();
    for (left, right) in spans {
        match columns.last_mut() {
            Some(last) if left <= last.1 => last.1 = last.1.max(right),
            _ => columns.push((left, right)),
        }
    }
    let most = lines.iter().map(|line| line.cells.len()).max().unwrap_or(0);
    let fit = columns.len() >= most && columns.len() <= COLUMNS_MAX;
    lines
        .iter()
        .map(|line| {
            let cells = line.cells.iter();
            let cells = if fit {
                let mut row = vec![String::new(); columns.len()];
                for cell in cells {
                    let column = columns.iter().position(|(_, right)| cell.left <= *right);
                    if let Some(place) = column.and_then(|column| row.get_mut(column)) {
                        place.clone_from(&cell.text);
                    }
                }
                row
            } else {
                cells.map(|cell| cell.text.clone()).collect()
            };
            Row {
                cells,
                ..Row::default()
            }
        })
        .collect()
}

/// Cuts a page's lines where a paragraph, a heading, an item or a table begins or ends.
fn blocks<'a>(lines: &'a [Line], style: &Style) -> Vec<&'a [Line]> {
    let left = lines.iter().map(Line::left).fold(f64::MAX, f64::min);
    lines
        .chunk_by(|one, next| goes_on(one, next, left, style))
        .collect()
}

fn goes_on(one: &Line, next: &Line, left: f64, style: &Style) -> bool {
    let rows = (one.cells.len() > 1, next.cells.len() > 1);
    if rows == (true, true) {
        return one.base > next.base;
    }
    if rows != (false, false) || !same_size(one, next) {
        return false;
    }
    let step = (one.base - next.base) / one.size;
    let (text, following) = (one.text(), next.text());
    if bullet(&following).is_some() || (ends_sentence(&text) && number_mark(&following).is_some()) {
        return false;
    }
    if step <= 0.0 {
        // On to the next column: only a sentence that is not over goes along.
        return !ends_sentence(&text) && following.starts_with(char::is_lowercase);
    }
    if step > style.step * PARAGRAPH_RATIO && step > 0.8 {
        return false;
    }
    if ends_sentence(&text) && would_have_fit(one, next, &following) {
        return false;
    }
    let indented = next.left() > one.left() + INDENT * next.size;
    let item = bullet(&text).is_some() || number_mark(&text).is_some();
    if indented && !item && one.left() < left + INDENT * one.size && ends_sentence(&text) {
        return false;
    }
    true
}

/// Whether the next line's first word had room on this one: then somebody ended the line on purpose.
fn would_have_fit(one: &Line, next: &Line, following: &str) -> bool {
    let letters = following.chars().count().max(1);
    let word = following
        .chars()
        .take_while(|letter| *letter != ' ')
        .count();
    let wide = (next.right() - next.left()) * (word + 1) as f64 / letters as f64;
    one.right() + wide < next.right()
}

fn put_block(writing: &mut Writing, lines: &[Line], style: &Style) -> Result<(), ReadFailure> {
    let Some(first) = lines.first() else {
        return Ok(());
    };
    if first.cells.len() > 1 && lines.len() > 1 {
        let table = Table {
            rows: aligned(lines),
        };
        return table.put(writing);
    }
    let text = joined(lines);
    if let Some(mark) = bullet(&text) {
        let rest = text.get(mark..).unwrap_or_default();
        return writing.put_marked(Form::ListItem, "- ", rest.trim_start());
    }
    if text.len() <= HEADING_BYTES_MAX {
        if let Some(level) = style.heading_level(first.size) {
            return writing.put(Form::Heading(level), &text);
        }
        if lines.len() == 1
            && let Some(level) = numbered_heading(&text)
        {
            return writing.put(Form::Heading(level), &text);
        }
    }
    match number_mark(&text) {
        Some(mark) => {
            let (mark, rest) = text.split_at_checked(mark).unwrap_or(("", &text));
            writing.put_marked(Form::ListItem, mark, rest)
        }
        None => writing.put(Form::Paragraph, &text),
    }
}

fn joined(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let next = line.text();
        let cut = text.ends_with('-')
            && text.chars().nth_back(1).is_some_and(char::is_alphabetic)
            && next.starts_with(char::is_lowercase);
        if cut {
            text.pop();
        } else if !text.is_empty() && !text.ends_with('\u{ad}') {
            text.push(' ');
        }
        text.push_str(&next);
    }
    text
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end()
        .trim_end_matches(['"', '”', '’', ')', ']'])
        .ends_with(['.', '!', '?', ':', ';'])
}

/// How many bytes of a text are the mark of an item.
fn bullet(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if BULLETS.contains(&first) && text.chars().nth(1).is_some_and(char::is_whitespace) {
        return Some(first.len_utf8());
    }
    text.starts_with("- ").then_some(2)
}

/// `3. ` or `3) ` before an item.
fn number_mark(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?;
    let marked = rest.starts_with(". ") || rest.starts_with(") ");
    ((1..=2).contains(&digits) && marked).then_some(digits + 2)
}

/// `2.1 Methods`: a short line of its own with a section's number.
fn numbered_heading(text: &str) -> Option<u8> {
    let (number, title) = text.split_once(' ')?;
    let plain = number.trim_end_matches('.');
    let parts: Vec<&str> = plain.split('.').collect();
    let numbered = parts.iter().all(|part| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let titled = title.starts_with(char::is_uppercase)
        && !title.contains(['.', ',', ';', ':', '?', '!'])
        && title.split_whitespace().count() <= 10;
    if !numbered || !titled || parts.len() > HEADING_LEVELS_MAX {
        return None;
    }
    u8::try_from(parts.len()).ok()
}
