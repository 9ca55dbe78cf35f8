//! Which descriptors there are, and which of them a child gets.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};

const STANDARD_ERROR: RawFd = 2;
/// A shell takes `12>` for a word and a redirection.
const SHELL_DESCRIPTOR_MAX: RawFd = 9;

/// Closes all but the standard streams. Whatever else is open came from the host by mistake.
pub(super) fn close_inherited() -> io::Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let number = entry?.file_name().to_string_lossy().parse::<RawFd>();
        open.extend(number.ok().filter(|number| *number > STANDARD_ERROR));
    }
    for number in open {
        // The folder that was listed is among them, and closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Standard input without a buffer: what follows the request is not ours to read.
pub(super) fn standard_input() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// The pipes over which a job says that it is set up, and is let go.
pub(super) struct Gate {
    pub(super) ready: OwnedFd,
    pub(super) go: OwnedFd,
    pub(super) status: OwnedFd,
    pub(super) inside: GateInside,
}

/// The ends that the job's side gets.
pub(super) struct GateInside {
    pub(super) ready: OwnedFd,
    pub(super) go: OwnedFd,
    pub(super) status: OwnedFd,
}

impl Gate {
    pub(super) fn new() -> io::Result<Self> {
        let (ready, ready_inside) = pipe_with(PipeFlags::CLOEXEC)?;
        let (go_inside, go) = pipe_with(PipeFlags::CLOEXEC)?;
        let (status, status_inside) = pipe_with(PipeFlags::CLOEXEC)?;
        for inherited in [&ready_inside, &go_inside, &status_inside] {
            if inherited.as_raw_fd() > SHELL_DESCRIPTOR_MAX {
                return Err(io::Error::other("too many descriptors are open"));
            }
            fcntl_setfd(inherited, FdFlags::empty())?;
        }
        Ok(Self {
            ready,
            go,
            status,
            inside: GateInside {
                ready: ready_inside,
                go: go_inside,
                status: status_inside,
            },
        })
    }
}

/// A file in memory that the next process started gets too, under the same number.
pub(super) fn in_memory(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("given", MemfdFlags::empty())?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(OwnedFd::from(file))
}
