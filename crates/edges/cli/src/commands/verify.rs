//! `adjutant verify`: proves journals whole, and says what that does and does not prove.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::Path;

use adjutant_host::audit_broken_at;
use adjutant_journal::{
    Attested, AttestedHead, Damage, JournalError, Kind, RecordsVerified, Verified, verify_file,
};
use adjutant_mission::MissionId;
use adjutant_store::{ChainHead, EventHash, Retention};

use super::export;
use crate::args::Verify;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count, short};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, verify: Verify) -> Result<Exit, AppError> {
    let form = Form::from(verify.json.json);
    let kept = verify.head.as_deref().map(parse_head).transpose()?;
    for signer in &verify.signer {
        if signer.len() != 64 || !signer.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6036",
                format!("`{signer}` is not a public key"),
                "Give all 64 hexadecimal digits, as `adjutant sign` and `verify` print them.",
            ));
        }
    }
    let mut report = Report {
        form,
        signer_known: !verify.signer.is_empty(),
        signer_named: !verify.signer.is_empty(),
        ..Report::default()
    };
    if let Some(file) = &verify.file {
        return verify_one_file(file, &verify, kept, report);
    }
    let reading = ReadOnlyStore::expect(settings).await?;
    let signers = match verify.signer.is_empty() {
        true => settings.signer()?.into_iter().collect(),
        false => verify.signer.clone(),
    };
    report.signer_known = !signers.is_empty();
    match (&verify.mission, kept) {
        (Some(_), Some(KeptHead::Tenant(_))) => {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6034",
                "this is the head of all missions together, not of one",
                "Verify without naming a mission, or give that mission's own head.",
            ));
        }
        (None, Some(KeptHead::Mission(_))) => {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6034",
                "this is the head of one mission",
                "Name the mission it belongs to.",
            ));
        }
        (Some(text), kept) => {
            let mission = find::mission(reading.store(), text).await?;
            let known = kept.and_then(|kept| match kept {
                KeptHead::Mission(head) => Some(head),
                KeptHead::Tenant(_) => None,
            });
            report.against_head = known.is_some();
            report.add(
                mission,
                reading.journal.verify(mission, &signers, known).await?,
            )?;
        }
        (None, kept) => {
            let known = kept.and_then(|kept| match kept {
                KeptHead::Tenant(head) => Some(head),
                KeptHead::Mission(_) => None,
            });
            report.against_head = known.is_some();
            let attested = reading.journal.verify_attestations(&signers, known).await?;
            let attested = report.attestations(attested)?;
            let records = reading.journal.verify_records(&signers).await?;
            if report.records(records)?
                && let Some(number) = audit_broken_at(&reading.journal).await?
            {
                report.audit_broken(number)?;
            }
            for mission in reading.journal.missions().await? {
                let said = attested.as_ref().and_then(|a| a.of.get(&mission));
                let said = said.map_or(&[][..], |said| &said[..]);
                let found = reading.journal.verify_with(mission, said, None).await?;
                report.add(mission, found)?;
            }
        }
    }
    report.conclude()
}

/// Needs nothing but the file: no store, no master key.
fn verify_one_file(
    place: &Path,
    verify: &Verify,
    kept: Option<KeptHead>,
    mut report: Report,
) -> Result<Exit, AppError> {
    let key = verify.key.as_deref().map(export::read_key).transpose()?;
    let known = match kept {
        Some(KeptHead::Mission(head)) => Some(head),
        Some(KeptHead::Tenant(_)) => {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6034",
                "a file cannot be compared with the head of all missions together",
                "Give the head of the one mission in it, or verify the store with --all.",
            ));
        }
        None => None,
    };
    report.against_head = known.is_some();
    let file = BufReader::new(export::open(place)?);
    let found = match verify_file(file, key.as_ref(), &verify.signer, known) {
        Ok(found) => found,
        Err(error @ (JournalError::File { .. } | JournalError::FileAltered)) => {
            report.file_broken(place, &error)?;
            return report.conclude();
        }
        Err(error) => return Err(error.into()),
    };
    if known.is_some() && found.missions.len() != 1 {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6034",
            format!(
                "the file has {} missions, but this is the head of one",
                found.missions.len()
            ),
            "Export that mission by itself, or verify without --head.",
        ));
    }
    report.is_backup = found.kind == Kind::Backup;
    for (_, attested) in found.attestations {
        report.attestations(attested)?;
    }
    for (_, mission, verified) in found.missions {
        report.add(mission, verified)?;
    }
    report.conclude()
}

