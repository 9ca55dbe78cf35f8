"""A workflow from its start to its end with the official Python client, as a coding agent would run it.

usage: story.py ADJUTANT auto|legacy stays|killed
Where the server is to be killed, it is killed between any two calls.
"""

import asyncio
import os
import signal
import subprocess
import sys

from mcp import Client, StdioServerParameters

ADJUTANT, MODE, SERVER = sys.argv[1:4]
PARAMETERS = StdioServerParameters(command=ADJUTANT, args=["mcp"], env=dict(os.environ))


def children():
    told = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in told.splitlines() if line.rstrip().endswith(" mcp")]


class Calls:
    """One server for all calls, or one for each, killed as soon as it has answered."""

    def __init__(self):
        self.client = None

    async def __call__(self, tool, **arguments):
        print(f"> {tool}", flush=True)
        if SERVER == "stays":
            return self.read(await self.client.call_tool(tool, arguments))
        result = None
        try:
            async with Client(PARAMETERS, mode=MODE) as client:
                result = await client.call_tool(tool, arguments)
                for child in children():
                    os.kill(child, signal.SIGKILL)
        except BaseException:
            # The end of a killed server is no surprise.
            if result is None:
                raise
        return self.read(result)

    @staticmethod
    def read(result):
        assert not result.is_error, result.content
        told = result.structured_content
        print(f"  {told.get('status', '')}", flush=True)
        return told


def person(*arguments):
    """What the person does in a terminal."""
    done = subprocess.run([ADJUTANT, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def approved(call, told):
    """The person approves what the workflow asks, and the agent asks again how it stands."""
    assert told["status"] == "awaiting_approval", told
    number = told["approvals"][0]["checkpoint"]
    person("decide", f"{told['workflow_id'][-6:]}-{number}", "approve")
    return await call("workflow_status", workflow_id=told["workflow_id"])


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

    told = await approved(call, told)
    assert told["status"] == "layer_complete" and told["completed_layer"] == 0, told
    files = told["layer_results"][0]["output"]["files"]
    xml = [name for name in files if name.endswith(".xml")]
    assert xml == ["data.xml", "config.xml"], told
    assert [task["id"] for task in told["next_layer_preview"]["tasks"]] == ["summary"], told
    assert [option["value"] for option in told["options"]] == ["continue", "replan", "abort"], told

    told = await call(
        "replan_dag",
        workflow_id=told["workflow_id"],
        new_requirement="Add XML parser for discovered files",
        available_context={"xml_files": xml},
        tasks=[
            {
                "id": "parse_xml",
                "tool": "template",
                "arguments": {"template": "parsed [[ first ]]", "values": {"first": xml[0]}},
                "depends_on": ["list_files"],
            }
        ],
    )
    assert told["status"] == "layer_complete" and told["completed_layer"] == 0, told
    preview = [task["id"] for task in told["next_layer_preview"]["tasks"]]
    assert sorted(preview) == ["parse_xml", "summary"], told

    passed = {"workflow_id": told["workflow_id"], "checkpoint": told["checkpoint"]}
    told = await call("continue", **passed)
    again = await call("continue", **passed)
    assert again["status"] == told["status"] == "awaiting_approval", (told, again)

    told = await approved(call, told)
    assert told["status"] == "complete" and told["approved"], told
    outputs = {task["id"]: task["output"] for layer in told["results"] for task in layer}
    assert outputs["parse_xml"]["text"] == "parsed data.xml", outputs
    assert len(outputs) == 3, outputs
    whole = await call("workflow_results", workflow_id=told["workflow_id"], task="parse_xml")
    assert whole["output"] == outputs["parse_xml"], whole
    print(f"done {told['workflow_id']}")


async def main():
    call = Calls()
    if SERVER == "killed":
        return await story(call)
    async with Client(PARAMETERS, mode=MODE) as client:
        print(f"speaks {client.protocol_version}")
        tools = await client.list_tools()
        print("tools " + " ".join(tool.name for tool in tools.tools))
        call.client = client
        await story(call)


asyncio.run(main())
