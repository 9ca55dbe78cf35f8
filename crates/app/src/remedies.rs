//! Words remedies for their reader: as a command, an HTTP request or a tool call. One table for all, by error code.
//!
//! Errors carry the remedy for a user on the machine of the store. The server replaces a remedy that names a command
//! with the equivalent request; the client replaces that with the command that sends the request. A program that runs
//! workflows gets the tool call; where there is none, it is asked to pass the remedy on to its user.

use std::borrow::Cow;

/// A remedy as a request, as a command, and as a call of a program.
struct Remedy {
    codes: &'static [&'static str],
    http: &'static str,
    command: &'static str,
    /// `None` where only a person can do it.
    program: Option<&'static str>,
}

const REMEDIES: &[Remedy] = &[
    Remedy {
        codes: &["ADJ-1000"],
        http: "Correct the plan or the patch as the message says.",
        command: "Correct the plan or the patch as the message says.",
        program: Some("Correct the tasks as the message says."),
    },
    Remedy {
        codes: &["ADJ-2002", "ADJ-2020", "ADJ-2021"],
        http: "GET /api/missions/{mission} shows the state of the mission.",
        command: "`adjutant show` shows the state of the mission.",
        program: Some("Call workflow_status: it says how the workflow stands."),
    },
    Remedy {
        codes: &["ADJ-2010", "ADJ-2011"],
        http: "GET /api/inbox lists the open questions.",
        command: "`adjutant inbox` lists the open questions.",
        program: Some("Call workflow_status: `approvals` has the open questions."),
    },
    Remedy {
        codes: &["ADJ-2016", "ADJ-2017"],
        http: "Send `option` with one that the question offers: GET …/checkpoints lists them.",
        command: "Add `--option` with one that the question offers: `adjutant decide QUESTION` lists them.",
        program: Some(
            "Send `option` with the `key` of one of the `options` that workflow_status lists for the question.",
        ),
    },
    Remedy {
        codes: &["ADJ-3061", "ADJ-3062"],
        http: "Use the number of an earlier event: GET /api/missions/{mission}/events has them as `sequence`.",
        command: "Use the number of an earlier event: `adjutant events --session` has them as `sequence`.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-3064"],
        http: "Give `at`, the number of the event before its answer; if several are open, say which as `checkpoint`.",
        command: "Give `--at`, the number of the event before its answer; if several are open, name the question.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-3067"],
        http: "Use a model that the server has prices for, or `offline`.",
        command: "Use a model that the server has prices for, or `offline`.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-4006"],
        http: "Let it end, or send `abort` to /api/missions/{mission}/commands, then try again.",
        command: "Let it end, or stop it with `adjutant abort`, then try again.",
        program: Some("Let it end, or call abort, then try again."),
    },
    Remedy {
        codes: &["ADJ-5001", "ADJ-6021"],
        http: "GET /api/missions lists the missions.",
        command: "`adjutant list --all` lists the missions.",
        program: Some("Call list_missions: it has the ids of the newest missions."),
    },
    Remedy {
        codes: &["ADJ-5003"],
        http: "The server is being stopped: send the request again when it is back.",
        command: "The server is being stopped: repeat the command when it is back.",
        program: Some("The host is being stopped: repeat the call when it is back."),
    },
    Remedy {
        codes: &["ADJ-5021", "ADJ-5022", "ADJ-5023", "ADJ-5026"],
        http: "GET /api/stops lists what is stopped; DELETE /api/stops/{what} lifts a stop.",
        command: "`adjutant stops` lists what is stopped; `adjutant allow` lifts a stop.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-6101", "ADJ-6102"],
        http: "GET /api/catalogue lists the missions that can be started.",
        command: "`adjutant mission list` lists the missions that can be started.",
        program: Some(
            "List the prompts: each is a mission that start_mission can start, under its name.",
        ),
    },
    Remedy {
        codes: &["ADJ-6104"],
        http: "GET /api/catalogue lists the missions with their inputs.",
        command: "See its inputs with `adjutant mission show`.",
        program: Some("Correct `inputs` as the message says."),
    },
    Remedy {
        codes: &["ADJ-6109"],
        http: "GET /api/missions/{mission} shows its state, and GET /api/missions/{mission}/artifacts what it produced.",
        command: "`adjutant show` shows its state and what it produced.",
        program: Some("Call workflow_status: it says how the workflow stands and what it gave."),
    },
    Remedy {
        codes: &["ADJ-6200"],
        http: "Start a mission of the other type with POST /api/missions.",
        command: "Start a mission of the other type with `adjutant mission start`.",
        program: Some("Call start_mission with the other type."),
    },
    Remedy {
        codes: &["ADJ-7005"],
        http: "Name a time that is still to come.",
        command: "Name a time that is still to come.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-7007"],
        http: "GET /api/triggers lists the triggers.",
        command: "`adjutant trigger list` lists the triggers.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-7010"],
        http: "Cancel some with DELETE /api/triggers/{trigger}.",
        command: "Cancel some with `adjutant trigger cancel`.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-6106", "ADJ-8002", "ADJ-8003"],
        http: "GET /api/knowledge_bases lists the knowledge bases.",
        command: "`adjutant kb list` lists the knowledge bases.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-9016"],
        http: "List the keys with GET /api/access.",
        command: "List the keys with `adjutant access list`.",
        program: None,
    },
    Remedy {
        codes: &["ADJ-9017", "ADJ-9020"],
        http: "List the tasks with GET /api/missions/{mission}/tasks, and what they produced with …/artifacts.",
        command: "`adjutant show` lists the tasks and what they produced.",
        program: Some("Call workflow_results: it lists the tasks and what they gave."),
    },
    Remedy {
        codes: &["ADJ-9022"],
        http: "List the tools with GET /api/tools.",
        command: "List the tools with `adjutant tools list`.",
        program: Some("Call search_tools: it lists the tools."),
    },
    Remedy {
        codes: &["ADJ-8004", "ADJ-8005"],
        http: "Ask an operator of the server to reindex the knowledge base.",
        command: "Ask an operator of the server to reindex the knowledge base.",
        program: None,
    },
];

