/**
 * A thousand strangers who call one workspace's webhook at once: awake, restarting and asleep; a public form; and a webhook with bodies that
 * are almost too large. None may end it, none of them is lost, and its neighbour hardly notices.
 */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { chain, code, webhook, type GivenNode } from "#testing/engines/n8n/work-scene.ts";
import { signInToN8n } from "#testing/engines/n8n/n8n-owner.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { openRows } from "../../chaos/checks/rows.ts";
import { putToSleep } from "../../chaos/round/let-rest.ts";
import { words, type Attack, type Outcome } from "../attack.ts";
import { measureLatency } from "../latency.ts";
import { eventually } from "../scene/eventually.ts";
import { n8nOf } from "../scene/host-view.ts";
import { activate, deactivate, type Scene } from "../scene/scene.ts";

const calls = 1_000;
/** Of the neighbour's median, as in the other attacks; the 95th percentile is in the table. */
const mostRatio = 2;
const mostTries = 4;
const bootMs = 180_000;
const patienceMs = 120_000;
const largeCalls = 40;
const mediumCalls = 500;
const settleMs = 3_000;

interface Storm {
  path: string;
  workflowId: string;
  cookie: string;
}

/** A webhook that answers with what a Code node returns. */
async function prepare(scene: Scene): Promise<Storm> {
  const path = `storm-${randomUUID()}`;
  const workflow = chain(path, [webhook(path), code("return [{ json: { ok: true } }];")]);
  const workflowId = await activate(scene.slipway, scene.attacker, workflow, path);
  return { path, workflowId, cookie: await signInToN8n(scene.slipway, scene.attacker.customer) };
}

/** How many executions of the workflow n8n has, whatever became of them. */
async function countExecutions({ attacker }: Scene, { workflowId, cookie }: Storm): Promise<number> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  const answer = await ask(`${attacker.url}/rest/executions?filter=${filter}&limit=1`, { headers: { cookie } });
  return answer.json<{ data: { count: number } }>().data.count;
}

/** The number of answers by status; "lost" are calls without an answer. */
async function callAll({ attacker }: Scene, { path }: Storm): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const call = () => ask(`${attacker.url}/webhook/${path}`, { method: "POST", body: { say: "hello" }, timeoutMs: patienceMs });
  const answers = await Promise.all(
    Array.from({ length: calls }, () =>
      call().then(
        ({ status }) => String(status),
        () => "lost",
      ),
    ),
  );
  for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Harms of a storm. `n8n` is the process that must survive it. */
async function judge(scene: Scene, storm: Storm, before: number, counts: Record<string, number>, n8n: number): Promise<string[]> {
  const { 200: done = 0, 429: _, ...others } = counts;
  const pid = n8nOf(scene.attacker.uid)?.pid;
  // The last executions are recorded a moment after their answers.
  const ran = await eventually("the executions of the storm", async () => {
    const count = (await countExecutions(scene, storm)) - before;
    return count >= done ? { count } : undefined;
  }).catch(async () => ({ count: (await countExecutions(scene, storm)) - before }));
  return [
    ...(pid === n8n ? [] : ["the workspace's process ended"]),
    ...Object.entries(others).map(([status, count]) => `${count} calls were answered ${status}`),
    ...(done === 0 ? ["no call was answered 200"] : []),
    ...(ran.count === done ? [] : [`${done} calls were answered 200, and ${ran.count} executions ran`]),
  ];
}

const told = (counts: Record<string, number>): string => words(Object.entries(counts).map(([status, count]) => `${count} × ${status}`));

async function storming(scene: Scene, begin: (storm: Storm) => Promise<() => number | Promise<number>>): Promise<Outcome> {
  const storm = await prepare(scene);
  const before = await countExecutions(scene, storm);
  const n8n = await begin(storm);
  let counts: Record<string, number> = {};
  const attack = async (): Promise<void> => void (counts = await callAll(scene, storm));
  let latency = await measureLatency(scene, attack, () => undefined);
  const harms = await judge(scene, storm, before, counts, await n8n());
  const stoppedBy = told(counts);
  // Other tests may run beside this one: a busy machine is slow by chance, a storm every time.
  for (let tries = 1; latency.ratio > mostRatio && tries < mostTries; tries += 1) {
    const again = await measureLatency(scene, attack, () => undefined);
    if (again.ratio < latency.ratio) latency = again;
  }
  await deactivate(scene.slipway, scene.attacker, storm.workflowId);
  if (latency.ratio > mostRatio) harms.push(`the neighbour is ${latency.ratio.toFixed(1)} times as slow as usual`);
  return { stoppedBy, latency, harms };
}

interface Sent {
  path: string;
  type: string;
  body: string;
}

interface Asked {
  path: string;
  method: "GET";
  headers: Record<string, string>;
}

/**
 * Like `callAll`, with other bodies or none: the number of answers by status, each of which must be read to its end. What was lost is counted
 * by its reason.
 */
async function sendAll({ attacker }: Scene, count: number, what: Sent | Asked): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const { host, port } = new URL(attacker.url);
  const body = "body" in what ? what.body : "";
  const { path, method, headers }: Asked | (Omit<Asked, "method"> & { method: "POST" }) =
    "body" in what
      ? { path: what.path, method: "POST", headers: { "content-type": what.type, "content-length": String(Buffer.byteLength(body)) } }
      : what;
  const send = () =>
    new Promise<string>((resolve) => {
      const sent = request({ host: "127.0.0.1", port, path, method, agent: false, headers: { ...headers, host } }, (res) => {
        res.resume().once("close", () => resolve(res.complete ? String(res.statusCode) : `in part (${res.statusCode})`));
      });
      const lost = ({ code, message }: NodeJS.ErrnoException): void => resolve(`with nothing (${code ?? message})`);
      sent.setTimeout(patienceMs, () => sent.destroy(new Error("silence"))).once("error", lost);
      sent.end(body);
    });
  for (const status of await Promise.all(Array.from({ length: count }, send))) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Answers other than 429 and those that the workspace should give are harms, and so is another process than before. */
