//! Checkpoints that are answered through the link in a mail, as the person it was mailed to, under the same rules as over
//! the API.

use adjutant_host::Upkeep;
use adjutant_mission::*;
use adjutant_notify::{AnswerKey, AnswerLink, ChannelName};
use adjutant_store::{Store as _, TenantStore as _};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::*;

const FORM: &str = "application/x-www-form-urlencoded";

fn acme() -> TenantId {
    TenantId::new("acme").unwrap()
}

/// Looks at the page behind a link.
async fn look(world: &World, token: &str) -> (u16, String) {
    let path = format!("/answer/{token}");
    told(world.bare(Method::GET, &path).send().await.unwrap()).await
}

async fn post(world: &World, token: &str, form: &str) -> (u16, String) {
    let request = world.bare(Method::POST, &format!("/answer/{token}"));
    let request = request.header("Content-Type", FORM).body(form.to_owned());
    told(request.send().await.unwrap()).await
}

/// The status and the page, without what is new every time.
async fn told(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert_eq!(kind, "text/html; charset=utf-8", "{status}");
    let policy = response.headers()["content-security-policy"].to_str();
    let nonce = policy.unwrap().split("'nonce-").nth(1).unwrap();
    let nonce = nonce.split('\'').next().unwrap().to_owned();
    let page = response.text().await.unwrap();
    assert!(page.contains(&format!("<style nonce=\"{nonce}\">")));
    (status, page.replace(&nonce, "nonce"))
}

#[track_caller]
fn assert_refused((status, page): (u16, String), expected: (u16, &str)) {
    assert_eq!(status, expected.0, "{page}");
    let code = format!(">{}<", expected.1);
    assert!(page.contains(&code), "{expected:?}: {page}");
}

/// Who closed a question, and how.
async fn closed(world: &World, mission: &str, number: usize) -> Value {
    let path = format!("/api/missions/{mission}/checkpoints");
    world.get(&path).await["checkpoints"][number]["closed"].clone()
}

/// A mission that asks this, after its plan was approved.
async fn asks(world: &World, title: &str, human: Human) -> String {
    let mission = adjutant_host::new_mission_id(world.host().clock().now()).unwrap();
    let task = Task::new(TaskKey::new("ask").unwrap(), WorkSpec::Human(human));
    let start = Start {
        mission,
        scope: Scope::of(acme()),
        plan: Plan::new(title, vec![task]),
        tools: world.tools(),
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let by = Actor::human(AgentId::new("ann").unwrap());
    let command = CommandId::from_bits(mission.bits());
    world.host().open(by, command, start).await.unwrap();
    let mission = mission.to_string();
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    mission
}

fn human(question: &str) -> Human {
    Human {
        question: question.into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    }
}

/// Programs follow the links in mails before people do.
#[tokio::test]
async fn looking_changes_nothing() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    let store = world.host().store().tenant(&acme());
    let audited = || world.get("/api/audit?limit=1000");
    let (before, notes) = (store.newest().await.unwrap(), audited().await);
    for _ in 0..3 {
        let (status, page) = look(&world, &token).await;
        assert_eq!(status, 200);
        assert!(page.contains("<form method=\"post\""), "{page}");
        assert!(page.contains("You answer as mel."), "{page}");
        assert!(page.contains("Rejected if not answered by"), "{page}");
    }
    let path = format!("/answer/{token}");
    let head = world.bare(Method::HEAD, &path).send().await.unwrap();
    assert_eq!(head.status(), 200);
    // What only looks like an answer is none either.
    for query in ["?verdict=approve", "?verdict=reject&note=x"] {
        let (status, _) = look(&world, &format!("{token}{query}")).await;
        assert_eq!(status, 200);
    }
    assert_eq!(store.newest().await.unwrap(), before);
    assert_eq!(audited().await, notes, "nor is it a sign-in");
    assert_eq!(closed(&world, &mission, 0).await, Value::Null);
    world.stop().await;
}

#[tokio::test]
async fn a_page_is_kept_by_nobody_and_framed_by_nobody() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    for token in [token.as_str(), "forged"] {
        let path = format!("/answer/{token}");
        let page = world.bare(Method::GET, &path).send().await.unwrap();
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("referrer-policy"), "same-origin");
        assert_eq!(header("x-robots-tag"), "noindex, nofollow");
        assert_eq!(header("x-frame-options"), "DENY");
        let policy = header("content-security-policy");
        let parts: Vec<&str> = policy.split("; ").collect();
        let (first, rest) = parts.split_first().unwrap();
        assert_eq!(*first, "default-src 'none'");
        assert!(rest[0].starts_with("style-src 'nonce-"), "{policy}");
        let rest = &rest[1..];
        assert_eq!(
            rest,
            [
                "form-action 'self'",
                "frame-ancestors 'none'",
                "base-uri 'none'"
            ]
        );
        let page = page.text().await.unwrap();
        assert!(!page.contains(token) || token == "forged", "{page}");
        for foreign in ["<script", "http://", "https://", "<img", " style="] {
            assert!(!page.contains(foreign), "{foreign}: {page}");
        }
    }
    world.stop().await;
}

