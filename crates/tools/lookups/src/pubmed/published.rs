//! The many ways in which PubMed dates an article.

use adjutant_text::xml::Element;

use crate::dates::{self, Date};

/// `<Year>`, `<Month>` and `<Day>`, or a `<MedlineDate>` such as `1998 Dec-1999 Jan`.
pub(super) fn date(node: &Element) -> Option<Date> {
    if let Some(free) = node.line_at(&["MedlineDate"]) {
        return medline(&free);
    }
    let year = node.line_at(&["Year"])?.parse().ok()?;
    let month = node
        .line_at(&["Month"])
        .and_then(|text| dates::month(&text));
    let day = node.line_at(&["Day"]).and_then(|text| text.parse().ok());
    let day = day.filter(|_| month.is_some());
    Date::new(year, month, day).or(Date::new(year, None, None))
}

/// The earliest that a free text names.
fn medline(text: &str) -> Option<Date> {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let year = words.find_map(|word| {
        let proper = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        if proper { word.parse().ok() } else { None }
    })?;
    let month = words.next().and_then(|word| {
        let named = word.chars().all(char::is_alphabetic);
        if named { dates::month(word) } else { None }
    });
    Date::new(year, month, None)
}
