//! Records: what a tenant keeps beside its journals.

use adjutant_mission::TenantId;
use adjutant_store::{RecordKind, RecordRow, Sealed, StoreError};

use crate::columns::Param;
use crate::read::all;
use crate::readers::Readers;
use crate::rows;
use crate::session::Params;
use crate::writes::Asking;

const OF_KIND: &str =
    "SELECT name, content FROM records WHERE tenant = $1 AND kind = $2 ORDER BY name";
const NAMES: &str = "SELECT name FROM records WHERE tenant = $1 AND kind = $2 ORDER BY name";
pub(crate) const ONE: &str =
    "SELECT content FROM records WHERE tenant = $1 AND kind = $2 AND name = $3";
pub(crate) const PUT: &str = "
    INSERT INTO records (tenant, kind, name, content) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant, kind, name) DO UPDATE SET content = excluded.content";
pub(crate) const DROP: &str = "DELETE FROM records WHERE tenant = $1 AND kind = $2 AND name = $3";
pub(crate) const HAS: &str = "SELECT FROM records
    WHERE tenant = $1 AND kind = $2 AND name = $3 AND content = $4";
pub(crate) const IS_THERE: &str =
    "SELECT FROM records WHERE tenant = $1 AND kind = $2 AND name = $3";
pub(crate) const IS_GONE: &str = "SELECT WHERE NOT EXISTS (
    SELECT FROM records WHERE tenant = $1 AND kind = $2 AND name = $3)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[OF_KIND, NAMES, ONE, PUT, DROP, HAS, IS_THERE, IS_GONE];

pub(crate) async fn of_kind(
    readers: &Readers,
    tenant: &TenantId,
    kind: RecordKind,
) -> Result<Vec<RecordRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &kind.name()];
    let found = readers.rows(Some(tenant), OF_KIND, params).await?;
    all(&found, |row| {
        Ok(RecordRow {
            kind,
            name: rows::get(row, 0)?,
            content: Sealed(rows::get(row, 1)?),
        })
    })
}

pub(crate) async fn names(
    readers: &Readers,
    tenant: &TenantId,
    kind: RecordKind,
) -> Result<Vec<String>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &kind.name()];
    let found = readers.rows(Some(tenant), NAMES, params).await?;
    all(&found, |row| rows::get(row, 0))
}

pub(crate) async fn one(
    readers: &Readers,
    tenant: &TenantId,
    kind: RecordKind,
    name: String,
) -> Result<Option<RecordRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &kind.name(), &name.as_str()];
    let found = readers.rows(Some(tenant), ONE, params).await?;
    let found = all(&found, |row| rows::get(row, 0).map(Sealed))?;
    let content = found.into_iter().next();
    Ok(content.map(|content| RecordRow {
        kind,
        name,
        content,
    }))
}

impl<'b> Asking<'b> {
    pub(crate) fn put_record(&mut self, row: &'b RecordRow) {
        let kind: Param<'b> = Box::new(row.kind.name());
        let content = Box::new(&row.content.0[..]);
        self.ask(PUT, vec![kind, Box::new(&row.name[..]), content]);
    }

    pub(crate) fn drop_record(&mut self, kind: RecordKind, name: &'b str) {
        let kind: Param<'b> = Box::new(kind.name());
        self.ask(DROP, vec![kind, Box::new(name)]);
    }
}
