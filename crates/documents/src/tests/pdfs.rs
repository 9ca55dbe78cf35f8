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
