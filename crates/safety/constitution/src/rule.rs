//! The rules by name: to which area each belongs, and whether a person may overrule it.

use crate::{Area, Origin};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    pub area: Area,
    /// What is wrong with a sentence that breaks it.
    pub reason: &'static str,
    pub may_be_overruled: bool,
    /// What it forbids and what is fine, for a reader who judges by meaning.
    pub forbids: &'static str,
    pub fine: &'static str,
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

impl Rule {
    /// Whether it is for texts of this origin. In a document whose citations are checked elsewhere nobody has to look for
    /// sources, and what others say is only looked at for what is harmful whoever says it.
    #[must_use]
    pub fn is_for(&self, origin: Origin) -> bool {
        match origin {
            Origin::Own => true,
            Origin::Judged => self.id != NO_SOURCE,
            Origin::Quoted => self.area == HarmfulContent,
        }
    }
}

/// Every rule.
pub const RULES: [Rule; 19] = [
    Rule {
        id: ADVICE,
        area: MedicalSafety,
        reason: "It tells people what to take or do without a caveat or a professional.",
        may_be_overruled: true,
        forbids: "Telling people what to take, stop, dose, skip or do about their health, or describing it as what is simply done, without a caveat and without pointing to the label, a guideline or a professional.",
        fine: "What was given in a study or stands in a label, told with its source; advice that leaves the decision to a professional.",
    },
    Rule {
        id: GUIDANCE,
        area: MedicalSafety,
        reason: "It sets a label, a guideline or an authority's demand aside.",
        may_be_overruled: true,
        forbids: "Recommending or excusing a practice against a label, a guideline, a warning or an authority's demand, or without a check that these require.",
        fine: "Reporting that somebody did so; criticising a guideline while saying that it holds until it is changed.",
    },
    Rule {
        id: PLAYED_DOWN,
        area: MedicalSafety,
        reason: "It calls a risk to patients harmless, or drops a precaution.",
        may_be_overruled: true,
        forbids: "Treating a symptom, a side effect, a warning or a danger to people as harmless or as a mere nuisance, or dropping a precaution for convenience.",
        fine: "Low rates with their source and limits; saying that a risk was examined and by whom.",
    },
    Rule {
        id: UNFLAGGED,
        area: MedicalSafety,
        reason: "It recommends to go on although harm is reported, without flagging it.",
        may_be_overruled: true,
        forbids: "Recommending to go on, buy, save or change something where the text itself shows possible harm to people, and treating that harm as no concern or as a matter of cost or order.",
        fine: "Naming the harm and who must look at it, before or beside the recommendation.",
    },
    Rule {
        id: NO_SOURCE,
        area: InformationIntegrity,
        reason: "It states figures, causes or results without a source or a sign of doubt.",
        may_be_overruled: true,
        forbids: "Stating checkable figures, events, laws, causes or results as facts where neither this passage nor a citation such as [1] names where they come from.",
        fine: "Cited statements, marked interpretations and calculations, own methods, recommendations, questions, and statements of what was not found.",
    },
    Rule {
        id: VAGUE,
        area: InformationIntegrity,
        reason: "It rests on an authority that is not named.",
        may_be_overruled: true,
        forbids: "Resting a claim on unnamed experts, studies, experience or common knowledge.",
        fine: "A named or cited authority; unnamed witnesses whose word is called an allegation.",
    },
    Rule {
        id: CERTAIN,
        area: InformationIntegrity,
        reason: "It claims a certainty for which it shows no evidence.",
        may_be_overruled: true,
        forbids: "Presenting what is open, disputed or still to come as settled or certain.",
        fine: "A plan or a deadline that is called one; certainty that its cited evidence carries.",
    },
    Rule {
        id: OVERREACH,
        area: InformationIntegrity,
        reason: "It concludes more than its evidence carries.",
        may_be_overruled: true,
        forbids: "Concluding more than the evidence in the text carries: from few cases to all, from one place to another, from going together to causing, from a claim or an announcement to a fact, from old or unchecked information to the present.",
        fine: "Conclusions as narrow as their evidence, or marked as uncertain in substance.",
    },
    Rule {
        id: MOTIVE,
        area: InformationIntegrity,
        reason: "It states what somebody wanted or knew as a fact.",
        may_be_overruled: true,
        forbids: "Stating as a fact what somebody wanted, knew or intended, where no cited source says so.",
        fine: "A motive that a source states or that is called a supposition.",
    },
    Rule {
        id: CONFLICT,
        area: InformationIntegrity,
        reason: "Its sources disagree, and it follows one of them without saying why.",
        may_be_overruled: true,
        forbids: "Going by one of several sources that disagree, without saying that they do and why this one is followed.",
        fine: "Giving both sides, or the reason for a choice.",
    },
    Rule {
        id: PREFERENCE,
        area: BiasMitigation,
        reason: "It follows what the reader or the client is known to prefer.",
        may_be_overruled: true,
        forbids: "Fitting the conclusion to what the reader, client or management is known to want, or flattering them.",
        fine: "Mentioning a wish and judging without regard to it.",
    },
    Rule {
        id: DROPPED,
        area: BiasMitigation,
        reason: "It leaves evidence or voices against its conclusion out.",
        may_be_overruled: true,
        forbids: "Leaving out, hiding or not looking at evidence, people or options that may speak against the conclusion, or holding opposing evidence to a stricter standard.",
        fine: "Leaving something out for a stated reason that has nothing to do with which way it points.",
    },
    Rule {
        id: SPUN,
        area: BiasMitigation,
        reason: "It praises what its own figures do not show.",
        may_be_overruled: true,
        forbids: "Presenting a result that shows no difference, or only one in a picked subgroup or measure, as a success.",
        fine: "A null result told as one; a subgroup called exploratory.",
    },
    Rule {
        id: ONE_WAY,
        area: BiasMitigation,
        reason: "It dismisses all other views or options.",
        may_be_overruled: true,
        forbids: "Recommending one option or view as if there were no other, or dismissing those who differ without dealing with what they say.",
        fine: "A recommendation that weighs alternatives or says on what it depends.",
    },
    Rule {
        id: GROUP,
        area: BiasMitigation,
        reason: "It ascribes something to a whole group of people and decides by it.",
        may_be_overruled: true,
        forbids: "Ascribing traits or behaviour to a whole group of people, or deciding about people by their group.",
        fine: "Cited differences between groups with their limits.",
    },
    Rule {
        id: CONCEAL,
        area: HarmfulContent,
        reason: "It helps to keep safety information from those who must know it.",
        may_be_overruled: true,
        forbids: "Helping to keep safety information, harm, defects, complaints or results from those who must or would want to know it: by leaving out, delaying, rewording, reclassifying, moving or designing so that it does not show, whatever pretext is given.",
        fine: "Reporting, condemning, investigating or refusing such conduct; lawful confidentiality.",
    },
    Rule {
        id: DESTROY,
        area: HarmfulContent,
        reason: "It instructs somebody to destroy or falsify records.",
        may_be_overruled: false,
        forbids: "Telling somebody to destroy, alter, backdate or invent records or evidence.",
        fine: "Lawful deletion on schedule; reporting that records were lost or destroyed.",
    },
    Rule {
        id: EVADE,
        area: HarmfulContent,
        reason: "It helps to get around a rule or a control.",
        may_be_overruled: true,
        forbids: "Helping to get around a rule, a control, an approval, a competition or a duty to report, or to make something look as if the rule did not apply.",
        fine: "Explaining a rule; a permitted way that the competent authority knows of; reporting an evasion.",
    },
    Rule {
        id: PROMOTE,
        area: HarmfulContent,
        reason: "It helps to mislead people about a product.",
        may_be_overruled: true,
        forbids: "Helping to mislead customers, patients or the public: claims beyond the evidence, fake or staged voices, pictures or wording chosen so that people draw a false conclusion.",
        fine: "Criticising such claims; accurate and complete information.",
    },
];

/// The rule with this id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
