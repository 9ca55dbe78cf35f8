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

mod argument_map;
mod causal_tree;
mod claim_check;
mod claim_review;
mod competitor_moves;
mod coverage_map;
mod curriculum;
mod days;
mod decision_frame;
mod exhibit;
mod given;
mod graded_test;
mod method;
mod need_matrix;
mod next_due_date;
mod next_moves;
mod option_space;
mod options;
mod path;
mod pattern_search;
mod phrasing;
mod question_sheet;
mod reading;
mod reference_list;
mod report_signals;
mod requirement;
mod requirement_check;
mod source_tables;
mod stable_ranking;
mod stated_shares;
mod substitutes;
pub mod tables;
mod text;
mod trade_off;
mod watched;
mod watched_conditions;
mod weak_signals;
mod words;

pub use exhibit::{
    CellRole, ColumnAlign, Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitFigure,
    ExhibitNote, ExhibitTable, Statement,
};
pub use method::{InputRefused, METHODS, Method, method};

/// Whether every chart can be drawn: a report leaves out those that cannot.
#[cfg(test)]
pub(crate) fn is_drawable(exhibit: &Exhibit) -> bool {
    let theme = adjutant_charts::Theme::default;
    let mut charts = exhibit.charts.iter();
    charts.all(|one| adjutant_charts::draw(&one.chart, theme()).is_ok())
}
