//! Where things are, outside and inside.

use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// The folder a job works in, as the job sees it.
pub const JOB_FOLDER: &str = "/job";
/// Where the job finds the code it was given.
pub(crate) const CODE_FOLDER: &str = "/code";
/// Where programs are looked for, and all a job has in its `PATH`: folders that are visible inside.
pub(crate) const PROGRAM_FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Where the machine keeps its programs and libraries, by tradition in some places and now in one.
pub(crate) const PROGRAMS_AND_LIBRARIES: [&str; 7] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
];
/// As many links as the kernel follows.
const LINKS_MAX: usize = 40;

/// Whether a job that may read these paths sees this one without more.
pub(crate) fn is_shown(path: &Path, readable: &[PathBuf]) -> bool {
    let mut roots = PROGRAMS_AND_LIBRARIES.iter().map(Path::new);
    roots.any(|root| path.starts_with(root)) || readable.iter().any(|shown| path.starts_with(shown))
}

/// Where the links of a program lead to that a job does not see, although it sees the program: such as the Python of a
/// virtual environment, which is a link to the one that made it.
pub fn link_out_of_sight(program: &Path, readable: &[PathBuf]) -> Option<PathBuf> {
    let mut here = program.to_owned();
    for _ in 0..LINKS_MAX {
        // A program by itself is shown by what its links lead to.
        if !is_shown(&here, readable) {
            return (here != program).then_some(here);
        }
        let target = std::fs::read_link(&here).ok()?;
        here = plain(&here.parent()?.join(target));
    }
    None
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

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

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_out_of_what_is_shown_is_named() {
        let home = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = home.path().join(name);
            std::fs::create_dir_all(&path).unwrap();
            path
        };
        let (venv, pythons) = (folder("venv/bin"), folder("pythons"));
        std::fs::write(pythons.join("python3.12"), "").unwrap();
        symlink("/usr/bin/env", venv.join("system")).unwrap();
        symlink("system", venv.join("chained")).unwrap();
        symlink("../../pythons/python3.12", venv.join("python3")).unwrap();
        symlink("python3", venv.join("python")).unwrap();
        symlink("loop", venv.join("loop")).unwrap();
        let shown = [home.path().join("venv")];
        let out = |name: &str, readable: &[PathBuf]| link_out_of_sight(&venv.join(name), readable);
        assert_eq!(out("system", &shown), None);
        assert_eq!(out("chained", &shown), None);
        assert_eq!(out("python", &shown), Some(pythons.join("python3.12")));
        let both = [home.path().join("venv"), pythons.clone()];
        assert_eq!(out("python", &both), None);
        assert_eq!(out("loop", &shown), None, "it ends");
        // A program alone is shown as the file that it is.
        assert_eq!(out("python", &[]), None);
        assert_eq!(link_out_of_sight(Path::new("/usr/bin/env"), &[]), None);
    }
}
