//! How `bwrap` is called: what a job sees, and nothing else.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::places::{CODE_FOLDER, PROGRAM_FOLDERS, PROGRAMS_AND_LIBRARIES, is_program, is_shown};
use crate::wire::{Refusal, Request, RequestProgram};
use crate::{JOB_FOLDER, Language};

use super::confine;
use super::descriptors::{GateInside, in_memory};
use super::filter;
use super::request::Given;

/// Who the job is, as it sees itself.
const USER: &str = "1000";
const PASSWD: &str = "job:x:1000:1000:job:/job:/bin/sh\n";
const GROUP: &str = "job:x:1000:\n";
const HOSTS: &str = "127.0.0.1 localhost\n::1 localhost\n";
/// What programs need of `/etc` to find their libraries and the time of day.
const OF_ETC: [&str; 3] = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"];
/// The files of `/proc` that programs read to learn about the machine. All others tell too much, or can be written.
const OF_PROC: [&str; 7] = [
    "cpuinfo",
    "filesystems",
    "loadavg",
    "meminfo",
    "stat",
    "uptime",
    "version",
];
const SHARED_MEMORY_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The words, and the descriptors that they name.
pub(super) struct Call {
    pub(super) words: Vec<OsString>,
    given: Vec<OwnedFd>,
}

impl Call {
    /// A job that `yields` runs only when nobody else wants to.
    pub(super) fn new(
        given: &Given,
        inside: &GateInside,
        prlimit: &Path,
        yields: bool,
    ) -> Result<Self, Refusal> {
        let program = program(&given.request)?;
        let mut call = Self {
            words: Vec::new(),
            given: Vec::new(),
        };
        call.build(given, inside, prlimit, yields, &program)
            .map_err(|error| Refusal::Trouble(error.to_string()))?;
        Ok(call)
    }

    fn build(
        &mut self,
        given: &Given,
        inside: &GateInside,
        prlimit: &Path,
        yields: bool,
        program: &Path,
    ) -> io::Result<()> {
        self.namespaces();
        self.system()?;
        self.folders(given)?;
        self.readable(&given.request);
        // One that is shown already cannot be put there once more: it may be a link, in a folder that cannot be written.
        if !is_shown(program, &given.request.readable) {
            self.add(["--ro-bind".into(), program.into(), program.into()]);
        }
        self.processes()?;
        self.words(["--remount-ro", "/"]);
        self.environment(&given.request)?;
        let filter = filter::program().map_err(io::Error::other)?;
        self.in_memory("--seccomp", &filter, None)?;
        self.words(["--json-status-fd", &inside.status.as_raw_fd().to_string()]);
        self.words(["--", "/bin/sh", "-c", &gate(inside, yields), "gate"]);
        self.add([prlimit.into()]);
        let limits = confine::limit_words(&given.request.limits);
        self.words(limits.iter().map(String::as_str));
        self.add(["--".into(), program.into()]);
        match &given.request.program {
            RequestProgram::Arguments(words) => {
                self.words(words.iter().skip(1).map(String::as_str))
            }
            RequestProgram::Code { language, .. } => self.words([code_path(*language).as_str()]),
        }
        Ok(())
    }

