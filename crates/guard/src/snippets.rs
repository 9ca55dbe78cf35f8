//! Code that takes something confided and carries it off, loads and runs something, or destroys. What a program does with
//! only one of the two is its own affair.

use std::sync::LazyLock;

use regex::Regex;

use crate::finding::{Finding, pattern};
use crate::threat::{Severity, ThreatKind};

/// What is taken.
const SOURCES: &str = r#"os\.environ|getenv\(|document\.cookie|localstorage|sessionstorage|keyboard\.listener|on_press|\.ssh\b|id_rsa|/etc/(?:passwd|shadow)|pyperclip|clipboard|imagegrab|platform\.(?:node|uname|version|system|platform)\(|socket\.gethostname|getpass|navigator\.useragent|\.aws/credentials|login data|psutil\.|winreg|uuid\.getnode"#;
/// Where it goes.
const SINKS: &str = r"requests\.(?:post|put|get)\(|urlopen\(|fetch\(|xmlhttprequest|sendbeacon|\.sendmail\(|smtplib|socket\.socket|\.connect\(\(|ftplib|http\.client|new image\(|axios\.(?:post|get)|webhook|\.sendall\(|paramiko";
/// Harm on its own.
const ALONE: &str = r#"(?:system|popen|run|call|exec|check_output)\([^)\n]{0,40}(?:curl|wget|rm -rf|nc -e|powershell)|(?:eval|exec)\([^)\n]{0,60}(?:requests\.get|urlopen|b64decode|fromcharcode)|shutil\.rmtree\([^)\n]{0,30}(?:"/|'/|expanduser|home)|from pynput|stratum\+tcp|bash -i >& /dev/tcp|(?:subprocess|os)\.[a-z_]+\([^)\n]{0,20}/bin/(?:ba)?sh[^)\n]{0,20}-i|\bnc (?:[\w.-]+ ){0,4}-e |dup2\([a-z]+\.fileno"#;
/// Bytes between what is taken and where it goes.
const REACH: usize = 400;

static SOURCE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(SOURCES));
static SINK: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(SINKS));
static HARM: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(ALONE));

pub(crate) fn find(view: &str, findings: &mut Vec<Finding>) {
    let (Some(source), Some(sink), Some(harm)) = (&*SOURCE, &*SINK, &*HARM) else {
        return;
    };
    let mut found = |span, reason| {
        findings.push(Finding::new(
            ThreatKind::Exfiltration,
            Severity::Medium,
            span,
            reason,
        ));
    };
    let mut sinks = sink.find_iter(view).map(|sink| sink.range()).peekable();
    for source in source.find_iter(view).map(|source| source.range()) {
        while sinks
            .next_if(|sink| sink.end + REACH < source.start)
            .is_some()
        {}
        let near = sinks.peek().filter(|sink| sink.start < source.end + REACH);
        if let Some(sink) = near {
            let span = source.start.min(sink.start)..source.end.max(sink.end);
            found(span, "code that takes something confided and sends it away");
        }
    }
    for harm in harm.find_iter(view) {
        found(harm.range(), "code that runs or destroys on sight");
    }
}
