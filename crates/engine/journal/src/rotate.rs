//! Changing keys without touching what they seal.

use adjutant_store::{Store, TenantStore};

use crate::JournalError;
use crate::keys::MasterKey;
use crate::tenant::{TenantJournal, Vault};

const KEYS_AT_A_TIME: u32 = 2_000;

impl Vault {
    /// Wraps every tenant's key with `new` instead, and says how many there are. What was wrapped with it
    /// already is left, so a change that was cut off is finished by doing it again.
    pub async fn rotate<S: Store>(
        &self,
        store: &S,
        new: &MasterKey,
    ) -> Result<usize, JournalError> {
        let mut rewrapped = 0;
        for tenant in store.tenants().await? {
            let scoped = store.tenant(&tenant);
            while let Some(wrapped) = scoped.tenant_key().await? {
                if new.unwrap(&tenant, &wrapped).is_ok() {
                    break;
                }
                let key = self.master().unwrap(&tenant, &wrapped)?;
                let again = new.wrap(&tenant, &key)?;
                let expected = Some(wrapped);
                if scoped.set_tenant_key(expected, again, Vec::new()).await? {
                    rewrapped += 1;
                    break;
                }
            }
        }
        Ok(rewrapped)
    }
}

impl<T: TenantStore> TenantJournal<T> {
    /// Gives the tenant a new key and wraps its missions' keys with that, and says how many there are.
    pub async fn rotate(&self) -> Result<usize, JournalError> {
        let Some(wrapped) = self.store().tenant_key().await? else {
            return Ok(0);
        };
        let old = self.vault().master().unwrap(self.tenant(), &wrapped)?;
        let new = old.successor()?;
        let (mut rewrapped, mut after) = (Vec::new(), None);
        loop {
            let page = self.store().mission_keys(after, KEYS_AT_A_TIME).await?;
            for (mission, wrapped) in &page {
                let key = old.unwrap(*mission, wrapped)?;
                rewrapped.push((*mission, new.wrap(*mission, &key)?));
            }
            after = page.last().map(|(mission, _)| *mission);
            if page.len() < KEYS_AT_A_TIME as usize {
                break;
            }
        }
        let count = rewrapped.len();
        let again = self.vault().master().wrap(self.tenant(), &new)?;
        let expected = Some(wrapped);
        if !self
            .store()
            .set_tenant_key(expected, again, rewrapped)
            .await?
        {
            return Err(JournalError::KeyChanged);
        }
        self.vault().remember(self.tenant(), &new);
        Ok(count)
    }
}
