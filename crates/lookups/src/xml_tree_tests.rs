#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use proptest::prelude::*;

use super::*;

#[test]
fn text_comes_from_elements_entities_and_cdata() {
    let tree = read("<a x:b='1&amp;2'>one <c>&lt;two&gt;</c><![CDATA[ & three]]></a>").unwrap();
    assert_eq!(tree.root.text(), "one <two> & three");
    assert_eq!(tree.root.attribute("b"), Some("1&2"));
    assert_eq!(tree.broken, None);
}

#[test]
fn what_is_there_is_kept_when_the_end_is_missing() {
    let tree = read("<a><b>one</b><b>tw").unwrap();
    assert_eq!(tree.root.named("b").count(), 2);
    assert_eq!(tree.broken.as_deref(), Some("it ends too early"));
}

#[test]
fn a_lone_ampersand_and_an_unknown_entity_stay_as_they_are() {
    let tree = read("<a>Halloway & Sons &zorp; &nbsp;x</a>").unwrap();
    assert_eq!(tree.root.text(), "Halloway & Sons &zorp; \u{a0}x");
}

#[test]
fn ends_that_do_not_fit_are_overlooked() {
    let tree = read("<a><b><i>one</b><c>two</c></i></a>").unwrap();
    assert_eq!(tree.root.child("c").unwrap().text(), "two");
}

#[test]
fn declared_entities_are_refused() {
    let laughs = "<!DOCTYPE a [<!ENTITY l \"ha\"><!ENTITY m \"&l;&l;&l;\">]><a>&m;</a>";
    assert!(read(laughs).unwrap_err().contains("entities of its own"));
    let outside = "<!DOCTYPE a SYSTEM \"file:///etc/hosts\"><a>x</a>";
    assert_eq!(read(outside).unwrap().root.text(), "x");
}

#[test]
fn depth_has_an_end() {
    let deep = "<a>".repeat(NESTING_MAX + 1);
    assert!(read(&deep).unwrap_err().contains("nested deeper"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        drop(read(&text));
    }

    #[test]
    fn any_markup_is_read_or_refused(parts in prop::collection::vec("<[a-c]>|</[a-c]>|<a b='&|&[a-z#0-9]{0,4};?|<!\\[CDATA\\[|\\]\\]>|<!--|-->|x", 0..40)) {
        drop(read(&parts.concat()));
    }
}
