//! A data folder of its own, the program in it, and output with everything that changes taken out.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use regex::Regex;
use tempfile::TempDir;

/// How long a test waits for a line or an end that must come.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Place {
    folder: TempDir,
    /// Where the store is, if it is not in the folder.
    server: Option<String>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("adj").tempdir().unwrap();
        Self {
            folder,
            server: None,
        }
    }

    /// A data folder whose store is on a PostgreSQL server.
    pub(crate) fn on(server: &str) -> Self {
        Self {
            server: Some(server.to_owned()),
            ..Self::new()
        }
    }

    /// Another machine, as it were: a data folder of its own with the same store and the same keys.
    pub(crate) fn another(&self) -> Self {
        let other = Self {
            server: self.server.clone(),
            ..Self::new()
        };
        std::fs::create_dir(other.home()).unwrap();
        for key in ["master.key", "signing.key"] {
            std::fs::copy(self.home().join(key), other.home().join(key)).unwrap();
        }
        other
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// Writes the settings file of the data folder.
    pub(crate) fn set(&self, settings: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("adjutant.toml"), settings).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("ADJUTANT_HOME", self.home())
            .env("ADJUTANT_USER", "anna")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(server) = &self.server {
            command.env("ADJUTANT_STORE_URL", server);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        Ran::of(&output)
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        Running::new(self.command(arguments).spawn().unwrap())
    }

    /// Everything that differs from run to run, replaced.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut text = text.replace(&self.path().display().to_string(), "<folder>");
        let full = Regex::new("(?:msn|cmd)_[0-9a-z]{26}").unwrap();
        let ids: Vec<String> = full
            .find_iter(&text)
            .map(|id| id.as_str().to_owned())
            .collect();
        for id in ids {
            text = text
                .replace(&id[id.len() - 6..], "<id>")
                .replace(&id[..id.len() - 6], "");
        }
        for (pattern, by) in [
            (
                r"[0-9a-z]{6}-([0-9]+) (approve|reject|modify)",
                "<id>-$1 $2",
            ),
            (
                r"(show|events|verify|watch|abort|resume) [0-9a-z]{6}\b",
                "$1 <id>",
            ),
            (r"mission [0-9a-z]{6} has", "mission <id> has"),
            (r"msn …[0-9a-z]{6}", "msn …<id>"),
            (r"✓ [0-9a-z]{6}  ", "✓ <id>  "),
            (r"✗ [0-9a-z]{6}  ", "✗ <id>  "),
            (r"[0-9]+:[0-9a-f]{64}", "<head>"),
            (r"Signed by [0-9a-f]{64}", "Signed by <key>"),
            (r" *[0-9]+\.[0-9] s\b", " <time>"),
            (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \([^)]*\)", "<instant>"),
            (r"process [0-9]+", "process <pid>"),
            (r"[0-9.]+ [kMG]B", "<size>"),
            (r"SQLite [0-9.]+", "SQLite <version>"),
            (r"(just now|[0-9]+ seconds? ago)", "<ago>"),
            (r"(✓ sandbox +).*", "$1<protections>"),
        ] {
            text = Regex::new(pattern)
                .unwrap()
                .replace_all(&text, by)
                .into_owned();
        }
        text
    }
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// All a person sees, for a snapshot.
    pub(crate) fn told(&self, place: &Place) -> String {
        let Self { code, out, err } = self;
        place.redact(&format!("exit {code}\n--- out\n{out}--- err\n{err}"))
    }
}

/// What came of waiting for a line.
pub(crate) enum Heard {
    Line(String),
    /// No line in time.
    Nothing,
    /// The process has closed its output.
    End,
}

/// A process whose lines arrive as it writes them.
pub(crate) struct Running {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Running {
    pub(crate) fn new(mut child: Child) -> Self {
        let (to, lines) = mpsc::channel();
        let stdout = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines }
    }

    /// Reads on until a line has `part` in it.
    pub(crate) fn until(&self, part: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(part) => return line,
                Ok(_) => {}
                Err(error) => panic!("no line with `{part}` came: {error}"),
            }
        }
    }

    pub(crate) fn hear(&self, patience: Duration) -> Heard {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(mpsc::RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(mpsc::RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    /// What it writes from here to its end.
    pub(crate) fn rest(&self) -> String {
        let mut rest = String::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest += &line;
            rest.push('\n');
        }
        rest
    }

    /// Waits for the end; what was written to standard error comes along.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        // Standard output closes when the process ends.
        while self.lines.recv_timeout(PATIENCE).is_ok() {}
        let mut err = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        (self.child.wait().unwrap().code(), err)
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed must not leave its host behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two steps and a sum.
pub(crate) const SUM: &str = r#"
title: A small sum
inputs: {a: 2, b: 3, unit: lamps}
tasks:
  - id: sum
    tool: calc
    with: {expression: a + b, values: {a: "{{inputs.a}}", b: "{{inputs.b}}"}}
  - id: note
    after: sum
    tool: write_file
    with: {path: sum.txt, text: "{{sum.output.text}} {{inputs.unit}}"}
"#;

/// A question with two options between two steps.
pub(crate) const CHOICE: &str = r#"
title: A choice
autonomy: balanced
tasks:
  - {id: before, tool: noop, with: {value: 1}}
  - id: choose
    after: before
    human:
      question: Which way?
      options:
        - {key: left, label: Left, pros: [Short], cons: [Steep]}
        - {key: right, label: Right, cost: $2, risk: low}
      recommend: left
      because: It is shorter
  - {id: after, after: choose, tool: noop, with: {value: "{{choose.output.option}}"}}
"#;
