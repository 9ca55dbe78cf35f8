//! Vectors for the passages that have none yet, or those of another model.

use std::time::{Duration, Instant};

use adjutant_knowledge_base::{Change, Embedded as Made, KnowledgeBase, NamespaceName, Shelf};
use adjutant_knowledge_index::Vector;
use adjutant_mission::MicroUsd;
use adjutant_questions::AskFailure;

use super::embedding::Embedding;
use super::take_in::change_namespace;
use crate::error::AppError;
use crate::host_link::HostLink;
use crate::progress::Progress;
use crate::read_only_store::ReadOnlyStore;
use crate::settings::Settings;

/// Vectors that go to the host at a time, by their bytes; and how long they are kept back, so that little is lost with
/// whoever is interrupted.
const BATCH_BYTES_MAX: usize = 8 << 20;
const BATCH_TIME_MAX: Duration = Duration::from_secs(15);

/// What became of the passages.
#[derive(Debug, Default)]
pub struct Embedded {
    pub documents: usize,
    pub passages: usize,
    pub cost: MicroUsd,
    /// Why the rest has none. They are found by their words, and get theirs when they are looked at again.
    pub trouble: Option<AskFailure>,
}

/// Makes the vectors that a namespace lacks, if the settings name anybody who does.
pub async fn embed(
    settings: &Settings,
    link: &HostLink,
    namespace: &NamespaceName,
    progress: &dyn Progress,
) -> Result<Embedded, AppError> {
    let mut done = Embedded::default();
    let Some(embedding) = Embedding::of(settings)? else {
        return Ok(done);
    };
    let Some(reading) = ReadOnlyStore::open(settings).await? else {
        return Ok(done);
    };
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(reading.journal, &shelf);
    let all = base.namespaces().await?;
    let Some(of) = all.into_iter().find(|of| of.name == *namespace) else {
        return Ok(done);
    };
    let name = embedding.name();
    let lacking = of.documents.iter();
    let lacking: Vec<_> = lacking
        .filter(|kept| kept.embedded_by.as_deref() != Some(name))
        .collect();
    let all = lacking.len();
    let (mut batch, mut bytes, mut since) = (Vec::new(), 0, Instant::now());
    for (at, kept) in lacking.into_iter().enumerate() {
        progress.step("making vectors of", at + 1, all);
        let texts = base.to_embed(&of, kept).await?;
        let made = match embedding.embed(&texts).await {
            Ok(made) => made,
            Err(trouble) => {
                done.trouble = Some(trouble);
                break;
            }
        };
        done.documents += 1;
        done.passages += made.vectors.len();
        done.cost.0 += made.cost.0;
        // An endpoint may make nothing of a passage, all zeros say: that one is found by its words.
        let vectors: Vec<_> = made.vectors.iter().map(|it| Vector::of(it).ok()).collect();
        bytes += made.vectors.iter().map(Vec::len).sum::<usize>() * 2;
        batch.push(Made {
            source: kept.source.clone(),
            record: kept.record.clone(),
            vectors,
        });
        if bytes >= BATCH_BYTES_MAX || since.elapsed() >= BATCH_TIME_MAX {
            hand_over(settings, link, namespace, name, std::mem::take(&mut batch)).await?;
            (bytes, since) = (0, Instant::now());
        }
    }
    progress.end();
    if !batch.is_empty() {
        hand_over(settings, link, namespace, name, batch).await?;
    }
    Ok(done)
}

async fn hand_over(
    settings: &Settings,
    link: &HostLink,
    namespace: &NamespaceName,
    by: &str,
    documents: Vec<Made>,
) -> Result<(), AppError> {
    let by = by.to_owned();
    let change = Change::Embed { by, documents };
    change_namespace(settings, link, namespace, change).await?;
    Ok(())
}
