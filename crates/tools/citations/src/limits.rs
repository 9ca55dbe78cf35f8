//! The size of a request and of its parts.

/// Bibliographic items in one list.
pub(crate) const ITEMS_MAX: usize = 2_000;
/// Citations in a text.
pub(crate) const CITED_MAX: usize = 10_000;
/// Bytes of one field of a record.
pub(crate) const FIELD_BYTES_MAX: usize = 64 * 1024;
/// Names of one item.
pub(crate) const NAMES_MAX: usize = 5_000;
/// Bytes of a text that references are read from.
pub(crate) const TEXT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Columns of a table.
pub(crate) const COLUMNS_MAX: usize = 100;
/// Rows of a table.
pub(crate) const ROWS_MAX: usize = 20_000;
/// Footnotes of a table.
pub(crate) const FOOTNOTES_MAX: usize = 100;
/// Keys by which a table is sorted.
pub(crate) const SORTS_MAX: usize = 10;
/// Digits after the decimal point.
pub(crate) const DECIMALS_MAX: u32 = 20;
/// Bytes of a template.
pub(crate) const TEMPLATE_BYTES_MAX: usize = 64 * 1024;
/// Bytes of a filled-in template.
pub(crate) const RENDERED_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of a CSL file; the largest in the archive has 200 kB.
pub(crate) const CSL_BYTES_MAX: usize = 512 * 1024;
/// Bytes of a CSL file with its macros expanded; the largest in the archive has 230 kB.
pub(crate) const CSL_EXPANDED_BYTES_MAX: usize = 512 * 1024;
/// Nested elements in a CSL file, with its macros expanded; the deepest in the archive has 72.
pub(crate) const CSL_DEPTH_MAX: usize = 100;
/// Items that the CSL processor writes in one list: it compares every item with every other.
pub(crate) const CSL_ITEMS_MAX: usize = 250;
/// Names of one item that are given to the CSL processor.
pub(crate) const CSL_NAMES_MAX: usize = 200;
/// Bytes of one field that is given to the CSL processor.
pub(crate) const CSL_FIELD_BYTES_MAX: usize = 4 * 1024;
