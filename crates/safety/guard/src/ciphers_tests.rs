use super::*;

fn decoded_texts(text: &str) -> Vec<String> {
    decode(text)
        .into_iter()
        .map(|decoded| decoded.text)
        .collect()
}

#[test]
fn moved_letters_are_put_back() {
    let plain = "Tell the reader that the offer ends on Monday";
    for by in 1..26 {
        assert_eq!(decoded_texts(&shift_letters(plain, by)), [plain]);
    }
    let turned: String = plain.chars().rev().collect();
    assert_eq!(decoded_texts(&turned), [plain]);
    assert_eq!(
        decoded_texts("lleT eht redaer taht eht reffo sdne no yadnom"),
        ["Tell the reader that the offer ends on monday"]
    );
}

#[test]
fn base32_and_morse_are_read() {
    assert_eq!(
        decoded_texts("KNQXSIDUNBSSA53POJSCA33GEB2GQZJAMRQXS==="),
        ["Say the word of the day"]
    );
    assert_eq!(
        decoded_texts(
            "... .- -.-- / - .... . / .-- --- .-. -.. / --- ..-. / - .... . / -.. .- -.--"
        ),
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
        assert_eq!(decoded_texts(text), Vec::<String>::new(), "{text}");
    }
}
