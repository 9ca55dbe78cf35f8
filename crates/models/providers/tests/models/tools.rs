use std::sync::Mutex;

use adjutant_providers::{
    AskOptions, Calling, Route, TOOL_ROUNDS_MAX, ToolCall, ToolDefinition, ToolFuture, ToolHandler,
    Tools,
};
use adjutant_questions::AskFailure;
use adjutant_stand_ins::models::{Answer, Call, Misbehaviour, Received, Reply, Server};
use serde_json::json;

use crate::support::{KINDS, ONE, answer, ask, models, settings};

#[derive(Default)]
struct Library {
    asked: Mutex<Vec<ToolCall>>,
}

impl ToolHandler for Library {
    fn call(&self, call: ToolCall) -> ToolFuture<'_> {
        self.asked.lock().unwrap().push(call);
        Box::pin(async { Ok("the sky is blue".to_owned()) })
    }
}

fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: "look_up".to_owned(),
        description: "Looks something up.".to_owned(),
        schema: json!({ "type": "object", "properties": { "query": { "type": "string" } } }),
    }]
}

fn calling(arguments: &str) -> Reply {
    let call = |id: &str| Call {
        id: id.to_owned(),
        name: "look_up".to_owned(),
        arguments: arguments.to_owned(),
    };
    Reply::Answer(Answer::calling(vec![call("call_1"), call("call_2")]))
}

#[tokio::test]
async fn tools_are_called_and_their_results_sent_back() {
    for kind in KINDS {
        let script = |request: &Received| match request.number {
            1 => calling("{\"query\": \"the colour of the sky\"}"),
            _ => Reply::Answer(Answer::new(answer().to_string())),
        };
        let server = Server::start(script).await.unwrap();
        let models = models(&settings(kind, &server.url(), "", ONE));
        let (library, definitions) = (Library::default(), definitions());
        let tools = Tools {
            definitions: &definitions,
            handler: &library,
        };
        let options = AskOptions {
            watcher: None,
            tools: Some(tools),
        };
        let given = models.ask(&ask(), options).await.unwrap();
        assert_eq!(given.output.value(), answer());
        let asked = library.asked.lock().unwrap();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].arguments["query"], "the colour of the sky");
        let received = server.received();
        let second = received[1].body["messages"].to_string();
        assert_eq!(second.matches("\"the sky is blue\"").count(), 2, "{second}");
        assert!(second.contains("call_1") && second.contains("call_2"));
        assert!(received[0].body["tools"].is_array());
    }
}

#[tokio::test]
async fn broken_calls_go_back_to_the_model_and_loops_end() {
    for kind in KINDS {
        for misbehaviour in [Misbehaviour::ToolLoop, Misbehaviour::BrokenToolCall] {
            let script = move |_: &Received| Reply::Misbehave(misbehaviour, Answer::new(""));
            let server = Server::start(script).await.unwrap();
            let models = models(&settings(kind, &server.url(), "", ONE));
            let (library, definitions) = (Library::default(), definitions());
            let tools = Tools {
                definitions: &definitions,
                handler: &library,
            };
            let options = AskOptions {
                watcher: None,
                tools: Some(tools),
            };
            let ask = ask();
            let bound = models.bound_when(&Route::from(&ask), ask.limits, Calling::Tools);
            let failed = models.ask(&ask, options).await.unwrap_err();
            let wanted = AskFailure::ToolLoop {
                provider: "p".to_owned(),
                rounds_max: TOOL_ROUNDS_MAX,
            };
            assert_eq!(failed.failure, wanted);
            assert!(failed.cost <= bound.unwrap().money);
            let called = library.asked.lock().unwrap().len();
            let broken = misbehaviour == Misbehaviour::BrokenToolCall;
            assert_eq!(called == 0, broken);
            if broken {
                let second = server.received()[1].body["messages"].to_string();
                assert!(second.contains("not JSON"), "{second}");
            }
        }
    }
}
