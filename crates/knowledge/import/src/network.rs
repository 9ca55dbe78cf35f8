//! Takes the network away from the process that parses files: it gets no socket, of whatever kind, and no other process
//! to get one from.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter, sock_filter,
};

/// Sockets, and the way around these calls.
const SOCKETS: [libc::c_long; 16] = [
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Becoming or reaching into a process that has one.
const OTHER_PROCESSES: [libc::c_long; 7] = [
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
];

/// Puts a filter on the calling thread, and on all it starts, that cannot be lifted again. Says why it cannot.
pub(crate) fn give_up() -> Result<(), String> {
    program()
        .and_then(|program| apply_filter(&program))
        .map_err(|error| error.to_string())
}

fn program() -> Result<BpfProgram, seccompiler::Error> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let calls = SOCKETS.iter().chain(&OTHER_PROCESSES);
    let rules: BTreeMap<i64, _> = calls.map(|call| (*call, Vec::new())).collect();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture)?;
    let mut program = first_instructions();
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

const LOAD_WORD: u16 = 0x20;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
const RETURN_ERRNO: u32 = 0x0005_0000;
/// Where the number of a call stands in what a filter sees.
const CALL_NUMBER_OFFSET: u32 = 0;
/// From here on x86 counts the same calls a second time, for another way of calling them.
const SECOND_COUNT: u32 = 0x4000_0000;

/// Calls of the second count would pass the rules by their numbers: there are none here.
fn first_instructions() -> Vec<sock_filter> {
    let unknown = RETURN_ERRNO | libc::ENOSYS.unsigned_abs();
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        instruction(LOAD_WORD, 0, 0, CALL_NUMBER_OFFSET),
        instruction(JUMP_IF_AT_LEAST, 0, 1, SECOND_COUNT),
        instruction(RETURN, 0, 0, unknown),
    ]
}
