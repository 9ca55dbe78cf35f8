// The same story as in story.py, with the official TypeScript client.
// usage: node story.mjs ADJUTANT PACKAGES stdio|http stays|killed

import { execFileSync, spawn } from "node:child_process";
import assert from "node:assert";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [adjutant, packages, transportName, server] = process.argv.slice(2);
const sdk = `${packages}/node_modules/@modelcontextprotocol/sdk/dist/esm/client`;
const { Client } = await import(pathToFileURL(`${sdk}/index.js`).href);
const { StdioClientTransport } = await import(pathToFileURL(`${sdk}/stdio.js`).href);
const { StreamableHTTPClientTransport } = await import(pathToFileURL(`${sdk}/streamableHttp.js`).href);

// `adjutant mcp`, which the client starts. Its person answers in a terminal.
const stdio = {
  async start() {},
  transport() {
    return new StdioClientTransport({ command: adjutant, args: ["mcp"], env: process.env });
  },
  async kill(transport) {
    process.kill(transport.pid, "SIGKILL");
  },
  async approve(workflow, checkpoint) {
    execFileSync(adjutant, ["decide", `${workflow.slice(-6)}-${checkpoint}`, "approve"]);
  },
};

// `adjutant serve`. The agent has an access token of its own; its person answers with another one.
const http = {
  process: null,
  key: null,
  async start() {
    if (this.process) return;
    this.process = spawn(adjutant, ["serve", "--listen", "127.0.0.1:0", "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const serving = await new Promise((resolve, reject) => {
      this.process.once("exit", () => reject(new Error("the server did not start")));
      createInterface({ input: this.process.stdout }).on("line", (line) => {
        const told = line.startsWith("{") ? JSON.parse(line).serving : undefined;
        if (told) resolve(told);
      });
    });
    this.address = serving.address;
    this.token = serving.token;
    this.key ??= (await this.post(this.token, "/api/access", { who: "coder", role: "operator" })).told.token;
  },
  transport() {
    const headers = { Authorization: `Bearer ${this.key}` };
    return new StreamableHTTPClientTransport(new URL(`${this.address}/mcp`), { requestInit: { headers } });
  },
  async kill() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
    this.process = null;
  },
  async post(token, path, body) {
    const response = await fetch(this.address + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, told: await response.json() };
  },
  async approve(workflow, checkpoint) {
    await this.start();
    const path = `/api/missions/${workflow}/checkpoints/${checkpoint}/decision`;
    // The agent tries it first, around its own tools.
    const own = await this.post(this.key, path, { verdict: "approve" });
    assert.equal(own.told.code, "ADJ-6236", JSON.stringify(own));
    const others = await this.post(this.token, path, { verdict: "approve" });
    assert.equal(others.status, 200, JSON.stringify(others));
    if (server === "killed") await this.kill();
  },
};

const place = transportName === "http" ? http : stdio;
let open = null;

async function connected() {
  await place.start();
  const client = new Client({ name: "story", version: "1.0.0" });
  const transport = place.transport();
  await client.connect(transport);
  const info = client.getServerVersion();
  assert.deepEqual([info.name, info.title], ["adjutant", "Adjutant"]);
  assert.match(info.version, /^\d+\.\d+\.\d+/);
  return { client, transport };
}

// One connection for all requests, or one for each, whose server is killed as soon as it has answered.
async function ask(request) {
  if (server === "stays") {
    open ??= await connected();
    return request(open.client);
  }
  const { client, transport } = await connected();
  const answer = await request(client);
  await place.kill(transport);
  await client.close().catch(() => {});
  return answer;
}

async function call(name, args) {
  const result = await ask((client) => client.callTool({ name, arguments: args }));
  assert(!result.isError, JSON.stringify(result.content));
  return result.structuredContent;
}

async function approved(told) {
  assert.equal(told.status, "awaiting_approval", JSON.stringify(told));
  await place.approve(told.workflow_id, told.approvals[0].checkpoint);
  return call("workflow_status", { workflow_id: told.workflow_id });
}

const { tools } = await ask((client) => client.listTools());
assert(tools.some((tool) => tool.name === "execute_workflow"));
const found = await call("search_tools", { query: "fill in a text template" });
assert(found.tools.some((tool) => tool.tool === "template"));

const wanted = {
  intent: "Read the files of the project",
  tasks: [
    {
      id: "list_files",
      tool: "noop",
      arguments: { value: { files: ["data.xml", "config.xml", "notes.txt"] } },
      depends_on: [],
    },
    {
      id: "summary",
      tool: "template",
      arguments: { template: "[[ count ]] files", values: { count: "{{list_files.output.files}}" } },
      depends_on: ["list_files"],
    },
  ],
  config: { ail: { per_layer_validation: true } },
  idempotency_key: "story-1",
};
let told = await call("execute_workflow", wanted);
let again = await call("execute_workflow", wanted);
assert.equal(again.workflow_id, told.workflow_id, "the same key is the same workflow");

told = await approved(told);
assert.equal(told.status, "layer_complete", JSON.stringify(told));
const xml = told.layer_results[0].output.files.filter((name) => name.endsWith(".xml"));
assert.deepEqual(xml, ["data.xml", "config.xml"]);
assert.deepEqual(told.next_layer_preview.tasks.map((task) => task.id), ["summary"]);

const change = {
  workflow_id: told.workflow_id,
  new_requirement: "Add XML parser for discovered files",
  available_context: { xml_files: xml },
  tasks: [
    {
      id: "parse_xml",
      tool: "template",
      arguments: { template: "parsed [[ first ]]", values: { first: xml[0] } },
      depends_on: ["list_files"],
    },
  ],
  idempotency_key: "story-2",
};
await call("replan_dag", change);
told = await call("replan_dag", change);
assert.equal(told.status, "layer_complete", JSON.stringify(told));
assert.deepEqual(told.next_layer_preview.tasks.map((task) => task.id).sort(), ["parse_xml", "summary"]);

const passed = { workflow_id: told.workflow_id, checkpoint: told.checkpoint };
told = await call("continue", passed);
again = await call("continue", passed);
assert.equal(again.status, told.status);

told = await approved(told);
assert.equal(told.status, "complete", JSON.stringify(told));
assert(told.approved);
const outputs = Object.fromEntries(told.results.flat().map((task) => [task.id, task.output]));
assert.equal(outputs.parse_xml.text, "parsed data.xml", JSON.stringify(outputs));
const uri = `adjutant://missions/${told.workflow_id}/passport`;
const { contents } = await ask((client) => client.readResource({ uri }));
assert(contents[0].text.startsWith("{"), contents[0].text.slice(0, 300));
console.log(`done ${told.workflow_id}`);
if (open) {
  await open.client.close();
  if (transportName === "http") await place.kill();
}
