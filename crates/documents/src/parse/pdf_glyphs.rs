//! Glyphs to lines. A PDF says where each glyph stands and nothing about words or lines.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

use crate::Limits;

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

impl PageLines {
    /// For pages of which only the text is known.
    pub(super) fn plain(number: u32, text: &str) -> Self {
        let lines = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .enumerate()
            .map(|(place, line)| Line {
                cells: vec![Cell {
                    text: line.trim().to_owned(),
                    ..Cell::default()
                }],
                base: -(place as f64),
                size: 1.0,
            });
        Self {
            number,
            lines: lines.collect(),
        }
    }
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

    /// Adds a glyph that stands from `left` to `right`.
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

#[derive(Debug)]
pub(super) struct Glyphs {
    whole: Vec<PageLines>,
    page: PageLines,
    line: Option<Line>,
    sheet: (f64, f64, f64, f64),
    bytes_left: u64,
    bytes_max: u64,
}

impl Glyphs {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            whole: Vec::new(),
            page: PageLines::default(),
            line: None,
            sheet: (0.0, 0.0, 0.0, 0.0),
            bytes_left: limits.text_bytes_max,
            bytes_max: limits.text_bytes_max,
        }
    }

    /// The pages that came to their end.
    pub(super) fn whole_pages(self) -> Vec<PageLines> {
        self.whole
    }

    fn end_of_line(&mut self) {
        if let Some(mut line) = self.line.take()
            && !line.is_blank()
        {
            line.cells.retain(|cell| !cell.text.trim().is_empty());
            for cell in &mut line.cells {
                cell.text.truncate(cell.text.trim_end().len());
            }
            self.page.lines.push(line);
        }
    }

    /// What stands beside the sheet is not seen by any reader.
    fn is_on_sheet(&self, x: f64, y: f64) -> bool {
        let (left, foot, right, head) = self.sheet;
        (left..=right).contains(&x) && (foot..=head).contains(&y)
    }
}

impl OutputDev for Glyphs {
    fn begin_page(
        &mut self,
        number: u32,
        sheet: &MediaBox,
        _art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.page = PageLines {
            number,
            lines: Vec::new(),
        };
        self.sheet = (sheet.llx, sheet.lly, sheet.urx, sheet.ury);
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.end_of_line();
        self.whole.push(std::mem::take(&mut self.page));
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        character: &str,
    ) -> Result<(), OutputError> {
        let across = font_size * place.m11.hypot(place.m12);
        let size = font_size * place.m21.hypot(place.m22);
        let (x, y) = (place.m31, place.m32);
        let sound = [x, y, size, across].iter().all(|number| number.is_finite());
        if !sound || size.abs() < 0.1 || !self.is_on_sheet(x, y) {
            return Ok(());
        }
        let text = spelled_out(character);
        let Some(left) = self.bytes_left.checked_sub(text.len() as u64) else {
            return Err(OutputError::IoError(std::io::Error::other(format!(
                "more than {} bytes",
                self.bytes_max
            ))));
        };
        self.bytes_left = left;
        let end = x + width * across;
        if let Some(line) = &self.line {
            let raised = (y - line.base).abs();
            let reach = line.size.max(size);
            if raised > LINE_STEP * reach || x < line.right() - BACK_STEP * reach {
                self.end_of_line();
            }
        }
        let line = self.line.get_or_insert_with(|| Line {
            base: y,
            size,
            ..Line::default()
        });
        line.add(&text, x, end, size);
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Printers' joined letters are letters to a reader.
fn spelled_out(character: &str) -> std::borrow::Cow<'_, str> {
    let joined = match character {
        "ﬀ" => "ff",
        "ﬁ" => "fi",
        "ﬂ" => "fl",
        "ﬃ" => "ffi",
        "ﬄ" => "ffl",
        "ﬅ" | "ﬆ" => "st",
        other => return other.into(),
    };
    joined.into()
}
