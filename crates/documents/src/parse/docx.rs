//! Word files: a zip of XML. Sizes inside are counted while unpacking, never believed.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use adjutant_knowledge::{Document, DocumentKind, Form};
use zip::ZipArchive;
use zip::result::ZipError;

use super::docx_body::{Body, Note, notes_of};
use super::docx_styles::Styles;
use super::xml;
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

const ENTRIES_MAX: usize = 10_000;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > ENTRIES_MAX {
        return Err(ReadFailure::too_much(format!(
            "more than {ENTRIES_MAX} files packed in it"
        )));
    }
    let main = main_part(&mut archive, limits)?;
    let Some(xml) = unpack(&mut archive, &main, limits)? else {
        return Err(ReadFailure::broken("its main text is missing"));
    };
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut beside = |name: &str| unpack(&mut archive, &format!("{folder}/{name}"), limits);
    let styles = Styles::parse(beside("styles.xml")?.as_deref().unwrap_or_default())?;
    let footnotes = notes_of(beside("footnotes.xml")?.as_deref().unwrap_or_default())?;
    let endnotes = notes_of(beside("endnotes.xml")?.as_deref().unwrap_or_default())?;
    let comments = notes_of(beside("comments.xml")?.as_deref().unwrap_or_default())?;
    let core = unpack(&mut archive, "docProps/core.xml", limits)?;

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

/// Where the document's text is, as the package itself says.
fn main_part(archive: &mut Archive, limits: &Limits) -> Result<String, ReadFailure> {
    if let Some(kind) = unpack(archive, "mimetype", limits)? {
        let kind = String::from_utf8_lossy(&kind).trim().to_owned();
        return Err(ReadFailure::unsupported(kind));
    }
    let Some(relations) = unpack(archive, "_rels/.rels", limits)? else {
        return Err(ReadFailure::unsupported("a zip archive"));
    };
    let mut main = None;
    xml::each(&relations, |event| {
        if let xml::Seen::Start(element) = event
            && element
                .attribute("Type")
                .is_some_and(|kind| kind.ends_with("/officeDocument"))
        {
            main = element.attribute("Target");
        }
        Ok(())
    })?;
    let main = main
        .map(|path| path.trim_start_matches('/').to_owned())
        .ok_or_else(|| ReadFailure::unsupported("a zip archive"))?;
    match main.split('/').next() {
        Some("word") => Ok(main),
        Some("xl") => Err(ReadFailure::unsupported("an Excel workbook")),
        Some("ppt") => Err(ReadFailure::unsupported("a PowerPoint presentation")),
        _ => Err(ReadFailure::unsupported("a zip archive")),
    }
}

fn unpack(
    archive: &mut Archive,
    name: &str,
    limits: &Limits,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(broken(error)),
    };
    let mut bytes = Vec::new();
    entry
        .take(limits.unpacked_bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| ReadFailure::broken(format!("{name}: {error}")))?;
    if bytes.len() as u64 > limits.unpacked_bytes_max {
        return Err(ReadFailure::too_much(format!(
            "{name} has more than {} bytes unpacked",
            limits.unpacked_bytes_max
        )));
    }
    Ok(Some(bytes))
}

fn broken(error: ZipError) -> ReadFailure {
    let encrypted =
        matches!(error, ZipError::UnsupportedArchive(what) if what == ZipError::PASSWORD_REQUIRED);
    if encrypted {
        return ReadFailure::PasswordProtected;
    }
    ReadFailure::broken(error.to_string())
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
