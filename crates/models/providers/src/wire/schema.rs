//! A schema as Anthropic and Azure take it: limits of numbers, texts and lists become words.

use adjutant_questions::Ordered;

const LIMITS: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

pub(super) fn without_limits(schema: &Ordered) -> Ordered {
    match schema {
        Ordered::Fields(fields) => {
            // A field of an answer may be called `minimum` too: then a schema stands there, and no limit.
            let is_limit = |(name, value): &(String, Ordered)| {
                LIMITS.contains(&name.as_str()) && matches!(value, Ordered::Plain(_))
            };
            let limits: Vec<String> = fields
                .iter()
                .filter(|field| is_limit(field))
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            let kept = fields.iter().filter(|field| !is_limit(field));
            let mut kept: Vec<(String, Ordered)> = kept
                .map(|(name, value)| (name.clone(), without_limits(value)))
                .collect();
            if !limits.is_empty() {
                describe(&mut kept, &format!("({})", limits.join(", ")));
            }
            Ordered::Fields(kept)
        }
        Ordered::List(items) => Ordered::List(items.iter().map(without_limits).collect()),
        plain @ Ordered::Plain(_) => plain.clone(),
    }
}

fn describe(fields: &mut Vec<(String, Ordered)>, words: &str) {
    for (name, value) in fields.iter_mut() {
        if let ("description", Ordered::Plain(before)) = (name.as_str(), &*value) {
            let before = before.as_str().unwrap_or_default();
            *value = format!("{before} {words}").as_str().into();
            return;
        }
    }
    fields.push(("description".to_owned(), words.into()));
}
