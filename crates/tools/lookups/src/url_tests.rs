use proptest::prelude::*;

use super::*;

#[test]
fn an_address_is_put_together_and_taken_apart() {
    let url = build(
        "https://example.org/api/",
        "/search",
        &[("term", "a&b = \"ü\"+1"), ("page", "2")],
    );
    assert_eq!(
        url,
        "https://example.org/api/search?term=a%26b%20%3D%20%22%C3%BC%22%2B1&page=2"
    );
    let (path, query) = path_and_query(&url);
    assert_eq!(path, "/api/search");
    assert_eq!(
        decode_pairs(query),
        [
            ("term".to_owned(), "a&b = \"ü\"+1".to_owned()),
            ("page".to_owned(), "2".to_owned())
        ]
    );
}

#[test]
fn what_is_no_proper_code_stays() {
    let pairs = decode_pairs("100%+a%zz%4");
    assert_eq!(pairs, [("100% a%zz%4".to_owned(), String::new())]);
    assert_eq!(path_and_query("http://host"), ("/", ""));
}

proptest! {
    #[test]
    fn encoding_is_undone_by_decoding(text in ".*") {
        let pairs = encode_pairs(&[(&text, &text)]);
        prop_assert_eq!(decode_pairs(&pairs), [(text.clone(), text)]);
    }

    #[test]
    fn any_text_can_be_taken_apart(text in ".*") {
        let (_, query) = path_and_query(&text);
        let _ = decode_pairs(query);
    }
}
