//! `adjutant kb`: the documents that missions may read.

use std::path::Path;

use adjutant_host::Performs;
use adjutant_knowledge_base::{Address, Change, Folder, KnowledgeBase, NamespaceName, Shelf};
use adjutant_knowledge_index::DocumentKind;
use adjutant_mission::MicroUsd;
use serde::Deserialize;
use serde_json::json;

use super::{kb_review, kb_search};
use crate::args::{Kb, KbAdd};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::progress::TerminalProgress;
use crate::view::{Line, Table, Tone, bytes, count, money, wrap};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::knowledge::kind_name;
use adjutant_app::knowledge::{
    File, Taken, change_namespace, embed, files_of, look_again, namespaces, take_in,
};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, which: Kb) -> Result<Exit, AppError> {
    match which {
        Kb::Add(add) => self::add(settings, add).await,
        Kb::List { namespace, json } => list(settings, namespace, json.json.into()).await,
        Kb::Search(search) => kb_search::run(settings, *search).await,
        Kb::Review(review) => kb_review::run(settings, review).await,
        Kb::Show { address, json } => show(settings, &address, json.json.into()).await,
        Kb::Remove {
            namespace,
            sources,
            all,
            json,
        } => remove(settings, &namespace, sources, all, json.json.into()).await,
        Kb::Reindex {
            namespace,
            anew,
            json,
        } => reindex(settings, namespace, anew, json.json.into()).await,
    }
}

async fn add(settings: &Settings, add: KbAdd) -> Result<Exit, AppError> {
    let namespace: NamespaceName = add.namespace.parse()?;
    let mut taken = Taken::default();
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for path in &add.paths {
        let unreadable = |error: std::io::Error| {
            AppError::new(
                ErrorKind::BadInput,
                "ADJ-8010",
                format!("{}: {error}", path.display()),
                "Name an existing file or folder that you may read.",
            )
        };
        let whole = std::path::absolute(path).map_err(unreadable)?;
        let metadata = std::fs::metadata(&whole).map_err(unreadable)?;
        if metadata.is_dir() {
            let whole = whole.canonicalize().map_err(unreadable)?;
            let folder = Folder {
                path: whole.to_string_lossy().into_owned(),
                tags: add.tags.clone(),
            };
            files.extend(files_of(&folder, &mut taken)?);
            folders.push(folder);
        } else {
            files.push(File {
                source: named(path),
                path: whole,
                tags: add.tags.clone(),
                hash: None,
                named: true,
            });
        }
    }
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = async {
        for folder in folders {
            let change = Change::Watch { folder };
            change_namespace(settings, &engine, &namespace, change).await?;
        }
        let all = namespaces(settings).await?;
        let before = all.iter().find(|of| of.name == namespace);
        take_in(
            settings,
            &engine,
            &namespace,
            before,
            files,
            &mut taken,
            &TerminalProgress,
        )
        .await?;
        taken.embedded = embed(settings, &engine, &namespace, &TerminalProgress).await?;
        Ok(())
    };
    let done: Result<(), AppError> = done.await;
    engine.close().await?;
    done?;
    tell(&namespace, &taken, add.json.json.into())
}

