//! A second terminal, over the control socket.

use adjutant_host::ForkRequest;
use adjutant_host::control::{Client, ClientError, Request, Server};
use adjutant_mission::*;
use tokio::sync::watch;

use crate::support::*;

#[tokio::test]
async fn a_second_terminal_opens_watches_and_decides() {
    let world = World::new();
    let (stop, stopped) = watch::channel(false);
    let server = Server::bind(&world.socket()).unwrap();
    let serving = tokio::spawn(server.run(world.host.clone(), stopped));
    let start = world.start(
        Plan::new("remote", vec![call("a", "noop", "{\"value\":1}", &[])]),
        Vec::new(),
    );
    let mission = start.mission;

    let mut client = Client::connect(&world.socket()).await.unwrap();
    assert_eq!(client.hello().await.unwrap(), std::process::id());
    let open = Request::Open {
        by: ann(),
        command: world.command_id(),
        start: Box::new(start),
    };
    client.request(&open).await.unwrap();
    let watcher = Client::connect(&world.socket()).await.unwrap();
    let mut watching = watcher.watch(tenant(), mission, 1).await.unwrap();

    let decide = |checkpoint| Request::Command {
        tenant: tenant(),
        mission,
        id: world.command_id(),
        by: ann(),
        command: Command::Decide {
            checkpoint: CheckpointNumber::new(checkpoint),
            decision: Decision::new(Verdict::Approve),
        },
    };
    let unknown = client.request(&decide(9)).await;
    assert!(matches!(unknown, Err(ClientError::Problem(problem)) if problem.code == "ADJ-2010"));
    client.request(&decide(0)).await.unwrap();

    let mut seen = Vec::new();
    while let Some(recorded) = watching.next().await.unwrap() {
        if let Event::CheckpointOpened(checkpoint) = &recorded.event
            && checkpoint.number.get() == 1
        {
            client.request(&decide(1)).await.unwrap();
        }
        seen.push(recorded);
    }
    assert_eq!(
        seen,
        world.journal(mission).await,
        "a watcher sees the journal, no more and no less"
    );

    stop.send(true).unwrap();
    serving.await.unwrap();
    assert!(!world.socket().exists());
    assert!(matches!(
        Client::connect(&world.socket()).await,
        Err(ClientError::NoHost(_))
    ));
}

/// One person who takes two names is still one person: under four eyes the system says who they are.
#[tokio::test]
async fn under_four_eyes_nobody_takes_another_name() {
    let rule = Plan {
        four_eyes: vec![CheckpointType::PlanApproval],
        ..Plan::new("mine", vec![call("a", "noop", "{\"value\":1}", &[])])
    };
    nobody_takes_another_name(rule).await;
}

#[tokio::test]
async fn where_several_must_approve_nobody_takes_another_name() {
    let other = AgentId::new("somebody-else").unwrap();
    let rule = Plan {
        approvers: [(
            CheckpointType::PlanApproval,
            Approvers {
                by: vec![other],
                needed: 1,
            },
        )]
        .into(),
        ..Plan::new("ours", vec![call("a", "noop", "{\"value\":1}", &[])])
    };
    nobody_takes_another_name(rule).await;
}

async fn nobody_takes_another_name(rule: Plan) {
    let world = World::new();
    let (_stop, stopped) = watch::channel(false);
    let server = Server::bind(&world.socket()).unwrap();
    tokio::spawn(server.run(world.host.clone(), stopped));
    let mut client = Client::connect(&world.socket()).await.unwrap();
    let me = Actor::human(adjutant_host::own_account().unwrap());
    let plan = || rule.clone();
    let open = |by: &Actor| {
        let start = world.start(plan(), Vec::new());
        let mission = start.mission;
        let request = Request::Open {
            by: by.clone(),
            command: world.command_id(),
            start: Box::new(start),
        };
        (mission, request)
    };
    let decide = |mission, by: &Actor, verdict| Request::Command {
        tenant: tenant(),
        mission,
        id: world.command_id(),
        by: by.clone(),
        command: Command::Decide {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision::new(verdict),
        },
    };
    let code = |answer: Result<(), ClientError>| match answer {
        Err(ClientError::Problem(problem)) => problem.code,
        other => format!("{other:?}"),
    };

    let (mission, mine) = open(&me);
    client.request(&mine).await.unwrap();
    let own = client
        .request(&decide(mission, &me, Verdict::Approve))
        .await;
    assert_eq!(code(own), "ADJ-2013");
    let host = Actor::host(None);
    for other in [ann(), host] {
        let claimed = client
            .request(&decide(mission, &other, Verdict::Approve))
            .await;
        assert_eq!(code(claimed), "ADJ-5027", "{other:?}");
        let (_, theirs) = open(&other);
        assert_eq!(code(client.request(&theirs).await), "ADJ-5027", "{other:?}");
        let fork = Request::Fork {
            tenant: tenant(),
            by: other,
            command: world.command_id(),
            fork: Box::new(ForkRequest {
                mission: world.start(plan(), Vec::new()).mission,
                of: mission,
                at: 1,
                changes: Vec::new(),
            }),
        };
        assert_eq!(code(client.request(&fork).await), "ADJ-5027");
    }
}
