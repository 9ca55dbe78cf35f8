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

mod claim_review;
mod coverage_map;
mod curriculum;
mod days;
mod exhibit;
mod graded_test;
mod method;
mod need_matrix;
mod phrasing;
mod reading;
mod requirement_check;
mod stable_ranking;
mod trade_off;

pub use exhibit::{
    CellRole, ColumnAlign, Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitFigure,
    ExhibitNote, ExhibitTable, Statement,
};
pub use method::{InputRefused, METHODS, Method, method};
