//! PDFs made by hand, object by object.

const CATALOG: &str = "<</Type/Catalog/Pages 2 0 R>>";
const INFO: &str = "<</Title(Lots)/Author(Ada Holm)/CreationDate(D:20260320080000Z)>>";
const HELVETICA: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
/// The number of the first object that [`pdf_with`] is given.
pub(super) const FIRST_OBJECT: usize = 7;

/// One page for each content, set in Helvetica (`/F`).
pub(super) fn pdf(contents: &[&str]) -> Vec<u8> {
    let page = |content: &&str| ((*content).to_owned(), "/Font<</F 4 0 R>>".to_owned());
    written(contents.iter().map(page).collect(), "", &[])
}

/// One page with further resources, page entries and objects. Objects are numbered from [`FIRST_OBJECT`] on.
pub(super) fn pdf_with(content: &str, resources: &str, page: &str, objects: &[String]) -> Vec<u8> {
    written(
        vec![(content.to_owned(), resources.to_owned())],
        page,
        objects,
    )
}

pub(super) fn stream(dictionary: &str, content: &str) -> String {
    format!(
        "<<{dictionary}/Length {}>>\nstream\n{content}\nendstream",
        content.len()
    )
}

fn written(pages: Vec<(String, String)>, page_entries: &str, more: &[String]) -> Vec<u8> {
    let count = pages.len();
    let kids: Vec<String> = (0..count)
        .map(|place| format!("{} 0 R", 6 + 2 * place))
        .collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count {count}>>", kids.join(" "));
    let mut objects = vec![
        CATALOG.to_owned(),
        tree,
        INFO.to_owned(),
        HELVETICA.to_owned(),
    ];
    for (content, resources) in pages {
        let number = objects.len() + 1;
        objects.push(stream("", &content));
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]{page_entries}/Resources<<{resources}>>/Contents {number} 0 R>>"
        ));
    }
    objects.extend_from_slice(more);
    let mut text = String::from("%PDF-1.5\n");
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", text.len()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", place + 1));
    }
    let start = text.len();
    let size = objects.len() + 1;
    text.push_str(&table);
    text.push_str(&format!(
        "trailer\n<</Size {size}/Root 1 0 R/Info 3 0 R>>\nstartxref\n{start}\n%%EOF\n"
    ));
    text.into_bytes()
}

/// One page with glyphs of a font that gives its widths by range, each glyph placed on its own, as browsers print.
pub(super) fn pdf_with_ranged_widths() -> Vec<u8> {
    let content = "BT /W 10 Tf 50 700 Td <0001> Tj 6 0 Td <0002> Tj 6 0 Td <0001> Tj ET";
    let names = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0061> <0002> <0062> endbfchar endcmap end end";
    let objects = [
        stream("", names),
        "<</Type/FontDescriptor>>".to_owned(),
        "<</Type/Font/FontDescriptor 8 0 R/Subtype/CIDFontType2/BaseFont/Any/DW 0/W[1 2 600]>>"
            .to_owned(),
        "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[9 0 R]/ToUnicode 7 0 R>>"
            .to_owned(),
    ];
    pdf_with(content, "/Font<</W 10 0 R>>", "", &objects)
}
