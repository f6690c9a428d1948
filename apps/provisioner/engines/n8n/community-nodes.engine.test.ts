/** Community nodes in a real n8n: installed from the registry by the workspace's own npm, run, and left out when they prevent its start. */
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { selfSigned } from "#testing/network/self-signed.ts";
import { startInternet } from "#testing/network/start-internet.ts";
import type { RunSpec } from "../../drivers/driver.ts";
import { createProcessDriver } from "../../drivers/process/create-process-driver.ts";
import { usualNetworkPolicy } from "../../drivers/process/sandbox/network/firewall.ts";
import { workspacePaths } from "../../drivers/process/storage/workspace-paths.ts";
import { startTinyRegistry } from "#testing/engines/tiny-registry.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { ask, askJson, callWebhook, directScene, readData, signIn, webhookWorkflow } from "#testing/engines/n8n/hook-scene.ts";
import { activate, readUsage, tellPlan } from "#testing/engines/n8n/quota-suite.ts";

const packageName = "n8n-nodes-greeting";
const nodeFile = `class Greeting {
  constructor() { this.description = { displayName: "Greeting", name: "greeting", group: ["transform"], version: 1, description: "Greets", defaults: { name: "Greeting" }, inputs: ["main"], outputs: ["main"], properties: [] }; }
  async execute() { return [[{ json: { greeting: "hello from outside" } }]]; }
}
module.exports = { Greeting };`;

/**
 * Replaces registry.npmjs.org behind a proxy, as some hosts have one; it knows no other host, not even n8n's own servers. Where workspaces
 * have their own networks, it is reached like the internet: through their firewall.
 */
