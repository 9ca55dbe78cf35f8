//! One server with its data.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::ClusterError;
use crate::programs::{Programs, run};
use crate::watchdog::Watchdog;

const READY_WITHIN: Duration = Duration::from_secs(60);
/// Between two looks at whether the server is ready or gone.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const GONE_WITHIN: Duration = Duration::from_secs(10);
/// A socket's path has at most 107 bytes; this much of it is the socket's own name.
const FOLDER_BYTES_MAX: usize = 107 - "/adjutant-pg-123456/.s.PGSQL.5432".len();
/// How much of the log an error shows, from its end.
const LOG_BYTES_SHOWN_MAX: usize = 2_000;

/// What a server does for what it has confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// It is on disk, as in earnest.
    Full,
    /// It is lost with the machine. Fast.
    None,
}

/// A server of one's own. Dropping it stops the server and removes everything.
#[derive(Debug)]
pub struct Cluster {
    programs: Programs,
    folder: PathBuf,
    settings: Vec<String>,
    server: Child,
    watchdog: Watchdog,
}

impl Cluster {
    /// Makes a cluster and waits until its server takes connections.
    pub fn start(durability: Durability) -> Result<Self, ClusterError> {
        Self::start_with(durability, |_, _| Ok(Vec::new()))
    }