#[tokio::test]
async fn an_answer_by_mail_is_the_persons_own_and_counts_once() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    let form = "note=Go+on.%0D%0ABut+carefully&verdict=approve";
    let (status, page) = post(&world, &token, form).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("Your answer is recorded"), "{page}");
    assert!(page.contains("You answered as mel: approved."), "{page}");
    let decided = closed(&world, &mission, 0).await;
    assert_eq!(decided["decided"]["by"]["id"], "mel");
    assert_eq!(decided["decided"]["by"]["kind"], "human");
    assert_eq!(
        decided["decided"]["decision"]["note"],
        "Go on.\nBut carefully"
    );
    world.asked(&mission, 1).await;
    let store = world.host().store().tenant(&acme());
    let before = store.newest().await.unwrap();
    let (status, page) = post(&world, &token, form).await;
    assert_eq!(status, 200, "the same form again is the same answer");
    assert!(page.contains("recorded before"), "{page}");
    for other in [
        "verdict=approve",
        "verdict=reject",
        "verdict=approve&note=x",
    ] {
        let other = post(&world, &token, other).await;
        assert!(other.1.contains("You (mel) answered on 20"), "{}", other.1);
        assert_refused(other, (409, "ADJ-9061"));
    }
    let later = look(&world, &token).await;
    assert!(later.1.contains("Go on.\nBut carefully"), "{}", later.1);
    assert!(!later.1.contains("<form"), "{}", later.1);
    assert_refused(later, (410, "ADJ-9061"));
    assert_eq!(
        store.newest().await.unwrap(),
        before,
        "nothing more happened"
    );
    let audit = world.get("/api/audit?limit=1000&kind=sign_in").await;
    let lines = audit["lines"].as_array().unwrap().iter();
    let mels: Vec<&Value> = lines.filter(|line| line["by"] == "mel").collect();
    assert_eq!(mels.len(), 1, "{audit}");
    assert_eq!(mels[0]["what"]["noted"]["key"], "mail:mail");
    assert_eq!(mels[0]["what"]["noted"]["role"], "approver");
    world.stop().await;
}

#[tokio::test]
async fn the_first_answer_wins_wherever_it_comes_from() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    let token = world.answer_token("mail", &mission, 0);
    let late = post(&world, &token, "verdict=reject").await;
    assert!(late.1.contains("ann answered on 20"), "{}", late.1);
    assert_refused(late, (409, "ADJ-9061"));
    world.asked(&mission, 1).await;
    let token = world.answer_token("mail", &mission, 1);
    assert_eq!(post(&world, &token, "verdict=approve").await.0, 200);
    let late = world.decide(&mission, 1, "reject").await;
    assert_eq!(late.status(), 409);
    assert_eq!(read(late).await["code"], "ADJ-2011");
    assert_eq!(
        closed(&world, &mission, 1).await["decided"]["by"]["id"],
        "mel"
    );
    // Also when the mission is over.
    world.asked(&mission, 2).await;
    assert_eq!(world.decide(&mission, 2, "approve").await.status(), 200);
    let token = world.answer_token("mail", &mission, 2);
    assert_refused(
        post(&world, &token, "verdict=reject").await,
        (409, "ADJ-9061"),
    );
    world.stop().await;
}

