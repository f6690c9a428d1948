/** What works in a plain Node-RED works in a hosted one, through the gateway: run by the engine's test and for each qualified release. */
import assert from "node:assert/strict";
import type { EnginePlan } from "#apps/provisioner/engines/port/engine-usage.ts";
import { suiteVariables, type EngineScene } from "../engine-suite.ts";
import { visit } from "../visit.ts";
import { waitFor } from "../../wait-for.ts";

/** Far longer than Node-RED takes to start a flow. */
const patience = { timeout: 60_000, interval: 100 };

interface FlowNode {
  id: string;
  type: string;
  wires?: string[][];
  [setting: string]: unknown;
}

const plan: EnginePlan = {
  fingerprint: "work",
  id: "pro-1",
  displayName: "Pro",
  group: "opt-out",
  slug: "pro-1",
  status: "active",
  expiresAt: null,
  trialDays: 14,
  limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
  periodStarts: [new Date(0)],
  counted: { executions: 0, epochs: {} },
  changePlanPath: "/account/change-plan",
  isConfirmed: true,
};

/** A call of the editor, by the signed-in owner. */
async function edit(scene: EngineScene, method: string, path: string, body?: object) {
  const link = await visit(scene, scene.engine.loginPath(scene.workspaceId, "/"));
  const token = new URL(link.headers.get("location") ?? "/", "http://workspace").searchParams.get("access_token");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return visit(scene, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Adds a flow of these nodes, as the signed-in owner, and waits until it runs. Returns its id. */
async function addFlow(scene: EngineScene, label: string, nodes: readonly FlowNode[], more: object = {}): Promise<string> {
  const flow = { label, nodes: nodes.map((node) => ({ z: label, ...node })), configs: [], ...more };
  const answer = await edit(scene, "POST", "/flow", flow);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return (JSON.parse(text) as { id: string }).id;
}

const maySleep = async ({ engine, address, workspaceId }: EngineScene): Promise<boolean> =>
  (await engine.sleep!.ask(address(), workspaceId)).sleepable;

/** Until it says so: Node-RED answers a change before the new flows have started. */
async function untilItSleeps(scene: EngineScene, expected: boolean, when: string): Promise<void> {
  const lookOnce = async () => assert.equal(await maySleep(scene), expected, `it may ${expected ? "not " : ""}sleep ${when}`);
  await waitFor(lookOnce, patience);
}

/** Repeats the call until the flow answers. */
async function answered(scene: EngineScene, path: string, init: Parameters<typeof visit>[2] = {}) {
  const callOnce = async () => {
    const answer = await visit(scene, path, init);
    assert.equal(answer.status, 200, path);
    return answer;
  };
  return waitFor(callOnce, patience);
}

const httpIn = (id: string, url: string, method: string, to: string): FlowNode => ({
  id,
  type: "http in",
  url,
  method,
  upload: true,
  wires: [[to]],
});
const run = (id: string, func: string, to: string): FlowNode => ({ id, type: "function", func, outputs: 1, wires: [[to]] });
const respond = (id: string): FlowNode => ({ id, type: "http response", statusCode: "200", wires: [] });

export const nodeRedWorkSuite: readonly { promise: string; keep(scene: EngineScene): Promise<void> }[] = [
  {
    promise: "the workspace for daily work has its owner and an unlimited plan",
    keep: async (scene) => {
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, { email: "ada@example.com", fullName: "Ada de Lovelace" });
      await scene.engine.setPlan!(scene.address(), scene.workspaceId, plan);
    },
  },
  {
    promise: "HTTP flows accept every method, JSON and forms, and see the caller's headers",
    keep: async (scene) => {
      const methods = ["get", "post", "put", "patch", "delete"];
      await addFlow(scene, "http", [
        ...methods.map((method) => httpIn(`in-${method}`, "/any", method, "say")),
        run("say", "msg.payload = { method: msg.req.method, body: msg.payload, own: msg.req.headers['x-own'] }; return msg;", "out"),
        respond("out"),
      ]);
      const got = (await (await answered(scene, "/any?a=1", { headers: { "x-own": "mine" } })).json()) as object;
      assert.deepEqual(got, { method: "GET", body: { a: "1" }, own: "mine" });
      for (const method of ["POST", "PUT", "PATCH"]) {
        const sent = await visit(scene, "/any", {
          method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ deep: ["é"] }),
        });
        assert.deepEqual(await sent.json(), { method, body: { deep: ["é"] } });
      }
      const form = await visit(scene, "/any", { method: "POST", body: new URLSearchParams({ name: "Ada L." }) });
      assert.deepEqual(await form.json(), { method: "POST", body: { name: "Ada L." } });
    },
  },
  {
    promise: "flows read the owner's environment variables, but not the secret of the workspace's credentials",
    keep: async (scene) => {
      await addFlow(scene, "variables", [
        httpIn("v-in", "/variables", "get", "v-say"),
        run(
          "v-say",
          "msg.payload = { greeting: env.get('GREETING'), secret: env.get('SLIPWAY_CREDENTIAL_SECRET') ?? null }; return msg;",
          "v-out",
        ),
        respond("v-out"),
      ]);
      assert.deepEqual(await (await answered(scene, "/variables")).json(), { greeting: suiteVariables.variables[0]!.value, secret: null });
    },
  },
  {
    promise: "what only waits for calls lets it sleep; a schedule, a timer and a node that listens keep it awake",
    keep: async (scene) => {
      await untilItSleeps(scene, true, "before its timer");
      await addFlow(scene, "timer", [
        httpIn("w-in", "/wait", "get", "w-say"),
        run("w-say", "setTimeout(() => undefined, 3000); return msg;", "w-out"),
        respond("w-out"),
        { id: "w-button", type: "inject", repeat: "", crontab: "", once: false, props: [], wires: [["w-say"]] },
      ]);
      // On a busy machine the timer may end before the question.
      const askDuringTimer = async () => {
        await answered(scene, "/wait");
        assert.equal(await maySleep(scene), false, "it may sleep during its timer");
      };
      await waitFor(askDuringTimer, patience);
      await untilItSleeps(scene, true, "after its timer");
      const restless: FlowNode[] = [
        { id: "r-hourly", type: "inject", repeat: "3600", once: false, props: [], wires: [] },
        { id: "r-daily", type: "inject", repeat: "", crontab: "0 3 * * *", once: false, props: [], wires: [] },
        { id: "r-begun", type: "inject", repeat: "", once: true, onceDelay: 3600, props: [], wires: [] },
        { id: "r-delay", type: "delay", pauseType: "delay", timeout: "5", timeoutUnits: "seconds", wires: [] },
        { id: "r-listens", type: "udp in", port: "0", iface: "", ipv: "udp4", multicast: "false", datatype: "buffer", wires: [] },
      ];
      for (const node of restless) {
        const id = await addFlow(scene, "restless", [node]);
        await untilItSleeps(scene, false, `with ${node.id}`);
        assert.equal((await edit(scene, "DELETE", `/flow/${id}`)).status, 204);
        await untilItSleeps(scene, true, `without ${node.id}`);
      }
      await addFlow(scene, "off", restless, { disabled: true });
      await addFlow(scene, "mark", [httpIn("m-in", "/mark", "get", "m-out"), respond("m-out")]);
      // By now, the flow before it would run.
      await answered(scene, "/mark");
      await untilItSleeps(scene, true, "with nodes that are switched off");
    },
  },
  {
    promise: "a flow runs on a schedule, keeps context, and a failing node reaches its catch node",
    keep: async (scene) => {
      await addFlow(scene, "clock", [
        { id: "tick", type: "inject", repeat: "1", once: true, onceDelay: 0.1, props: [], wires: [["count"]] },
        run("count", "global.set('ticks', (global.get('ticks') || 0) + 1); throw new Error('out of paper');", "nowhere"),
        { id: "caught", type: "catch", scope: null, uncaught: false, wires: [["keep"]] },
        run("keep", "global.set('caught', msg.error.message); return null;", "nowhere"),
        httpIn("t-in", "/ticks", "get", "t-say"),
        run("t-say", "msg.payload = { ticks: global.get('ticks') || 0, caught: global.get('caught') }; return msg;", "t-out"),
        respond("t-out"),
      ]);
      const lookOnce = async () => {
        const { ticks, caught } = (await (await answered(scene, "/ticks")).json()) as { ticks: number; caught?: string };
        assert.ok(ticks > 1 && caught?.includes("out of paper"), `${ticks} ticks, caught ${caught}`);
      };
      await waitFor(lookOnce, patience);
      assert.equal(await maySleep(scene), false);
    },
  },
];
