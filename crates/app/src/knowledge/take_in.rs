//! Taking files into the knowledge base: which have changed, reading those, handing them to the host.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use adjutant_host::Upkeep;
use adjutant_import::{Fingerprint, Limits, ReadFailure, Reader, SkippedBecause, walk};
use adjutant_knowledge_base::{
    Change, Folder, Incoming, KeptDocument, NamespaceName, NamespaceRecord,
};
use futures::StreamExt as _;

use super::embed::{Embedded, embed};
use crate::error::{AppError, ErrorKind};
use crate::host_link::HostLink;
use crate::progress::Progress;
use crate::settings::Settings;

/// How `adjutant` is called to read one file and nothing else.
pub const READ_DOCUMENT: &str = "__read-document";
/// Of one document: all of it goes to the host in one message.
const TEXT_BYTES_MAX: u64 = 5 << 20;
/// Documents that go to the host at a time, by number and by their text.
const BATCH_DOCUMENTS_MAX: usize = 200;
const BATCH_BYTES_MAX: usize = 6 << 20;
const READ_AT_ONCE: usize = 2;

/// A file to look at.
#[derive(Debug)]
pub struct File {
    pub source: String,
    pub path: PathBuf,
    pub tags: Vec<String>,
    /// Known where the folder was walked.
    pub hash: Option<String>,
    /// Named by a person, so that it must be readable.
    pub named: bool,
}

/// What became of the files.
#[derive(Debug, Default)]
pub struct Taken {
    pub added: usize,
    pub changed: usize,
    pub same: usize,
    pub removed: usize,
    pub passages: u64,
    pub unread: Vec<(String, ReadFailure)>,
    /// One of those was named by a person.
    pub refused: bool,
    pub skipped: Vec<(String, SkippedBecause)>,
    /// What documents that were taken in do not have of their files, a sentence each.
    pub omissions: Vec<(String, String)>,
    /// Files that another one has the name of, and where that one is.
    pub clashes: Vec<(String, String)>,
    pub embedded: Embedded,
}

impl Taken {
    pub fn changes_something(&self) -> bool {
        self.added + self.changed + self.removed + self.embedded.documents > 0
    }
}

fn reader() -> Result<Reader, AppError> {
    let program = std::env::current_exe().map_err(|error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-8011",
            format!("cannot locate the adjutant executable: {error}"),
            "Start it by its path, and do not move the file while it runs.",
        )
    })?;
    Ok(Reader {
        program,
        arguments: vec![OsString::from(READ_DOCUMENT)],
        limits: limits(),
    })
}

/// One file as a document, for a mission that is given it.
pub async fn read_one(file: &Path) -> Result<adjutant_knowledge_index::Document, AppError> {
    let read = reader()?.read(file).await.map_err(|failure| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6110",
            format!("{} cannot be attached: {failure}", file.display()),
            "Give a text, Markdown, HTML, CSV, JSON, PDF, DOCX, spreadsheet or mail file.",
        )
    })?;
    Ok(read.document)
}

fn limits() -> Limits {
    Limits {
        text_bytes_max: TEXT_BYTES_MAX,
        ..Limits::default()
    }
}

pub fn hash(of: &Fingerprint) -> String {
    let hex = |byte: &u8| format!("{byte:02x}");
    of.blake3.iter().map(hex).collect()
}

/// The files of a folder, named by their paths below it.
pub fn files_of(folder: &Folder, taken: &mut Taken) -> Result<Vec<File>, AppError> {
    let root = Path::new(&folder.path);
    let walked = tokio::task::block_in_place(|| walk(root, &limits())).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-8010",
            format!("{}: {error}", folder.path),
            "Name an existing folder that you may read.",
        )
    })?;
    for skipped in walked.skipped {
        let path = skipped.path.to_string_lossy().into_owned();
        if !matches!(
            skipped.because,
            SkippedBecause::Hidden | SkippedBecause::LinkInside
        ) {
            taken.skipped.push((path, skipped.because));
        }
    }
    let file = |found: adjutant_import::Found| File {
        source: found.path.to_string_lossy().into_owned(),
        path: root.join(&found.path),
        tags: folder.tags.clone(),
        hash: Some(hash(&found.fingerprint)),
        named: false,
    };
    Ok(walked.files.into_iter().map(file).collect())
}

