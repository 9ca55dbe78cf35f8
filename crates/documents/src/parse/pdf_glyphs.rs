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
    pub(super) cells: Vec<String>,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Upwards from the foot of the page.
    pub(super) base: f64,
    pub(super) size: f64,
}

impl PageLines {
    /// For pages of which only the text is known.
    pub(super) fn plain(number: u32, text: &str) -> Self {
        let lines = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .enumerate()
            .map(|(place, line)| Line {
                cells: vec![line.trim().to_owned()],
                base: -(place as f64),
                size: 1.0,
                ..Line::default()
            });
        Self {
            number,
            lines: lines.collect(),
        }
    }
}

impl Line {
    pub(super) fn text(&self) -> String {
        self.cells.join(" ")
    }

    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }

    fn add(&mut self, text: &str) {
        match self.cells.last_mut() {
            Some(cell) => cell.push_str(text),
            None => self.cells.push(text.to_owned()),
        }
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
            line.cells.retain(|cell| !cell.trim().is_empty());
            for cell in &mut line.cells {
                *cell = cell.trim().to_owned();
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
            if raised > LINE_STEP * reach || x < line.right - BACK_STEP * reach {
                self.end_of_line();
            }
        }
        let line = self.line.get_or_insert_with(|| Line {
            left: x,
            right: x,
            base: y,
            size,
            ..Line::default()
        });
        let gap = (x - line.right) / size;
        if gap > CELL_GAP && !line.is_blank() {
            line.cells.push(String::new());
        } else if gap > WORD_GAP {
            line.add(" ");
        }
        line.add(&text);
        if !text.trim().is_empty() {
            line.right = line.right.max(end);
            line.size = line.size.max(size);
        }
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
