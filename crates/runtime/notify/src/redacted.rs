//! A notice without personal data: it leaves the sensitive zone for good, so nothing leads back.

use adjutant_mission::Json;
use serde_json::Value;

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

impl Content {
    /// A text that goes the same way as the notices.
    pub fn of(self, text: &str) -> String {
        match self {
            Self::Whole => text.to_owned(),
            Self::Redacted => {
                let redacted = adjutant_redact::all_with_kinds(&[text.to_owned()]);
                redacted.into_iter().next().unwrap_or_default()
            }
        }
    }
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
                for past in &mut checkpoint.similar {
                    change(&mut past.question);
                    change(&mut past.outcome);
                }
                let call = checkpoint.call.as_mut();
                if let Some(arguments) = call.and_then(|call| call.arguments.as_mut()) {
                    each_argument(arguments, change);
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

/// Every text in the arguments of a call.
fn each_argument(arguments: &mut Json, change: &mut dyn FnMut(&mut String)) {
    fn each(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
        match value {
            Value::String(text) => change(text),
            Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
            Value::Object(fields) => fields.values_mut().for_each(|field| each(field, change)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    // What cannot be read cannot be redacted, and is left out.
    let mut value = serde_json::from_str(arguments.text()).unwrap_or(Value::Null);
    each(&mut value, change);
    *arguments = Json::encode(&value).unwrap_or_else(|_| Json::null());
}
