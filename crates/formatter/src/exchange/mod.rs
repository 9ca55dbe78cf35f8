//! Formats by which programs hand over records: BibTeX, RIS, and MEDLINE's.

mod bibtex_write;
mod latex;
mod names;
mod ris;
mod ris_write;

pub(crate) use bibtex_write::write as write_bibtex;
pub(crate) use ris_write::write as write_ris;
