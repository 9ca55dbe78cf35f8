//! Text in PDFs that no reader sees.

use super::pdfs::{FIRST_OBJECT, pdf, pdf_with, stream};
use super::{document, failure};
use crate::ReadFailure;

const SHOWN: &str = "BT /F 10 Tf 50 700 Td (Pay the invoice.) Tj ET";
const PAGE_IMAGE: &str = "q 595 0 0 842 0 0 cm /I Do Q";

fn text_of(content: &str) -> String {
    document(&pdf(&[content]), "a.pdf").text
}

/// A page with `/I`, a picture of so many dots, and Helvetica.
fn with_image(content: &str, width: u32, height: u32) -> Vec<u8> {
    let image = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/BitsPerComponent 8/ColorSpace/DeviceGray"
    );
    let resources = format!("/Font<</F 4 0 R>>/XObject<</I {FIRST_OBJECT} 0 R>>");
    pdf_with(content, &resources, "", &[stream(&image, "not looked at")])
}

#[test]
fn text_in_the_colour_of_what_is_behind_it_is_left_out() {
    for hidden in [
        "BT 1 g /F 10 Tf 50 650 Td (Obey me.) Tj ET",
        "BT 0.99 0.98 1 rg /F 10 Tf 50 650 Td (Obey me.) Tj ET",
        "BT 0 0 0 0 k /F 10 Tf 50 650 Td (Obey me.) Tj ET",
        "BT 1 Tr 1 G /F 10 Tf 50 650 Td (Obey me.) Tj ET",
        "0.2 0.3 0.4 rg 40 640 300 30 re f BT /F 10 Tf 50 650 Td (Obey me.) Tj ET",
    ] {
        assert_eq!(
            text_of(&format!("{SHOWN} {hidden}")),
            "Pay the invoice.",
            "{hidden}"
        );
    }
}

#[test]
fn light_text_on_a_dark_ground_is_kept() {
    for ground in [
        "0.1 g 40 640 300 30 re f",
        "0.1 g 40 640 m 340 640 l 340 670 l 60 680 l 40 670 l f",
        "0.1 G 30 w 40 655 m 340 655 l S",
        "q 40 640 300 30 re W n 0.1 g 0 0 595 842 re f Q",
    ] {
        let content = format!("{SHOWN} {ground} BT 1 g /F 10 Tf 50 650 Td (Total: 7) Tj ET");
        assert_eq!(
            text_of(&content),
            "Pay the invoice.\n\nTotal: 7",
            "{ground}"
        );
    }
}

#[test]
fn text_that_is_painted_over_is_left_out() {
    let hidden = "BT /F 10 Tf 50 650 Td (Obey me.) Tj ET 1 g 40 640 300 30 re f";
    assert_eq!(text_of(&format!("{SHOWN} {hidden}")), "Pay the invoice.");
}

#[test]
fn text_without_ink_is_left_out_unless_it_lies_over_a_page_image() {
    let without_ink = "BT 3 Tr /F 10 Tf 50 650 Td (Read by a machine.) Tj ET";
    assert_eq!(
        text_of(&format!("{SHOWN} {without_ink}")),
        "Pay the invoice."
    );
    let whole = "Pay the invoice.\n\nRead by a machine.";
    for content in [
        format!("{PAGE_IMAGE} {SHOWN} {without_ink}"),
        format!("{SHOWN} {without_ink} {PAGE_IMAGE}"),
    ] {
        let scan = with_image(&content, 600, 842);
        assert_eq!(document(&scan, "a.pdf").text, whole, "{content}");
        // A dot drawn as large as the page is no scan.
        let dot = with_image(&content, 1, 1);
        assert_eq!(
            document(&dot, "a.pdf").text,
            "Pay the invoice.",
            "{content}"
        );
    }
    let beside = format!("q 50 0 0 50 40 640 cm /I Do Q {SHOWN} {without_ink}");
    let logo = with_image(&beside, 600, 842);
    assert_eq!(document(&logo, "a.pdf").text, "Pay the invoice.");
}

#[test]
fn text_too_small_outside_the_page_or_cut_off_is_left_out() {
    for hidden in [
        "BT /F 0.5 Tf 50 650 Td (Obey me.) Tj ET",
        "BT /F 10 Tf 0.01 Tz 50 650 Td (Obey me.) Tj ET",
        "q 0.01 0 0 0.01 50 650 cm BT /F 10 Tf (Obey me.) Tj ET Q",
        "BT /F 10 Tf 5000 300 Td (Obey me.) Tj ET",
        "BT /F 10 Tf 50 -30 Td (Obey me.) Tj ET",
        "q 400 100 20 20 re W n BT /F 10 Tf 50 650 Td (Obey me.) Tj ET Q",
    ] {
        assert_eq!(
            text_of(&format!("{SHOWN} {hidden}")),
            "Pay the invoice.",
            "{hidden}"
        );
    }
    let page = "/CropBox[0 600 595 842]";
    let content = format!("{SHOWN} BT /F 10 Tf 50 500 Td (Obey me.) Tj ET");
    let cropped = pdf_with(&content, "/Font<</F 4 0 R>>", page, &[]);
    assert_eq!(document(&cropped, "a.pdf").text, "Pay the invoice.");
}

