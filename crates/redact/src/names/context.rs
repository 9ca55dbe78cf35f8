//! What stands before and behind a possible name.

use super::parts::is_capital;
use crate::gazetteer::Known;
use crate::list::List;
use crate::text::{Class, Text};

const CITATION_TOKENS_MAX: usize = 40;

pub(crate) static TITLES: List = List::new(&[
    "dr", "mr", "mrs", "ms", "miss", "prof", "professor", "herr", "herrn", "frau", "hr", "fr", "mme", "mlle", "monsieur", "madame", "mademoiselle",
    "sr", "sra", "srta", "señor", "señora", "sig", "signor", "signora", "dott", "dottoressa", "dottor", "mevrouw", "meneer", "dhr", "mevr", "mw", "pani",
    "sir", "dame", "lord", "lady", "rev", "capt", "doctor", "doktor", "dra", "drs", "ing", "mag", "oberarzt", "oberärztin", "schwester", "nurse", "sister", "judge", "senhor", "senhora",
    "hon", "shri", "smt", "rn", "attorney", "inspector", "sergeant", "lt", "col", "maj", "mx", "fru", "docteur", "dottssa", "kollege", "kollegin", "doña", "dna", "pan", "pana", "m", "ks", "avv", "cher", "chère",
]);

/// Titles that are also other words, so that a listed name must follow. These are read as relations.
static WEAK_TITLES: List = List::new(&["pan", "pana", "m", "sister", "hon", "ing", "mag", "fr", "ks", "rn", "col", "dna", "maj", "judge"]);

/// Words after which, with a colon or without, only a person's name stands.
static PERSON_CUES: List = List::new(&[
    "dear", "hi", "hello", "hallo", "liebe", "lieber", "hej", "cher", "chère", "estimado", "estimada", "caro", "cara", "gentile", "ciao", "hey", "bonjour", "hola", "beste", "kjære", "kære", "bästa", "drogi", "droga",
]);

static PERSON_LABELS: List = List::new(&[
    "patient", "patient name", "patientname", "name of patient", "full name", "fullname", "first name", "firstname", "last name", "lastname", "surname", "given name", "givenname", "middle name",
    "family name", "familyname", "maiden name", "next of kin", "emergency contact", "vorname", "nachname", "familienname", "patientin", "nom", "prénom", "nombre", "apellido", "apellidos", "cognome",
    "naam", "voornaam", "achternaam", "imię", "nazwisko", "imię i nazwisko", "nome", "sobrenome", "förnamn", "efternamn", "navn", "signed", "signed by", "signature", "employee", "employee name", "applicant", "account holder", "cardholder", "card holder", "insured", "policyholder",
    "paciente", "paziente", "physician", "attending", "nurse", "surgeon", "radiologist", "pathologist", "referring physician", "gp", "attn", "kontoinhaber", "ansprechpartner", "ansprechpartnerin", "hausarzt", "titulaire", "titular", "beneficiary", "intestatario", "mother s maiden name", "emp", "reviewer", "approver", "approved by", "prepared by", "reported by", "reviewed by", "author", "investigator", "witness", "spouse", "caregiver", "interviewer", "requester", "candidate", "tenant", "guardian", "姓名", "имя", "фио", "display name", "displayname", "contact person", "unterzeichner", "gez", "mitarbeiter", "mitarbeiterin", "assignee", "cc", "supervisor", "manager", "student", "client name", "customer name", "customer", "client", "contact", "from", "to", "name", "von", "an", "collected by", "performed by", "dictated by", "verified by", "ordered by", "entered by", "owner", "recipient", "sender", "kunde", "klient", "pacjent", "pacjentka", "patiënt", "consultant", "coordinator",
]);

/// Labels that things have too: a listed name must follow.
static WEAK_LABELS: List = List::new(&[
    "name", "nom", "nombre", "nome", "naam", "navn", "from", "to", "cc", "author", "owner", "contact", "customer", "client", "recipient", "sender", "von", "an", "supervisor", "manager", "student", "attending", "kunde", "signature", "consultant", "employee", "applicant", "approver", "reviewer", "insured", "beneficiary",
]);

