//! Sentences against cases that were split by hand.

use super::*;

#[test]
fn the_cases_split_by_hand_come_out_right() {
    let mut right = 0;
    let mut all = 0;
    let mut wrong = Vec::new();
    let file = include_str!("../reference/sentences.txt");
    for case in file.lines().skip(1).filter(|line| !line.is_empty()) {
        let case = case.replace("\\n", "\n");
        let text = case.replace(" ¦ ", " ").replace('¦', "");
        let expected: Vec<&str> = case.split('¦').map(str::trim).collect();
        let answer = ask_json(json!({ "process": "sentences", "text": text }));
        let found: Vec<&str> = answer["sentences"]
            .as_array()
            .unwrap()
            .iter()
            .map(|sentence| sentence["text"].as_str().unwrap())
            .collect();
        all += 1;
        if found == expected {
            right += 1;
        } else {
            wrong.push(format!("expected {expected:?}\n   found {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{right} of {all} right\n{}",
        wrong.join("\n")
    );
}
