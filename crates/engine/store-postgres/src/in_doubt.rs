//! What was sent over a connection that broke before the server answered.

use adjutant_mission::TenantId;
use adjutant_store::StoreError;

use crate::columns::Param;

/// What was sent and may or may not have been written: all of it, since it was one transaction.
pub(crate) struct InDoubt {
    pub(crate) trace: Trace,
    pub(crate) answer: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

/// A query that finds something exactly if the transaction was written.
pub(crate) struct Trace {
    pub(crate) tenant: TenantId,
    pub(crate) sql: &'static str,
    pub(crate) params: Vec<Param<'static>>,
}
