//! The master key and the signing key: from the environment, or from files that only their owner can read.

use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use adjutant_journal::{MasterKey, SigningKey, Vault};
use adjutant_notify::{AnswerKey, AnswerLink, Channel};
use adjutant_store::{Store, TenantStore};
use zeroize::Zeroizing;

use super::Settings;
use crate::error::{AppError, ErrorKind};

/// A key file is one line.
const FILE_BYTES_MAX: u64 = 1024;

impl Settings {
    /// The vault of a store that is there.
    pub fn vault(&self) -> Result<Vault, AppError> {
        self.master().map(Vault::new)
    }

    fn master(&self) -> Result<MasterKey, AppError> {
        match &self.master_key {
            Some(text) => parse("ADJUTANT_MASTER_KEY", text),
            None => master_key(&self.master_key_file),
        }
    }

    /// The channels with the links through which their recipients answer. The store's master key must be there by now.
    pub fn answerable_channels(&self) -> Result<Vec<Channel>, AppError> {
        let key = self.answer_key()?;
        let channels = self.channels.iter();
        Ok(channels
            .map(|channel| channel.answerable(key.as_ref()))
            .collect())
    }

    /// Through which links questions of this tenant are answered.
    pub fn answer_links(&self) -> Result<Vec<AnswerLink>, AppError> {
        let Some(key) = self.answer_key()? else {
            return Ok(Vec::new());
        };
        let links = self.channels.iter();
        let links = links.filter_map(|channel| channel.answer_link(&key));
        Ok(links.filter(|link| link.tenant == self.tenant).collect())
    }

    /// What links are made with; nothing is read where no channel has links.
    fn answer_key(&self) -> Result<Option<AnswerKey>, AppError> {
        if !self
            .channels
            .iter()
            .any(super::ChannelSettings::is_answered)
        {
            return Ok(None);
        }
        Ok(Some(AnswerKey::of_master(&self.master()?.text())))
    }

    /// The vault for a store, with a new master key if nothing there is sealed yet. A key that is not the
    /// store's is refused before anything is done with it.
    pub async fn vault_for<S: Store>(&self, store: &S) -> Result<Vault, AppError> {
        if !self.has_master_key() {
            if is_sealed(store).await? {
                return Err(no_key(&self.master_key_file));
            }
            let key = MasterKey::generate()?;
            keep(&self.master_key_file, &key.text())?;
        }
        let vault = self.vault()?;
        vault.check(store).await?;
        Ok(vault)
    }

    /// The vault to read a store with; none where whoever made the store was cut short before there was a key.
    pub async fn vault_to_read<S: Store>(&self, store: &S) -> Result<Option<Vault>, AppError> {
        if !self.has_master_key() && !is_sealed(store).await? {
            return Ok(None);
        }
        self.vault().map(Some)
    }

    fn has_master_key(&self) -> bool {
        self.master_key.is_some() || self.master_key_file.exists()
    }

    /// Who signs journals here, if anybody has.
    pub fn signer(&self) -> Result<Option<String>, AppError> {
        if !self.signing_key_file.exists() {
            return Ok(None);
        }
        Ok(Some(self.signing_key()?.public()))
    }

    /// What signs journals here, made when first needed.
    pub fn signing_key(&self) -> Result<SigningKey, AppError> {
        let place = &self.signing_key_file;
        if !place.exists() {
            keep(place, &SigningKey::generate()?.text())?;
        }
        let text = read(place)?.ok_or_else(|| no_key(place))?;
        SigningKey::parse(&text).ok_or_else(|| no_such_key(&place.display().to_string()))
    }
}

/// Puts a key into a file of its own, and never over another.
pub fn keep(place: &Path, text: &str) -> Result<(), AppError> {
    let made = std::fs::File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(place)
        .and_then(|mut file| {
            writeln!(file, "{text}")?;
            file.sync_all()
        });
    match made {
        // Somebody else was first; theirs is read.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(|error| unusable(place, &error.to_string())),
    }
}

pub(super) fn read(place: &Path) -> Result<Option<Zeroizing<String>>, AppError> {
    let found = match std::fs::metadata(place) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(place, &error.to_string())),
    };
    if found.mode() & 0o077 != 0 {
        return Err(unusable(
            place,
            "users other than its owner may read or write it",
        ));
    }
    if found.len() > FILE_BYTES_MAX {
        return Err(unusable(place, "it is too long for a key"));
    }
    let text =
        std::fs::read_to_string(place).map_err(|error| unusable(place, &error.to_string()))?;
    Ok(Some(Zeroizing::new(text)))
}

/// Whether anything in a store can only be read with its key.
async fn is_sealed<S: Store>(store: &S) -> Result<bool, AppError> {
    for tenant in store.tenants().await? {
        if store.tenant(&tenant).tenant_key().await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The master key in a file that must be there.
pub fn master_key(place: &Path) -> Result<MasterKey, AppError> {
    let text = read(place)?.ok_or_else(|| no_key(place))?;
    parse(&place.display().to_string(), &text)
}

fn parse(from: &str, text: &str) -> Result<MasterKey, AppError> {
    MasterKey::parse(text).ok_or_else(|| no_such_key(from))
}

fn no_such_key(from: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-4010",
        format!("{from} does not contain a valid key"),
        "A key has 64 hexadecimal digits, as written by `adjutant`.",
    )
}

fn no_key(place: &Path) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-4011",
        format!("there is no key at {}", place.display()),
        "Put the key with which the store or backup was created there, or set ADJUTANT_MASTER_KEY.",
    )
}

fn unusable(place: &Path, why: &str) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-4012",
        format!("the key file {} cannot be used: {why}", place.display()),
        "Make it a file that you own, with mode 600, in a writable folder.",
    )
}
