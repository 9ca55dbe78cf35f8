use super::{Language, Stems};
use crate::words::WordKind;

/// Terms as stored indexes have them. Where one of these changes, raise `VERSION` in `segment_bytes.rs`: an index with
/// other terms would be searched in vain.
const TERMS: &[(Language, &str, &str)] = &[
    (Language::English, "inspections", "inspect"),
    (Language::German, "behältern", "behalt"),
    (Language::French, "continuerait", "continu"),
    (Language::Spanish, "almacenamiento", "almacen"),
    (Language::Italian, "pressione", "pression"),
    (Language::Portuguese, "armazenamento", "armazen"),
    (Language::Dutch, "opgeslagen", "opslaag"),
    (Language::Swedish, "behållarna", "behall"),
    (Language::Danish, "beholderne", "behold"),
    (Language::Norwegian, "beholderne", "beholdern"),
    (Language::Finnish, "säiliöissä", "sailio"),
    (Language::Russian, "резервуары", "резервуар"),
    (Language::Hungarian, "tartályokban", "tartaly"),
    (Language::Romanian, "rezervoarele", "rezervoar"),
    (Language::Turkish, "tanklarda", "tank"),
    (Language::Greek, "δεξαμενές", "δεξαμεν"),
    (Language::Arabic, "الخزانات", "خزان"),
    (Language::Tamil, "தொட்டிகள்", "தொட்டி"),
    (Language::Chinese, "容器", "容器"),
    (Language::Other, "behältern", "behaltern"),
];

#[test]
fn words_are_indexed_under_the_terms_of_this_version() {
    let terms: Vec<(Language, &str, String)> = TERMS
        .iter()
        .map(|(language, word, _)| {
            let term = Stems::new(*language).term(word, WordKind::Letters);
            (*language, *word, term)
        })
        .collect();
    let expected: Vec<(Language, &str, String)> = TERMS
        .iter()
        .map(|(language, word, term)| (*language, *word, (*term).to_owned()))
        .collect();
    assert_eq!(terms, expected);
}
