//! Every setting there is, for the documentation. A test compares it with the documents and the code.

/// One setting, as it is documented.
pub(super) struct Setting {
    /// The key in `adjutant.toml`; empty if the file cannot set it.
    pub key: &'static str,
    /// The environment variable, which overrides the file; empty if there is none.
    pub variable: &'static str,
    pub default: &'static str,
    pub meaning: &'static str,
}

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        key: "",
        variable: "ADJUTANT_HOME",
        default: "`$XDG_DATA_HOME/adjutant`, else `~/.local/share/adjutant`",
        meaning: "The data folder. It holds the store, the control socket and files written by tools.",
    },
    Setting {
        key: "",
        variable: "ADJUTANT_TENANT",
        default: "`local`",
        meaning: "The tenant to work in. Data of other tenants is never shown.",
    },
    Setting {
        key: "me.id",
        variable: "ADJUTANT_USER",
        default: "the name of your account",
        meaning: "Your name in journals and decisions. Under the four-eyes rule it must be the name of your account, unless you go through a server with an access token.",
    },
    Setting {
        key: "me.roles",
        variable: "ADJUTANT_ROLES",
        default: "none",
        meaning: "Your roles, for checkpoints that require one. In the environment, separate them with commas.",
    },
    Setting {
        key: "store.path",
        variable: "",
        default: "`adjutant.db` in the data folder",
        meaning: "The database file. A relative path starts at the folder of the settings file.",
    },
    Setting {
        key: "store.url",
        variable: "ADJUTANT_STORE_URL",
        default: "none: the store is a file",
        meaning: "The URL of a PostgreSQL server to use instead of a file: `postgresql://user@host/database`.",
    },
    Setting {
        key: "store.schema",
        variable: "",
        default: "`adjutant`",
        meaning: "The PostgreSQL schema.",
    },
    Setting {
        key: "keys.master_file",
        variable: "ADJUTANT_MASTER_KEY",
        default: "`master.key` in the data folder",
        meaning: "The master key, which encrypts everything: a file that only its owner can read, or the key itself in the environment. Keep a copy in another place than the store.",
    },
    Setting {
        key: "keys.signing_file",
        variable: "",
        default: "`signing.key` in the data folder",
        meaning: "The key that signs journals.",
    },
    Setting {
        key: "keeping.days",
        variable: "",
        default: "`90`",
        meaning: "Days after the end of a mission before `prune` removes its journal; `keeping.tenants.NAME.days` for one tenant.",
    },
    Setting {
        key: "keeping.quota_mb",
        variable: "",
        default: "no limit",
        meaning: "MiB of events and blobs that a tenant may store. At the limit no more missions are opened; `keeping.tenants.NAME.quota_mb` for one tenant.",
    },
    Setting {
        key: "keeping.sign_minutes",
        variable: "",
        default: "`15`",
        meaning: "How often `up` signs journals that have changed. It also signs them when it stops.",
    },
    Setting {
        key: "tools.run_command.programs",
        variable: "",
        default: "none",
        meaning: "The programs that `run_command` may start, exactly as plans name them.",
    },
    Setting {
        key: "tools.run_command.sandbox",
        variable: "",
        default: "`on`",
        meaning: "Whether `run_command` runs programs in the sandbox: `on` or `off`.",
    },
    Setting {
        key: "tools.write_file.folder",
        variable: "",
        default: "`files` in the data folder",
        meaning: "The only folder that `write_file` and `replace_file` write to. Tenants other than `local` have a folder next to it: `files-acme`.",
    },
    Setting {
        key: "tools.http.hosts",
        variable: "",
        default: "`http`: any public host; `http_post`: none",
        meaning: "The hosts that `http` and `http_post` may contact, including redirects.",
    },
    Setting {
        key: "tools.private_hosts",
        variable: "",
        default: "none",
        meaning: "Hosts with private addresses that tools may contact, such as this machine or the local network.",
    },
    Setting {
        key: "tools.allow",
        variable: "",
        default: "every tool",
        meaning: "The tools that missions may call, by id or prefix (`L5-*`). Under `tools.tenants.NAME`, these settings apply to one tenant in addition.",
    },
    Setting {
        key: "tools.deny",
        variable: "",
        default: "none",
        meaning: "Tools that missions may not call.",
    },
    Setting {
        key: "tools.autonomy_level",
        variable: "",
        default: "not checked",
        meaning: "The autonomy level that was granted, 1 to 5. Tools that do not permit this level are refused.",
    },
    Setting {
        key: "tools.autonomy_levels",
        variable: "",
        default: "what a tool's manifest says",
        meaning: "For each tool, the autonomy levels that may call it.",
    },
    Setting {
        key: "tools.roles",
        variable: "",
        default: "every role",
        meaning: "For each tool, the roles that may plan calls of it.",
    },
    Setting {
        key: "tools.limits.per_minute",
        variable: "",
        default: "no limit",
        meaning: "Calls of a tool per minute; further calls wait. Written as `[tools.limits.TOOL]`.",
    },
    Setting {
        key: "tools.limits.per_day",
        variable: "",
        default: "no limit",
        meaning: "Calls of a tool per day (UTC); further calls are refused.",
    },
    Setting {
        key: "tools.limits.dollars_per_day",
        variable: "",
        default: "no limit",
        meaning: "What the calls of a tool may cost per day (UTC).",
    },
    Setting {
        key: "lookups.stand_in",
        variable: "ADJUTANT_STAND_IN",
        default: "none",
        meaning: "One address that replaces all public databases, such as the one served by `adjutant dev apis`; see docs/lookups.md.",
    },
    Setting {
        key: "lookups.NAME.base",
        variable: "",
        default: "its public address",
        meaning: "The base address of a database: `pubmed`, `trials`, `fda`, `ema`, `uspto`, `epo`, `newsapi`, `tavily`, `serpapi` or `searxng`.",
    },
    Setting {
        key: "lookups.NAME.key",
        variable: "",
        default: "none",
        meaning: "Its API key; `lookups.NAME.key_env` names an environment variable that holds it.",
    },
    Setting {
        key: "lookups.NAME.secret",
        variable: "",
        default: "none",
        meaning: "Its API secret, if it has one; `lookups.NAME.secret_env` names an environment variable.",
    },
    Setting {
        key: "lookups.NAME.contact",
        variable: "",
        default: "none",
        meaning: "A contact address for its operators.",
    },
    Setting {
        key: "lookups.feeds.urls",
        variable: "",
        default: "none",
        meaning: "RSS, Atom and JSON feeds that `L5-NEWS` reads.",
    },
    Setting {
        key: "lookups.web.robots",
        variable: "",
        default: "`honour`",
        meaning: "Whether `L5-WEB` obeys robots.txt: `honour` or `overlook`.",
    },
    Setting {
        key: "mcp.NAME.command",
        variable: "",
        default: "none",
        meaning: "Program and arguments of an MCP server that Adjutant starts; see docs/mcp.md.",
    },
    Setting {
        key: "mcp.NAME.environment",
        variable: "",
        default: "none",
        meaning: "Its environment variables in addition to PATH and HOME: values, or `{ from = \"VARIABLE\" }`.",
    },
    Setting {
        key: "mcp.NAME.folder",
        variable: "",
        default: "the current folder",
        meaning: "The folder it is started in.",
    },
    Setting {
        key: "mcp.NAME.url",
        variable: "",
        default: "none",
        meaning: "The https: address of an MCP server that runs elsewhere.",
    },
    Setting {
        key: "mcp.NAME.key_env",
        variable: "",
        default: "none",
        meaning: "The environment variable that holds its key.",
    },
    Setting {
        key: "mcp.NAME.headers",
        variable: "",
        default: "none",
        meaning: "Additional HTTP headers, written like the environment.",
    },
    Setting {
        key: "mcp.NAME.tools",
        variable: "",
        default: "all",
        meaning: "The tools of the server to use.",
    },
    Setting {
        key: "mcp.NAME.read_only",
        variable: "",
        default: "none",
        meaning: "Tools of the server that change nothing.",
    },
    Setting {
        key: "mcp.NAME.class.TOOL",
        variable: "",
        default: "`once`",
        meaning: "`pure`, `idempotent` or `once`.",
    },
    Setting {
        key: "mcp.NAME.price.TOOL",
        variable: "",
        default: "free",
        meaning: "The most that a call costs, in dollars, as text.",
    },
    Setting {
        key: "mcp.NAME.timeout_seconds",
        variable: "",
        default: "`60`",
        meaning: "How long a call may take.",
    },
    Setting {
        key: "mcp.NAME.start_seconds",
        variable: "",
        default: "`10`",
        meaning: "How long the server may take to start.",
    },
    Setting {
        key: "delegates.NAME.command",
        variable: "",
        default: "none",
        meaning: "Program and arguments of an agent that tasks are handed to; it runs in the sandbox. See docs/delegation.md.",
    },
    Setting {
        key: "delegates.NAME.tool",
        variable: "",
        default: "none",
        meaning: "A tool of an MCP server that tasks are handed to, instead of `command`.",
    },
    Setting {
        key: "delegates.NAME.argument",
        variable: "",
        default: "`goal`",
        meaning: "The argument of that tool that takes the task.",
    },
    Setting {
        key: "delegates.NAME.about",
        variable: "",
        default: "none",
        meaning: "What it is good at, in a sentence.",
    },
    Setting {
        key: "delegates.NAME.environment",
        variable: "",
        default: "none",
        meaning: "Its environment variables in addition to PATH, HOME, TMPDIR and LANG: values, or `{ from = \"VARIABLE\" }`.",
    },
    Setting {
        key: "delegates.NAME.reads",
        variable: "",
        default: "none",
        meaning: "Files and folders of this machine that it may read.",
    },
    Setting {
        key: "delegates.NAME.answer_file",
        variable: "",
        default: "standard output",
        meaning: "The file in its folder that it writes its answer to.",
    },
    Setting {
        key: "delegates.NAME.timeout_seconds",
        variable: "",
        default: "`600`",
        meaning: "How long a run may take.",
    },
    Setting {
        key: "delegates.NAME.memory_mb",
        variable: "",
        default: "`1024`",
        meaning: "MiB of memory that a run may use.",
    },
    Setting {
        key: "delegates.NAME.processes",
        variable: "",
        default: "`128`",
        meaning: "Processes and threads that a run may have.",
    },
    Setting {
        key: "delegates.NAME.max_cost",
        variable: "",
        default: "free",
        meaning: "The most that a run costs, in dollars, as text. It is reserved before the run.",
    },
    Setting {
        key: "delegates.NAME.when_lost",
        variable: "",
        default: "`ask`",
        meaning: "What is done when Adjutant was killed during a run: `ask` a person, or `repeat` it.",
    },
    Setting {
        key: "host.drain_seconds",
        variable: "",
        default: "`10`",
        meaning: "How long a clean shutdown waits for running calls.",
    },
    Setting {
        key: "rules.four_eyes",
        variable: "",
        default: "none",
        meaning: "Kinds of checkpoints, such as `final_review`, that someone other than the person who started the mission must approve. Applies to missions started from then on.",
    },
    Setting {
        key: "rules.autonomy",
        variable: "",
        default: "none",
        meaning: "The autonomy that no mission may go below: with `strict`, a mission that is started as `balanced` or `permissive` runs as `strict`. Applies to missions started from then on.",
    },
    Setting {
        key: "rules.file",
        variable: "",
        default: "none",
        meaning: "A file with rules over missions, calls, results and reports of all tenants; see docs/rules.md. A relative path starts at the folder of the settings file. Read when the host starts, which refuses to start without it.",
    },
    Setting {
        key: "rules.tenants.NAME.file",
        variable: "",
        default: "none",
        meaning: "A file with further rules for one tenant. They can only be stricter.",
    },
    Setting {
        key: "workflows.approvers",
        variable: "",
        default: "none",
        meaning: "People whose programs may answer checkpoints of workflows that others started, over MCP; see docs/mcp-server.md.",
    },
    Setting {
        key: "workflows.approved_in_advance",
        variable: "",
        default: "none",
        meaning: "What workflows that programs start need not ask: `plan_approval`, `final_review` or both.",
    },
    Setting {
        key: "workflows.budget",
        variable: "",
        default: "`$1.00`",
        meaning: "The most that a workflow that a program starts may cost.",
    },
    Setting {
        key: "supervisors.name",
        variable: "",
        default: "none",
        meaning: "The name of a supervisor. Each `[[supervisors]]` watches every mission that is started from then on; see docs/supervisors.md for its other fields.",
    },
    Setting {
        key: "supervisors.kind",
        variable: "",
        default: "none",
        meaning: "`rules`, `panel` or `background`.",
    },
    Setting {
        key: "server.public_url",
        variable: "",
        default: "none",
        meaning: "Where browsers reach the server, such as `https://adjutant.example.org`. Links in mails begin with it, and the server accepts its host name.",
    },
    Setting {
        key: "server.limits.user_per_minute",
        variable: "",
        default: "`10`",
        meaning: "Missions that one user may start over HTTP per minute.",
    },
    Setting {
        key: "server.limits.user_per_hour",
        variable: "",
        default: "`100`",
        meaning: "Missions that one user may start over HTTP per hour.",
    },
    Setting {
        key: "server.limits.tenant_per_hour",
        variable: "",
        default: "`1000`",
        meaning: "Missions that all users together may start over HTTP per hour.",
    },
    Setting {
        key: "server.limits.user_at_once",
        variable: "",
        default: "`5`",
        meaning: "Unfinished missions that one user may have.",
    },
    Setting {
        key: "notify.name",
        variable: "",
        default: "none",
        meaning: "The name of a channel. Each `[[notify]]` is a channel that reports open checkpoints and ended missions; see docs/notifications.md.",
    },
    Setting {
        key: "notify.kind",
        variable: "",
        default: "none",
        meaning: "`webhook`, `email` or `terminal` (rings the bell in `up`, `watch` and `run`).",
    },
    Setting {
        key: "notify.tenant",
        variable: "",
        default: "the current tenant",
        meaning: "The tenant whose missions it reports.",
    },
    Setting {
        key: "notify.roles",
        variable: "",
        default: "everyone",
        meaning: "The roles it reaches. Checkpoints for other roles are not sent.",
    },
    Setting {
        key: "notify.events",
        variable: "",
        default: "both",
        meaning: "`[\"checkpoints\"]`, `[\"endings\"]`, or both.",
    },
    Setting {
        key: "notify.quiet.from",
        variable: "",
        default: "none",
        meaning: "Start of quiet hours, such as `22:00`. Notices wait until they end.",
    },
    Setting {
        key: "notify.quiet.until",
        variable: "",
        default: "none",
        meaning: "End of quiet hours. It may be after midnight.",
    },
    Setting {
        key: "notify.quiet.zone",
        variable: "",
        default: "that of this machine",
        meaning: "Time zone of the quiet hours, such as `Europe/Berlin`.",
    },
    Setting {
        key: "notify.quiet.urgent_anyway",
        variable: "",
        default: "`true`",
        meaning: "Whether checkpoints of high or critical severity are sent during quiet hours.",
    },
    Setting {
        key: "notify.url",
        variable: "",
        default: "none",
        meaning: "The https: address of a webhook.",
    },
    Setting {
        key: "notify.server",
        variable: "",
        default: "none",
        meaning: "The mail server.",
    },
    Setting {
        key: "notify.port",
        variable: "",
        default: "`587`, `465` or `25`",
        meaning: "Its port.",
    },
    Setting {
        key: "notify.security",
        variable: "",
        default: "`starttls`",
        meaning: "`starttls`, `tls` or `none`. If the server does not support it, nothing is sent.",
    },
    Setting {
        key: "notify.user",
        variable: "",
        default: "none: no login",
        meaning: "The user name on the mail server.",
    },
    Setting {
        key: "notify.from",
        variable: "",
        default: "none",
        meaning: "The sender of the mail.",
    },
    Setting {
        key: "notify.to",
        variable: "",
        default: "none",
        meaning: "The recipients of the mail.",
    },
    Setting {
        key: "notify.ca_file",
        variable: "",
        default: "those of this machine",
        meaning: "Additional certificate authorities for the mail server, as PEM.",
    },
    Setting {
        key: "notify.secret_env",
        variable: "",
        default: "none",
        meaning: "The environment variable that holds a webhook's secret, `whsec_…`, or the mail password.",
    },
    Setting {
        key: "notify.secret_file",
        variable: "",
        default: "none",
        meaning: "A file that holds the secret or password, readable only by its owner.",
    },
    Setting {
        key: "notify.insecure",
        variable: "",
        default: "`false`",
        meaning: "Allows sending content without TLS to another machine.",
    },
    Setting {
        key: "notify.redact",
        variable: "",
        default: "`true`",
        meaning: "Whether personal data is removed from webhooks and mails.",
    },
    Setting {
        key: "notify.answers_as",
        variable: "",
        default: "none",
        meaning: "The person who answers checkpoints through a link in the mail, in the roles of the channel. Needs one recipient and `server.public_url`.",
    },
    Setting {
        key: "guard.ORIGIN.low",
        variable: "",
        default: "`\"log\"`",
        meaning: "What to do about text that tries to manipulate a model, at low severity: `log`, `fence`, `ask` or `block`. Origins are `person`, `document`, `tool_result`, `web_page`, `mcp` and `model`. If you set an origin, set all three severities; see docs/guard.md.",
    },
    Setting {
        key: "guard.ORIGIN.medium",
        variable: "",
        default: "`\"fence\"`; for `person` and `model` `\"log\"`",
        meaning: "The same at medium severity.",
    },
    Setting {
        key: "guard.ORIGIN.high",
        variable: "",
        default: "`\"ask\"`; for `document` and `model` `\"fence\"`",
        meaning: "The same at high severity.",
    },
    Setting {
        key: "privacy.redact",
        variable: "",
        default: "`true`",
        meaning: "Whether personal data is replaced by pseudonyms before it is sent to external providers; see docs/privacy.md.",
    },
    Setting {
        key: "privacy.outgoing",
        variable: "",
        default: "`\"identifiers\"`",
        meaning: "What personal data is replaced in reports, events and citations: `\"identifiers\"` of patients and other private persons, `\"all\"` that is found, names of authors included, or `\"off\"`; see docs/privacy.md.",
    },
    Setting {
        key: "models.embeddings",
        variable: "",
        default: "none",
        meaning: "The model that computes embeddings for the knowledge base, as `provider/model`. It needs a price; see docs/knowledge.md.",
    },
    Setting {
        key: "models.providers.NAME.kind",
        variable: "",
        default: "none",
        meaning: "`openai`, `azure`, `compatible` (vLLM, Ollama, llama.cpp and others) or `anthropic`; see docs/models.md.",
    },
    Setting {
        key: "models.providers.NAME.url",
        variable: "",
        default: "the vendor's",
        meaning: "The base URL, without the path of the operation.",
    },
    Setting {
        key: "models.providers.NAME.key_env",
        variable: "",
        default: "none",
        meaning: "The environment variable that holds its API key.",
    },
    Setting {
        key: "models.providers.NAME.zone",
        variable: "",
        default: "`inside` on this machine, otherwise `outside`",
        meaning: "`inside` or `outside`. Personal data goes to providers outside as pseudonyms.",
    },
    Setting {
        key: "models.providers.NAME.api_version",
        variable: "",
        default: "none",
        meaning: "Azure's `api-version`.",
    },
    Setting {
        key: "models.providers.NAME.structured",
        variable: "",
        default: "depends on `kind`",
        meaning: "How the answer's schema is enforced: `narrowed`, `schema`, `json` or `prompt`.",
    },
    Setting {
        key: "models.providers.NAME.output_limit",
        variable: "",
        default: "depends on `kind`",
        meaning: "The name of its parameter for the answer's length: `max_completion_tokens` or `max_tokens`.",
    },
    Setting {
        key: "models.providers.NAME.temperature",
        variable: "",
        default: "depends on `kind`",
        meaning: "Whether to send the temperature of the level.",
    },
    Setting {
        key: "models.providers.NAME.idempotency_key",
        variable: "",
        default: "depends on `kind`",
        meaning: "Whether to send an idempotency key.",
    },
    Setting {
        key: "models.providers.NAME.insecure",
        variable: "",
        default: "`false`",
        meaning: "Allows plain http: to another machine.",
    },
    Setting {
        key: "models.providers.NAME.concurrency_max",
        variable: "",
        default: "depends on `kind`",
        meaning: "Concurrent requests.",
    },
    Setting {
        key: "models.providers.NAME.requests_per_minute",
        variable: "",
        default: "no limit",
        meaning: "Requests per minute; further requests wait.",
    },
    Setting {
        key: "models.providers.NAME.tokens_per_minute",
        variable: "",
        default: "no limit",
        meaning: "Tokens per minute, input and output; further requests wait.",
    },
    Setting {
        key: "models.providers.NAME.timeout",
        variable: "",
        default: "depends on `kind`",
        meaning: "Time limit of a request, in seconds.",
    },
    Setting {
        key: "models.providers.NAME.idle_timeout",
        variable: "",
        default: "depends on `kind`",
        meaning: "Seconds without any data before a request is abandoned.",
    },
    Setting {
        key: "models.providers.NAME.retry_wait_ms",
        variable: "",
        default: "depends on `kind`",
        meaning: "Milliseconds before the first retry.",
    },
    Setting {
        key: "models.tiers.TIER",
        variable: "",
        default: "`[\"offline\"]`",
        meaning: "The models to ask, in order: `provider/model` or `offline`. Tiers are `strategic`, `expert`, `worker` and `tool`.",
    },
    Setting {
        key: "models.domains.DOMAIN.TIER",
        variable: "",
        default: "none",
        meaning: "Other models for a field of knowledge.",
    },
    Setting {
        key: "models.complexity.COMPLEXITY.TIER",
        variable: "",
        default: "none",
        meaning: "Other models for `simple`, `ordinary` or `complex` questions.",
    },
    Setting {
        key: "models.prices.MODEL.input",
        variable: "",
        default: "none: the model is not used",
        meaning: "Dollars per million input tokens, as text; `price = \"free\"` for a free model.",
    },
    Setting {
        key: "models.prices.MODEL.output",
        variable: "",
        default: "none",
        meaning: "Dollars per million output tokens.",
    },
    Setting {
        key: "models.prices.MODEL.cache_read",
        variable: "",
        default: "the price of input",
        meaning: "Dollars per million tokens read from the provider's cache.",
    },
    Setting {
        key: "models.prices.MODEL.cache_write",
        variable: "",
        default: "the price of input",
        meaning: "Dollars per million tokens written to the provider's cache.",
    },
    Setting {
        key: "",
        variable: "ADJUTANT_CASSETTE",
        default: "none",
        meaning: "`record:FILE` records every exchange with model providers; `replay:FILE` replays them.",
    },
    Setting {
        key: "",
        variable: "NO_COLOR",
        default: "not set",
        meaning: "Any value turns colours off.",
    },
];

/// The table of the documentation.
#[cfg(test)]
pub(super) fn table() -> String {
    let mut table =
        String::from("| setting | environment | default | meaning |\n|---|---|---|---|\n");
    for setting in SETTINGS {
        let code = |text: &str| match text {
            "" => String::new(),
            text => format!("`{text}`"),
        };
        let (key, variable) = (code(setting.key), code(setting.variable));
        let Setting {
            default, meaning, ..
        } = setting;
        table.push_str(&format!("| {key} | {variable} | {default} | {meaning} |\n"));
    }
    table
}

/// The part of `--help` that lists the settings.
pub fn help() -> String {
    let mut help = String::new();
    for setting in SETTINGS {
        let name = match (setting.key, setting.variable) {
            ("", variable) => variable.to_owned(),
            (key, "") => key.to_owned(),
            (key, variable) => format!("{key}, {variable}"),
        };
        help.push_str(&format!(
            "  {name}\n          {} [default: {}]\n",
            setting.meaning,
            setting.default.replace('`', "")
        ));
    }
    help
}
