//! The standard streams of a job, each on a thread of its own.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin};
use std::thread::JoinHandle;

use crate::Stream;
use crate::ended::STREAM_END_BYTES_MAX;

const CHUNK_BYTES: usize = 64 * 1024;

pub(super) struct Streams {
    stdout: JoinHandle<Stream>,
    stderr: JoinHandle<Stream>,
}

impl Streams {
    pub(super) fn start(child: &mut Child, stdin: Vec<u8>, bytes_max: u64) -> Self {
        let input = child.stdin.take();
        std::thread::spawn(move || feed(input, &stdin));
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        Self {
            stdout: std::thread::spawn(move || capture(stdout, bytes_max)),
            stderr: std::thread::spawn(move || capture(stderr, bytes_max)),
        }
    }

    /// Everything has been written once the job's last process has ended.
    pub(super) fn finish(self) -> (Stream, Stream) {
        let stdout = self.stdout.join().unwrap_or_default();
        let stderr = self.stderr.join().unwrap_or_default();
        (stdout, stderr)
    }
}

/// A program may end without reading all it is given; that is its own business.
fn feed(input: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut input) = input {
        let _ = input.write_all(bytes);
    }
}

fn capture(stream: Option<impl Read>, bytes_max: u64) -> Stream {
    let mut captured = Stream::default();
    let Some(mut stream) = stream else {
        return captured;
    };
    let room_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return captured,
            Ok(count) => {
                let kept = (room_max - captured.bytes.len()).min(count);
                captured.bytes.extend_from_slice(&chunk[..kept]);
                captured.left_out += (count - kept) as u64;
                keep_end(&mut captured.end, &chunk[kept..count]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return captured,
        }
    }
}

fn keep_end(end: &mut Vec<u8>, more: &[u8]) {
    let more = &more[more.len().saturating_sub(STREAM_END_BYTES_MAX)..];
    let too_many = (end.len() + more.len()).saturating_sub(STREAM_END_BYTES_MAX);
    end.drain(..too_many);
    end.extend_from_slice(more);
}
