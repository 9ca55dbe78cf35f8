//! Letters to lines. A PDF says where each letter stands and nothing about words or lines.

use hayro_interpret::hayro_cmap::BfString;

use super::pdf_page::Letter;

/// Gaps and steps, in parts of the letters' size.
const WORD_GAP: f64 = 0.15;
const CELL_GAP: f64 = 1.6;
const LINE_STEP: f64 = 0.5;
const BACK_STEP: f64 = 0.5;

/// The lines of a page, in the order the file draws them.
#[derive(Debug, Default)]
pub(super) struct PageLines {
    pub(super) number: u32,
    pub(super) lines: Vec<Line>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// Apart by gaps too wide for a space: the cells of a table's row, if there is more than one.
    pub(super) cells: Vec<Cell>,
    /// Upwards from the foot of the page.
    pub(super) base: f64,
    pub(super) size: f64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
}

impl Line {
    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self.cells.iter().map(|cell| cell.text.as_str()).collect();
        texts.join(" ")
    }

    pub(super) fn left(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    pub(super) fn right(&self) -> f64 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }

    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.trim().is_empty())
    }

    /// Without what is blank; nothing if all of it is.
    fn tidied(mut self) -> Option<Self> {
        self.cells.retain(|cell| !cell.text.trim().is_empty());
        for cell in &mut self.cells {
            cell.text.truncate(cell.text.trim_end().len());
        }
        (!self.cells.is_empty()).then_some(self)
    }

    /// Adds a letter that stands from `left` to `right`.
    fn add(&mut self, text: &str, left: f64, right: f64, size: f64) {
        let gap = (left - self.right()) / size;
        if self.cells.is_empty() || (gap > CELL_GAP && !self.is_blank()) {
            self.cells.push(Cell {
                text: String::new(),
                left,
                right: left,
            });
        }
        let Some(cell) = self.cells.last_mut() else {
            return;
        };
        if text.trim().is_empty() {
            // A space takes no room here, so that a run of them can still be the gap between two cells.
            if !cell.text.is_empty() && !cell.text.ends_with(' ') {
                cell.text.push(' ');
            }
            return;
        }
        if cell.text.is_empty() {
            cell.left = left;
        } else if gap > WORD_GAP && !cell.text.ends_with(' ') {
            cell.text.push(' ');
        }
        cell.text.push_str(text);
        cell.right = cell.right.max(right);
        self.size = self.size.max(size);
    }
}

/// The lines that a page's letters make.
pub(super) fn lines(letters: &[Letter]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open: Option<Line> = None;
    let mut one = [0; 4];
    for letter in letters {
        let (left, base, size) = (letter.left, letter.base, letter.size);
        let goes_on = |line: &Line| {
            let reach = line.size.max(size);
            (base - line.base).abs() <= LINE_STEP * reach
                && left >= line.right() - BACK_STEP * reach
        };
        if !open.as_ref().is_some_and(goes_on) {
            lines.extend(open.take().and_then(Line::tidied));
        }
        let line = open.get_or_insert_with(|| Line {
            base,
            size,
            ..Line::default()
        });
        let text = match &letter.text {
            BfString::Char(letter) => spelled_out(letter.encode_utf8(&mut one)),
            BfString::String(letters) => spelled_out(letters),
        };
        line.add(text, left, letter.right, size);
    }
    lines.extend(open.and_then(Line::tidied));
    lines
}

/// Printers' joined letters are letters to a reader.
fn spelled_out(letter: &str) -> &str {
    match letter {
        "ﬀ" => "ff",
        "ﬁ" => "fi",
        "ﬂ" => "fl",
        "ﬃ" => "ffi",
        "ﬄ" => "ffl",
        "ﬅ" | "ﬆ" => "st",
        other => other,
    }
}
