//! What an honest job can do.

use adjutant_sandbox::{
    Collected, Exit, FileIn, FileRefused, Folder, Job, Language, Program, Protection, RunFailure,
    Sandbox,
};

use crate::support::{code, errors, limits, python, run, sandbox, shell, text};

#[tokio::test]
async fn each_language_runs() {
    for (language, line) in [
        (Language::Python, "import sys; print(sys.stdin.read() * 2)"),
        (
            Language::Javascript,
            "console.log(require('fs').readFileSync(0, 'utf8').repeat(2))",
        ),
        (Language::Shell, "read a; echo $a$a"),
    ] {
        let mut job = code(language, line);
        job.stdin = b"ab".to_vec();
        let ended = run(job).await;
        assert_eq!(text(&ended), "abab\n", "{language:?}: {}", errors(&ended));
        assert_eq!((ended.exit, ended.limit), (Exit::Code(0), None));
    }
}

#[tokio::test]
async fn files_go_in_and_come_out() {
    let mut job = python(
        "import os\n\
         text = open('in/a.txt').read()\n\
         os.mkdir('out')\n\
         open('out/b.txt', 'w').write(text.upper())\n\
         print(sorted(os.listdir('.')), os.getcwd())",
    );
    job.files = vec![FileIn {
        name: "in/a.txt".into(),
        bytes: b"hello".to_vec(),
    }];
    job.wanted = vec!["out/b.txt".into(), "missing".into(), "in/a.txt".into()];
    let ended = run(job).await;
    assert_eq!(text(&ended), "['in', 'out'] /job\n", "{}", errors(&ended));
    let contents: Vec<_> = ended.files.into_iter().map(|file| file.content).collect();
    assert_eq!(
        contents,
        [
            Collected::Bytes(b"HELLO".to_vec()),
            Collected::Refused(FileRefused::Missing),
            Collected::Bytes(b"hello".to_vec()),
        ]
    );
}

#[tokio::test]
async fn exit_codes_and_signals_are_told() {
    assert_eq!(run(shell("exit 3")).await.exit, Exit::Code(3));
    assert_eq!(run(shell("kill -9 $$")).await.exit, Exit::Signal(9));
    assert_eq!(run(shell("no-such-command")).await.exit, Exit::Code(127));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said_to_be_missing() {
    let job = Job::new(Program::Arguments(vec!["no-such-program".into()]));
    let failure = sandbox().run(job).await.unwrap_err();
    assert!(matches!(failure, RunFailure::NoProgram { .. }), "{failure}");
}

#[tokio::test]
async fn a_shared_folder_is_read_and_changed_and_nothing_beside_it() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("shared");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a"), "1").unwrap();
    std::fs::write(home.path().join("secret"), "2").unwrap();
    let script = "cat a; cat ../secret; echo 3 > b; echo 4 > ../c; pwd";
    let mut job = Job::new(Program::Arguments(
        ["sh", "-c", script].map(String::from).into(),
    ));
    job.folder = Folder::Shared(folder.clone());
    job.limits = limits();
    let ended = run(job).await;
    assert_eq!(
        text(&ended),
        format!("1{}\n", folder.display()),
        "{}",
        errors(&ended)
    );
    assert_eq!(std::fs::read_to_string(folder.join("b")).unwrap(), "3\n");
    assert!(!home.path().join("c").exists());
}

/// A user namespace has its own number of how many more there may be in it.
#[tokio::test]
async fn where_no_namespace_can_be_made_nothing_runs() {
    let without = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\"";
    let child = sandbox().program.into_os_string();
    let mut arguments: Vec<_> = ["-U", "-r", "sh", "-c", without].map(Into::into).into();
    arguments.push(child);
    let nowhere = Sandbox {
        program: "/usr/bin/unshare".into(),
        arguments,
    };
    let failure = nowhere.run(shell("echo ran")).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "no sandbox is available on this machine: the kernel does not allow user namespaces; \
         set `sysctl user.max_user_namespaces=15000`"
    );
    let protections = nowhere.detect().await;
    assert!(!protections.is_active(Protection::UserNamespace));
}

#[tokio::test]
async fn the_protections_are_known() {
    let protections = sandbox().detect().await;
    for which in [
        Protection::UserNamespace,
        Protection::NetworkNamespace,
        Protection::PidNamespace,
        Protection::ReadOnlyRoot,
        Protection::Seccomp,
        Protection::ProcessLimits,
    ] {
        assert!(protections.is_active(which), "{which:?}: {protections:?}");
    }
}
