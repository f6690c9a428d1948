/** How the suite of daily work uses a workspace: through the gateway, as its people and their customers do. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Response } from "undici";
import { visit } from "../visit.ts";
import { signIn as signInBare, type HookScene } from "./hook-scene.ts";

export { visit };

/** Sends JSON. */
export const post = (
  scene: HookScene,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<Response> =>
  visit(scene, path, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

/** The `data` of one of n8n's own answers. */
export async function dataOf<Data>(response: Response): Promise<Data> {
  const text = await response.text();
  assert.ok(response.status < 300, `${response.status} ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: Data }).data;
}

/** The owner's session, for a cookie header. */
export const ownerCookie = async (scene: HookScene): Promise<string> => (await signInBare(scene)).cookie;

/** A key for the public API that may do everything. */
export async function newApiKey(scene: HookScene, cookie: string): Promise<string> {
  const scopes = await dataOf<string[]>(await visit(scene, "/rest/api-keys/scopes", { headers: { cookie } }));
  const made = await post(scene, "/rest/api-keys", { label: randomUUID(), scopes, expiresAt: null }, { cookie });
  return (await dataOf<{ rawApiKey: string }>(made)).rawApiKey;
}

export interface GivenNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters?: object;
  webhookId?: string;
  /** Other settings of the node, such as `credentials` or `onError`. */
  [setting: string]: unknown;
}

/** A workflow whose nodes follow each other in this order. */
export function chain(name: string, nodes: readonly GivenNode[], settings: object = {}): object {
  const connections = Object.fromEntries(
    nodes.slice(0, -1).map((node, index) => [node.name, { main: [[{ node: nodes[index + 1]!.name, type: "main", index: 0 }]] }]),
  );
  return {
    name,
    settings,
    active: false,
    connections,
    nodes: nodes.map((node, index) => ({ id: randomUUID(), position: [220 * index, 0], parameters: {}, ...node })),
  };
}

export const webhook = (path: string, parameters: object = {}): GivenNode => ({
  name: "Webhook",
  type: "n8n-nodes-base.webhook",
  typeVersion: 2.1,
  webhookId: randomUUID(),
  parameters: { path, httpMethod: "POST", responseMode: "lastNode", ...parameters },
});
export const code = (jsCode: string, name = "Code"): GivenNode => ({
  name,
  type: "n8n-nodes-base.code",
  typeVersion: 2,
  parameters: { jsCode },
});

/** Makes and publishes it. Returns its id. n8n registers webhooks a moment later: see `whenThere`. */
export async function publish(scene: HookScene, cookie: string, workflow: object): Promise<string> {
  const { id, versionId } = await dataOf<{ id: string; versionId: string }>(await post(scene, "/rest/workflows", workflow, { cookie }));
  await dataOf(await post(scene, `/rest/workflows/${id}/activate`, { versionId }, { cookie }));
  return id;
}

const waitMs = 60_000;

/** Repeats the call while the address is not registered yet. */
export async function whenThere(request: () => Promise<Response>): Promise<Response> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const response = await request();
    if (response.status !== 404 || performance.now() > deadlineMs) return response;
    await delay(100);
  }
}

interface SeenExecution {
  id: string;
  status: string;
  mode: string;
  workflowId: string;
}

/** The newest executions of a workflow, newest first. */
export async function executionsOf(scene: HookScene, cookie: string, workflowId: string): Promise<SeenExecution[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  return (
    await dataOf<{ results: SeenExecution[] }>(await visit(scene, `/rest/executions?filter=${filter}&limit=20`, { headers: { cookie } }))
  ).results;
}

/** Waits for a matching execution of this workflow. */
export async function executionWhere(
  scene: HookScene,
  cookie: string,
  workflowId: string,
  fits: (execution: SeenExecution) => boolean,
): Promise<SeenExecution> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const found = (await executionsOf(scene, cookie, workflowId)).find(fits);
    if (found) return found;
    assert.ok(performance.now() < deadlineMs, "the execution was not seen in time");
    await delay(100);
  }
}
