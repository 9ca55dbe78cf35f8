//! One module for each purpose.

mod act;
mod cells;
mod cluster;
mod compare;
mod conclude;
mod contradictions;
mod criticism;
mod draft;
mod extract;
mod gaps;
mod grade;
mod object;
mod plan;
mod route;
mod score;
mod split;
mod think;
mod thoughts;
mod timeline;
mod weigh;

pub(crate) use act::act;
pub(crate) use cluster::cluster;
pub(crate) use compare::compare;
pub(crate) use conclude::conclude;
pub(crate) use draft::draft;
pub(crate) use extract::extract;
pub(crate) use gaps::gaps;
pub(crate) use grade::grade;
pub(crate) use object::object;
pub(crate) use plan::plan;
pub(crate) use route::route;
pub(crate) use score::score;
pub(crate) use split::split;
pub(crate) use think::think;
pub(crate) use timeline::timeline;
pub(crate) use weigh::weigh;
