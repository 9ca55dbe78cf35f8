//! Too much of everything.

use std::time::{Duration, Instant};

use adjutant_sandbox::{Collected, Exit, FileRefused, Folder, Job, LimitReached, Program};

use crate::support::{MEGABYTE, errors, limits, python, run, shell, text};

#[tokio::test]
async fn a_fork_bomb_in_a_shell_goes_nowhere() {
    let mut job = shell("bomb() { bomb | bomb & }; bomb; while :; do :; done");
    job.limits.wall = Duration::from_secs(2);
    let ended = run(job).await;
    assert!(ended.limit.is_some(), "{ended:?}");
    assert!(ended.used.processes_peak <= limits().processes, "{ended:?}");
}

/// Root's processes are not limited by the kernel, and in a shared folder a job of root is root.
#[tokio::test]
async fn a_fork_bomb_in_a_shared_folder_is_noticed() {
    let home = tempfile::tempdir().unwrap();
    let script = "bomb() { bomb | bomb & }; bomb; while :; do :; done";
    let mut job = Job::new(Program::Arguments(
        ["sh", "-c", script].map(String::from).into(),
    ));
    job.folder = Folder::Shared(home.path().to_owned());
    job.limits = limits();
    job.limits.wall = Duration::from_secs(3);
    let ended = run(job).await;
    let processes = limits().processes;
    assert_eq!(ended.limit, Some(LimitReached::Processes { processes }));
}

#[tokio::test]
async fn a_fork_bomb_in_python_goes_nowhere() {
    let mut job = python(
        "import os\n\
         while True:\n\
         \x20   try: os.fork()\n\
         \x20   except OSError: pass",
    );
    job.limits.wall = Duration::from_secs(2);
    let ended = run(job).await;
    assert!(ended.limit.is_some(), "{ended:?}");
    assert!(ended.used.processes_peak <= limits().processes, "{ended:?}");
}

#[tokio::test]
async fn threads_count_too() {
    let ended = run(python(
        "import threading\n\
         stop = threading.Event()\n\
         count = 0\n\
         try:\n\
         \x20   while count < 500:\n\
         \x20       threading.Thread(target=stop.wait, daemon=True).start()\n\
         \x20       count += 1\n\
         except RuntimeError:\n\
         \x20   print('refused', count < 64)",
    ))
    .await;
    assert_eq!(text(&ended), "refused True\n", "{ended:?}");
}

#[tokio::test]
async fn ten_gigabytes_are_not_given() {
    let ended = run(python(
        "kept = []\n\
         try:\n\
         \x20   for _ in range(1000): kept.append(b'x' * 10_000_000)\n\
         except MemoryError:\n\
         \x20   count = len(kept); kept = None; print(count)",
    ))
    .await;
    let count: u64 = text(&ended).trim().parse().unwrap();
    assert!(count * 10_000_000 < limits().memory_bytes, "{count}");
    assert_eq!(ended.exit, Exit::Code(0), "{}", errors(&ended));
}

#[tokio::test]
async fn many_processes_have_no_more_memory_than_one() {
    let ended = run(python(
        "import os, time\n\
         for _ in range(20):\n\
         \x20   if os.fork() == 0: break\n\
         kept = bytearray(os.urandom(1) * 100_000_000)\n\
         time.sleep(15)",
    ))
    .await;
    let bytes = limits().memory_bytes;
    assert_eq!(ended.limit, Some(LimitReached::Memory { bytes }));
    assert_eq!(ended.exit, Exit::Signal(9));
}

#[tokio::test]
async fn memory_that_processes_share_counts_once() {
    let ended = run(python(
        "import mmap, os, time\n\
         kept = mmap.mmap(-1, 60_000_000)\n\
         kept.write(b'x' * 60_000_000)\n\
         children = []\n\
         for _ in range(12):\n\
         \x20   child = os.fork()\n\
         \x20   if child == 0:\n\
         \x20       sum(kept[::4096]); time.sleep(0.3); os._exit(0)\n\
         \x20   children.append(child)\n\
         for child in children: os.waitpid(child, 0)\n\
         print('done')",
    ))
    .await;
    assert_eq!((text(&ended).as_str(), ended.limit), ("done\n", None));
}

