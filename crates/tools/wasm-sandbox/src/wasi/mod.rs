//! WASI preview 1, as far as a command needs it that reads, computes and writes.
//!
//! What would reach further (sockets, links, folders, waiting) is linked too, and answers that it is not supported.

mod errno;
mod folder;
mod memory;
mod world;

use wasmi::errors::LinkerError;
use wasmi::{Caller, Error, Extern, FuncType, Linker, Val, ValType};

use crate::interpreter::Inside;
use errno::Errno;
use memory::Memory;
use world::Whence;
pub(crate) use world::World;

const WASI: &str = "wasi_snapshot_preview1";
const BYTES_PER_FUEL: u64 = 64;
/// What a call costs besides: about what it takes here, in instructions.
const CALL_FUEL: u64 = 50;
const CLOCK_RESOLUTION_NANOSECONDS: u64 = 1;
const FDSTAT_BYTES: usize = 24;
const FILESTAT_BYTES: usize = 64;
const ALL_RIGHTS: u64 = u64::MAX;

type Inner<'a> = Caller<'a, Inside>;

fn answer(
    caller: &mut Inner<'_>,
    call: impl FnOnce(&mut Memory<'_>, &mut World) -> Result<(), Errno>,
) -> Result<u32, Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Ok(Errno::Fault.number());
    };
    let (bytes, inside) = memory.data_and_store_mut(&mut *caller);
    inside.world.moved_bytes = 0;
    let result = call(&mut Memory(bytes), &mut inside.world);
    let cost = CALL_FUEL + inside.world.moved_bytes / BYTES_PER_FUEL;
    // What is owed beyond the slice is forgiven: the slice is over, and that is what counts.
    let left = caller.get_fuel()?.saturating_sub(cost);
    caller.set_fuel(left)?;
    Ok(match result {
        Ok(()) => Errno::SUCCESS,
        Err(error) => error.number(),
    })
}

pub(crate) fn link(linker: &mut Linker<Inside>) -> Result<(), LinkerError> {
    link_process(linker)?;
    link_streams(linker)?;
    link_files(linker)?;
    link_unsupported(linker)
}

fn link_process(linker: &mut Linker<Inside>) -> Result<(), LinkerError> {
    // No arguments and no environment: no entries in no bytes.
    for name in ["args_sizes_get", "environ_sizes_get"] {
        linker.func_wrap(WASI, name, |mut c: Inner<'_>, count: u32, bytes: u32| {
            answer(&mut c, |memory, _| {
                memory.write_u32(count, 0)?;
                memory.write_u32(bytes, 0)
            })
        })?;
    }
    for name in ["args_get", "environ_get"] {
        linker.func_wrap(WASI, name, |_: Inner<'_>, _: u32, _: u32| Errno::SUCCESS)?;
    }
    linker.func_wrap(
        WASI,
        "clock_time_get",
        |mut c: Inner<'_>, clock: u32, _precision: u64, out: u32| {
            answer(&mut c, |memory, world| {
                memory.write_u64(out, world.now(clock)?)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_res_get",
        |mut c: Inner<'_>, clock: u32, out: u32| {
            answer(&mut c, |memory, world| {
                world.now(clock)?;
                memory.write_u64(out, CLOCK_RESOLUTION_NANOSECONDS)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "random_get",
        |mut c: Inner<'_>, address: u32, len: u32| {
            answer(&mut c, |memory, world| {
                world.fill_random(memory.bytes_mut(address, len)?);
                Ok(())
            })
        },
    )?;
    linker.func_wrap(WASI, "sched_yield", |_: Inner<'_>| Errno::SUCCESS)?;
    linker.func_wrap(
        WASI,
        "proc_exit",
        |_: Inner<'_>, code: i32| -> Result<(), Error> { Err(Error::i32_exit(code)) },
    )?;
    Ok(())
}

fn link_streams(linker: &mut Linker<Inside>) -> Result<(), LinkerError> {
    linker.func_wrap(
        WASI,
        "fd_read",
        |mut c: Inner<'_>, fd: u32, list: u32, count: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let buffers = memory.buffers(list, count)?;
                memory.write_u32(out, 0)?;
                let read = world.read(memory, fd, &buffers)?;
                memory.write_u32(out, read)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_write",
        |mut c: Inner<'_>, fd: u32, list: u32, count: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let buffers = memory.buffers(list, count)?;
                memory.write_u32(out, 0)?;
                let written = world.write(memory, fd, &buffers)?;
                memory.write_u32(out, written)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_seek",
        |mut c: Inner<'_>, fd: u32, offset: i64, whence: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let whence = match whence {
                    0 => Whence::Start,
                    1 => Whence::Position,
                    2 => Whence::End,
                    _ => return Err(Errno::Invalid),
                };
                memory.write_u64(out, world.seek(fd, offset, whence)?)
            })
        },
    )?;
    linker.func_wrap(WASI, "fd_tell", |mut c: Inner<'_>, fd: u32, out: u32| {
        answer(&mut c, |memory, world| {
            memory.write_u64(out, world.seek(fd, 0, Whence::Position)?)
        })
    })?;
    linker.func_wrap(WASI, "fd_close", |mut c: Inner<'_>, fd: u32| {
        answer(&mut c, |_, world| world.close(fd))
    })?;
    linker.func_wrap(
        WASI,
        "fd_fdstat_get",
        |mut c: Inner<'_>, fd: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let mut stat = [0u8; FDSTAT_BYTES];
                stat[0] = world.kind(fd)?;
                stat[8..16].copy_from_slice(&ALL_RIGHTS.to_le_bytes());
                stat[16..24].copy_from_slice(&ALL_RIGHTS.to_le_bytes());
                memory.write(out, &stat)
            })
        },
    )?;
    Ok(())
}

