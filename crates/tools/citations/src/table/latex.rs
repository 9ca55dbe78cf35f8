//! Tables in LaTeX, without further packages.

use super::layout::{Line, TableLayout};
use super::request::Align;
use crate::exchange::encode_latex;

pub(super) fn write(layout: &TableLayout) -> String {
    let columns: String = layout
        .heads
        .iter()
        .map(|(_, align)| match align {
            Align::Left => 'l',
            Align::Right => 'r',
            Align::Center => 'c',
        })
        .collect();
    let mut latex = vec!["\\begin{table}".to_owned()];
    if let Some(caption) = &layout.caption {
        latex.push(format!("\\caption{{{}}}", encode_latex(caption)));
    }
    latex.push(format!("\\begin{{tabular}}{{{columns}}}"));
    latex.push("\\hline".to_owned());
    latex
        .push(row(layout.heads.iter().map(|(title, _)| {
            format!("\\textbf{{{}}}", encode_latex(title))
        })));
    latex.push("\\hline".to_owned());
    let count = layout.heads.len();
    for line in &layout.lines {
        match line {
            Line::Group(name) => latex.push(spanning_row(
                &format!("\\textbf{{{}}}", encode_latex(name)),
                count,
            )),
            Line::More(more) => {
                latex.push(spanning_row(&format!("\\ldots{{}} {more} more"), count))
            }
            Line::Row(cells) | Line::Subtotal(cells) => {
                latex.push(row(cells.iter().map(|cell| encode_latex(cell))));
            }
            Line::Total(cells) => {
                latex.push("\\hline".to_owned());
                latex.push(row(cells.iter().map(|cell| encode_latex(cell))));
            }
        }
    }
    latex.push("\\hline\n\\end{tabular}".to_owned());
    for (mark, text) in &layout.footnotes {
        latex.push(format!(
            "\\par\\textsuperscript{{{}}} {}",
            encode_latex(mark),
            encode_latex(text)
        ));
    }
    latex.push("\\end{table}".to_owned());
    latex.join("\n")
}

fn row(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\", cells.collect::<Vec<_>>().join(" & "))
}

fn spanning_row(text: &str, count: usize) -> String {
    format!("\\multicolumn{{{count}}}{{l}}{{{text}}} \\\\")
}