    /// Makes one that speaks TLS too, as `localhost` on a port of the loopback interface. Its certificate is signed
    /// by an authority that nobody knows.
    pub fn start_with_tls() -> Result<TlsCluster, ClusterError> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let cluster = Self::start_with(Durability::None, |programs, folder| {
            make_certificates(programs, folder)?;
            Ok(vec![
                "listen_addresses=127.0.0.1".to_owned(),
                format!("port={port}"),
                "ssl=on".to_owned(),
                format!("ssl_cert_file={}", folder.join("server.crt").display()),
                format!("ssl_key_file={}", folder.join("server.key").display()),
            ])
        })?;
        Ok(TlsCluster { cluster, port })
    }

    fn start_with(
        durability: Durability,
        prepare: impl FnOnce(&Programs, &Path) -> Result<Vec<String>, ClusterError>,
    ) -> Result<Self, ClusterError> {
        let programs = Programs::find()?;
        let folder = tempfile::Builder::new()
            .prefix("adjutant-pg-")
            .tempdir_in(short_temporary_folder())?;
        programs.hand_over(folder.path())?;
        let watchdog = Watchdog::start(&programs, folder.path())?;
        let folder = folder.keep();
        let mut settings = settings(&folder, durability);
        settings.extend(prepare(&programs, &folder)?);
        // Without `--no-sync` this waits for the disk, for data that nobody will miss.
        run(programs
            .command("initdb")
            .args(["--no-sync", "--auth=trust", "--username=postgres"])
            .args(["--encoding=UTF8", "--no-locale", "--pgdata"])
            .arg(folder.join("data")))?;
        let server = serve(&programs, &folder, &settings)?;
        let mut cluster = Self {
            programs,
            folder,
            settings,
            server,
            watchdog,
        };
        cluster.wait_until_ready()?;
        Ok(cluster)
    }

    /// Where the server is, in the words of libpq; to be completed with a `dbname`.
    pub fn address(&self) -> String {
        format!("host='{}' user=postgres", self.folder.display())
    }

    /// Where its databases' files are.
    pub fn files(&self) -> PathBuf {
        self.folder.join("data/base")
    }

    /// Kills the server and all its processes at once: nothing is finished, nobody says goodbye.
    pub fn kill_9(&mut self) -> Result<(), ClusterError> {
        let server = self.server.id();
        let children = run(Command::new("pgrep").args(["-P", &server.to_string()]))?;
        let children: Vec<&str> = children.split_whitespace().collect();
        self.server.kill()?;
        // Some may have gone with their parent by now, which `kill` would complain of.
        let _ = run(Command::new("kill").arg("-KILL").args(&children));
        self.server.wait()?;
        let until = Instant::now() + GONE_WITHIN;
        while children.iter().any(|child| is_running(child)) && Instant::now() < until {
            sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Stops the server, unless it is dead already, and starts it again over the same data.
    pub fn restart(&mut self) -> Result<(), ClusterError> {
        if self.server.try_wait()?.is_none() {
            run(Command::new("kill").args(["-INT", &self.server.id().to_string()]))?;
            self.server.wait()?;
        }
        self.server = serve(&self.programs, &self.folder, &self.settings)?;
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), ClusterError> {
        let until = Instant::now() + READY_WITHIN;
        let server = self.server.id();
        while !is_ready(&self.folder, server) {
            let ended = self.server.try_wait()?.is_some();
            if ended || Instant::now() > until {
                return Err(ClusterError::NotReady {
                    seconds: READY_WITHIN.as_secs(),
                    log: end_of_log(&self.folder),
                });
            }
            sleep(LOOK_EVERY);
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.watchdog.let_go();
        // While we do not take note of its end, it looks alive to the watchdog.
        let _ = self.server.wait();
        self.watchdog.wait();
    }
}

/// A cluster that can be reached over TLS.
#[derive(Debug)]
pub struct TlsCluster {
    cluster: Cluster,
    port: u16,
}

impl TlsCluster {
    /// To be completed with a `dbname`. The certificate is for `localhost`.
    pub fn address(&self) -> String {
        format!(
            "host=localhost hostaddr=127.0.0.1 port={} user=postgres",
            self.port
        )
    }

    /// The certificate of the authority that vouches for the server.
    pub fn authority(&self) -> PathBuf {
        self.cluster.folder.join("authority.crt")
    }
}

fn settings(folder: &Path, durability: Durability) -> Vec<String> {
    let mut settings = vec![
        "listen_addresses=".to_owned(),
        format!("unix_socket_directories={}", folder.display()),
        "max_connections=200".to_owned(),
        "shared_buffers=64MB".to_owned(),
    ];
    if durability == Durability::None {
        settings.extend(["fsync=off", "full_page_writes=off"].map(str::to_owned));
    }
    settings
}

fn serve(programs: &Programs, folder: &Path, settings: &[String]) -> Result<Child, ClusterError> {
    let log = File::options()
        .create(true)
        .append(true)
        .open(folder.join("log"))?;
    let mut command = programs.command("postgres");
    command.arg("-D").arg(folder.join("data"));
    for setting in settings {
        command.args(["-c", setting]);
    }
    command
        .stdout(Stdio::from(log.try_clone()?))
        .stderr(Stdio::from(log));
    command.spawn().map_err(|source| ClusterError::Run {
        program: programs.path("postgres"),
        source,
    })
}

fn make_certificates(programs: &Programs, folder: &Path) -> Result<(), ClusterError> {
    let authority = [
        "-keyout",
        "authority.key",
        "-out",
        "authority.crt",
        "-subj",
        "/CN=authority",
    ];
    let server = [
        "-keyout",
        "server.key",
        "-out",
        "server.crt",
        "-subj",
        "/CN=localhost",
        "-CA",
        "authority.crt",
        "-CAkey",
        "authority.key",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
    ];
    for wanted in [&authority[..], &server[..]] {
        run(programs
            .in_account(Path::new("openssl"))
            .current_dir(folder)
            .args(["req", "-x509", "-nodes", "-days", "2"])
            .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
            .args(wanted))?;
    }
    Ok(())
}

/// What `pg_ctl` looks at too: the server writes its process and its state into a file.
fn is_ready(folder: &Path, server: u32) -> bool {
    let Ok(text) = fs::read_to_string(folder.join("data/postmaster.pid")) else {
        return false;
    };
    let mut lines = text.lines();
    lines.next() == Some(&server.to_string()) && lines.nth(6).map(str::trim) == Some("ready")
}

/// Whether a process is there and not only waiting to be taken note of.
fn is_running(process: &str) -> bool {
    run(Command::new("ps").args(["-o", "stat=", "-p", process]))
        .is_ok_and(|state| !state.trim_start().starts_with('Z'))
}

fn end_of_log(folder: &Path) -> String {
    let log = fs::read(folder.join("log")).unwrap_or_default();
    let shown = &log[log.len().saturating_sub(LOG_BYTES_SHOWN_MAX)..];
    String::from_utf8_lossy(shown).into_owned()
}

fn short_temporary_folder() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().len() <= FOLDER_BYTES_MAX {
        return folder;
    }
    PathBuf::from("/tmp")
}
