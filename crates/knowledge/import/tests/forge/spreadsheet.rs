//! Spreadsheets that unpack to more than there is.

use super::deflated;
use super::docx::{packed, stored_and_deflated};

const RELATIONS: &str = r#"<Relationships><Relationship Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;

/// A workbook whose texts are so many bytes of spaces.
pub(crate) fn strings_bomb(bytes: u64) -> Vec<u8> {
    stored_and_deflated(
        ("_rels/.rels", RELATIONS),
        ("xl/sharedStrings.xml", &deflated(bytes), u32::MAX),
    )
}

/// A sheet with one cell that is repeated to the right and downwards.
pub(crate) fn repeated(columns: u32, rows: u32) -> Vec<u8> {
    let content = format!(
        r#"<office:document-content><office:body><office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="{rows}"><table:table-cell table:number-columns-repeated="{columns}" office:value-type="string"><text:p>again</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", &content),
    ])
}

/// A workbook from before 2007 that ends where its content should begin.
pub(crate) fn cut_workbook() -> Vec<u8> {
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.resize(2048, 0);
    bytes.extend("Workbook\0".encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}
