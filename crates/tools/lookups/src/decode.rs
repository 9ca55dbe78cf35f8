//! Bytes to text: by the mark at their beginning, by what the header says, by what they say themselves.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How far the look for the text's own word on its encoding goes.
const LABEL_BYTES_MAX: usize = 4096;

/// `content_type` is the header, with or without a charset.
pub(crate) fn decode(bytes: &[u8], content_type: &str) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let body = bytes.get(mark..).unwrap_or_default();
        return encoding.decode_without_bom_handling(body).0.into_owned();
    }
    let named = label_after(content_type.as_bytes(), b"charset=").or_else(|| own_label(bytes));
    let named = named.and_then(|label| Encoding::for_label(&label));
    match (named, std::str::from_utf8(bytes)) {
        // A label that says otherwise is mostly a left-over of the server: valid UTF-8 is no accident.
        (_, Ok(text)) if named == Some(UTF_8) || named.is_none() || !text.is_ascii() => {
            text.to_owned()
        }
        (Some(encoding), _) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        (None, Ok(text)) => text.to_owned(),
        (None, Err(_)) => WINDOWS_1252
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}

fn own_label(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = bytes.get(..LABEL_BYTES_MAX).unwrap_or(bytes);
    label_after(head, b"charset=").or_else(|| label_after(head, b"encoding="))
}

fn label_after(text: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let text = text.to_ascii_lowercase();
    let at = text.windows(name.len()).position(|window| window == name)?;
    let rest = text.get(at + name.len()..)?;
    let label: Vec<u8> = rest
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))
        .collect();
    (!label.is_empty()).then_some(label)
}
