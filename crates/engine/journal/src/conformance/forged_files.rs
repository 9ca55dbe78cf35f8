//! Files that somebody changed before passing them on: what nothing vouches for is not believed.

use adjutant_store::Store;
use serde_json::Value;

use super::sample::{NOW, Sample, master_key, mission, signing_key, tenant};
use crate::{JournalError, TenantJournal, Vault, verify_file};

fn journal<S: Store>(store: &S) -> TenantJournal<S::Tenant> {
    Vault::new(master_key()).tenant(store, &tenant())
}

/// The file with lines changed or left out, and the hash at its end made anew.
fn rewritten(file: &[u8], mut keep: impl FnMut(&mut Value) -> bool) -> Vec<u8> {
    let text = std::str::from_utf8(file).unwrap();
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines.pop();
    lines.retain_mut(|line| keep(line));
    let mut bytes = Vec::new();
    for line in &lines {
        bytes.extend_from_slice(line.to_string().as_bytes());
        bytes.push(b'\n');
    }
    let hash = blake3::hash(&bytes).to_hex().to_string();
    let end = serde_json::json!({ "end": { "lines": lines.len(), "hash": hash } });
    bytes.extend_from_slice(end.to_string().as_bytes());
    bytes.push(b'\n');
    bytes
}

/// Says something else of every mission.
fn retold(line: &mut Value, field: &str, value: &Value) {
    if let Some(summary) = line.pointer_mut("/mission/summary") {
        summary[field] = value.clone();
    }
}

/// Without its key, what a file says of a mission is covered by a signature, or nobody lists it.
pub async fn what_a_file_says_is_signed_or_not_listed<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    Sample::make(&store).await;
    let file = journal(&store)
        .export(&[mission(1)], None, NOW, Vec::new())
        .await
        .unwrap();
    let copied = rewritten(&file, |_| true);
    let proved = |file: &[u8]| {
        let found = verify_file(file, None, &[signing_key().public()], None).unwrap();
        found.missions.into_iter().next().unwrap().2
    };
    assert!(
        proved(&copied).unwrap().listed,
        "an honest one is signed for"
    );
    let other = [
        ("phase", serde_json::json!("failed")),
        ("tasks_ended", serde_json::json!(1)),
        ("opened_at", serde_json::json!(1)),
        ("used", serde_json::json!({ "money": 7 })),
    ];
    for (field, value) in &other {
        let forged = rewritten(&file, |line| {
            retold(line, field, value);
            true
        });
        assert_eq!(proved(&forged).unwrap_err().code, "ADJ-3110", "{field}");
        let (elsewhere, _guard) = fresh().await;
        let refused = journal(&elsewhere).import(&forged[..], None).await;
        assert_eq!(refused.unwrap_err().code(), "ADJ-3110", "{field}");
    }
    let unsigned = rewritten(&file, |line| {
        retold(line, "phase", &other[0].1);
        line.get("attestation").is_none()
    });
    let found = verify_file(&unsigned[..], None, &[], None).unwrap();
    let found = found.missions.into_iter().next().unwrap().2.unwrap();
    assert!(!found.listed, "nothing proves it, and it is said");
    let (elsewhere, _guard) = fresh().await;
    let refused = journal(&elsewhere).import(&unsigned[..], None).await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-3111");
    let (elsewhere, _guard) = fresh().await;
    let taken = journal(&elsewhere).import(&copied[..], None).await;
    assert_eq!(taken.unwrap().len(), 1);
}

/// The end of a file is its end.
pub async fn nothing_follows_the_end_of_a_file<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    Sample::make(&store).await;
    let file = journal(&store)
        .export(&[mission(1)], None, NOW, Vec::new())
        .await
        .unwrap();
    for more in [&b"x"[..], b"\n", b"{\"note\": 1}\n", b"\0\0"] {
        let longer = [&file[..], more].concat();
        let refused = verify_file(&longer[..], None, &[], None).unwrap_err();
        assert!(matches!(refused, JournalError::File { .. }), "{refused}");
    }
}
