//! Files that are not the job's, and ways out of its folder.

use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;

use adjutant_sandbox::{
    BadJob, Collected, Exit, FileIn, FileRefused, Folder, Job, Program, RunFailure,
};

use crate::support::{achieves_nothing, attempts, limits, python, run, sandbox, shell, text};

#[tokio::test]
async fn nothing_of_the_machine_is_there_to_read() {
    let here = format!("HERE = {:?}", env!("CARGO_MANIFEST_DIR"));
    achieves_nothing(attempts(
        &here,
        &[
            "open('/etc/shadow').read()",
            "open('/etc/hostname').read()",
            "open('/etc/resolv.conf').read()",
            "os.listdir('/root')",
            "os.listdir('/home')",
            "os.listdir('/var')",
            "os.listdir('/sys')",
            "os.listdir('/boot')",
            "os.listdir('/opt')",
            "os.listdir(HERE)",
            "os.listdir('/proc/1/root/root')",
            "os.listdir('/proc/1/cwd/../root')",
            "open('/proc/kcore', 'rb').read(10)",
            "open('/proc/kmsg', 'rb').read(10)",
            "open('/proc/kallsyms', 'rb').read(10)",
            "open('/proc/cmdline', 'rb').read(10)",
            "open('/proc/keys', 'rb').read(10)",
            "open('/proc/sys/kernel/hostname').read()",
            "open('/dev/mem', 'rb').read(10)",
            "open('/dev/kmsg', 'rb').read(10)",
            "open('/dev/vda', 'rb').read(10)",
            "open('/dev/sda', 'rb').read(10)",
            "open('/dev/tty', 'rb').read(10)",
            "open('/dev/fuse', 'rb').read(10)",
            "open('/dev/kvm', 'rb').read(10)",
        ],
    ))
    .await;
    let ended = run(shell(
        "cut -d: -f1 /etc/passwd; id -un; ls /; ls /etc | tr '\\n' ' '",
    ))
    .await;
    let seen = text(&ended);
    let mut lines = seen.lines();
    assert_eq!((lines.next(), lines.next()), (Some("job"), Some("job")));
    let known = [
        "bin",
        "code",
        "dev",
        "etc",
        "job",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "proc",
        "sbin",
        "tmp",
        "usr",
        "alternatives",
        "group",
        "hosts",
        "ld.so.cache",
        "localtime",
        "passwd",
    ];
    for word in lines.flat_map(str::split_ascii_whitespace) {
        assert!(known.contains(&word), "{word} in {seen}");
    }
}

#[tokio::test]
async fn nothing_of_the_machine_is_there_to_write() {
    achieves_nothing(attempts(
        "",
        &[
            "open('/usr/x', 'w')",
            "open('/usr/bin/python3', 'r+')",
            "open('/etc/passwd', 'r+')",
            "open('/code/main.py', 'r+')",
            "open('/proc/sys/kernel/core_pattern', 'w')",
            "open('/proc/sys/kernel/panic', 'w')",
            "open('/proc/sys/vm/drop_caches', 'w')",
            "open('/proc/sysrq-trigger', 'w')",
            "os.write(os.open('/proc/1/oom_score_adj', os.O_WRONLY), b'-1000')",
            "os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-1000')",
            "os.write(os.open('/proc/self/uid_map', os.O_WRONLY), b'0 0 1')",
            "os.mknod('/tmp/disk', 0o60666, os.makedev(254, 0))",
            "os.chmod('/usr/bin/env', 0o4755)",
            "os.chown('/tmp', 0, 0)",
            "os.link('/usr/bin/env', '/job/env')",
            "os.rename('/usr', '/job/usr')",
            "os.chroot('/tmp')",
        ],
    ))
    .await;
}

#[tokio::test]
async fn root_outside_is_nobody_in_a_shared_folder() {
    let home = tempfile::tempdir().unwrap();
    let script = "for file in /proc/sys/kernel/panic /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/mtrr \
                  /proc/irq/default_smp_affinity /proc/pressure/cpu /usr/x /etc/passwd; do\n\
                  if (: >> $file) 2>/dev/null; then echo $file; fi; done\n\
                  cat /etc/shadow /dev/vda; mount -t tmpfs none /tmp && echo mounted; echo end";
    let mut job = Job::new(Program::Arguments(
        ["sh", "-c", script].map(String::from).into(),
    ));
    job.folder = Folder::Shared(home.path().to_owned());
    job.limits = limits();
    let ended = run(job).await;
    assert_eq!(text(&ended), "end\n");
}

#[tokio::test]
async fn no_file_that_runs_as_its_owner_is_left() {
    let home = tempfile::tempdir().unwrap();
    let script = "import os\n\
                  os.umask(0)\n\
                  open('a', 'w').close()\n\
                  for name, mode in [('b', 0o4755), ('c', 0o2755), ('d', 0o6755)]:\n\
                  \x20   try: os.chmod('a', mode)\n\
                  \x20   except OSError: pass\n\
                  \x20   try: os.fchmod(os.open('a', os.O_RDWR), mode)\n\
                  \x20   except OSError: pass\n\
                  \x20   try: os.open(name, os.O_CREAT | os.O_WRONLY, mode)\n\
                  \x20   except OSError: pass\n\
                  \x20   try: os.mknod(name, mode)\n\
                  \x20   except OSError: pass\n\
                  os.chmod('a', 0o755)\n\
                  print('end')";
    let mut job = Job::new(Program::Arguments(
        ["/usr/bin/python3", "-c", script].map(String::from).into(),
    ));
    job.folder = Folder::Shared(home.path().to_owned());
    job.limits = limits();
    let ended = run(job).await;
    assert_eq!(text(&ended), "end\n", "{ended:?}");
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o6000, 0, "{entry:?} {mode:o}");
    }
}

