//! Verifying: what a journal proves, with or without the key to read it, and where it fails to.
//!
//! **Invariant:** Verifying needs no key. Hashes and digests cover the stored bytes, and labels in the clear name the
//! blobs.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{CheckpointNumber, Event, Mission, MissionId, PASSPORT_VERSION, TenantId};
use adjutant_store::{
    AttestationRow, BlobDigest, Broken, Chain, ChainHead, ListOrder, ListQuery, Retention,
    TenantStore, WholeMission,
};

use crate::JournalError;
use crate::attest::{Attestation, AttestedHead, Statement, told};
use crate::event::{self, Label};
use crate::mission_seal::MissionSeal;
use crate::tenant::TenantJournal;

/// What is wrong with what is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub code: &'static str,
    pub what: String,
}

impl Damage {
    fn new(code: &'static str, what: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
        }
    }
}

impl From<Broken> for Damage {
    fn from(broken: Broken) -> Self {
        Self::new(broken.code(), broken.to_string())
    }
}

impl From<JournalError> for Damage {
    fn from(error: JournalError) -> Self {
        Self::new(error.code(), error.chain())
    }
}

/// What was proved of one mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    pub mission: MissionId,
    pub kept: Retention,
    /// Where the journal ends; for a pruned mission, where it ended.
    pub head: ChainHead,
    pub blobs: usize,
    /// Its events were opened and folded, and the list, inbox and snapshot say the same.
    pub folded: bool,
    /// What the list says (state, counts, times, cost) was compared with the journal or with a signature.
    pub listed: bool,
    /// The last event that somebody signed for.
    pub attested: Option<u64>,
    /// Who signed.
    pub keys: BTreeSet<String>,
}

/// What was proved of a tenant's attestations.
#[derive(Debug, Clone)]
pub struct Attested {
    pub head: AttestedHead,
    pub keys: BTreeSet<String>,
    pub of: BTreeMap<MissionId, Vec<Attestation>>,
}

const ATTESTATIONS_AT_A_TIME: u32 = 2_000;
const MISSIONS_AT_A_TIME: u32 = 500;

impl<T: TenantStore> TenantJournal<T> {
    /// Verifies one mission, its signatures included; all of them by one of `signers`, or by anybody if there are none.
    pub async fn verify(
        &self,
        mission: MissionId,
        signers: &[String],
        known: Option<ChainHead>,
    ) -> Result<Result<Verified, Damage>, JournalError> {
        let rows = self.store().attestations_of(mission).await?;
        let mut said = Vec::with_capacity(rows.len());
        for row in &rows {
            match read(self.tenant(), signers, row) {
                Ok(attestation) => said.push(attestation),
                Err(damage) => return Ok(Err(damage)),
            }
        }
        self.verify_with(mission, &said, known).await
    }

    /// Verifies one mission against attestations that were read already.
    pub async fn verify_with(
        &self,
        mission: MissionId,
        said: &[Attestation],
        known: Option<ChainHead>,
    ) -> Result<Result<Verified, Damage>, JournalError> {
        let whole = self.store().take_out(mission).await?;
        let whole = whole.ok_or(JournalError::MissionUnknown(mission))?;
        let seal = match whole.row.kept {
            Retention::Erased | Retention::Pruned => None,
            Retention::Working | Retention::Archived => match self.seal_of(&whole.row).await {
                Ok(seal) => Some(seal),
                Err(JournalError::NoKey { .. }) => None,
                Err(error) => return Ok(Err(error.into())),
            },
        };
        Ok(verify_whole(&whole, said, seal.as_ref(), known))
    }

    /// Verifies the tenant's attestations, one after another, and that every mission they speak of is there.
    pub async fn verify_attestations(
        &self,
        signers: &[String],
        known: Option<AttestedHead>,
    ) -> Result<Result<Attested, Damage>, JournalError> {
        let mut walk = AttestationWalk::new(self.tenant(), signers, known);
        let mut from = 1;
        loop {
            let rows = self
                .store()
                .attestations(from, ATTESTATIONS_AT_A_TIME)
                .await?;
            for row in &rows {
                if let Err(damage) = walk.feed(row) {
                    return Ok(Err(damage));
                }
            }
            from += rows.len() as u64;
            if rows.len() < ATTESTATIONS_AT_A_TIME as usize {
                break;
            }
        }
        let attested = match walk.end() {
            Ok(attested) => attested,
            Err(damage) => return Ok(Err(damage)),
        };
        for mission in attested.of.keys() {
            if self.store().row(*mission).await?.is_none() {
                let what = format!("{mission} is covered by a signature but is not in the store");
                return Ok(Err(Damage::new("ADJ-3052", what)));
            }
        }
        Ok(Ok(attested))
    }

