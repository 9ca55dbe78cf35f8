"""A workflow from its start to its end with the official Python client, as a coding agent would run it.

usage: story.py ADJUTANT auto|legacy stdio|http stays|killed
Where the server is to be killed, it is killed between any two calls.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

ADJUTANT, MODE, TRANSPORT, SERVER = sys.argv[1:5]
PARAMETERS = StdioServerParameters(command=ADJUTANT, args=["mcp"], env=dict(os.environ))
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def children():
    told = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in told.splitlines() if line.rstrip().endswith(" mcp")]


class Stdio:
    """`adjutant mcp`, which the client starts. Its person answers in a terminal."""

    @contextlib.asynccontextmanager
    async def client(self):
        async with Client(PARAMETERS, mode=MODE) as client:
            yield client

    def start(self):
        pass

    def kill(self):
        for child in children():
            os.kill(child, signal.SIGKILL)

    def approve(self, workflow, checkpoint):
        person("decide", f"{workflow[-6:]}-{checkpoint}", "approve")


class Http:
    """`adjutant serve`. The agent has an access token of its own; its person answers with another one."""

    def __init__(self):
        self.process = None
        self.key = None

    def start(self):
        if self.process is not None:
            return
        command = [ADJUTANT, "serve", "--listen", "127.0.0.1:0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            serving = json.loads(line).get("serving") if line.startswith("{") else None
            if serving:
                break
        else:
            raise AssertionError("the server did not start")
        self.address, self.token = serving["address"], serving["token"]
        # What it says later must not fill the pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        if self.key is None:
            wanted = {"who": "coder", "role": "operator"}
            self.key = self.post(self.token, "/api/access", wanted)[1]["token"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    @contextlib.asynccontextmanager
    async def client(self):
        headers = {"Authorization": f"Bearer {self.key}"}
        timeout = httpx2.Timeout(60.0)
        async with httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=False) as http:
            transport = streamable_http_client(f"{self.address}/mcp", http_client=http)
            async with Client(transport, mode=MODE) as client:
                yield client

    def post(self, token, path, body):
        request = urllib.request.Request(
            self.address + path,
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        try:
            with DIRECT.open(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def approve(self, workflow, checkpoint):
        self.start()
        path = f"/api/missions/{workflow}/checkpoints/{checkpoint}/decision"
        # The agent tries it first, around its own tools.
        status, told = self.post(self.key, path, {"verdict": "approve"})
        assert (status, told["code"]) == (403, "ADJ-6236"), told
        status, told = self.post(self.token, path, {"verdict": "approve"})
        assert status == 200, told
        if SERVER == "killed":
            self.kill()


class Calls:
    """One server for all calls, or one for each, killed as soon as it has answered."""

    def __init__(self, server):
        self.server = server
        self.client = None

    async def __call__(self, tool, **arguments):
        print(f"> {tool}", flush=True)
        return self.read(await self.do(lambda client: client.call_tool(tool, arguments)))

    async def resource(self, workflow, name):
        print(f"> read {name}", flush=True)
        uri = f"adjutant://missions/{workflow}/{name}"
        read = await self.do(lambda client: client.read_resource(uri))
        return read.contents[0].text

    async def do(self, ask):
        if SERVER == "stays":
            return await ask(self.client)
        result = None
        self.server.start()
        try:
            async with self.server.client() as client:
                result = await ask(client)
                self.server.kill()
        except BaseException:
            # The end of a killed server is no surprise.
            if result is None:
                raise
        return result

    @staticmethod
    def read(result):
        assert not result.is_error, result.content
        told = result.structured_content
        print(f"  {told.get('status', '')}", flush=True)
        return told

    async def approved(self, told):
        """The person approves what the workflow asks, and the agent asks again how it stands."""
        assert told["status"] == "awaiting_approval", told
        self.server.approve(told["workflow_id"], told["approvals"][0]["checkpoint"])
        return await self("workflow_status", workflow_id=told["workflow_id"])


def person(*arguments):
    """What the person does in a terminal."""
    done = subprocess.run([ADJUTANT, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def story(call):
    tools = await call("search_tools", query="fill in a text template")
    assert any(tool["tool"] == "template" for tool in tools["tools"]), tools
    request = {
        "intent": "Read the files of the project",
        "tasks": [
            {
                "id": "list_files",
                "tool": "noop",
                "arguments": {"value": {"files": ["data.xml", "config.xml", "notes.txt"]}},
                "depends_on": [],
            },
            {
                "id": "summary",
                "tool": "template",
                "arguments": {
                    "template": "[[ count ]] files",
                    "values": {"count": "{{list_files.output.files}}"},
                },
                "depends_on": ["list_files"],
            },
        ],
        "config": {"per_layer_validation": True},
        "idempotency_key": "story-1",
    }
    told = await call("execute_workflow", **request)
    again = await call("execute_workflow", **request)
    assert again["workflow_id"] == told["workflow_id"], "the same key is the same workflow"

    told = await call.approved(told)
    assert told["status"] == "layer_complete" and told["completed_layer"] == 0, told
    files = told["layer_results"][0]["output"]["files"]
    xml = [name for name in files if name.endswith(".xml")]
    assert xml == ["data.xml", "config.xml"], told
    assert [task["id"] for task in told["next_layer_preview"]["tasks"]] == ["summary"], told
    assert [option["value"] for option in told["options"]] == ["continue", "replan", "abort"], told

    change = {
        "workflow_id": told["workflow_id"],
        "new_requirement": "Add XML parser for discovered files",
        "available_context": {"xml_files": xml},
        "tasks": [
            {
                "id": "parse_xml",
                "tool": "template",
                "arguments": {"template": "parsed [[ first ]]", "values": {"first": xml[0]}},
                "depends_on": ["list_files"],
            }
        ],
        "idempotency_key": "story-2",
    }
    told = await call("replan_dag", **change)
    told = await call("replan_dag", **change)
    assert told["status"] == "layer_complete" and told["completed_layer"] == 0, told
    preview = [task["id"] for task in told["next_layer_preview"]["tasks"]]
    assert sorted(preview) == ["parse_xml", "summary"], told

    passed = {"workflow_id": told["workflow_id"], "checkpoint": told["checkpoint"]}
    told = await call("continue", **passed)
    again = await call("continue", **passed)
    assert again["status"] == told["status"] == "awaiting_approval", (told, again)

    told = await call.approved(told)
    assert told["status"] == "complete" and told["approved"], told
    outputs = {task["id"]: task["output"] for layer in told["results"] for task in layer}
    assert outputs["parse_xml"]["text"] == "parsed data.xml", outputs
    assert len(outputs) == 3, outputs
    workflow = told["workflow_id"]
    whole = await call("workflow_results", workflow_id=workflow, task="parse_xml")
    assert whole["output"] == outputs["parse_xml"], whole

    passport = await call.resource(workflow, "passport")
    assert passport.startswith("{") and len(passport) <= 20_000, passport[:300]
    journal = [json.loads(line) for line in (await call.resource(workflow, "journal")).splitlines()]
    assert journal[0]["seq"] == 1 and len(journal) > 5, journal[:1]
    # A program is recorded by the name that it gives itself, or by that of its HTTP client.
    assert journal[0]["actor"]["id"].startswith("program:"), journal[0]["actor"]
    assert "rmcp" not in journal[0]["actor"]["id"], journal[0]["actor"]
    print(f"done {workflow}")


async def main():
    server = Http() if TRANSPORT == "http" else Stdio()
    call = Calls(server)
    if SERVER == "killed":
        return await story(call)
    server.start()
    async with server.client() as client:
        print(f"speaks {client.protocol_version}")
        info = client.server_info
        print(f"server {info.name} {info.title} {info.version}")
        tools = await client.list_tools()
        print("tools " + " ".join(tool.name for tool in tools.tools))
        call.client = client
        await story(call)
    server.kill()


asyncio.run(main())
