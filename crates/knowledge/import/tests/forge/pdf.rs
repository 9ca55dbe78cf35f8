//! PDFs that lie about their structure.

use super::zlib;

/// Objects by number from 1 on, with a true table of where they are. The first is the catalog.
fn written(objects: &[Vec<u8>]) -> Vec<u8> {
    written_with(objects, "")
}

/// As `written`, with further entries of the trailer.
fn written_with(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", bytes.len()));
        bytes.extend(format!("{} 0 obj\n", place + 1).as_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    bytes.extend(table.as_bytes());
    bytes.extend(
        format!(
            "trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1
        )
        .as_bytes(),
    );
    bytes
}

fn object(text: impl AsRef<str>) -> Vec<u8> {
    text.as_ref().as_bytes().to_vec()
}

fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = format!("<< {dictionary} /Length {} >>\nstream\n", content.len()).into_bytes();
    bytes.extend(content);
    bytes.extend(b"\nendstream");
    bytes
}

const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";
const ONE_PAGE: &str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>";
const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

fn one_page(content: Vec<u8>, drawing: Vec<u8>) -> Vec<u8> {
    written(&[
        object(CATALOG),
        object(ONE_PAGE),
        object(PAGE),
        content,
        object(FONT),
        drawing,
    ])
}

pub(crate) fn flate_bomb(bytes: u64) -> Vec<u8> {
    one_page(stream("/Filter /FlateDecode", &zlib(bytes)), object("null"))
}

pub(crate) fn many_pages(count: usize) -> Vec<u8> {
    let kids: Vec<String> = (3..count + 3).map(|page| format!("{page} 0 R ")).collect();
    let mut objects = vec![
        object(CATALOG),
        object(format!(
            "<< /Type /Pages /Kids [{}] /Count {count} >>",
            kids.concat()
        )),
    ];
    let page = object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>");
    objects.extend(std::iter::repeat_n(page, count));
    written(&objects)
}

pub(crate) fn nested_tree(depth: usize) -> Vec<u8> {
    let mut objects = vec![object(CATALOG)];
    for number in 2..depth + 2 {
        let kid = number + 1;
        objects.push(object(format!(
            "<< /Type /Pages /Kids [{kid} 0 R] /Count 1 >>"
        )));
    }
    objects.push(object("<< /Type /Page /MediaBox [0 0 595 842] >>"));
    written(&objects)
}

pub(crate) fn looping_tree() -> Vec<u8> {
    written(&[
        object(CATALOG),
        object("<< /Type /Pages /Kids [2 0 R 2 0 R 1 0 R] /Parent 2 0 R /Count 3 >>"),
    ])
}

pub(crate) fn nested_arrays(depth: usize) -> Vec<u8> {
    written(&[
        object(CATALOG),
        object(ONE_PAGE),
        object("[".repeat(depth) + &"]".repeat(depth)),
    ])
}

pub(crate) fn form_that_draws_itself() -> Vec<u8> {
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X 6 0 R >> >>",
        b"/X Do /X Do",
    );
    one_page(stream("", b"/X Do"), form)
}

pub(crate) fn huge_xref() -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let start = bytes.len();
    bytes.extend(b"xref\n0 4294967295\n");
    bytes.extend(b"0000000009 00000 n \n".repeat(1_000_000));
    bytes.extend(
        format!("trailer\n<< /Size 4294967295 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n")
            .as_bytes(),
    );
    bytes
}

pub(crate) fn cut() -> Vec<u8> {
    let mut bytes = many_pages(3);
    bytes.truncate(bytes.len() / 2);
    bytes
}

/// A file whose password is not the empty one.
pub(crate) fn locked() -> Vec<u8> {
    let entry = "<0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef>";
    let objects = [
        object(CATALOG),
        object(ONE_PAGE),
        object(PAGE),
        stream("", b"BT /F 10 Tf 10 10 Td (secret) Tj ET"),
        object(FONT),
        object("null"),
        object(format!(
            "<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O {entry} /U {entry} >>"
        )),
    ];
    let id = "<0123456789abcdef0123456789abcdef>";
    written_with(&objects, &format!("/Encrypt 7 0 R /ID [{id} {id}]"))
}
