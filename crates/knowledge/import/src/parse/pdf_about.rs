//! What a PDF says of itself: title, author, date.

use adjutant_text::dates::Date;
use encoding_rs::{UTF_16BE, UTF_16LE};
use hayro_interpret::hayro_syntax::metadata::Metadata;

use crate::writing::About;

/// What the bytes from 0x18 and from 0x80 on mean in a PDF's own encoding; all others are as in Latin-1.
const ACCENTS: &str = "˘ˇˆ˙˝˛˚˜";
const SIGNS: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{fffd}€";

pub(super) fn about(metadata: &Metadata) -> About {
    let entry = |bytes: &Option<Vec<u8>>| {
        let text = decoded(bytes.as_deref()?);
        (!text.trim().is_empty() && !is_made_up(&text)).then_some(text)
    };
    let date = metadata
        .creation_date
        .and_then(|date| Some(Date::new(date.year, Some(date.month), Some(date.day))?.iso()));
    About {
        title: entry(&metadata.title),
        author: entry(&metadata.author),
        date,
    }
}

fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, text @ ..] => UTF_16BE.decode_without_bom_handling(text).0.into_owned(),
        [0xff, 0xfe, text @ ..] => UTF_16LE.decode_without_bom_handling(text).0.into_owned(),
        [0xef, 0xbb, 0xbf, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        text => bytes_as_letters(text),
    }
}

/// Many programs write UTF-8 here without saying so.
fn bytes_as_letters(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let letter = |byte: &u8| {
        let (signs, first) = match byte {
            0x18..=0x1f => (ACCENTS, 0x18),
            0x80..=0xa0 => (SIGNS, 0x80),
            _ => return char::from(*byte),
        };
        let place = usize::from(byte - first);
        signs
            .chars()
            .nth(place)
            .unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    bytes.iter().map(letter).collect()
}

/// What programs write where nobody gave a title or a name.
fn is_made_up(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    matches!(
        text.as_str(),
        "untitled" | "anonymous" | "unknown" | "(anonymous)" | "(unspecified)" | "unspecified"
    )
}
