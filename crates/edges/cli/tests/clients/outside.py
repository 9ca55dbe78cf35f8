"""Runs workflows as an agent program would, with the official MCP client for Python.

    python outside.py PATH_OF_ADJUTANT stdio|http stays|killed

ADJUTANT_HOME names a fresh data folder. With `killed` the server is killed between every two calls.
The last line is `done WORKFLOW_ID` if everything held.
"""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

CALL_SECONDS = 30       # a call returns within about 20 seconds
REFUSAL_SECONDS = 5
START_SECONDS = 20      # for the server to get ready
SETTLE_SECONDS = 40     # for a workflow to rest
PID_FILE = Path("adjutant.pid")

# What the folder of the project holds. The agent can read it; the workflow only gets what it is sent.
PROJECT = {"data.xml": "<r><n v='1'/><n v='41'/></r>", "notes.txt": "nothing", "more.xml": "<r><n v='7'/></r>"}
FILES = {"files": list(PROJECT)}
PARSED = {"data.xml": [1, 41], "more.xml": [7]}
PARSER = """import glob, json, xml.etree.ElementTree as tree
rows = {name: [int(n.get("v")) for n in tree.parse(name).iter("n")] for name in sorted(glob.glob("*.xml"))}
print(json.dumps(rows))"""
SUMMARY = "3 files, rows: " + json.dumps(PARSED)
STAND = ("workflow_id", "status", "approvals", "checkpoint", "completed_layer", "layer_results", "accumulated_results",
         "next_layer_preview", "reason")


class Refused(Exception):
    """A request that was refused with coded errors."""

    def __init__(self, errors):
        check(errors, "a refusal names no fault")
        for error in errors:
            coded = re.fullmatch(r"ADJ-\d{4}", error.get("code", ""))
            check(coded and (error.get("message") or error.get("detail")), "a refusal has no code or no message", error)
        super().__init__(json.dumps(errors))
        self.codes = {error["code"] for error in errors}


def check(holds, what, seen=None):
    if not holds:
        raise AssertionError(what if seen is None else f"{what}; seen: {json.dumps(seen, default=str)[:1500]}")


def same(seen, wanted, what):
    check(seen == wanted, f"{what}: wanted {json.dumps(wanted, default=str)}", seen)


def ids(tasks):
    return [one["id"] for one in tasks]


def task(name, tool, after, **arguments):
    return {"id": name, "tool": tool, "depends_on": after, "arguments": arguments}


