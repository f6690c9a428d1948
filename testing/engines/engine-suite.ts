/**
 * The requirements for every engine: run against a real process by each engine's test and by qualification, in this order, on a workspace
 * without an owner.
 */
import assert from "node:assert/strict";
import { createDecipheriv, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { StoredVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { systemClock } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { Engine, EngineHealth } from "#apps/provisioner/engines/engine.ts";
import type { EngineExportFile } from "#apps/provisioner/engines/port/engine-copies.ts";
import type { EnginePlan, EngineUsage } from "#apps/provisioner/engines/port/engine-usage.ts";
import { signToken, type TokenSubject } from "#apps/provisioner/engines/sign-token.ts";
import { tokenLifetimeMs } from "#apps/provisioner/engines/workspace-side/token-claims.mts";

export interface EngineScene {
  engine: Engine;
  signingKey: KeyObject;
  workspaceId: string;
  /** The result of its `createSecrets`. */
  secrets: Readonly<Record<string, string>>;
  version: string;
  /** What starts it. */
  command: readonly string[];
  /** The current host:port; it changes with a restart. */
  address(): string;
  /** Its address through the gateway, without a trailing slash: http://acme.localhost:3100 */
  door(): string;
  /** `kill`: without a chance to save anything, if the scene can do that. */
  restart(options?: { kill: boolean }): Promise<void>;
  /** What the process has printed since its first start. */
  logs(): Promise<string>;
  /** Resolves when it first says that it is ready, with what its health was then. */
  said(): Promise<EngineHealth>;
}

/** What the suite needs for each tool: how people use it. */
export interface EngineHands {
  /** Whether this answer to a sign-in link signs the owner in. */
  isSignedIn(scene: EngineScene, answer: Response): Promise<boolean>;
  /**
   * As the signed-in owner: makes and activates a workflow that answers GET `webhookPath(name)`. Throws the tool's refusal with its
   * message.
   */
  activateWebhook(scene: EngineScene, signIn: Response, name: string): Promise<void>;
  webhookPath(name: string): string;
}

/** Variables set by the owner of each scene. */
export const suiteVariables: StoredVariables = {
  revision: 1,
  variables: [
    { name: "GREETING", value: 'Hello {{folder}}, it\'s "me"', isSecret: true },
    // n8n leaves this one to owners. The others would be refused, and must not be taken from the row either.
    { name: "N8N_WORKFLOW_TAGS_DISABLED", value: "true", isSecret: false },
    { name: "N8N_PORT", value: "1", isSecret: false },
    { name: "NODE_OPTIONS", value: "--trace-warnings", isSecret: false },
    { name: "N8N_LOG_LEVEL", value: "silent", isSecret: false },
  ],
};

interface EnginePromise {
  promise: string;
  keep(scene: EngineScene, hands: EngineHands): Promise<void>;
}

const owner = { email: "ada@example.com", fullName: "Ada de Lovelace" };
const otherKey = generateKeyPairSync("ed25519").privateKey;
const waitMs = 60_000;
const periodStart = new Date(systemClock.now().getTime() - 86_400_000);

const ask = (scene: EngineScene, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://${scene.address()}${path}`, {
    redirect: "manual",
    ...init,
    headers: { connection: "close", ...(init.headers as Record<string, string> | undefined) },
  });

const sign = (scene: EngineScene, subject: Partial<TokenSubject>, key = scene.signingKey, shiftMs = 0): string =>
  signToken(
    key,
    { now: () => new Date(systemClock.now().getTime() + shiftMs) },
    { audience: "login", workspaceId: scene.workspaceId, ...subject },
  );

const openLoginLink = (scene: EngineScene, token: string, init: RequestInit = {}): Promise<Response> =>
  ask(scene, `/_slipway/login?token=${token}`, init);
const signIn = (scene: EngineScene): Promise<Response> => ask(scene, scene.engine.loginPath(scene.workspaceId, "/"));

async function assertPage(answer: Response, status: number, words: RegExp): Promise<void> {
  const text = await answer.text();
  assert.equal(answer.status, status, text.slice(0, 300));
  assert.match(text, words);
  assert.match(text, /Back to the panel/);
}

function planOf(limits: Partial<EnginePlan["limits"]>): EnginePlan {
  return {
    fingerprint: `plan-${JSON.stringify(limits)}`,
    id: "starter",
    displayName: "Starter",
    group: "opt-out",
    slug: "starter",
    status: "active",
    expiresAt: null,
    trialDays: 14,
    limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1, ...limits },
    periodStarts: [periodStart],
    counted: { executions: 0, epochs: {} },
    changePlanPath: "/account/change-plan",
    isConfirmed: true,
  };
}

