//! "Did you mean …?" for names that are almost right.

/// Names that people bring from elsewhere, and what they are called here.
const KNOWN_ELSEWHERE: [(&str, &str); 30] = [
    ("name", "title"),
    ("name", "id"),
    ("key", "id"),
    ("depends_on", "after"),
    ("depends", "after"),
    ("needs", "after"),
    ("requires", "after"),
    ("args", "with"),
    ("arguments", "with"),
    ("params", "with"),
    ("input", "with"),
    ("inputs", "with"),
    ("goal", "objective"),
    ("description", "objective"),
    ("steps", "tasks"),
    ("jobs", "tasks"),
    ("budget", "caps"),
    ("limits", "caps"),
    ("cost", "money"),
    ("time", "wall_time"),
    ("timeout", "wall_time"),
    ("timeout", "deadline"),
    ("retries", "retry"),
    ("fallback", "otherwise"),
    ("alternative", "otherwise"),
    ("parallelism", "concurrency"),
    ("recommendation", "recommend"),
    ("if", "when"),
    ("reason", "because"),
    ("max_attempts", "attempts"),
];

const LENGTH_MAX: usize = 64;

/// The candidate that was most likely meant, if any comes close.
pub fn nearest<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    if wrong.len() > LENGTH_MAX {
        return None;
    }
    let wrong = wrong.to_lowercase().replace([' ', '-'], "_");
    let elsewhere = KNOWN_ELSEWHERE
        .iter()
        .filter(|(theirs, _)| *theirs == wrong)
        .find_map(|(_, ours)| candidates.clone().into_iter().find(|known| known == ours));
    elsewhere.or_else(|| {
        let close = if wrong.len() < 4 { 1 } else { 2 };
        candidates
            .into_iter()
            .map(|known| {
                (
                    edits(wrong.as_bytes(), known.to_lowercase().as_bytes()),
                    known,
                )
            })
            .filter(|(distance, _)| *distance <= close)
            .min()
            .map(|(_, known)| known)
    })
}

pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

fn edits(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
