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
