//! Finds code that reads confidential data and sends it away, runs downloaded code, or destroys data.
//! Reading or sending alone is ordinary.

use std::sync::LazyLock;

use regex::Regex;

use crate::finding::{Finding, compile_pattern};
use crate::threat::{Severity, ThreatKind};

/// Reads confidential data.
const SOURCES: &str = r#"os\.environ|getenv\(|document\.cookie|localstorage|sessionstorage|keyboard\.listener|on_press|\.ssh\b|id_rsa|/etc/(?:passwd|shadow)|pyperclip|clipboard|imagegrab|platform\.(?:node|uname|version|system|platform)\(|socket\.gethostname|getpass|navigator\.useragent|\.aws/credentials|login data|psutil\.|winreg|uuid\.getnode"#;
/// Sends data away.
const SINKS: &str = r"requests\.(?:post|put|get)\(|urlopen\(|fetch\(|xmlhttprequest|sendbeacon|\.sendmail\(|smtplib|socket\.socket|\.connect\(\(|ftplib|http\.client|new image\(|axios\.(?:post|get)|webhook|\.sendall\(|paramiko";
/// Harmful without anything else.
const HARMFUL: &str = r#"(?:system|popen|run|call|exec|check_output)\([^)\n]{0,40}(?:curl|wget|rm -rf|nc -e|powershell)|(?:eval|exec)\([^)\n]{0,60}(?:requests\.get|urlopen|b64decode|fromcharcode)|shutil\.rmtree\([^)\n]{0,30}(?:"/|'/|expanduser|home)|from pynput|stratum\+tcp|bash -i >& /dev/tcp|(?:subprocess|os)\.[a-z_]+\([^)\n]{0,20}/bin/(?:ba)?sh[^)\n]{0,20}-i|\bnc (?:[\w.-]+ ){0,4}-e |dup2\([a-z]+\.fileno"#;
/// Bytes between reading and sending.
const REACH: usize = 400;

static SOURCE: LazyLock<Option<Regex>> = LazyLock::new(|| compile_pattern(SOURCES));
static SINK: LazyLock<Option<Regex>> = LazyLock::new(|| compile_pattern(SINKS));
static HARM: LazyLock<Option<Regex>> = LazyLock::new(|| compile_pattern(HARMFUL));

pub(crate) fn find_threats(folded: &str, findings: &mut Vec<Finding>) {
    let (Some(source), Some(sink), Some(harm)) = (&*SOURCE, &*SINK, &*HARM) else {
        return;
    };
    let mut add_finding = |span, reason| {
        findings.push(Finding::new(
            ThreatKind::Exfiltration,
            Severity::Medium,
            span,
            reason,
        ));
    };
    let mut sinks = sink.find_iter(folded).map(|sink| sink.range()).peekable();
    for source in source.find_iter(folded).map(|source| source.range()) {
        while sinks
            .next_if(|sink| sink.end + REACH < source.start)
            .is_some()
        {}
        let near = sinks.peek().filter(|sink| sink.start < source.end + REACH);
        if let Some(sink) = near {
            let span = source.start.min(sink.start)..source.end.max(sink.end);
            add_finding(span, "code that reads confidential data and sends it away");
        }
    }
    for harm in harm.find_iter(folded) {
        add_finding(
            harm.range(),
            "code that runs downloaded code, opens a shell or deletes data",
        );
    }
}
