mod boundary;
mod formats;
mod hidden;
mod network;
mod pdfs;
mod spreadsheets;
mod text;
mod walks;

use adjutant_knowledge_index::{Document, Form};

use crate::{Limits, ReadFailure, read};

fn document(bytes: &[u8], name: &str) -> Document {
    let document = read(bytes, name, &Limits::default()).unwrap();
    crate::trust::check(&document, &Limits::default()).unwrap();
    document
}

fn failure(bytes: &[u8], name: &str) -> ReadFailure {
    read(bytes, name, &Limits::default()).unwrap_err()
}

/// Every part on a line of its own, with its form.
fn outline(document: &Document) -> String {
    let mut lines = Vec::new();
    for part in &document.parts {
        let form = match part.form {
            Form::Heading(level) => format!("h{level}"),
            Form::Paragraph => "p".to_owned(),
            Form::ListItem => "li".to_owned(),
            Form::RowHead => "head".to_owned(),
            Form::Row => "row".to_owned(),
            Form::Code => "code".to_owned(),
        };
        let page = part
            .page
            .map_or_else(String::new, |page| format!("@{page}"));
        let text = &document.text[part.span.start as usize..part.span.end as usize];
        lines.push(format!("{form}{page} {}", text.replace('\n', "⏎")));
    }
    lines.join("\n")
}

fn about(document: &Document) -> (Option<&str>, Option<&str>, Option<&str>) {
    (
        document.title.as_deref(),
        document.author.as_deref(),
        document.date.as_deref(),
    )
}
