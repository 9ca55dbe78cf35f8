//! From what agents established to a document: risk tables, simulations, decisions, reports, and a judge of them.
//!
//! Pure: texts and JSON in, tables and documents out, the same for the same input, everywhere. Nothing here asks a
//! model, reads a file or knows what a mission is. What is said is in the sources, letter for letter, or it is marked
//! as interpretation or calculation; what is missing is said to be missing.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod bearing;
mod builder;
mod choices;
mod cited_text;
mod compose;
mod computed_view;
mod conditions_met;
mod decision;
mod deep_dive;
mod documents_read;
mod draft;
mod first_page;
mod fmea;
mod go_no_go;
mod judge;
mod model_reading;
mod model_sections;
mod noticed;
mod outline;
mod passages;
mod pattern;
mod pieces;
mod quotes;
mod reading_sections;
mod risk_assessment;
mod risks_read;
mod shared;
mod simulation;
mod text;
mod worker_views;

pub(crate) use adjutant_methods::tables;

pub use cited_text::{CitedText, Contradiction};
pub use compose::{Compose, Kind, document};
pub use decision::{
    Amended, Amendment, AskedCriterion, Change, CriteriaFrom, CriterionOf, Decide, Decision,
    DecisionTable, Measured, Testimony, UsualCriterion, Verdict, decision,
};
pub use documents_read::{
    DocumentRead, DocumentsRead, Miscounted, Missing, Owed, OwedStatus, PartAnswer, PartVerdict,
    Replaced, Stated,
};
pub use fmea::{
    Basis, FailureMode, Fmea, FmeaTable, OCCURRENCE_SCALE, SEVERITY_SCALE, Score, fmea,
};
pub use judge::{Check, CheckKind, Judgement, judge, judge_with};
pub use model_reading::{
    Batch, Cut, First, FoundBy, FoundElsewhere, GroupClaims, Grouped, MergeReading, ModelReading,
    PIECES_MAX, PartOf, Piece, Related, RelatedSide, Suspicion, Unread, UnreadPart, WholeDocument,
    batches_for, cut, group_claims, merge_reading,
};
pub use noticed::{
    ConditionRated, ConditionRead, DaysRead, Noticed, PlannedDay, RegisterRead, RiskRead,
};
pub use outline::{Outline, OutlineSection, View};
pub use reading_sections::ReadingPart;
pub use simulation::{Limit, Range, Run, Simulate, Simulation, Together, simulation};
