//! Words of languages other than English are indexed and found, whatever their stemmer makes of them.

use adjutant_knowledge_index::{Language, Query, language, search};

use crate::corpus::{index, number, paragraph};

const GREEK: &str = "Ο χάλυβας γίνεται εύθραυστος με τα χρόνια και οι δεξαμενές ελέγχονται κάθε δύο χρόνια. \
                     Η λέξη ισαισα γράφεται εδώ μία φορά.";

#[test]
fn a_greek_document_with_any_word_can_be_added_and_searched() {
    assert_eq!(language(GREEK), Language::Greek);
    let entries = [paragraph(1, "Δεξαμενές", GREEK)];
    let found = search(&index(&entries), &Query::new("ισαισα", 5));
    let documents: Vec<u8> = found.hits.iter().map(|hit| number(hit.document)).collect();
    assert_eq!(documents, [1]);
}
