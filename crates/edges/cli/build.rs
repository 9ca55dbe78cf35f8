//! Gathers the licences and notices of everything the binary is built with, so that `adjutant licences` can print them.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A longer file is no licence.
const LICENCE_BYTES_MAX: u64 = 256 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../../Cargo.lock");
    let packages = packages()?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    std::fs::write(out.join("licences.txt"), notices(&packages)?)?;
    Ok(())
}

/// A crate of others, and where its files are.
struct Package {
    name: String,
    licence: String,
    folder: PathBuf,
}

/// What cargo resolved. A build of one crate downloads what that crate needs, and cargo describes the whole workspace: on
/// a new machine it must fetch the rest first.
fn metadata() -> Result<Value, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let target = std::env::var_os("TARGET").ok_or("TARGET is not set")?;
    let ask = |more: &[&str]| {
        Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--locked"])
            .arg("--filter-platform")
            .arg(&target)
            .args(more)
            .output()
    };
    let mut output = ask(&["--offline"])?;
    if !output.status.success() {
        output = ask(&[])?;
    }
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Every crate that the binary links.
fn packages() -> Result<Vec<Package>, Box<dyn Error>> {
    let metadata = metadata()?;
    let linked = linked(&metadata);
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        // Without a source it is a crate of ours.
        if package["source"].is_null() || !linked.contains(text("id").as_str()) {
            continue;
        }
        let manifest = PathBuf::from(text("manifest_path"));
        packages.push(Package {
            name: format!("{} {}", text("name"), text("version")),
            licence: text("license"),
            folder: manifest.parent().unwrap_or(Path::new(".")).to_owned(),
        });
    }
    packages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(packages)
}

/// The ids of what `adjutant-cli` depends on, other than for its tests.
fn linked(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let root = nodes.keys().find(|id| id.contains("adjutant-cli"));
    let mut waiting: Vec<&str> = root.copied().into_iter().collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !linked.insert(id) {
            continue;
        }
        let deps = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dep in deps.into_iter().flatten() {
            let kinds = dep["dep_kinds"].as_array();
            let is_linked = kinds
                .into_iter()
                .flatten()
                .any(|kind| kind["kind"].is_null());
            if is_linked {
                waiting.extend(dep["pkg"].as_str());
            }
        }
    }
    linked
}

/// Which crates there are under which licence, and every text of a licence or notice once.
fn notices(packages: &[Package]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for package in packages {
        writeln!(text, "{}: {}", package.name, package.licence)?;
    }
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for package in packages {
        for file in licence_files(&package.folder) {
            if let Ok(licence) = std::fs::read_to_string(&file) {
                let licence = licence.trim().replace("\r\n", "\n");
                texts.entry(licence).or_default().push(&package.name);
            }
        }
    }
    for (licence, of) in texts {
        let of: BTreeSet<&str> = of.into_iter().collect();
        let of: Vec<&str> = of.into_iter().collect();
        write!(
            text,
            "\n{}\n{}\n\n{licence}\n",
            "=".repeat(80),
            of.join(", ")
        )?;
    }
    Ok(text)
}

fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|start| name.starts_with(start));
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            is_licence && size > 0 && size <= LICENCE_BYTES_MAX
        })
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