/// A head that was kept elsewhere: `35:…` of one mission, `@12:…` of all of them.
#[derive(Debug, Clone, Copy)]
enum KeptHead {
    Mission(ChainHead),
    Tenant(AttestedHead),
}

fn parse_head(text: &str) -> Result<KeptHead, AppError> {
    let part = |text: &str| -> Option<(u64, EventHash)> {
        let (number, hash) = text.split_once(':')?;
        Some((number.parse().ok()?, hash.parse().ok()?))
    };
    let parsed = match text.strip_prefix('@') {
        Some(rest) => {
            part(rest).map(|(number, hash)| KeptHead::Tenant(AttestedHead { number, hash }))
        }
        None => part(text).map(|(seq, hash)| KeptHead::Mission(ChainHead { seq, hash })),
    };
    parsed.ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6034",
            format!("`{text}` is not a journal's head"),
            "Give it as `verify` printed it: a number, a colon, and a hash.",
        )
    })
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) form: Form,
    pub(super) against_head: bool,
    /// Signatures were checked against a key that was known before.
    pub(super) signer_known: bool,
    /// The person named who must have signed: what nobody signed does not do then.
    signer_named: bool,
    whole: usize,
    broken: usize,
    /// Missions of which only a signed record is left.
    pruned: usize,
    /// Missions whose content was not read: erased, pruned, or no key.
    unread: usize,
    /// Missions with events that nobody signed for yet.
    unsigned: usize,
    /// Missions of which nothing proves what the list says.
    unlisted: usize,
    /// What was found of records, where they were looked at.
    records: Option<RecordsVerified>,
    is_backup: bool,
    keys: BTreeSet<String>,
    /// Something that is no mission is not whole: the signatures together, or a file.
    rest_broken: bool,
    /// What was found wrong is all of this kind: it is not what the person said it should be.
    disagrees: usize,
}

/// Not the head, or not the signer, that the person named. Either the journal was rewritten or the wrong one
/// was named.
const DISAGREES: [&str; 4] = ["ADJ-3044", "ADJ-3053", "ADJ-3055", UNSIGNED];
const UNSIGNED: &str = "ADJ-3056";

impl Report {
    pub(super) fn attestations(
        &mut self,
        found: Result<Attested, Damage>,
    ) -> Result<Option<Attested>, AppError> {
        match found {
            Ok(attested) => {
                let head = format!("@{}:{}", attested.head.number, attested.head.hash);
                match self.form {
                    Form::Json => output::line(
                        &serde_json::json!({
                            "attestations": attested.head.number, "whole": true, "head": head,
                            "keys": attested.keys,
                        })
                        .to_string(),
                    )?,
                    Form::Text if attested.head.number == 0 => {}
                    Form::Text => {
                        let number = usize::try_from(attested.head.number).unwrap_or(0);
                        let told = count(number, "signature");
                        let line = Line::new()
                            .plain(" ")
                            .and(Tone::Done, "✓")
                            .plain(format!(" {told}, each linked to the previous one"))
                            .and(Tone::Dim, format!("  head {head}"));
                        output::line(&line.render(output::paint()))?;
                    }
                }
                Ok(Some(attested))
            }
            Err(damage) => {
                self.rest_broken = true;
                self.damage("the signatures", &damage, serde_json::json!({}))?;
                Ok(None)
            }
        }
    }

