//! The system calls a job may not make, as a program for the kernel.
//!
//! Namespaces already keep most of them from doing harm. Refusing them as well keeps a job away from the parts of the
//! kernel where such walls have had holes, and from memory that no process owns and the watcher would not see.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

/// Mounting, and everything else that changes what a process sees.
const VIEW: [libc::c_long; 15] = [
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
];

/// Reaching into other processes.
const OTHERS: [libc::c_long; 6] = [
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
];

/// Large and often broken parts of the kernel.
const DANGEROUS: [libc::c_long; 13] = [
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_personality,
    libc::SYS_fanotify_init,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Running the machine.
const MACHINE: [libc::c_long; 18] = [
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

/// Memory that counts for no process.
const HIDDEN_MEMORY: [libc::c_long; 5] = [
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
];

#[cfg(target_arch = "x86_64")]
const OF_THIS_PROCESSOR: [libc::c_long; 5] = [
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_lookup_dcookie,
];
#[cfg(not(target_arch = "x86_64"))]
const OF_THIS_PROCESSOR: [libc::c_long; 0] = [];

const NEW_NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Others are not all kept apart by a network namespace: `AF_VSOCK` reaches the machine under this one.
const SOCKETS: [libc::c_int; 3] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];

/// A file that runs as its owner, left by a job in a folder it shares, would be a way out for others.
const RUNS_AS_OWNER: [libc::mode_t; 2] = [libc::S_ISUID, libc::S_ISGID];
/// Calls that change a file's mode, and where the mode stands among their arguments.
#[cfg(target_arch = "x86_64")]
const CHANGE_MODE: [(libc::c_long, u8); 7] = [
    (libc::SYS_chmod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (libc::SYS_fchmodat2, 2),
    (libc::SYS_creat, 1),
    (libc::SYS_mknod, 1),
    (libc::SYS_mknodat, 2),
];
#[cfg(not(target_arch = "x86_64"))]
const CHANGE_MODE: [(libc::c_long, u8); 4] = [
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (libc::SYS_fchmodat2, 2),
    (libc::SYS_mknodat, 2),
];
/// Calls that open a file, and where their flags stand; the mode comes next, and counts only if a file is made.
#[cfg(target_arch = "x86_64")]
const OPEN: [(libc::c_long, u8); 2] = [(libc::SYS_open, 1), (libc::SYS_openat, 2)];
#[cfg(not(target_arch = "x86_64"))]
const OPEN: [(libc::c_long, u8); 1] = [(libc::SYS_openat, 2)];
const MAKES_A_FILE: [libc::c_int; 2] = [libc::O_CREAT, libc::O_TMPFILE];

/// Writing to somebody's terminal as if they had typed it.
const TERMINAL_REQUESTS: [libc::c_ulong; 2] = [libc::TIOCSTI, libc::TIOCLINUX];

pub(super) fn program() -> Result<Vec<u8>, seccompiler::Error> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let mut calls = first_instructions();
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules()?, SeccompAction::Allow, refused, architecture)?;
    calls.extend(BpfProgram::try_from(filter)?);
    Ok(calls.iter().flat_map(bytes).collect())
}

fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::Error> {
    let whole = [
        &VIEW[..],
        &OTHERS,
        &DANGEROUS,
        &MACHINE,
        &HIDDEN_MEMORY,
        &OF_THIS_PROCESSOR,
    ];
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = whole
        .into_iter()
        .flatten()
        .map(|call| (*call, Vec::new()))
        .collect();
    let mut namespaces = Vec::new();
    for flag in NEW_NAMESPACES {
        namespaces.push(SeccompRule::new(vec![has(0, flag.unsigned_abs())?])?);
    }
    rules.insert(libc::SYS_clone, namespaces);
    let mut others = Vec::new();
    for family in SOCKETS {
        let family = u64::from(family.unsigned_abs());
        others.push(condition(0, SeccompCmpOp::Ne, family)?);
    }
    rules.insert(libc::SYS_socket, vec![SeccompRule::new(others.clone())?]);
    rules.insert(libc::SYS_socketpair, vec![SeccompRule::new(others)?]);
    let mut requests = Vec::new();
    for request in TERMINAL_REQUESTS {
        requests.push(SeccompRule::new(vec![condition(
            1,
            SeccompCmpOp::Eq,
            request,
        )?])?);
    }
    rules.insert(libc::SYS_ioctl, requests);
    for (call, mode) in CHANGE_MODE {
        let mut modes = Vec::new();
        for bit in RUNS_AS_OWNER {
            modes.push(SeccompRule::new(vec![has(mode, bit)?])?);
        }
        rules.insert(call, modes);
    }
    for (call, flags) in OPEN {
        let mut modes = Vec::new();
        for bit in RUNS_AS_OWNER {
            for flag in MAKES_A_FILE {
                let made = has(flags, flag.unsigned_abs())?;
                modes.push(SeccompRule::new(vec![made, has(flags + 1, bit)?])?);
            }
        }
        rules.insert(call, modes);
    }
    Ok(rules)
}

/// All these bits are set.
fn has(argument: u8, bits: u32) -> Result<SeccompCondition, seccompiler::Error> {
    let bits = u64::from(bits);
    condition(argument, SeccompCmpOp::MaskedEq(bits), bits)
}

/// The kernel reads only these 32 bits of the arguments compared here.
fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(
        argument,
        SeccompCmpArgLen::Dword,
        operator,
        value,
    )?)
}

const LOAD_WORD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
const RETURN_ERRNO: u32 = 0x0005_0000;
/// Where the number of a call stands in what a filter sees.
const CALL_NUMBER_OFFSET: u32 = 0;
/// From here on x86 counts the same calls a second time, for another way of calling them.
const SECOND_COUNT: u32 = 0x4000_0000;

/// `clone3` and `openat2` hide their flags from filters, and calls of the second count would pass by their numbers. The
/// kernel says that it does not know them; libraries then take the older way.
fn first_instructions() -> Vec<sock_filter> {
    let number = |call| u32::try_from(call).unwrap_or(u32::MAX);
    let unknown = RETURN_ERRNO | libc::ENOSYS.unsigned_abs();
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        instruction(LOAD_WORD, 0, 0, CALL_NUMBER_OFFSET),
        instruction(JUMP_IF_EQUAL, 2, 0, number(libc::SYS_clone3)),
        instruction(JUMP_IF_EQUAL, 1, 0, number(libc::SYS_openat2)),
        instruction(JUMP_IF_AT_LEAST, 0, 1, SECOND_COUNT),
        instruction(RETURN, 0, 0, unknown),
    ]
}

/// As the kernel reads it.
fn bytes(instruction: &sock_filter) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..2].copy_from_slice(&instruction.code.to_ne_bytes());
    bytes[2] = instruction.jt;
    bytes[3] = instruction.jf;
    bytes[4..].copy_from_slice(&instruction.k.to_ne_bytes());
    bytes
}
