use proptest::prelude::*;

use super::*;

#[test]
fn links_are_made_whole() {
    let base = "https://example.org/a/b.html?x=1";
    for (link, whole) in [
        ("c.html", "https://example.org/a/c.html"),
        ("../c/./d", "https://example.org/c/d"),
        ("../../..", "https://example.org/"),
        ("/c?d=../e", "https://example.org/c?d=../e"),
        ("//other.example/c", "https://other.example/c"),
        ("?y=2", "https://example.org/a/b.html?y=2"),
        ("#top", "https://example.org/a/b.html?x=1#top"),
        ("HTTP://Other.example", "http://other.example/"),
    ] {
        assert_eq!(resolve(base, link).as_deref(), Some(whole), "{link}");
    }
    for link in [
        "",
        "javascript:alert(1)",
        "mailto:a@b.example",
        "data:text/html,x",
    ] {
        assert_eq!(resolve(base, link), None, "{link}");
    }
}

#[test]
fn what_leads_to_one_page_is_the_same() {
    let plain = canonical("https://example.org/story");
    for other in [
        "https://example.org/story/",
        "HTTPS://Example.ORG:443/story?utm_source=x&fbclid=1#comments",
    ] {
        assert_eq!(canonical(other), plain);
    }
    assert_eq!(
        canonical("https://e.example/?id=7&utm_medium=m"),
        "https://e.example?id=7"
    );
}

#[test]
fn only_the_web_is_asked() {
    assert!(is_web("https://example.org/a?b=c"));
    for other in [
        "ftp://example.org",
        "https://",
        "https://a b",
        "https://user:pass@example.org/",
        "x",
    ] {
        assert!(!is_web(other), "{other}");
    }
}

#[test]
fn hosts_are_those_that_a_request_would_go_to() {
    for (address, wanted) in [
        ("http://[::1]/", "[::1]"),
        ("http://[::1]:8080/a", "[::1]"),
        ("http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://a@b:1@Example.ORG:80/x@y", "example.org"),
        ("https://example.org\\@evil.example/", "example.org"),
    ] {
        assert_eq!(host(address).as_deref(), Some(wanted), "{address}");
    }
    for address in [
        "http://[::1",
        "ftp://example.org/",
        "http://",
        "http://a b/",
    ] {
        assert_eq!(host(address), None, "{address}");
    }
}

#[test]
fn the_fingerprint_is_fnv() {
    assert_eq!(fingerprint(""), "cbf29ce484222325");
    assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
}

proptest! {
    #[test]
    fn any_text_can_be_an_address(base in "(https?://)?\\PC{0,30}", link in "\\PC{0,30}") {
        drop(resolve(&base, &link));
        let once = canonical(&base);
        prop_assert_eq!(canonical(&once), once.clone());
        drop(origin_and_path(&base));
    }
}
