//! `table`: rows of data as a table for people or for other programs.

mod cell;
mod delimited;
mod html;
mod latex;
mod layout;
mod markdown;
mod request;
mod text;

pub use cell::{Number, NumberStyle};
pub use request::{Align, Cells, Column, Footnote, Order, Sort, Table, Target, Total};

pub(crate) use cell::{parse_decimal, render_cell};
