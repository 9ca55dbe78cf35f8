use super::states;

#[test]
fn whole_sentences_state_something() {
    for text in [
        "The council resolved to replace the bridge.",
        "The bridge carries 40 tonnes.",
        "Warehouse number 12 stores 400 pallets of paint.",
        "The patent expires on 14 August 2031.",
        "Decision: The council approved the expansion.",
        "Corrosion has reached 38 percent of the reinforcement",
        "“The crossing will be closed for 9 months,” said the officer.",
        "412 adults were randomly assigned to one of two groups.",
        "La réunion du comité a été reportée au mois de mai.",
        "血圧は下がった。",
    ] {
        assert!(states(text), "{text}");
    }
}

#[test]
fn fragments_state_nothing() {
    for text in [
        "Closed at 16:40.",
        "Closed at 16:40",
        "Minutes of the council of 19 November 2024",
        "Item 4: Sorring bridge",
        "From: Ilka Brandvold To: Tor Weckstein",
        "R1 | Pier 3 settles before the bridge is closed | 10 | 4",
        "What was found and what is missing",
        "Is the bridge safe for lorries?",
        "The board asks for the following:",
        "four patients with potassium above the limit were seen.",
        "Chair: Margit Oyelaran.",
        "Lake & River Surveys Ltd.",
        "Potassium above 6.0 mmol/L in four patients on the high dose.",
        "",
    ] {
        assert!(!states(text), "{text}");
    }
}