#[tokio::test]
async fn an_option_must_be_one_that_is_offered() {
    let world = World::new().await;
    let mission = world.started("left|right").await;
    world.asked(&mission, 0).await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    let token = world.answer_token("mail", &mission, 1);
    let (_, page) = look(&world, &token).await;
    let radios = page
        .matches("<input type=\"radio\" name=\"option\"")
        .count();
    assert_eq!(radios, 2, "{page}");
    for (form, expected) in [
        ("verdict=approve", (422, "ADJ-2016")),
        ("verdict=approve&option=up", (422, "ADJ-2017")),
        ("verdict=approve&option=", (400, "ADJ-9062")),
        (
            "verdict=approve&option=left&option=right",
            (400, "ADJ-9062"),
        ),
        ("verdict=approve&option=left&by=ann", (400, "ADJ-9062")),
        ("", (400, "ADJ-9062")),
    ] {
        assert_refused(post(&world, &token, form).await, expected);
    }
    let path = format!("/answer/{token}");
    for kind in ["application/json", "text/plain", "multipart/form-data"] {
        let request = world.bare(Method::POST, &path).header("Content-Type", kind);
        let refused = request.body("verdict=approve&option=left").send();
        assert_refused(told(refused.await.unwrap()).await, (415, "ADJ-9062"));
    }
    let huge = format!("verdict=approve&option=left&note={}", "x".repeat(200_000));
    let request = world.bare(Method::POST, &path).header("Content-Type", FORM);
    assert_eq!(request.body(huge).send().await.unwrap().status(), 413);
    assert_eq!(closed(&world, &mission, 1).await, Value::Null);
    let (status, page) = post(&world, &token, "option=right&note=&verdict=approve").await;
    assert_eq!(status, 200, "{page}");
    let decided = closed(&world, &mission, 1).await;
    assert_eq!(decided["decided"]["decision"]["option"], "right");
    world.stop().await;
}

#[tokio::test]
async fn whoever_started_a_mission_does_not_approve_it_by_mail_either() {
    let world = World::with_four_eyes(vec![CheckpointType::PlanApproval]).await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let own = world.answer_token("own", &mission, 0);
    assert_refused(
        post(&world, &own, "verdict=approve").await,
        (403, "ADJ-2013"),
    );
    assert_eq!(closed(&world, &mission, 0).await, Value::Null);
    let mels = world.answer_token("mail", &mission, 0);
    assert_eq!(post(&world, &mels, "verdict=approve").await.0, 200);
    world.stop().await;
}

#[tokio::test]
async fn a_role_must_be_held_and_approvers_are_counted() {
    let world = World::new().await;
    let for_role = |role: &str| Human {
        role: Some(Role::new(role).unwrap()),
        ..human("Pay it?")
    };
    let mission = asks(&world, "Bills", for_role("legal")).await;
    let token = world.answer_token("mail", &mission, 1);
    assert_refused(
        post(&world, &token, "verdict=approve").await,
        (403, "ADJ-2014"),
    );
    assert_eq!(closed(&world, &mission, 1).await, Value::Null);
    let mission = asks(&world, "Bills", for_role("finance")).await;
    let token = world.answer_token("mail", &mission, 1);
    let (_, page) = look(&world, &token).await;
    assert!(page.contains("as mel, in the role finance."), "{page}");
    assert_eq!(post(&world, &token, "verdict=approve").await.0, 200);
    let decided = closed(&world, &mission, 1).await;
    assert_eq!(decided["decided"]["by"]["role"], "finance");

    let two = Human {
        approvers: Some(Approvers {
            by: Vec::new(),
            needed: 2,
        }),
        ..human("Pay it?")
    };
    let mission = asks(&world, "Bills", two).await;
    let token = world.answer_token("mail", &mission, 1);
    for _ in 0..2 {
        assert_eq!(post(&world, &token, "verdict=approve").await.0, 200);
        assert_eq!(closed(&world, &mission, 1).await, Value::Null);
    }
    let (_, page) = look(&world, &token).await;
    assert!(page.contains("Approved so far by mel."), "{page}");
    assert_eq!(world.decide(&mission, 1, "approve").await.status(), 200);
    assert_ne!(closed(&world, &mission, 1).await, Value::Null);
    world.stop().await;
}

#[tokio::test]
async fn a_page_elsewhere_cannot_send_the_form() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    let path = format!("/answer/{token}");
    let from = |name: &'static str, value: String| {
        let request = world.bare(Method::POST, &path).header("Content-Type", FORM);
        request.header(name, value).body("verdict=approve").send()
    };
    for origin in ["https://evil.example", "null", "http://127.0.0.1"] {
        let refused = from("Origin", origin.to_owned()).await.unwrap();
        assert_eq!(refused.status(), 403, "{origin}");
        assert_eq!(read(refused).await["code"], "ADJ-9005");
    }
    let refused = from("Host", "evil.example".to_owned()).await.unwrap();
    assert_eq!(refused.status(), 421);
    assert_eq!(closed(&world, &mission, 0).await, Value::Null);
    let own = from("Origin", world.base.clone()).await.unwrap();
    assert_eq!(own.status(), 200, "its own page can");
    world.stop().await;
}

