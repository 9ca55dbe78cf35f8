//! PDFs made by hand.

use pdf_extract::Dictionary;
use pdf_extract::{Document, Object, Stream};

fn name(text: &str) -> Object {
    Object::Name(text.as_bytes().to_vec())
}

fn dictionary(entries: Vec<(&str, Object)>) -> Dictionary {
    let mut dictionary = Dictionary::new();
    for (key, value) in entries {
        dictionary.set(key, value);
    }
    dictionary
}

/// One page for each content, set in Helvetica.
pub(super) fn pdf(contents: &[&str]) -> Vec<u8> {
    let mut pdf = Document::with_version("1.5");
    let font = pdf.add_object(dictionary(vec![
        ("Type", name("Font")),
        ("Subtype", name("Type1")),
        ("BaseFont", name("Helvetica")),
    ]));
    let tree = pdf.new_object_id();
    let mut kids = Vec::new();
    for content in contents {
        let stream = Stream::new(Dictionary::new(), content.as_bytes().to_vec());
        let content = pdf.add_object(stream);
        let fonts = dictionary(vec![("F", Object::Reference(font))]);
        let resources = dictionary(vec![("Font", Object::Dictionary(fonts))]);
        let sheet = [0, 0, 595, 842].map(Object::Integer).to_vec();
        let page = pdf.add_object(dictionary(vec![
            ("Type", name("Page")),
            ("Parent", Object::Reference(tree)),
            ("MediaBox", Object::Array(sheet)),
            ("Resources", Object::Dictionary(resources)),
            ("Contents", Object::Reference(content)),
        ]));
        kids.push(Object::Reference(page));
    }
    let count = Object::Integer(contents.len() as i64);
    pdf.objects.insert(
        tree,
        Object::Dictionary(dictionary(vec![
            ("Type", name("Pages")),
            ("Kids", Object::Array(kids)),
            ("Count", count),
        ])),
    );
    let catalog = pdf.add_object(dictionary(vec![
        ("Type", name("Catalog")),
        ("Pages", Object::Reference(tree)),
    ]));
    let info = pdf.add_object(dictionary(vec![
        ("Title", Object::string_literal("Lots")),
        ("Author", Object::string_literal("Ada Holm")),
        ("CreationDate", Object::string_literal("D:20260320080000Z")),
    ]));
    pdf.trailer.set("Root", Object::Reference(catalog));
    pdf.trailer.set("Info", Object::Reference(info));
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    bytes
}

/// One page with glyphs of a font that gives its widths by range, each glyph placed on its own, as browsers print.
pub(super) fn pdf_with_ranged_widths() -> Vec<u8> {
    let content = "BT /W 10 Tf 50 700 Td <0001> Tj 6 0 Td <0002> Tj 6 0 Td <0001> Tj ET";
    let mut pdf = Document::load_mem(&pdf(&[content])).unwrap();
    let names = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0061> <0002> <0062> endbfchar endcmap end end";
    let names = pdf.add_object(Stream::new(Dictionary::new(), names.as_bytes().to_vec()));
    let widths = [1, 2, 600].map(Object::Integer).to_vec();
    let descriptor = pdf.add_object(dictionary(vec![("Type", name("FontDescriptor"))]));
    let glyphs = pdf.add_object(dictionary(vec![
        ("Type", name("Font")),
        ("FontDescriptor", Object::Reference(descriptor)),
        ("Subtype", name("CIDFontType2")),
        ("BaseFont", name("Any")),
        ("DW", Object::Integer(0)),
        ("W", Object::Array(widths)),
    ]));
    let font = pdf.add_object(dictionary(vec![
        ("Type", name("Font")),
        ("Subtype", name("Type0")),
        ("BaseFont", name("Any")),
        ("Encoding", name("Identity-H")),
        (
            "DescendantFonts",
            Object::Array(vec![Object::Reference(glyphs)]),
        ),
        ("ToUnicode", Object::Reference(names)),
    ]));
    let page = pdf.page_iter().next().unwrap();
    let page = pdf.get_dictionary_mut(page).unwrap();
    let fonts = dictionary(vec![("W", Object::Reference(font))]);
    let resources = dictionary(vec![("Font", Object::Dictionary(fonts))]);
    page.set("Resources", Object::Dictionary(resources));
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    bytes
}
