//! Maps remedies between commands and HTTP requests: one table for both, by error code.
//!
//! Errors carry the remedy for a user on the machine of the store. The server replaces a remedy that names a command
//! with the equivalent request; the client replaces that with the command that sends the request.

/// A remedy as a request and as a command.
struct Remedy {
    codes: &'static [&'static str],
    http: &'static str,
    command: &'static str,
}

const REMEDIES: &[Remedy] = &[
    Remedy {
        codes: &["ADJ-1000"],
        http: "Correct the plan or the patch as the message says.",
        command: "Correct the plan or the patch as the message says.",
    },
    Remedy {
        codes: &["ADJ-2002", "ADJ-2020", "ADJ-2021"],
        http: "GET /api/missions/{mission} shows the state of the mission.",
        command: "`adjutant show` shows the state of the mission.",
    },
    Remedy {
        codes: &["ADJ-2010", "ADJ-2011"],
        http: "GET /api/inbox lists the open questions.",
        command: "`adjutant inbox` lists the open questions.",
    },
    Remedy {
        codes: &["ADJ-2016", "ADJ-2017"],
        http: "Send `option` with one that the question offers: GET …/checkpoints lists them.",
        command: "Add `--option` with one that the question offers: `adjutant decide QUESTION` lists them.",
    },
    Remedy {
        codes: &["ADJ-3061", "ADJ-3062"],
        http: "Use the number of an earlier event: GET /api/missions/{mission}/events has them as `sequence`.",
        command: "Use the number of an earlier event: `adjutant events --session` has them as `sequence`.",
    },
    Remedy {
        codes: &["ADJ-3064"],
        http: "Give `at`, the number of the event before its answer; if several are open, say which as `checkpoint`.",
        command: "Give `--at`, the number of the event before its answer; if several are open, name the question.",
    },
    Remedy {
        codes: &["ADJ-3067"],
        http: "Use a model that the server has prices for, or `offline`.",
        command: "Use a model that the server has prices for, or `offline`.",
    },
    Remedy {
        codes: &["ADJ-4006"],
        http: "Let it end, or send `abort` to /api/missions/{mission}/commands, then try again.",
        command: "Let it end, or stop it with `adjutant abort`, then try again.",
    },
    Remedy {
        codes: &["ADJ-5001", "ADJ-6021"],
        http: "GET /api/missions lists the missions.",
        command: "`adjutant list --all` lists the missions.",
    },
    Remedy {
        codes: &["ADJ-5003"],
        http: "The server is being stopped: send the request again when it is back.",
        command: "The server is being stopped: repeat the command when it is back.",
    },
    Remedy {
        codes: &["ADJ-5021", "ADJ-5022", "ADJ-5023", "ADJ-5026"],
        http: "GET /api/stops lists what is stopped; DELETE /api/stops/{what} lifts a stop.",
        command: "`adjutant stops` lists what is stopped; `adjutant allow` lifts a stop.",
    },
    Remedy {
        codes: &["ADJ-6101", "ADJ-6102"],
        http: "GET /api/catalogue lists the missions that can be started.",
        command: "`adjutant mission list` lists the missions that can be started.",
    },
    Remedy {
        codes: &["ADJ-6109"],
        http: "GET /api/missions/{mission} shows its state, and GET /api/missions/{mission}/artifacts what it produced.",
        command: "`adjutant show` shows its state and what it produced.",
    },
    Remedy {
        codes: &["ADJ-6200"],
        http: "Start a mission of the other type with POST /api/missions.",
        command: "Start a mission of the other type with `adjutant mission start`.",
    },
    Remedy {
        codes: &["ADJ-7005"],
        http: "Name a time that is still to come.",
        command: "Name a time that is still to come.",
    },
    Remedy {
        codes: &["ADJ-7007"],
        http: "GET /api/triggers lists the triggers.",
        command: "`adjutant trigger list` lists the triggers.",
    },
    Remedy {
        codes: &["ADJ-7010"],
        http: "Cancel some with DELETE /api/triggers/{trigger}.",
        command: "Cancel some with `adjutant trigger cancel`.",
    },
    Remedy {
        codes: &["ADJ-6106", "ADJ-8002", "ADJ-8003"],
        http: "GET /api/knowledge_bases lists the knowledge bases.",
        command: "`adjutant kb list` lists the knowledge bases.",
    },
    Remedy {
        codes: &["ADJ-9016"],
        http: "List the keys with GET /api/access.",
        command: "List the keys with `adjutant access list`.",
    },
    Remedy {
        codes: &["ADJ-9017", "ADJ-9020"],
        http: "List the tasks with GET /api/missions/{mission}/tasks, and what they produced with …/artifacts.",
        command: "`adjutant show` lists the tasks and what they produced.",
    },
    Remedy {
        codes: &["ADJ-9022"],
        http: "List the tools with GET /api/tools.",
        command: "List the tools with `adjutant tools list`.",
    },
    Remedy {
        codes: &["ADJ-8004", "ADJ-8005"],
        http: "Ask an operator of the server to reindex the knowledge base.",
        command: "Ask an operator of the server to reindex the knowledge base.",
    },
];

fn remedy_of(code: &str) -> Option<&'static Remedy> {
    REMEDIES.iter().find(|remedy| remedy.codes.contains(&code))
}

/// The remedy for an HTTP caller. A remedy that names no command is unchanged.
pub fn for_http<'a>(code: &str, remedy: &'a str) -> &'a str {
    let names_command = remedy.contains("`adjutant ") || remedy.contains("`--");
    match remedy_of(code) {
        Some(known) if names_command => known.http,
        _ => remedy,
    }
}

/// A remedy from a server, for the command line that sent the request. A remedy that names no request is unchanged.
pub fn for_command_line<'a>(code: &str, remedy: &'a str) -> &'a str {
    match remedy_of(code) {
        Some(known) if remedy == known.http || remedy.contains("/api/") => known.command,
        _ => remedy,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_remedy_that_names_no_command_stays() {
        assert_eq!(for_http("ADJ-5001", "Look again."), "Look again.");
        let unknown = "Run `adjutant verify`.";
        assert_eq!(for_http("ADJ-3103", unknown), unknown);
        assert_eq!(for_command_line("ADJ-5001", "Look again."), "Look again.");
    }

    #[test]
    fn every_remedy_goes_to_http_and_back_to_a_command() {
        let mut codes = BTreeSet::new();
        for remedy in REMEDIES {
            for code in remedy.codes {
                assert!(codes.insert(code), "{code} is listed twice");
                let http = for_http(code, "See `adjutant …`.");
                assert_eq!(http, remedy.http);
                assert!(!http.contains("`adjutant "), "{http}");
                let command = for_command_line(code, http);
                assert!(!command.contains("/api/"), "{command}");
            }
        }
    }
}
