//! Signed statements about journals, chained per tenant. What they say and whether a signature holds is not
//! looked at here.

use adjutant_mission::MissionId;

/// One attestation as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttestationRow {
    /// Its place among the tenant's, from 1, without gaps.
    pub number: u64,
    /// The mission it is about.
    pub mission: MissionId,
    pub bytes: Vec<u8>,
}
