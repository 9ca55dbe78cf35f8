//! HTML in a field of a feed or an answer, as plain text.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use crate::xml_tree::one_line;

/// Without markup, scripts and styles, on one line.
pub(crate) fn plain_text(html: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut text = String::new();
    let mut unseen: Option<Vec<u8>> = None;
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::String(part) if unseen.is_none() => {
                text.push_str(&String::from_utf8_lossy(&part));
            }
            Token::StartTag(tag) => {
                if unseen.is_none()
                    && matches!(&**tag.name, b"script" | b"style" | b"template")
                    && !tag.self_closing
                {
                    unseen = Some(tag.name.to_vec());
                }
                if parts_words(&tag.name) {
                    text.push(' ');
                }
            }
            Token::EndTag(tag) => {
                if unseen.as_deref() == Some(&**tag.name) {
                    unseen = None;
                }
                if parts_words(&tag.name) {
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    one_line(&text)
}

/// A bold letter inside a word parts nothing; a paragraph does.
fn parts_words(name: &[u8]) -> bool {
    !matches!(
        name,
        b"a" | b"b" | b"i" | b"em" | b"strong" | b"span" | b"u" | b"sub" | b"sup" | b"small"
    )
}
