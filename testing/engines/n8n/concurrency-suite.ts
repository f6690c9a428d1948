/** How many executions run at a time, by plan; part of work-suite.ts, which sets the scene. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Response } from "undici";
import type { HookPromise, HookScene } from "./hook-scene.ts";
import { readUsage, tellPlan, until } from "./quota-suite.ts";
import { chain, code, dataOf, ownerCookie, post, publish, visit, webhook, whenThere } from "./work-scene.ts";

const limits = { executions: -1, activeWorkflows: -1, credentials: -1, users: -1 };
const tellLimit = (scene: HookScene, concurrentExecutions: number): Promise<void> =>
  tellPlan(scene, { status: "active", limits: { ...limits, concurrentExecutions } });

interface Worked {
  began: number;
  ended: number;
}

/** The most that ran at one time. */
const mostAtOnce = (all: readonly Worked[]): number =>
  Math.max(...all.map(({ began }) => all.filter((other) => other.began <= began && began < other.ended).length));

const working = (milliseconds: number) =>
  code(`const began = Date.now();
await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
return [{ json: { began, ended: Date.now() } }];`);

async function callAll(scene: HookScene, path: string, count: number): Promise<Worked[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => post(scene, path, {})));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  return Promise.all(answers.map((answer) => answer.json() as Promise<Worked>));
}

/** All executions of a workflow, whatever became of them. */
async function countOf(scene: HookScene, cookie: string, workflowId: string, status: string): Promise<number> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
  const found = await dataOf<{ results: object[] }>(
    await visit(scene, `/rest/executions?filter=${filter}&limit=100`, { headers: { cookie } }),
  );
  return found.results.length;
}

const firstAnswer = (scene: HookScene, path: string): Promise<Response> => whenThere(() => post(scene, path, {}));

export const concurrencySuite: readonly HookPromise[] = [
  {
    promise: "executions that run are counted if they began before a given time, until they end",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const name = `running-${randomUUID()}`;
      const path = `/webhook/${name}`;
      const { engine, workspaceId } = scene;
      const count = (since: Date) => engine.countRunning!(scene.address(), workspaceId, since);
      await publish(scene, cookie, chain(name, [webhook(name), working(4000)]));
      const before = new Date();
      const answer = firstAnswer(scene, path);
      await until(async () => (await count(new Date())) === 1, "an execution that runs");
      assert.equal(await count(before), 0);
      assert.equal((await answer).status, 200);
      await until(async () => (await count(new Date())) === 0, "its end");
    },
  },
  {
    promise: "as many executions of webhooks run at a time as the plan allows, the others wait, and a larger plan lets them in",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const name = `work-${randomUUID()}`;
      const path = `/webhook/${name}`;
      await publish(scene, cookie, chain(name, [webhook(name), working(1500)]));
      assert.equal((await firstAnswer(scene, path)).status, 200);
      await tellLimit(scene, 2);
      assert.equal((await dataOf<{ concurrency: number }>(await visit(scene, "/rest/settings", { headers: { cookie } }))).concurrency, 2);
      assert.ok(mostAtOnce(await callAll(scene, path, 6)) <= 2);
      await tellLimit(scene, 1);
      assert.equal(mostAtOnce(await callAll(scene, path, 3)), 1);
      const waiting = callAll(scene, path, 5);
      await tellLimit(scene, 5);
      assert.ok(mostAtOnce(await waiting) > 1);
      await tellLimit(scene, -1);
      assert.ok(mostAtOnce(await callAll(scene, path, 6)) > 2);
    },
  },
  {
    promise: "calls wait in bounded number: the others get 429, and each 200 is exactly one execution",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const name = `queue-${randomUUID()}`;
      const path = `/webhook/${name}`;
      const id = await publish(scene, cookie, chain(name, [webhook(name, { responseMode: "onReceived" }), working(50)]));
      const before = (await readUsage(scene)).executions;
      await tellLimit(scene, 1);
      const answers = [await firstAnswer(scene, path), ...(await Promise.all(Array.from({ length: 150 }, () => post(scene, path, {}))))];
      const accepted = answers.filter(({ status }) => status === 200).length;
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 429]);
      const refused = answers.find(({ status }) => status === 429)!;
      assert.equal(refused.headers.get("retry-after"), "5");
      assert.equal(((await refused.json()) as { code: string }).code, "workspace_too_many_calls");
      await tellLimit(scene, -1);
      await until(async () => (await countOf(scene, cookie, id, "success")) >= Math.min(accepted, 100), "what waited has run");
      await until(async () => (await readUsage(scene)).executions - before === accepted, "each counts once");
      await tellPlan(scene, { status: "active", limits: { ...limits, concurrentExecutions: -1 } });
    },
  },
];
