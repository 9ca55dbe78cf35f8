//! Bytes to characters, for files that do not say how they are written.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::ReadFailure;

/// How far into a file the guess at UTF-16 looks.
const SAMPLE_BYTES_MAX: usize = 4096;
/// One control character in so many makes a file binary.
const CHARACTERS_PER_CONTROL: usize = 200;
/// So many good multi-byte characters for one bad byte make a file damaged UTF-8 instead of something else.
const GOOD_PER_BAD: usize = 4;
/// What the guess at an encoding looks at: from a little before the first byte that is not ASCII.
const GUESS_BYTES_BEFORE: usize = 1024;
const GUESS_BYTES_MAX: usize = 1024 * 1024;

pub(crate) fn decode(bytes: &[u8]) -> Result<String, ReadFailure> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let body = bytes.get(mark..).unwrap_or_default();
        return text_only(encoding.decode_without_bom_handling(body).0.into_owned());
    }
    if bytes.contains(&0) {
        let Some(encoding) = looks_like_utf16(bytes) else {
            return Err(binary());
        };
        return text_only(encoding.decode_without_bom_handling(bytes).0.into_owned());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text_only(text.to_owned()),
        Err(_) => decode_by_guess(bytes),
    }
}

/// As `decode`, where the file names its encoding itself (HTML, XML).
pub(crate) fn decode_labelled(bytes: &[u8], label: Option<&[u8]>) -> Result<String, ReadFailure> {
    let named = label.and_then(Encoding::for_label);
    match named {
        Some(encoding)
            if encoding != UTF_8
                && Encoding::for_bom(bytes).is_none()
                && std::str::from_utf8(bytes).is_err() =>
        {
            text_only(encoding.decode_without_bom_handling(bytes).0.into_owned())
        }
        _ => decode(bytes),
    }
}

fn decode_by_guess(bytes: &[u8]) -> Result<String, ReadFailure> {
    let mut good = 0;
    let mut bad = 0;
    for chunk in bytes.utf8_chunks() {
        good += chunk
            .valid()
            .chars()
            .filter(|character| !character.is_ascii())
            .count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    if good >= GOOD_PER_BAD * bad {
        return text_only(String::from_utf8_lossy(bytes).into_owned());
    }
    let (text, _) = guess(bytes).decode_without_bom_handling(bytes);
    text_only(text.into_owned())
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let foreign = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let start = foreign.saturating_sub(GUESS_BYTES_BEFORE);
    let rest = bytes.get(start..).unwrap_or_default();
    let sample = rest.get(..GUESS_BYTES_MAX).unwrap_or(rest);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == rest.len());
    detector.guess(None, Utf8Detection::Deny)
}

fn looks_like_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..SAMPLE_BYTES_MAX).unwrap_or(bytes);
    let pairs = sample.len() / 2;
    if pairs == 0 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |offset: usize| {
        sample
            .iter()
            .skip(offset)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (high_first, low_first) = (zeros(0), zeros(1));
    let many = pairs * 2 / 5;
    let few = pairs / 20;
    if low_first > many && high_first <= few {
        Some(UTF_16LE)
    } else if high_first > many && low_first <= few {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn text_only(text: String) -> Result<String, ReadFailure> {
    if is_binary(&text) {
        return Err(binary());
    }
    Ok(text)
}

fn is_binary(text: &str) -> bool {
    let mut controls = 0;
    let mut all = 0;
    for character in text.chars() {
        all += 1;
        let layout = matches!(character, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}');
        controls += usize::from(character.is_control() && !layout);
    }
    controls * CHARACTERS_PER_CONTROL > all
}

fn binary() -> ReadFailure {
    ReadFailure::unsupported("binary data")
}
