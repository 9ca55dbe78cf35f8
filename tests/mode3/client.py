"""A client of the Mode 3 API, written from its document alone: starts, streams, approves, modifies, cancels.

usage: client.py ADDRESS TOKEN AGENT_ID KNOWLEDGE_BASE
"""

import http.client
import json
import sys
import uuid
from urllib.parse import urlsplit

STATUS = {"planning", "executing", "awaiting_hitl", "synthesizing", "complete", "error"}
CHECKPOINTS = {"plan_approval", "tool_approval", "subagent_approval", "critical_decision", "final_review"}

address, token, agent_id, knowledge_base = sys.argv[1:]
host = urlsplit(address).netloc


def call(method, path, body=None):
    connection = http.client.HTTPConnection(host, timeout=120)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request(method, path, body=json.dumps(body) if body is not None else None, headers=headers)
    return connection.getresponse()


def asked(method, path, body=None):
    response = call(method, path, body)
    text = response.read()
    assert response.status == 200, (path, response.status, text)
    return json.loads(text)


def events(response):
    """Each event of a stream, as `event: …` and `data: …` say it."""
    name, data = None, None
    for line in response:
        line = line.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[len("event: "):]
        elif line.startswith("data: "):
            data = json.loads(line[len("data: "):])
        elif line == "" and name:
            assert data["type"] == name and data["timestamp"] and isinstance(data["data"], dict), data
            yield name, data["session_id"], data["data"]
            name, data = None, None


def start(message):
    response = call("POST", "/api/mode3/stream", {
        "agent_id": agent_id,
        "message": message,
        "mission_type": "deep_dive",
        "autonomy_level": "balanced",
        "context": {"knowledge_bases": [knowledge_base]},
    })
    assert response.status == 200, (response.status, response.read())
    assert response.headers["Content-Type"].startswith("text/event-stream")
    return events(response)


def status(session):
    told = asked("GET", f"/api/mode3/{session}/status")
    assert told["session_id"] == session and told["status"] in STATUS, told
    assert isinstance(told["progress_percent"], (int, float)) and isinstance(told["awaiting_hitl"], bool), told
    return told


def respond(session, checkpoint, decision, modifications=None):
    body = {"checkpoint_id": checkpoint["id"], "decision": decision}
    if modifications:
        body["modifications"] = modifications
    asked("POST", f"/api/mode3/hitl/{session}/respond", body)


def checked(checkpoint):
    uuid.UUID(checkpoint["id"])
    assert checkpoint["checkpoint_type"] in CHECKPOINTS, checkpoint
    assert checkpoint["title"] and isinstance(checkpoint["context"], dict), checkpoint
    assert isinstance(checkpoint["options"], list), checkpoint
    assert checkpoint["timeout_seconds"] == 300 and checkpoint["auto_action_on_timeout"] == "reject", checkpoint
    return checkpoint


# Approves everything, and guides once.
seen, guided, session = [], False, None
for name, session, data in start("What is known of Velmoran 40 mg and systolic pressure?"):
    uuid.UUID(session)
    seen.append(name)
    if name.startswith("checkpoint_") and name != "checkpoint_timeout":
        checkpoint = checked(data)
        pending = status(session)["pending_checkpoint"]
        assert pending is not None and pending["id"], pending
        if not guided:
            guided = True
            respond(session, checkpoint, "modify", "Look at patients with weak kidneys, too.")
        respond(session, checkpoint, "approve")
for expected in ["plan_created", "agent_started", "reasoning_step", "tool_invoked", "tool_result",
                 "checkpoint_plan_approval", "user_response_received", "checkpoint_final_review", "complete"]:
    assert expected in seen, (expected, seen)
ended = status(session)
assert ended["status"] == "complete" and ended["progress_percent"] == 100, ended

# Cancels.
for name, session, data in start("What is known of the shelf life of Velmoran?"):
    if name == "checkpoint_plan_approval":
        asked("POST", f"/api/mode3/{session}/cancel")
    last = name
assert last == "error", last
assert status(session)["status"] == "error", status(session)

# Rejects.
for name, session, data in start("What is known of the supply of Velmoran?"):
    if name == "checkpoint_plan_approval":
        respond(session, checked(data), "reject")
    last = name
assert last == "error", last
print("started, streamed, guided, approved, cancelled, rejected")
