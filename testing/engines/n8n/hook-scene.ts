/** The real n8n that the suites use one after the other, and how they call it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "#platform/clock.ts";
import type { EngineScene } from "../engine-suite.ts";
import { signToken, type TokenSubject } from "#apps/provisioner/engines/sign-token.ts";

export type HookScene = EngineScene;

/** A workspace that is called without a gateway, and never restarted. */
export const directScene = (
  given: Pick<HookScene, "engine" | "signingKey" | "version" | "command" | "secrets" | "workspaceId" | "address" | "logs">,
): HookScene => ({
  ...given,
  door: () => `http://${given.address()}`,
  said: () => Promise.reject(new Error("not in this scene")),
  restart: () => Promise.reject(new Error("not in this scene")),
});

export interface HookPromise {
  promise: string;
  keep(scene: HookScene): Promise<void>;
}

const webhookTimeoutMs = 60_000;

export const ask = (scene: HookScene, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://${scene.address()}${path}`, { redirect: "manual", ...init });

export const askJson = (scene: HookScene, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  ask(scene, path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

export const sign = (scene: HookScene, subject: Partial<TokenSubject>, key = scene.signingKey, shiftMs = 0): string =>
  signToken(
    key,
    { now: () => new Date(systemClock.now().getTime() + shiftMs) },
    { audience: "login", workspaceId: scene.workspaceId, ...subject },
  );

export const login = (scene: HookScene, token: string): Promise<Response> => ask(scene, `/_slipway/login?token=${token}`);

/** Signs in through a fresh link and returns the cookie. */
export async function signIn(scene: HookScene, landingPath = "/"): Promise<{ cookie: string; location: string }> {
  const response = await ask(scene, scene.engine.loginPath(scene.workspaceId, landingPath));
  assert.equal(response.status, 302, await response.clone().text());
  const cookie = response.headers.getSetCookie().find((header) => header.startsWith("n8n-auth="));
  assert.ok(cookie, "a session cookie is set");
  return { cookie: cookie.split(";")[0]!, location: response.headers.get("location") ?? "" };
}

export const readData = async <Data>(response: Response): Promise<Data> => {
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(0, 500));
  return (JSON.parse(text) as { data: Data }).data;
};

interface WorkflowNode {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: object;
  webhookId?: string;
}

/** A workflow that runs `node` when /webhook/{path} is called, and answers with its result. */
export function webhookWorkflow(
  path: string,
  node: Omit<WorkflowNode, "id" | "position"> = codeNode("return [{ json: {} }];"),
  httpMethod: "GET" | "POST" = "GET",
) {
  const webhook = {
    name: "Webhook",
    type: "n8n-nodes-base.webhook",
    typeVersion: 2,
    webhookId: randomUUID(),
    parameters: { path, httpMethod, responseMode: "lastNode" },
  };
  const nodes = [webhook, node].map((each, index): WorkflowNode => ({ id: randomUUID(), position: [220 * index, 0], ...each }));
  return {
    name: path,
    settings: {},
    active: false,
    nodes,
    connections: { Webhook: { main: [[{ node: node.name, type: "main", index: 0 }]] } },
  };
}

const codeNode = (jsCode: string) => ({ name: "Code", type: "n8n-nodes-base.code", typeVersion: 2, parameters: { jsCode } });

export const echoWorkflow = webhookWorkflow(
  "double",
  codeNode("return [{ json: { doubled: 2 * Number($input.first().json.query.number) } }];"),
);

/** Long enough to be killed during it; n8n keeps waits of less than 65 s in memory. */
export const slowWorkflow = webhookWorkflow("slow", {
  name: "Wait",
  type: "n8n-nodes-base.wait",
  typeVersion: 1.1,
  webhookId: randomUUID(),
  parameters: { amount: 50, unit: "seconds" },
});

/** The answer of a webhook; n8n registers one a moment after it reports the workflow as active. */
export async function callWebhook(scene: HookScene, path: string): Promise<Response> {
  const deadlineMs = performance.now() + webhookTimeoutMs;
  for (;;) {
    const response = await ask(scene, `/webhook/${path}`);
    if (response.status !== 404 || performance.now() > deadlineMs) return response;
    await delay(100);
  }
}

export const callEcho = (scene: HookScene): Promise<Response> => callWebhook(scene, "double?number=21");
