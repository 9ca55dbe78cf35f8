use super::{ModelSettings, ProviderKind, Service};

fn read(text: &str) -> ModelSettings {
    toml::from_str(text).unwrap()
}

const GOOD: &str = r#"
[providers.openai]
kind = "openai"
key_env = "OPENAI_API_KEY"
requests_per_minute = 500
[providers.anthropic]
kind = "anthropic"
key_env = "ANTHROPIC_API_KEY"
[providers.house]
kind = "compatible"
url = "http://127.0.0.1:8080/v1"
structured = "json"
[tiers]
strategic = ["anthropic/claude-x", "openai/gpt-x", "offline"]
worker = ["house/meta/llama-3:8b"]
tool = []
[domains.biomedical]
expert = ["house/meta/llama-3:8b", "offline"]
[complexity.complex]
worker = ["openai/gpt-x"]
[prices."openai/gpt-x"]
input = "2.50"
output = "10.00"
cache_read = "1.25"
[prices."anthropic/claude-x"]
input = "3"
output = "15"
cache_read = "0.30"
cache_write = "3.75"
[prices."house/meta/llama-3:8b"]
price = "free"
"#;

#[test]
fn good_settings_have_no_problems() {
    let settings = read(GOOD);
    assert_eq!(settings.problems(), []);
    assert_eq!(ModelSettings::default().problems(), []);
    assert_eq!(
        settings.keys_wanted().collect::<Vec<_>>(),
        [
            ("anthropic", "ANTHROPIC_API_KEY"),
            ("openai", "OPENAI_API_KEY")
        ]
    );
}

#[test]
fn every_problem_is_told_at_once_with_its_place_and_what_to_do() {
    let settings = read(
        r#"
[providers.a]
kind = "compatible"
[providers.b]
kind = "openai"
url = "http://models.example.com/v1"
structured = "narrowed"
timeout = 0
requests_per_minute = 0
[providers.c]
kind = "anthropic"
url = "https://me:secret@api.example.com"
structured = "json"
api_version = "1"
[providers."d/e"]
kind = "openai"
[providers.mine]
kind = "offline"
[tiers]
boss = ["b/x"]
worker = ["nobody/x", "x", "b/unpriced", "b/bad name"]
[complexity.hard]
tool = ["offline"]
[domains."a b"]
[prices."b/x"]
input = "2,50"
[prices."b/y"]
price = "cheap"
"#,
    );
    let told: Vec<String> = settings
        .problems()
        .iter()
        .map(ToString::to_string)
        .collect();
    let places: Vec<&str> = told
        .iter()
        .map(|line| line.split_once(": ").unwrap().0)
        .collect();
    assert_eq!(
        places,
        [
            "models.providers.a.url",
            "models.providers.b.structured",
            "models.providers.b.timeout",
            "models.providers.b.requests_per_minute",
            "models.providers.b.url",
            "models.providers.c.api_version",
            "models.providers.c.structured",
            "models.providers.c.url",
            "models.providers.d/e",
            "models.providers.mine",
            "models.prices.\"b/x\".input",
            "models.prices.\"b/x\".output",
            "models.prices.\"b/y\".price",
            "models.tiers.boss",
            "models.tiers.worker[0]",
            "models.tiers.worker[1]",
            "models.tiers.worker[2]",
            "models.tiers.worker[3]",
            "models.domains.a b",
            "models.complexity.hard",
        ],
        "{told:#?}"
    );
    assert!(!told.join("\n").contains("secret"), "{told:#?}");
}

#[test]
fn a_field_that_there_is_not_is_refused_by_name() {
    let error =
        toml::from_str::<ModelSettings>("[providers.a]\nkind = \"openai\"\ncolour = \"red\"")
            .unwrap_err()
            .to_string();
    assert!(error.contains("colour"), "{error}");
}

#[test]
fn addresses_are_those_of_the_documentation() {
    let at = |kind: ProviderKind, base: &str, version: Option<&str>, service: Service| -> String {
        let mut settings = read("[providers.a]\nkind = \"openai\"");
        let provider = settings.providers.get_mut("a").unwrap();
        provider.kind = kind;
        provider.url = Some(base.to_owned());
        provider.api_version = version.map(str::to_owned);
        let checked = settings.checked().unwrap();
        let endpoint = checked.providers["a"].endpoint.clone().unwrap();
        endpoint.url(kind, "gpt-x", service).to_string()
    };
    let url = |kind, base, version| at(kind, base, version, Service::Chat);
    assert_eq!(
        url(ProviderKind::Openai, "https://api.openai.com/v1/", None),
        "https://api.openai.com/v1/chat/completions"
    );
    let azure = "https://name.openai.azure.com/openai";
    assert_eq!(
        url(ProviderKind::Azure, azure, Some("2024-10-21")),
        "https://name.openai.azure.com/openai/deployments/gpt-x/chat/completions?api-version=2024-10-21"
    );
    assert_eq!(
        url(ProviderKind::Azure, azure, None),
        "https://name.openai.azure.com/openai/v1/chat/completions"
    );
    assert_eq!(
        url(ProviderKind::Anthropic, "https://api.anthropic.com", None),
        "https://api.anthropic.com/v1/messages"
    );
    let embeddings = |kind, base, version| at(kind, base, version, Service::Embeddings);
    assert_eq!(
        embeddings(ProviderKind::Openai, "https://api.openai.com/v1", None),
        "https://api.openai.com/v1/embeddings"
    );
    assert_eq!(
        embeddings(ProviderKind::Azure, azure, Some("2024-10-21")),
        "https://name.openai.azure.com/openai/deployments/gpt-x/embeddings?api-version=2024-10-21"
    );
}

#[test]
fn embeddings_come_from_a_priced_model_that_makes_them() {
    let wrong = |text: &str| -> String {
        let problems = read(text).problems();
        problems.iter().map(ToString::to_string).collect()
    };
    let provider = |kind: &str| {
        format!(
            "embeddings = \"a/m\"\n[prices.\"a/m\"]\nprice = \"free\"\n[providers.a]\nkind = \"{kind}\""
        )
    };
    assert_eq!(wrong(&provider("openai")), "");
    assert!(wrong(&provider("anthropic")).contains("Anthropic has none"));
    assert!(wrong("embeddings = \"offline\"").contains("none offline"));
    assert!(wrong("embeddings = \"a/m\"").contains("no provider `a`"));
    let unpriced = "embeddings = \"a/m\"\n[providers.a]\nkind = \"openai\"";
    assert!(wrong(unpriced).contains("models.embeddings: the price"));
}
