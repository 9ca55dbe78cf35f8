use super::*;
use crate::settings::file;

fn read(text: &str) -> Result<Vec<DelegateSettings>, AppError> {
    let contents = file::parse("adjutant.toml", text)?;
    let placed = |path: PathBuf| PathBuf::from("/project").join(path);
    let private = ["/data/adjutant", "/etc/adjutant/master.key"].map(PathBuf::from);
    delegates(contents.delegates, &contents.mcp, &private, &placed)
}

fn start(text: &str) -> Start {
    match read(text).unwrap().remove(0).reach {
        Reach::Program(start) => start,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_example_of_the_documentation_is_understood() {
    let text = include_str!("../../../../docs/delegation.md");
    let toml = text.split("```toml\n").nth(1).unwrap();
    let read = read(toml.split("```").next().unwrap()).unwrap();
    let [coder, researcher] = &read[..] else {
        panic!("{read:?}");
    };
    assert_eq!(coder.name, "coder");
    assert!(
        matches!(&researcher.reach, Reach::Tool { tool, argument } if tool == "search.ask" && argument == "prompt")
    );
    assert_eq!(coder.price, MicroUsd(200_000));
    assert_eq!(coder.time, Duration::from_secs(900));
    assert_eq!(coder.memory_bytes, 2048 * MEGABYTE);
    assert_eq!(coder.when_lost, WhenLost::Ask);
    // The variable that holds its key is not set here.
    assert!(matches!(&coder.reach, Reach::Unusable { why } if why.contains("CODER_KEY")));
}

#[test]
fn what_nobody_says_is_careful() {
    let read = read("[delegates.a]\ncommand = ['agent']\n").unwrap();
    assert_eq!(read[0].when_lost, WhenLost::Ask);
    assert_eq!(read[0].time, Duration::from_secs(600));
    let start = start("[delegates.a]\ncommand = ['agent']\n");
    assert_eq!(
        (start.reads.len(), start.environment.variables.len()),
        (0, 0)
    );
    assert_eq!(start.answer, AnswerFrom::StandardOutput);
}

#[test]
fn paths_are_seen_from_the_settings_file() {
    let start = start("[delegates.a]\ncommand = ['bin/agent', '--x']\nreads = ['lib']\n");
    assert_eq!(start.command, ["/project/bin/agent", "--x"]);
    assert_eq!(start.reads, [PathBuf::from("/project/lib")]);
}

#[test]
fn what_would_give_a_delegate_too_much_is_refused() {
    for (line, part) in [
        ("reads = ['/']", "reads"),
        ("reads = ['/proc/1']", "reads"),
        ("reads = ['/etc/adjutant']", "keys"),
        ("reads = ['/etc/adjutant/master.key']", "keys"),
        ("reads = ['/data']", "data folder"),
        ("reads = ['/data/adjutant']", "data folder"),
        ("reads = ['/data/adjutant/files']", "data folder"),
        ("reads = ['/opt/../data']", "reads"),
        ("environment = { HOME = '/root' }", "`HOME`"),
        ("environment = { 'A=B' = 'x' }", "`A=B`"),
        ("environment = { A = \"x\\u0000--bind\" }", "zero byte"),
        ("answer_file = '../answer'", "answer_file"),
        ("answer_file = '/etc/passwd'", "answer_file"),
        ("answer_file = 'a/b'", "answer_file"),
        ("answer_file = 'task.json'", "answer_file"),
        ("timeout_seconds = 0", "timeout_seconds"),
        ("timeout_seconds = 100000", "86400"),
        ("memory_mb = 0", "memory_mb"),
        ("processes = 100000", "processes"),
        ("max_cost = 'much'", "max_cost"),
    ] {
        let text = format!("[delegates.a]\ncommand = ['agent']\n{line}\n");
        let refused = read(&text).unwrap_err();
        assert!(refused.has_code("ADJ-6300"), "{line}: {refused:?}");
        let told = &refused.complaints[0].message;
        assert!(told.contains(part), "{line}: {told}");
    }
    for text in [
        "[delegates.a]\n",
        "[delegates.a]\ncommand = ['x']\nargument = 'y'\n",
        "[delegates.a]\ntool = 'ask'\n",
        "[delegates.a]\ntool = 'delegate.b'\n",
        "[delegates.a]\ntool = 's.ask'\ncommand = ['x']\n",
        "[delegates.a]\ntool = 's.ask'\nmax_cost = '$1.00'\n",
        "[delegates.a]\ntool = 's.ask'\nargument = ''\n",
        "[delegates.a]\ncommand = []\n",
        "[delegates.a]\ncommand = ['']\n",
        "[delegates.'a b']\ncommand = ['x']\n",
        "[delegates.a]\ncommand = ['x']\n[mcp.delegate]\ncommand = ['y']\n",
    ] {
        assert!(read(text).unwrap_err().has_code("ADJ-6300"), "{text}");
    }
    // A typing error is reported with its line, as in all settings.
    let refused = read("[delegates.a]\ncommand = ['x']\nread = []\n").unwrap_err();
    assert!(refused.has_code("ADJ-6003"));
}

#[test]
fn a_link_to_the_data_folder_is_not_shown_either() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let link = home.path().join("docs");
    std::os::unix::fs::symlink(&data, &link).unwrap();
    let same = |path: PathBuf| path;
    let private = [data];
    let refused = reads("a", vec![link], &private, &same).unwrap_err();
    assert!(refused.has_code("ADJ-6300"));
    let other = home.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let shown = reads("a", vec![other.clone()], &private, &same).unwrap();
    assert_eq!(shown, [other]);
}

#[test]
fn values_of_variables_are_not_shown() {
    let start = start("[delegates.a]\ncommand = ['x']\nenvironment = { KEY = 'hidden value' }\n");
    assert_eq!(start.environment.variables[0].1, "hidden value");
    assert!(!format!("{start:?}").contains("hidden value"));
}
