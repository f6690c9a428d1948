/**
 * What Code nodes can do in a workspace of 1 GB, and what happens to those that need too much: runs on the workspace after hook-suite.ts.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ask, callWebhook, readData, signIn, webhookWorkflow, type HookPromise, type HookScene } from "./hook-scene.ts";
import { activate, tellPlan } from "./quota-suite.ts";
import { executionWhere } from "./work-scene.ts";

const unlimited = {
  status: "active",
  limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
} as const;

const owner = { email: "ada@example.com", fullName: "Ada de Lovelace" };

const codeNode = (jsCode: string) => ({ name: "Code", type: "n8n-nodes-base.code", typeVersion: 2, parameters: { jsCode } });

/** Makes a workflow and runs it when its webhook is called. Returns its id. */
async function publish(scene: HookScene, cookie: string, workflow: object): Promise<string> {
  return (await readData<{ id: string }>(await activate(scene, cookie, workflow))).id;
}

interface Ran {
  status: number;
  json: Record<string, unknown>;
  /** The newest execution, as n8n keeps it. */
  execution: string;
}

/** Runs one Code node by a webhook, and reads n8n's record of it. */
const run = (scene: HookScene, jsCode: string): Promise<Ran> => runNode(scene, { jsCode });

async function runNode(scene: HookScene, parameters: object): Promise<Ran> {
  const { cookie } = await signIn(scene);
  const path = `code-${randomUUID()}`;
  const id = await publish(scene, cookie, webhookWorkflow(path, { ...codeNode(""), parameters }));
  const answer = await callWebhook(scene, path);
  const json = (await answer.json()) as Record<string, unknown>;
  // Its end may be saved a moment after the answer.
  const { id: kept } = await executionWhere(scene, cookie, id, ({ status }) => !["new", "running"].includes(status));
  const execution = await (await ask(scene, `/rest/executions/${kept}`, { headers: { cookie } })).text();
  return { status: answer.status, json, execution };
}

/** Random bytes, as a file of n8n's and as a hash. */
const write = (mb: number): string => `
  const { createHash, randomBytes } = require("crypto");
  const bytes = randomBytes(${mb} * 1024 * 1024);
  const file = await this.helpers.prepareBinaryData(bytes, "file.bin", "application/octet-stream");
  return [{ json: { size: bytes.length, hash: createHash("sha256").update(bytes).digest("hex") }, binary: { data: file } }];`;

const isAlive = async (scene: HookScene): Promise<void> => {
  assert.deepEqual(await scene.engine.health(scene.address()), { ready: true });
  assert.equal((await run(scene, "return [{ json: { alive: true } }];")).json["alive"], true);
};

export const codeSuite: readonly HookPromise[] = [
  {
    promise: "the workspace for Code nodes has its owner and an unlimited plan",
    keep: async (scene) => {
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, owner);
      await tellPlan(scene, unlimited);
      await isAlive(scene);
    },
  },
  {
    promise: "a Code node writes files of 8 and of 16 MB, and the next one reads the same bytes",
    keep: async (scene) => {
      for (const mb of [8, 16]) {
        const { status, json } = await run(scene, write(mb));
        assert.deepEqual([status, json["size"]], [200, mb * 1024 * 1024], JSON.stringify(json).slice(0, 500));
      }
      const path = `read-${randomUUID()}`;
      const workflow = webhookWorkflow(path, codeNode(write(8)));
      const read = `
        const bytes = await this.helpers.getBinaryDataBuffer(0, "data");
        return [{ json: { written: $input.first().json.hash, read: require("crypto").createHash("sha256").update(bytes).digest("hex") } }];`;
      workflow.nodes.push({ id: randomUUID(), position: [440, 0], ...codeNode(read), name: "Read" });
      await publish(scene, (await signIn(scene)).cookie, {
        ...workflow,
        connections: { ...workflow.connections, Code: { main: [[{ node: "Read", type: "main", index: 0 }]] } },
      });
      const { written, read: again } = (await (await callWebhook(scene, path)).json()) as Record<string, string>;
      assert.match(written!, /^[0-9a-f]{64}$/);
      assert.equal(again, written);
    },
  },
  {
    promise: "a file of 60 MB fails its own execution with a message that names the limit of a workspace of this size",
    keep: async (scene) => {
      const { status, execution } = await run(scene, write(60));
      assert.equal(status, 500);
      assert.match(execution, /This Code node passes 80 MB at once, and this workspace's memory allows 32 MB/);
      await isAlive(scene);
    },
  },
  {
    promise: "an array of 200 MB fails its own execution for want of memory",
    keep: async (scene) => {
      const { status, execution } = await run(
        scene,
        "const all = []; for (let index = 0; index < 26_214_400; index += 1) all.push(index + 0.5); return [{ json: { all } }];",
      );
      assert.equal(status, 500);
      assert.match(execution, /ran out of memory|memory allows 32 MB/);
      await isAlive(scene);
    },
  },
  {
    promise: "Code nodes may use crypto, luxon and moment, and no other module",
    keep: async (scene) => {
      const { json } = await run(
        scene,
        `return [{ json: {
        crypto: require("node:crypto").createHash("sha256").update("a").digest("hex"), luxon: require("luxon").DateTime.fromISO("2026-01-31").plus({ months: 1 }).toISODate(), moment: require("moment")("2026-01-31").add(1, "month").format("YYYY-MM-DD"),
      } }];`,
      );
      assert.deepEqual(json, {
        crypto: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        luxon: "2026-02-28",
        moment: "2026-02-28",
      });
      for (const name of ["fs", "child_process", "lodash"])
        assert.match((await run(scene, `return [{ json: { loaded: !!require("${name}") } }];`)).execution, /Module '.*' is disallowed/);
    },
  },
  {
    promise: "the editor does not offer Python, which n8n's package cannot run",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const types = (await (await ask(scene, "/types/nodes.json", { headers: { cookie } })).json()) as {
        name: string;
        properties: { name: string; options?: { value: string }[] }[];
      }[];
      const code = types.find(({ name }) => name === "n8n-nodes-base.code")!;
      const languages = code.properties
        .filter(({ name }) => name === "language")
        .flatMap(({ options }) => options?.map(({ value }) => value) ?? []);
      assert.deepEqual(languages, ["javaScript"]);
    },
  },
  {
    promise: "a Code node in Python, from an imported workflow, fails with words that its owner can act on",
    keep: async (scene) => {
      for (const language of ["pythonNative", "python"]) {
        const { status, execution } = await runNode(scene, { language, pythonCode: "return []" });
        assert.equal(status, 500);
        assert.match(execution, /Code nodes run JavaScript in this workspace: Python is not available/);
        assert.doesNotMatch(execution, /N8N_PYTHON_ENABLED/);
      }
      await isAlive(scene);
    },
  },
];
