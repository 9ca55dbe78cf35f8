//! What holds for every text: no panic, and every place gives back its words.

use proptest::prelude::*;

use super::*;

fn spans(value: &Value, found: &mut Vec<(u64, u64, Option<String>)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| spans(item, found)),
        Value::Object(fields) => {
            if let (Some(start), Some(end)) = (fields.get("start"), fields.get("end")) {
                let text = fields
                    .get("text")
                    .and_then(Value::as_str)
                    .map(str::to_owned);
                found.push((start.as_u64().unwrap(), end.as_u64().unwrap(), text));
            }
            fields.values().for_each(|field| spans(field, found));
        }
        _ => {}
    }
}

fn holds(text: &str) {
    for kind in [
        "language",
        "sentences",
        "entities",
        "phrases",
        "sentiment",
        "readability",
        "compare",
    ] {
        for language in [None, Some("en"), Some("de")] {
            let mut request = json!({ "process": kind, "text": text });
            match (kind, language) {
                ("compare", _) => request["other"] = "The trial of 412 patients was short.".into(),
                ("phrases" | "readability", _) | (_, None) => {}
                _ => continue,
            }
            if let Some(language) = language {
                request["language"] = language.into();
            }
            let request: Request = serde_json::from_value(request).unwrap();
            let Ok(answer) = process(&request) else {
                continue;
            };
            let answer = serde_json::to_value(answer).unwrap();
            let mut found = Vec::new();
            spans(&answer, &mut found);
            let characters: Vec<char> = text.chars().collect();
            for (start, end, written) in found {
                let slice: String = characters[start as usize..end as usize].iter().collect();
                assert!(!slice.is_empty());
                if let Some(written) = written {
                    assert_eq!(slice, written, "{kind} of {text:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        holds(&text);
    }

    #[test]
    fn text_of_telling_pieces(pieces in prop::collection::vec(prop::sample::select(vec![
        "The ", "Dr. ", "3. Mai ", "2024-02-30", "12,5 %", "95% CI ", "0.5-", "p<", "é", "ß", "。", "\n", "\n\n", "- ", "(", ")", "\"", "...", "!",
        "10 mg ", "twice daily", "NCT01234567", "€", "$5 ", "µg", "1.73 m²", "University of ", "Ü", "😀", " ", "\u{202f}", "a\u{301}", "10.1000/", "www.",
        "Inc.", "HR 0.7", "n=", "1,234", "-", "–", "mab", "itis", "[", "]", "™", "but ", "no ", "\u{2028}", "1)", "#", "'", "’s", "‑",
    ]), 0..40)) {
        holds(&pieces.concat());
    }
}
