//! What a call is about to write or send, held against the constitution: whatever is harmful, whoever says it.
//!
//! A file and a request are exits like a report. By the time of the call nobody may have reviewed anything, so a person is
//! asked; what nobody may overrule is not written at all.

use std::collections::BTreeSet;

use adjutant_constitution::{Finding, blocking_in};
use adjutant_mission::{EffectClass, Outcome};
use serde_json::Value;

use crate::acknowledgement::{Acknowledgements, AskedBy};
use crate::outcome::shorten;

/// The code of what the constitutional checks keep back.
const BLOCKED: &str = "ADJ-6185";

/// Why a call is not made. Calls that change nothing outside take nothing out.
pub(crate) fn kept_back(
    tool: &str,
    class: EffectClass,
    arguments: &Value,
    acknowledged: Acknowledgements<'_>,
) -> Option<Outcome> {
    if class == EffectClass::Pure {
        return None;
    }
    let blocking = blocking_in(arguments);
    let first = blocking.first()?;
    let rules: BTreeSet<&str> = blocking.iter().map(|it| it.rule.as_str()).collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    // The text is not repeated: what is told here is shown to many.
    let told = format!(
        "the constitutional checks block what `{tool}` would take out: {} (in `{}`)",
        rules.join(", "),
        first.place
    );
    if blocking.iter().any(|finding| !finding.may_be_overruled) {
        let reason = format!("{told}; nobody may overrule that [{BLOCKED}]");
        return Some(Outcome::Denied {
            reason: shorten(reason),
        });
    }
    let code = acknowledged.code(AskedBy::Constitution, &parts(tool, &blocking));
    if acknowledged.contain(&code) {
        return None;
    }
    let reason = format!("{code} {told}. Retrying makes the call as it is [{BLOCKED}]");
    Some(Outcome::NeedsHuman {
        reason: shorten(reason),
    })
}

/// What a person answers for: this tool, and these findings.
fn parts<'a>(tool: &'a str, blocking: &'a [Finding]) -> Vec<&'a str> {
    let ids = blocking.iter().map(|finding| finding.id.as_str());
    std::iter::once(tool).chain(ids).collect()
}
