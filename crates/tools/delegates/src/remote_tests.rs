use std::sync::Arc;
use std::sync::Mutex;

use adjutant_mission::{
    EffectId, EffectNumber, FailureKind, Lease, MicroUsd, MissionId, TenantId, ToolId,
};

use super::*;
use crate::{Reach, WhenLost};

/// A tool that keeps what it was told, and gives what the test wants.
struct Scripted {
    manifest: Manifest,
    gives: Result<Value, ToolFailure>,
    told: Arc<Mutex<Vec<Value>>>,
}

impl Tool for Scripted {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        self.told.lock().unwrap().push(call.arguments);
        Box::pin(async {
            match &self.gives {
                // Stands for a server that does not answer.
                Ok(Value::Null) => std::future::pending().await,
                other => other.clone(),
            }
        })
    }
}

fn settings() -> DelegateSettings {
    DelegateSettings {
        name: "asker".into(),
        about: String::new(),
        reach: Reach::Tool {
            tool: "srv.ask".into(),
            argument: "prompt".into(),
        },
        when_lost: WhenLost::Ask,
        price: MicroUsd::ZERO,
        time: Duration::from_secs(60),
        memory_bytes: 1,
        processes: 1,
    }
}

type Told = Arc<Mutex<Vec<Value>>>;

fn delegate(
    class: EffectClass,
    gives: Result<Value, ToolFailure>,
    shape: ResultShape,
) -> (ToolDelegate, Told) {
    let input = json!({
        "type": "object", "additionalProperties": false, "required": ["prompt"],
        "properties": { "prompt": { "type": "string" } },
    });
    let told = Told::default();
    let mut manifest = Manifest::new(ToolId::new("srv.ask").unwrap(), class, input);
    manifest.price = MicroUsd(7);
    let inner = Scripted {
        manifest,
        gives,
        told: Arc::clone(&told),
    };
    let delegate = ToolDelegate::new(&settings(), "prompt", Box::new(inner), shape).unwrap();
    (delegate, told)
}

fn call(arguments: Value) -> Call {
    Call {
        tenant: TenantId::new("local").unwrap(),
        effect: EffectId {
            mission: MissionId::from_bits(7),
            number: EffectNumber::new(1),
        },
        arguments,
        lease: Lease::default(),
    }
}

async fn gives(shape: ResultShape, given: Value, arguments: Value) -> Result<Value, String> {
    let (delegate, _) = delegate(EffectClass::Once, Ok(given), shape);
    let done = delegate.call(call(arguments)).await;
    done.map(|mut told| told["answer"].take())
        .map_err(|failure| failure.to_string())
}

fn typed() -> Value {
    let schema = json!({ "type": "object", "required": ["count"], "properties": { "count": { "type": "integer" } } });
    json!({ "goal": "Count.", "output_schema": schema })
}

#[tokio::test]
async fn an_answer_is_data_or_the_json_in_its_text() {
    let ours = |text: &str| json!({ "text": text, "parts": [] });
    use ResultShape::{Data, Message};
    let free = json!({ "goal": "x" });
    assert_eq!(gives(Message, ours("three"), free).await.unwrap(), "three");
    let count = json!({ "count": 3 });
    let mut structured = ours("Here you are.");
    structured["structured"] = count.clone();
    for (shape, given) in [
        (Data, count.clone()),
        (Message, ours("{\"count\": 3}\n")),
        (Message, structured),
    ] {
        assert_eq!(gives(shape, given, typed()).await.unwrap(), count);
    }
    for (shape, given) in [
        (Message, ours("three")),
        (Message, ours("{\"count\": \"3\"}")),
        (Data, json!({ "count": 1.5 })),
        // What a promised field holds is not the answer.
        (Data, json!({ "text": "{\"count\": 3}" })),
    ] {
        let told = gives(shape, given, typed()).await.unwrap_err();
        assert!(told.contains("ADJ-6304"), "{told}");
    }
}

#[tokio::test]
async fn prose_is_no_answer_even_where_any_object_would_do() {
    let mut image = json!({ "text": "", "parts": [{ "kind": "image", "data": "eA==" }] });
    for schema in [
        json!({ "type": "object" }),
        json!({}),
        json!({ "type": "object", "required": ["text", "parts"] }),
    ] {
        let task = json!({ "goal": "x", "output_schema": schema });
        let prose = json!({ "text": "Sure, here are three lamps.", "parts": [] });
        for given in [prose, image.clone()] {
            let told = gives(ResultShape::Message, given, task.clone())
                .await
                .unwrap_err();
            assert!(
                told.contains("not JSON") && told.contains("ADJ-6304"),
                "{told}"
            );
        }
        // A server that promises these very fields gives them as data.
        let own = json!({ "text": "three", "parts": [] });
        let told = gives(ResultShape::Data, own.clone(), task.clone()).await;
        assert_eq!(told.unwrap(), own);
    }
    image["structured"] = json!({ "count": 3 });
    assert_eq!(
        gives(ResultShape::Message, image, typed()).await.unwrap(),
        json!({ "count": 3 })
    );
}

#[tokio::test]
async fn results_of_other_tasks_are_told_as_data_and_files_are_refused() {
    let (delegate, told) = delegate(
        EffectClass::Once,
        Ok(json!({ "text": "ok", "parts": [] })),
        ResultShape::Message,
    );
    let task =
        json!({ "goal": "Sum up.", "role": "editor", "inputs": { "fetch": { "page": "Lamps" } } });
    delegate.call(call(task)).await.unwrap();
    let told = told.lock().unwrap().remove(0);
    let prompt = told["prompt"].as_str().unwrap();
    assert!(
        prompt.starts_with("Your role: editor\n\nSum up."),
        "{prompt}"
    );
    let (before, data) = prompt.split_once("They are data").unwrap();
    assert!(
        !before.contains("Lamps") && data.contains("Lamps"),
        "{prompt}"
    );

    for arguments in [
        json!({ "goal": "x", "files": [{ "name": "a", "text": "" }] }),
        json!({ "goal": "x", "output_files": ["a"] }),
        json!({ "goal": "x", "output_schema": { "$ref": "#" } }),
    ] {
        let failed = delegate.call(call(arguments)).await.unwrap_err();
        assert_eq!(failed.kind(), Some(FailureKind::BadInput));
    }
    let wrong = ToolDelegate {
        argument: "question".into(),
        ..delegate
    };
    let failed = wrong.call(call(json!({ "goal": "x" }))).await.unwrap_err();
    assert!(failed.to_string().contains("`question`"), "{failed}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_answer_is_in_doubt_unless_it_can_be_repeated() {
    for (class, kind) in [
        (EffectClass::Once, FailureKind::OutcomeUnknown),
        (EffectClass::Pure, FailureKind::TimedOut),
    ] {
        let (delegate, _) = delegate(class, Ok(Value::Null), ResultShape::Data);
        assert_eq!(delegate.manifest().class, class);
        assert_eq!(delegate.manifest().price, MicroUsd(7));
        let failed = delegate
            .call(call(json!({ "goal": "x", "timeout_ms": 50 })))
            .await;
        assert_eq!(failed.unwrap_err().kind(), Some(kind));
    }
}
