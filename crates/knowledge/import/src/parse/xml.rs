//! The XML inside of files. How it is read is decided in `adjutant_text::xml`.

use adjutant_text::xml::{self, NESTING_MAX, Strictness, XmlError};

use crate::{ReadFailure, encoding};

pub(super) use adjutant_text::xml::{Event as Seen, Tag as Element};

/// Shows every element and text to `see`; an element without content is shown as a start and an end.
pub(super) fn each(
    bytes: &[u8],
    see: impl FnMut(Seen) -> Result<(), ReadFailure>,
) -> Result<(), ReadFailure> {
    let text = encoding::decode(bytes)?;
    xml::each(&text, Strictness::WellFormed, see)
}

impl From<XmlError> for ReadFailure {
    fn from(error: XmlError) -> Self {
        match error {
            XmlError::TooDeep => Self::too_much(format!("XML nested deeper than {NESTING_MAX}")),
            XmlError::TooManyElements { max } => {
                Self::too_much(format!("XML with more than {max} elements"))
            }
            XmlError::DeclaresEntities | XmlError::Empty | XmlError::Broken(_) => {
                Self::broken(format!("its XML cannot be read: {error}"))
            }
        }
    }
}