/// Words for people right before their names, without a colon.
static RELATIONS: List = List::new(&[
    "patient", "patientin", "pt", "client", "colleague", "wife", "husband", "daughter", "son", "mother", "father", "sister", "brother", "partner", "spouse", "aunt", "uncle", "nurse", "physician", "surgeon", "therapist",
    "ehefrau", "ehemann", "tochter", "sohn", "mutter", "vater", "bruder", "kollegin", "kollege", "named", "called", "by", "with", "from", "and", "employee", "manager", "is", "am", "i'm", "heiße", "bin", "llamo", "m'appelle", "chiamo", "resident", "witness", "neighbour", "neighbor", "contact", "contacted", "cc", "signed", "ask", "asked", "told", "call", "met", "thanks", "patiente", "paciente", "hija", "hijo", "fille", "fils", "guardian", "carer", "caregiver", "driver", "tenant", "student", "teacher", "defendant", "claimant", "plaintiff", "mieszkaniec", "pacjentka", "pacjent", "regards", "sincerely", "grüßen", "grüße", "gruß", "cordialement", "saludos", "saluti", "yours", "best", "cheers", "mvh", "groet", "groeten", "pozdrawiam", "atentamente",
]);

/// Closing words of a letter, after which on the next line the name stands.
static CLOSINGS: List = List::new(&[
    "regards", "sincerely", "grüßen", "grüße", "gruß", "cordialement", "saludos", "saluti", "faithfully", "truly", "cheers", "mvh", "groet", "groeten", "pozdrawiam", "atentamente", "wishes", "hälsningar", "hilsen", "best", "thanks", "salutations", "cumprimentos", "atenciosamente", "love", "yours", "freundlichen grüßen", "mfg", "vriendelijke groet", "lg", "vg",
]);

/// Words behind a name that make it a thing.
static THINGS: List = List::new(&[
    "disease", "syndrome", "disorder", "test", "tests", "score", "scores", "scale", "index", "criteria", "classification", "equation", "formula", "coefficient", "coefficients", "correlation", "distribution", "plot", "plots", "curve", "curves", "estimator", "estimate", "estimates",
    "regression", "correction", "kappa", "law", "laws", "effect", "sign", "procedure", "operation", "technique", "manoeuvre", "maneuver", "reflex", "lymphoma", "sarcoma", "tumor", "tumour", "palsy", "chorea", "anemia", "anaemia", "oesophagus", "esophagus", "staging", "model", "models", "method", "methods", "algorithm",
    "university", "hospital", "clinic", "institute", "institut", "foundation", "laboratories", "laboratory", "lab", "labs", "pharma", "pharmaceuticals", "inc", "ltd", "limited", "gmbh", "ag", "corp", "corporation", "llc", "plc", "bank", "street", "avenue", "road", "airport", "bridge", "college", "school", "center", "centre", "prize",
    "award", "act", "county", "island", "islands", "stadium", "library", "church", "building", "hall", "square", "theorem", "stain", "agar", "medium", "charter", "lecture", "medal", "trust", "group", "company", "co", "kg", "sa", "ab", "oy", "bv", "nv", "spa", "srl", "universität", "krankenhaus", "klinik", "stiftung", "straße", "platz", "krankheit", "syndrom",
    "park", "memorial", "therapeutics", "biotech", "brothers", "partners", "consulting", "plaintext", "wing", "ward", "house", "day", "week", "number", "numbers", "constant", "cells", "rule", "rules", "maladie", "sydrom", "enfermedad", "malattia", "ziekte", "river", "bay", "lake", "valley", "city", "town", "beach", "cup", "trophy", "prognostic", "questionnaire", "inventory", "adjustment", "posterior", "prior", "process", "chain", "chains", "sampling", "sampler", "matrix", "transform", "series", "space", "fracture", "contracture", "ring", "loop", "lines", "nodes", "bodies", "body", "duct", "glands", "tube", "catheter", "clamp", "forceps", "retractor", "position", "phenomenon", "thyroiditis", "encephalopathy", "nephropathy", "hazards", "crater", "avenue", "road", "lane", "hazard", "trial", "study", "protocol", "dataset", "database", "server", "framework", "library", "release", "falls", "academy", "gallery", "museum", "agreement", "convention", "declaration", "statement", "guideline", "guidelines", "report", "commission", "journal", "press", "publishing", "motors", "airlines", "meier", "whitney", "u", "t", "f", "z", "d", "exact", "sum",
]);

