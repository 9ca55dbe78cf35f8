//! A notice without personal data: it leaves the sensitive zone for good, so nothing leads back.

use crate::{Notice, What};

/// What a channel carries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Content {
    /// Names, addresses, numbers of people stand there as `[NAME]`, `[ADDRESS]`.
    #[default]
    Redacted,
    /// Everything as it is.
    Whole,
}

impl Notice {
    /// The notice with kinds in the place of personal data.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut notice = self.clone();
        let mut texts = Vec::new();
        notice.each_text(&mut |text| texts.push(text.clone()));
        let mut redacted = adjutant_redact::all_with_kinds(&texts).into_iter();
        notice.each_text(&mut |text| *text = redacted.next().unwrap_or_default());
        notice
    }

    /// Every text that a mission wrote. Names of tenants, missions, roles and options are no such texts.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        match &mut self.what {
            What::CheckpointOpened {
                title, checkpoint, ..
            } => {
                change(title);
                change(&mut checkpoint.question);
                change(&mut checkpoint.context);
                for option in &mut checkpoint.options {
                    change(&mut option.label);
                    change(&mut option.description);
                    option.pros.iter_mut().for_each(&mut *change);
                    option.cons.iter_mut().for_each(&mut *change);
                }
                if let Some(recommendation) = &mut checkpoint.recommendation {
                    change(&mut recommendation.reason);
                }
            }
            What::MissionEnded { title, ending, .. } => {
                change(title);
                change(&mut ending.reason);
            }
            What::Test => {}
        }
    }
}
