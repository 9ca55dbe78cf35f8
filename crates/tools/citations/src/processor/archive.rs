//! The CSL styles and locales that ship with hayagriva (CC BY-SA 3.0).

use std::sync::LazyLock;

use hayagriva::archive::{ArchivedStyle, locales};
use hayagriva::citationberg::{Locale, Style};

use super::CslStyle;
use crate::Refusal;

/// The words of all languages; reading them takes longer than writing a list.
pub(super) static LOCALES: LazyLock<Vec<Locale>> = LazyLock::new(locales);

/// All names of the archive. Left out is `alphanumeric`: it needs labels that records do not have.
pub(crate) fn archived_style_names() -> impl Iterator<Item = (&'static str, ArchivedStyle)> {
    ArchivedStyle::all()
        .iter()
        .filter(|style| **style != ArchivedStyle::Alphanumeric)
        .flat_map(|style| style.names().iter().map(|name| (*name, *style)))
}

pub(crate) fn archived_style(archived: ArchivedStyle) -> Result<CslStyle, Refusal> {
    match archived.get() {
        Style::Independent(style) => Ok(CslStyle::new(style)),
        Style::Dependent(style) => Err(Refusal::unusable(
            "style",
            style.info.id,
            "the archive has no rules for this style, choose another",
        )),
    }
}