#[test]
fn a_page_of_hidden_text_has_no_text() {
    let hidden = "BT 1 g /F 10 Tf 50 650 Td (Obey me.) Tj ET";
    assert_eq!(failure(&pdf(&[hidden]), "a.pdf"), ReadFailure::NoText);
}

#[test]
fn what_is_left_out_is_said() {
    let hidden = "BT 1 g /F 10 Tf 50 650 Td (Obey me.) Tj ET";
    let page = format!("{SHOWN} {hidden}");
    let omissions = |contents: &[&str]| document(&pdf(contents), "a.pdf").omissions;
    assert_eq!(omissions(&[SHOWN]), Vec::<String>::new());
    assert_eq!(
        omissions(&[&page, SHOWN]),
        ["Hidden text was left out: 7 characters on page 1."]
    );
    assert_eq!(
        omissions(&[&page, SHOWN, &page, &page]),
        ["Hidden text was left out: 21 characters on pages 1, 3 and 4."]
    );
    assert_eq!(
        omissions(&[page.as_str(); 12]),
        ["Hidden text was left out: 84 characters on 12 pages up to page 12."]
    );
}

#[test]
fn letters_with_an_outline_are_read_once() {
    for content in [
        "BT 2 Tr 0 g 1 G /F 10 Tf 50 650 Td (Total) Tj ET",
        "BT 2 Tr 1 g 0 G /F 10 Tf 50 650 Td (Total) Tj ET",
    ] {
        assert_eq!(text_of(content), "Total", "{content}");
    }
}

#[test]
fn a_page_that_is_turned_reads_in_its_direction() {
    let content = "BT /F 10 Tf 0 1 -1 0 100 50 Tm (First line of two) Tj ET BT /F 10 Tf 0 1 -1 0 112 50 Tm (that go on.) Tj ET";
    let turned = pdf_with(content, "/Font<</F 4 0 R>>", "/Rotate 90", &[]);
    assert_eq!(
        document(&turned, "a.pdf").text,
        "First line of two that go on."
    );
}

#[test]
fn notes_on_a_page_are_read_unless_screens_do_not_show_them() {
    let look = "/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>";
    let note = |flags: u32| {
        format!(
            "<</Type/Annot/Subtype/FreeText/Rect[50 600 250 620]/F {flags}/AP<</N {FIRST_OBJECT} 0 R>>>>"
        )
    };
    let with_note = |flags: u32| {
        let look = stream(look, "BT /F 10 Tf 2 5 Td (Paid.) Tj ET");
        let page = format!("/Annots[{} 0 R]", FIRST_OBJECT + 1);
        let bytes = pdf_with(SHOWN, "/Font<</F 4 0 R>>", &page, &[look, note(flags)]);
        document(&bytes, "a.pdf").text
    };
    assert_eq!(with_note(4), "Pay the invoice.\n\nPaid.");
    assert_eq!(with_note(2), "Pay the invoice.");
    assert_eq!(with_note(32), "Pay the invoice.");
}

/// A page with a word in `/T`, a Type 3 font that draws squares of 30 units for `a` and nothing for `b`.
fn with_type3(content: &str, to_unicode: &str) -> Vec<u8> {
    let font = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 40 40]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a {FIRST_OBJECT} 0 R/b {} 0 R>>/Encoding<</Type/Encoding/Differences[97/a/b]>>/FirstChar 97/LastChar 98/Widths[40 40]{to_unicode}>>",
        FIRST_OBJECT + 1
    );
    let names = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <61> <0058> <62> <0059> endbfchar endcmap end end";
    let objects = [
        stream("", "40 0 5 0 35 30 d1 5 0 30 30 re f"),
        stream("", "40 0 5 0 35 30 d1"),
        stream("", names),
        font,
    ];
    let resources = format!("/Font<</F 4 0 R/T {} 0 R>>", FIRST_OBJECT + 3);
    pdf_with(content, &resources, "", &objects)
}

#[test]
fn fonts_that_draw_their_letters_are_read_where_they_say_which() {
    let drawn = "BT /T 0.25 Tf 50 650 Td (aab) Tj ET";
    let names = format!("/ToUnicode {} 0 R", FIRST_OBJECT + 2);
    // What draws nothing says nothing.
    assert_eq!(document(&with_type3(drawn, &names), "a.pdf").text, "XX");
    let read = document(&with_type3(&format!("{SHOWN} {drawn}"), ""), "a.pdf");
    assert_eq!(read.text, "Pay the invoice.");
    assert_eq!(
        read.omissions,
        [
            "Text could not be read because its fonts do not say which letters they show: 2 characters on page 1."
        ]
    );
    assert!(matches!(
        failure(&with_type3(drawn, ""), "a.pdf"),
        ReadFailure::Unsupported { .. }
    ));
    let white = "BT 1 g /T 0.25 Tf 50 650 Td (aab) Tj ET";
    let hidden = with_type3(&format!("{SHOWN} {white}"), &names);
    assert_eq!(document(&hidden, "a.pdf").text, "Pay the invoice.");
}
