//! How things look: lines of toned text, and what is made of them. Nothing here decides or waits.

mod answer;
mod around;
mod calibration;
mod comparison;
mod ending;
mod error;
mod foresight;
mod frame;
mod happened;
mod line;
mod passport;
mod question;
mod stats;
mod suggestion;
mod table;
mod task_counts;
mod thoughts;
mod tree;
mod undoing;
mod words;

pub(crate) use answer::tell;
pub(crate) use around::{Around, Started};
pub(crate) use calibration::calibration;
pub(crate) use comparison::comparison;
pub(crate) use ending::{Places, ending};
pub(crate) use error::{error_text, usage_error};
pub(crate) use foresight::foresight;
pub(crate) use frame::{Frame, RawMode};
pub(crate) use happened::{happened, pause_words};
pub(crate) use line::{Line, Paint, Tone, clean, width, wrap};
pub(crate) use passport::passport;
pub(crate) use question::{how_to_decide, how_to_look, question, question_line};
pub(crate) use stats::{StatsHead, stars, stats};
pub(crate) use suggestion::suggestion;
pub(crate) use table::Table;
pub(crate) use thoughts::{latest_thoughts, reasoning};
pub(crate) use tree::{Room, phase_tone, phase_words, tree};
pub(crate) use undoing::Undoing;
pub(crate) use words::{
    ago, bytes, count, instant, lasted, money, short, short_checkpoint, short_trigger, until,
};
