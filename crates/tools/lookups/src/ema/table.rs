//! The agency's tables: where they are and what their columns are called, the newest name first.

use super::search::Report;

pub(super) struct Table {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) name: &'static [&'static str],
    pub(super) substance: &'static [&'static str],
    pub(super) status: &'static [&'static str],
    pub(super) id: &'static [&'static str],
    /// The first that has a value counts.
    pub(super) date: &'static [&'static str],
    pub(super) url: &'static [&'static str],
    /// What may be quoted, with what it is called.
    pub(super) quotable: &'static [(&'static str, &'static [&'static str])],
}

pub(super) const HOLDER: &[&str] = &[
    "marketing_authorisation_developer_applicant_holder",
    "marketing_authorisation_holder_company_name",
    "marketing_authorisation_holder",
];
pub(super) const ATC: &[&str] = &["atc_code_human", "atcvet_code_veterinary", "atc_code"];
pub(super) const AREA: &[&str] = &[
    "therapeutic_area_mesh",
    "therapeutic_area",
    "therapeutic_indication",
    "condition_indication",
    "intended_use",
    "condition",
];
pub(super) const CATEGORY: &[&str] = &["category"];

const MEDICINES: Table = Table {
    file: "/medicines-output-medicines_json-report_en.json",
    title: "Medicines",
    name: &["name_of_medicine", "medicine_name"],
    substance: &[
        "active_substance",
        "international_non_proprietary_name_common_name",
        "international_non_proprietary_name_inn_common_name",
    ],
    status: &["medicine_status", "authorisation_status"],
    id: &["ema_product_number", "product_number"],
    date: &[
        "marketing_authorisation_date",
        "refusal_of_marketing_authorisation_date",
        "withdrawal_of_application_date",
        "opinion_adopted_date",
        "first_published_date",
        "first_published",
    ],
    url: &["medicine_url", "url"],
    quotable: &[
        ("Status", &["medicine_status", "authorisation_status"]),
        ("Opinion", &["opinion_status"]),
        ("Active substance", &["active_substance"]),
        ("Holder", HOLDER),
        (
            "Indication",
            &["therapeutic_indication", "condition_indication"],
        ),
        (
            "Group",
            &[
                "pharmacotherapeutic_group_human",
                "human_pharmacotherapeutic_group",
                "pharmacotherapeutic_group_veterinary",
            ],
        ),
    ],
};

const REFERRALS: Table = Table {
    file: "/referrals-output-json-report_en.json",
    title: "Referrals",
    name: &[
        "referral_name",
        "associated_names_centrally_authorised_medicines",
    ],
    substance: &[
        "international_non_proprietary_name_inn_common_name",
        "international_non_proprietary_name_common_name",
    ],
    status: &["current_status"],
    id: &["reference_number", "referral_url"],
    date: &["procedure_start_date", "first_published_date"],
    url: &["referral_url"],
    quotable: &[
        ("Status", &["current_status"]),
        ("Kind", &["referral_type"]),
        ("Safety referral", &["safety_referral"]),
        (
            "Substance",
            &["international_non_proprietary_name_inn_common_name"],
        ),
        (
            "Recommendation",
            &["prac_recommendation", "chmp_opinion_date"],
        ),
    ],
};

const COMMUNICATIONS: Table = Table {
    file: "/dhpc-output-json-report_en.json",
    title: "Direct healthcare professional communications",
    name: &[
        "name_of_medicine",
        "other_related_medicines_nationally_authorised",
    ],
    substance: &["active_substances", "active_substance"],
    status: &["regulatory_outcome"],
    id: &["dhpc_url"],
    date: &["dissemination_date", "first_published_date"],
    url: &["dhpc_url"],
    quotable: &[
        ("Kind", &["dhpc_type"]),
        ("Outcome", &["regulatory_outcome"]),
        ("Substances", &["active_substances"]),
        ("Referral", &["referral_name"]),
        (
            "National medicines",
            &["other_related_medicines_nationally_authorised"],
        ),
    ],
};

const ORPHANS: Table = Table {
    file: "/medicines-output-orphan_designations-json-report_en.json",
    title: "Orphan designations",
    name: &["medicine_name", "active_substance"],
    substance: &["active_substance"],
    status: &["status"],
    id: &["eu_designation_number"],
    date: &["date_of_designation_or_refusal", "first_published_date"],
    url: &["orphan_designation_url"],
    quotable: &[
        ("Status", &["status"]),
        ("Substance", &["active_substance"]),
        ("Intended use", &["intended_use"]),
        ("Product", &["related_ema_product_number"]),
    ],
};

const SHORTAGES: Table = Table {
    file: "/shortages-output-json-report_en.json",
    title: "Shortages",
    name: &["medicine_affected"],
    substance: &[
        "international_non_proprietary_name_inn_or_common_name",
        "international_non_proprietary_name_inn_common_name",
    ],
    status: &["supply_shortage_status"],
    id: &["shortage_url"],
    date: &["start_of_shortage_date", "first_published_date"],
    url: &["shortage_url"],
    quotable: &[
        ("Status", &["supply_shortage_status"]),
        ("Forms", &["pharmaceutical_forms_affected"]),
        ("Strengths", &["strengths_affected"]),
        ("Alternatives", &["availability_of_alternatives"]),
        ("Expected to end", &["expected_resolution_date"]),
    ],
};

const PLANS: Table = Table {
    file: "/medicines-output-paediatric_investigation_plans-output-json-report_en.json",
    title: "Paediatric investigation plans",
    name: &["invented_name", "active_substance"],
    substance: &["active_substance"],
    status: &["decision_type"],
    id: &["decision_number", "pip_number"],
    date: &["decision_date", "first_published_date"],
    url: &["pip_url", "paediatric_investigation_plan_url", "url"],
    quotable: &[
        ("Decision", &["decision_type"]),
        ("Substance", &["active_substance"]),
        ("Condition", &["condition", "conditions"]),
        ("Plan", &["pip_number"]),
        ("Compliance", &["compliance_outcome"]),
    ],
};

pub(super) fn of(report: Report) -> &'static Table {
    match report {
        Report::Medicines => &MEDICINES,
        Report::Referrals => &REFERRALS,
        Report::Communications => &COMMUNICATIONS,
        Report::OrphanDesignations => &ORPHANS,
        Report::Shortages => &SHORTAGES,
        Report::PaediatricPlans => &PLANS,
    }
}
