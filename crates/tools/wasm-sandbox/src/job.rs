//! What is to be run, with what, and how much it may use.

use std::time::Duration;

use thiserror::Error;

pub const MODULE_BYTES_MAX: usize = 4 * MEGABYTE as usize;
pub const FILES_IN_MAX: usize = 64;
pub const FILES_OUT_MAX: usize = 64;
pub(crate) const NAME_BYTES_MAX: usize = 255;
const MEGABYTE: u64 = 1024 * 1024;
/// 2000-01-01T00:00:00Z: what a job's clock shows unless it is told otherwise.
const NOW_SECONDS_DEFAULT: u64 = 946_684_800;

/// One run of one module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub code: Code,
    pub stdin: Vec<u8>,
    /// In the job's folder before it starts.
    pub files: Vec<FileIn>,
    /// Names of files in the job's folder that are wanted back.
    pub wanted: Vec<String>,
    /// What the job's clocks show, since 1970; they stand still.
    pub now: Duration,
    /// Where its random numbers begin.
    pub seed: u64,
    pub limits: Limits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// WebAssembly text.
    Text(String),
    Binary(Vec<u8>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileIn {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What one job may use at most. All of it is memory or time of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub fuel: u64,
    pub wall: Duration,
    pub memory_bytes: u64,
    pub open_files: usize,
    /// Of all the files in its folder.
    pub disk_bytes: u64,
    pub total_files: usize,
    /// Of standard output, and again of standard error; what is more is left out.
    pub output_bytes: usize,
    /// Of all files that are wanted back.
    pub collected_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 10_000_000_000,
            wall: Duration::from_secs(60),
            memory_bytes: 64 * MEGABYTE,
            open_files: 64,
            disk_bytes: 32 * MEGABYTE,
            total_files: 1_000,
            output_bytes: 256 * 1024,
            collected_bytes: 16 * MEGABYTE,
        }
    }
}

/// Why a job is not even tried.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadJob {
    #[error("the code has {bytes} bytes; the limit is {MODULE_BYTES_MAX}")]
    Code { bytes: usize },
    #[error(
        "`{name}` is not a valid file name: it must be relative, without `.` and `..`, and at most {NAME_BYTES_MAX} \
         bytes long"
    )]
    Name { name: String },
    #[error("`{name}` is given twice")]
    Twice { name: String },
    #[error("{count} files are given; the limit is {max}")]
    FilesIn { count: usize, max: usize },
    #[error("{count} files are requested; the limit is {FILES_OUT_MAX}")]
    FilesOut { count: usize },
    #[error("the given files have {bytes} bytes in total; the limit is {max}")]
    TooLarge { bytes: u64, max: u64 },
}

impl Job {
    /// A job with nothing in its folder.
    pub fn new(code: Code) -> Self {
        Self {
            code,
            stdin: Vec::new(),
            files: Vec::new(),
            wanted: Vec::new(),
            now: Duration::from_secs(NOW_SECONDS_DEFAULT),
            seed: 0,
            limits: Limits::default(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BadJob> {
        let bytes = match &self.code {
            Code::Text(text) => text.len(),
            Code::Binary(module) => module.len(),
        };
        if bytes > MODULE_BYTES_MAX {
            return Err(BadJob::Code { bytes });
        }
        let (count, max) = (self.files.len(), FILES_IN_MAX.min(self.limits.total_files));
        if count > max {
            return Err(BadJob::FilesIn { count, max });
        }
        let count = self.wanted.len();
        if count > FILES_OUT_MAX {
            return Err(BadJob::FilesOut { count });
        }
        check_names(self.files.iter().map(|file| file.name.as_str()))?;
        check_names(self.wanted.iter().map(String::as_str))?;
        let bytes = self.files.iter().map(|file| file.bytes.len() as u64).sum();
        let max = self.limits.disk_bytes;
        if bytes > max {
            return Err(BadJob::TooLarge { bytes, max });
        }
        Ok(())
    }
}

fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), BadJob> {
    let mut seen = Vec::new();
    for name in names {
        if !is_file_name(name) {
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

/// One file has one such name: relative, and every part of it a name.
pub(crate) fn is_file_name(name: &str) -> bool {
    name.len() <= NAME_BYTES_MAX
        && !name.contains('\0')
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}
