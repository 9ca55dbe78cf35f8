//! What a file is: by what stands in it first, by its name second.

use std::path::Path;

use adjutant_knowledge_index::DocumentKind;

/// Where the head of a PDF may begin, as common readers accept it.
const PDF_HEAD_BYTES_MAX: usize = 1024;
/// How far the look for an e-mail's or a page's head goes.
const HEAD_BYTES_MAX: usize = 16 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sniffed {
    Pdf,
    Zip,
    /// The container of old Office files, and of new ones with a password.
    OldOffice,
    Other(&'static str),
    Email,
    /// Text of some kind; which one is seen once it is decoded.
    Perhaps(Option<DocumentKind>),
}

const OTHERS: [(&[u8], &str); 16] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"{\\rtf", "rich text (RTF)"),
    (b"%!PS", "PostScript"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
];

pub(crate) fn sniff(bytes: &[u8], name: &str) -> Sniffed {
    let head = bytes.get(..HEAD_BYTES_MAX).unwrap_or(bytes);
    let named = by_name(name);
    if is_pdf(head) {
        return Sniffed::Pdf;
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Sniffed::Zip;
    }
    if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Sniffed::OldOffice;
    }
    if let Some((_, what)) = OTHERS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Sniffed::Other(what);
    }
    if is_html(head) {
        return Sniffed::Perhaps(Some(DocumentKind::Html));
    }
    if named == Some(DocumentKind::Email) || is_email(head) {
        return Sniffed::Email;
    }
    match named {
        Some(DocumentKind::Pdf | DocumentKind::Docx | DocumentKind::Spreadsheet) => {
            Sniffed::Perhaps(None)
        }
        named => Sniffed::Perhaps(named),
    }
}

pub(crate) fn by_name(name: &str) -> Option<DocumentKind> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "md" | "markdown" | "mdown" | "mkd" => DocumentKind::Markdown,
        "html" | "htm" | "xhtml" => DocumentKind::Html,
        "csv" | "tsv" => DocumentKind::Csv,
        "json" | "jsonl" | "ndjson" | "geojson" => DocumentKind::Json,
        "eml" => DocumentKind::Email,
        "pdf" => DocumentKind::Pdf,
        "docx" => DocumentKind::Docx,
        "xlsx" | "xlsm" | "xls" | "ods" => DocumentKind::Spreadsheet,
        _ => return None,
    })
}

fn is_pdf(head: &[u8]) -> bool {
    let head = head.get(..PDF_HEAD_BYTES_MAX).unwrap_or(head);
    let at = head.windows(5).position(|window| window == b"%PDF-");
    match at {
        Some(0) => true,
        Some(at) => head
            .get(..at)
            .is_some_and(|before| !before.iter().any(u8::is_ascii_alphanumeric)),
        None => false,
    }
}

/// A page that says so at its very start, after comments and an XML declaration at most.
fn is_html(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let skipped = if rest.starts_with("<!--") {
            rest.split_once("-->")
        } else if rest.starts_with("<?xml") {
            rest.split_once("?>")
        } else {
            None
        };
        match skipped {
            Some((_, after)) => rest = after.trim_start(),
            None => break,
        }
    }
    rest.starts_with("<!doctype html") || rest.starts_with("<html")
}

/// A message as mail programs write it. A memo that merely has From and To lines is a text.
fn is_email(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut from = false;
    let mut by_machine = false;
    for line in text.lines() {
        if line.is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let Some((field, _)) = line.split_once(':') else {
            return false;
        };
        if !field
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return false;
        }
        let field = field.to_ascii_lowercase();
        from |= field == "from";
        by_machine |= matches!(
            field.as_str(),
            "received" | "message-id" | "mime-version" | "return-path" | "delivered-to"
        );
    }
    from && by_machine
}
