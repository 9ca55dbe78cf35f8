use adjutant_knowledge_index::{
    DocumentId, Entry, Form, Query, Vector, VectorError, Way, Ways, chunks, search,
};

use crate::corpus::{document, index, number, paragraph};

fn of(values: &[f32]) -> Option<Vector> {
    Some(Vector::of(values).unwrap())
}

#[test]
fn embeddings_find_what_words_do_not() {
    let mut near = paragraph(1, "Boats", "Ships and boats.");
    near.set_vectors(vec![of(&[0.9, 0.1, 0.0])]).unwrap();
    let mut far = paragraph(2, "Bread", "Flour and water.");
    far.set_vectors(vec![of(&[-0.2, 0.9, 0.3])]).unwrap();
    let without = paragraph(3, "Vessels", "A vessel.");
    let index = index(&[near, far, without]);
    let mut query = Query::new("vessel", 10);
    query.vector = Some(vec![1.0, 0.0, 0.0]);
    let found = search(&index, &query);
    let order: Vec<u8> = found.hits.iter().map(|hit| number(hit.document)).collect();
    assert_eq!(order, [3, 1, 2]);
    assert_eq!((found.chunks_with_vector, found.chunks_searched), (2, 3));
    query.ways = Ways::only([Way::Vectors]);
    let order: Vec<u8> = search(&index, &query)
        .hits
        .iter()
        .map(|h| number(h.document))
        .collect();
    assert_eq!(order, [1, 2]);
}

#[test]
fn an_embedding_of_another_endpoint_counts_as_none() {
    let mut entry = paragraph(1, "Boats", "Ships and boats.");
    entry.set_vectors(vec![of(&[0.9, 0.1])]).unwrap();
    let mut query = Query::new("boats", 10);
    query.vector = Some(vec![1.0, 0.0, 0.0]);
    let found = search(&index(&[entry]), &query);
    assert_eq!((found.hits.len(), found.chunks_with_vector), (1, 0));
    assert!(
        found.hits[0]
            .explained
            .ways
            .iter()
            .all(|share| share.way != Way::Vectors)
    );
}

#[test]
fn vectors_that_point_nowhere_are_refused() {
    for wrong in [vec![0.0, 0.0], vec![f32::NAN], vec![f32::INFINITY, 1.0]] {
        assert_eq!(Vector::of(&wrong), Err(VectorError::Direction));
    }
    assert_eq!(
        Vector::of(&[]),
        Err(VectorError::Dimensions { dimensions: 0 })
    );
    let mut entry = paragraph(1, "Boats", "Ships.");
    assert_eq!(
        entry.set_vectors(Vec::new()),
        Err(VectorError::Count {
            vectors: 0,
            chunks: 1
        })
    );
    assert_eq!(entry.set_vectors(vec![None]), Ok(()));
}

#[test]
fn a_vector_is_read_as_it_was_written() {
    let vector = Vector::of(&[0.25, -1.0, 0.0]).unwrap();
    let text = serde_json::to_string(&vector).unwrap();
    assert_eq!(serde_json::from_str::<Vector>(&text).unwrap(), vector);
    // No scale, no parts, a part that no vector has, and no base64.
    for wrong in [r#""AAA=""#, r#""AACAPw==""#, r#""AACAP4A=""#, r#""?""#] {
        assert!(serde_json::from_str::<Vector>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_nearest_of_many_is_found() {
    let vector = |number: u32| -> Vec<f32> {
        (0..64_u32)
            .map(|place| {
                f32::from(
                    u8::try_from((number * 37 + place * place * (number % 97 + 1)) % 251).unwrap(),
                ) - 125.0
            })
            .collect()
    };
    let many: Vec<Entry> = (0..5_000_u32)
        .map(|number| {
            let made = document(None, &[(Form::Paragraph, "boat")]);
            let mut id = [0; 16];
            id[..4].copy_from_slice(&number.to_le_bytes());
            let mut entry = Entry::new(DocumentId(id), &made, &chunks(&made));
            entry.set_vectors(vec![of(&vector(number))]).unwrap();
            entry
        })
        .collect();
    let index = index(&many);
    for number in [0, 77, 4_321] {
        let mut query = Query::new("", 1);
        query.vector = Some(vector(number));
        let found = search(&index, &query);
        assert_eq!(found.chunks_with_vector, 5_000);
        assert_eq!(found.hits[0].document.0[..4], number.to_le_bytes());
    }
}
