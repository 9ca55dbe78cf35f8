//! A disk that is full while a mission is at work. Needs a disk that may be filled, which only root can mount.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command as Process;
use std::sync::Arc;
use std::time::Duration;

use adjutant_host::Config;
use adjutant_mission::*;
use tempfile::TempDir;

use crate::support::*;

/// Longer than anything here takes, and shorter than a test may.
const SOON: Duration = Duration::from_secs(20);

struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount(bytes: usize) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mounted = Process::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"])
            .arg(folder.path())
            .status();
        match mounted {
            Ok(status) if status.success() => Some(Self(folder)),
            _ => {
                eprintln!("skipped: a disk to fill cannot be mounted by this user");
                None
            }
        }
    }

    fn fill(&self) -> PathBuf {
        let filling = self.0.path().join("filling");
        let mut file = std::fs::File::create(&filling).unwrap();
        while file.write_all(&[0; 4_096]).is_ok() {}
        filling
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the store may still be open.
        let _ = Process::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_said_commands_are_answered_and_missions_continue_when_there_is_space() {
    let Some(disk) = SmallDisk::mount(16 << 20) else {
        return;
    };
    let folder = Arc::new(TempDir::new_in(disk.0.path()).unwrap());
    let world = World::with(folder, Config::default());
    let tasks = vec![
        call("nap", "sleep", "{\"seconds\":0.3}", &[]),
        call("after", "noop", "{}", &["nap"]),
    ];
    let mission = world.open(Plan::new("full", tasks)).await;
    let health = world.host.health();
    assert_eq!(health.trouble(), None);
    let filling = disk.fill();
    // The nap ends, and that it has ended cannot be written.
    let noticed = tokio::time::timeout(SOON, health.changes_from(None)).await;
    noticed.unwrap();
    assert_eq!(health.trouble().unwrap().code(), "ADJ-3003");

    for _ in 0..2 {
        let command = Command::Abort {
            reason: "enough".into(),
            undo: false,
        };
        let (id, tenant) = (world.command_id(), tenant());
        let aborting = world.host.command(&tenant, mission, id, ann(), command);
        let answer = tokio::time::timeout(SOON, aborting).await;
        let refused = answer.unwrap().unwrap_err();
        assert_eq!(refused.code(), "ADJ-3003", "{refused}");
    }

    world.host.carry_on();
    std::fs::remove_file(filling).unwrap();
    let ended = world.wait_for(mission, |summary| summary.phase.is_ended());
    let ended = tokio::time::timeout(SOON, ended).await.unwrap();
    assert_eq!(
        (ended.phase, ended.tasks_ended),
        (Phase::Completed, 2),
        "the nap was not lost, and the refused command left nothing behind"
    );
    assert_eq!(health.trouble(), None);
}