/// Remedies of which only programs need other words: over HTTP and in a terminal they stay as they are.
const FOR_PROGRAMS: &[(&[&str], &str)] = &[
    (
        &["ADJ-5003"],
        "The host is being stopped: repeat the call when it is back.",
    ),
    (&["ADJ-5004"], "Wait a moment and repeat the call."),
    (
        &["ADJ-5013"],
        "Repeat the call, with the same idempotency_key if it has one; what was completed is recorded.",
    ),
    (
        &["ADJ-6020", "ADJ-6022"],
        "Use a whole workflow_id, as the calls return it; list_missions has those of the newest missions.",
    ),
    (
        &["ADJ-6103"],
        "List the prompts: each is a mission that start_mission can start, under its name.",
    ),
    (
        &["ADJ-6250", "ADJ-6251"],
        "Say in a sentence or a few what is wanted, in `intent` or `new_requirement`.",
    ),
    (
        &["ADJ-6252", "ADJ-6253"],
        "Say it in other words, or find tools with search_tools and send the tasks in `tasks`.",
    ),
    (
        &["ADJ-6254"],
        "Give the value in `available_context` under this name, or send `tasks`.",
    ),
    (
        &["ADJ-6255"],
        "Give other values in `available_context`, or send `tasks`.",
    ),
];

/// Words of plan files, and what programs call the same. Whole phrases, because a task may be called `after`.
const PHRASES: &[(&str, &str)] = &[
    ("; add it to `after`", "; add it to `depends_on`"),
    (
        "Remove the task's own id from its `after`.",
        "Remove the task's own id from its `depends_on`.",
    ),
    (
        "Add a task under `tasks:`.",
        "Send at least one task in `tasks`.",
    ),
    (
        "Refer to a task that this one waits for, or to a value of `inputs`.",
        "Refer to the output of a task in `depends_on`, as {{id.output}}.",
    ),
    (
        "write `{{task.output.field}}` or `{{inputs.name}}`",
        "write `{{id.output}}` or `{{id.output.field}}`",
    ),
    (
        "Use one of the tools that docs/tools.md lists.",
        "Find one with search_tools.",
    ),
    (
        "Look at `adjutant models list`, and set models under `[models]`.",
        "Leave `agent_model` out, or tell your user to set models under `[models]` in the settings.",
    ),
    (
        "Look at the plan as it is with `adjutant show`.",
        "Call workflow_results: it lists the tasks that there are.",
    ),
    (
        "the patch does not fit the plan",
        "the change does not fit the workflow",
    ),
];

/// Tools, and the requests that do the same where workflows are run over HTTP.
const REQUESTS: [(&str, &str); 7] = [
    ("workflow_status", "GET /api/workflow/{mission}/status"),
    ("workflow_results", "GET /api/missions/{mission}/tasks"),
    ("execute_workflow", "POST /api/workflow/execute"),
    (
        "replan_dag",
        "POST /api/workflow/{mission}/continue with the value `replan`",
    ),
    ("search_tools", "GET /api/tools"),
    ("list_missions", "GET /api/missions"),
    ("start_mission", "POST /api/missions"),
];

/// What a remedy contains that is of use only to a person at a terminal.
const FOR_A_TERMINAL: [&str; 5] = ["`adjutant ", "`--", "ADJUTANT_", "docs/", "patch file"];

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

/// The remedy for a program that runs workflows. It names no terminal command and no file of ours.
pub fn for_program<'a>(code: &str, remedy: &'a str) -> Cow<'a, str> {
    let said = in_words_of_program(remedy);
    if !is_for_terminal(&said) {
        return said;
    }
    let only_program = FOR_PROGRAMS.iter().find(|(codes, _)| codes.contains(&code));
    let known = remedy_of(code).and_then(|known| known.program);
    match only_program.map(|(_, said)| *said).or(known) {
        Some(call) => call.into(),
        None => passed_on(&said).into(),
    }
}

