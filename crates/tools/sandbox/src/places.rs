//! Where things are, outside and inside.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder a job works in, as the job sees it.
pub const JOB_FOLDER: &str = "/job";
/// Where the job finds the code it was given.
pub(crate) const CODE_FOLDER: &str = "/code";
/// Where programs are looked for, and all a job has in its `PATH`: folders that are visible inside.
pub(crate) const PROGRAM_FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// A program by name, in the folders that a job sees too.
pub fn find_program(name: &str) -> Option<PathBuf> {
    PROGRAM_FOLDERS
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| is_program(path))
}

pub(crate) fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
