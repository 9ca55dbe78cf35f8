//! Zip bombs and broken packages.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::deflated;

const RELATIONS: &str = r#"<Relationships><Relationship Type="x/officeDocument" Target="word/document.xml"/></Relationships>"#;

pub(super) fn packed(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn with_body(document: &str) -> Vec<u8> {
    packed(&[("_rels/.rels", RELATIONS), ("word/document.xml", document)])
}

/// A document whose text is so many bytes of spaces, without ever holding them.
pub(crate) fn bomb(bytes: u64) -> Vec<u8> {
    by_hand(&deflated(bytes), u32::MAX)
}

/// A document that says it has ten bytes and has half a gigabyte.
pub(crate) fn zip_with_lie() -> Vec<u8> {
    by_hand(&deflated(512 << 20), 10)
}

/// A package written byte by byte, so that its sizes may be anything.
fn by_hand(document: &[u8], size: u32) -> Vec<u8> {
    stored_and_deflated(
        ("_rels/.rels", RELATIONS),
        ("word/document.xml", document, size),
    )
}

/// A package of one file as it is, and one that is packed already and says it is of some size.
pub(super) fn stored_and_deflated(plain: (&str, &str), packed: (&str, &[u8], u32)) -> Vec<u8> {
    let stored = |name: &str, method: u16, data: &[u8], size: u32| {
        let mut fields = Vec::new();
        for number in [20, 0, method, 0, 0x21] {
            fields.extend(u16::to_le_bytes(number));
        }
        let mut sum = flate2::Crc::new();
        sum.update(data);
        for number in [sum.sum(), data.len() as u32, size] {
            fields.extend(u32::to_le_bytes(number));
        }
        for number in [name.len() as u16, 0] {
            fields.extend(u16::to_le_bytes(number));
        }
        fields
    };
    let entries = [
        (plain.0, 0, plain.1.as_bytes(), plain.1.len() as u32),
        (packed.0, 8, packed.1, packed.2),
    ];
    let mut bytes = Vec::new();
    let mut central = Vec::new();
    for (name, method, data, size) in entries {
        let offset = bytes.len() as u32;
        let fields = stored(name, method, data, size);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&fields);
        bytes.extend(name.as_bytes());
        bytes.extend(data);
        central.extend(b"PK\x01\x02\x14\x00");
        central.extend(&fields);
        central.extend([0; 10]);
        central.extend(u32::to_le_bytes(offset));
        central.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&central);
    bytes.extend(b"PK\x05\x06\0\0\0\0\x02\0\x02\0");
    bytes.extend(u32::to_le_bytes(central.len() as u32));
    bytes.extend(u32::to_le_bytes(start));
    bytes.extend([0, 0]);
    bytes
}

pub(crate) fn many_entries(count: usize) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..count {
        let name = format!("word/{number}.xml");
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn archive_in_archive() -> Vec<u8> {
    let inner = bomb(64 << 20);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("inner.zip", SimpleFileOptions::default())
        .unwrap();
    zip.write_all(&inner).unwrap();
    zip.finish().unwrap().into_inner()
}

pub(crate) fn cut() -> Vec<u8> {
    let mut bytes = with_body("<w:document><w:p><w:r><w:t>text</w:t></w:r></w:p></w:document>");
    bytes.truncate(bytes.len() / 2);
    bytes
}

/// The container Word writes around a file with a password.
pub(crate) fn locked() -> Vec<u8> {
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.resize(2048, 0);
    bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

pub(crate) fn billion_laughs() -> Vec<u8> {
    let mut entities = String::from("<!ENTITY a0 \"ha\">");
    for level in 1..30 {
        let below = format!("&a{};", level - 1).repeat(10);
        entities.push_str(&format!("<!ENTITY a{level} \"{below}\">"));
    }
    with_body(&format!(
        "<!DOCTYPE d [{entities}]><w:document><w:p><w:r><w:t>said &a29; once</w:t></w:r></w:p></w:document>"
    ))
}

pub(crate) fn nested(depth: usize) -> Vec<u8> {
    with_body(&"<w:p>".repeat(depth))
}