/// Words before a name that make it a place or a thing.
static THINGS_BEFORE: List = List::new(&["san", "santa", "saint", "st", "hurricane", "storm", "lake", "mount", "mt", "port", "fort", "project", "operation", "new", "cape", "los", "las", "el", "río", "university", "hospital", "clinic", "institute", "klinik", "universität", "hôpital", "rue", "via", "calle", "avenue", "studio", "café", "hotel", "restaurant", "cyclone", "typhoon", "villa", "casa", "chateau", "château", "de", "são", "santo"]);

/// Firms and places that look like a given name with a surname.
const FIRMS: &[(&str, &str)] = &[
    ("eli", "lilly"), ("johns", "hopkins"), ("kaplan", "meier"), ("mann", "whitney"), ("marie", "curie"), ("morgan", "stanley"), ("goldman", "sachs"), ("charles", "river"), ("thomas", "cook"), ("christian", "dior"), ("louis", "vuitton"), ("calvin", "klein"), ("ralph", "lauren"), ("tommy", "hilfiger"), ("ben", "jerry"), ("mercedes", "benz"), ("robert", "bosch"), ("ernst", "young"), ("santa", "maria"), ("san", "jose"),
    ("walter", "reed"), ("jp", "morgan"), ("wells", "fargo"), ("monte", "carlo"), ("thomson", "reuters"), ("john", "deere"), ("jack", "daniels"), ("philip", "morris"), ("robert", "koch"), ("max", "planck"), ("martin", "luther"), ("virgin", "atlantic"), ("guillain", "barre"), ("guillain", "barré"), ("mary", "ann"), ("karl", "fischer"), ("friedrich", "schiller"), ("johann", "wolfgang"), ("michael", "addition"), ("victoria", "falls"), ("georgia", "tech"), ("alexander", "technique"), ("andrew", "file"), ("erlang", "solutions"), ("kruskal", "wallis"), ("charlotte", "north"), ("hans", "riegel"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Title,
    Person,
    Relation,
    Thing,
    SentenceStart,
    Nothing,
}

pub(crate) fn before(text: &Text<'_>, first: usize) -> Before {
    let mut at = first;
    let mut colon = false;
    let mut lines = 0;
    let mut stop = false;
    for _ in 0..8 {
        let Some(previous) = at.checked_sub(1) else { return Before::SentenceStart };
        at = previous;
        match text.class(at) {
            Some(Class::Space) => {}
            Some(Class::Line) => lines += 1,
            Some(Class::Mark) if text.is_any_mark(at, ":=：") => colon = true,
            Some(Class::Mark) if text.is_any_mark(at, "\"'*_“„") => {}
            Some(Class::Mark) if text.is_mark(at, ".") => stop = true,
            Some(Class::Mark) if text.is_mark(at, ",") && is_closing(text, at, lines) => return Before::Person,
            Some(Class::Mark) if text.is_any_mark(at, "!?") => return Before::SentenceStart,
            Some(Class::Word) => return by_word(text, at, colon, lines, stop),
            _ => return if lines > 0 { Before::SentenceStart } else { Before::Nothing },
        }
    }
    Before::Nothing
}

fn is_closing(text: &Text<'_>, comma: usize, lines: usize) -> bool {
    lines > 0 && comma > 0 && text.is_word(comma - 1, &CLOSINGS)
}

fn by_word(text: &Text<'_>, at: usize, colon: bool, lines: usize, stop: bool) -> Before {
    if lines == 0 && !colon && text.is_word(at, &TITLES) && is_written_as_title(text, at) {
        return if text.is_word(at, &WEAK_TITLES) { Before::Relation } else { Before::Title };
    }
    // "Dr. med. Weber", "Dr. rer. nat. Weber"
    if stop && lines == 0 && text.is_word(at, &["med", "nat", "phil", "jur", "dent", "ing", "vet", "habil", "h", "c"]) {
        return Before::Title;
    }
    if colon && lines <= 1 && text.cue_before(at + 1, &PERSON_LABELS, 1) {
        let weak = text.is_word(at, &WEAK_LABELS) && !text.cue_before(at + 1, &["patient name", "first name", "last name", "full name", "given name", "family name", "customer name", "client name", "employee name", "middle name", "maiden name", "display name"], 1);
        return if weak { Before::Relation } else { Before::Person };
    }
    if !stop && lines == 0 && !colon && text.is_word(at, &PERSON_CUES) {
        return Before::Person;
    }
    if lines > 0 && text.is_word(at, &CLOSINGS) {
        return Before::Person;
    }
    if stop || lines > 0 {
        return Before::SentenceStart;
    }
    if text.is_word(at, &THINGS_BEFORE) && is_capital(text, at) {
        return Before::Thing;
    }
    if text.is_word(at, &RELATIONS) {
        return Before::Relation;
    }
    Before::Nothing
}

/// A title has a capital, save for the French and Italian ones inside a sentence, and "M" has its full stop.
fn is_written_as_title(text: &Text<'_>, at: usize) -> bool {
    let short = text.of(at).len() == 1;
    (is_capital(text, at) || text.of(at).chars().count() > 3) && (!short || text.is_mark(at + 1, "."))
}

/// Whether what follows (or a firm's well-known name) makes these tokens a thing.
pub(crate) fn is_thing(text: &Text<'_>, first: usize, last: usize) -> bool {
    let mut next = last + 1;
    let genitive = text.is_any_mark(next, "'’") && text.is_word(next + 1, &["s"]);
    if genitive {
        next += 2;
    } else if text.is_any_mark(next, "'’") {
        next += 1;
    }
    let known = Known::of(text.of(first));
    // "Anna's test" is about Anna; eponyms are surnames.
    if genitive && known.given && !known.surname && !known.ambiguous {
        return false;
    }
    let word = if text.is_mark(next, "-") || text.is(next, Class::Space) { next + 1 } else { next };
    let hyphen = text.is_any_mark(next, "-–") && text.is(word, Class::Word);
    let ampersand = text.is_mark(word, "&");
    let firm = FIRMS.iter().any(|(one, two)| text.is_word(first, &[*one]) && (text.is_word(first + 2, &[*two]) || text.is_word(first + 4, &[*two])));
    let known_thing = word > last && text.is_word(word, &THINGS) && (text.is(next, Class::Space) || hyphen) && (text.of(word).len() > 1 || genitive || hyphen)
        && (genitive || text.of(word).len() != 1) || hyphen && text.of(word).chars().count() == 1;
    // "Cushing's", "Cohen's d": the thing may have an adjective or an initial before it.
    let far = genitive && text.is_blank(next) && text.is(word, Class::Word) && text.is_blank(word + 1) && text.is_word(word + 2, &THINGS) && !is_personal(text, word);
    let two_before = first >= 4 && text.is_mark(first - 2, "&") && is_capital(text, first - 4) && !Known::of(text.of(first)).given;
    firm || known_thing || far || ampersand && is_capital(text, word + 2) && first == last && !known.given || two_before
}

/// "Anna's blood test" is about Anna.
fn is_personal(text: &Text<'_>, word: usize) -> bool {
    text.is_word(word, &["blood", "test", "last", "first", "next", "new", "latest", "recent", "pregnancy", "urine"])
}

/// `Smith et al.`, `Smith and Jones (2019)`, `(Smith, 2019)`, `Weber, A., & Smith, B. (2019)`.
pub(crate) fn is_citation(text: &Text<'_>, first: usize, last: usize) -> bool {
    let mut at = last + 1;
    for _ in 0..CITATION_TOKENS_MAX {
        match text.class(at) {
            Some(Class::Word) if text.is_word(at, &["et"]) => return text.is_word(text.skip_space(at + 1), &["al"]),
            Some(Class::Word) if is_capital(text, at) || text.is_word(at, &["and", "und", "y", "van", "der", "de"]) => {}
            Some(Class::Space) => {}
            Some(Class::Mark) if text.is_any_mark(at, ",.&-…") => {}
            Some(Class::Mark) if text.is_any_mark(at, "([") => return is_year(text, at + 1),
            Some(Class::Digits | Class::Mixed) => {
                let opened = first > 0 && text.is_any_mark(first - 1, "([;") || text.cue_before(first, &["see"], 1);
                return is_year(text, at) && (opened || text.is_any_mark(at + 1, ")];") && !text.is_mark(last + 1, "."));
            }
            _ => return false,
        }
        at += 1;
    }
    false
}

fn is_year(text: &Text<'_>, at: usize) -> bool {
    let word = text.of(at);
    let digits = word.get(..4).unwrap_or("");
    matches!(text.class(at), Some(Class::Digits | Class::Mixed)) && word.len() <= 5 && (digits.starts_with("19") || digits.starts_with("20")) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