#[tokio::test]
async fn shared_memory_is_limited_as_well() {
    let ended = run(python(
        "import mmap, time\n\
         kept = [mmap.mmap(-1, 50_000_000) for _ in range(20)]\n\
         for one in kept: one.write(b'x' * 50_000_000)\n\
         time.sleep(15)",
    ))
    .await;
    let bytes = limits().memory_bytes;
    assert_eq!(ended.limit, Some(LimitReached::Memory { bytes }));
}

#[tokio::test]
async fn a_large_file_is_cut_off() {
    let mut job = shell("head -c 10000000000 /dev/zero > large; ls -l large >&2");
    job.wanted = vec!["large".into()];
    let ended = run(job).await;
    assert!(
        matches!(
            ended.files[0].content,
            Collected::Refused(FileRefused::TooLarge { bytes, .. }) if bytes <= 64 * MEGABYTE
        ),
        "{:?}",
        ended.limit
    );
}

#[tokio::test]
async fn many_files_fill_their_own_folder_only() {
    let ended = run(shell(
        "for i in 1 2 3 4 5 6 7 8 9; do head -c 20000000 /dev/zero > $i || exit 7; done",
    ))
    .await;
    assert_eq!(ended.exit, Exit::Code(7));
    assert!(
        errors(&ended).contains("No space left"),
        "{}",
        errors(&ended)
    );
}

#[tokio::test]
async fn no_other_place_can_be_filled() {
    let ended = run(shell(
        "for folder in / /usr /etc /code /dev /proc /proc/sys /var /home /root /run /sys; do\n\
         if echo x > $folder/x; then echo $folder; fi; done; echo end",
    ))
    .await;
    assert_eq!(text(&ended), "end\n");
}

#[tokio::test]
async fn a_million_files_are_too_many() {
    let ended = run(python(
        "for number in range(1_000_000): open(f'/tmp/{number}', 'w').close()",
    ))
    .await;
    let files = limits().total_files;
    assert_eq!(ended.limit, Some(LimitReached::TotalFiles { files }));
}

#[tokio::test]
async fn a_shared_folder_cannot_be_filled_either() {
    let home = tempfile::tempdir().unwrap();
    let script = "for i in 1 2 3 4 5 6 7 8 9; do head -c 20000000 /dev/zero > $i; done; sleep 15";
    let mut job = Job::new(Program::Arguments(
        ["sh", "-c", script].map(String::from).into(),
    ));
    job.folder = Folder::Shared(home.path().to_owned());
    job.limits = limits();
    let ended = run(job).await;
    let bytes = limits().disk_bytes;
    assert_eq!(ended.limit, Some(LimitReached::Disk { bytes }));
}

#[tokio::test]
async fn a_flood_of_output_is_cut_with_its_number() {
    let mut job = shell("head -c 1000000000 /dev/zero; echo last >&2");
    job.limits.output_bytes = 1000;
    let ended = run(job).await;
    assert_eq!(ended.stdout.bytes.len(), 1000);
    assert_eq!(ended.stdout.left_out, 999_999_000);
    assert_eq!(errors(&ended), "last\n");
}

#[tokio::test]
async fn an_endless_loop_ends_at_its_processor_time() {
    let mut job = shell("while :; do :; done");
    job.limits.cpu_seconds = 1;
    let ended = run(job).await;
    assert_eq!(ended.limit, Some(LimitReached::Cpu { seconds: 1 }));
    assert!(
        ended.used.cpu >= Duration::from_millis(900),
        "{:?}",
        ended.used
    );
}

#[tokio::test]
async fn processor_time_is_counted_over_all_processes() {
    let mut job = shell("for i in 1 2 3 4; do (while :; do :; done) & done; wait");
    job.limits.cpu_seconds = 1;
    let ended = run(job).await;
    assert_eq!(ended.limit, Some(LimitReached::Cpu { seconds: 1 }));
    assert!(ended.used.cpu < Duration::from_secs(3), "{:?}", ended.used);
}

#[tokio::test]
async fn who_ignores_signals_ends_at_the_wall_clock() {
    let began = Instant::now();
    let mut job = shell("trap '' TERM INT HUP QUIT; echo began; sleep 15; sleep 15");
    job.limits.wall = Duration::from_millis(500);
    let ended = run(job).await;
    let wall = Duration::from_millis(500);
    assert_eq!(ended.limit, Some(LimitReached::Wall { wall }));
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Signal(9), "began\n")
    );
    assert!(began.elapsed() < Duration::from_secs(40));
}
