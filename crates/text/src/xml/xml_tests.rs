#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use proptest::prelude::*;

use super::*;

const ELEMENTS_MAX: usize = 10_000;

fn lenient(text: &str) -> Result<Tree, XmlError> {
    read(text, Strictness::Lenient, ELEMENTS_MAX)
}

fn strict(text: &str) -> Result<Tree, XmlError> {
    read(text, Strictness::WellFormed, ELEMENTS_MAX)
}

#[test]
fn text_comes_from_elements_entities_and_cdata() {
    for read in [lenient, strict] {
        let tree = read(
            "<a x:b='1&amp;2' xmlns:c='d'>one <c>&lt;two&gt;</c><![CDATA[ & three]]> &#x3b1;&#8722;</a>",
        );
        let tree = tree.unwrap();
        assert_eq!(tree.root.text(), "one <two> & three α−");
        assert_eq!(tree.root.attribute("b"), Some("1&2"));
        assert_eq!(tree.root.attribute("c"), None);
        assert_eq!(tree.broken, None);
    }
}

#[test]
fn the_entities_of_html_are_known() {
    let tree =
        strict("<a b='&eacute;&zorp;&#8722;' c='a&b;c&'>&alpha;&nbsp;&hellip;&le;&cacute;&ac;</a>");
    let root = tree.unwrap().root;
    assert_eq!(root.text(), "α\u{a0}…≤ć\u{223e}");
    assert_eq!(root.attribute("b"), Some("é&zorp;−"));
    assert_eq!(root.attribute("c"), Some("a&b;c&"));
}

#[test]
fn text_comes_in_one_piece() {
    let mut texts = Vec::new();
    let result: Result<(), XmlError> = each(
        "<a>Holm &amp; Sons<!-- --> <![CDATA[GmbH]]><b/>x</a>",
        Strictness::WellFormed,
        |event| {
            if let Event::Text(text) = event {
                texts.push(text.to_owned());
            }
            Ok(())
        },
    );
    assert_eq!(result, Ok(()));
    assert_eq!(texts, ["Holm & Sons GmbH", "x"]);
}

#[test]
fn what_is_there_is_kept_when_the_end_is_missing() {
    let tree = lenient("<a><b>one</b><b>tw").unwrap();
    assert_eq!(tree.root.named("b").count(), 2);
    assert_eq!(tree.root.text(), "onetw");
    assert_eq!(tree.broken.as_deref(), Some("it ends too early"));
    assert!(matches!(strict("<a><b>"), Err(XmlError::Broken(_))));
}

#[test]
fn a_lone_ampersand_and_an_unknown_entity_stay_as_they_are() {
    let tree = lenient("<a>Halloway & Sons &zorp; &nbsp;x</a>").unwrap();
    assert_eq!(tree.root.text(), "Halloway & Sons &zorp; \u{a0}x");
    assert!(strict("<a>Halloway & Sons</a>").is_err());
}

#[test]
fn ends_that_do_not_fit_are_overlooked() {
    let text = "<a><b><i>one</b><c>two</c></i></a>";
    assert_eq!(
        lenient(text).unwrap().root.child("c").unwrap().text(),
        "two"
    );
    assert!(strict(text).is_err());
}

#[test]
fn declared_entities_are_refused() {
    let laughs = "<!DOCTYPE a [<!ENTITY l \"ha\"><!ENTITY m \"&l;&l;&l;\">]><a>&m;</a>";
    assert_eq!(lenient(laughs), Err(XmlError::DeclaresEntities));
    let outside = "<!DOCTYPE a SYSTEM \"file:///etc/hosts\"><a>x</a>";
    assert_eq!(lenient(outside).unwrap().root.text(), "x");
}

#[test]
fn depth_and_number_have_an_end() {
    assert_eq!(
        lenient(&"<a>".repeat(NESTING_MAX + 1)),
        Err(XmlError::TooDeep)
    );
    let deep = format!(
        "{}{}",
        "<a>".repeat(NESTING_MAX),
        "</a>".repeat(NESTING_MAX)
    );
    assert!(strict(&deep).is_ok());
    let many = format!("<a>{}</a>", "<b/>".repeat(ELEMENTS_MAX));
    assert_eq!(
        strict(&many),
        Err(XmlError::TooManyElements { max: ELEMENTS_MAX })
    );
    assert_eq!(strict("  "), Err(XmlError::Empty));
}

#[test]
fn elements_are_found_by_path_and_below() {
    let tree = strict("<a><b/><b><c> x  y </c></b><d><c>z</c></d></a>").unwrap();
    assert_eq!(tree.root.line_at(&["b", "c"]).as_deref(), Some("x y"));
    assert_eq!(tree.root.line_at(&["b"]).as_deref(), None);
    assert_eq!(tree.root.descendants("c").len(), 2);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        drop((lenient(&text), strict(&text)));
    }

    #[test]
    fn any_markup_is_read_or_refused(parts in prop::collection::vec("<[a-c]>|</[a-c]>|<a b='&|&[a-z#0-9]{0,4};?|<!\\[CDATA\\[|\\]\\]>|<!--|-->|x", 0..40)) {
        drop((lenient(&parts.concat()), strict(&parts.concat())));
    }
}