    /// The missions there are, oldest page last.
    pub async fn missions(&self) -> Result<Vec<MissionId>, JournalError> {
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let query = ListQuery {
                phases: None,
                limit: MISSIONS_AT_A_TIME,
                order: ListOrder::NewestFirst,
                past: before,
            };
            let page = self.store().list(query).await?;
            found.extend(page.iter().map(|row| row.summary.mission));
            before = found.last().copied();
            if page.len() < MISSIONS_AT_A_TIME as usize {
                return Ok(found);
            }
        }
    }
}

/// One attestation of `tenant`, its signature checked. Anybody can sign with a key of their own: only a signer
/// that is known from elsewhere makes a signature mean something.
pub(crate) fn read(
    tenant: &TenantId,
    signers: &[String],
    row: &AttestationRow,
) -> Result<Attestation, Damage> {
    let read = Attestation::read(row).filter(|read| read.tenant == *tenant);
    let read = read.ok_or_else(|| {
        let what = format!("signature {} is forged or altered", row.number);
        Damage::new("ADJ-3050", what)
    })?;
    if signers.is_empty() || signers.contains(&read.key) {
        return Ok(read);
    }
    let what = format!(
        "signature {} is by {}, a key that is not trusted; name trusted keys with --signer",
        row.number, read.key
    );
    Err(Damage::new("ADJ-3055", what))
}

/// Follows attestations from the first one on.
pub(crate) struct AttestationWalk<'a> {
    tenant: &'a TenantId,
    signers: &'a [String],
    known: Option<AttestedHead>,
    met_known: bool,
    attested: Attested,
}

impl<'a> AttestationWalk<'a> {
    pub(crate) fn new(
        tenant: &'a TenantId,
        signers: &'a [String],
        known: Option<AttestedHead>,
    ) -> Self {
        Self {
            tenant,
            signers,
            known,
            met_known: false,
            attested: Attested {
                head: AttestedHead::genesis(tenant),
                keys: BTreeSet::new(),
                of: BTreeMap::new(),
            },
        }
    }

    pub(crate) fn feed(&mut self, row: &AttestationRow) -> Result<(), Damage> {
        let attestation = read(self.tenant, self.signers, row)?;
        let head = self.attested.head;
        if row.number != head.number + 1 || attestation.previous != head.hash.to_string() {
            let what = format!(
                "signature {} does not follow the one before it: some were removed or replaced",
                row.number
            );
            return Err(Damage::new("ADJ-3051", what));
        }
        self.attested.head = AttestedHead::of(row);
        self.met_known |= self.known == Some(self.attested.head);
        self.attested.keys.insert(attestation.key.clone());
        if matches!(attestation.says, Statement::Records { .. }) {
            return Ok(());
        }
        let mission = attestation.says.mission();
        self.attested
            .of
            .entry(mission)
            .or_default()
            .push(attestation);
        Ok(())
    }

    pub(crate) fn end(self) -> Result<Attested, Damage> {
        match self.known {
            Some(known) if !self.met_known => Err(Damage::new(
                "ADJ-3053",
                format!(
                    "signature {} is not the one that was given: signatures were removed or rewritten",
                    known.number
                ),
            )),
            _ => Ok(self.attested),
        }
    }
}

