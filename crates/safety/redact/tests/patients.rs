//! Initials and dates of birth of patients are found, and what looks like them is not.

use adjutant_redact::{Kind, find};

fn found(text: &str) -> Vec<(Kind, &str)> {
    let found = find(text);
    let values = found.iter().map(|one| (one.kind, &text[one.span.clone()]));
    values.collect()
}

#[test]
fn initials_and_dates_of_birth_are_found() {
    use Kind::{BirthDate as Born, Name};
    for (text, values) in [
        (
            "Patient J.D., born 12 March 1961, recovered.",
            vec![(Name, "J.D."), (Born, "12 March 1961")],
        ),
        (
            "Pat. M.K., geb. 03.05.1958, klagte über Schwindel.",
            vec![(Name, "M.K."), (Born, "03.05.1958")],
        ),
        (
            "A rash was seen in R. L. S. (DOB 1961-03-12) on day 4.",
            vec![(Name, "R. L. S."), (Born, "1961-03-12")],
        ),
        (
            "J.-P. B., female, born on 2 May 1949, stopped the treatment.",
            vec![(Name, "J.-P. B."), (Born, "2 May 1949")],
        ),
        ("Subject A.F. withdrew consent.", vec![(Name, "A.F.")]),
        ("Proband B.Ö. brach die Studie ab.", vec![(Name, "B.Ö.")]),
        (
            "The patient (G.H.M.) was readmitted.",
            vec![(Name, "G.H.M.")],
        ),
        ("Patient initials: XQ", vec![(Name, "XQ")]),
        (
            "Patient QRT, born 01/02/1970, had a seizure.",
            vec![(Name, "QRT"), (Born, "01/02/1970")],
        ),
        (
            "Patient Wendelgard Örtzen, born on 9 June 1950, had oedema.",
            vec![(Name, "Wendelgard Örtzen"), (Born, "9 June 1950")],
        ),
    ] {
        assert_eq!(found(text), values, "{text}");
    }
}

#[test]
fn what_looks_like_initials_is_left_alone() {
    for text in [
        "Patient B had a potassium of 6.1 mmol/l.",
        "Patients in the U.S. and the U.K. were older.",
        "The patient I.D. was not recorded.",
        "Patient E.R. visits rose by 12 %.",
        "E.M.A. and F.D.A. approved it on 12 March 2021.",
        "The trial began on 12 March 2019 and ended on 03.05.2021.",
        "Smith J.D., Jones M.K. N Engl J Med 2019;380:11-22.",
        "Patient AE rates were 12 % and 14 %.",
        "Subject QTc intervals were within limits.",
        "The B.P. of 140/90 mmHg fell.",
        "S. A. R. L. is a legal form.",
        "Published by W.H.O. (2021-03-12).",
        "Infants born on 12 sites were followed.",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}
