//! Models as the settings have them: who is asked, with which keys, at what price.

use std::collections::BTreeMap;
use std::path::PathBuf;

use adjutant_providers::{Cassette, ModelSettings, Secret};

use super::Environment;
use crate::error::{AppError, Complaint, ErrorKind};

#[derive(Debug, Clone)]
pub struct ModelsOf {
    pub settings: ModelSettings,
    /// By the provider's name.
    pub keys: BTreeMap<String, Secret>,
    pub cassette: Cassette,
    /// Prompts in this folder take the place of the built-in ones.
    pub prompts: PathBuf,
}

impl ModelsOf {
    /// A note for each provider that cannot be asked because its key is not set.
    pub fn notes(&self) -> Vec<String> {
        // What is played back needs no key.
        if !matches!(self.cassette, Cassette::Off) {
            return Vec::new();
        }
        let wanted = self.settings.keys_wanted();
        let missing = wanted.filter(|(provider, _)| !self.keys.contains_key(*provider));
        let told = missing.map(|(provider, variable)| {
            format!(
                "note[ADJ-6075]: the models of `{provider}` are not asked: the environment variable {variable} is not \
                 set. Set it to the key of `{provider}`."
            )
        });
        told.collect()
    }

    /// What is wrong is told when somebody is to be asked: it must not keep anybody from stopping what runs.
    pub fn check(&self) -> Result<(), AppError> {
        let problems = self.settings.problems();
        if problems.is_empty() {
            return Ok(());
        }
        let complaints = problems.into_iter().map(|problem| Complaint {
            code: "ADJ-6070".into(),
            message: problem.to_string(),
            help: "See docs/models.md for the settings under `[models]`.".into(),
            place: None,
        });
        Err(AppError {
            kind: ErrorKind::BadInput,
            complaints: complaints.collect(),
            left_out: 0,
        })
    }
}

/// Takes what is written, and fetches the keys it names.
pub(super) fn of(
    settings: ModelSettings,
    cassette: Option<&str>,
    prompts: PathBuf,
) -> Result<ModelsOf, AppError> {
    let wanted = settings.keys_wanted();
    let keys = wanted
        .filter_map(|(provider, variable)| {
            let key = Environment::secret(variable)?;
            Some((provider.to_owned(), Secret::new(key.as_str())))
        })
        .collect();
    Ok(ModelsOf {
        keys,
        cassette: cassette.map_or(Ok(Cassette::Off), self::cassette)?,
        settings,
        prompts,
    })
}

/// `record:FILE` or `replay:FILE`.
fn cassette(text: &str) -> Result<Cassette, AppError> {
    match text.split_once(':') {
        Some(("record", file)) if !file.is_empty() => Ok(Cassette::Record(file.into())),
        Some(("replay", file)) if !file.is_empty() => Ok(Cassette::Replay(file.into())),
        _ => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6071",
            format!("`{text}` cannot be the value of ADJUTANT_CASSETTE"),
            "Write `record:FILE` or `replay:FILE`.",
        )),
    }
}
