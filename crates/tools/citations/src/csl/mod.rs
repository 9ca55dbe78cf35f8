//! Bibliographic records as CSL-JSON has them, read leniently and written back exactly.

mod date;
mod field;
mod item;
mod kind;
mod name;

pub(crate) use date::{Date, MONTHS, MONTHS_SHORT};
pub(crate) use field::Field;
pub(crate) use item::{Item, bare_doi};
pub(crate) use kind::Kind;
pub(crate) use name::{Name, words};
