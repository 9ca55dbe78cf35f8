//! Spreadsheets made by hand.

use adjutant_knowledge_index::DocumentKind;

use super::formats::zipped;
use super::{about, document, failure, outline};
use crate::{Limits, ReadFailure, read};

const RELATIONS: &str = r#"<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const CORE: &str = r#"<cp:coreProperties xmlns:cp="cp" xmlns:dc="dc" xmlns:dcterms="dcterms"><dc:title>Lots</dc:title><dc:creator>Ada Holm</dc:creator><dcterms:created>2026-03-20T08:00:00Z</dcterms:created></cp:coreProperties>"#;
/// By number: as it is, a date, a percentage, a time, a duration.
const STYLES: &str = r#"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm:ss"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="20"/><xf numFmtId="170"/></cellXfs></styleSheet>"#;

/// A workbook with these sheets: name, state, rows.
fn xlsx(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    let mut book = String::new();
    let mut relations = String::new();
    let mut files = Vec::new();
    for (place, (name, state, rows)) in sheets.iter().enumerate() {
        let number = place + 1;
        book.push_str(&format!(
            r#"<sheet name="{name}" sheetId="{number}" state="{state}" r:id="s{number}"/>"#
        ));
        relations.push_str(&format!(
            r#"<Relationship Id="s{number}" Type="x/worksheet" Target="worksheets/s{number}.xml"/>"#
        ));
        files.push((
            format!("xl/worksheets/s{number}.xml"),
            format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    let book = format!(r#"<workbook xmlns:r="r"><sheets>{book}</sheets></workbook>"#);
    let relations = format!("<Relationships>{relations}</Relationships>");
    let strings = "<sst><si><t>Lot</t></si><si><t>Stored on</t></si></sst>";
    let mut entries = vec![
        ("_rels/.rels", RELATIONS),
        ("docProps/core.xml", CORE),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/styles.xml", STYLES),
        ("xl/sharedStrings.xml", strings),
    ];
    entries.extend(
        files
            .iter()
            .map(|(name, xml)| (name.as_str(), xml.as_str())),
    );
    zipped(&entries)
}

#[test]
fn a_workbook_reads_by_sheet_with_dates_numbers_and_values_of_formulas() {
    let stability = r#"<row r="1"><c r="B1" t="inlineStr"><is><t>Stability of all lots</t></is></c></row>
        <row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="inlineStr"><is><t>Share</t></is></c><c r="E3" t="inlineStr"><is><t>Sum</t></is></c></row>
        <row r="4"><c r="B4" t="inlineStr"><is><t>A</t></is></c><c r="C4" s="1"><v>45352</v></c><c r="D4" s="2"><v>0.125</v></c><c r="E4"><f>0.1+0.2</f><v>0.30000000000000004</v></c></row>
        <row r="5"><c r="B5" t="inlineStr"><is><t>B</t></is></c><c r="C5" s="1"><v>45352.5</v></c><c r="E5" t="str"><f>"x"&amp;"y"</f><v>xy</v></c></row>
        <row r="6"><c r="B6" t="b"><v>1</v></c><c r="C6" s="3"><v>0.354166666666667</v></c><c r="D6" s="4"><v>1.5</v></c><c r="E6" t="e"><v>#DIV/0!</v></c></row>"#;
    let notes = r#"<row r="1"><c r="A1"><v>12000000</v></c><c r="B1"><v>-1.5</v></c></row>"#;
    let bytes = xlsx(&[
        ("Stability", "visible", stability),
        ("Empty", "visible", ""),
        ("Secret", "hidden", notes),
        ("Notes", "visible", notes),
    ]);
    for name in ["a.xlsx", "a.txt"] {
        let document = document(&bytes, name);
        assert_eq!(document.kind, DocumentKind::Spreadsheet);
        assert_eq!(
            about(&document),
            (Some("Lots"), Some("Ada Holm"), Some("2026-03-20"))
        );
        assert_eq!(document.omissions, ["A hidden sheet was left out."]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(outline(&document), @r"
            h1 Stability
            p Stability of all lots
            head Lot | Stored on | Share | Sum
            row A | 2024-03-01 | 12.5% | 0.3
            row B | 2024-03-01 12:00 |  | xy
            row TRUE | 08:30 | 36:00:00 | #DIV/0!
            h1 Notes
            row 12000000 | -1.5
            ");
        }
    }
}

#[test]
fn an_open_spreadsheet_reads_alike() {
    let content = r#"<office:document-content><office:body><office:spreadsheet><table:table table:name="Lots">
        <table:table-row><table:table-cell office:value-type="string"><text:p>Lot</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Stored on</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell office:value-type="string"><text:p>A</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2024-03-01"><text:p>01.03.24</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell office:value-type="float" office:value="2.50"><text:p>2,5</text:p></table:table-cell><table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p></table:table-cell></table:table-row>
        </table:table></office:spreadsheet></office:body></office:document-content>"#;
    let bytes = zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", content),
    ]);
    let document = document(&bytes, "a.ods");
    assert_eq!(document.kind, DocumentKind::Spreadsheet);
    insta::assert_snapshot!(outline(&document), @r"
    h1 Lots
    head Lot | Stored on
    row A | 2024-03-01
    row 2.5 | TRUE
    ");
}

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    [&kind.to_le_bytes(), &length.to_le_bytes(), data].concat()
}

/// A cell's text in a workbook from before 2007.
fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let mut data = [row, column, 0, text.len() as u16]
        .map(u16::to_le_bytes)
        .concat();
    data.push(0);
    data.extend(text.as_bytes());
    record(0x0204, &data)
}

fn number(row: u16, column: u16, value: f64) -> Vec<u8> {
    let place = [row, column, 0].map(u16::to_le_bytes).concat();
    record(0x0203, &[place, value.to_le_bytes().to_vec()].concat())
}

/// A container with one stream, as Office wrote them before 2007.
fn container(name: &str, mut stream: Vec<u8>) -> Vec<u8> {
    const SECTOR: usize = 512;
    const END: u32 = 0xffff_fffe;
    const FREE: u32 = 0xffff_ffff;
    stream.resize(stream.len().max(4096).next_multiple_of(SECTOR), 0);
    let sectors = (stream.len() / SECTOR) as u32;
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.resize(24, 0);
    for half in [0x3e_u16, 3, 0xfffe, 9, 6, 0, 0, 0] {
        bytes.extend(half.to_le_bytes());
    }
    for word in [0, 1, 1, 0, 4096, END, 0, END, 0, 0] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes.resize(SECTOR, 0xff);
    let mut table = vec![0xffff_fffd, END];
    table.extend(3..sectors + 2);
    table.push(END);
    table.resize(SECTOR / 4, FREE);
    bytes.extend(table.into_iter().flat_map(u32::to_le_bytes));
    for (name, kind, child, start, size) in [
        ("Root Entry", 5_u8, 1, END, 0),
        (name, 2, FREE, 2, stream.len() as u32),
    ] {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(64, 0);
        entry.extend((name.len() as u16 * 2 + 2).to_le_bytes());
        entry.extend([kind, 1]);
        entry.extend([FREE, FREE, child].map(u32::to_le_bytes).concat());
        entry.resize(116, 0);
        entry.extend([start, size, 0].map(u32::to_le_bytes).concat());
        bytes.extend(entry);
    }
    bytes.resize(3 * SECTOR, 0);
    bytes.extend(stream);
    bytes
}

#[test]
fn a_workbook_from_before_2007_is_read() {
    let begin = |kind: u16| {
        let fields = [0x0600, kind, 0, 0, 0, 0, 0, 0]
            .map(u16::to_le_bytes)
            .concat();
        record(0x0809, &fields)
    };
    let end = record(0x000a, &[]);
    let name = b"\x04\0Lots";
    let globals = begin(0x0005).len() + 4 + 6 + name.len() + end.len();
    let sheet = [(globals as u32).to_le_bytes().as_slice(), &[0, 0], name].concat();
    let stream = [
        begin(0x0005),
        record(0x0085, &sheet),
        end.clone(),
        begin(0x0010),
        label(0, 0, "Lot"),
        label(0, 1, "Value"),
        label(1, 0, "A"),
        number(1, 1, 0.2),
        end,
    ]
    .concat();
    let document = document(&container("Workbook", stream.clone()), "a.xls");
    assert_eq!(document.kind, DocumentKind::Spreadsheet);
    insta::assert_snapshot!(outline(&document), @r"
    h1 Lots
    head Lot | Value
    row A | 0.2
    ");
    assert!(matches!(
        failure(&container("WordDocument", stream), "a.doc"),
        ReadFailure::Unsupported { .. }
    ));
}

#[test]
fn limits_on_sheets_rows_columns_and_cells_hold() {
    let cell = |place: &str, text: &str| {
        format!(r#"<row><c r="{place}" t="inlineStr"><is><t>{text}</t></is></c></row>"#)
    };
    let wide = cell("ZZZ1", "far");
    let long = cell("A1", &"x".repeat(200_000));
    let tall: String = (1..=200_001)
        .map(|row| format!(r#"<row r="{row}"><c r="A{row}"><v>1</v></c></row>"#))
        .collect();
    for (what, rows) in [("columns", &wide), ("cell", &long), ("rows", &tall)] {
        let told = failure(&xlsx(&[("S", "visible", rows)]), "a.xlsx");
        assert!(
            matches!(&told, ReadFailure::TooMuchText { what: told } if told.contains(what)),
            "{told}"
        );
    }
    let row = cell("A1", "text");
    let many = vec![("S", "visible", row.as_str()); 501];
    assert!(matches!(
        failure(&xlsx(&many), "a.xlsx"),
        ReadFailure::TooMuchText { .. }
    ));
    let limits = Limits {
        unpacked_bytes_max: 10_000,
        ..Limits::default()
    };
    let packed = read(&xlsx(&[("S", "visible", &tall)]), "a.xlsx", &limits);
    assert!(matches!(packed, Err(ReadFailure::TooMuchText { .. })));
}

#[test]
fn a_stray_cell_far_below_costs_nothing() {
    let rows = r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="1048576"><c r="A1048576"><v>3</v></c><c r="ABC1048576"><v>4</v></c></row>"#;
    let text = document(&xlsx(&[("S", "visible", rows)]), "a.xlsx").text;
    assert!(text.starts_with("S\n\n1 | 2\n"), "{text}");
}
