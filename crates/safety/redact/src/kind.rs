//! The kinds of personal data, and a finding.

use std::ops::Range;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Email,
    Phone,
    /// National ids, and passports, driving licences and identity cards.
    NationalId,
    Card,
    Iban,
    /// Medical record numbers, and the codes of patients and trial subjects.
    MedicalRecord,
    BirthDate,
    Address,
    Ip,
    Name,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Email,
        Self::Phone,
        Self::NationalId,
        Self::Card,
        Self::Iban,
        Self::MedicalRecord,
        Self::BirthDate,
        Self::Address,
        Self::Ip,
        Self::Name,
    ];

    /// The word that pseudonyms of this kind start with.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Email => "EMAIL",
            Self::Phone => "PHONE",
            Self::NationalId => "ID",
            Self::Card => "CARD",
            Self::Iban => "IBAN",
            Self::MedicalRecord => "RECORD",
            Self::BirthDate => "BORN",
            Self::Address => "ADDRESS",
            Self::Ip => "IP",
            Self::Name => "NAME",
        }
    }
}

/// One piece of personal data in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    /// In bytes; always on character boundaries.
    pub span: Range<usize>,
    /// How it was recognised.
    pub reason: &'static str,
}