    fn namespaces(&mut self) {
        self.words(["--unshare-all", "--unshare-user", "--unshare-cgroup"]);
        self.words(["--uid", USER, "--gid", USER, "--hostname", "sandbox"]);
        self.words(["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
    }

    /// The machine's programs, and as little of its settings as they work with.
    fn system(&mut self) -> io::Result<()> {
        for root in PROGRAMS_AND_LIBRARIES {
            match std::fs::read_link(root) {
                Ok(target) => self.add(["--symlink".into(), target.into(), root.into()]),
                Err(_) => self.words(["--ro-bind-try", root, root]),
            }
        }
        for path in OF_ETC {
            self.words(["--ro-bind-try", path, path]);
        }
        for (path, text) in [
            ("/etc/passwd", PASSWD),
            ("/etc/group", GROUP),
            ("/etc/hosts", HOSTS),
        ] {
            self.file(path, "0444", text.as_bytes())?;
        }
        Ok(())
    }

    fn folders(&mut self, given: &Given) -> io::Result<()> {
        let limits = &given.request.limits;
        let size = limits.disk_bytes.max(1).to_string();
        self.words(["--perms", "1777", "--size", &size, "--tmpfs", "/tmp"]);
        match &given.request.shared_folder {
            Some(folder) => {
                self.add(["--bind".into(), folder.into(), folder.into()]);
                self.add(["--chdir".into(), folder.into()]);
            }
            None => {
                self.words(["--size", &size, "--tmpfs", JOB_FOLDER]);
                self.words(["--chdir", JOB_FOLDER]);
            }
        }
        for (named, bytes) in given.request.files.iter().zip(&given.files) {
            self.file(&format!("{JOB_FOLDER}/{}", named.name), "0644", bytes)?;
        }
        if let RequestProgram::Code { language, .. } = &given.request.program {
            self.file(&code_path(*language), "0444", &given.code)?;
        }
        let shared_memory = limits
            .disk_bytes
            .clamp(1, SHARED_MEMORY_BYTES_MAX)
            .to_string();
        self.words(["--dev", "/dev", "--perms", "1777", "--size", &shared_memory]);
        self.words(["--tmpfs", "/dev/shm", "--remount-ro", "/dev"]);
        Ok(())
    }

    /// The job's processes and what programs need to know of the machine. `bwrap` leaves `/proc/sys` writable to a job
    /// that is root outside: whatever is not named is covered, whoever runs it. Nothing in it can be written: unless we
    /// have the capability for it (`CAP_SYS_RESOURCE`), the kernel lets a job take back that it is the first to go when
    /// memory runs out.
    fn processes(&mut self) -> io::Result<()> {
        self.words(["--proc", "/proc"]);
        for entry in std::fs::read_dir("/proc")? {
            let entry = entry?;
            let name = entry.file_name();
            // A process may be gone by now, so nothing is asked about it.
            let is_process = name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
            if is_process || OF_PROC.iter().any(|known| name == *known) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_symlink() {
                continue;
            }
            let path = Path::new("/proc").join(name);
            if kind.is_dir() {
                self.add(["--tmpfs".into(), path.clone().into()]);
                self.add(["--remount-ro".into(), path.into()]);
            } else {
                self.add(["--ro-bind".into(), "/dev/null".into(), path.into()]);
            }
        }
        self.words(["--remount-ro", "/proc"]);
        Ok(())
    }

    /// What the job may read besides, after the folders it has of its own: it may lie below one of them.
    fn readable(&mut self, request: &Request) {
        for path in &request.readable {
            self.add(["--ro-bind".into(), path.into(), path.into()]);
        }
    }

    fn environment(&mut self, request: &Request) -> io::Result<()> {
        let home = match &request.shared_folder {
            Some(_) => "/tmp",
            None => JOB_FOLDER,
        };
        self.words(["--clearenv", "--setenv", "PATH", &PROGRAM_FOLDERS.join(":")]);
        self.words(["--setenv", "HOME", home, "--setenv", "TMPDIR", "/tmp"]);
        if let RequestProgram::Code { language, .. } = &request.program {
            match language {
                Language::Python => {
                    self.words(["--setenv", "PYTHONPATH", JOB_FOLDER]);
                    self.words(["--setenv", "PYTHONDONTWRITEBYTECODE", "1"]);
                }
                Language::Javascript => self.words(["--setenv", "NODE_PATH", JOB_FOLDER]),
                Language::Shell => {}
            }
        }
        // Not as words: everybody on the machine can read the words of a process, and a value may be a secret.
        let mut options = Vec::new();
        for (name, value) in &request.environment {
            for word in ["--setenv", name, value] {
                options.extend_from_slice(word.as_bytes());
                options.push(0);
            }
        }
        self.in_memory("--args", &options, None)
    }

    fn file(&mut self, path: &str, permissions: &str, bytes: &[u8]) -> io::Result<()> {
        self.words(["--perms", permissions]);
        self.in_memory("--file", bytes, Some(path))
    }

    fn in_memory(&mut self, option: &str, bytes: &[u8], path: Option<&str>) -> io::Result<()> {
        let file = in_memory(bytes)?;
        self.words([option, &file.as_raw_fd().to_string()]);
        self.words(path);
        self.given.push(file);
        Ok(())
    }

    fn words<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.words.extend(words.into_iter().map(OsString::from));
    }

    fn add<const COUNT: usize>(&mut self, words: [OsString; COUNT]) {
        self.words.extend(words);
    }
}

fn code_path(language: Language) -> String {
    format!("{CODE_FOLDER}/{}", language.file())
}

/// The job yields to everything else on the machine, and to the one who watches it first.
const NICENESS: u8 = 5;

/// Says that everything stands, waits to be let go, and becomes the job. If nobody is left to let it go, it ends.
fn gate(inside: &GateInside, yields: bool) -> String {
    let (ready, go) = (inside.ready.as_raw_fd(), inside.go.as_raw_fd());
    let turns = if yields { "chrt --idle 0" } else { "" };
    format!(
        "echo >&{ready}; read -r go <&{go} || exit 1; exec {turns} nice -n {NICENESS} \"$@\" {ready}>&- {go}<&-"
    )
}

/// The program as it is on the machine. The job finds it under the same path.
fn program(request: &Request) -> Result<PathBuf, Refusal> {
    let name = match &request.program {
        RequestProgram::Code { language, .. } => language.interpreter(),
        RequestProgram::Arguments(words) => words.first().map(String::as_str).unwrap_or_default(),
    };
    let path = request
        .environment
        .iter()
        .rev()
        .find(|(name, _)| name == "PATH");
    let folders: Vec<&str> = match path {
        Some((_, folders)) => folders.split(':').collect(),
        None => PROGRAM_FOLDERS.into(),
    };
    let found = if name.contains('/') {
        Some(PathBuf::from(name)).filter(|path| is_program(path))
    } else {
        folders
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|path| path.is_absolute() && is_program(path))
    };
    found.ok_or_else(|| Refusal::NoProgram(name.to_owned()))
}
