//! A file as JSON has it.

use adjutant_sandbox::FileIn;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

/// A file with its name: text, or anything else as base64. What one run gives back can be given to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedFile {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base64: Option<String>,
}

impl NamedFile {
    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Self {
        let (text, base64) = match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None),
            Err(other) => (None, Some(BASE64_STANDARD.encode(other.as_bytes()))),
        };
        Self { name, text, base64 }
    }

    pub(crate) fn into_file(self) -> Result<FileIn, String> {
        let name = self.name;
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => BASE64_STANDARD
                .decode(base64)
                .map_err(|error| format!("the file `{name:.80}` is no base64: {error}"))?,
            _ => {
                return Err(format!(
                    "the file `{name:.80}` needs either `text` or `base64`"
                ));
            }
        };
        Ok(FileIn { name, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_comes_back_can_be_given_again() {
        for bytes in [&b"text"[..], &[0xff, 0x00, 0xfe], b""] {
            let file = NamedFile::new("a".into(), bytes.to_vec());
            let json = serde_json::to_string(&file).unwrap();
            let again: NamedFile = serde_json::from_str(&json).unwrap();
            assert_eq!(again.into_file().unwrap().bytes, bytes);
        }
    }

    #[test]
    fn a_file_has_one_content() {
        for json in [
            r#"{"name":"a"}"#,
            r#"{"name":"a","text":"x","base64":"eA=="}"#,
            r#"{"name":"a","base64":"%"}"#,
        ] {
            let file: NamedFile = serde_json::from_str(json).unwrap();
            assert!(file.into_file().is_err(), "{json}");
        }
    }
}
