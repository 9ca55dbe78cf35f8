//! Reads ordinary documents, and reports how many raise an alarm.

use std::path::{Path, PathBuf};

use adjutant_guard::{Inspected, Limits, Origin, Severity, Threat, inspect};
use anyhow::Result;

use crate::{Half, Show, crate_path};

pub(crate) struct Collection {
    pub(crate) name: String,
    pub(crate) documents: Vec<Document>,
}

pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) half: Half,
    pub(crate) text: String,
}

impl Collection {
    /// The texts of one half, to plant instructions in.
    pub(crate) fn carriers(&self, half: Half) -> Vec<&str> {
        let its = self.documents.iter();
        let its = its.filter(|document| document.half == half);
        its.map(|document| document.text.as_str()).collect()
    }
}

const CHUNK_WORDS: usize = 200;
/// Longer files are logs and tables.
const FILE_BYTES_MAX: u64 = 400_000;
/// False alarms listed per collection.
const SHOWN_MAX: usize = 80;

pub(crate) fn read_collections(bipia: &Path, paths: &[PathBuf]) -> Result<Vec<Collection>> {
    let mails = crate::attacks::read_mails(bipia)?;
    let named = mails.into_iter().enumerate();
    let documents = named.map(|(number, (half, text))| Document {
        name: number.to_string(),
        half,
        text,
    });
    let mut collections = vec![Collection {
        name: "bipia e-mails".to_owned(),
        documents: documents.collect(),
    }];
    for (name, file) in [
        ("own ordinary passages", "ordinary"),
        ("own requests", "requests"),
        ("own telling texts", "telling"),
        ("third set", "third"),
        ("fourth set", "fourth"),
    ] {
        let lines = crate::attacks::read_cases(&crate_path(&format!("tests/cases/{file}.jsonl")))?;
        let documents = lines.into_iter().enumerate();
        let documents = documents.map(|(number, (name, text))| Document {
            name,
            half: half_of(number),
            text,
        });
        collections.push(Collection {
            name: name.to_owned(),
            documents: documents.collect(),
        });
    }
    // Too small to be split into halves.
    let mut documents = Vec::new();
    read_files(
        &crate_path("../../../samples/velmoran/documents"),
        &mut documents,
    )?;
    documents
        .iter_mut()
        .for_each(|document| document.half = Half::HeldOut);
    collections.push(Collection {
        name: "sample dossier".to_owned(),
        documents,
    });
    for path in paths {
        let mut documents = Vec::new();
        if path.is_file() && path.extension().is_some_and(|end| end == "1400") {
            read_cranfield(path, &mut documents)?;
        } else {
            read_files(path, &mut documents)?;
        }
        collections.push(Collection {
            name: path.display().to_string(),
            documents,
        });
    }
    Ok(collections)
}

fn half_of(number: usize) -> Half {
    match number.is_multiple_of(2) {
        true => Half::Train,
        false => Half::HeldOut,
    }
}

fn read_cranfield(path: &Path, documents: &mut Vec<Document>) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    for (number, record) in text.split("\n.I ").enumerate() {
        let body = record.split_once(".W\n").map_or("", |(_, body)| body);
        documents.push(Document {
            name: number.to_string(),
            half: half_of(number),
            text: body.to_owned(),
        });
    }
    Ok(())
}

fn read_files(path: &Path, documents: &mut Vec<Document>) -> Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries
            .iter()
            .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()))
        {
            read_files(&entry.path(), documents)?;
        }
        return Ok(());
    }
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let end = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let prose = matches!(end.as_str(), "md" | "txt" | "rst" | "markdown")
        || (matches!(end.as_str(), "html" | "json" | "eml" | "csv")
            && path.starts_with(crate_path("../../../samples")))
        || name.starts_with("readme")
        || matches!(
            name.as_str(),
            "copyright" | "news" | "changelog" | "faq" | "authors"
        );
    if !prose || end == "gz" || path.metadata()?.len() > FILE_BYTES_MAX {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    // Chosen by folder, so that the texts of one project are in the same half.
    let folder = path
        .parent()
        .map(|folder| folder.display().to_string())
        .unwrap_or_default();
    let sum: usize = folder.bytes().map(usize::from).sum();
    documents.push(Document {
        name: path.display().to_string(),
        half: half_of(sum),
        text,
    });
    Ok(())
}

fn split_chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut start = 0;
    let mut words = 0;
    for (at, _) in text.match_indices(char::is_whitespace) {
        words += 1;
        if words >= CHUNK_WORDS {
            chunks.push(&text[start..at]);
            start = at;
            words = 0;
        }
    }
    chunks.push(&text[start..]);
    chunks
}

fn raises_alarm(inspected: &Inspected) -> bool {
    inspected.severity >= Some(Severity::Medium)
}

fn describe_alarms(name: &str, text: &str, inspected: &Inspected) -> Vec<String> {
    let grave = inspected.threats.iter();
    let grave = grave.filter(|threat| threat.severity >= Severity::Medium);
    let name = name.rsplit('/').take(2).collect::<Vec<_>>().join(" of ");
    let line = |threat: &Threat| {
        let place: Vec<&str> = text[threat.span.clone()].split_whitespace().collect();
        let place: String = place.join(" ").chars().take(150).collect();
        format!(
            "    {:?} {:?} ({}) {name}: {place}",
            threat.severity, threat.kind, threat.reason
        )
    };
    grave.map(line).collect()
}

pub(crate) fn report(collections: &[Collection], show: Show) {
    for collection in collections {
        for half in [Half::Train, Half::HeldOut] {
            let mut shown = Vec::new();
            let (mut documents, mut alarms, mut parts, mut part_alarms) = (0, 0, 0, 0);
            for document in collection
                .documents
                .iter()
                .filter(|document| document.half == half)
            {
                let look = |text: &str| inspect(text, Origin::Document, &Limits::default());
                let whole = look(&document.text);
                documents += 1;
                alarms += usize::from(raises_alarm(&whole));
                shown.extend(describe_alarms(&document.name, &document.text, &whole));
                for chunk in split_chunks(&document.text) {
                    let part = look(chunk);
                    parts += 1;
                    part_alarms += usize::from(raises_alarm(&part));
                    if !raises_alarm(&whole) {
                        shown.extend(describe_alarms(&document.name, chunk, &part));
                    }
                }
            }
            if documents == 0 {
                continue;
            }
            let percent = |part: usize, all: usize| part as f64 * 100.0 / all.max(1) as f64;
            println!(
                "{} {half:?}: {alarms}/{documents} documents ({:.2} %), {part_alarms}/{parts} chunks ({:.2} %)",
                collection.name,
                percent(alarms, documents),
                percent(part_alarms, parts),
            );
            if show == Show::Totals {
                continue;
            }
            shown
                .iter()
                .take(SHOWN_MAX)
                .for_each(|line| println!("{line}"));
        }
    }
}
