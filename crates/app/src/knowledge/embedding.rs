//! Vectors for the knowledge base, of passages and of questions, from the endpoint that the settings name.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adjutant_effects::Redaction;
use adjutant_providers::{EMBEDDED_AT_ONCE_MAX, Embeddings, Models};
use adjutant_questions::{AskFailure, ProviderZone};

use crate::error::AppError;
use crate::settings::Settings;
use crate::wiring;

/// Of a text that is refused even when it is this short, the length is not what is wrong.
const TEXT_BYTES_MIN: usize = 200;

/// Asks for vectors. What leaves the sensitive zone leaves it without personal data.
#[derive(Debug, Clone)]
pub struct Embedding {
    models: Arc<Models>,
    redaction: Redaction,
    /// The longest text that the endpoint takes, as far as is known.
    bytes_max: Arc<AtomicUsize>,
}

impl Embedding {
    /// None where the settings name nobody.
    pub fn of(settings: &Settings) -> Result<Option<Self>, AppError> {
        if settings.models.settings.embeddings.is_none() {
            return Ok(None);
        }
        Ok(Self::with(&wiring::models(settings)?, settings))
    }

    pub fn with(models: &Arc<Models>, settings: &Settings) -> Option<Self> {
        models.embedder()?;
        Some(Self {
            models: Arc::clone(models),
            redaction: settings.protection.redaction,
            bytes_max: Arc::new(AtomicUsize::new(usize::MAX)),
        })
    }

    /// As `provider/model`.
    pub fn name(&self) -> &str {
        self.models.embedder().map_or("", |of| of.name())
    }

    /// One vector for each text of a document, asked for a few at a time.
    pub async fn embed(&self, texts: &[String]) -> Result<Embeddings, AskFailure> {
        let mut made = Embeddings::default();
        let Some(embedder) = self.models.embedder() else {
            return Ok(made);
        };
        let texts = match (self.redaction, embedder.zone()) {
            (Redaction::On, ProviderZone::Outside) => &adjutant_redact::all_with_kinds(texts),
            _ => texts,
        };
        for some in texts.chunks(EMBEDDED_AT_ONCE_MAX) {
            let some = self.within_limit(some);
            let more = match embedder.embed(&some).await {
                Err(refused) if is_about_the_text(&refused) => self.one_by_one(&some).await?,
                more => more?,
            };
            made.vectors.extend(more.vectors);
            made.cost.0 = made.cost.0.saturating_add(more.cost.0);
        }
        Ok(made)
    }

    /// Each text alone, as much of its beginning as the endpoint takes.
    async fn one_by_one(&self, texts: &[String]) -> Result<Embeddings, AskFailure> {
        let mut made = Embeddings::default();
        let Some(embedder) = self.models.embedder() else {
            return Ok(made);
        };
        for text in texts {
            let mut some = self.within_limit(std::slice::from_ref(text));
            let more = loop {
                match embedder.embed(&some).await {
                    Err(refused) if is_about_the_text(&refused) => {
                        let half = some[0].len() / 2;
                        if half < TEXT_BYTES_MIN {
                            return Err(refused);
                        }
                        self.bytes_max.fetch_min(half, Ordering::Relaxed);
                        some = self.within_limit(&some);
                    }
                    more => break more?,
                }
            };
            made.vectors.extend(more.vectors);
            made.cost.0 = made.cost.0.saturating_add(more.cost.0);
        }
        Ok(made)
    }

    /// What was found out to be too long is not sent again.
    fn within_limit(&self, texts: &[String]) -> Vec<String> {
        let most = self.bytes_max.load(Ordering::Relaxed);
        let cut = |text: &String| text[..text.floor_char_boundary(most)].to_owned();
        texts.iter().map(cut).collect()
    }

    /// The vector of a question, or why there is none.
    pub async fn question(&self, text: &str) -> Result<Option<Vec<f32>>, AskFailure> {
        let made = self.embed(&[text.to_owned()]).await?;
        Ok(made.vectors.into_iter().next())
    }
}

/// Whether it may be the texts that an endpoint does not take, their length for one.
fn is_about_the_text(failure: &AskFailure) -> bool {
    matches!(
        failure,
        AskFailure::Rejected {
            status: 400 | 413 | 422 | 500,
            ..
        }
    )
}