/// Verifies all that is kept of a mission. Without its seal, all but what its content says.
pub fn verify_whole(
    whole: &WholeMission,
    said: &[Attestation],
    seal: Option<&MissionSeal>,
    known: Option<ChainHead>,
) -> Result<Verified, Damage> {
    let mission = whole.row.summary.mission;
    let pruned = said
        .iter()
        .rev()
        .find_map(|attestation| match &attestation.says {
            says @ Statement::Pruned { .. } => says.stood(),
            Statement::Head { .. } | Statement::Records { .. } => None,
        });
    let head = match (whole.row.kept, pruned) {
        (Retention::Pruned, Some(stood)) if whole.events.is_empty() && whole.blobs.is_empty() => {
            stood
        }
        (Retention::Pruned, _) => return Err(unsaid(mission, Retention::Pruned)),
        _ => walk(whole)?,
    };
    check_said(whole, said, head)?;
    let signed_for = check_told(whole, said, head)?;
    if let Some(known) = known {
        stands(whole, head, known)?;
    }
    check_blobs(whole)?;
    let folded = match seal {
        Some(seal) => {
            check_content(whole, seal)?;
            true
        }
        None => false,
    };
    Ok(Verified {
        mission,
        kept: whole.row.kept,
        head,
        blobs: whole.blobs.len(),
        folded,
        listed: folded || signed_for,
        attested: said
            .iter()
            .filter_map(|attestation| Some(attestation.says.stood()?.seq))
            .max(),
        keys: said.iter().map(|said| said.key.clone()).collect(),
    })
}

fn unsaid(mission: MissionId, kept: Retention) -> Damage {
    let what = format!(
        "{mission} is marked as {}, but its journal does not record that",
        kept.name()
    );
    Damage::new("ADJ-3054", what)
}

/// The chain from genesis on, and what the events' labels say.
fn walk(whole: &WholeMission) -> Result<ChainHead, Damage> {
    let (mission, kept) = (whole.row.summary.mission, whole.row.kept);
    let mut chain = Chain::new(&whole.row.origin, mission);
    let mut erased = false;
    for stored in &whole.events {
        chain.feed(stored)?;
        let label = Label::read(stored.seq, &stored.bytes).ok_or_else(|| {
            let what = format!("event {} has an unknown format", stored.seq);
            Damage::new("ADJ-3049", what)
        })?;
        erased = label.name == ERASED;
    }
    if chain.head().seq == 0 {
        return Err(Broken::CutShort {
            expected: 1,
            found: 0,
        }
        .into());
    }
    let content_left = whole.row.key.is_some() || whole.snapshot.is_some();
    if erased != (kept == Retention::Erased) || (erased && content_left) {
        return Err(unsaid(mission, Retention::Erased));
    }
    Ok(chain.head())
}

const ERASED: &str = "content_erased/1";

/// Everything that was signed for stands as it did.
fn check_said(whole: &WholeMission, said: &[Attestation], head: ChainHead) -> Result<(), Damage> {
    for attestation in said {
        let stood = attestation.says.stood().ok_or_else(|| {
            let what = format!("signature {} does not name an event", attestation.number);
            Damage::new("ADJ-3050", what)
        })?;
        let removed = whole.row.kept == Retention::Pruned && stood.seq < head.seq;
        if !removed {
            stands(whole, head, stood)?;
        }
    }
    Ok(())
}

/// The list says what it said when the journal's end was signed. Whether anybody signed for it, too.
fn check_told(whole: &WholeMission, said: &[Attestation], head: ChainHead) -> Result<bool, Damage> {
    let found = told(&whole.row.summary);
    let mut signed = said
        .iter()
        .filter_map(|attestation| attestation.says.summary_at(head))
        .peekable();
    let is_signed = signed.peek().is_some();
    if signed.all(|summary| summary == found) {
        return Ok(is_signed);
    }
    let what = format!(
        "what is listed of {} (state, counts, times, cost) is not what was signed",
        whole.row.summary.mission
    );
    Err(Damage::new("ADJ-3110", what))
}

/// The journal has this event at this place.
fn stands(whole: &WholeMission, head: ChainHead, stood: ChainHead) -> Result<(), Damage> {
    if stood.seq > head.seq {
        return Err(Broken::CutShort {
            expected: stood.seq,
            found: head.seq,
        }
        .into());
    }
    let found = match whole.row.kept {
        Retention::Pruned => Some(head),
        _ => stood
            .seq
            .checked_sub(1)
            .and_then(|at| whole.events.get(usize::try_from(at).ok()?))
            .map(adjutant_store::StoredEvent::head),
    };
    if found == Some(stood) {
        return Ok(());
    }
    Err(Broken::Rewritten { seq: stood.seq }.into())
}

