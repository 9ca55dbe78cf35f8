//! What to do about an error, for those who have no command line here.

/// A remedy that names a command names it in vain over HTTP: the most usual ones are told as requests.
pub(crate) fn over_http<'a>(code: &str, remedy: &'a str) -> &'a str {
    if !remedy.contains("`adjutant ") && !remedy.contains("`--") {
        return remedy;
    }
    match code {
        "ADJ-1000" => "Correct the plan or the patch as the message says.",
        "ADJ-2002" | "ADJ-2020" | "ADJ-2021" => {
            "GET /api/missions/{mission} says where the mission stands."
        }
        "ADJ-2010" | "ADJ-2011" => "GET /api/inbox has the open questions.",
        "ADJ-3061" | "ADJ-3062" => {
            "Take the number of an earlier event: GET /api/missions/{mission}/events has them as `sequence`."
        }
        "ADJ-3064" => {
            "Give `at`, the number of the event before its answer; of several that are open, say which as `checkpoint`."
        }
        "ADJ-3067" => "Take a model that the server has prices for, or `offline`.",
        "ADJ-4006" => {
            "Let it end, or send `abort` to /api/missions/{mission}/commands, then try again."
        }
        "ADJ-5001" => "GET /api/missions has those there are.",
        "ADJ-5003" => "The server is being stopped: send it again when it is back.",
        "ADJ-5021" | "ADJ-5022" | "ADJ-5023" | "ADJ-5026" => {
            "GET /api/stops has what is stopped; DELETE /api/stops/{what} lets it go on."
        }
        "ADJ-6101" | "ADJ-6102" => "GET /api/catalogue has those there are.",
        "ADJ-6109" => {
            "GET /api/missions/{mission} says how far it is, and /artifacts has what it gave."
        }
        "ADJ-7005" => "Name a time that is still to come.",
        "ADJ-7007" => "GET /api/triggers has those there are.",
        "ADJ-7010" => "Cancel some with DELETE /api/triggers/{trigger}.",
        "ADJ-6106" | "ADJ-8002" | "ADJ-8003" => "GET /api/knowledge_bases has those there are.",
        "ADJ-8004" | "ADJ-8005" => {
            "Ask whoever runs the server to have the knowledge base indexed anew."
        }
        _ => remedy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_command_stays() {
        assert_eq!(over_http("ADJ-5001", "Look again."), "Look again.");
        let told = over_http(
            "ADJ-5001",
            "See `adjutant list` for the missions there are.",
        );
        assert_eq!(told, "GET /api/missions has those there are.");
        let unknown = "Run `adjutant verify`.";
        assert_eq!(over_http("ADJ-3103", unknown), unknown);
    }
}
