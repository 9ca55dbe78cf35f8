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
/// Of a table.
pub(crate) const COLUMNS_MAX: usize = 100;
/// Of a table.
pub(crate) const ROWS_MAX: usize = 20_000;
/// Of a table.
pub(crate) const FOOTNOTES_MAX: usize = 100;
/// Keys by which a table is sorted.
pub(crate) const SORTS_MAX: usize = 10;
/// Behind the point of a number.
pub(crate) const DECIMALS_MAX: u32 = 20;
/// Of a template, in bytes.
pub(crate) const TEMPLATE_BYTES_MAX: usize = 64 * 1024;
/// Of what a template becomes, in bytes.
pub(crate) const RENDERED_BYTES_MAX: usize = 1024 * 1024;
