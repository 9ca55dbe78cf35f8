//! The catalogue of missions: who works on them, what is known of each of the twenty-four, the templates that say how one
//! is done, and how a template, an objective and what there is to work with become a plan.
//!
//! It reads no files, asks nobody and runs nothing: whoever uses it brings the texts and takes the plan.

mod catalogue;
mod check;
mod check_by_model;
mod checker;
mod expand;
mod in_words;
mod inputs;
mod leave_out;
mod lookups;
mod mission_type;
mod missions;
mod pack;
mod phrases;
mod plan;
mod planned;
mod proposal;
mod read;
mod roster;
mod sample;
mod schema;
mod start;
mod team;
mod template;

pub use catalogue::{BUILT_IN, Catalogue, Entry, State, UserFileProblem, load};
pub use check::{Case, Report, check};
pub use check_by_model::CHECKED_PIECES;
pub use checker::WithoutTools;
pub use in_words::{InWords, UNDERSTOOD, last_agents, named_tasks};
pub use mission_type::{MissionType, TypeSource, mission_type};
pub use missions::{Category, MISSIONS, MissionFacts, Range, experts_of, mission};
pub use pack::{ChosenPack, PACK_INPUT, Pack, PackCriterion, Recall, Wanted, packs};
pub use phrases::{METHODS, Method, PHRASES, Phrase, phrase};
pub use plan::{plan, plan_as_proposed};
pub use planned::{LeftOut, Planned, Problem};
pub use proposal::{Proposal, planning_question, revision_question};
pub use read::read;
pub use roster::{QUESTIONS_PER_LIFE, ROSTER, RosterAgent, agent, agents_of};
pub use schema::schema;
pub use start::{Attachment, StartWith};
pub use template::{
    Deliverable, Forecast, InputSpec, NamedCheckpoint, Needs, Template, TemplateTask,
};
