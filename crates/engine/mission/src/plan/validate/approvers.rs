//! Whether a question can be approved at all by those who must.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use core::fmt::Display;

use super::{Check, ProblemKind};
use crate::Approvers;

impl Check<'_> {
    pub(super) fn all_approvers(&mut self) {
        for (kind, who) in &self.plan.approvers {
            self.approvers(format_args!("approvers.{}", kind.name()), who);
        }
    }

    pub(super) fn approvers(&mut self, place: impl Display, who: &Approvers) {
        let different: BTreeSet<_> = who.by.iter().collect();
        let why = if who.needed == 0 {
            String::from("at least one person must approve")
        } else if different.len() < who.by.len() {
            String::from("a person is named twice")
        } else if !who.by.is_empty() && usize::from(who.needed) > who.by.len() {
            format!(
                "{} people must approve, but only {} are named",
                who.needed,
                who.by.len()
            )
        } else {
            return;
        };
        self.report(place, ProblemKind::Approvers { why });
    }
}
