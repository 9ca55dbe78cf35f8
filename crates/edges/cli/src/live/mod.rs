//! Following one mission: what happens to it is drawn or printed as it becomes durable, and questions are
//! answered in place where somebody sits at the keyboard.

mod answering;
mod follow;
mod keys;
mod news;
mod showing;

pub(crate) use answering::{Answering, Typed};
pub(crate) use follow::{Came, Follow, Followed, Patience};
pub(crate) use showing::Showing;
