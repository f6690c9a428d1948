/**
 * What workflows of a real engine in a sandbox see of the host's paths: nothing in what an owner meets, and files by their earlier paths.
 * Without sandboxes on this host, a workspace sees the host's paths, and that is what is expected.
 */
// oxlint-disable vitest/no-conditional-expect -- what can be promised depends on whether this host can keep tenants apart.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { withVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { callWebhook, directScene, readData, signIn, webhookWorkflow } from "#testing/engines/n8n/hook-scene.ts";
import { activate, tellPlan } from "#testing/engines/n8n/quota-suite.ts";
import { ask } from "#testing/ask.ts";
import type { Engine } from "../../../engines/engine.ts";
import { createNodeRedEngine } from "../../../engines/node-red/create-node-red-engine.ts";
import { createProcessDriver } from "../create-process-driver.ts";
import { workspacePaths } from "../storage/workspace-paths.ts";

const root = new URL("../../../../..", import.meta.url).pathname.replace(/\/$/, "");
const workspaceId = "0199a000-0000-7000-8000-000000000196";
const signingKey = generateKeyPairSync("ed25519").privateKey;
const limits = { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 };
const owner = { email: "ada@example.com", fullName: "Ada de Lovelace" };

/** A workspace that ran before there were paths in common, with one file from then. */
async function startOldWorkspace(engine: Engine, oldFile: string) {
  const folder = await mkdtemp(join(tmpdir(), "slipway-neutral-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const workspacesDir = join(folder, "workspaces");
  const driver = createProcessDriver({
    workspacesDir,
    log: createLog("silent"),
    clock: systemClock,
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
  });
  onTestFinished(() => driver.stopAll());
  const { data } = workspacePaths(workspacesDir, workspaceId);
  await mkdir(join(data, oldFile, ".."), { recursive: true });
  await writeFile(join(data, oldFile), "from before");
  const { version } = engine.releases[0]!;
  await engine.install(version, () => undefined);
  await engine.prepare?.(version);
  const variables = { revision: 1, variables: [{ name: "GREETING", value: "hello", isSecret: false }] };
  const secrets = withVariables(engine.createSecrets(), variables);
  const workspace = {
    id: workspaceId,
    number: 196,
    generation: 1,
    run: true,
    timezone: "Etc/UTC",
    memoryMb: 1024,
    publicUrl: "http://acme.localhost:3000",
    panelUrl: "http://localhost:3000",
    secrets,
  };
  const spec = engine.runSpec(workspace, version);
  const address = (await driver.ensure(spec)).address!;
  await vi.waitFor(async () => expect(await engine.health(address), await driver.logs(workspaceId, 2_000)).toMatchObject({ ready: true }), {
    timeout: 150_000,
    interval: 200,
  });
  await engine.setUpOwner(address, workspaceId, owner);
  const scene = directScene({
    engine,
    signingKey,
    version,
    command: spec.command,
    secrets,
    workspaceId,
    address: () => address,
    logs: () => driver.logs(workspaceId, 100_000),
  });
  return { scene, data, folder, isolated: driver.isolation.isolated };
}

/** Nothing of the host, if it keeps workspaces apart; otherwise the host's own path, which proves that the text would show it. */
function expectNeutral(said: string, { folder, isolated }: { folder: string; isolated: boolean }): void {
  if (!isolated) return expect(said).toContain(folder);
  for (const hidden of [folder, root, enginesCacheDir, workspaceId]) expect(said).not.toContain(hidden);
}

test("n8n's environment, expressions and error stacks name neither the host's paths nor the id, and a file is found by its earlier path", async () => {
  const oldFile = ".n8n-files/old.txt";
  const { scene, data, ...host } = await startOldWorkspace(createTestN8n({ signingKey }), oldFile);
  await tellPlan(scene, { status: "active", limits });
  const { cookie } = await signIn(scene);

  const code = `
    const env = Object.fromEntries(["HOME", "TMPDIR", "PATH", "N8N_USER_FOLDER", "EXTERNAL_HOOK_FILES", "SLIPWAY_PREPARED", "SLIPWAY_WORKSPACE_ID", "GREETING"].map((name) => [name, $env[name]]));
    return [{ json: { env, all: JSON.stringify($env), stack: new Error("seen").stack } }];`;
  await activate(scene, cookie, webhookWorkflow("seen", codeNode(code)));
  const seen = await (await callWebhook(scene, "seen")).text();
  const { env } = JSON.parse(seen) as { env: Record<string, string> };
  expect(env["GREETING"]).toBe("hello");
  if (host.isolated) expect(env).toMatchObject({ HOME: "/data", N8N_USER_FOLDER: "/data", TMPDIR: "/data/tmp" });
  expect(env["SLIPWAY_WORKSPACE_ID"]).toBeUndefined();
  expectNeutral(seen, host);

  const failing = webhookWorkflow("fails", {
    name: "Edit",
    type: "n8n-nodes-base.set",
    typeVersion: 3.4,
    parameters: { mode: "raw", jsonOutput: '={{ $env.HOME }} {{ $("Nothing").first() }}', options: {} },
  });
  const { id } = await readData<{ id: string }>(await activate(scene, cookie, failing));
  await callWebhook(scene, "fails");
  const stored = await vi.waitFor(async () => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
    const list = await ask(`http://${scene.address()}/rest/executions?filter=${filter}`, { headers: { cookie } });
    const [first] = list.json<{ data: { results: { id: string; status: string }[] } }>().data.results;
    expect(first?.status).toBe("error");
    return (await ask(`http://${scene.address()}/rest/executions/${first!.id}`, { headers: { cookie } })).text;
  }, 60_000);
  expect(stored).toMatch(/stack/);
  expect(stored).toContain(host.isolated ? "/opt/slipway/engines/n8n-" : enginesCacheDir);
  if (host.isolated) expectNeutral(stored, host);

  const files = webhookWorkflow("files", readNode(`${data}/${oldFile}`));
  const write = { ...writeNode(`${data}/.n8n-files/new.txt`), id: randomUUID(), position: [440, 0] as [number, number] };
  await activate(scene, cookie, {
    ...files,
    nodes: [...files.nodes, write],
    connections: { ...files.connections, Read: { main: [[{ node: "Write", type: "main", index: 0 }]] } },
  });
  expect((await callWebhook(scene, "files")).status).toBe(200);
  expect(await readFile(join(data, ".n8n-files/new.txt"), "utf8")).toBe("from before");
});

const codeNode = (jsCode: string) => ({ name: "Code", type: "n8n-nodes-base.code", typeVersion: 2, parameters: { jsCode } });
const readNode = (fileSelector: string) => ({
  name: "Read",
  type: "n8n-nodes-base.readWriteFile",
  typeVersion: 1,
  parameters: { operation: "read", fileSelector, options: {} },
});
const writeNode = (fileName: string) => ({
  name: "Write",
  type: "n8n-nodes-base.readWriteFile",
  typeVersion: 1,
  parameters: { operation: "write", fileName, dataPropertyName: "data", options: {} },
});

test("Node-RED's environment, working folder and error stacks name neither the host's paths nor the id, and a file is found by its earlier path", async () => {
  const engine = createNodeRedEngine({ enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock });
  const { scene, data, ...host } = await startOldWorkspace(engine, "old.txt");
  await tellPlan(scene, { status: "active", limits });
  const link = await fetch(`http://${scene.address()}${engine.loginPath(workspaceId, "/")}`, { redirect: "manual" });
  const token = new URL(link.headers.get("location")!, "http://workspace").searchParams.get("access_token");
  const func = `
    const names = ["HOME", "TMPDIR", "PATH", "PWD", "SLIPWAY_FOLDER", "SLIPWAY_PREPARED", "SLIPWAY_WORKSPACE_ID", "GREETING"];
    msg.seen = { env: Object.fromEntries(names.map((name) => [name, env.get(name)])), stack: new Error("seen").stack };
    return msg;`;
  const answer = "msg.payload = { ...msg.seen, shell: msg.payload, file: msg.file }; return msg;";
  const node = (id: string, type: string, to: string[][], more: object) => ({ id, type, z: "seen", wires: to, ...more });
  const nodes = [
    node("in", "http in", [["func"]], { url: "/seen", method: "get" }),
    node("func", "function", [["file"]], { func, outputs: 1 }),
    node("file", "file in", [["keep"]], { filename: `${data}/old.txt`, filenameType: "str", format: "utf8", encoding: "none" }),
    node("keep", "function", [["shell"]], { func: "msg.file = msg.payload; return msg;", outputs: 1 }),
    node("shell", "exec", [["answer"], [], []], { command: "pwd; env", addpay: "", append: "", useSpawn: "false", timer: "" }),
    node("answer", "function", [["out"]], { func: answer, outputs: 1 }),
    node("out", "http response", [], { statusCode: "200" }),
  ];
  const made = await ask(`http://${scene.address()}/flow`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: { label: "seen", nodes, configs: [] },
  });
  expect(made.status, made.text).toBe(200);
  const said = await vi.waitFor(async () => {
    const called = await ask(`http://${scene.address()}/seen`, { timeoutMs: 10_000 }).catch(async (error: Error) => {
      throw new Error(`${error.message} ${await scene.logs()}`);
    });
    expect(called.status, called.text).toBe(200);
    return called;
  }, 60_000);
  const seen = said.json<{ env: Record<string, string>; stack: string; shell: string; file: string }>();
  expect(seen.file).toBe("from before");
  expect(seen.env["GREETING"]).toBe("hello");
  expect(seen.env["SLIPWAY_WORKSPACE_ID"] ?? "").toBe("");
  expect(seen.shell).not.toContain("SLIPWAY_WORKSPACE_ID");
  if (host.isolated) {
    expect(seen.env["HOME"]).toBe("/data");
    expect(seen.shell).toMatch(/^\/data\n/);
    expect(seen.stack).toContain("/opt/slipway/engines/node-red-");
  }
  expectNeutral(said.text, host);
  expect(existsSync(join(data, "old.txt"))).toBe(true);
});
