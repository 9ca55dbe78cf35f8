//! A notice without personal data: it leaves the sensitive zone for good, so nothing leads back.

use crate::{Notice, What};

/// What no text of a mission has, and nothing that is found reaches over.
const BETWEEN: &str = "\n\n\u{1}\n\n";

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
        // Read as one, so that what one text gives away is taken out of the others too.
        let mut texts = Vec::new();
        notice.each_text(&mut |text| texts.push(text.replace('\u{1}', " ")));
        let redacted = adjutant_redact::with_kinds(&texts.join(BETWEEN));
        let mut parts = redacted.split(BETWEEN);
        notice.each_text(&mut |text| *text = parts.next().unwrap_or_default().to_owned());
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