#[tokio::test]
async fn only_regular_files_come_out() {
    let home = tempfile::tempdir().unwrap();
    let secret = home.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let mut job = python(&format!(
        "import os, socket\n\
         os.symlink({:?}, 'link')\n\
         os.symlink('/etc/passwd', 'absolute')\n\
         os.symlink('../../../../../../../../etc/shadow', 'relative')\n\
         os.symlink('/', 'root')\n\
         os.symlink('..', 'up')\n\
         os.mkfifo('pipe')\n\
         os.mkdir('folder')\n\
         socket.socket(socket.AF_UNIX).bind('socket')\n\
         open('good', 'w').write('good')\n\
         os.symlink('good', 'to_good')\n\
         os.link('good', 'hard')\n\
         open('closed', 'w').write('x')",
        secret.display().to_string()
    ));
    let wanted = [
        ("link", Collected::Refused(FileRefused::Link)),
        ("absolute", Collected::Refused(FileRefused::Link)),
        ("relative", Collected::Refused(FileRefused::Link)),
        ("root/etc/shadow", Collected::Refused(FileRefused::Link)),
        ("up/etc/passwd", Collected::Refused(FileRefused::Link)),
        ("to_good", Collected::Refused(FileRefused::Link)),
        ("pipe", Collected::Refused(FileRefused::NotAFile)),
        ("socket", Collected::Refused(FileRefused::NotAFile)),
        ("folder", Collected::Refused(FileRefused::NotAFile)),
        ("good/x", Collected::Refused(FileRefused::Missing)),
        ("good", Collected::Bytes(b"good".to_vec())),
        ("hard", Collected::Bytes(b"good".to_vec())),
    ];
    job.wanted = wanted.iter().map(|(name, _)| (*name).into()).collect();
    let ended = run(job).await;
    assert_eq!(ended.exit, Exit::Code(0));
    for (file, (name, content)) in ended.files.iter().zip(&wanted) {
        assert_eq!((file.name.as_str(), &file.content), (*name, content));
    }
    assert_eq!(ended.files.len(), wanted.len());
}

#[tokio::test]
async fn a_file_may_not_be_put_outside() {
    let mut job = shell("true");
    job.files = vec![FileIn {
        name: "../usr/x".into(),
        bytes: Vec::new(),
    }];
    let failure = sandbox().run(job).await.unwrap_err();
    assert!(matches!(failure, RunFailure::BadJob(BadJob::Name { .. })));
}

#[tokio::test]
async fn open_files_of_the_host_are_not_inherited() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("secret");
    std::fs::write(&path, "secret").unwrap();
    let secret = std::fs::File::open(&path).unwrap();
    // As a library that knows nothing of close-on-exec would leave it.
    rustix::io::fcntl_setfd(secret.as_fd(), rustix::io::FdFlags::empty()).unwrap();
    let ended = run(python(
        "import os\n\
         print(sorted(os.listdir('/proc/self/fd'), key=int)[:3])\n\
         for process in filter(str.isdigit, os.listdir('/proc')):\n\
         \x20   try: numbers = os.listdir(f'/proc/{process}/fd')\n\
         \x20   except PermissionError: continue\n\
         \x20   for number in numbers:\n\
         \x20       try: target = os.readlink(f'/proc/{process}/fd/{number}')\n\
         \x20       except OSError: continue\n\
         \x20       if not target.startswith(('pipe:', '/proc', '/dev/null', 'anon_inode:')): print(process, target)",
    ))
    .await;
    assert_eq!(text(&ended), "['0', '1', '2']\n");
}

/// A folder that everybody may look into, as those of installed programs are: a job may run as somebody else.
fn open_folder() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    home
}

#[tokio::test]
async fn what_is_shown_can_be_read_and_not_changed_and_nothing_beside_it_is_there() {
    let home = open_folder();
    let shown = home.path().join("shown");
    std::fs::create_dir(&shown).unwrap();
    std::fs::write(shown.join("a.txt"), "lamp").unwrap();
    std::fs::write(home.path().join("beside.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(home.path().join("beside.txt"), shown.join("out")).unwrap();
    let at = shown.to_str().unwrap();

    let mut job = python(&format!("print(open('{at}/a.txt').read())"));
    job.readable = vec![shown.clone()];
    let ended = run(job).await;
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Code(0), "lamp\n")
    );

    let mut job = attempts(
        &format!("AT = {at:?}"),
        &[
            "open(AT + '/a.txt', 'w')",
            "open(AT + '/new', 'w')",
            "os.unlink(AT + '/a.txt')",
            "os.chmod(AT + '/a.txt', 0o777)",
            "os.rename(AT, AT + '2')",
            "open(AT + '/out').read()",
            "open(AT + '/../beside.txt').read()",
        ],
    );
    job.readable = vec![shown.clone()];
    achieves_nothing(job).await;
    assert_eq!(
        std::fs::read_to_string(shown.join("a.txt")).unwrap(),
        "lamp"
    );
}

#[tokio::test]
async fn a_value_of_the_environment_is_in_no_list_of_processes() {
    let script = "import os\n\
                  print(os.environ['KEY'] == 'a secret=value --bind / /')\n\
                  print('secret=value' in open('/proc/1/cmdline').read())";
    let mut job = python(script);
    job.environment = vec![("KEY".into(), "a secret=value --bind / /".into())];
    let ended = run(job).await;
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Code(0), "True\nFalse\n")
    );
}