async function startRegistry(folder: string, isolated: boolean): Promise<{ proxy: string; cert: string }> {
  const registry = await startTinyRegistry([
    {
      name: packageName,
      version: "1.0.0",
      files: { "dist/Greeting.node.js": nodeFile },
      manifest: { keywords: ["n8n-community-node-package"], n8n: { n8nNodesApiVersion: 1, nodes: ["dist/Greeting.node.js"] } },
    },
  ]);
  const { key, cert } = selfSigned("registry.npmjs.org");
  const front = createTlsServer({ key, cert }, (request, response) => {
    // Tarballs are named by the registry's public address, the only one that a workspace can reach.
    const onward = httpRequest(`${registry.url}${request.url}`, async (answer) => {
      const body = await buffer(answer);
      const { "content-length": _length, ...headers } = answer.headers;
      const isJson = headers["content-type"] === "application/json";
      response
        .writeHead(answer.statusCode!, headers)
        .end(isJson ? body.toString().replaceAll(registry.url, "https://registry.npmjs.org") : body);
    });
    onward.end();
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const proxy = createServer();
  proxy.on("connect", (request, client) => {
    if (request.url !== "registry.npmjs.org:443") return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const onward = connect((front.address() as AddressInfo).port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  const socket = join(folder, "proxy.sock");
  await new Promise<void>((resolve) => (isolated ? proxy.listen(socket, resolve) : proxy.listen(0, "127.0.0.1", resolve)));
  const internet = isolated ? startInternet(socket) : undefined;
  onTestFinished(async () => {
    internet?.stop();
    proxy.close();
    front.close();
    await registry.close();
  });
  return {
    proxy: internet ? `http://${internet.host}:${internet.relayPort}` : `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cert,
  };
}

/** The workspace runs as it does for customers: through the driver, in a sandbox if this host has one. */
test("an allowed community node is installed, runs, and outlives a restart; one that ends every start is left out of the third and named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-community-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const workspacesDir = join(folder, "workspaces");
  const driver = createProcessDriver({
    workspacesDir,
    log: createLog("silent"),
    clock: systemClock,
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    limits: { cpus: 2, diskMb: 1024, network: usualNetworkPolicy },
  });
  onTestFinished(() => driver.stopAll());
  const { proxy, cert } = await startRegistry(folder, driver.isolation.isolated);
  const signingKey = generateKeyPairSync("ed25519").privateKey;
  const engine = createTestN8n({ signingKey, communityNodes: "all" });
  const version = engine.releases[0]!.version;
  await engine.install(version, () => undefined);
  const workspaceId = "0199a000-0000-7000-8000-000000000003";
  const secrets = engine.createSecrets();
  const usual = engine.runSpec(
    {
      id: workspaceId,
      number: 3,
      generation: 1,
      run: true,
      timezone: "Europe/Berlin",
      memoryMb: 1024,
      publicUrl: "http://acme.localhost:3000",
      panelUrl: "http://localhost:3000",
      secrets,
    },
    version,
  );
  const spec: RunSpec = { ...usual, files: [...usual.files, { path: "ca.pem", content: cert, mode: 0o644 }] };
  const behindProxy: RunSpec = {
    ...spec,
    env: { ...spec.env, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.1", NODE_EXTRA_CA_CERTS: "{{folder}}/ca.pem" },
  };
  let generation = 1;
  let address = "";
  const stop = () => driver.ensure({ ...spec, run: false, generation });
  const start = async (next: RunSpec): Promise<void> => {
    await driver.ensure({ ...next, generation: (generation += 1) });
    await vi.waitFor(
      async () => {
        address = (await driver.observe(workspaceId)).address!;
        expect(await engine.health(address), await driver.logs(workspaceId, 2_000)).toMatchObject({ ready: true });
      },
      { timeout: 120_000, interval: 200 },
    );
  };
  /** Makes an unfinished start, as if a node ended the process: loads what comes before n8n, but not n8n. Faster than a real start. */
  const breakStart = async (): Promise<void> => {
    const [node, ...args] = spec.command;
    const command = [node!, ...args.filter((each) => each.startsWith("--import=")), "--eval", "process.exit(1)"];
    await driver.ensure({ ...spec, command, generation: (generation += 1) });
    await vi.waitFor(async () => expect(await driver.observe(workspaceId)).toMatchObject({ state: "stopped", exit: { code: 1 } }), {
      timeout: 60_000,
    });
  };
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
  await start(behindProxy);
  await engine.setUpOwner(address, workspaceId, { email: "ada@example.com", fullName: "Ada de Lovelace" });
  await tellPlan(scene, {
    status: "active",
    limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
  });
  const { cookie } = await signIn(scene);

  const installed = await askJson(scene, "/rest/community-packages", { name: packageName }, { cookie });
  expect([installed.status, await installed.text()]).toEqual([200, expect.stringContaining('"installedVersion":"1.0.0"')]);
  await activate(
    scene,
    cookie,
    webhookWorkflow("greet", { name: "Greeting", type: `${packageName}.greeting`, typeVersion: 1, parameters: {} }),
  );
  const greeting = { greeting: "hello from outside" };
  expect(await (await callWebhook(scene, "greet")).json()).toEqual(greeting);

  const node = { name: packageName, version: "1.0.0" };
  expect(await engine.communityNodes!.list(address, workspaceId)).toEqual({ isOffered: true, nodes: [{ ...node, isHeldBack: false }] });
  // The editor's request when n8n's servers are unreachable.
  expect(await readData(await ask(scene, "/rest/community-node-types", { headers: { cookie } }))).toEqual([]);

  await stop();
  await start(spec);
  expect(await (await callWebhook(scene, "greet")).json()).toEqual(greeting);
  expect((await readUsage(scene)).requests).toEqual([]);

  const file = join(
    workspacePaths(workspacesDir, workspaceId).data,
    ".n8n",
    "nodes",
    "node_modules",
    packageName,
    "dist",
    "Greeting.node.js",
  );
  expect(await readFile(file, "utf8")).toBe(nodeFile);
  await writeFile(file, "process.exit(1);");
  await stop();
  for (let each = 0; each < 2; each += 1) await breakStart();
  await start(spec);
  expect((await readUsage(scene)).requests).toEqual([{ id: expect.any(String), kind: "nodes-held-back", nodes: [`${packageName} 1.0.0`] }]);
  expect(await engine.communityNodes!.list(address, workspaceId)).toEqual({ isOffered: true, nodes: [{ ...node, isHeldBack: true }] });
  // n8n lists it as not loaded, for the owner to remove.
  const listed = await ask(scene, "/rest/community-packages", { headers: { cookie: (await signIn(scene)).cookie } });
  expect(await listed.json()).toMatchObject({ data: [{ packageName, installedVersion: "1.0.0", failedLoading: true }] });
});
