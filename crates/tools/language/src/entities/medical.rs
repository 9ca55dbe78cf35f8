//! Drugs by the stems of their international names, conditions by a list and by how such words end, genes by a list and by
//! what stands beside them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::rule::{Candidate, Rule, RuleMatch, Rules};
use super::terms::Terms;
use super::{Certainty, Kind};
use crate::words::{word_list, words};

/// Stems are trusted only in words of at least so many letters.
const DRUG_LETTERS_MIN: usize = 6;
const CONDITION_LETTERS_MIN: usize = 6;

static STEMS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| word_list(include_str!("../../data/drug_stems.txt")).collect());
static NO_DRUGS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| word_list(include_str!("../../data/drug_exceptions.txt")).collect());
static NO_CONDITIONS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| word_list(include_str!("../../data/condition_exceptions.txt")).collect());

pub(super) static DRUGS: LazyLock<Option<Terms>> =
    LazyLock::new(|| Terms::any_case(include_str!("../../data/drugs.txt"), Kind::Drug));
pub(super) static CONDITIONS: LazyLock<Option<Terms>> =
    LazyLock::new(|| Terms::any_case(include_str!("../../data/conditions.txt"), Kind::Condition));
pub(super) static GENES: LazyLock<Option<Terms>> =
    LazyLock::new(|| Terms::exact(include_str!("../../data/genes.txt"), Kind::Gene));

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let head = r"(?:cancers?|carcinomas?|tumou?rs?|lymphomas?|leuka?emias?|sarcomas?|melanomas?|adenocarcinomas?|syndrome|disease|disorders?|infarction|fibrosis|failure|infections?|arthritis|sclerosis|hypertension|stroke|injury|insufficiency|dystrophy|ulcers?|embolism|thrombosis|neuropathy|retinopathy|nephropathy|cardiomyopathy|myopathy|hepatitis|pneumonia|pain|haemorrhage|hemorrhage|anaemia|anemia|diabetes|deficiency|dermatitis|colitis)";
    let part = r"(?:acute|chronic|metastatic|recurrent|refractory|relapsed|primary|secondary|advanced|locally advanced|non-small[- ]cell|small[- ]cell|squamous[- ]cell|basal[- ]cell|triple-negative|invasive|breast|lung|colon|colorectal|rectal|ovarian|prostate|pancreatic|gastric|esophageal|oesophageal|hepatic|hepatocellular|renal|renal cell|renal-cell|cardiac|heart|kidney|liver|bladder|urothelial|cervical|endometrial|thyroid|skin|brain|head and neck|testicular|biliary|bone|soft[- ]tissue|myocardial|cerebral|pulmonary|cardiovascular|coronary artery|coronary|cystic|respiratory|urinary tract|bloodstream|bacterial|viral|fungal|interstitial lung|idiopathic pulmonary|idiopathic|peripheral|peripheral artery|diabetic|autoimmune|inflammatory bowel|bowel|rheumatoid|psoriatic|juvenile|multiple|amyotrophic lateral|systemic|arterial|venous|deep vein|deep venous|ischaemic|ischemic|haemorrhagic|hemorrhagic|hereditary|congenital|genetic|metabolic|mental|bipolar|depressive|major depressive|anxiety|generali[sz]ed anxiety|attention-deficit|autism spectrum|muscular|duodenal|peptic|neuropathic|low back|back|iron[- ]deficiency|iron|vitamin D|sickle[- ]cell|aplastic|atopic|allergic|ulcerative|lymphoblastic|lymphocytic|myeloid|myelogenous|B-cell|large B-cell|diffuse large B-cell|T-cell|Hodgkin|non-Hodgkin|follicular|gestational|type [12I]{1,2}|end-stage|opioid use|alcohol use|substance use|sleep|eating|kidney|traumatic brain|spinal cord|community-acquired|hospital-acquired|nonalcoholic fatty liver|fatty liver|obstructive pulmonary|chronic obstructive pulmonary|Alzheimer['’]?s|Parkinson['’]?s|Crohn['’]?s|Huntington['’]?s|Graves['’]?|Gaucher|Fabry|Wilson['’]?s?|Kawasaki|Cushing['’]?s?|Down|Marfan|Sjögren['’]?s?|Guillain-Barré|Turner|metabolic|irritable bowel|acute coronary|acute respiratory distress|restless legs|nephrotic|carpal tunnel|polycystic ovary|chronic fatigue|tumor lysis|cytokine release)";
    let symbol = r"(?<it>[A-Z][A-Z0-9]{1,6}[0-9A-Z])";
    vec![
        Rule::new(
            &format!(r"(?i)(?-u:\b)(?:{part}[ -]){{1,4}}{head}(?-u:\b)"),
            condition,
        ),
        Rule::new(r"(?-u:\b)\p{Lu}[\p{L}0-9-]+ ?(?:®|™|\(R\)|\(TM\))", brand),
        Rule::new(
            &format!(
                r"(?-u:\b){symbol}(?:[ -](?:gene|genes|mutations?|mutant|mutated|variants?|polymorphisms?|expression|amplification|amplified|fusions?|rearrangements?|deletion|knockout|allele|alleles|promoter|locus|wild-type|inhibitors?|V[0-9]{{3}}[A-Z]))(?-u:\b)"
            ),
            gene,
        ),
        Rule::new(
            &format!(
                r"(?i:gene|mutations? in|variants? in|mutation of|expression of) (?:the )?{symbol}(?-u:\b)"
            ),
            gene,
        ),
    ]
});

