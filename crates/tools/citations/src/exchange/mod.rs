//! Formats for exchanging records with other programs: BibTeX, RIS and PubMed's.

mod bibtex_item;
mod bibtex_read;
mod bibtex_write;
mod latex;
mod names;
mod nbib;
mod reading;
mod ris;
mod ris_read;
mod ris_write;

pub(crate) use bibtex_read::read as read_bibtex;
pub(crate) use bibtex_write::write as write_bibtex;
pub(crate) use latex::encode as encode_latex;
pub(crate) use nbib::read as read_nbib;
pub(crate) use reading::Reading;
pub(crate) use ris_read::read as read_ris;
pub(crate) use ris_write::write as write_ris;
