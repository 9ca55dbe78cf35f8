//! Methods that missions apply to what their agents found: coverage maps, matrices, rankings, trees, paths.
//!
//! Pure: findings, sources and figures in, an [`Exhibit`] out, the same for the same input. A method never invents: a
//! statement without evidence is an interpretation or a calculation, and says so. It does not know missions, files or models.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod decision_frame;
mod exhibit;
mod method;
mod next_moves;
mod option_space;
mod options;
mod path;
mod requirement;
mod substitutes;
pub mod tables;
mod text;
mod trade_off;

pub use exhibit::{
    CellRole, ColumnAlign, Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitFigure,
    ExhibitNote, ExhibitTable, Statement,
};
pub use method::{InputRefused, METHODS, Method, method};