class Server:
    """Adjutant, with the connection of the agent and the ways of the person: the command line, or another token."""

    def __init__(self, program, http, kills):
        self.program, self.http, self.kills = program, http, kills
        self.connection, self.process, self.tokens = AsyncExitStack(), None, {}
        self.began = None       # when the newest call began
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{probe.getsockname()[1]}"

    async def start(self):
        if self.http:
            await self.serve()
            client = self.client_of("coder", "analyst")
            transport = streamable_http_client(f"http://{self.address}/mcp", http_client=client)
            self.connection.push_async_callback(client.aclose)
        else:
            # The client does not tell the id of the process: a shell notes it and becomes the server.
            words = ["-c", 'echo $$ > "$0" && exec "$@" mcp', str(PID_FILE), self.program]
            transport = StdioServerParameters(command="sh", args=words, env=dict(os.environ))
        self.client = await self.connection.enter_async_context(Client(transport, read_timeout_seconds=CALL_SECONDS))

    async def serve(self):
        self.process = subprocess.Popen([self.program, "serve", "--listen", self.address], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS
        while not self.ready():
            check(self.process.poll() is None and time.monotonic() < until, "`serve` does not get ready")
            await asyncio.sleep(0.05)
        for owner, role in () if self.tokens else (("coder", "analyst"), ("coder", "operator"), ("bea", "approver")):
            said = await self.command("access", "add", owner, "--role", role, "--days", "1")
            check(re.search(r"adj_\w+", said), "`access add` printed no token", said)
            self.tokens[owner, role] = re.search(r"adj_\w+", said).group()

    def ready(self):
        with suppress(httpx2.TransportError):
            return httpx2.get(f"http://{self.address}/ready", timeout=2).status_code == 200

    def client_of(self, *whom):
        return httpx2.AsyncClient(headers={"Authorization": f"Bearer {self.tokens[whom]}"}, timeout=CALL_SECONDS)

    async def stop(self):
        await self.connection.aclose()
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(15)
            finally:
                self.process.kill()

    async def between_calls(self):
        """Comes before every call and kills the server if it is not the first one."""
        if self.kills and self.began:
            os.kill(self.process.pid if self.http else int(PID_FILE.read_text()), signal.SIGKILL)
            await self.stop()
            await self.start()
        self.began = time.monotonic()

    async def call(self, tool, **arguments):
        """Calls a tool as the agent: its answer, or Refused."""
        await self.between_calls()
        result = await self.client.call_tool(tool, arguments)
        answer = result.structured_content
        check(isinstance(answer, dict), f"{tool} gave no object", result.content)
        if result.is_error:
            check("status" not in answer, f"a refusal of {tool} has a status", answer)
            raise Refused(answer.get("errors"))
        return answer

    async def command(self, *words):
        """Runs adjutant on the command line of the server's machine. Gives its output."""
        run = await asyncio.to_thread(
            subprocess.run, [self.program, *words], capture_output=True, text=True, timeout=CALL_SECONDS)
        same(run.returncode, 0, f"the exit code of {words}, which said {run.stdout!r} {run.stderr!r}")
        return run.stdout

    async def decide(self, owner, role, workflow, number):
        """Approves over HTTP, with the token that the owner has for this role."""
        await self.between_calls()
        path = f"/api/missions/{workflow}/checkpoints/{number}/decision"
        async with self.client_of(owner, role) as client:
            response = await client.post(f"http://{self.address}{path}", json={"verdict": "approve"})
        if response.status_code != 200:
            raise Refused([response.json()])

    async def refused(self, request, wanted=None):
        """Demands that a request is refused in time, with the code `wanted` if there is one."""
        try:
            answer = await request
        except Refused as refusal:
            seconds = time.monotonic() - self.began
            check(seconds < REFUSAL_SECONDS, f"a refusal took {seconds:.1f} seconds", str(refusal))
            check(wanted is None or wanted in refusal.codes, f"a refusal is not {wanted}", str(refusal))
        else:
            check(False, f"a request was not refused ({wanted or 'any code'})", answer)

    async def person_approves(self, workflow, number):
        if self.http:
            await self.decide("bea", "approver", workflow, number)
        else:
            await self.between_calls()
            await self.command("decide", f"{workflow[-6:]}-{number}", "approve")

    async def agent_approves(self, workflow, number):
        """The agent tries to answer a question of its own workflow, in every way it has."""
        await self.refused(self.call("approval_response", workflow_id=workflow, checkpoint=number, approved=True))
        if self.http:
            await self.refused(self.decide("coder", "analyst", workflow, number))
            await self.refused(self.decide("coder", "operator", workflow, number), "ADJ-6236")


async def settle(server, answer, asked=None):
    """Waits until the workflow rests. With `asked` the person approves, and it gets the kinds of the questions."""
    until = time.monotonic() + SETTLE_SECONDS
    while answer["status"] == "running" or answer["status"] == "awaiting_approval" and asked is not None:
        check(time.monotonic() < until, "the workflow does not come to rest", answer)
        if answer["status"] == "running":
            await asyncio.sleep(answer["ask_again_after_seconds"])
        else:
            question = answer["approvals"][0]
            asked.append(question["kind"])
            await server.person_approves(answer["workflow_id"], question["checkpoint"])
        answer = await server.call("workflow_status", workflow_id=answer["workflow_id"])
    return answer


async def execute(server, **request):
    return await settle(server, await server.call("execute_workflow", **request))


def same_stand(seen, wanted):
    same([seen.get(name) for name in STAND], [wanted.get(name) for name in STAND], "how the workflow stands")


async def unchanged(server, answer, attempt=None):
    """Demands that the workflow stands as in `answer`, also after an attempt that may be refused."""
    if attempt:
        with suppress(Refused):
            await attempt
    same_stand(await server.call("workflow_status", workflow_id=answer["workflow_id"]), answer)


def check_layer(answer, number, done, coming, before):
    """Checks the answer after a layer of one task. `before` are the results of the layers before. Gives the output."""
    same([answer["status"], answer.get("completed_layer")], ["layer_complete", number], "the end of a layer")
    results, preview = answer["layer_results"], answer["next_layer_preview"]
    same([[one["id"], one["status"]] for one in results], [[done, "completed"]], f"layer_results of {number}")
    same(answer["accumulated_results"], before + [results], f"accumulated_results at {number}")
    same([preview["layer"], ids(preview["tasks"])], [number + 1, [coming]], "next_layer_preview")
    same(sorted(one["value"] for one in answer["options"]), ["abort", "continue", "replan"], "the options")
    return results[0]["output"]


async def replan(server, answer):
    """Adds the parsing of the XML files: first in words, then with exact tasks. Gives the name of the parser."""
    xml = {name: PROJECT[name] for name in answer["layer_results"][0]["output"]["files"] if name.endswith(".xml")}
    change = {"workflow_id": answer["workflow_id"], "new_requirement": "Parse the XML files with Python code",
              "available_context": {"xml_files": list(xml), "files": xml, "language": "python", "code": PARSER}}
    added = []
    try:
        changed = await server.call("replan_dag", **change, idempotency_key="in words")
    except Refused as refusal:
        # No tool serves the words, or an argument is missing: then nothing was changed.
        check(refusal.codes <= {"ADJ-6253", "ADJ-6254", "ADJ-6255"}, "replan in words", str(refusal))
        await unchanged(server, answer)
    else:
        # A workflow that waits for the agent's validation is changed at any confidence.
        check("replanned" in changed, "replan_dag does not say what was added", changed)
        replanned, added = changed["replanned"], changed["replanned"]["added"]
        check(added and set(replanned["changed"]) <= {"summary", "save"}, "what was added and changed", replanned)
        changed = await settle(server, changed)
        check(set(ids(changed["next_layer_preview"]["tasks"])) & set(ids(added)), "no new task comes next", changed)
        again = await server.call("replan_dag", **change, idempotency_key="in words")
        same_stand(await settle(server, again), changed)
    # Whatever the words gave, these tasks take its place. The parser keeps the name that it got.
    parser = next((one["id"] for one in added if one["tool"] == "run_code"), "parse_xml")
    values = {"files": "{{list_files.output.files}}", "rows": "{{%s.output.stdout}}" % parser}
    summary = "[[ files | length ]] files, rows: [[ rows | trim ]]"
    tasks = [task(parser, "run_code", ["list_files"], language="python", code=PARSER, files=xml),
             task("summary", "template", ["list_files", parser], template=summary, values=values),
             task("save", "write_file", ["summary"], path="save.txt", text="{{summary.output.text}}")]
    change |= {"tasks": tasks, "drop": [name for name in ids(added) if name != parser]}
    return parser, await settle(server, await server.call("replan_dag", **change, idempotency_key="exact"))


async def graph(server, files):
    """An explicit graph, validated layer by layer and changed after the first one."""
    values = {"files": "{{list_files.output.files}}"}
    tasks = [task("list_files", "noop", [], value=FILES),
             task("summary", "template", ["list_files"], template="[[ files | length ]] files", values=values),
             task("save", "write_file", ["summary"], path="save.txt", text="{{summary.output.text}}")]
    request = {"tasks": tasks, "config": {"per_layer_validation": True}, "idempotency_key": "graph"}
    answer = await execute(server, intent="Read the files", **request)
    same_stand(await execute(server, intent="Read the files", **request), answer)
    workflow = answer["workflow_id"]
    await server.refused(server.call("execute_workflow", intent="Something else", **request), "ADJ-6229")
    same([one["kind"] for one in answer.get("approvals", [])], ["plan_approval"], "the first questions")
    plan = answer["approvals"][0]["checkpoint"]
    await server.agent_approves(workflow, plan)
    await unchanged(server, answer)
    first = await settle(server, answer, asked=[])
    same(check_layer(first, 0, "list_files", "summary", []), FILES, "the output of list_files")
    parser, answer = await replan(server, first)
    check_layer(answer, 0, "list_files", parser, [])
    check(answer["checkpoint"] != first["checkpoint"], "the changed layer is not asked about anew", answer)
    for stale in (first["checkpoint"], plan):
        await server.refused(server.call("continue", workflow_id=workflow, checkpoint=stale))
        await unchanged(server, answer)
    validated, before = answer["checkpoint"], answer["accumulated_results"]
    answer = await settle(server, await server.call("continue", workflow_id=workflow, checkpoint=validated))
    same(json.loads(check_layer(answer, 1, parser, "summary", before)["stdout"]), PARSED, "what was parsed")
    # The same call again may be refused or answered, but it passes no other layer.
    await unchanged(server, answer, server.call("continue", workflow_id=workflow, checkpoint=validated))
    before = answer["accumulated_results"]
    bare = await server.call("continue", workflow_id=workflow, checkpoint=answer["checkpoint"], results=False)
    check("output" not in (bare.get("layer_results") or [{}])[0], "an output without results", bare)
    answer = await settle(server, await server.call("workflow_status", workflow_id=workflow))
    same(check_layer(answer, 2, "summary", "save", before), {"text": SUMMARY}, "the summary")
    # Nobody has approved what was changed: a person is asked before the file is written.
    answer = await server.call("continue", workflow_id=workflow, checkpoint=answer["checkpoint"])
    check(not (files / "save.txt").exists(), "the file is there before anybody approved the call")
    answer = await settle(server, answer, asked := [])
    same(asked, ["tool_approval", "final_review"], "the questions after the last layer")
    same([answer["status"], answer.get("approved")], ["complete", True], "the end")
    same((files / "save.txt").read_text(), SUMMARY, "the file")
    listed = (await server.call("workflow_results", workflow_id=workflow))["results"]
    same(ids(listed), ["list_files", parser, "summary", "save"], "the tasks of workflow_results")
    same([listed[0]["output"], listed[2]["output"]], [FILES, {"text": SUMMARY}], "the results")
    whole = await server.call("workflow_results", workflow_id=workflow, task=parser)
    same(json.loads(whole["output"]["stdout"]), PARSED, "the whole output of the parser")
    return workflow


async def words(server):
    """An intent in words: whatever is documented may come back."""
    text = "Guten Morgen, wie geht es Ihnen heute?"
    own = [task("language", "L5-NLP", [], process="language", text=text)]
    choice, other = {"choice": "manual_dag", "tasks": own}, {"choice": "abort"}
    answer = await execute(server, intent="Detect the language of the text", idempotency_key="words")
    workflow = answer["workflow_id"]
    if answer["status"] != "ail_required":
        # It was sure enough to start, so no suggestion waits for a choice.
        check("suggested" in answer, "a workflow started in words does not say how sure it was", answer)
        await server.refused(server.call("execute_workflow", workflow_id=workflow, **choice))
    else:
        reasons = ("nothing_fits", "low_confidence", "novel", "missing_arguments", "does_not_fit")
        check(answer["reason"] in reasons, "the reason is not a documented one", answer)
        choices = ["abort", "agent_delegation", "execute_suggested", "manual_dag"]
        same(sorted(one["value"] for one in answer["options"]), choices, "the choices")
        waits = await server.call("workflow_status", workflow_id=workflow)
        same([waits["status"], waits.get("suggested_dag")], ["ail_required", answer.get("suggested_dag")], "what waits")
        suggested = (answer.get("suggested_dag") or {}).get("tasks") or []
        lacks_text = all(one["argument"] == "text" for one in answer.get("missing") or [])
        if [one["tool"] for one in suggested] == ["L5-NLP"] and lacks_text:
            other = choice
            choice = {"choice": "execute_suggested", "values": {suggested[0]["id"]: {"text": text}}}
        answer = await execute(server, workflow_id=workflow, **choice)
        same(answer["workflow_id"], workflow, "the id of the workflow that the choice started")
        same_stand(await execute(server, workflow_id=workflow, **choice), answer)
        await server.refused(server.call("execute_workflow", workflow_id=workflow, **other), "ADJ-6259")
        await unchanged(server, answer)
    answer = await settle(server, answer, asked=[])
    same([answer["status"], answer.get("approved")], ["complete", True], "the end of the workflow in words")
    outputs = [one["output"] for one in (await server.call("workflow_results", workflow_id=workflow))["results"]]
    check(any(output.get("language") == "de" for output in outputs), "the language is not found", outputs)
    return workflow


async def refusals(server, workflow):
    """Requests that must be refused at once and leave nothing behind."""
    before = await server.call("list_missions")
    agent = {"id": "a", "type": "agent_delegation", "agent_goal": "Look around", "agent_tools": ["*"]}
    for wanted, tasks in (
            ("ADJ-1006", [task("a", "noop", ["b"], value=1), task("b", "noop", ["a"], value=1)]),
            ("ADJ-1008", [task("a", "no_such_tool", [])]), ("ADJ-6225", [agent]),
            (None, [task("a", "sleep", [], seconds="ten")]), (None, "no list")):
        await server.refused(server.call("execute_workflow", intent="Be refused", tasks=tasks), wanted)
    await server.refused(server.call("workflow_status", workflow_id="msn_" + "0" * 26))
    same(await server.call("list_missions"), before, "the missions after refused requests")
    same((await server.call("workflow_status", workflow_id=workflow))["status"], "complete", "the first workflow")


async def aborted(server, files):
    """A workflow that is cancelled after its first layer: what was done stays, nothing more runs."""
    tasks = [task("one", "write_file", [], path="one.txt", text="1"),
             task("two", "write_file", ["one"], path="two.txt", text="2")]
    answer = await execute(server, intent="Write two", tasks=tasks, config={"ail": {"per_layer_validation": True}})
    answer = await settle(server, answer, asked=[])
    check_layer(answer, 0, "one", "two", [])
    workflow = answer["workflow_id"]
    ended = await settle(server, await server.call("abort", workflow_id=workflow, reason="no longer needed"))
    same([ended["status"], ended["accumulated_results"][0]], ["aborted", answer["layer_results"]], "after abort")
    check("no longer needed" in ended["reason"], "the reason of the abort", ended)
    # A late call may be refused or answered, but it starts nothing.
    await unchanged(server, ended, server.call("continue", workflow_id=workflow, checkpoint=answer["checkpoint"]))
    asking = [one["workflow_id"] for one in (await server.call("inbox"))["questions"]]
    check(workflow not in asking, "an aborted workflow asks", asking)
    same(sorted(file.name for file in files.iterdir()), ["one.txt", "save.txt"], "the files at the end")
    return workflow


async def main(program, transport, fate):
    files = Path(os.environ["ADJUTANT_HOME"], "files")
    server = Server(program, transport == "http", fate == "killed")
    try:
        async with asyncio.timeout(150 if fate == "killed" else 60):
            await server.start()
            first = await graph(server, files)
            second = await words(server)
            await refusals(server, first)
            for workflow in (first, second, await aborted(server, files)):
                await server.between_calls()
                await server.command("verify", workflow)
    finally:
        await server.stop()
    print(f"done {first}")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[2] not in ("stdio", "http") or sys.argv[3] not in ("stays", "killed"):
        sys.exit(__doc__)
    try:
        asyncio.run(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
    except Exception as error:  # whatever it was, say it and fail
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        sys.exit(f"FAILED: {type(error).__name__}: {str(error) or 'it took too long'}")
