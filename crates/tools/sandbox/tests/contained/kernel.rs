//! What the kernel refuses.

use adjutant_sandbox::Exit;

use crate::support::{achieves_nothing, attempts, python, run, shell, text};

const CALLS: &str = r#"
import ctypes, fcntl, os, signal
library = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    result = library.syscall(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"#;

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn dangerous_calls_are_refused() {
    let calls = [
        ("mount", "165, b'none', b'/tmp', b'tmpfs', 0, 0"),
        ("umount2", "166, b'/proc', 2"),
        ("pivot_root", "155, b'/', b'/tmp'"),
        ("chroot", "161, b'/tmp'"),
        ("unshare user", "272, 0x10000000"),
        ("unshare mount", "272, 0x20000"),
        ("setns", "308, 0, 0"),
        ("clone with a namespace", "56, 0x10000000 | 17, 0, 0, 0, 0"),
        ("clone3", "435, 0, 0"),
        ("ptrace", "101, 0, 0, 0, 0"),
        ("process_vm_readv", "310, 1, 0, 0, 0, 0, 0"),
        ("bpf", "321, 0, 0, 0"),
        ("perf_event_open", "298, 0, 0, -1, -1, 0"),
        ("userfaultfd", "323, 0"),
        ("io_uring_setup", "425, 1, 0"),
        ("keyctl", "250, 0, -3, 1"),
        ("add_key", "248, b'user', b'x', b'x', 1, -3"),
        ("personality", "135, 0x0040000"),
        ("open_by_handle_at", "304, 0, 0, 0"),
        ("kexec_load", "246, 0, 0, 0, 0"),
        ("reboot", "169, 0xfee1dead, 672274793, 0x89abcdef, 0"),
        ("swapon", "167, b'/job/x', 0"),
        ("init_module", "175, 0, 0, b''"),
        ("quotactl", "179, 0, 0, 0, 0"),
        ("acct", "163, 0"),
        ("memfd_create", "319, b'x', 0"),
        ("shmget", "29, 0, 4096, 0o1600"),
        ("settimeofday", "164, 0, 0"),
        ("fsopen", "430, b'tmpfs', 0"),
        ("a call of the second count", "0x40000000 | 39"),
    ];
    let expressions: Vec<String> = calls
        .iter()
        .map(|(name, call)| format!("call({call}) and {name:?} or {name:?}"))
        .collect();
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    achieves_nothing(attempts(CALLS, &expressions)).await;
}

#[tokio::test]
async fn it_is_the_filter_that_refuses() {
    let ended = run(shell(
        "grep -E '^(Seccomp|NoNewPrivs|Cap[A-Z][a-z]*):' /proc/self/status",
    ))
    .await;
    let seen = text(&ended).replace('\t', "");
    assert!(
        seen.contains("Seccomp:2\n") && seen.contains("NoNewPrivs:1\n"),
        "{seen}"
    );
    for line in seen.lines().filter(|line| line.starts_with("Cap")) {
        assert!(line.ends_with(":0000000000000000"), "{line}");
    }
}

/// Who is first to go when memory runs out stays so, and so does every process it starts.
#[tokio::test]
async fn nobody_leaves_their_place_in_the_queue_for_memory() {
    let write = |path: &str, value: &str| format!("open({path:?}, 'w').write({value:?})");
    let attempts = [
        write("/proc/self/oom_score_adj", "0"),
        write("/proc/self/oom_score_adj", "999"),
        write("/proc/self/oom_adj", "0"),
        write("/proc/thread-self/oom_score_adj", "0"),
        write("/proc/1/oom_score_adj", "-1000"),
        "os.chmod('/proc/self/oom_score_adj', 0o666)".into(),
    ];
    let attempts: Vec<&str> = attempts.iter().map(String::as_str).collect();
    achieves_nothing(crate::support::attempts("", &attempts)).await;
    let ended = run(shell(
        "echo 0 > /proc/self/oom_score_adj; sh -c 'echo 0 > /proc/$$/oom_score_adj'\n\
         cat /proc/self/oom_score_adj",
    ))
    .await;
    assert_eq!(text(&ended), "1000\n");
}

#[tokio::test]
async fn nobody_types_into_a_terminal() {
    achieves_nothing(attempts(
        &format!("{CALLS}\nimport pty, termios\nleader, follower = pty.openpty()"),
        &[
            "fcntl.ioctl(follower, termios.TIOCSTI, b'x')",
            "fcntl.ioctl(0, termios.TIOCSTI, b'x')",
            "fcntl.ioctl(2, 0x541C, b'x')",
        ],
    ))
    .await;
}

#[tokio::test]
async fn setuid_programs_give_nothing() {
    let ended = run(shell(
        "cp /usr/bin/env own; chmod 4755 own\n\
         for program in ./own /usr/bin/su /usr/bin/passwd /usr/bin/mount /usr/bin/newgrp; do\n\
         [ -x $program ] || continue\n\
         $program --help >/dev/null 2>&1\n\
         done\n\
         ./own id -u; su -c 'id -u' </dev/null; mount -t tmpfs x /tmp && echo mounted; echo end",
    ))
    .await;
    assert_eq!(text(&ended), "1000\nend\n");
}

#[tokio::test]
async fn tricks_with_its_own_process_stay_its_own() {
    let ended = run(python(
        "import os\n\
         try: open('/proc/self/exe', 'r+b')\n\
         except OSError: print('not written', flush=True)\n\
         try: open('/proc/1/mem', 'r+b').read(1)\n\
         except OSError: print('no memory of others', flush=True)\n\
         try: os.execv('/proc/1/exe', ['x', '--bind', '/', '/', 'id'])\n\
         except OSError: print('not run')",
    ))
    .await;
    let seen = text(&ended);
    assert!(
        seen.starts_with("not written\nno memory of others\n"),
        "{seen}"
    );
    assert_ne!(ended.exit, Exit::Code(0), "bwrap inside bwrap: {seen}");
}

#[tokio::test]
async fn no_core_is_dumped() {
    let mut job = shell("kill -SEGV $$");
    job.wanted = vec!["core".into()];
    let ended = run(job).await;
    assert_eq!(ended.exit, Exit::Signal(11));
    let ended = run(shell("sh -c 'kill -SEGV $$'; ls -a | tr '\\n' ' '")).await;
    assert_eq!(text(&ended), ". .. ");
}
