//! The job as it comes in.

use std::io::Read;

use rustix::process::geteuid;

use crate::wire::{REQUEST_LINE_BYTES_MAX, Request, RequestProgram};

use super::{SuperviseError, take};

pub(super) struct Given {
    pub(super) request: Request,
    pub(super) code: Vec<u8>,
    pub(super) stdin: Vec<u8>,
    pub(super) files: Vec<Vec<u8>>,
}

impl Given {
    /// Whether the job runs as root. The kernel limits the processes of everybody else; root's are only counted. In a
    /// shared folder the job must stay who the folder's owner is.
    pub(super) fn is_root(&self) -> bool {
        self.request.shared_folder.is_some() && geteuid().is_root()
    }

    pub(super) fn read(input: &mut impl Read) -> Result<Self, SuperviseError> {
        let mut length = [0; 4];
        input
            .read_exact(&mut length)
            .map_err(SuperviseError::Input)?;
        let length = u64::from(u32::from_be_bytes(length));
        if length > REQUEST_LINE_BYTES_MAX {
            let message = format!("it has {length} bytes; the limit is {REQUEST_LINE_BYTES_MAX}");
            return Err(SuperviseError::Request(message));
        }
        let line = take(input, length).map_err(SuperviseError::Input)?;
        let request: Request = serde_json::from_slice(&line)
            .map_err(|error| SuperviseError::Request(error.to_string()))?;
        let mut part = |bytes| take(input, bytes).map_err(SuperviseError::Input);
        let code = match &request.program {
            RequestProgram::Code { bytes, .. } => part(*bytes)?,
            RequestProgram::Arguments(_) => Vec::new(),
        };
        let stdin = part(request.stdin_bytes)?;
        let files = request
            .files
            .iter()
            .map(|file| part(file.bytes))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            request,
            code,
            stdin,
            files,
        })
    }
}
