//! `write_file` and `replace_file`: write a text into the tenant's output folder. All of it or nothing, durably, and
//! never outside that folder: each folder on the way is opened without following links, so no link can lead out, not
//! even one made while it runs.
//!
//! `write_file` takes nothing away: where another text is already, it writes nothing. `replace_file` does, and is `once`,
//! so a person is asked before text from outside replaces anything.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use adjutant_mission::{EffectClass, EffectId, Millis, Provenance};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ToolOutline, known_to_fail, literal, read};
use crate::settings::folder_of;
use crate::{
    BoxFuture, Call, Finding, Manifest, References, RegistryError, Tool, ToolFailure, ToolSettings,
};

const PATH_CHARS_MAX: usize = 1_024;
const TEXT_CHARS_MAX: usize = 8 * 1024 * 1024;

pub(super) struct WriteFile {
    manifest: Manifest,
    root: PathBuf,
    over: Over,
}

/// What becomes of another text that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Kept,
    Replaced,
}

#[derive(Deserialize)]
struct Arguments {
    path: String,
    text: String,
}

impl WriteFile {
    pub(super) fn creating(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let outline = outline(
            "write_file",
            "Write a file",
            "Writes a text to a new file in the output folder, creating folders as needed. An existing file with another \
             text stays as it is, and the call fails.",
            EffectClass::Idempotent,
        );
        Self::new(outline, settings, Over::Kept)
    }

    pub(super) fn replacing(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let outline = outline(
            "replace_file",
            "Write or replace a file",
            "Writes a text to a file in the output folder, creating folders as needed and replacing an existing file.",
            EffectClass::Once,
        );
        Self::new(outline, settings, Over::Replaced)
    }

    fn new(
        outline: ToolOutline,
        settings: &ToolSettings,
        over: Over,
    ) -> Result<Self, RegistryError> {
        Ok(Self {
            manifest: outline.manifest()?,
            root: settings.output_folder.clone(),
            over,
        })
    }
}

fn outline(
    id: &'static str,
    name: &'static str,
    description: &'static str,
    class: EffectClass,
) -> ToolOutline {
    ToolOutline {
        id,
        name,
        description,
        class,
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
}

impl Tool for WriteFile {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        known_to_fail("path", literal(arguments, "path"), references, |path| {
            parts(path).map(|_| ())
        })
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let root = folder_of(&self.root, &call.tenant);
        let over = self.over;
        Box::pin(async move {
            let Arguments { path, text } = read(call.arguments)?;
            let (folders, name) = parts(&path)?;
            let bytes = text.len();
            let shown = path.clone();
            let file = Wanted {
                root,
                folders,
                name,
                text,
            };
            tokio::task::spawn_blocking(move || file.write(call.effect, over))
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

/// A file as it is to be.
struct Wanted {
    root: PathBuf,
    folders: Vec<String>,
    name: String,
    text: String,
}

impl Wanted {
    fn write(&self, effect: EffectId, over: Over) -> io::Result<()> {
        let folder = self.folder()?;
        // One name per effect: a repetition after a crash takes over what the crash left behind.
        let unfinished = format!(".{effect}.unfinished");
        let written = fill(&folder, &unfinished, &self.text)
            .and_then(|()| self.put(&folder, &unfinished, over))
            .and_then(|()| Ok(rustix::fs::fsync(&folder)?));
        // Nothing is left under this name unless something went wrong, or the text was there already.
        let _ = rustix::fs::unlinkat(&folder, &unfinished, AtFlags::empty());
        written
    }

    /// Opens the folder that the file belongs in, and makes those that are missing on the way.
    fn folder(&self) -> io::Result<OwnedFd> {
        std::fs::create_dir_all(&self.root)?;
        let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut folder = rustix::fs::openat(CWD, &self.root, directory, Mode::empty())?;
        for next in &self.folders {
            match rustix::fs::mkdirat(&folder, next, Mode::from_raw_mode(0o777)) {
                Ok(()) => rustix::fs::fsync(&folder)?,
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder =
                rustix::fs::openat(&folder, next, directory | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(folder)
    }

    /// Gives the finished text its name.
    fn put(&self, folder: &OwnedFd, unfinished: &str, over: Over) -> io::Result<()> {
        let name = self.name.as_str();
        if over == Over::Replaced {
            return Ok(rustix::fs::renameat(folder, unfinished, folder, name)?);
        }
        let only_new = RenameFlags::NOREPLACE;
        let put = match rustix::fs::renameat_with(folder, unfinished, folder, name, only_new) {
            // Some file systems cannot do that; a second name is never put over another file either.
            Err(Errno::INVAL) => {
                rustix::fs::linkat(folder, unfinished, folder, name, AtFlags::empty())
            }
            put => put,
        };
        match put {
            // A repetition finds what it wrote before.
            Err(Errno::EXIST) if self.is_there(folder)? => Ok(()),
            put => Ok(put?),
        }
    }

    /// Whether a file with this very text is there.
    fn is_there(&self, folder: &OwnedFd) -> io::Result<bool> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(folder, self.name.as_str(), flags, Mode::empty()) {
            Ok(file) => file,
            // A link, or a file that is not ours to read.
            Err(Errno::LOOP | Errno::ACCESS | Errno::NXIO) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let about = rustix::fs::fstat(&file)?;
        match FileType::from_raw_mode(about.st_mode) {
            FileType::Directory => return Err(Errno::ISDIR.into()),
            FileType::RegularFile => {}
            _ => return Ok(false),
        }
        let mut found = Vec::new();
        File::from(file)
            .take(self.text.len() as u64 + 1)
            .read_to_end(&mut found)?;
        Ok(found == self.text.as_bytes())
    }
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
        io::ErrorKind::AlreadyExists => ToolFailure::denied(format!(
            "`{path}` exists with another text and is kept: choose another name, or replace it with `replace_file`, for \
             which a person is asked if text from outside is in the call [ADJ-6170]"
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
