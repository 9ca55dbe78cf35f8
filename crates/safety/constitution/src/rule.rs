//! The rules by name: to which area each belongs, and whether a person may overrule it.

use crate::Area;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    pub area: Area,
    /// What is wrong with a sentence that breaks it.
    pub reason: &'static str,
    pub may_be_overruled: bool,
}

const fn of(area: Area, id: &'static str, reason: &'static str) -> Rule {
    Rule {
        id,
        area,
        reason,
        may_be_overruled: true,
    }
}

const fn for_good(area: Area, id: &'static str, reason: &'static str) -> Rule {
    Rule {
        may_be_overruled: false,
        ..of(area, id, reason)
    }
}

use Area::{BiasMitigation, HarmfulContent, InformationIntegrity, MedicalSafety};

pub(crate) const ADVICE: &str = "medical.advice";
pub(crate) const GUIDANCE: &str = "medical.guidance_set_aside";
pub(crate) const PLAYED_DOWN: &str = "medical.risk_played_down";
pub(crate) const UNFLAGGED: &str = "medical.risk_not_flagged";
pub(crate) const NO_SOURCE: &str = "integrity.no_source";
pub(crate) const VAGUE: &str = "integrity.unnamed_authority";
pub(crate) const CERTAIN: &str = "integrity.certainty";
pub(crate) const OVERREACH: &str = "integrity.overreach";
pub(crate) const MOTIVE: &str = "integrity.motive";
pub(crate) const CONFLICT: &str = "integrity.conflict_hidden";
pub(crate) const PREFERENCE: &str = "bias.preference_followed";
pub(crate) const DROPPED: &str = "bias.contrary_evidence_dropped";
pub(crate) const SPUN: &str = "bias.null_result_praised";
pub(crate) const ONE_WAY: &str = "bias.no_alternatives";
pub(crate) const GROUP: &str = "bias.group_generalised";
pub(crate) const CONCEAL: &str = "harmful.conceal";
pub(crate) const DESTROY: &str = "harmful.destroy_evidence";
pub(crate) const EVADE: &str = "harmful.evade_rules";
pub(crate) const PROMOTE: &str = "harmful.mislead";

/// Every rule.
pub const RULES: [Rule; 19] = [
    of(
        MedicalSafety,
        ADVICE,
        "It tells people what to take or do without a caveat or a professional.",
    ),
    of(
        MedicalSafety,
        GUIDANCE,
        "It sets a label, a guideline or an authority's demand aside.",
    ),
    of(
        MedicalSafety,
        PLAYED_DOWN,
        "It calls a risk to patients harmless, or drops a precaution.",
    ),
    of(
        MedicalSafety,
        UNFLAGGED,
        "It recommends to go on although harm is reported, without flagging it.",
    ),
    of(
        InformationIntegrity,
        NO_SOURCE,
        "It states figures, causes or results without a source or a sign of doubt.",
    ),
    of(
        InformationIntegrity,
        VAGUE,
        "It rests on an authority that is not named.",
    ),
    of(
        InformationIntegrity,
        CERTAIN,
        "It claims a certainty for which it shows no evidence.",
    ),
    of(
        InformationIntegrity,
        OVERREACH,
        "It concludes more than its evidence carries.",
    ),
    of(
        InformationIntegrity,
        MOTIVE,
        "It states what somebody wanted or knew as a fact.",
    ),
    of(
        InformationIntegrity,
        CONFLICT,
        "Its sources disagree, and it follows one of them without saying why.",
    ),
    of(
        BiasMitigation,
        PREFERENCE,
        "It follows what the reader or the client is known to prefer.",
    ),
    of(
        BiasMitigation,
        DROPPED,
        "It leaves evidence or voices against its conclusion out.",
    ),
    of(
        BiasMitigation,
        SPUN,
        "It praises what its own figures do not show.",
    ),
    of(
        BiasMitigation,
        ONE_WAY,
        "It dismisses all other views or options.",
    ),
    of(
        BiasMitigation,
        GROUP,
        "It ascribes something to a whole group of people and decides by it.",
    ),
    of(
        HarmfulContent,
        CONCEAL,
        "It helps to keep safety information from those who must know it.",
    ),
    for_good(
        HarmfulContent,
        DESTROY,
        "It instructs somebody to destroy or falsify records.",
    ),
    of(
        HarmfulContent,
        EVADE,
        "It helps to get around a rule or a control.",
    ),
    of(
        HarmfulContent,
        PROMOTE,
        "It helps to mislead people about a product.",
    ),
];

/// The rule with this id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