/// A message about a plan in the words of the request that the plan was made from.
pub fn in_words_of_program(text: &str) -> Cow<'_, str> {
    let mut said = Cow::Borrowed(text);
    for (ours, theirs) in PHRASES {
        if said.contains(ours) {
            said = said.replace(ours, theirs).into();
        }
    }
    said
}

/// What names tools, with the requests in their place.
pub fn in_words_of_requests(text: &str) -> String {
    REQUESTS
        .iter()
        .fold(text.to_owned(), |text, (tool, request)| {
            let quoted = format!("`{tool}`");
            text.replace(&quoted, request).replace(tool, request)
        })
}

fn is_for_terminal(remedy: &str) -> bool {
    FOR_A_TERMINAL.iter().any(|word| remedy.contains(word))
}

/// What only a person can do: without the references to our documentation, which a program does not have.
fn passed_on(remedy: &str) -> String {
    let sentences = remedy.split_inclusive(['.', ';']).collect::<Vec<_>>();
    // `docs/rules.md` has a full stop of its own: its ending belongs to what stands before it.
    let mut parts: Vec<String> = Vec::new();
    for part in sentences {
        match parts.last_mut() {
            Some(last) if !part.starts_with(' ') => last.push_str(part),
            _ => parts.push(part.to_owned()),
        }
    }
    parts.retain(|part| !part.contains("docs/"));
    let kept = parts.concat();
    let kept = kept.trim().trim_end_matches(';');
    let stop = if kept.ends_with('.') { "" } else { "." };
    match kept {
        "" => "Correct it as the message says.".to_owned(),
        kept if is_for_terminal(kept) => format!("Tell your user: {kept}{stop}"),
        kept => format!("{kept}{stop}"),
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

    #[test]
    fn a_program_is_never_told_to_run_a_command_or_to_read_a_file_of_ours() {
        let of_table = REMEDIES.iter().flat_map(|remedy| {
            let codes = remedy.codes.iter();
            codes.map(|code| (*code, remedy.command))
        });
        let others = [
            ("ADJ-3103", "Run `adjutant verify`."),
            (
                "ADJ-6101",
                "Fix the file, or remove it; `adjutant mission check FILE` lists every problem.",
            ),
            (
                "ADJ-6254",
                "Give it as `--context '{}'`, or write a patch file.",
            ),
            (
                "ADJ-6192",
                "Change what the rule objects to, or ask whoever maintains the rules; see docs/rules.md.",
            ),
            (
                "ADJ-1014",
                "Correct the rule; docs/plan-files.md shows what it may say.",
            ),
            (
                "ADJ-1014",
                "See docs/models.md for the input of `conclude`.",
            ),
            (
                "ADJ-2014",
                "Set `me.roles` or ADJUTANT_ROLES if you have the role.",
            ),
        ];
        for (code, remedy) in of_table.chain(others) {
            let said = for_program(code, remedy);
            let is_passed_on = said.starts_with("Tell your user: ");
            assert!(is_passed_on || !is_for_terminal(&said), "{code}: {said}");
            assert!(!said.contains("docs/"), "{code}: {said}");
            assert!(
                said.ends_with('.') && !said.contains(";."),
                "{code}: {said}"
            );
        }
    }

    #[test]
    fn a_program_reads_the_calls_and_the_fields_that_it_has() {
        for (code, remedy, said) in [
            (
                "ADJ-6021",
                "List the missions with `adjutant list --all`.",
                "Call list_missions: it has the ids of the newest missions.",
            ),
            (
                "ADJ-1008",
                "Use one of the tools that docs/tools.md lists.",
                "Find one with search_tools.",
            ),
            (
                "ADJ-1005",
                "Remove the task's own id from its `after`.",
                "Remove the task's own id from its `depends_on`.",
            ),
            (
                "ADJ-6192",
                "Change what the rule objects to, or ask whoever maintains the rules; see docs/rules.md.",
                "Change what the rule objects to, or ask whoever maintains the rules.",
            ),
            (
                "ADJ-3103",
                "Run `adjutant verify`.",
                "Tell your user: Run `adjutant verify`.",
            ),
            // A task may be called like a word of plan files.
            (
                "ADJ-1004",
                "Write `after`, or add the missing task.",
                "Write `after`, or add the missing task.",
            ),
        ] {
            assert_eq!(for_program(code, remedy), said);
        }
        let message =
            "`{{a.output}}` cannot be resolved: `a` may not have finished; add it to `after`";
        assert!(in_words_of_program(message).ends_with("add it to `depends_on`"));
    }

    #[test]
    fn over_http_the_requests_stand_in_place_of_the_tools() {
        let text = "Call workflow_status; or find tools with `search_tools`.";
        assert_eq!(
            in_words_of_requests(text),
            "Call GET /api/workflow/{mission}/status; or find tools with GET /api/tools."
        );
        for (_, request) in REQUESTS {
            assert_eq!(in_words_of_requests(request), request, "replaced twice");
        }
    }
}
