//! What this process or another uses, from /proc.

use std::time::Duration;

/// Linux counts CPU time in hundredths of a second, whatever the machine.
const TICKS_PER_SECOND: u64 = 100;

/// CPU time of all threads so far.
pub(super) fn cpu() -> Duration {
    cpu_of("self")
}

/// CPU time of all threads of a process so far.
pub(super) fn cpu_of(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field is the program's name in brackets and may hold spaces.
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let field = |n: usize| {
        after
            .split_whitespace()
            .nth(n)
            .and_then(|text| text.parse::<u64>().ok())
    };
    let ticks = field(11).unwrap_or(0) + field(12).unwrap_or(0);
    Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
}

fn status(name: &str) -> f64 {
    status_of("self", name)
}

fn status_of(process: &str, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|text| text.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1_024.0
}

/// Most memory this process has had resident, in MiB.
pub(super) fn rss_peak_mb() -> f64 {
    status("VmHWM:")
}

/// Memory this process has resident now, in MiB.
pub(super) fn rss_mb() -> f64 {
    status("VmRSS:")
}

/// Memory another process has resident now, in MiB.
pub(super) fn rss_mb_of(process: u32) -> f64 {
    status_of(&process.to_string(), "VmRSS:")
}
