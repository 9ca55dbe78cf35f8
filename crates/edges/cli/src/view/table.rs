//! Columns that line up.

use super::{Line, Paint, Tone};

const GAP: usize = 2;
/// The column that gives way is shortened so far before others are.
const COLUMN_FAIR: usize = 20;
/// No column is shortened to less.
const COLUMN_MIN: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(crate) fn headed(names: &[&str]) -> Self {
        let heads = names.iter().map(|name| Line::of(Tone::Dim, name)).collect();
        Self { rows: vec![heads] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Line>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Lines of at most `width`. Column `gives` is shortened when there is too little room, then whichever is
    /// widest. A column with nothing in it is left out.
    pub(crate) fn lines(mut self, width: usize, gives: usize) -> Vec<Line> {
        let is_empty = |rows: &[Vec<Line>], at: usize| {
            let mut cells = rows.iter().skip(1).filter_map(|row| row.get(at));
            cells.all(|cell| cell.width() == 0)
        };
        for at in (0..self.rows.first().map_or(0, Vec::len)).rev() {
            if at > gives && is_empty(&self.rows, at) {
                for row in &mut self.rows {
                    row.remove(at);
                }
            }
        }
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.map(Line::width).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(widest).collect();
        let gaps = GAP * columns.saturating_sub(1) + 1;
        let over = |widths: &[usize]| (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
        let missing = over(&widths);
        if let Some(giving) = widths.get_mut(gives) {
            *giving = giving.saturating_sub(missing).max(COLUMN_FAIR.min(*giving));
        }
        while over(&widths) > 0 {
            match widths.iter_mut().max() {
                Some(widest) if *widest > COLUMN_MIN => *widest -= 1,
                _ => break,
            }
        }
        let line = |row: Vec<Line>| {
            let mut line = Line::new().plain(" ");
            let mut column = 1;
            for (cell, width) in row.into_iter().zip(&widths) {
                line = line.padded(column).then(cell.fit(*width));
                column += width + GAP;
            }
            line.fit(width)
        };
        self.rows.into_iter().map(line).collect()
    }
}

impl Line {
    pub(crate) fn print_all(
        lines: &[Self],
        paint: Paint,
    ) -> Result<(), adjutant_app::error::AppError> {
        for line in lines {
            crate::output::line(&line.render(paint))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
