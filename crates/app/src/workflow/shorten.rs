//! Values cut to a size that fits a context window. What is cut says so, and where the whole is.

use serde_json::{Map, Value, json};

const DEPTH_MAX: usize = 12;
/// A string shorter than this is never cut further.
const STRING_BYTES_MIN: usize = 40;

/// How long a value is as JSON.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(_) => 5,
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => text_size(text),
        Value::Array(items) => 2 + items.iter().map(|item| size(item) + 1).sum::<usize>(),
        Value::Object(fields) => {
            2 + fields
                .iter()
                .map(|(name, field)| text_size(name) + 2 + size(field))
                .sum::<usize>()
        }
    }
}

/// How long a text is as JSON: what JSON escapes takes two to six bytes, so that a page of line breaks or control
/// characters is much longer than it looks.
fn text_size(text: &str) -> usize {
    2 + text.chars().map(escaped_size).sum::<usize>()
}

fn escaped_size(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

/// Where a part of a text ends that begins at `from` and takes at most `budget` bytes as JSON. At least one character
/// belongs to it, so that whoever reads part after part comes to the end.
pub(super) fn end_of_part(text: &str, from: usize, budget: usize) -> usize {
    let mut taken = 0;
    for (at, c) in text[from..].char_indices() {
        taken += escaped_size(c);
        if taken > budget && at > 0 {
            return from + at;
        }
    }
    text.len()
}

/// The value, or as much of it as about `budget` bytes hold.
pub(super) fn shorten(value: &Value, budget: usize) -> Value {
    cut(value, budget, 0)
}

fn cut(value: &Value, budget: usize, depth: usize) -> Value {
    if size(value) <= budget {
        return value.clone();
    }
    if depth >= DEPTH_MAX && size(value) > STRING_BYTES_MIN {
        return json!("… [cut]");
    }
    let shorter = match value {
        Value::String(text) => cut_text(text, budget).into(),
        Value::Array(items) => cut_items(items, budget, depth),
        Value::Object(fields) => cut_fields(fields, budget, depth),
        other => other.clone(),
    };
    // The words that tell of a cut can be longer than what was cut.
    match size(&shorter) < size(value) {
        true => shorter,
        false => value.clone(),
    }
}

fn cut_text(text: &str, budget: usize) -> String {
    let kept = end_of_part(text, 0, budget.max(STRING_BYTES_MIN));
    if kept == text.len() {
        return text.to_owned();
    }
    format!("{}… [cut: {} bytes in all]", &text[..kept], text.len())
}

/// The largest place not after `at` where a text can be cut.
pub(super) fn floor(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

fn cut_items(items: &[Value], budget: usize, depth: usize) -> Value {
    let mut left = budget;
    let mut kept = Vec::new();
    for item in items {
        let whole = size(item) + 1;
        if whole > left && !kept.is_empty() {
            break;
        }
        kept.push(cut(item, left, depth + 1));
        left = left.saturating_sub(whole);
    }
    let more = items.len() - kept.len();
    if more > 0 {
        kept.push(json!(format!("… [cut: {more} more items]")));
    }
    Value::Array(kept)
}

/// Small fields stay whole; what is left of the budget is shared by the large ones.
fn cut_fields(fields: &Map<String, Value>, budget: usize, depth: usize) -> Value {
    let mut sizes: Vec<(usize, &String)> = fields
        .iter()
        .map(|(name, field)| (size(field) + text_size(name) + 2, name))
        .collect();
    sizes.sort();
    let mut left = budget;
    let mut kept = Map::new();
    let mut dropped = 0;
    for (at, (whole, name)) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - at);
        if share < STRING_BYTES_MIN / 2 && *whole > share {
            dropped += 1;
            continue;
        }
        let Some(field) = fields.get(*name) else {
            continue;
        };
        let room = share
            .max(*whole.min(&share))
            .saturating_sub(text_size(name) + 2);
        kept.insert((*name).clone(), cut(field, room, depth + 1));
        left = left.saturating_sub((*whole).min(share));
    }
    if dropped > 0 {
        kept.insert("…".into(), json!(format!("[cut: {dropped} more fields]")));
    }
    Value::Object(kept)
}

/// What each of these sizes gets of a budget: small ones all they need, the rest the same share each.
pub(super) fn shares(sizes: &[usize], budget: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&at| sizes[at]);
    let mut given = vec![0; sizes.len()];
    let mut left = budget;
    for (done, &at) in order.iter().enumerate() {
        let share = left / (sizes.len() - done);
        given[at] = sizes[at].min(share);
        left -= given[at];
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_left_alone() {
        let value = json!({ "a": [1, 2, "three"], "b": null });
        assert_eq!(shorten(&value, 100), value);
    }

    #[test]
    fn whatever_is_too_long_comes_close_to_its_budget() {
        let long = "é".repeat(10_000);
        for value in [
            json!(long),
            json!({ "text": long, "status": 200 }),
            json!(vec![long.clone(); 50]),
            json!({ "pages": vec![json!({ "text": long, "n": 1 }); 50] }),
            (0..5_000)
                .map(|n| (format!("field{n}"), json!(n)))
                .collect::<Map<_, _>>()
                .into(),
            (0..60).fold(json!(long), |inner, _| json!([inner])),
        ] {
            let short = shorten(&value, 2_000);
            let told = short.to_string();
            assert!(told.len() < 3_000, "{}", told.len());
            assert!(told.contains("cut"), "{told}");
        }
        assert_eq!(shorten(&json!({ "text": long, "n": 7 }), 500)["n"], 7);
    }

    #[test]
    fn nothing_grows_when_it_is_cut() {
        let numbers = |count: i64| json!((0..count).collect::<Vec<_>>());
        let text = "é".repeat(40);
        for value in [
            json!("x".repeat(60)),
            json!(["a", "b", "c"]),
            numbers(12),
            json!({ "a": 1, "b": 2, "c": 3 }),
            json!({ "rows": numbers(9), "text": text }),
            json!([[[numbers(3)]], { "name": text }]),
        ] {
            for budget in 0..size(&value) + 2 {
                let shorter = shorten(&value, budget);
                let grew = shorter != value && size(&shorter) >= size(&value);
                assert!(!grew, "{budget}: {value} became {shorter}");
            }
        }
    }

    #[test]
    fn the_size_is_that_of_the_json_text() {
        for value in [
            json!("line\nline\t\"quoted\" \\ \u{1}\u{1f}\u{7f} é 漢 🦀"),
            json!({ "na\nme": ["a", "b\r"], "": "" }),
        ] {
            let (told, real) = (size(&value), value.to_string().len());
            assert!((real..=real + 4).contains(&told), "{told} for {real}");
        }
    }

    #[test]
    fn what_json_escapes_is_cut_to_the_same_size() {
        let short = shorten(&json!("\u{1}".repeat(10_000)), 1_200).to_string();
        assert!(short.len() < 1_300, "{}", short.len());
    }

    #[test]
    fn parts_come_to_the_end_whatever_is_in_them() {
        let text = "🦀\u{1}\n".repeat(50);
        for budget in [0, 1, 7, 100] {
            let (mut from, mut whole) = (0, String::new());
            while from < text.len() {
                let to = end_of_part(&text, from, budget);
                whole.push_str(&text[from..to]);
                from = to;
            }
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn a_budget_is_shared_so_that_small_ones_are_whole() {
        assert_eq!(shares(&[10, 5_000, 20, 5_000], 1_030), [10, 500, 20, 500]);
        assert_eq!(shares(&[10, 20], 1_000), [10, 20]);
        assert_eq!(shares(&[], 10), Vec::<usize>::new());
    }
}
