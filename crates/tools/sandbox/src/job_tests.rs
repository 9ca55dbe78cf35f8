use super::*;

fn with_files(names: &[&str]) -> Job {
    let mut job = Job::new(Program::Arguments(vec!["true".into()]));
    job.files = names
        .iter()
        .map(|name| FileIn {
            name: (*name).into(),
            bytes: Vec::new(),
        })
        .collect();
    job
}

#[test]
fn names_stay_inside_the_folder() {
    for name in [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../../x",
        "a/..",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "a\0b",
    ] {
        let job = with_files(&[name]);
        assert!(matches!(job.check(), Err(BadJob::Name { .. })), "{name:?}");
        let mut job = with_files(&[]);
        job.wanted = vec![name.into()];
        assert!(matches!(job.check(), Err(BadJob::Name { .. })), "{name:?}");
    }
    with_files(&["a", "b/c.txt", "..d", "ä ö"]).check().unwrap();
}

#[test]
fn what_is_too_much_is_said() {
    assert_eq!(
        with_files(&["a", "a"]).check(),
        Err(BadJob::Twice { name: "a".into() })
    );
    let mut job = with_files(&["a"]);
    job.files[0].bytes = vec![0; 10];
    job.limits.disk_bytes = 9;
    assert_eq!(job.check(), Err(BadJob::TooLarge { bytes: 10, max: 9 }));
    let nothing = Job::new(Program::Arguments(Vec::new()));
    assert_eq!(nothing.check(), Err(BadJob::NoProgram));
}

#[test]
fn what_is_shown_takes_the_place_of_nothing_of_the_jobs_own() {
    for path in [
        "",
        "opt/agent",
        "/",
        "/.",
        "/etc",
        "/etc/.",
        "/tmp/",
        "/proc",
        "/proc/1",
        "/dev/null",
        "/sys/fs",
        "/job",
        "/job/answer",
        "/code",
        "/opt/../etc",
        "/opt/a\0b",
    ] {
        let mut job = with_files(&[]);
        job.readable = vec![path.into()];
        let refused = job.check();
        assert!(matches!(refused, Err(BadJob::Readable { .. })), "{path:?}");
    }
    let mut job = with_files(&[]);
    job.readable = vec![
        "/opt/agent".into(),
        "/etc/ssl/certs".into(),
        "/tmp/a".into(),
    ];
    job.check().unwrap();
}

#[test]
fn an_environment_cannot_begin_an_option() {
    for (name, value) in [
        ("", "a"),
        ("A=B", "a"),
        ("A\0--bind", "a"),
        ("A", "a\0--bind\0/\0/"),
    ] {
        let mut job = with_files(&[]);
        job.environment = vec![(name.into(), value.into())];
        let refused = job.check();
        assert!(
            matches!(refused, Err(BadJob::Environment { .. })),
            "{name:?}"
        );
    }
}
