//! Word files: packages of XML.

use std::collections::BTreeMap;

use adjutant_knowledge_index::{Document, DocumentKind, Form};

use super::docx_body::{Body, Note, notes_of};
use super::docx_styles::Styles;
use super::package::{Archive, unpack};
use super::xml;
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

pub(super) fn read(
    archive: &mut Archive,
    main: &str,
    limits: &Limits,
) -> Result<Document, ReadFailure> {
    let Some(xml) = unpack(archive, main, limits)? else {
        return Err(ReadFailure::broken("its main text is missing"));
    };
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut beside = |name: &str| unpack(archive, &format!("{folder}/{name}"), limits);
    let styles = Styles::parse(beside("styles.xml")?.as_deref().unwrap_or_default())?;
    let footnotes = notes_of(beside("footnotes.xml")?.as_deref().unwrap_or_default())?;
    let endnotes = notes_of(beside("endnotes.xml")?.as_deref().unwrap_or_default())?;
    let comments = notes_of(beside("comments.xml")?.as_deref().unwrap_or_default())?;
    let core = unpack(archive, "docProps/core.xml", limits)?;

    let mut writing = Writing::new(limits);
    let mut body = Body::new(&mut writing, &styles);
    body.read(&xml)?;
    let cited = body.cited();
    put_notes(&mut writing, &cited.footnotes, &footnotes)?;
    put_notes(&mut writing, &cited.endnotes, &endnotes)?;
    put_comments(&mut writing, &comments)?;

    let mut about = core_properties(core.as_deref().unwrap_or_default())?;
    about.title = about.title.or_else(|| writing.first_heading());
    writing.finish(DocumentKind::Docx, about)
}

fn put_notes(
    writing: &mut Writing,
    cited: &[String],
    notes: &BTreeMap<String, Note>,
) -> Result<(), ReadFailure> {
    for (place, id) in cited.iter().enumerate() {
        if let Some(note) = notes.get(id) {
            let mark = format!("[{}] ", place + 1);
            writing.put_marked(Form::Paragraph, &mark, &note.text)?;
        }
    }
    Ok(())
}

fn put_comments(
    writing: &mut Writing,
    comments: &BTreeMap<String, Note>,
) -> Result<(), ReadFailure> {
    for comment in comments.values() {
        let who = match &comment.author {
            Some(author) => format!("Comment by {author}: "),
            None => "Comment: ".to_owned(),
        };
        writing.put(Form::Paragraph, &format!("{who}{}", comment.text))?;
    }
    Ok(())
}

fn core_properties(bytes: &[u8]) -> Result<About, ReadFailure> {
    let mut about = About::default();
    let mut inside = String::new();
    let mut modified = None;
    xml::each(bytes, |event| {
        match event {
            xml::Seen::Start(element) => inside = element.name.to_owned(),
            xml::Seen::End(_) => inside.clear(),
            xml::Seen::Text(text) => match inside.as_str() {
                "title" => about.title = Some(text.to_owned()),
                "creator" => about.author = Some(text.to_owned()),
                "created" => about.date = date::stated(text),
                "modified" => modified = date::stated(text),
                _ => {}
            },
        }
        Ok(())
    })?;
    about.title = about.title.filter(|title| !title.trim().is_empty());
    about.date = about.date.or(modified);
    Ok(about)
}