/// Whatever is wrong with a token, its sender learns nothing from the answer.
#[tokio::test]
async fn a_token_that_opens_nothing_is_told_nothing() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    let id = CheckpointId {
        mission: mission.parse().unwrap(),
        number: CheckpointNumber::new(0),
    };
    let changed = |change: &dyn Fn(&mut AnswerLink)| {
        let mut link = world.link("mail").clone();
        change(&mut link);
        let url = link.url(id);
        url.rsplit('/').next().unwrap().to_owned()
    };
    let name = |text: &str| ChannelName::new(text).unwrap();
    let forged = [
        "x".to_owned(),
        token[1..].to_owned(),
        token[..token.len() - 1].to_owned(),
        format!("{token}A"),
        "x".repeat(5_000),
        "%ff%00".to_owned(),
        token.replace("-0.", "-1."),
        changed(&|link| link.person = AgentId::new("bo").unwrap()),
        changed(&|link| link.address = "bo@example.org".into()),
        changed(&|link| link.tenant = TenantId::new("rival").unwrap()),
        changed(&|link| link.channel = name("other")),
        changed(&|link| link.channel = name("own")),
        changed(&|link| link.key = AnswerKey::of_master(&"5f".repeat(32))),
    ];
    let mut pages = Vec::new();
    for forged in &forged {
        let looked = look(&world, forged).await;
        let posted = post(&world, forged, "verdict=approve").await;
        let nonsense = post(&world, forged, "nonsense").await;
        assert_eq!(looked, posted, "{forged}");
        assert_eq!(looked, nonsense, "{forged}");
        pages.push(looked);
    }
    pages.dedup();
    let [page] = pages.try_into().unwrap();
    let shown = page.1.split("</style>").nth(1).unwrap();
    for told in ["red", "mel", "acme", mission.as_str()] {
        assert!(!shown.contains(told), "{told}: {shown}");
    }
    assert_refused(page, (404, "ADJ-9060"));
    assert_eq!(closed(&world, &mission, 0).await, Value::Null);
    let audit = world.get("/api/audit?kind=sign_in_refused").await;
    let noted = &audit["lines"][0]["what"]["noted"];
    assert_eq!(noted["kind"], "sign_in_refused", "{audit}");

    let neighbour = world
        .neighbour(TenantId::new("rival").unwrap(), "eve", "a token of theirs")
        .await;
    let path = format!("/answer/{token}");
    let there = world.request_to(&neighbour.base, Method::GET, &path).send();
    assert_refused(told(there.await.unwrap()).await, (404, "ADJ-9060"));
    neighbour.stop().await;
    world.stop().await;
}

#[tokio::test]
async fn what_a_mission_says_is_text_and_never_markup() {
    let world = World::new().await;
    let evil = "<script>alert(1)</script>\"><img src=x onerror=alert(2)>&amp;'";
    let option = ChoiceOption {
        key: OptionKey::new("left").unwrap(),
        label: format!("label {evil}"),
        description: format!("description {evil}"),
        pros: vec![format!("pro {evil}")],
        cons: vec![format!("con {evil}")],
        cost: Some(MicroUsd(2_500_000)),
        time: Some(Millis::hours(3)),
        risk: Some(Risk::High),
    };
    let asked = Human {
        options: vec![option],
        recommend: Some(OptionKey::new("left").unwrap()),
        because: format!("reason {evil}"),
        ..human(&format!("question {evil}"))
    };
    let mission = asks(&world, &format!("title {evil}"), asked).await;
    let safe = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(2)&gt;&amp;amp;'";
    let assert_safe = |page: &str, words: &[&str]| {
        for raw in ["<script", "<img", "onerror=alert(2)>\""] {
            assert!(!page.contains(raw), "{raw}: {page}");
        }
        for word in words {
            assert!(page.contains(&format!("{word} {safe}")), "{word}: {page}");
        }
    };
    for channel in ["mail", "own"] {
        let token = world.answer_token(channel, &mission, 1);
        let (status, page) = look(&world, &token).await;
        assert_eq!(status, 200);
        let all = [
            "title",
            "question",
            "label",
            "description",
            "pro",
            "con",
            "reason",
        ];
        assert_safe(&page, &all);
        assert!(page.contains("$2.50 · 3 h 0 min · high risk"), "{page}");
    }
    let token = world.answer_token("mail", &mission, 1);
    let form = "verdict=approve&option=left&note=note+%3Cscript%3Ealert(1)%3C/script%3E";
    let (status, page) = post(&world, &token, form).await;
    assert_eq!(status, 200);
    assert_safe(&page, &["title", "question", "label"]);
    let (status, page) = look(&world, &token).await;
    assert_eq!(status, 410);
    assert_safe(&page, &["title", "question", "label"]);
    assert!(page.contains("note &lt;script&gt;"), "{page}");
    // The reader's own words come back in a refusal.
    let odd = post(&world, &token, "verdict=approve&%3Cscript%3E=1").await;
    assert!(odd.1.contains("&lt;script&gt;"), "{}", odd.1);
    assert_safe(&odd.1, &[]);
    world.stop().await;
}