async function sending(scene: Scene, count: number, sent: Sent | Asked, right = "200"): Promise<Outcome> {
  const n8n = pidOf(scene);
  const counts = await sendAll(scene, count, sent);
  // What it was sent may be in its memory for a moment longer than its answers took.
  await setTimeout(settleMs);
  const others = Object.entries(counts).filter(([status]) => status !== right && status !== "429");
  const harms = [
    ...(pidOf(scene) === n8n ? [] : ["the workspace's process ended"]),
    ...others.map(([status, number]) => `${number} calls were answered ${status}`),
    ...(counts[right] ? [] : [`no call was answered ${right}`]),
  ];
  return { stoppedBy: told(counts), harms };
}

/** A public form of one field. */
const form = (path: string): GivenNode => ({
  name: "Form",
  type: "n8n-nodes-base.formTrigger",
  typeVersion: 2.2,
  webhookId: randomUUID(),
  parameters: { path, formTitle: "Say it", formFields: { values: [{ fieldLabel: "say" }] }, options: { path } },
});

const filledIn = '--end\r\ncontent-disposition: form-data; name="field-0"\r\n\r\nhello\r\n--end--\r\n';

/** Small objects: 300,000 are 13 MB, just within n8n's limit of 16. */
const bodyOf = (objects: number): string =>
  JSON.stringify({ items: Array.from({ length: objects }, (_item, a) => ({ a, say: "hello hello hello hell" })) });

const pidOf = ({ attacker }: Scene): number => n8nOf(attacker.uid)?.pid ?? 0;

export const storm: readonly Attack[] = [
  {
    title: "storms a webhook with a thousand calls at once",
    means: "1,000 strangers",
    run: (scene) =>
      storming(scene, async () => {
        const pid = pidOf(scene);
        return () => pid;
      }),
  },
  {
    title: "storms a webhook of a workspace that restarts",
    means: "1,000 strangers",
    run: (scene) =>
      storming(scene, async () => {
        const { slipway, attacker } = scene;
        const old = pidOf(scene);
        const answer = await slipway.call("PUT", "/api/instance/restart", { token: attacker.customer.token });
        if (answer.status >= 300) throw new Error(`the restart was answered ${answer.status}`);
        await eventually("the end of the old process", async () => (pidOf(scene) === old ? undefined : true), bootMs, 20);
        const started = slipway.until(attacker.customer, ({ status }) => status === instanceStatus.online, bootMs).then(() => pidOf(scene));
        return () => started;
      }),
  },
  {
    title: "storms a public form with a thousand answers at once",
    means: "1,000 strangers",
    mayEndItself: true,
    async run(scene) {
      const path = `form-${randomUUID()}`;
      const workflow = chain(path, [form(path), code("return [{ json: { ok: true } }];")]);
      const workflowId = await activate(scene.slipway, scene.attacker, workflow, `/form/${path}`);
      const outcome = await sending(scene, calls, { path: `/form/${path}`, type: "multipart/form-data; boundary=end", body: filledIn });
      await deactivate(scene.slipway, scene.attacker, workflowId);
      return outcome;
    },
  },
  {
    title: "storms a webhook with bodies that are almost too large",
    means: "40 strangers",
    mayEndItself: true,
    async run(scene) {
      const { path, workflowId } = await prepare(scene);
      const outcome = await sending(scene, largeCalls, { path: `/webhook/${path}`, type: "application/json", body: bodyOf(300_000) });
      await deactivate(scene.slipway, scene.attacker, workflowId);
      return outcome;
    },
  },
  {
    title: "storms the sign-in page with bodies of a megabyte",
    means: "500 strangers",
    mayEndItself: true,
    run: (scene) => sending(scene, mediumCalls, { path: "/rest/login", type: "application/json", body: bodyOf(25_000) }, "400"),
  },
  {
    title: "sends the sign-in page a body of nothing but brackets",
    means: "one stranger",
    mayEndItself: true,
    run: (scene) => sending(scene, 1, { path: "/rest/login", type: "application/json", body: "[".repeat(15_000_000) }, "413"),
  },
  {
    title: "storms a file of the editor, to be compressed as small as possible",
    means: "500 strangers",
    mayEndItself: true,
    async run(scene) {
      // A stranger knows the name from an n8n of their own.
      const cookie = await signInToN8n(scene.slipway, scene.attacker.customer);
      const editor = await ask(`${scene.attacker.url}/`, { headers: { cookie, accept: "text/html" } });
      const path = /\/assets\/index-[\w-]+\.js/.exec(editor.text)?.[0];
      if (!path) throw new Error(`the editor names no file: ${editor.status} ${editor.text.slice(0, 300)}`);
      return sending(scene, mediumCalls, { path, method: "GET", headers: { "accept-encoding": "br" } });
    },
  },
];

export const stormAsleep: readonly Attack[] = [
  {
    title: "storms a webhook of a sleeping workspace",
    means: "1,000 strangers",
    async run(scene) {
      if (!(await scene.letSleep())) return { stoppedBy: "this host freezes no workspaces", harms: [] };
      return storming(scene, async () => {
        await putToSleep({ rows: openRows(scene.slipway.dataDir) }, bootMs);
        const pid = pidOf(scene);
        return () => pid;
      });
    },
  },
];