    /// What a tenant keeps beside its missions, and whether it is whole.
    fn records(&mut self, found: Result<RecordsVerified, Damage>) -> Result<bool, AppError> {
        let verified = match found {
            Ok(verified) => verified,
            Err(damage) => {
                self.rest_broken = true;
                self.damage("the records", &damage, serde_json::json!({}))?;
                return Ok(false);
            }
        };
        self.records = Some(verified);
        if self.form == Form::Json {
            let told = serde_json::json!({
                "records": verified.records, "whole": true, "signed": verified.signed,
            });
            output::line(&told.to_string())?;
            return Ok(true);
        }
        if verified.records == 0 {
            return Ok(true);
        }
        let told = count(verified.records, "record");
        let line = Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(format!(" {told}: none missing, each in its latest version"));
        output::line(&line.render(output::paint()))?;
        Ok(true)
    }

    fn audit_broken(&mut self, number: u64) -> Result<(), AppError> {
        self.rest_broken = true;
        let damage = Damage {
            code: "ADJ-3117",
            what: format!("entry {number} of the audit log is missing or was changed"),
        };
        self.damage("the audit log", &damage, serde_json::json!({}))
    }

    fn file_broken(&mut self, place: &Path, error: &JournalError) -> Result<(), AppError> {
        self.rest_broken = true;
        let damage = Damage {
            code: error.code(),
            what: error.chain(),
        };
        let told = serde_json::json!({ "file": place });
        self.damage(&place.display().to_string(), &damage, told)
    }

    fn damage(
        &mut self,
        of: &str,
        damage: &Damage,
        mut told: serde_json::Value,
    ) -> Result<(), AppError> {
        self.disagrees += usize::from(DISAGREES.contains(&damage.code));
        if self.form == Form::Json {
            told["whole"] = false.into();
            told["code"] = damage.code.into();
            told["message"] = damage.what.clone().into();
            return output::line(&told.to_string());
        }
        let line = Line::new()
            .plain(" ")
            .and(Tone::Failed, "✗")
            .plain(format!(" {of}  "))
            .and(
                Tone::Failed,
                format!("error[{}]: {}", damage.code, damage.what),
            );
        output::line(&line.render(output::paint()))
    }

    pub(super) fn add(
        &mut self,
        mission: MissionId,
        found: Result<Verified, Damage>,
    ) -> Result<(), AppError> {
        let verified = match found {
            Ok(verified) => verified,
            Err(damage) => {
                self.broken += 1;
                let told = serde_json::json!({ "mission": mission });
                return self.damage(&short(mission), &damage, told);
            }
        };
        if self.signer_named && verified.attested.is_none() {
            self.broken += 1;
            let told = serde_json::json!({ "mission": mission });
            let damage = Damage {
                code: UNSIGNED,
                what: "it is not signed, but --signer requires a signature".to_owned(),
            };
            return self.damage(&short(mission), &damage, told);
        }
        self.whole += 1;
        self.pruned += usize::from(verified.kept == Retention::Pruned);
        self.unread += usize::from(!verified.folded);
        self.unlisted += usize::from(!verified.listed);
        self.unsigned += usize::from(verified.attested != Some(verified.head.seq));
        self.keys.extend(verified.keys.iter().cloned());
        let head = format!("{}:{}", verified.head.seq, verified.head.hash);
        if self.form == Form::Json {
            let told = serde_json::json!({
                "mission": mission, "whole": true, "events": verified.head.seq, "head": head,
                "kept": verified.kept.name(), "blobs": verified.blobs, "folded": verified.folded,
                "summary_proved": verified.listed,
                "signed_to": verified.attested, "keys": verified.keys,
            });
            return output::line(&told.to_string());
        }
        let events = count(usize::try_from(verified.head.seq).unwrap_or(0), "event");
        let how = match verified.kept {
            Retention::Working => "whole",
            Retention::Archived => "whole, imported",
            Retention::Erased => "whole, content erased",
            Retention::Pruned => "pruned, as signed for",
        };
        let signed = match verified.attested {
            None => String::new(),
            Some(seq) if seq == verified.head.seq => ", signed".to_owned(),
            Some(seq) => format!(", signed to event {seq}"),
        };
        let line = Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(format!(" {}  {events}, {how}{signed}", short(mission)))
            .and(Tone::Dim, format!("  head {head}"));
        output::line(&line.render(output::paint()))
    }