/// Reads what has changed and hands it to the host, a batch at a time.
pub async fn take_in(
    settings: &Settings,
    link: &HostLink,
    namespace: &NamespaceName,
    before: Option<&NamespaceRecord>,
    files: Vec<File>,
    taken: &mut Taken,
    progress: &dyn Progress,
) -> Result<(), AppError> {
    let known: BTreeMap<&str, &KeptDocument> = before
        .into_iter()
        .flat_map(|of| &of.documents)
        .map(|of| (of.source.as_str(), of))
        .collect();
    let is_same = |file: &File, hash: &str| {
        let kept = known.get(file.source.as_str());
        kept.is_some_and(|kept| kept.hash == hash && kept.tags == file.tags)
    };
    // Of several with one name the document that is there stays, else the first comes in.
    let mut named: BTreeMap<String, PathBuf> = known
        .iter()
        .map(|(source, of)| ((*source).to_owned(), PathBuf::from(&of.path)))
        .collect();
    let mut own = Vec::with_capacity(files.len());
    for file in files {
        match named.entry(file.source.clone()) {
            Slot::Occupied(other) if is_another(&file.path, other.get()) => {
                taken.refused |= file.named;
                let other = other.get().to_string_lossy().into_owned();
                taken.clashes.push((file.source, other));
                continue;
            }
            Slot::Occupied(mut moved) => {
                moved.insert(file.path.clone());
            }
            Slot::Vacant(slot) => {
                slot.insert(file.path.clone());
            }
        }
        own.push(file);
    }
    let (same, other): (Vec<File>, Vec<File>) = own
        .into_iter()
        .partition(|file| file.hash.as_ref().is_some_and(|hash| is_same(file, hash)));
    taken.same += same.len();
    let reader = reader()?;
    let all = other.len();
    let reading = futures::stream::iter(other).map(|file| {
        let reader = &reader;
        async move {
            let read = reader.read(&file.path).await;
            (file, read)
        }
    });
    let mut reading = std::pin::pin!(reading.buffered(READ_AT_ONCE));
    let (mut batch, mut bytes, mut done) = (Vec::new(), 0, 0);
    while let Some((file, read)) = reading.next().await {
        done += 1;
        progress.step("reading", done, all);
        let read = match read {
            Ok(read) => read,
            Err(failure) => {
                taken.refused |= file.named;
                taken.unread.push((file.source, failure));
                continue;
            }
        };
        let hash = hash(&read.fingerprint);
        if is_same(&file, &hash) {
            taken.same += 1;
            continue;
        }
        match known.contains_key(file.source.as_str()) {
            true => taken.changed += 1,
            false => taken.added += 1,
        }
        for omission in &read.document.omissions {
            taken
                .omissions
                .push((file.source.clone(), omission.clone()));
        }
        taken.passages += adjutant_knowledge_index::chunks(&read.document).len() as u64;
        bytes += read.document.text.len();
        batch.push(Incoming {
            source: file.source,
            path: file.path.to_string_lossy().into_owned(),
            hash,
            bytes: read.fingerprint.bytes,
            tags: file.tags,
            document: read.document,
        });
        if batch.len() >= BATCH_DOCUMENTS_MAX || bytes >= BATCH_BYTES_MAX {
            hand_over(settings, link, namespace, std::mem::take(&mut batch)).await?;
            bytes = 0;
        }
    }
    progress.end();
    if !batch.is_empty() {
        hand_over(settings, link, namespace, batch).await?;
    }
    Ok(())
}

/// Whether both files are there and are not the same one. A file that was moved takes the place of what it was.
fn is_another(file: &Path, kept: &Path) -> bool {
    file != kept
        && match (file.canonicalize(), kept.canonicalize()) {
            (Ok(file), Ok(kept)) => file != kept,
            _ => false,
        }
}

async fn hand_over(
    settings: &Settings,
    link: &HostLink,
    namespace: &NamespaceName,
    documents: Vec<Incoming>,
) -> Result<(), AppError> {
    let change = Change::Add { documents };
    change_namespace(settings, link, namespace, change).await?;
    Ok(())
}

pub async fn change_namespace(
    settings: &Settings,
    link: &HostLink,
    namespace: &NamespaceName,
    change: Change,
) -> Result<usize, AppError> {
    let upkeep = Upkeep::Knowledge {
        namespace: namespace.clone(),
        change: Box::new(change),
    };
    link.upkeep(&settings.tenant, upkeep).await
}

/// Brings a namespace up to date with its folders.
pub async fn look_again(
    settings: &Settings,
    link: &HostLink,
    of: &NamespaceRecord,
    progress: &dyn Progress,
) -> Result<Taken, AppError> {
    let mut taken = Taken::default();
    let mut files = Vec::new();
    for folder in &of.folders {
        files.extend(files_of(folder, &mut taken)?);
    }
    let there: BTreeSet<&str> = files.iter().map(|file| file.source.as_str()).collect();
    let gone: BTreeSet<&str> = of
        .documents
        .iter()
        .filter(|kept| !there.contains(kept.source.as_str()))
        .filter(|kept| {
            let mut folders = of.folders.iter();
            folders.any(|folder| Path::new(&kept.path).starts_with(&folder.path))
        })
        .map(|kept| kept.source.as_str())
        .collect();
    taken.removed = gone.len();
    if !gone.is_empty() {
        let sources = gone.into_iter().map(str::to_owned).collect();
        let change = Change::Remove { sources };
        change_namespace(settings, link, &of.name, change).await?;
    }
    take_in(
        settings,
        link,
        &of.name,
        Some(of),
        files,
        &mut taken,
        progress,
    )
    .await?;
    taken.embedded = embed(settings, link, &of.name, progress).await?;
    Ok(taken)
}
