//! `write_file`: writes a text into the output folder. All of it or nothing, durably, and never outside that
//! folder: each folder on the way is opened without following links, so no link can lead out, not even one
//! made while it runs.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use adjutant_mission::{EffectClass, EffectId, Millis, Provenance};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

const PATH_CHARS_MAX: usize = 1_024;
const TEXT_CHARS_MAX: usize = 8 * 1024 * 1024;

pub(super) struct WriteFile {
    manifest: Manifest,
    folder: PathBuf,
}

#[derive(Deserialize)]
struct Arguments {
    path: String,
    text: String,
}

impl WriteFile {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: "write_file",
            name: "Write a file",
            description: "Writes a text to a file in the output folder, creating folders as needed and replacing an \
                          existing file.",
            class: EffectClass::Idempotent,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["path", "text"],
                "properties": {
                    "path": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": PATH_CHARS_MAX,
                        "description": "Relative to the output folder, without `..`."
                    },
                    "text": { "type": "string", "maxLength": TEXT_CHARS_MAX }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["path", "bytes"],
                "properties": { "path": { "type": "string" }, "bytes": { "type": "integer" } }
            })),
            time_limit: Millis::seconds(60),
            output_bytes_max: 8 * 1024,
        }
        .manifest()?;
        Ok(Self {
            manifest,
            folder: settings.output_folder.clone(),
        })
    }
}

impl Tool for WriteFile {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let folder = self.folder.clone();
        Box::pin(async move {
            let Arguments { path, text } = read(call.arguments)?;
            let (folders, name) = parts(&path)?;
            let bytes = text.len();
            let shown = path.clone();
            tokio::task::spawn_blocking(move || {
                write(&folder, &folders, &name, &text, call.effect)
            })
            .await
            .map_err(|error| ToolFailure::temporary(format!("writing `{shown}`: {error}")))?
            .map_err(|error| explain(&shown, &error))?;
            Ok(json!({ "path": path, "bytes": bytes }))
        })
    }
}

/// The folders on the way and the file's name.
fn parts(path: &str) -> Result<(Vec<String>, String), ToolFailure> {
    let refuse = |why: &str| {
        Err(ToolFailure::bad_input(format!(
            "`path` is `{path:.100}`, which {why}: give a path inside the output folder, like `reports/summary.md`"
        )))
    };
    if path.ends_with('/') || path.contains('\0') {
        return refuse("names no file");
    }
    let mut names = Vec::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => names.push(name.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir => return refuse("leaves the folder with `..`"),
            Component::RootDir | Component::Prefix(_) => return refuse("is absolute"),
        }
    }
    match names.pop() {
        Some(name) => Ok((names, name)),
        None => refuse("names no file"),
    }
}

fn write(
    root: &Path,
    folders: &[String],
    name: &str,
    text: &str,
    effect: EffectId,
) -> io::Result<()> {
    std::fs::create_dir_all(root)?;
    let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder = rustix::fs::openat(CWD, root, directory, Mode::empty())?;
    for next in folders {
        match rustix::fs::mkdirat(&folder, next, Mode::from_raw_mode(0o777)) {
            Ok(()) => rustix::fs::fsync(&folder)?,
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        folder = rustix::fs::openat(&folder, next, directory | OFlags::NOFOLLOW, Mode::empty())?;
    }
    // One name per effect: a repetition after a crash takes over what the crash left behind.
    let unfinished = format!(".{effect}.unfinished");
    let written = fill(&folder, &unfinished, text)
        .and_then(|()| Ok(rustix::fs::renameat(&folder, &unfinished, &folder, name)?))
        .and_then(|()| Ok(rustix::fs::fsync(&folder)?));
    if written.is_err() {
        let _ = rustix::fs::unlinkat(&folder, &unfinished, AtFlags::empty());
    }
    written
}

fn fill(folder: &OwnedFd, name: &str, text: &str) -> io::Result<()> {
    match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(
        folder,
        name,
        flags,
        Mode::from_raw_mode(0o666),
    )?);
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn explain(path: &str, error: &io::Error) -> ToolFailure {
    let is_loop = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
    match error.kind() {
        kind if is_loop || kind == io::ErrorKind::NotADirectory => ToolFailure::bad_input(format!(
            "`{path}` passes through a link or a file; only real folders inside the output folder are entered"
        )),
        io::ErrorKind::IsADirectory => {
            ToolFailure::bad_input(format!("`{path}` is a folder: give the file a name"))
        }
        io::ErrorKind::InvalidFilename => {
            ToolFailure::bad_input(format!("`{path}` holds a name that is too long"))
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ToolFailure::permanent(format!(
                "`{path}` cannot be written: {error}; check the output folder's permissions"
            ))
        }
        _ => ToolFailure::temporary(format!("`{path}` cannot be written: {error}")),
    }
}

#[cfg(test)]
#[path = "write_file_tests.rs"]
mod tests;
