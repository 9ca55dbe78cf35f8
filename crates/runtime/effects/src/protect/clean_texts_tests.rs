use super::{CleanTexts, Key, TEXTS_MAX};
use crate::protect::Origin;

#[test]
fn a_text_is_clean_only_with_its_origin() {
    let texts = CleanTexts::default();
    texts.insert(Key::new("Do this first.", Origin::Person));
    assert!(texts.contains(&Key::new("Do this first.", Origin::Person)));
    assert!(!texts.contains(&Key::new("Do this first.", Origin::WebPage)));
    assert!(!texts.contains(&Key::new("Do this first", Origin::Person)));
}

#[test]
fn the_number_of_texts_is_limited() {
    let texts = CleanTexts::default();
    for number in 0..=TEXTS_MAX {
        texts.insert(Key::new(&number.to_string(), Origin::Document));
    }
    assert_eq!(texts.lock().len(), 1);
}
