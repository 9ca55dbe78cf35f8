//! Trust in the settings file of the current folder. Such a file can start programs, send data elsewhere and lift rules, so
//! only the user decides that it counts. Its place and a hash of its content are kept in the data folder; a file that
//! changed is asked about again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Environment, FILE_NAME};
use crate::error::{AppError, ErrorKind};

const RECORD: &str = "trusted-settings.json";
const RECORD_BYTES_MAX: u64 = 1024 * 1024;

/// Hashes of trusted files, by path.
type Trusted = BTreeMap<String, String>;

/// What trusting a settings file lets it do.
#[derive(Debug)]
pub struct TrustedFile {
    pub path: PathBuf,
    /// The settings it makes, as `key = value`.
    pub sets: Vec<String>,
}

/// Refuses a settings file of the current folder that nobody trusted.
pub(super) fn check(home: &Path, path: &Path, text: &str) -> Result<(), AppError> {
    if path.starts_with(home) || canonical(path)?.parent() == canonical(home).ok().as_deref() {
        return Ok(());
    }
    let known = read(home)?;
    let trusted = known.get(&name(path)?);
    if trusted.is_some_and(|hash| *hash == hash_of(text)) {
        return Ok(());
    }
    let what = match trusted {
        Some(_) => "has changed since you trusted it",
        None => "is not trusted",
    };
    Err(AppError::new(
        ErrorKind::BadInput,
        "ADJ-6151",
        format!("the settings file {} {what}", name(path)?),
        "It can start programs, send data to other hosts and change rules. Read it, then run `adjutant trust`; or remove it.",
    ))
}

/// Trusts the settings file of the current folder as it is now.
pub fn trust(environment: &Environment) -> Result<TrustedFile, AppError> {
    let home = environment.home()?;
    let path = PathBuf::from(FILE_NAME);
    let text = super::file::read_text(&path)?.ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6152",
            format!("there is no {FILE_NAME} in the current folder"),
            "Change to the folder that has one. The file in the data folder needs no trust.",
        )
    })?;
    // What cannot be used is not trusted either.
    super::file::parse(&path.display().to_string(), &text)?;
    let sets: toml::Table = text
        .parse()
        .map_err(|_| unreadable(&path, "it is not TOML"))?;
    let mut trusted = read(&home)?;
    trusted.insert(name(&path)?, hash_of(&text));
    write(&home, &trusted)?;
    Ok(TrustedFile {
        path: canonical(&path)?,
        sets: flat("", &sets),
    })
}

/// Trusts it no longer. Whether it was trusted.
pub fn distrust(environment: &Environment) -> Result<bool, AppError> {
    let home = environment.home()?;
    let mut trusted = read(&home)?;
    let was = trusted.remove(&name(Path::new(FILE_NAME))?).is_some();
    if was {
        write(&home, &trusted)?;
    }
    Ok(was)
}

fn hash_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn canonical(path: &Path) -> Result<PathBuf, AppError> {
    path.canonicalize()
        .map_err(|error| unreadable(path, &error.to_string()))
}

/// Where the file is, whichever way one came there. A file that is gone is named by its folder.
fn name(path: &Path) -> Result<String, AppError> {
    let folder = match path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        Some(folder) => canonical(folder)?,
        None => canonical(Path::new("."))?,
    };
    Ok(folder.join(FILE_NAME).display().to_string())
}

fn read(home: &Path) -> Result<Trusted, AppError> {
    let path = home.join(RECORD);
    if !path.exists() {
        return Ok(Trusted::new());
    }
    let bytes = crate::files::read(&path, RECORD_BYTES_MAX)?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(&path, &error.to_string()))
}

fn write(home: &Path, trusted: &Trusted) -> Result<(), AppError> {
    let path = home.join(RECORD);
    let unwritten = |error: std::io::Error| unreadable(&path, &error.to_string());
    let text = serde_json::to_vec_pretty(trusted)
        .map_err(|error| unreadable(&path, &error.to_string()))?;
    std::fs::create_dir_all(home).map_err(unwritten)?;
    let beside = home.join(format!("{RECORD}.new"));
    std::fs::write(&beside, text).map_err(unwritten)?;
    std::fs::rename(&beside, &path).map_err(unwritten)
}

fn unreadable(path: &Path, why: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6002",
        format!("the file {} cannot be used: {why}", path.display()),
        "Fix or remove the file.",
    )
}

/// Every setting on a line of its own. Values that may be secret are not shown.
fn flat(prefix: &str, table: &toml::Table) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, value) in table {
        let name = match prefix {
            "" => key.clone(),
            prefix => format!("{prefix}.{key}"),
        };
        match value {
            toml::Value::Table(inner) => lines.extend(flat(&name, inner)),
            other => {
                let value = serde_json::to_string(other).unwrap_or_default();
                lines.push(super::file::without_secret(&format!("{name} = {value}")));
            }
        }
    }
    lines
}