#[tokio::test]
async fn the_page_shows_of_people_what_the_mail_shows() {
    let world = World::new().await;
    let asked = human("May Patient K.T.W., born 14.02.1957, be told?");
    let mission = asks(&world, "A letter to Patient K.T.W.", asked).await;
    let (_, mels) = look(&world, &world.answer_token("mail", &mission, 1)).await;
    assert!(!mels.contains("K.T.W") && !mels.contains("1957"), "{mels}");
    assert!(mels.contains("May Patient [NAME], born [BORN]"), "{mels}");
    assert!(mels.contains("Personal data is replaced"), "{mels}");
    let (_, anns) = look(&world, &world.answer_token("own", &mission, 1)).await;
    assert!(anns.contains("Patient K.T.W., born 14.02.1957"), "{anns}");
    assert!(!anns.contains("Personal data"), "{anns}");
    let own = world.answer_token("own", &mission, 1);
    let form = "verdict=reject&note=Patient+K.T.W.+said+no";
    assert_eq!(post(&world, &own, form).await.0, 200);
    let (_, mels) = look(&world, &world.answer_token("mail", &mission, 1)).await;
    assert!(
        mels.contains("ann answered") && !mels.contains("K.T.W"),
        "{mels}"
    );
    world.stop().await;
}

#[tokio::test]
async fn a_mission_that_is_gone_is_told_as_gone() {
    let world = World::new().await;
    let none = MissionId::from_bits(7).to_string();
    let token = world.answer_token("mail", &none, 0);
    assert_refused(look(&world, &token).await, (404, "ADJ-5001"));
    assert_refused(
        post(&world, &token, "verdict=approve").await,
        (404, "ADJ-5001"),
    );
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let unasked = world.answer_token("mail", &mission, 9);
    assert_refused(look(&world, &unasked).await, (404, "ADJ-2010"));
    assert_eq!(world.decide(&mission, 0, "reject").await.status(), 200);
    let erase = Upkeep::Erase {
        missions: vec![mission.parse().unwrap()],
        triggers: Vec::new(),
        by: Actor::human(AgentId::new("ann").unwrap()),
        reason: "asked to".into(),
    };
    world.host().upkeep(&acme(), erase).await.unwrap();
    let token = world.answer_token("mail", &mission, 0);
    assert_refused(look(&world, &token).await, (410, "ADJ-4005"));
    assert_refused(
        post(&world, &token, "verdict=approve").await,
        (410, "ADJ-4005"),
    );
    world.stop().await;
}

/// The link is a secret: it is in the mail, and nowhere else.
#[tokio::test]
async fn a_link_is_neither_logged_nor_recorded() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let token = world.answer_token("mail", &mission, 0);
    let tag = token.rsplit('.').next().unwrap();
    look(&world, &token).await;
    look(&world, &token[1..]).await;
    post(&world, &token, "verdict=maybe").await;
    post(&world, &token, "verdict=approve").await;
    post(&world, &token, "verdict=reject").await;
    let logged = world.logged.lock().unwrap().join("\n");
    assert!(!logged.contains(tag), "{logged}");
    let answered: Vec<&str> = logged
        .lines()
        .filter(|line| line.contains("/answer/{token}"))
        .collect();
    assert_eq!(answered.len(), 5, "{logged}");
    let known = answered.iter().filter(|line| line.contains("mel")).count();
    assert_eq!(known, 4, "{logged}");
    for code in ["ADJ-9060", "ADJ-9061", "ADJ-9062"] {
        assert!(logged.contains(code), "{logged}");
    }
    for path in [
        "/api/audit?limit=1000".to_owned(),
        format!("/api/missions/{mission}"),
        format!("/api/missions/{mission}/checkpoints"),
    ] {
        let told = world.get(&path).await.to_string();
        assert!(!told.contains(tag), "{path}: {told}");
    }
    let metrics = world.request(Method::GET, "/metrics").send().await.unwrap();
    assert!(!metrics.text().await.unwrap().contains(tag));
    assert_ne!(closed(&world, &mission, 0).await, json!(null));
    world.stop().await;
}