/// Every blob is what its digest says, and belongs to an event; every event has its blob.
fn check_blobs(whole: &WholeMission) -> Result<(), Damage> {
    let mut spoken_of = BTreeSet::new();
    for stored in &whole.events {
        let label = Label::read(stored.seq, &stored.bytes);
        spoken_of.extend(label.and_then(|label| label.blob));
    }
    let mut found = BTreeSet::new();
    for blob in &whole.blobs {
        if BlobDigest::of(&blob.bytes) != blob.digest {
            let what = format!("blob {} was altered", blob.digest);
            return Err(Damage::new("ADJ-3046", what));
        }
        found.insert(blob.digest.to_string());
    }
    if let Some(stray) = found.difference(&spoken_of).next() {
        let what = format!("no event refers to blob {stray}");
        return Err(Damage::new("ADJ-3048", what));
    }
    let content_is_there = matches!(whole.row.kept, Retention::Working | Retention::Archived);
    match spoken_of.difference(&found).next() {
        Some(missing) if content_is_there => {
            let what = format!("blob {missing} is missing");
            Err(Damage::new("ADJ-3047", what))
        }
        _ => Ok(()),
    }
}

/// Opens and folds the events, and compares what was derived from them.
fn check_content(whole: &WholeMission, seal: &MissionSeal) -> Result<(), Damage> {
    let id = whole.row.summary.mission;
    let corrupt = |source| JournalError::Corrupt {
        mission: id,
        source: Box::new(source),
    };
    let mut folded: Option<Mission> = None;
    for stored in &whole.events {
        let recorded = seal.open_event(stored.seq, &stored.bytes)?;
        if let Some((label, _)) = event::parts(&stored.bytes)
            && serde_json::from_slice(label).ok() != Some(Label::of(&recorded))
        {
            let what = format!(
                "the label of event {} does not match its content",
                stored.seq
            );
            return Err(Damage::new("ADJ-3049", what));
        }
        if matches!(recorded.event, Event::ContentErased { .. }) {
            return Err(unsaid(id, Retention::Erased));
        }
        match &mut folded {
            Some(mission) => mission.apply(&recorded).map_err(corrupt)?,
            None => folded = Some(Mission::begin(&recorded).map_err(corrupt)?),
        }
        if let (Some(kept), Some(mission)) = (&whole.snapshot, &folded)
            && kept.head.seq == stored.seq
            && kept.version == PASSPORT_VERSION
        {
            let passport = seal.open_snapshot(stored.seq, &kept.passport)?;
            if mission.passport().ok() != Some(passport) || kept.head != stored.head() {
                let what = format!(
                    "the snapshot at event {} does not match the journal",
                    stored.seq
                );
                return Err(Damage::new("ADJ-6040", what));
            }
        }
    }
    let Some(mission) = folded else {
        return Err(unsaid(id, whole.row.kept));
    };
    check_row(whole, seal, &mission)?;
    for blob in &whole.blobs {
        seal.open_blob(&blob.bytes)?;
    }
    Ok(())
}

fn check_row(whole: &WholeMission, seal: &MissionSeal, mission: &Mission) -> Result<(), Damage> {
    let title = seal.open_title(&whole.row.summary.title)?;
    let mut row = whole.row.summary.clone().titled(title);
    let folds_to = mission.summary();
    if whole.row.kept == Retention::Archived {
        // A mission from elsewhere is not woken here, whatever it waits for.
        row.wake_at = folds_to.wake_at;
    }
    if row != folds_to {
        let what = "the mission list does not match the journal";
        return Err(Damage::new("ADJ-6041", what));
    }
    if whole.row.kept == Retention::Archived {
        return Ok(());
    }
    let asked: Vec<CheckpointNumber> = mission
        .open_checkpoints()
        .map(|state| state.checkpoint.number)
        .collect();
    let listed: Vec<CheckpointNumber> = whole
        .inbox
        .iter()
        .map(|row| row.checkpoint.number)
        .collect();
    let mut fits = asked == listed;
    for row in &whole.inbox {
        let entry = seal.open_inbox(row)?;
        let state = mission.checkpoints().get(row.checkpoint.number.index());
        fits &= state.is_some_and(|state| {
            let checkpoint = &state.checkpoint;
            entry.question == checkpoint.question
                && entry.deadline == checkpoint.deadline
                && row.deadline == checkpoint.deadline
                && row.severity == checkpoint.severity
        });
    }
    if fits {
        return Ok(());
    }
    let what = "the inbox does not match the journal";
    Err(Damage::new("ADJ-6042", what))
}
