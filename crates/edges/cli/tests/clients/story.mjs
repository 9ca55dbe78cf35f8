// The same story as in story.py, shorter, with the official TypeScript client.
// usage: node story.mjs ADJUTANT PACKAGES

import { execFileSync } from "node:child_process";
import assert from "node:assert";
import { pathToFileURL } from "node:url";

const [adjutant, packages] = process.argv.slice(2);
const sdk = `${packages}/node_modules/@modelcontextprotocol/sdk/dist/esm/client`;
const { Client } = await import(pathToFileURL(`${sdk}/index.js`).href);
const { StdioClientTransport } = await import(pathToFileURL(`${sdk}/stdio.js`).href);

const client = new Client({ name: "story", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: adjutant, args: ["mcp"], env: process.env }));

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, JSON.stringify(result.content));
  return result.structuredContent;
}

async function approved(told) {
  assert.equal(told.status, "awaiting_approval", JSON.stringify(told));
  const id = `${told.workflow_id.slice(-6)}-${told.approvals[0].checkpoint}`;
  execFileSync(adjutant, ["decide", id, "approve"]);
  return call("workflow_status", { workflow_id: told.workflow_id });
}

const { tools } = await client.listTools();
assert(tools.some((tool) => tool.name === "execute_workflow"));

let told = await call("execute_workflow", {
  intent: "Read the files of the project",
  tasks: [
    { id: "list_files", tool: "noop", arguments: { value: { files: ["data.xml"] } }, depends_on: [] },
    { id: "summary", tool: "noop", arguments: { value: "{{list_files.output.files}}" }, depends_on: ["list_files"] },
  ],
  config: { ail: { per_layer_validation: true } },
});
told = await approved(told);
assert.equal(told.status, "layer_complete");
assert.deepEqual(told.layer_results[0].output.files, ["data.xml"]);
told = await call("replan_dag", {
  workflow_id: told.workflow_id,
  new_requirement: "Add XML parser for discovered files",
  tasks: [{ id: "parse_xml", tool: "noop", arguments: { value: "parsed" }, depends_on: ["list_files"] }],
});
assert.equal(told.status, "layer_complete");
told = await call("continue", { workflow_id: told.workflow_id, checkpoint: told.checkpoint });
told = await approved(told);
assert.equal(told.status, "complete", JSON.stringify(told));
console.log(`done ${told.workflow_id}`);
await client.close();
