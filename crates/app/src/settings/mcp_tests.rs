use adjutant_mcp_client::ConnectError;

use super::*;
use crate::settings::file;

fn environment() -> Environment {
    Environment {
        path: Some("/bin".into()),
        user_home: Some("/home/anna".into()),
        ..Environment::default()
    }
}

fn read(text: &str) -> Vec<ServerSettings> {
    let contents = file::parse("adjutant.toml", text).unwrap();
    let placed = |path: PathBuf| PathBuf::from("/project").join(path);
    let settings = contents.mcp.into_iter();
    settings
        .map(|(name, server)| server.settings(name, &environment(), &placed))
        .collect()
}

fn why(text: &str) -> String {
    match &read(text)[0].reach {
        Reach::Unusable { why } => why.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_example_of_the_documentation_is_understood() {
    let text = include_str!("../../../../docs/mcp.md");
    let toml = text.split("```toml\n").nth(1).unwrap();
    let servers = read(toml.split("```").next().unwrap());
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["files", "tickets"]);

    let files = &servers[0];
    let Reach::Program {
        program,
        arguments,
        environment,
        folder,
        ..
    } = &files.reach
    else {
        panic!("{files:?}");
    };
    assert_eq!(program, "npx");
    assert_eq!(arguments.len(), 3);
    let seen: Vec<&str> = environment.keys().map(String::as_str).collect();
    assert_eq!(seen, ["HOME", "LANG", "PATH"]);
    assert_eq!(folder.as_deref(), Some("/project/work".as_ref()));
    assert_eq!(
        files.allowed,
        Allowed::Only(vec!["read_text_file".into(), "write_file".into()])
    );
    assert_eq!(files.classes["write_file"], EffectClass::Idempotent);
    assert_eq!(files.call_limit, Duration::from_secs(30));

    let tickets = &servers[1];
    assert_eq!(tickets.classes["search"], EffectClass::Pure);
    assert_eq!(tickets.prices["search"], MicroUsd(2_000));
    // Its key is in a variable that is not set here.
    let Reach::Unusable { why } = &tickets.reach else {
        panic!("{tickets:?}");
    };
    assert_eq!(why, "the environment variable TICKETS_KEY is not set");
}

#[test]
fn mistakes_are_told_when_the_server_is_wanted() {
    assert_eq!(why("[mcp.a]\n"), "it needs either `command` or `url`");
    assert!(why("[mcp.a]\ncommand = ['x']\nkey_env = 'K'\n").contains("`url`"));
    assert!(why("[mcp.a]\ncommand = ['x']\nprice = { y = 'much' }\n").starts_with("price.y: "));
    assert!(why("[mcp.a]\nurl = 'http://example.org/mcp'\n").contains("https:"));
    assert!(
        why("[mcp.\"a.b\"]\ncommand = ['x']\n").starts_with("`a.b` is not a valid server name")
    );
    assert!(why("[mcp.a]\ncommand = []\n").contains("names no program"));
    let header = "[mcp.a]\nurl = 'https://example.org'\nheaders = { Host = 'x' }\n";
    assert!(why(header).contains("the header `Host`"));
}

#[test]
fn what_is_left_out_is_noted() {
    let standing = Standing {
        server: "a".into(),
        tools: Err(ConnectError::NoProgram {
            program: "npx".into(),
        }),
        left_out: Vec::new(),
    };
    assert_eq!(
        notes(&standing),
        [
            "note[ADJ-6090]: the MCP server `a` is not used: the program `npx` is not installed. Install it, or \
             correct `command` under [mcp.a]."
        ]
    );
}
