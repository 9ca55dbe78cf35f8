//! Tables in HTML that a screen reader can follow.

use super::layout::{Line, TableLayout};
use super::request::Align;
use crate::markup::escape_html;

pub(super) fn write(layout: &TableLayout) -> String {
    let mut html = vec!["<table>".to_owned()];
    if let Some(caption) = &layout.caption {
        html.push(format!("<caption>{}</caption>", escape_html(caption)));
    }
    let heads: Vec<String> = layout
        .heads
        .iter()
        .map(|(title, align)| {
            format!(
                r#"<th scope="col"{}>{}</th>"#,
                style(*align),
                escape_html(title)
            )
        })
        .collect();
    html.push(format!(
        "<thead>\n<tr>{}</tr>\n</thead>\n<tbody>",
        heads.concat()
    ));
    let mut begun = false;
    for line in &layout.lines {
        match line {
            Line::Group(name) => {
                if begun {
                    html.push("</tbody>\n<tbody>".to_owned());
                }
                html.push(format!(
                    r#"<tr><th scope="rowgroup" colspan="{}">{}</th></tr>"#,
                    layout.heads.len(),
                    escape_html(name)
                ));
            }
            Line::Row(cells) | Line::Subtotal(cells) => html.push(row(cells, layout)),
            Line::More(more) => html.push(format!(
                r#"<tr><td colspan="{}">… {more} more</td></tr>"#,
                layout.heads.len()
            )),
            Line::Total(cells) => {
                html.push(format!(
                    "</tbody>\n<tfoot>\n{}\n</tfoot>",
                    row(cells, layout)
                ));
            }
        }
        begun = true;
    }
    if !matches!(layout.lines.last(), Some(Line::Total(_))) {
        html.push("</tbody>".to_owned());
    }
    html.push("</table>".to_owned());
    for (mark, text) in &layout.footnotes {
        html.push(format!(
            "<p><sup>{}</sup> {}</p>",
            escape_html(mark),
            escape_html(text)
        ));
    }
    html.join("\n")
}

/// The first cell names the row.
fn row(cells: &[String], layout: &TableLayout) -> String {
    let mut html = String::from("<tr>");
    for (at, (cell, (_, align))) in cells.iter().zip(&layout.heads).enumerate() {
        let (open, close) = if at == 0 {
            (r#"th scope="row""#, "th")
        } else {
            ("td", "td")
        };
        html.push_str(&format!(
            "<{open}{}>{}</{close}>",
            style(*align),
            escape_html(cell)
        ));
    }
    html.push_str("</tr>");
    html
}

fn style(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => r#" style="text-align:right""#,
        Align::Center => r#" style="text-align:center""#,
    }
}
