//! The cluster serves, survives what it must, and leaves nothing behind.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use adjutant_postgres_cluster::{ADDRESS_VARIABLE, Cluster, Database, Durability};

const GONE_WITHIN: Duration = Duration::from_secs(20);

fn sql(address: &str, statement: &str) -> String {
    let output = Command::new("psql")
        .args([
            "--no-psqlrc",
            "--tuples-only",
            "--no-align",
            "-c",
            statement,
            address,
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn folder(address: &str) -> &str {
    address.split('\'').nth(1).unwrap()
}

#[test]
fn what_was_confirmed_survives_a_kill_and_nothing_survives_the_cluster() {
    let mut cluster = Cluster::start(Durability::Full).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let other = Database::fresh_in(&cluster).unwrap();
    sql(
        database.address(),
        "CREATE TABLE notes AS SELECT 'kept' AS note",
    );
    cluster.kill_9().unwrap();
    cluster.restart().unwrap();
    assert_eq!(sql(database.address(), "SELECT note FROM notes"), "kept");
    assert_eq!(sql(database.address(), "SHOW fsync"), "on");
    assert_eq!(sql(database.address(), "SHOW listen_addresses"), "");
    cluster.restart().unwrap();
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(sql(database.address(), tables), "1");
    assert_eq!(sql(other.address(), tables), "0");

    let folder = folder(&cluster.address()).to_owned();
    assert!(Path::new(&folder).exists());
    drop(cluster);
    assert!(!Path::new(&folder).exists());
}

#[test]
fn command_gets_the_address_and_gives_its_code() {
    let script = format!("echo \"${ADDRESS_VARIABLE}\"; exit 7");
    let output = Command::new(env!("CARGO_BIN_EXE_adjutant-postgres-cluster"))
        .args(["--", "sh", "-c", &script])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(7));
    let address = String::from_utf8(output.stdout).unwrap();
    assert!(!Path::new(folder(&address)).exists());
}

#[test]
fn killing_the_maker_takes_the_server_along() {
    let script = format!("echo \"${ADDRESS_VARIABLE}\"; exec cat");
    let mut maker = Command::new(env!("CARGO_BIN_EXE_adjutant-postgres-cluster"))
        .args(["--", "sh", "-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(maker.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let folder = folder(&address);
    let server = std::fs::read_to_string(format!("{folder}/data/postmaster.pid")).unwrap();
    let server = server.lines().next().unwrap();
    let running = || {
        let mut list = Command::new("ps");
        let listed = list.args(["-o", "args=", "-p", server]);
        String::from_utf8(listed.output().unwrap().stdout)
            .unwrap()
            .contains(folder)
    };
    assert!(running());

    maker.kill().unwrap();
    maker.wait().unwrap();
    let until = Instant::now() + GONE_WITHIN;
    while (running() || Path::new(folder).exists()) && Instant::now() < until {
        std::thread::yield_now();
    }
    assert!(!running());
    assert!(!Path::new(folder).exists());
}
