//! What is to be run, and with what.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Limits;
use crate::places::{CODE_FOLDER, JOB_FOLDER};

pub const FILES_IN_MAX: usize = 64;
pub const FILES_OUT_MAX: usize = 64;
const NAME_BYTES_MAX: usize = 255;

/// One run of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub program: Program,
    pub stdin: Vec<u8>,
    /// All the job sees of an environment, besides its `HOME` and `TMPDIR`.
    pub environment: Vec<(String, String)>,
    pub folder: Folder,
    /// Written to the job's folder before it starts.
    pub files: Vec<FileIn>,
    /// Names of files in the job's folder that are wanted back.
    pub wanted: Vec<String>,
    /// Files and folders of this machine that the job sees under the same path, and cannot change.
    pub readable: Vec<PathBuf>,
    pub limits: Limits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program by its name or path, and its arguments.
    Arguments(Vec<String>),
    Code {
        language: Language,
        code: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    Python,
    Javascript,
    Shell,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::Python, Self::Javascript, Self::Shell];

    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Javascript => "javascript",
            Self::Shell => "shell",
        }
    }

    /// The program that runs it.
    pub fn interpreter(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::Javascript => "node",
            Self::Shell => "sh",
        }
    }

    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Python => "main.py",
            Self::Javascript => "main.js",
            Self::Shell => "main.sh",
        }
    }
}

/// Where a job works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// In memory, and gone when the job has ended.
    Own,
    /// A folder of this machine, which the job reads and changes.
    Shared(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileIn {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Why a job is not even tried.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadJob {
    #[error("there is no program to run")]
    NoProgram,
    #[error(
        "`{name}` is not a valid file name: it must be relative, without `..`, and at most {NAME_BYTES_MAX} bytes long"
    )]
    Name { name: String },
    #[error("`{name}` is given twice")]
    Twice { name: String },
    #[error("{count} files are given; the limit is {FILES_IN_MAX}")]
    FilesIn { count: usize },
    #[error("{count} files are requested; the limit is {FILES_OUT_MAX}")]
    FilesOut { count: usize },
    #[error("the given files have {bytes} bytes in total; the limit is {max}")]
    TooLarge { bytes: u64, max: u64 },
    #[error(
        "files cannot be passed to or returned from a job in a shared folder: they are already there"
    )]
    SharedFolder,
    #[error("`{}` cannot be shown to a job: {why}", path.display())]
    Readable { path: PathBuf, why: &'static str },
    #[error(
        "`{name}` cannot be set in the environment of a job: a name has no `=`, and neither it nor its value has a zero byte"
    )]
    Environment { name: String },
}

impl Job {
    /// A job in a folder of its own, with nothing in it.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            stdin: Vec::new(),
            environment: vec![("LANG".into(), "C.UTF-8".into())],
            folder: Folder::Own,
            files: Vec::new(),
            wanted: Vec::new(),
            readable: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Whether it can be tried. Looks at nothing but the job itself.
    pub fn check(&self) -> Result<(), BadJob> {
        if matches!(&self.program, Program::Arguments(words) if words.is_empty()) {
            return Err(BadJob::NoProgram);
        }
        let shared = matches!(self.folder, Folder::Shared(_));
        if shared && !(self.files.is_empty() && self.wanted.is_empty()) {
            return Err(BadJob::SharedFolder);
        }
        if self.files.len() > FILES_IN_MAX {
            return Err(BadJob::FilesIn {
                count: self.files.len(),
            });
        }
        if self.wanted.len() > FILES_OUT_MAX {
            return Err(BadJob::FilesOut {
                count: self.wanted.len(),
            });
        }
        check_file_names(self.files.iter().map(|file| file.name.as_str()))?;
        check_file_names(self.wanted.iter().map(String::as_str))?;
        self.readable
            .iter()
            .try_for_each(|path| check_readable(path))?;
        check_environment(&self.environment)?;
        let bytes = self.files.iter().map(|file| file.bytes.len() as u64).sum();
        if bytes > self.limits.disk_bytes {
            return Err(BadJob::TooLarge {
                bytes,
                max: self.limits.disk_bytes,
            });
        }
        Ok(())
    }
}

/// Folders that a job has of its own: to show the machine's in their place would undo what they are for.
const NEVER_SHOWN: [&str; 5] = ["/proc", "/dev", "/sys", JOB_FOLDER, CODE_FOLDER];
/// These hold what is the job's own besides; what is below them can be shown.
const NOT_AS_A_WHOLE: [&str; 3] = ["/", "/etc", "/tmp"];

/// Whether a path of this machine can be shown to a job.
pub fn check_readable(path: &Path) -> Result<(), BadJob> {
    let refused = |why| {
        Err(BadJob::Readable {
            path: path.to_owned(),
            why,
        })
    };
    let plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
    if !path.is_absolute() || !path.components().all(plain) {
        return refused("it must be an absolute path without `..`");
    }
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return refused("it has a zero byte");
    }
    if NEVER_SHOWN.iter().any(|own| path.starts_with(own)) {
        return refused("a job has a folder of its own there");
    }
    // `/etc/.` is `/etc`, too: paths are compared by their parts.
    if NOT_AS_A_WHOLE.iter().any(|whole| path == Path::new(whole)) {
        return refused("name the folders below it that the job needs");
    }
    Ok(())
}

/// The environment is handed on as a list that zero bytes separate: one inside a value would begin another option.
fn check_environment(environment: &[(String, String)]) -> Result<(), BadJob> {
    let fits = |(name, value): &&(String, String)| {
        !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
    };
    match environment.iter().find(|entry| !fits(entry)) {
        Some((name, _)) => Err(BadJob::Environment {
            name: name.escape_debug().to_string(),
        }),
        None => Ok(()),
    }
}

/// Whether files of a job can have these names: each leads to a file of its own inside the folder.
pub fn check_file_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), BadJob> {
    let mut seen = Vec::new();
    for name in names {
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let plain = !name.contains('\0') && !name.contains("//") && !name.ends_with('/');
        // `a/./b` has only normal components, and would be another name of the same file.
        let direct = name.split('/').all(|part| part != ".");
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !inside || !plain || !direct {
            return Err(BadJob::Name {
                name: name.escape_debug().to_string(),
            });
        }
        if seen.contains(&name) {
            return Err(BadJob::Twice { name: name.into() });
        }
        seen.push(name);
    }
    Ok(())
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
#[path = "job_tests.rs"]
mod tests;
