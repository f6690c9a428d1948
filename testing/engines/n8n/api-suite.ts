/**
 * What an owner's script or the editor calls never changes what an execution does: a module that is switched off may still be loaded by a
 * call, and then takes part in each execution without having been set up. Part of work-suite.ts.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Response } from "undici";
import type { HookPromise, HookScene } from "./hook-scene.ts";
import { chain, code, newApiKey, ownerCookie, post, publish, visit, webhook, whenThere } from "./work-scene.ts";

interface Call {
  method: string;
  /** With placeholders replaced by an id that nothing has. */
  path: string;
}

const unusedId = "0";
/** A call may open a stream; its answer has begun by then. */
const callTimeoutMs = 20_000;

/** A published workflow; `runs` fails unless an execution ends as it should. */
async function startWorkflow(scene: HookScene, cookie: string): Promise<{ runs(after: string): Promise<void> }> {
  const path = `after-${randomUUID()}`;
  await publish(scene, cookie, chain(path, [webhook(path), code("return [{ json: { sum: $input.first().json.body.a + 1 } }];")]));
  await whenThere(() => post(scene, `/webhook/${path}`, { a: 1 }));
  return {
    runs: async (after) => {
      const answer = await post(scene, `/webhook/${path}`, { a: 41 });
      const text = await answer.text();
      assert.deepEqual([answer.status, text], [200, '{"sum":42}'], `a workflow after ${after}`);
    },
  };
}

/**
 * Calls each, and runs the workflow after each group: the calls with the same first words of their path. What is answered is n8n's own
 * affair, and may be a fault; that it is answered is not.
 */
async function callAll(scene: HookScene, cookie: string, calls: readonly Call[], call: (made: Call) => Promise<Response>): Promise<void> {
  const workflow = await startWorkflow(scene, cookie);
  const groups = Map.groupBy(calls, ({ path }) => path.split(/[/?]/).slice(1, 3).join("/"));
  for (const [group, made] of groups) {
    for (const one of made) await (await call(one)).body?.cancel();
    await workflow.runs(group);
  }
}

/** The calls of n8n's own description of its public API. */
async function publicCalls(scene: HookScene): Promise<Call[]> {
  const description = await (await visit(scene, "/api/v1/openapi.yml")).text();
  const calls: Call[] = [];
  let path = "";
  for (const line of description.split("\n")) {
    path = /^ {2}(\/\S*):$/.exec(line)?.[1] ?? path;
    const method = /^ {4}(get|post|put|patch|delete):/.exec(line)?.[1];
    if (method) calls.push({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, unusedId) });
  }
  assert.ok(calls.length > 80, "the description was understood");
  return calls;
}

/** What the release's controllers answer to GET: also those of modules that are switched off. */
async function editorCalls({ command }: HookScene): Promise<Call[]> {
  const folder = command.find((part) => part.endsWith("/bin/n8n"))!.replace(/bin\/n8n$/, "dist");
  const calls: Call[] = [];
  for await (const file of glob("**/*.controller*.js", { cwd: folder })) {
    const text = await readFile(join(folder, file), "utf8");
    const base = /RestController\)\((?:['"`]([^'"`]*)['"`])?\)/.exec(text)?.[1];
    if (base === undefined) continue;
    for (const [, path] of text.matchAll(/\.Get\)\(['"]([^'"]*)['"]/g))
      calls.push({ method: "GET", path: `${base}${path}`.replaceAll(/:\w+/g, unusedId).replace(/^\/*/, "/").replace(/\/$/, "") });
  }
  assert.ok(calls.length > 100, "the release's controllers were found");
  return calls;
}

export const apiSuite: readonly HookPromise[] = [
  {
    promise: "whatever a script calls of the public API, workflows run as before",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const headers = { "x-n8n-api-key": await newApiKey(scene, cookie), "content-type": "application/json" };
      await callAll(scene, cookie, await publicCalls(scene), ({ method, path }) =>
        visit(scene, `/api/v1${path}`, {
          method,
          headers,
          signal: AbortSignal.timeout(callTimeoutMs),
          ...(method === "GET" || method === "DELETE" ? {} : { body: "{}" }),
        }),
      );
    },
  },
  {
    promise: "whatever the editor or a script reads of n8n's own API, workflows run as before",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      await callAll(scene, cookie, await editorCalls(scene), ({ path }) =>
        visit(scene, `/rest${path}`, { headers: { cookie }, redirect: "manual", signal: AbortSignal.timeout(callTimeoutMs) }),
      );
    },
  },
];
