//! Looks at a running job every few milliseconds, for what the kernel does not limit of all its processes together.

use std::fs::{DirEntry, read_dir, read_to_string};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::fstatvfs;
use rustix::param::{clock_ticks_per_second, page_size};

use crate::{LimitReached, Limits, Used};

/// A shared folder is walked, which is work: only every so many looks.
const LOOKS_PER_WALK: u32 = 10;
const WALKED_ENTRIES_MAX: u64 = 1_000_000;
/// The first process of the namespace is not the job's.
const PROCESSES_OF_OURS: u64 = 1;

/// What the kernel counts a file's room in, whatever the disk.
const BLOCK_BYTES: u64 = 512;

/// What can be seen of a job from outside while it runs.
pub(super) struct Windows {
    /// The job's own `/proc`: it lists the job's processes and no others.
    pub(super) processes: OwnedFd,
    /// Folders in memory.
    pub(super) folders: Vec<OwnedFd>,
    pub(super) shared: Option<PathBuf>,
}

pub(super) struct Watch {
    windows: Windows,
    limits: Limits,
    began: Instant,
    shared_before: Amount,
    looks: u32,
    used: Used,
}

#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    bytes: u64,
    files: u64,
}

#[derive(Debug, Default)]
struct Seen {
    /// Shared pages count for each process that has them.
    resident_bytes: u64,
    threads: u64,
    ticks: u64,
}

impl Watch {
    pub(super) fn new(windows: Windows, limits: &Limits) -> Self {
        let shared_before = windows.shared.as_deref().map(walk).unwrap_or_default();
        Self {
            windows,
            limits: limits.clone(),
            began: Instant::now(),
            shared_before,
            looks: 0,
            used: Used::default(),
        }
    }

    /// The limit that is reached, if one is.
    pub(super) fn look(&mut self) -> Option<LimitReached> {
        let seen = self.processes();
        self.used.wall = self.began.elapsed();
        let cpu = Duration::from_millis(
            seen.ticks.saturating_mul(1000) / clock_ticks_per_second().max(1),
        );
        self.used.cpu = self.used.cpu.max(cpu);
        let threads = seen.threads.saturating_sub(PROCESSES_OF_OURS);
        self.used.processes_peak = self.used.processes_peak.max(threads);
        // Before the memory, which takes a while to add up: meanwhile a fork bomb would outgrow who counts it.
        if threads > self.limits.processes {
            let processes = self.limits.processes;
            return Some(LimitReached::Processes { processes });
        }
        let memory = self.memory(&seen);
        self.used.memory_bytes_peak = self.used.memory_bytes_peak.max(memory);
        let limits = &self.limits;
        if memory > limits.memory_bytes {
            let bytes = limits.memory_bytes;
            return Some(LimitReached::Memory { bytes });
        }
        if cpu > Duration::from_secs(limits.cpu_seconds) {
            let seconds = limits.cpu_seconds;
            return Some(LimitReached::Cpu { seconds });
        }
        if self.used.wall > limits.wall {
            return Some(LimitReached::Wall { wall: limits.wall });
        }
        self.files()
    }

    pub(super) fn used(&self) -> Used {
        Used {
            wall: self.began.elapsed(),
            ..self.used
        }
    }

    fn root(&self) -> PathBuf {
        Path::new("/proc/self/fd").join(self.windows.processes.as_raw_fd().to_string())
    }

    /// Stops where there are too many, so that a look takes no longer the more there are.
    fn processes(&self) -> Seen {
        let most = self.limits.processes.saturating_add(PROCESSES_OF_OURS);
        let mut seen = Seen::default();
        for process in numbered(&self.root()) {
            if seen.threads > most {
                break;
            }
            // A process that has just ended is no trouble.
            if let Some(pages) = resident_pages(&process) {
                seen.resident_bytes += pages * page_size() as u64;
            }
            if let Some((ticks, threads)) = ticks_and_threads(&process) {
                seen.ticks += ticks;
                seen.threads += threads;
            }
        }
        seen
    }

    /// First an upper bound that is cheap; only where that is too much, each page once.
    fn memory(&self, seen: &Seen) -> u64 {
        if seen.resident_bytes <= self.limits.memory_bytes {
            return seen.resident_bytes;
        }
        let proportional = |process: PathBuf| {
            proportional_bytes(&process)
                .or_else(|| Some(resident_pages(&process)? * page_size() as u64))
        };
        numbered(&self.root()).filter_map(proportional).sum()
    }

    fn files(&mut self) -> Option<LimitReached> {
        let max = self.limits.total_files;
        let too_many = LimitReached::TotalFiles { files: max };
        let in_memory: u64 = self
            .windows
            .folders
            .iter()
            .filter_map(|folder| fstatvfs(folder).ok())
            .map(|found| found.f_files.saturating_sub(found.f_ffree))
            .sum();
        if in_memory > max {
            return Some(too_many);
        }
        self.looks += 1;
        let shared = self.windows.shared.as_deref()?;
        if !self.looks.is_multiple_of(LOOKS_PER_WALK) {
            return None;
        }
        let now = walk(shared);
        if now.files.saturating_sub(self.shared_before.files) > max {
            return Some(too_many);
        }
        let bytes = self.limits.disk_bytes;
        let more = now.bytes.saturating_sub(self.shared_before.bytes);
        (more > bytes).then_some(LimitReached::Disk { bytes })
    }
}

fn numbered(root: &Path) -> impl Iterator<Item = PathBuf> {
    let is_number = |entry: &DirEntry| {
        let name = entry.file_name();
        name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
    };
    read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter(is_number)
        .map(|entry| entry.path())
}

fn resident_pages(process: &Path) -> Option<u64> {
    let text = read_to_string(process.join("statm")).ok()?;
    text.split(' ').nth(1)?.parse().ok()
}

fn proportional_bytes(process: &Path) -> Option<u64> {
    let text = read_to_string(process.join("smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Of the process and of those of its children that it has waited for.
fn ticks_and_threads(process: &Path) -> Option<(u64, u64)> {
    const TICKS: [usize; 4] = [11, 12, 13, 14];
    const THREADS: usize = 17;
    let text = std::fs::read(process.join("stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    // The name before it may hold anything, brackets and spaces too.
    let (_, rest) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let number = |index: usize| fields.get(index)?.trim().parse::<u64>().ok();
    let ticks = TICKS.iter().filter_map(|index| number(*index)).sum();
    Some((ticks, number(THREADS)?))
}

/// Follows no links.
fn walk(folder: &Path) -> Amount {
    let mut amount = Amount::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else {
                continue;
            };
            amount.files += 1;
            if found.is_dir() {
                folders.push(entry.path());
            } else {
                amount.bytes += found.blocks() * BLOCK_BYTES;
            }
            if amount.files >= WALKED_ENTRIES_MAX {
                return amount;
            }
        }
    }
    amount
}
