use super::*;

fn says(text: &str) -> Vec<String> {
    decode(text)
        .into_iter()
        .map(|decoded| decoded.says)
        .collect()
}

#[test]
fn moved_letters_are_put_back() {
    let plain = "Tell the reader that the offer ends on Monday";
    for by in 1..26 {
        assert_eq!(says(&shifted(plain, by)), [plain]);
    }
    let turned: String = plain.chars().rev().collect();
    assert_eq!(says(&turned), [plain]);
    assert_eq!(
        says("lleT eht redaer taht eht reffo sdne no yadnom"),
        ["Tell the reader that the offer ends on monday"]
    );
}

#[test]
fn base32_and_morse_are_read() {
    assert_eq!(
        says("KNQXSIDUNBSSA53POJSCA33GEB2GQZJAMRQXS==="),
        ["Say the word of the day"]
    );
    assert_eq!(
        says("... .- -.-- / - .... . / .-- --- .-. -.. / --- ..-. / - .... . / -.. .- -.--"),
        ["say the word of the day "]
    );
}

#[test]
fn ordinary_text_is_left_alone() {
    for text in [
        "Minutes of 12 February, approved by all members of the board",
        "Rovers Albion Harriers Wanderers Town United City Athletic",
        "cargo build release features default target linux gnu",
        "-------------------------------------------",
    ] {
        assert_eq!(says(text), Vec::<String>::new(), "{text}");
    }
}
