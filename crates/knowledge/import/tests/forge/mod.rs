//! Makes the hostile files. Nothing large is kept: every file is written when its test runs.

pub(crate) mod docx;
pub(crate) mod pdf;
pub(crate) mod spreadsheet;

pub(crate) use docx::zip_with_lie;
pub(crate) use pdf::flate_bomb as flate_bomb_pdf;

use flate2::{Compress, Compression, FlushCompress};

const CHUNK_BYTES: usize = 1 << 20;

/// So many bytes of spaces, packed. One packed piece is repeated, so that even ten gigabytes cost nothing to make.
pub(crate) fn deflated(bytes: u64) -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut piece = Vec::with_capacity(CHUNK_BYTES);
    compress
        .compress_vec(&[b' '; CHUNK_BYTES], &mut piece, FlushCompress::Full)
        .unwrap();
    let mut packed = piece.repeat((bytes / CHUNK_BYTES as u64) as usize);
    packed.extend(b"\x03\0");
    packed
}

pub(crate) fn zlib(bytes: u64) -> Vec<u8> {
    [b"\x78\x01".to_vec(), deflated(bytes)].concat()
}

pub(crate) fn nested_mail() -> Vec<u8> {
    let mut mail = String::from("From: a@example.org\r\nSubject: outer\r\nMIME-Version: 1.0\r\n");
    for _ in 0..20_000 {
        mail.push_str(
            "Content-Type: message/rfc822\r\n\r\nFrom: a@example.org\r\nSubject: inner\r\n",
        );
    }
    mail.push_str("\r\ntext\r\n");
    mail.into_bytes()
}

pub(crate) fn mail_of_many() -> Vec<u8> {
    let mut mail = String::from(
        "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
    );
    for number in 0..5_000 {
        mail.push_str(&format!(
            "--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename={number}.png\r\n\r\nx\r\n"
        ));
    }
    mail.push_str("--b--\r\n");
    mail.into_bytes()
}
