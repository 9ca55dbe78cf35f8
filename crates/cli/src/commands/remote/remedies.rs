//! What to do about an error, for those who do have a command line: a server tells it as requests.

/// Requests that remedies name, and the verbs that send them. Of two that begin alike the longer is first.
const VERBS: [(&str, &str); 18] = [
    ("GET /api/missions/{mission}/artifacts", "`adjutant show`"),
    ("GET /api/missions/{mission}/tasks", "`adjutant show`"),
    (
        "GET /api/missions/{mission}/events",
        "`adjutant events --session`",
    ),
    ("GET /api/missions/{mission}", "`adjutant show`"),
    ("GET /api/missions", "`adjutant list --all`"),
    ("GET /api/inbox", "`adjutant inbox`"),
    ("GET /api/stops", "`adjutant stops`"),
    ("DELETE /api/stops/{what}", "`adjutant allow`"),
    ("GET /api/catalogue", "`adjutant mission list`"),
    ("GET /api/triggers", "`adjutant trigger list`"),
    (
        "DELETE /api/triggers/{trigger}",
        "`adjutant trigger cancel`",
    ),
    ("GET /api/knowledge_bases", "`adjutant kb list`"),
    ("GET /api/tools", "`adjutant tools list`"),
    ("GET /api/access", "`adjutant access list`"),
    (
        "send `abort` to /api/missions/{mission}/commands",
        "`adjutant abort` it",
    ),
    (
        "Send `option` with one that the question offers: GET …/checkpoints has them.",
        "Say `--option` with one that the question offers: `adjutant decide QUESTION` shows them.",
    ),
    (", and /artifacts has what it gave", ""),
    ("Give `at`,", "Give `--at`,"),
];

pub(super) fn typed(remedy: &str) -> String {
    let told = remedy.to_owned();
    VERBS
        .iter()
        .fold(told, |told, (request, verb)| told.replace(request, verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_as_verbs() {
        for (told, meant) in [
            (
                "GET /api/missions has those there are.",
                "`adjutant list --all` has those there are.",
            ),
            (
                "GET /api/missions/{mission} says how far it is, and /artifacts has what it gave.",
                "`adjutant show` says how far it is.",
            ),
            (
                "GET /api/stops has what is stopped; DELETE /api/stops/{what} lets it go on.",
                "`adjutant stops` has what is stopped; `adjutant allow` lets it go on.",
            ),
            ("Ask an admin.", "Ask an admin."),
        ] {
            assert_eq!(typed(told), meant);
        }
    }
}