const tell = (scene: EngineScene, limits: Partial<EnginePlan["limits"]>) =>
  scene.engine.setPlan!(scene.address(), scene.workspaceId, planOf(limits));
const usage = (scene: EngineScene): Promise<EngineUsage> => scene.engine.readUsage!(scene.address(), scene.workspaceId);

/** Over all lives of the counters, added up as the control plane does. */
const counted = (read: EngineUsage): number => read.counters.reduce((sum, { executions }) => sum + executions, 0);

/** A tool may take a moment from "activated" to listening. */
async function callUntilAnswered(scene: EngineScene, path: string): Promise<Response> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const answer = await ask(scene, path);
    if (answer.status !== 404 || performance.now() > deadlineMs) return answer;
    await delay(200);
  }
}

async function waitForCount(scene: EngineScene, count: number): Promise<EngineUsage> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const read = await usage(scene);
    if (counted(read) === count || performance.now() > deadlineMs) {
      assert.equal(counted(read), count);
      return read;
    }
    await delay(100);
  }
}

const engineSuite: readonly EnginePromise[] = [
  {
    promise: "its health path answers 200, and health says ready",
    keep: async (scene) => {
      assert.equal((await ask(scene, scene.engine.healthPath)).status, 200);
      assert.deepEqual(await scene.engine.health(scene.address()), { ready: true });
      assert.equal((await scene.engine.health("127.0.0.1:9")).ready, false);
    },
  },
  {
    promise: "it says when its start is over, and answers then",
    keep: async (scene) => assert.deepEqual(await within(waitMs, "its word", scene.said()), { ready: true }),
  },
  {
    promise: "its start uses the code that was compiled once for all workspaces of the host",
    keep: async (scene) => assert.match(await scene.logs(), /^quick start: compiled code$/m),
  },
  {
    promise: "a sign-in before the owner exists is asked to wait",
    keep: async (scene) => assertPage(await openLoginLink(scene, sign(scene, {})), 503, /still being set up/),
  },
  {
    promise: "the owner is set up once, the same again changes nothing, another is refused",
    keep: async (scene) => {
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, owner);
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, owner);
      await assert.rejects(scene.engine.setUpOwner(scene.address(), scene.workspaceId, { ...owner, email: "eve@example.com" }), /409/);
    },
  },
  {
    promise: "a sign-in link signs the owner in, once; only looking at it does not use it up",
    keep: async (scene, hands) => {
      const token = sign(scene, {});
      assert.equal((await openLoginLink(scene, token, { method: "HEAD" })).status, 503);
      assert.equal((await openLoginLink(scene, token, { headers: { "sec-purpose": "prefetch" } })).status, 503);
      const answer = await openLoginLink(scene, token);
      assert.equal(answer.status, 302);
      assert.equal(await hands.isSignedIn(scene, answer), true);
      const again = await openLoginLink(scene, token);
      assert.equal(await hands.isSignedIn(scene, again.clone()), false);
      await assertPage(again, 401, /already been used/);
    },
  },
  {
    promise: "an expired, a long-lived, a foreign, a forged and a broken sign-in link are refused with a page that says why",
    keep: async (scene) => {
      await assertPage(await openLoginLink(scene, sign(scene, {}, scene.signingKey, -tokenLifetimeMs - 1)), 401, /has expired/);
      await assertPage(await openLoginLink(scene, sign(scene, {}, scene.signingKey, 3_600_000)), 401, /has expired/);
      await assertPage(await openLoginLink(scene, sign(scene, { workspaceId: "another" })), 401, /another workspace/);
      await assertPage(await openLoginLink(scene, sign(scene, {}, otherKey)), 401, /not valid/);
      await assertPage(await openLoginLink(scene, sign(scene, { audience: "status" })), 401, /not valid/);
      await assertPage(await openLoginLink(scene, "x.y"), 401, /not valid/);
    },
  },
  {
    promise: "a sign-in link never leads to another host",
    keep: async (scene) => {
      for (const landingPath of ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example"]) {
        const location = (await openLoginLink(scene, sign(scene, { landingPath }))).headers.get("location");
        assert.equal(new URL(location ?? "", "http://workspace.test").host, "workspace.test");
      }
    },
  },
  {
    promise: "only the control plane sets the owner, sends a plan or reads usage",
    keep: async (scene) => {
      for (const [path, method] of [
        ["/_slipway/owner", "POST"],
        ["/_slipway/plan", "POST"],
        ["/_slipway/usage", "GET"],
      ] as const) {
        for (const authorization of [
          "",
          `Bearer ${sign(scene, { audience: "login" })}`,
          `Bearer ${sign(scene, { audience: "plan", workspaceId: "another" })}`,
        ]) {
          const body = method === "POST" ? { body: JSON.stringify({ email: "eve@example.com" }) } : {};
          assert.equal(
            (await ask(scene, path, { method, ...body, headers: { authorization, "content-type": "application/json" } })).status,
            401,
            path,
          );
        }
      }
    },
  },
  {
    promise: "its catalogue lists each node once, with categories",
    keep: async (scene) => {
      const nodes = await scene.engine.readCatalogue(scene.version);
      assert.ok(nodes.length > 30, `${nodes.length} nodes`);
      assert.equal(new Set(nodes.map(({ name }) => name)).size, nodes.length);
      assert.ok(nodes.filter(({ icon }) => icon !== null).length > nodes.length / 2);
    },
  },
  {
    promise: "it follows the plan it received, and counts each execution once",
    keep: async (scene, hands) => {
      await tell(scene, { executions: 3, activeWorkflows: 1 });
      assert.equal((await usage(scene)).plan, planOf({ executions: 3, activeWorkflows: 1 }).fingerprint);
      await hands.activateWebhook(scene, await signIn(scene), "first");
      assert.equal((await callUntilAnswered(scene, hands.webhookPath("first"))).status, 200);
      assert.equal((await ask(scene, hands.webhookPath("first"))).status, 200);
      assert.equal((await waitForCount(scene, 2)).activeWorkflows, 1);
    },
  },
  {
    promise: "one active workflow too many is refused with a message that names the plan and links to a larger one",
    keep: async (scene, hands) => {
      await assert.rejects(
        hands.activateWebhook(scene, await signIn(scene), "second"),
        /Your Starter plan allows 1 active (workflow|flow)\b[\s\S]*\/account\/change-plan/,
      );
      assert.equal((await ask(scene, hands.webhookPath("second"))).status, 404);
      await tell(scene, { executions: 3, activeWorkflows: 2 });
      await hands.activateWebhook(scene, await signIn(scene), "second");
    },
  },
  {
    promise: "beyond the plan's executions it answers no webhooks, still lets users sign in, and works again as soon as the plan grows",
    keep: async (scene, hands) => {
      assert.equal((await callUntilAnswered(scene, hands.webhookPath("second"))).status, 200);
      await waitForCount(scene, 3);
      const refused = await ask(scene, hands.webhookPath("first"));
      // This plan has no next usage period: only a larger one helps, and a stranger learns nothing about it.
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [402, "3600"]);
      assert.match(await refused.text(), /"code":"executions_used_up"(?!.*Starter)/);
      assert.equal(await hands.isSignedIn(scene, await signIn(scene)), true);
      await tell(scene, { executions: 10, activeWorkflows: 2 });
      assert.equal((await ask(scene, hands.webhookPath("first"))).status, 200);
      await waitForCount(scene, 4);
    },
  },
  {
    promise: "with nothing but webhooks it says that it may sleep, to the control plane alone",
    keep: async (scene, hands) => {
      const { engine, workspaceId } = scene;
      for (const authorization of [
        "",
        `Bearer ${sign(scene, { audience: "login" })}`,
        `Bearer ${sign(scene, { audience: "status", workspaceId: "another" })}`,
      ])
        assert.notEqual((await ask(scene, "/_slipway/sleep", { headers: { authorization } })).status, 200);
      const sleep = engine.sleep!;
      const deadlineMs = performance.now() + waitMs;
      // Executions from the checks above may still be ending.
      while (!(await sleep.ask(scene.address(), workspaceId)).sleepable && performance.now() < deadlineMs) await delay(100);
      // Asking changes nothing.
      for (const _twice of [1, 2]) {
        const { sleepable, due } = await sleep.ask(scene.address(), workspaceId);
        assert.deepEqual({ sleepable, due }, { sleepable: true, due: null });
      }
      assert.match(engine.healthPath, sleep.monitored);
      for (const path of ["/", hands.webhookPath("first"), engine.loginPath(workspaceId, "/")])
        for (const exempt of [sleep.monitored, sleep.absent]) assert.doesNotMatch(path, exempt);
    },
  },
  {
    promise: "workflows are exported as files; credentials only encrypted, and readable only with their key",
    keep: async (scene) => {
      const exports = scene.engine.exports!;
      const key = randomBytes(32);
      const collect = async (withKey: string | null) => {
        const files: EngineExportFile[] = [];
        for await (const file of exports.read(scene.address(), scene.workspaceId, withKey)) files.push(file);
        return files;
      };
      const plain = await collect(null);
      // In some tools, a workflow that could not be activated exists as well.
      assert.ok(plain.reduce((sum, { count }) => sum + count, 0) >= 2);
      assert.ok(plain.every(({ kind, content }) => kind === "workflow" && JSON.parse(content)));
      const sealed = (await collect(key.toString("base64"))).find(({ kind }) => kind === "credentials");
      const { nonce, data } = JSON.parse(sealed!.content) as { nonce: string; data: string };
      const bytes = Buffer.from(data, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64")).setAuthTag(bytes.subarray(-16));
      assert.equal(
        typeof JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8")),
        "object",
      );
      assert.deepEqual(
        exports.companions(null, "en").map(({ path }) => path),
        ["README.txt"],
      );
      assert.ok(exports.companions({ salt: "s", N: 1, r: 1, p: 1 }, "en").some(({ path }) => path === "decrypt-credentials.mjs"));
    },
  },
  {
    promise: "after a restart owner, plan, counters and workflows are as they were, and a used link stays used",
    keep: async (scene, hands) => {
      const token = sign(scene, {});
      assert.equal((await openLoginLink(scene, token)).status, 302);
      await scene.restart();
      assert.equal((await openLoginLink(scene, token)).status, 401);
      assert.equal((await usage(scene)).plan, planOf({ executions: 10, activeWorkflows: 2 }).fingerprint);
      assert.equal((await callUntilAnswered(scene, hands.webhookPath("first"))).status, 200);
      await waitForCount(scene, 5);
      assert.equal(await hands.isSignedIn(scene, await signIn(scene)), true);
    },
  },
];

/** The suite for an engine, with the way people use its tool. */
export const promisesOf = (hands: EngineHands): { promise: string; keep(scene: EngineScene): Promise<void> }[] =>
  engineSuite.map(({ promise, keep }) => ({ promise, keep: (scene) => keep(scene, hands) }));
