//! The container of old Office files. Only told apart, never opened.

use crate::ReadFailure;

/// How a protected Office file names the stream that holds it, in UTF-16.
const ENCRYPTED: &str = "EncryptedPackage";

pub(super) fn refuse(bytes: &[u8]) -> ReadFailure {
    let name: Vec<u8> = ENCRYPTED
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    if bytes.windows(name.len()).any(|window| window == name) {
        return ReadFailure::PasswordProtected;
    }
    ReadFailure::unsupported("an Office file from before 2007 (.doc, .xls, .ppt)")
}