fn condition(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let leading = matched.it().to_lowercase();
    // Pain and injury alone say too little, and so do words that only set the time.
    (!matched.is_cut() && !leading.starts_with("multiple disorders")).then_some(())?;
    matched.named(Kind::Condition)
}

fn brand(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let written = matched.it();
    let name = written
        .trim_end_matches(['®', '™'])
        .trim_end_matches("(R)")
        .trim_end_matches("(TM)")
        .trim_end();
    matched.certain(Kind::Drug, name.into())
}

/// Capitals beside "gene" or "mutation"; a word for a method or a disease is none.
fn gene(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    const NO_GENES: [&str; 22] = [
        "DNA", "RNA", "MRNA", "HIV", "PCR", "COVID", "FDA", "EMA", "WHO", "THE", "USA", "AIDS",
        "HBV", "HCV", "HPV", "NSCLC", "COPD", "PPI", "SSRI", "ACE", "MAO", "CFTR2",
    ];
    (!NO_GENES.contains(&matched.it())).then_some(())?;
    matched.named(Kind::Gene)
}

/// Words that are drugs or conditions by how they end.
pub(super) fn by_ending(text: &str, found: &mut Vec<Candidate>) {
    for range in words(text) {
        let word = &text[range.clone()];
        if word.len() < DRUG_LETTERS_MIN || word.len() > 40 || !word.is_ascii() {
            continue;
        }
        let small = word.to_ascii_lowercase();
        let kind = if is_drug(&small) {
            Kind::Drug
        } else if is_condition(&small) {
            Kind::Condition
        } else {
            continue;
        };
        found.push(Candidate {
            kind,
            range,
            certainty: Certainty::Likely,
            value: (kind == Kind::Drug).then(|| small.into()),
        });
    }
}

fn is_drug(word: &str) -> bool {
    // A biological may carry four letters of its maker: adalimumab-atto.
    let name = match word.split_once('-') {
        Some((name, suffix)) if suffix.len() == 4 && name.len() >= DRUG_LETTERS_MIN => name,
        Some(_) => return false,
        None => word,
    };
    let stem = STEMS.iter().find(|stem| name.ends_with(*stem));
    stem.is_some_and(|stem| name.len() >= stem.len() + 3)
        && !NO_DRUGS.contains(name)
        && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn is_condition(word: &str) -> bool {
    const ENDINGS: [&str; 20] = [
        "itis", "emia", "aemia", "osis", "oma", "omas", "opathy", "opathies", "algia", "penia",
        "uria", "rrhea", "rrhoea", "plegia", "ectasis", "megaly", "phobia", "paresis", "ismus",
        "asthenia",
    ];
    let ending = ENDINGS.iter().find(|ending| word.ends_with(*ending));
    word.len() >= CONDITION_LETTERS_MIN
        && !word.contains('\'')
        && ending.is_some_and(|ending| word.len() >= ending.len() + 3)
        && !NO_CONDITIONS.contains(word)
}
