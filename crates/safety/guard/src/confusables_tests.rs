use unicode_security::skeleton;

use super::plain_look_alike;

fn look_key(word: &str) -> Vec<u8> {
    super::look_key(word).collect()
}

#[test]
fn the_key_of_ascii_follows_uts_39() {
    for letter in ('0'..='9').chain('a'..='z').chain('A'..='Z').chain(['|']) {
        let skeleton: String = skeleton(&letter.to_string()).collect();
        assert_eq!(
            look_key(&letter.to_string().to_ascii_lowercase()),
            look_key(&skeleton.to_ascii_lowercase()),
            "{letter}"
        );
    }
}

#[test]
fn words_that_look_the_same_share_a_key() {
    assert_eq!(look_key("1nstruct|ons"), look_key("instructions"));
    assert_eq!(look_key("prornpt"), look_key("prompt"));
    assert_ne!(look_key("promote"), look_key("prompt"));
}

#[test]
fn letters_of_every_kind_have_a_plain_look_alike() {
    for (letters, plain) in [
        ("ɪɡɴᴏʀᴇ", "ignore"),
        ("ӏІіιΙꓲ", "liiiil"),
        ("ԁаᴛаꜱ", "datas"),
        ("мΜ𝐦ո", "mmmn"),
        ("ꮃᎳԝ", "www"),
        ("æœ", "aeoe"),
        ("🅸🅞", "io"),
    ] {
        let found: String = letters.chars().filter_map(plain_look_alike).collect();
        assert_eq!(found, plain, "{letters}");
    }
    for letter in "ßλ中あжю∂".chars() {
        assert_eq!(plain_look_alike(letter), None, "{letter}");
    }
}
