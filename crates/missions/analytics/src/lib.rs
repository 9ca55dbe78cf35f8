//! How well missions go. A journal is counted once ([`count_mission`]); counts of many missions, with what people said of
//! them, add up to [`Figures`], each with its target, how many cases it rests on, and what can be concluded from so many.
//!
//! Pure: journals and ratings in, figures and a document out. Nothing here reads stores, clocks or settings.

mod calls;
mod citations;
mod count;
mod figure;
mod group;
mod insights;
mod measure;
mod report;
mod tally;
mod week;
mod wording;

pub use count::{CheckCount, MissionCount, Outputs, Response, WorkCount, count_mission};
pub use figure::{CASES_MIN, Figure, Interval, PERCENTILE_CASES_MIN, Reading};
pub use group::{
    Coverage, Estimated, Figures, Group, GroupBy, Judged, Member, Opinion, figures, take_in,
};
pub use insights::{Insight, insights};
pub use measure::{MEASURES, Measure, SECTIONS, Target, Unit};
pub use report::{ReportOf, report};
pub use wording::{cases_in_words, target_in_words, value_in_words};
