//! One module for each purpose.

mod cells;
mod cluster;
mod compare;
mod draft;
mod extract;
mod gaps;
mod grade;
mod object;
mod plan;
mod score;
mod timeline;

pub(crate) use cluster::cluster;
pub(crate) use compare::compare;
pub(crate) use draft::draft;
pub(crate) use extract::extract;
pub(crate) use gaps::gaps;
pub(crate) use grade::grade;
pub(crate) use object::object;
pub(crate) use plan::plan;
pub(crate) use score::score;
pub(crate) use timeline::timeline;
