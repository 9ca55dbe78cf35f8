//! Every setting there is, for the documentation. A test compares it with the documents and the code.

/// One setting, as it is documented.
pub(crate) struct Setting {
    /// In `adjutant.toml`; empty if it has no place there.
    pub(crate) key: &'static str,
    /// In the environment; empty if it has no place there. It goes before the file.
    pub(crate) variable: &'static str,
    pub(crate) default: &'static str,
    pub(crate) meaning: &'static str,
}

pub(crate) const SETTINGS: &[Setting] = &[
    Setting {
        key: "",
        variable: "ADJUTANT_HOME",
        default: "`$XDG_DATA_HOME/adjutant`, else `~/.local/share/adjutant`",
        meaning: "The data folder: the store, the control socket and written files.",
    },
    Setting {
        key: "",
        variable: "ADJUTANT_TENANT",
        default: "`local`",
        meaning: "Whose missions these are. Nothing of another tenant is ever shown.",
    },
    Setting {
        key: "me.id",
        variable: "ADJUTANT_USER",
        default: "`$USER`, else `you`",
        meaning: "Who you are in journals and decisions.",
    },
    Setting {
        key: "me.roles",
        variable: "ADJUTANT_ROLES",
        default: "none",
        meaning: "Roles you hold, for questions that ask for one. In the environment: separated by commas.",
    },
    Setting {
        key: "store.path",
        variable: "",
        default: "`adjutant.db` in the data folder",
        meaning: "The database file. A relative path is seen from the settings file.",
    },
    Setting {
        key: "store.url",
        variable: "ADJUTANT_STORE_URL",
        default: "none: the store is a file",
        meaning: "A PostgreSQL server to keep the store on instead, `postgresql://user@host/database`.",
    },
    Setting {
        key: "store.schema",
        variable: "",
        default: "`adjutant`",
        meaning: "The schema on that server.",
    },
    Setting {
        key: "keys.master_file",
        variable: "ADJUTANT_MASTER_KEY",
        default: "`master.key` in the data folder",
        meaning: "The key that seals everything: a file for its owner only, or the key itself in the environment. Keep a copy apart from the store.",
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
        meaning: "Days after a mission's end before `prune` removes its journal; `keeping.tenants.NAME.days` for one tenant.",
    },
    Setting {
        key: "keeping.quota_mb",
        variable: "",
        default: "no limit",
        meaning: "MiB of events and blobs a tenant may have before no more missions are opened; `keeping.tenants.NAME.quota_mb` for one tenant.",
    },
    Setting {
        key: "keeping.sign_minutes",
        variable: "",
        default: "`15`",
        meaning: "How often `up` signs the journals that have moved; they are also signed when it stops.",
    },
    Setting {
        key: "tools.run_command.programs",
        variable: "",
        default: "none",
        meaning: "Programs that `run_command` may start, exactly as plans name them.",
    },
    Setting {
        key: "tools.run_command.sandbox",
        variable: "",
        default: "`on`",
        meaning: "Whether `run_command` runs its programs in the sandbox: `on` or `off`.",
    },
    Setting {
        key: "tools.write_file.folder",
        variable: "",
        default: "`files` in the data folder",
        meaning: "The only folder that `write_file` writes to.",
    },
    Setting {
        key: "tools.http.hosts",
        variable: "",
        default: "any public host",
        meaning: "Hosts that `http` may reach, redirects included.",
    },
    Setting {
        key: "tools.private_hosts",
        variable: "",
        default: "none",
        meaning: "Hosts that tools may reach although their addresses are not public: this machine, the house's own network.",
    },
    Setting {
        key: "tools.allow",
        variable: "",
        default: "every tool",
        meaning: "Tools that missions may call, by id or by how it begins (`L5-*`); under `tools.tenants.NAME` all of these hold for one tenant besides.",
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
        default: "not asked",
        meaning: "How much autonomy has been earned, 1 to 5; a tool that does not allow that level is refused.",
    },
    Setting {
        key: "tools.autonomy_levels",
        variable: "",
        default: "what a tool's manifest says",
        meaning: "The levels that may call a tool, by tool.",
    },
    Setting {
        key: "tools.roles",
        variable: "",
        default: "every role",
        meaning: "Roles in which calls of a tool are planned, by tool.",
    },
    Setting {
        key: "tools.limits.per_minute",
        variable: "",
        default: "no limit",
        meaning: "How often a tool is called in any minute; what is more waits. `[tools.limits.TOOL]` for each.",
    },
    Setting {
        key: "tools.limits.per_day",
        variable: "",
        default: "no limit",
        meaning: "How often a tool is called in a day (UTC); what is more is refused.",
    },
    Setting {
        key: "tools.limits.dollars_per_day",
        variable: "",
        default: "no limit",
        meaning: "What the calls of a tool may cost in a day (UTC).",
    },
    Setting {
        key: "lookups.stand_in",
        variable: "ADJUTANT_STAND_IN",
        default: "none",
        meaning: "One address in the place of all public databases, such as what `adjutant dev apis` serves; see docs/lookups.md.",
    },
    Setting {
        key: "lookups.NAME.base",
        variable: "",
        default: "where it is",
        meaning: "The address of a database: `pubmed`, `trials`, `fda`, `ema`, `uspto`, `epo`, `newsapi`, `tavily`, `serpapi` or `searxng`.",
    },
    Setting {
        key: "lookups.NAME.key",
        variable: "",
        default: "none",
        meaning: "Its key; `lookups.NAME.key_env` names a variable that has it.",
    },
    Setting {
        key: "lookups.NAME.secret",
        variable: "",
        default: "none",
        meaning: "The second half of a key that has two; `lookups.NAME.secret_env` names a variable.",
    },
    Setting {
        key: "lookups.NAME.contact",
        variable: "",
        default: "none",
        meaning: "Whom its operators may write to.",
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
        meaning: "Whether `L5-WEB` keeps to robots.txt: `honour` or `overlook`.",
    },
    Setting {
        key: "mcp.NAME.command",
        variable: "",
        default: "none",
        meaning: "Program and arguments of an MCP server that is started here; see docs/mcp.md.",
    },
    Setting {
        key: "mcp.NAME.environment",
        variable: "",
        default: "none",
        meaning: "All it sees of the environment besides PATH and HOME: values, or `{ from = \"VARIABLE\" }`.",
    },
    Setting {
        key: "mcp.NAME.folder",
        variable: "",
        default: "the current one",
        meaning: "Where it is started.",
    },
    Setting {
        key: "mcp.NAME.url",
        variable: "",
        default: "none",
        meaning: "The address of an MCP server that others run, https:.",
    },
    Setting {
        key: "mcp.NAME.key_env",
        variable: "",
        default: "none",
        meaning: "The variable with its key.",
    },
    Setting {
        key: "mcp.NAME.headers",
        variable: "",
        default: "none",
        meaning: "Other headers for it, written like the environment.",
    },
    Setting {
        key: "mcp.NAME.tools",
        variable: "",
        default: "all",
        meaning: "The only tools of it that are used.",
    },
    Setting {
        key: "mcp.NAME.read_only",
        variable: "",
        default: "none",
        meaning: "Tools of it that change nothing.",
    },
    Setting {
        key: "mcp.NAME.class.TOOL",
        variable: "",
        default: "`once`, or `pure` if the server calls it read-only",
        meaning: "`pure`, `idempotent` or `once`.",
    },
    Setting {
        key: "mcp.NAME.price.TOOL",
        variable: "",
        default: "nothing",
        meaning: "Dollars that a call costs at most, as text.",
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
        meaning: "How long it may take until it is ready.",
    },
    Setting {
        key: "host.drain_seconds",
        variable: "",
        default: "`10`",
        meaning: "How long a clean stop waits for what is being performed.",
    },
    Setting {
        key: "rules.four_eyes",
        variable: "",
        default: "none",
        meaning: "Kinds of questions, such as `final_review`, that somebody else than who started the mission has to approve. It holds for missions from then on.",
    },
    Setting {
        key: "server.limits.user_per_minute",
        variable: "",
        default: "`10`",
        meaning: "Missions that somebody may start over HTTP in a minute.",
    },
    Setting {
        key: "server.limits.user_per_hour",
        variable: "",
        default: "`100`",
        meaning: "The same in an hour.",
    },
    Setting {
        key: "server.limits.tenant_per_hour",
        variable: "",
        default: "`1000`",
        meaning: "Missions that everybody together may start over HTTP in an hour.",
    },
    Setting {
        key: "server.limits.user_at_once",
        variable: "",
        default: "`5`",
        meaning: "Missions that somebody may have at work.",
    },
    Setting {
        key: "notify.name",
        variable: "",
        default: "none",
        meaning: "A channel's name; each `[[notify]]` is a channel through which people are told of open questions and of endings; see docs/notifications.md.",
    },
    Setting {
        key: "notify.kind",
        variable: "",
        default: "none",
        meaning: "`webhook`, `email` or `terminal` (rings the bell of `up`, `watch` and `run`).",
    },
    Setting {
        key: "notify.tenant",
        variable: "",
        default: "the current one",
        meaning: "Whose missions it tells of.",
    },
    Setting {
        key: "notify.roles",
        variable: "",
        default: "everyone",
        meaning: "Roles it reaches; questions for another role do not go through it.",
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
        meaning: "When quiet hours begin, `22:00`. Notices wait for their end.",
    },
    Setting {
        key: "notify.quiet.until",
        variable: "",
        default: "none",
        meaning: "When they end; it may be past midnight.",
    },
    Setting {
        key: "notify.quiet.zone",
        variable: "",
        default: "the machine's",
        meaning: "By which clocks, `Europe/Berlin`.",
    },
    Setting {
        key: "notify.quiet.urgent_anyway",
        variable: "",
        default: "`true`",
        meaning: "Whether questions of high or critical severity pass.",
    },
    Setting {
        key: "notify.url",
        variable: "",
        default: "none",
        meaning: "Where a webhook is sent, https:.",
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
        meaning: "`starttls`, `tls` or `none`; a server that cannot do it gets nothing.",
    },
    Setting {
        key: "notify.user",
        variable: "",
        default: "none: no login",
        meaning: "Who logs in there.",
    },
    Setting {
        key: "notify.from",
        variable: "",
        default: "none",
        meaning: "The mail's sender.",
    },
    Setting {
        key: "notify.to",
        variable: "",
        default: "none",
        meaning: "The mail's recipients.",
    },
    Setting {
        key: "notify.ca_file",
        variable: "",
        default: "the machine's authorities",
        meaning: "More authorities that the mail server's certificate may be of, PEM.",
    },
    Setting {
        key: "notify.secret_env",
        variable: "",
        default: "none",
        meaning: "The variable that holds a webhook's secret, `whsec_…`, or the mail password.",
    },
    Setting {
        key: "notify.secret_file",
        variable: "",
        default: "none",
        meaning: "Or the file that holds it, for its owner only.",
    },
    Setting {
        key: "notify.insecure",
        variable: "",
        default: "`false`",
        meaning: "Lets content go out without TLS to another machine.",
    },
    Setting {
        key: "notify.redact",
        variable: "",
        default: "`true`",
        meaning: "Whether names, addresses and numbers of people are taken out of what a webhook or a mail says.",
    },
    Setting {
        key: "guard.ORIGIN.low",
        variable: "",
        default: "`\"log\"`",
        meaning: "What is done about text that tries to steer a model: `log`, `fence`, `ask` or `block`. Origins are `person`, `document`, `tool_result`, `web_page`, `mcp` and `model`; one that is named needs all three; see docs/guard.md.",
    },
    Setting {
        key: "guard.ORIGIN.medium",
        variable: "",
        default: "`\"fence\"`; of `person` and `model` `\"log\"`",
        meaning: "The same for a threat of medium severity.",
    },
    Setting {
        key: "guard.ORIGIN.high",
        variable: "",
        default: "`\"ask\"`; of `document` and `model` `\"fence\"`",
        meaning: "The same for one of high severity.",
    },
    Setting {
        key: "privacy.redact",
        variable: "",
        default: "`true`",
        meaning: "Whether personal data goes to providers outside as pseudonyms. Turned off, it leaves as it is; see docs/privacy.md.",
    },
    Setting {
        key: "models.embeddings",
        variable: "",
        default: "none",
        meaning: "Who makes vectors for the knowledge base, as `provider/model`; its price must be known. See docs/knowledge.md.",
    },
    Setting {
        key: "models.providers.NAME.kind",
        variable: "",
        default: "none",
        meaning: "`openai`, `azure`, `compatible` (vLLM, Ollama, llama.cpp and others), `anthropic`; see docs/models.md.",
    },
    Setting {
        key: "models.providers.NAME.url",
        variable: "",
        default: "the vendor's own",
        meaning: "Where it is reached, without the last part.",
    },
    Setting {
        key: "models.providers.NAME.key_env",
        variable: "",
        default: "none",
        meaning: "The variable that holds its key.",
    },
    Setting {
        key: "models.providers.NAME.zone",
        variable: "",
        default: "`inside` on this machine, else `outside`",
        meaning: "Whether what it is told stays in the house; outside, personal data goes as pseudonyms.",
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
        default: "by its kind",
        meaning: "How it is held to an answer's schema: `narrowed`, `schema`, `json` or `prompt`.",
    },
    Setting {
        key: "models.providers.NAME.output_limit",
        variable: "",
        default: "by its kind",
        meaning: "What it calls the limit of an answer: `max_completion_tokens` or `max_tokens`.",
    },
    Setting {
        key: "models.providers.NAME.temperature",
        variable: "",
        default: "by its kind",
        meaning: "Whether the level's temperature is sent.",
    },
    Setting {
        key: "models.providers.NAME.idempotency_key",
        variable: "",
        default: "by its kind",
        meaning: "Whether a question's key is sent along.",
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
        default: "by its kind",
        meaning: "Questions to it at once.",
    },
    Setting {
        key: "models.providers.NAME.requests_per_minute",
        variable: "",
        default: "no limit",
        meaning: "Requests to it a minute; more wait.",
    },
    Setting {
        key: "models.providers.NAME.tokens_per_minute",
        variable: "",
        default: "no limit",
        meaning: "Tokens to and from it a minute; more wait.",
    },
    Setting {
        key: "models.providers.NAME.timeout",
        variable: "",
        default: "by its kind",
        meaning: "Seconds for one request.",
    },
    Setting {
        key: "models.providers.NAME.idle_timeout",
        variable: "",
        default: "by its kind",
        meaning: "Seconds without a sign of life.",
    },
    Setting {
        key: "models.providers.NAME.retry_wait_ms",
        variable: "",
        default: "by its kind",
        meaning: "Milliseconds before the first repetition.",
    },
    Setting {
        key: "models.tiers.TIER",
        variable: "",
        default: r#"`["offline"]`"#,
        meaning: "Who is asked, first to last: `provider/model` or `offline`; tiers are `strategic`, `expert`, `worker` and `tool`.",
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
        default: "none: it is not asked",
        meaning: r#"Dollars per million tokens that go in, as text; `price = "free"` for none."#,
    },
    Setting {
        key: "models.prices.MODEL.output",
        variable: "",
        default: "none",
        meaning: "Dollars per million tokens that come out.",
    },
    Setting {
        key: "models.prices.MODEL.cache_read",
        variable: "",
        default: "that of input",
        meaning: "Dollars per million tokens that the provider read from its cache.",
    },
    Setting {
        key: "models.prices.MODEL.cache_write",
        variable: "",
        default: "that of input",
        meaning: "Dollars per million tokens that it wrote to it.",
    },
    Setting {
        key: "",
        variable: "ADJUTANT_CASSETTE",
        default: "none",
        meaning: "`record:FILE` keeps every exchange with providers of models, `replay:FILE` answers from it.",
    },
    Setting {
        key: "",
        variable: "NO_COLOR",
        default: "not set",
        meaning: "Set to anything, it turns colours off.",
    },
];

/// The table of the documentation.
#[cfg(test)]
pub(crate) fn table() -> String {
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
pub(crate) fn help() -> String {
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
