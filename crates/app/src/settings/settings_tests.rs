use adjutant_notify::Carrier;

use super::*;

fn environment() -> Environment {
    Environment {
        adjutant_home: Some("/data".into()),
        login: Some("anna".into()),
        ..Environment::default()
    }
}

fn from(text: &str) -> Result<Settings, AppError> {
    let contents = file::parse("adjutant.toml", text)?;
    let file = Some(PathBuf::from("/project/adjutant.toml"));
    Settings::from_parts("/data".into(), &environment(), file, contents)
}

#[test]
fn the_documents_list_every_setting() {
    let docs = include_str!("../../../../docs/command-line.md");
    assert!(
        docs.contains(&registry::table()),
        "put this into docs/command-line.md:\n{}",
        registry::table()
    );
}

#[test]
fn every_documented_key_is_understood() {
    let example = include_str!("../../../../docs/command-line.md");
    let toml = example
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let settings = from(toml).unwrap();
    assert_eq!(settings.me.as_str(), "anna");
    assert_eq!(settings.files, PathBuf::from("/project/out"));
    assert_eq!(
        settings.tools.hosts,
        adjutant_tools::AllowedHosts::Only(vec!["api.example.org".into()])
    );
    let documented = registry::SETTINGS.iter().filter(|setting| {
        !setting.key.is_empty()
            && !["models.", "mcp.", "delegates.", "lookups."]
                .iter()
                .any(|own| setting.key.starts_with(own))
    });
    for key in documented.map(|setting| setting.key) {
        let name = key.rsplit('.').next().unwrap();
        assert!(
            toml.contains(&format!("{name} =")),
            "the example lacks {key}"
        );
    }
}

#[test]
fn the_example_of_models_is_understood() {
    let example = include_str!("../../../../docs/models.md");
    let toml = example.split("```toml\n").nth(1).unwrap();
    let toml = toml.split("```").next().unwrap();
    let settings = from(toml).unwrap().models.settings;
    assert_eq!(settings.problems(), []);
    assert_eq!(settings.tiers["worker"], ["local/small", "offline"]);
    let wrong = from("[models.tiers]\nworker = [\"nobody/small\"]\nexpret = []\n").unwrap();
    let wrong = wrong.models.check().unwrap_err();
    let told: Vec<_> = wrong
        .complaints
        .iter()
        .map(|at| at.message.as_str())
        .collect();
    assert_eq!(wrong.complaints[0].code, "ADJ-6070");
    assert!(
        told.iter()
            .any(|text| text.starts_with("models.tiers.expret: ")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|text| text.starts_with("models.tiers.worker")),
        "{told:?}"
    );
}

#[test]
fn the_example_of_lookups_is_understood() {
    let example = include_str!("../../../../docs/lookups.md");
    let toml = example.split("```toml\n").nth(1).unwrap();
    let settings = from(toml.split("```").next().unwrap()).unwrap();
    let sites = &settings.tools.sites;
    assert_eq!(sites.pubmed.contact.as_deref(), Some("library@example.org"));
    assert!(sites.patents.uspto.is_some() && sites.patents.epo.is_some());
    assert_eq!(sites.news.feeds.urls.len(), 1);
    assert!(
        matches!(&sites.engine, Some(adjutant_tools::Engine::Searxng(site)) if site.base == "https://search.example.org")
    );
    let stand_in = from("[lookups]\nstand_in = 'http://127.0.0.1:4010'\n").unwrap();
    assert_eq!(stand_in.tools.private_hosts, ["127.0.0.1"]);
    assert_eq!(stand_in.tools.sites.fda.base, "http://127.0.0.1:4010/fda");
}

#[test]
fn the_example_of_channels_is_understood() {
    let example = include_str!("../../../../docs/notifications.md");
    let toml = example.split("```toml\n").nth(1).unwrap();
    let settings = from(toml.split("```").next().unwrap()).unwrap();
    let described: Vec<_> = settings
        .channels
        .iter()
        .map(|channel| (channel.name().as_str(), channel.described()))
        .collect();
    assert_eq!(
        described,
        [
            (
                "finance",
                ("webhook", "https://hooks.example.org".to_owned())
            ),
            ("mail", ("email", "anna@example.org".to_owned())),
            ("bell", ("terminal", String::new())),
        ]
    );
    let answered = example.split("```toml\n").nth(2).unwrap();
    let settings = from(answered.split("```").next().unwrap()).unwrap();
    assert!(settings.channels[0].is_answered());
}

#[test]
fn a_channel_without_its_secret_stops_nothing() {
    let settings = from(
        "[[notify]]\nname = 'team'\nkind = 'webhook'\nurl = 'https://example.org'\nsecret_file = 'no/such'\n",
    );
    let channel = settings.unwrap().channels.remove(0).channel();
    let Carrier::Unusable { why } = channel.carrier else {
        panic!("{channel:?}");
    };
    // A path in the file is seen from where the file is.
    assert_eq!(why, "the file /project/no/such does not exist");
}

#[test]
fn defaults_need_no_file() {
    let settings = from("").unwrap();
    let file = StorePlace::File("/data/adjutant.db".into());
    assert_eq!(settings.store, file);
    assert_eq!(settings.socket, PathBuf::from("/data/control.sock"));
    assert_eq!(settings.tenant.as_str(), "local");
    assert_eq!(settings.drain, Duration::from_secs(10));
}

