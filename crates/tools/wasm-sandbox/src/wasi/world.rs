//! All a job sees of a world: three streams, one folder, a clock that stands still, numbers from a seed.

use std::time::Duration;

use super::errno::Errno;
use super::folder::{Creation, Folder, Found};
use super::memory::{Buffer, Memory};
use crate::{FileIn, FileOut, Limits, Stream};

const CLOCKS: u32 = 4;
const CREATE: u32 = 1;
const FOLDER_ONLY: u32 = 2;
const EXCLUSIVE: u32 = 4;
const EMPTY: u32 = 8;
const APPEND: u32 = 1;
/// What the one folder is called: C libraries take relative and absolute paths to lie below it.
const FOLDER_NAME: &[u8] = b"/";
const KIND_STREAM: u8 = 2;
const KIND_FOLDER: u8 = 3;
const KIND_FILE: u8 = 4;

pub(crate) struct World {
    stdin: Vec<u8>,
    stdin_position: usize,
    stdout: Stream,
    stderr: Stream,
    folder: Folder,
    open: Vec<Option<Open>>,
    now_nanoseconds: u64,
    random: u64,
    limits: Limits,
    /// How much was moved in the present call, which the job pays for.
    pub(super) moved_bytes: u64,
}

enum Open {
    Stdin,
    Stdout,
    Stderr,
    Folder,
    File {
        name: String,
        position: u64,
        placement: Placement,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Placement {
    AtPosition,
    AtEnd,
}

pub(super) enum Whence {
    Start,
    Position,
    End,
}

impl World {
    pub(crate) fn new(
        stdin: Vec<u8>,
        files: Vec<FileIn>,
        now: Duration,
        seed: u64,
        limits: Limits,
    ) -> Self {
        Self {
            stdin,
            stdin_position: 0,
            stdout: Stream::default(),
            stderr: Stream::default(),
            folder: Folder::new(files, limits.disk_bytes, limits.total_files),
            open: [Open::Stdin, Open::Stdout, Open::Stderr, Open::Folder]
                .map(Some)
                .into(),
            now_nanoseconds: u64::try_from(now.as_nanos()).unwrap_or(u64::MAX),
            random: seed,
            limits,
            moved_bytes: 0,
        }
    }

    pub(crate) fn left(self, wanted: Vec<String>) -> (Stream, Stream, Vec<FileOut>) {
        let files = self.folder.collect(wanted, self.limits.collected_bytes);
        (self.stdout, self.stderr, files)
    }

    fn open(&mut self, fd: u32) -> Result<&mut Open, Errno> {
        let slot = self.open.get_mut(fd as usize).ok_or(Errno::BadFile)?;
        slot.as_mut().ok_or(Errno::BadFile)
    }

    pub(super) fn now(&self, clock: u32) -> Result<u64, Errno> {
        (clock < CLOCKS)
            .then_some(self.now_nanoseconds)
            .ok_or(Errno::Invalid)
    }

    /// SplitMix64: the same numbers for the same seed, and secret from nobody.
    pub(super) fn fill_random(&mut self, bytes: &mut [u8]) {
        self.moved_bytes += bytes.len() as u64;
        for chunk in bytes.chunks_mut(8) {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.random;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
            chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
        }
    }

    pub(super) fn folder_name(&mut self, fd: u32) -> Result<&'static [u8], Errno> {
        match self.open(fd)? {
            Open::Folder => Ok(FOLDER_NAME),
            _ => Err(Errno::BadFile),
        }
    }

    pub(super) fn kind(&mut self, fd: u32) -> Result<u8, Errno> {
        Ok(match self.open(fd)? {
            Open::Stdin | Open::Stdout | Open::Stderr => KIND_STREAM,
            Open::Folder => KIND_FOLDER,
            Open::File { .. } => KIND_FILE,
        })
    }

    pub(super) fn size(&mut self, fd: u32) -> Result<u64, Errno> {
        match self.open(fd)? {
            Open::File { name, .. } => {
                let name = name.clone();
                Ok(self.folder.read(&name, 0)?.len() as u64)
            }
            _ => Ok(0),
        }
    }

    pub(super) fn find(&mut self, fd: u32, path: &[u8]) -> Result<(u8, u64), Errno> {
        self.folder_name(fd)?;
        Ok(match self.folder.find(&Folder::name(path)?)? {
            Found::File { bytes } => (KIND_FILE, bytes),
            Found::Folder => (KIND_FOLDER, 0),
        })
    }

    pub(super) fn remove(&mut self, fd: u32, path: &[u8]) -> Result<(), Errno> {
        self.folder_name(fd)?;
        self.folder.remove(&Folder::name(path)?)
    }

    pub(super) fn open_path(
        &mut self,
        fd: u32,
        path: &[u8],
        how: u32,
        flags: u32,
    ) -> Result<u32, Errno> {
        self.folder_name(fd)?;
        let name = Folder::name(path)?;
        let number = match self.open.iter().position(Option::is_none) {
            Some(free) => free,
            None if self.open.len() < self.limits.open_files => self.open.len(),
            None => return Err(Errno::TooManyOpen),
        };
        if how & FOLDER_ONLY != 0 {
            // Only the folder itself can be opened as one: paths go through it.
            return Err(match self.folder.find(&name)? {
                Found::File { .. } => Errno::NotAFolder,
                Found::Folder => Errno::NotSupported,
            });
        }
        let creation = match (how & CREATE != 0, how & EXCLUSIVE != 0) {
            (false, _) => Creation::No,
            (true, false) => Creation::IfMissing,
            (true, true) => Creation::Always,
        };
        self.folder.open(&name, creation)?;
        if how & EMPTY != 0 {
            self.folder.clear(&name)?;
        }
        let opened = Some(Open::File {
            name,
            position: 0,
            placement: if flags & APPEND == 0 {
                Placement::AtPosition
            } else {
                Placement::AtEnd
            },
        });
        match self.open.get_mut(number) {
            Some(slot) => *slot = opened,
            None => self.open.push(opened),
        }
        u32::try_from(number).map_err(|_| Errno::TooManyOpen)
    }

    pub(super) fn close(&mut self, fd: u32) -> Result<(), Errno> {
        self.open(fd)?;
        self.open[fd as usize] = None;
        Ok(())
    }

    pub(super) fn read(
        &mut self,
        memory: &mut Memory<'_>,
        fd: u32,
        buffers: &[Buffer],
    ) -> Result<u32, Errno> {
        let mut total = 0u32;
        let slot = self.open.get_mut(fd as usize).and_then(Option::as_mut);
        let (mut source, file_position) = match slot.ok_or(Errno::BadFile)? {
            Open::Stdin => (&self.stdin[self.stdin_position..], None),
            Open::File { name, position, .. } => {
                (self.folder.read(name, *position)?, Some(position))
            }
            Open::Folder => return Err(Errno::IsFolder),
            Open::Stdout | Open::Stderr => return Err(Errno::BadFile),
        };
        for buffer in buffers {
            let count = source.len().min(buffer.len as usize);
            let (now, later) = source.split_at(count);
            memory.write(buffer.address, now)?;
            source = later;
            total += count as u32;
        }
        match file_position {
            Some(position) => *position += u64::from(total),
            None => self.stdin_position += total as usize,
        }
        self.moved_bytes += u64::from(total);
        Ok(total)
    }

    pub(super) fn write(
        &mut self,
        memory: &Memory<'_>,
        fd: u32,
        buffers: &[Buffer],
    ) -> Result<u32, Errno> {
        let mut total = 0u32;
        for buffer in buffers {
            let bytes = memory.bytes(buffer.address, buffer.len)?;
            self.write_one(fd, bytes)?;
            total += buffer.len;
        }
        Ok(total)
    }

    fn write_one(&mut self, fd: u32, bytes: &[u8]) -> Result<(), Errno> {
        let output_bytes = self.limits.output_bytes;
        let slot = self.open.get_mut(fd as usize).and_then(Option::as_mut);
        match slot.ok_or(Errno::BadFile)? {
            Open::Stdout => self.moved_bytes += keep(&mut self.stdout, bytes, output_bytes),
            Open::Stderr => self.moved_bytes += keep(&mut self.stderr, bytes, output_bytes),
            Open::File {
                name,
                position,
                placement,
            } => {
                if *placement == Placement::AtEnd {
                    *position = self.folder.read(name, 0)?.len() as u64;
                }
                let before = self.folder.read(name, 0)?.len() as u64;
                self.folder.write(name, *position, bytes)?;
                // Writing far behind the end fills what lies between.
                self.moved_bytes += bytes.len() as u64 + position.saturating_sub(before);
                *position += bytes.len() as u64;
            }
            Open::Folder => return Err(Errno::IsFolder),
            Open::Stdin => return Err(Errno::BadFile),
        }
        Ok(())
    }

    pub(super) fn seek(&mut self, fd: u32, offset: i64, whence: Whence) -> Result<u64, Errno> {
        let size = self.size(fd)?;
        match self.open(fd)? {
            Open::File { position, .. } => {
                let from = match whence {
                    Whence::Start => 0,
                    Whence::Position => *position,
                    Whence::End => size,
                };
                *position = from.checked_add_signed(offset).ok_or(Errno::Invalid)?;
                Ok(*position)
            }
            _ => Err(Errno::NoSeek),
        }
    }
}

fn keep(stream: &mut Stream, bytes: &[u8], max: usize) -> u64 {
    let room = max.saturating_sub(stream.bytes.len()).min(bytes.len());
    stream.bytes.extend_from_slice(&bytes[..room]);
    stream.left_out += (bytes.len() - room) as u64;
    room as u64
}