    /// What was verified, and what was not, apart from events.
    fn say_what_stands_beside(&self) -> Result<(), AppError> {
        let say = |text: &str| output::line(&Line::of(Tone::Dim, text).render(output::paint()));
        if self.unlisted > 0 {
            let unlisted = count(self.unlisted, "mission");
            say(&format!(
                "   Not proved: what the list says of {unlisted}: state, counts, times and cost."
            ))?;
        }
        if let Some(records) = self.records {
            if records.registered {
                say(
                    "   Proved: stops, triggers, access tokens, caps and the audit log are as Adjutant last wrote them.",
                )?;
            }
            if !records.signed {
                say(
                    "   Not proved: that none of them was put back as it was earlier. Sign them with `adjutant sign`.",
                )?;
            }
            say(
                "   Not proved: what accounts have spent, counts of calls, and that no older document or notice was put back.",
            )?;
        }
        if self.is_backup {
            say(
                "   Not proved: the accounts, caps and records in the file. `verify --all` checks them once restored.",
            )?;
        }
        Ok(())
    }

    /// What all of it proves, and what it does not.
    pub(super) fn conclude(&self) -> Result<Exit, AppError> {
        let good = self.broken == 0 && !self.rest_broken;
        let exit = if good { Exit::Ok } else { Exit::NotGood };
        if self.form == Form::Json {
            return Ok(exit);
        }
        if !good {
            let found = self.broken + usize::from(self.rest_broken);
            let advice = if self.disagrees == found {
                "not the head or key you gave: if your value is right, the journal was rewritten"
            } else {
                "damaged: restore it from a backup that verifies, or get the file again"
            };
            output::line(&format!(" {} whole, {found} {advice}.", self.whole))?;
            return Ok(exit);
        }
        if self.whole == 0 {
            output::line("There are no missions to verify.")?;
            return Ok(exit);
        }
        let say = |text: &str| output::line(&Line::of(Tone::Dim, text).render(output::paint()));
        if self.pruned < self.whole {
            say("   Proved: no event or blob was removed, moved or altered after it was written.")?;
        }
        if self.pruned > 0 {
            let pruned = count(self.pruned, "mission");
            say(&format!(
                "   Proved: where {pruned} ended when pruned. Their content is gone."
            ))?;
        }
        if self.unread < self.whole {
            say(
                "   Proved: replaying the readable events gives the stored list, inbox and snapshot.",
            )?;
        }
        if self.against_head {
            say(
                "   Proved: the journal still contains your head; nothing up to there was removed or rewritten.",
            )?;
            say("   Not proved: anything after that head.")?;
        }
        for key in &self.keys {
            let trusted = if self.signer_known {
                ""
            } else {
                ": compare it with the key you trust"
            };
            say(&format!("   Signed by {key}{trusted}."))?;
        }
        if self.unread > 0 {
            let unread = count(self.unread, "mission");
            say(&format!(
                "   Not proved: the content of {unread}. It is gone, or its key is not available."
            ))?;
        }
        self.say_what_stands_beside()?;
        if self.unsigned > 0 {
            let unsigned = count(self.unsigned, "mission");
            say(&format!(
                "   Not proved: who wrote the last events of {unsigned}. Sign them with `adjutant sign`."
            ))?;
        }
        if !self.against_head {
            say(
                "   Not proved: that nothing was removed at the end or rewritten by someone with the store and",
            )?;
            say(
                "   the signing key. To prove that too, keep a head elsewhere and verify with --head.",
            )?;
        }
        Ok(exit)
    }
}