#[test]
fn mistakes_have_a_code_and_a_line() {
    let place = |text: &str| {
        let failure = from(text).unwrap_err();
        let complaint = failure.complaints.into_iter().next().unwrap();
        (
            complaint.code,
            complaint.place.map(|place| (place.line, place.column)),
        )
    };
    assert_eq!(
        place("[me]\nnmae = 'x'\n"),
        ("ADJ-6003".into(), Some((2, 1)))
    );
    assert_eq!(place("[me]\nid = 5\n"), ("ADJ-6004".into(), Some((2, 6))));
    assert_eq!(place("[me\n"), ("ADJ-6002".into(), Some((1, 4))));
    assert_eq!(place("[me]\nid = 'a b'\n").0, "ADJ-6005");
}

#[test]
fn a_question_is_answered_in_the_role_it_asks_for() {
    let settings = from("[me]\nroles = ['editor', 'finance']\n").unwrap();
    let role = |wanted: Option<&str>| {
        let wanted = wanted.map(|role| Role::new(role).unwrap());
        settings.actor(wanted.as_ref()).role.unwrap().to_string()
    };
    assert_eq!(role(Some("finance")), "finance");
    assert_eq!(role(Some("legal")), "editor");
    assert_eq!(role(None), "editor");
}

const MAIL: &str = "[[notify]]\nname = 'mail'\nkind = 'email'\nserver = 'localhost'\nfrom = 'a@example.org'\nanswers_as = 'anna'\n";
const PUBLIC: &str = "[server]\npublic_url = 'https://adjutant.example.org'\n";

#[test]
fn a_mail_can_be_answered_by_one_person_at_a_known_address() {
    let one = "to = ['Anna <anna@example.org>']\n";
    let settings = from(&format!("{MAIL}{one}roles = ['finance']\n{PUBLIC}")).unwrap();
    let key = adjutant_notify::AnswerKey::of_master("5e");
    let link = settings.channels[0].answer_link(&key).unwrap();
    assert_eq!(link.person.as_str(), "anna");
    assert_eq!(link.address, "anna@example.org");
    assert_eq!(link.tenant.as_str(), "local");
    assert_eq!(link.roles, [Role::new("finance").unwrap()]);
    assert_eq!(link.content, adjutant_notify::Content::Redacted);
    assert_eq!(link.base.host(), "adjutant.example.org");
    // Who looks at channels needs no key.
    let without = from("[[notify]]\nname = 'bell'\nkind = 'terminal'\n").unwrap();
    assert!(without.answer_links().unwrap().is_empty());
    assert!(settings.answer_links().is_err(), "there is no master key");
    assert!(matches!(
        settings.channels[0].channel().carrier,
        Carrier::Email(_)
    ));
}

#[test]
fn links_are_those_of_the_tenant_and_of_the_master_key() {
    let other = MAIL.replace("'mail'", "'other'").replace("'anna'", "'bo'");
    let to = "to = ['anna@example.org']\n";
    let text = format!("{MAIL}{to}{other}{to}tenant = 'acme'\n{PUBLIC}");
    let mut settings = from(&text).unwrap();
    settings.master_key = Some(zeroize::Zeroizing::new("5e".repeat(32)));
    let links = settings.answer_links().unwrap();
    let people: Vec<&str> = links.iter().map(|link| link.person.as_str()).collect();
    assert_eq!(people, ["anna"], "those of others open nothing here");
    let url = |settings: &Settings| {
        let checkpoint = "chk_01m7fmp3400000000000000007-2".parse().unwrap();
        settings.answer_links().unwrap()[0].url(checkpoint)
    };
    let before = url(&settings);
    assert_eq!(url(&settings), before);
    settings.master_key = Some(zeroize::Zeroizing::new("5e".repeat(32) + "\n"));
    assert_eq!(url(&settings), before, "the same key, written otherwise");
    settings.master_key = Some(zeroize::Zeroizing::new("5f".repeat(32)));
    assert_ne!(url(&settings), before);
}

#[test]
fn what_cannot_be_answered_by_mail_is_refused() {
    let to = "to = ['anna@example.org']\n";
    let public = |url: &str| format!("{MAIL}{to}[server]\npublic_url = '{url}'\n");
    let webhook = "[[notify]]\nname = 'a'\nkind = 'webhook'\nurl = 'https://example.org'\nsecret_env = 'X'\nanswers_as = 'anna'\n";
    for (text, code, why) in [
        (
            format!("{MAIL}to = ['anna@example.org', 'bo@example.org']\n{PUBLIC}"),
            "ADJ-7031",
            "several recipients",
        ),
        (format!("{MAIL}{to}"), "ADJ-7031", "needs `public_url`"),
        (
            format!("{webhook}{PUBLIC}"),
            "ADJ-7031",
            "`answers_as` does not fit its kind",
        ),
        (
            format!("{MAIL}{to}events = ['endings']\n{PUBLIC}"),
            "ADJ-7031",
            "without `checkpoints`",
        ),
        (
            public("http://adjutant.example.org"),
            "ADJ-7031",
            "this machine only",
        ),
        (
            public("https://adjutant.example.org/adjutant"),
            "ADJ-7031",
            "a path",
        ),
        (
            public("https://a:b@adjutant.example.org"),
            "ADJ-7031",
            "credentials",
        ),
        (public("adjutant"), "ADJ-7031", "not a valid address"),
        (
            format!("{}{to}{PUBLIC}", MAIL.replace("'anna'", "'an na'")),
            "ADJ-6005",
            "notify.answers_as",
        ),
    ] {
        let failure = from(&text).unwrap_err();
        let complaint = failure.complaints.into_iter().next().unwrap();
        assert_eq!(complaint.code, code, "{text}");
        assert!(complaint.message.contains(why), "{}", complaint.message);
        assert!(!complaint.help.is_empty());
    }
    assert!(from(&public("http://127.0.0.1:8700")).is_ok());
}