fn link_files(linker: &mut Linker<Inside>) -> Result<(), LinkerError> {
    linker.func_wrap(
        WASI,
        "fd_prestat_get",
        |mut c: Inner<'_>, fd: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let len = world.folder_name(fd)?.len() as u32;
                memory.write_u32(out, 0)?;
                memory.write_u32(out.saturating_add(4), len)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_prestat_dir_name",
        |mut c: Inner<'_>, fd: u32, address: u32, len: u32| {
            answer(&mut c, |memory, world| {
                let name = world.folder_name(fd)?;
                if (len as usize) < name.len() {
                    return Err(Errno::NameTooLong);
                }
                memory.write(address, name)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_filestat_get",
        |mut c: Inner<'_>, fd: u32, out: u32| {
            answer(&mut c, |memory, world| {
                memory.write(out, &filestat(world.kind(fd)?, world.size(fd)?))
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "path_filestat_get",
        |mut c: Inner<'_>, fd: u32, _links: u32, path: u32, len: u32, out: u32| {
            answer(&mut c, |memory, world| {
                let (kind, bytes) = world.find(fd, memory.bytes(path, len)?)?;
                memory.write(out, &filestat(kind, bytes))
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "path_unlink_file",
        |mut c: Inner<'_>, fd: u32, path: u32, len: u32| {
            answer(&mut c, |memory, world| {
                world.remove(fd, memory.bytes(path, len)?)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "path_open",
        |mut c: Inner<'_>,
         fd: u32,
         _links: u32,
         path: u32,
         len: u32,
         how: u32,
         _rights: u64,
         _rights_below: u64,
         flags: u32,
         out: u32| {
            answer(&mut c, |memory, world| {
                // Before anything is made: a file that nobody can reach would stay open.
                memory.write_u32(out, 0)?;
                let opened = world.open_path(fd, memory.bytes(path, len)?, how, flags)?;
                memory.write_u32(out, opened)
            })
        },
    )?;
    Ok(())
}

fn filestat(kind: u8, bytes: u64) -> [u8; FILESTAT_BYTES] {
    let mut stat = [0u8; FILESTAT_BYTES];
    stat[16] = kind;
    stat[24..32].copy_from_slice(&1u64.to_le_bytes());
    stat[32..40].copy_from_slice(&bytes.to_le_bytes());
    stat
}

fn link_unsupported(linker: &mut Linker<Inside>) -> Result<(), LinkerError> {
    use ValType::{I32, I64};
    let functions: [(&str, &[ValType]); 22] = [
        ("fd_advise", &[I32, I64, I64, I32]),
        ("fd_allocate", &[I32, I64, I64]),
        ("fd_datasync", &[I32]),
        ("fd_fdstat_set_flags", &[I32, I32]),
        ("fd_fdstat_set_rights", &[I32, I64, I64]),
        ("fd_filestat_set_size", &[I32, I64]),
        ("fd_filestat_set_times", &[I32, I64, I64, I32]),
        ("fd_pread", &[I32, I32, I32, I64, I32]),
        ("fd_pwrite", &[I32, I32, I32, I64, I32]),
        ("fd_readdir", &[I32, I32, I32, I64, I32]),
        ("fd_renumber", &[I32, I32]),
        ("fd_sync", &[I32]),
        ("path_create_directory", &[I32, I32, I32]),
        (
            "path_filestat_set_times",
            &[I32, I32, I32, I32, I64, I64, I32],
        ),
        ("path_link", &[I32, I32, I32, I32, I32, I32, I32]),
        ("path_readlink", &[I32, I32, I32, I32, I32, I32]),
        ("path_remove_directory", &[I32, I32, I32]),
        ("path_rename", &[I32, I32, I32, I32, I32, I32]),
        ("path_symlink", &[I32, I32, I32, I32, I32]),
        ("poll_oneoff", &[I32, I32, I32, I32]),
        ("proc_raise", &[I32]),
        ("sock_accept", &[I32, I32, I32]),
    ];
    let sockets: [(&str, &[ValType]); 3] = [
        ("sock_recv", &[I32, I32, I32, I32, I32, I32]),
        ("sock_send", &[I32, I32, I32, I32, I32]),
        ("sock_shutdown", &[I32, I32]),
    ];
    for (name, parameters) in functions.into_iter().chain(sockets) {
        let kind = FuncType::new(parameters.iter().copied(), [I32]);
        linker.func_new(WASI, name, kind, |_, _, results| {
            if let [result] = results {
                *result = Val::I32(Errno::NotSupported as i32);
            }
            Ok(())
        })?;
    }
    Ok(())
}
