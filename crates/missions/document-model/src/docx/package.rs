//! The parts around the text, and the ZIP that holds them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::DocxRefusal;
use super::body::Body;
use crate::manuscript::{Manuscript, running_line};
use crate::xml_text::escape;

const STYLES: &str = include_str!("styles.xml");
const NUMBERING: &str = include_str!("numbering.xml");

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE_RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const WORD_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";

pub(super) fn pack(
    manuscript: &Manuscript<'_>,
    mission: &str,
    body: &Body,
) -> Result<Vec<u8>, DocxRefusal> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // The oldest date a ZIP knows: a clock would make every file another one.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut put = |name: &str, bytes: &[u8]| {
        archive
            .start_file(name, options)
            .map_err(DocxRefusal::Packing)?;
        archive.write_all(bytes).map_err(DocxRefusal::Writing)
    };
    let parts = [
        ("[Content_Types].xml", content_types()),
        ("_rels/.rels", package_relations()),
        ("docProps/core.xml", core(manuscript)),
        ("word/document.xml", document(body)),
        ("word/_rels/document.xml.rels", document_relations(body)),
        ("word/styles.xml", STYLES.to_owned()),
        ("word/numbering.xml", NUMBERING.to_owned()),
        ("word/settings.xml", settings()),
        ("word/header1.xml", header(manuscript)),
        ("word/footer1.xml", footer(mission)),
    ];
    for (name, text) in &parts {
        put(name, text.as_bytes())?;
    }
    for (index, picture) in body.pictures.iter().enumerate() {
        put(&format!("word/media/chart{}.png", index + 1), picture)?;
    }
    let cursor = archive.finish().map_err(DocxRefusal::Packing)?;
    Ok(cursor.into_inner())
}

fn content_types() -> String {
    let mut text = format!(
        "{DECLARATION}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Default Extension=\"png\" ContentType=\"image/png\"/>\
         <Override PartName=\"/docProps/core.xml\" ContentType=\"application/vnd.openxmlformats-package.core-properties+xml\"/>"
    );
    for (part, kind) in [
        ("document", "document.main"),
        ("styles", "styles"),
        ("numbering", "numbering"),
        ("settings", "settings"),
        ("header1", "header"),
        ("footer1", "footer"),
    ] {
        let _ = write!(
            text,
            "<Override PartName=\"/word/{part}.xml\" ContentType=\"{WORD_TYPE}.{kind}+xml\"/>"
        );
    }
    text.push_str("</Types>");
    text
}

fn package_relations() -> String {
    format!(
        "{DECLARATION}<Relationships xmlns=\"{PACKAGE_RELATIONS}\">\
         <Relationship Id=\"rId1\" Type=\"{RELATIONS}/officeDocument\" Target=\"word/document.xml\"/>\
         <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
         </Relationships>"
    )
}

fn core(manuscript: &Manuscript<'_>) -> String {
    format!(
        "{DECLARATION}<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
         <dc:title>{}</dc:title><dc:subject>{}</dc:subject><dc:creator>Adjutant</dc:creator><dc:language>en</dc:language>\
         </cp:coreProperties>",
        escape(manuscript.title),
        escape(manuscript.kind)
    )
}

fn settings() -> String {
    format!(
        "{DECLARATION}<w:settings xmlns:w=\"{WORD}\"><w:zoom w:percent=\"100\"/><w:defaultTabStop w:val=\"567\"/>\
         <w:characterSpacingControl w:val=\"doNotCompress\"/>\
         <w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
         </w:settings>"
    )
}

fn document(body: &Body) -> String {
    format!(
        "{DECLARATION}<w:document xmlns:w=\"{WORD}\" xmlns:r=\"{RELATIONS}\" \
         xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
         xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
         xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><w:body>\n{}\
         <w:sectPr><w:headerReference w:type=\"default\" r:id=\"header\"/><w:footerReference w:type=\"default\" r:id=\"footer\"/>\
         <w:pgSz w:w=\"11906\" w:h=\"16838\"/>\
         <w:pgMar w:top=\"1701\" w:right=\"1418\" w:bottom=\"1418\" w:left=\"1418\" w:header=\"624\" w:footer=\"624\" w:gutter=\"0\"/>\
         </w:sectPr></w:body></w:document>",
        body.text
    )
}

fn document_relations(body: &Body) -> String {
    let mut text = format!("{DECLARATION}<Relationships xmlns=\"{PACKAGE_RELATIONS}\">");
    let mut relate = |id: &str, kind: &str, target: &str, mode: &str| {
        let _ = write!(
            text,
            "<Relationship Id=\"{id}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"{mode}/>"
        );
    };
    relate("styles", "styles", "styles.xml", "");
    relate("numbering", "numbering", "numbering.xml", "");
    relate("settings", "settings", "settings.xml", "");
    relate("header", "header", "header1.xml", "");
    relate("footer", "footer", "footer1.xml", "");
    for number in 1..=body.pictures.len() {
        relate(
            &format!("chart{number}"),
            "image",
            &format!("media/chart{number}.png"),
            "",
        );
    }
    for (index, address) in body.addresses.iter().enumerate() {
        relate(
            &format!("web{}", index + 1),
            "hyperlink",
            &escape(address),
            " TargetMode=\"External\"",
        );
    }
    text.push_str("</Relationships>");
    text
}

fn header(manuscript: &Manuscript<'_>) -> String {
    let mut text = format!("{DECLARATION}<w:hdr xmlns:w=\"{WORD}\">");
    if let Some(mark) = manuscript.standing.mark() {
        let _ = write!(
            text,
            "<w:p><w:pPr><w:pStyle w:val=\"DraftMark\"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>",
            escape(mark)
        );
    }
    let _ = write!(
        text,
        "<w:p><w:pPr><w:pStyle w:val=\"Header\"/><w:pBdr><w:bottom w:val=\"single\" w:sz=\"4\" w:space=\"4\" w:color=\"CFD6DD\"/></w:pBdr></w:pPr>\
         <w:r><w:t xml:space=\"preserve\">{}</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p></w:hdr>",
        escape(&running_line(manuscript.kind)),
        escape(&running_line(manuscript.title))
    );
    text
}

fn footer(mission: &str) -> String {
    let field = |name: &str| {
        format!("<w:fldSimple w:instr=\" {name} \"><w:r><w:t>1</w:t></w:r></w:fldSimple>")
    };
    format!(
        "{DECLARATION}<w:ftr xmlns:w=\"{WORD}\"><w:p><w:pPr><w:pStyle w:val=\"Footer\"/></w:pPr>\
         <w:r><w:t xml:space=\"preserve\">{}</w:t></w:r><w:r><w:tab/></w:r>{}<w:r><w:t xml:space=\"preserve\"> of </w:t></w:r>{}</w:p></w:ftr>",
        escape(&running_line(mission)),
        field("PAGE"),
        field("NUMPAGES")
    )
}
