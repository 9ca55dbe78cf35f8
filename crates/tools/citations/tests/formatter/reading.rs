use serde_json::{Value, json};

use super::format_ok;

fn read(from: &str, text: &str) -> adjutant_citations::Answer {
    format_ok(json!({ "format": "references", "from": from, "text": text, "to": "vancouver" }))
}

fn unread(answer: &adjutant_citations::Answer) -> Vec<(usize, &str)> {
    answer
        .unread
        .iter()
        .map(|unread| (unread.line, unread.why.as_str()))
        .collect()
}

#[test]
fn bibtex_with_accents_strings_and_joined_values() {
    let text = r#"
@string{gut = "Gut"}
@article{mueller2020,
  author = {M{\"u}ller, J{\"u}rgen and {\O}sterg{\aa}rd, {\AA}se and Jan van den Berg and {World Health Organization}},
  title = "The {DNA} of " # gut # { flora: 50\% {\ss}},
  journal = gut, year = 2020, month = nov, number = 3, volume = {12}, pages = {123--128},
}
"#;
    let answer = read("bibtex", text);
    assert_eq!(
        answer.text,
        "1. Müller J, Østergård Å, van den Berg J, World Health Organization. The DNA of Gut flora: 50% ß. \
         Gut. 2020 Nov;12(3):123-8."
    );
    assert!(answer.unread.is_empty(), "{:?}", answer.unread);
}

#[test]
fn bibtex_that_is_broken_is_reported_by_line_and_the_rest_is_read() {
    let text = "stray words\n@article{a, title = {Open,\n  year = 2020\n\n@book{b, title={Whole}, year=2021, publisher={P}, author={Ash, A}}\n";
    let answer = read("bibtex", text);
    assert_eq!(answer.items.len(), 1);
    assert_eq!(
        unread(&answer),
        [
            (1, "outside of an entry"),
            (2, "line 2: a `{` is never closed")
        ]
    );
}

#[test]
fn ris_of_other_programs() {
    let text = "TY  - JOUR\r\nT1  - A title\r\nA1  - Ash, Ann B.\r\nY1  - 2020/03//\r\nJF  - Journal\r\nVL  - 4\r\nSP  - 10\r\nEP  - 19\r\nXX  - odd\r\nER  - \r\n";
    let answer = read("ris", text);
    assert_eq!(answer.text, "1. Ash AB. A title. Journal. 2020 Mar;4:10-9.");
    assert_eq!(unread(&answer), [(9, "this tag is not supported")]);
}

#[test]
fn a_pubmed_file() {
    let text = "PMID- 32445440\nOWN - NLM\nTI  - Remdesivir for the Treatment of Covid-19 - Final\n      Report.\nFAU - Beigel, John H\nAU  - Beigel JH\nCN  - ACTT-1 Study Group Members\nDP  - 2020 Nov 5\nTA  - N Engl J Med\nJT  - The New England journal of medicine\nVI  - 383\nIP  - 19\nPG  - 1813-1826\nLID - 10.1056/NEJMoa2007764 [doi]\nPMC - PMC7262788\n";
    let answer = read("pubmed_nbib", text);
    assert_eq!(
        answer.text,
        "1. Beigel JH, ACTT-1 Study Group Members. Remdesivir for the treatment of Covid-19 - final report. \
         N Engl J Med. 2020 Nov 5;383(19):1813-26. doi:10.1056/NEJMoa2007764 PubMed PMID: 32445440; \
         PubMed Central PMCID: PMC7262788."
    );
    assert!(answer.unread.is_empty(), "{:?}", answer.unread);
}

#[test]
fn one_key_used_twice_stays_two_works() {
    let entry = "@book{a, title={T}, year=2020, author={Ash, A}, publisher={P}}\n";
    let answer = read("bibtex", &entry.repeat(2));
    let ids: Vec<&Value> = answer.items.iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, ["a", "a-2"]);
}
