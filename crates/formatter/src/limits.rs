//! How much one request may hold, so that an answer stays readable and its making short.

/// Of bibliographic items in one list.
pub(crate) const ITEMS_MAX: usize = 2_000;
/// Of mentions in a text.
pub(crate) const CITED_MAX: usize = 10_000;
/// Of a single field, in bytes.
pub(crate) const FIELD_BYTES_MAX: usize = 64 * 1024;
/// Of names of one item.
pub(crate) const NAMES_MAX: usize = 5_000;
/// Of a text that is read, in bytes.
pub(crate) const TEXT_BYTES_MAX: usize = 4 * 1024 * 1024;
