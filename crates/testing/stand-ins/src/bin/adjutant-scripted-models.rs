//! The scripted server by itself:
//! `adjutant-scripted-models port=8080 answer=answer.json delay_ms=20 misbehave=Truncated`. Without `answer` it reads what it is
//! asked and quotes the question's own sources.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use adjutant_stand_ins::models::{Answer, Asked, Misbehaviour, Received, Reply, Server};

const USAGE: &str =
    "usage: adjutant-scripted-models [port=8080] [answer=FILE] [delay_ms=20] [misbehave=NAME]";

#[derive(Default)]
struct Arguments {
    port: u16,
    answer: Option<String>,
    delay: Duration,
    misbehaviour: Option<Misbehaviour>,
}

fn read(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut read = Arguments::default();
    for argument in arguments {
        let (name, value) = argument
            .split_once('=')
            .ok_or_else(|| format!("`{argument}`: not of the form name=value"))?;
        let wrong = |why: &dyn std::fmt::Display| format!("{name}: {why}");
        match name {
            "port" => read.port = value.parse().map_err(|error| wrong(&error))?,
            "answer" => {
                let text = std::fs::read_to_string(value).map_err(|error| wrong(&error))?;
                read.answer = Some(text.trim().to_owned());
            }
            "delay_ms" => {
                let ms = value.parse().map_err(|error| wrong(&error))?;
                read.delay = Duration::from_millis(ms);
            }
            "misbehave" => {
                let named = |at: &&Misbehaviour| format!("{at:?}") == value;
                let found = Misbehaviour::ALL.iter().find(named);
                let all = || format!("there are {:?}", Misbehaviour::ALL);
                read.misbehaviour = Some(*found.ok_or_else(|| wrong(&all()))?);
            }
            _ => return Err(format!("`{name}`: there is no such setting")),
        }
    }
    Ok(read)
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = match read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let address = SocketAddr::from(([127, 0, 0, 1], arguments.port));
    let script = move |received: &Received| {
        let text = match &arguments.answer {
            Some(text) => text.clone(),
            None => {
                Asked::read(received).map_or("{}".to_owned(), |asked| asked.answer().to_string())
            }
        };
        let mut answer = Answer::new(text);
        answer.delay = arguments.delay;
        match arguments.misbehaviour {
            Some(misbehaviour) => Reply::Misbehave(misbehaviour, answer),
            None => Reply::Answer(answer),
        }
    };
    match Server::start_at(address, script).await {
        Ok(server) => {
            println!("{}", server.url());
            std::future::pending().await
        }
        Err(error) => {
            eprintln!("{address}: {error}");
            ExitCode::FAILURE
        }
    }
}
