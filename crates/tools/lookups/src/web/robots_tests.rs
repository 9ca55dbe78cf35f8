use proptest::prelude::*;

use super::*;

fn allows(file: &str, path: &str) -> bool {
    read(file.as_bytes()).allow(path)
}

#[test]
fn the_longest_rule_decides() {
    let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\n";
    assert!(allows(file, "/"));
    assert!(!allows(file, "/a/c"));
    assert!(allows(file, "/a/b/c"));
    assert!(!allows(file, "/x/y.pdf"));
    assert!(allows(file, "/x/y.pdf?page=1"));
    assert!(allows("User-agent: *\nDisallow: /p\nAllow: /p", "/p"));
    assert!(!allows(
        "User-agent: *\nAllow: /p\nDisallow: /p/q",
        "/p/q/r"
    ));
}

#[test]
fn our_own_group_goes_before_that_of_everybody() {
    let file = "User-agent: other\nUser-agent: Adjutant/1.0\nDisallow: /x\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /\n\nUser-agent: adjutant\nDisallow: /y";
    assert!(allows(file, "/z"));
    assert!(!allows(file, "/x"));
    assert!(!allows(file, "/y"));
    assert_eq!(read(file.as_bytes()).crawl_delay.as_deref(), Some("10"));
    assert!(!allows("User-agent: *\nDisallow: /", "/z"));
    assert!(allows("User-agent: adjutants\nDisallow: /", "/z"));
}

#[test]
fn stars_and_codes() {
    let file = "User-agent: *\nDisallow: /a*b*c\nDisallow: /caf%c3%a9\n";
    assert!(!allows(file, "/axxbyyczz"));
    assert!(allows(file, "/axxcyyb"));
    assert!(!allows(file, "/café"));
    assert!(!allows(file, "/caf%C3%A9/x"));
}

#[test]
fn an_empty_or_foreign_file_allows() {
    for file in [
        "",
        "<html>404</html>",
        "User-agent: *\nDisallow:",
        "Disallow: /",
    ] {
        assert!(allows(file, "/a"), "{file}");
    }
}

proptest! {
    #[test]
    fn any_bytes_have_rules(bytes in prop::collection::vec(any::<u8>(), 0..300), path in "/\\PC{0,20}") {
        read(&bytes).allow(&path);
    }

    #[test]
    fn any_pattern_is_decided(pattern in "/[ab*$%]{0,12}", path in "/[ab%]{0,12}") {
        allows(&format!("User-agent: *\nDisallow: {pattern}"), &path);
    }
}