fn named(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

pub(super) fn tell(namespace: &NamespaceName, taken: &Taken, form: Form) -> Result<Exit, AppError> {
    let exit = match taken.refused {
        true => Exit::BadInput,
        false => Exit::Ok,
    };
    if form == Form::Json {
        output::line(&as_json(namespace, taken).to_string())?;
        return Ok(exit);
    }
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    for (n, what) in [
        (taken.added, "added"),
        (taken.changed, "changed"),
        (taken.removed, "removed"),
        (taken.same, "unchanged"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if parts.is_empty() {
        parts.push("nothing to import".into());
    }
    let mut line = Line::of(Tone::Done, "✓ ")
        .and(Tone::Bold, namespace.as_str())
        .plain(format!("  {}", parts.join(", ")));
    if taken.passages > 0 {
        let passages = count(taken.passages as usize, "passage");
        line = line.and(Tone::Dim, format!(" · {passages}"));
    }
    if taken.embedded.passages > 0 {
        let vectors = count(taken.embedded.passages, "vector");
        line = line.and(Tone::Dim, format!(" · {vectors}"));
        if taken.embedded.cost > MicroUsd::ZERO {
            line = line.and(Tone::Dim, format!(" for {}", money(taken.embedded.cost)));
        }
    }
    lines.push(line);
    let (width, _) = output::size();
    if let Some(trouble) = &taken.embedded.trouble {
        let told = format!(
            "embeddings are missing: {trouble} (ADJ-8015); until they are computed, passages are found by keywords only"
        );
        for (at, part) in wrap(&told, width.saturating_sub(4)).iter().enumerate() {
            let mark = if at == 0 { "  ! " } else { "    " };
            lines.push(Line::of(Tone::Human, mark).plain(part));
        }
    }
    for (source, failure) in &taken.unread {
        lines.push(
            Line::of(Tone::Failed, "  ✗ ")
                .plain(source)
                .and(Tone::Dim, format!("  {failure} (ADJ-8012)"))
                .fit(width),
        );
    }
    for (source, other) in &taken.clashes {
        let told = format!("  skipped: {other} has this name in the namespace (ADJ-8016)");
        lines.push(
            Line::of(Tone::Failed, "  ✗ ")
                .plain(source)
                .and(Tone::Dim, told)
                .fit(width),
        );
    }
    for (source, what) in &taken.omissions {
        lines.push(
            Line::of(Tone::Human, "  ! ")
                .plain(source)
                .and(Tone::Dim, format!("  {what}"))
                .fit(width),
        );
    }
    for (source, because) in &taken.skipped {
        lines.push(
            Line::of(Tone::Dim, "  – ")
                .plain(source)
                .and(Tone::Dim, format!("  skipped: {because}"))
                .fit(width),
        );
    }
    Line::print_all(&lines, output::paint())?;
    Ok(exit)
}

fn as_json(namespace: &NamespaceName, taken: &Taken) -> serde_json::Value {
    let unread: Vec<_> = taken
        .unread
        .iter()
        .map(|(source, failure)| json!({ "source": source, "code": "ADJ-8012", "why": failure.to_string() }))
        .collect();
    json!({
        "namespace": namespace.as_str(), "added": taken.added, "changed": taken.changed,
        "unchanged": taken.same, "removed": taken.removed, "passages": taken.passages, "unread": unread,
        "clashes": taken.clashes.iter().map(|(source, other)| json!({ "source": source, "code": "ADJ-8016", "other": other })).collect::<Vec<_>>(),
        "omissions": taken.omissions.iter().map(|(source, what)| json!({ "source": source, "what": what })).collect::<Vec<_>>(),
        "embedded": taken.embedded.passages, "embedding_cost": taken.embedded.cost,
        "not_embedded": taken.embedded.trouble.as_ref().map(ToString::to_string),
    })
}

async fn list(settings: &Settings, one: Option<String>, form: Form) -> Result<Exit, AppError> {
    let all = namespaces(settings).await?;
    let Some(one) = one else {
        if form == Form::Json {
            for of in &all {
                let told = json!({
                    "namespace": of.name.as_str(), "documents": of.documents.len(), "passages": of.passages(),
                    "folders": of.folders, "bytes": of.documents.iter().map(|of| of.bytes).sum::<u64>(),
                });
                output::line(&told.to_string())?;
            }
            return Ok(Exit::Ok);
        }
        let listed = all.iter().map(|of| ListedBase {
            name: of.name.as_str().to_owned(),
            documents: of.documents.len() as u64,
            passages: of.passages(),
            bytes: of.documents.iter().map(|of| of.bytes).sum(),
            folders: of.folders.iter().map(|of| of.path.clone()).collect(),
        });
        return tell_bases(&listed.collect::<Vec<_>>());
    };
    let name: NamespaceName = one.parse()?;
    let of = all.iter().find(|of| of.name == name);
    let of = of.ok_or(adjutant_knowledge_base::KnowledgeError::NoNamespace(name))?;
    if form == Form::Json {
        for document in &of.documents {
            let told = json!({
                "source": document.source, "kind": document.kind, "title": document.title, "date": document.date,
                "author": document.author, "tags": document.tags, "language": document.language,
                "passages": document.passages, "characters": document.characters, "bytes": document.bytes,
                "hash": document.hash,
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let listed = of.documents.iter().map(|document| ListedDocument {
        source: document.source.clone(),
        title: document.title.clone(),
        kind: document.kind,
        date: document.date.clone(),
        passages: document.passages.into(),
    });
    tell_documents(&listed.collect::<Vec<_>>())
}

/// A namespace as it is listed.
#[derive(Debug, Deserialize)]
pub(super) struct ListedBase {
    name: String,
    documents: u64,
    passages: u64,
    bytes: u64,
    /// Of the machine that looks at them.
    #[serde(default)]
    folders: Vec<String>,
}

pub(super) fn tell_bases(all: &[ListedBase]) -> Result<Exit, AppError> {
    if all.is_empty() {
        output::note("The knowledge base is empty; import documents with `adjutant kb add PATH`.");
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["namespace", "documents", "passages", "size", "folders"]);
    for of in all {
        table.row([
            Line::of(Tone::Bold, &of.name),
            Line::new().plain(of.documents.to_string()),
            Line::new().plain(of.passages.to_string()),
            Line::new().plain(bytes(of.bytes)),
            Line::of(Tone::Dim, of.folders.join(", ")),
        ]);
    }
    let (width, _) = output::size();
    Line::print_all(&table.lines(width, 4), output::paint())?;
    Ok(Exit::Ok)
}

/// A document as it is listed.
#[derive(Debug, Deserialize)]
pub(super) struct ListedDocument {
    source: String,
    title: Option<String>,
    kind: DocumentKind,
    date: Option<String>,
    passages: u64,
}

pub(super) fn tell_documents(all: &[ListedDocument]) -> Result<Exit, AppError> {
    let mut table = Table::headed(&["source", "title", "kind", "date", "passages"]);
    for document in all {
        table.row([
            Line::of(Tone::Bold, &document.source),
            Line::new().plain(document.title.as_deref().unwrap_or_default()),
            Line::of(Tone::Dim, kind_name(document.kind)),
            Line::new().plain(document.date.as_deref().unwrap_or_default()),
            Line::new().plain(document.passages.to_string()),
        ]);
    }
    let (width, _) = output::size();
    Line::print_all(&table.lines(width, 1), output::paint())?;
    Ok(Exit::Ok)
}

async fn show(settings: &Settings, address: &str, form: Form) -> Result<Exit, AppError> {
    let address: Address = address.parse()?;
    let reading = ReadOnlyStore::expect(settings).await?;
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(reading.journal, &shelf);
    let (kept, document) = base.document(&address.namespace, &address.source).await?;
    let text = match address.characters {
        None => document.text,
        Some((from, to)) => {
            let mut letters = document.text.chars().skip(from as usize);
            let cut: String = letters
                .by_ref()
                .take(to.saturating_sub(from) as usize)
                .collect();
            if cut.is_empty() {
                let last = kept.characters;
                return Err(AppError::new(
                    ErrorKind::BadInput,
                    "ADJ-8013",
                    format!("{address} is outside the document, which has characters 0 to {last}"),
                    "Copy the address from `adjutant kb search`; the document may have changed since.",
                ));
            }
            cut
        }
    };
    if form == Form::Json {
        let told = json!({
            "address": address.to_string(), "title": kept.title, "author": kept.author, "date": kept.date,
            "kind": kept.kind, "path": kept.path, "tags": kept.tags, "text": text,
        });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let (width, _) = output::size();
    let mut about = vec![kind_name(kept.kind)];
    about.extend(kept.date.clone());
    about.extend(kept.author.clone());
    let mut lines = vec![
        Line::of(Tone::Bold, kept.title.as_deref().unwrap_or(&kept.source)),
        Line::of(Tone::Dim, about.join(" · ")),
        Line::of(Tone::Dim, address.to_string()),
        Line::new(),
    ];
    for paragraph in text.lines() {
        let wrapped = wrap(paragraph, width);
        match wrapped.is_empty() {
            true => lines.push(Line::new()),
            false => lines.extend(wrapped.iter().map(|line| Line::new().plain(line))),
        }
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

async fn remove(
    settings: &Settings,
    namespace: &str,
    sources: Vec<String>,
    all: bool,
    form: Form,
) -> Result<Exit, AppError> {
    let namespace: NamespaceName = namespace.parse()?;
    let known = namespaces(settings).await?;
    let of = known.into_iter().find(|of| of.name == namespace);
    let missing = || adjutant_knowledge_base::KnowledgeError::NoNamespace(namespace.clone());
    let of = of.ok_or_else(missing)?;
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = async {
        let mut folders = of.folders.iter();
        let sources = match all {
            false => sources,
            true => {
                for folder in folders.by_ref() {
                    let path = folder.path.clone();
                    let change = Change::Forget { path };
                    change_namespace(settings, &engine, &namespace, change).await?;
                }
                of.documents.iter().map(|of| of.source.clone()).collect()
            }
        };
        // With its last folder an empty namespace is gone.
        if sources.is_empty() && !of.folders.is_empty() {
            return Ok(0);
        }
        let change = Change::Remove { sources };
        change_namespace(settings, &engine, &namespace, change).await
    };
    let done: Result<usize, AppError> = done.await;
    engine.close().await?;
    let removed = done?;
    let taken = Taken {
        removed,
        ..Taken::default()
    };
    tell(&namespace, &taken, form)
}

async fn reindex(
    settings: &Settings,
    namespace: Option<String>,
    anew: bool,
    form: Form,
) -> Result<Exit, AppError> {
    let mut all = namespaces(settings).await?;
    if let Some(name) = namespace {
        let name: NamespaceName = name.parse()?;
        all.retain(|of| of.name == name);
        if all.is_empty() {
            return Err(adjutant_knowledge_base::KnowledgeError::NoNamespace(name).into());
        }
    }
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = async {
        let mut told = Vec::new();
        for of in &all {
            if anew {
                change_namespace(settings, &engine, &of.name, Change::Reindex).await?;
            }
            told.push((
                of.name.clone(),
                look_again(settings, &engine, of, &TerminalProgress).await?,
            ));
        }
        Ok(told)
    };
    let done: Result<Vec<(NamespaceName, Taken)>, AppError> = done.await;
    engine.close().await?;
    for (name, taken) in done? {
        tell(&name, &taken, form)?;
    }
    Ok(Exit::Ok)
}
