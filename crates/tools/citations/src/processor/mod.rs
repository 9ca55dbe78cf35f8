//! Citation Style Language (CSL): references in a style of the archive, or in a style that the caller gives.
//!
//! hayagriva does the writing. This module decides what it is given, because it panics on some input; the styles
//! that we write ourselves are in `style`.

mod archive;
mod check;
mod disambiguation;
mod engine;
mod records;

pub(crate) use archive::{archived_style, archived_style_names};
pub(crate) use engine::write_list;

use std::sync::Arc;

use hayagriva::archive::ArchivedStyle;
use hayagriva::citationberg::{IndependentStyle, Style};

use crate::Refusal;

/// A style that the processor writes.
#[derive(Debug, Clone)]
pub(crate) struct CslStyle {
    style: Arc<IndependentStyle>,
    title: String,
}

impl CslStyle {
    /// Reads a CSL file. One that only points to another is used if the archive has the other.
    pub(crate) fn parse(csl: &str) -> Result<Self, Refusal> {
        check::measure(csl)?;
        let style = Style::from_xml(csl)
            .map_err(|error| check::unusable(csl, format!("it is not a CSL style: {error}")))?;
        match style {
            Style::Independent(style) => Ok(Self::new(style)),
            Style::Dependent(dependent) => {
                let parent = dependent.parent_link.href;
                let Some(archived) = ArchivedStyle::by_id(&parent) else {
                    let advice = "it only points to this style: give the file of that one";
                    return Err(check::unusable(&parent, advice));
                };
                let mut style = archived_style(archived)?;
                style.title = dependent.info.title.value;
                Ok(style)
            }
        }
    }

    fn new(style: IndependentStyle) -> Self {
        Self {
            title: style.info.title.value.clone(),
            style: Arc::new(style),
        }
    }

    /// By which rules a list was written.
    pub(crate) fn method(&self) -> String {
        format!("{}, as a CSL style written by hayagriva", self.title)
    }
}
