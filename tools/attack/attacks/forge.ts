/** Impersonating the control plane: login links, calls of the private API, codes for the panel, a larger plan. */
import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "#testing/ask.ts";
import { loginLink } from "#testing/engines/n8n/n8n-owner.ts";
import { words, type Attack, type Outcome } from "../attack.ts";
import { eventually } from "../scene/eventually.ts";
import { executionsLimit, type Scene } from "../scene/scene.ts";

const own = generateKeyPairSync("ed25519").privateKey;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenOf = (url: string): string => new URL(url).searchParams.get("token") ?? "";

/** Claims as the control plane would make them now, for one use. */
const claims = (workspaceId: string, audience: string): object => ({
  audience,
  workspaceId,
  id: randomUUID(),
  issuedAtMs: Date.now(),
  expiresAtMs: Date.now() + 60_000,
});

const signed = (payload: string, key: KeyObject): string => `${payload}.${sign(null, Buffer.from(payload), key).toString("base64url")}`;

/** Tokens that must be rejected; `genuine` is of the attacker's own workspace, `publicKey` is known to every workspace. */
export function forgeries(workspaceId: string, audience: string, genuine: string, publicKey: string): Map<string, string> {
  const payload = encode(claims(workspaceId, audience));
  const [genuinePayload = "", ...signatures] = genuine.split(".");
  const changed = encode({ ...(JSON.parse(Buffer.from(genuinePayload, "base64url").toString()) as object), workspaceId, audience });
  const none = encode({ alg: "none", typ: "JWT" });
  return new Map([
    ["signed with a key of its own", signed(payload, own)],
    ["without a signature", payload],
    ["with an empty signature", `${payload}.`],
    ["alg none", `${none}.${payload}.`],
    ["the public key as a secret", `${payload}.${createHmac("sha256", publicKey).update(payload).digest("base64url")}`],
    ["its own token", genuine],
    ["its own token for another workspace", [changed, ...signatures].join(".")],
    [
      "two signatures, one of its own token",
      [payload, ...signatures, sign(null, Buffer.from(payload), own).toString("base64url")].join("."),
    ],
    ["a signature of zeros", `${payload}.${Buffer.alloc(64).toString("base64url")}`],
    ["nothing", ""],
  ]);
}

export async function attackersMaterial({ slipway, attacker, script }: Scene): Promise<{ genuine: string; publicKey: string }> {
  return {
    genuine: tokenOf(await loginLink(slipway, attacker.customer)),
    publicKey: String(await script("return process.env.SLIPWAY_PUBLIC_KEY")),
  };
}

const isIn = ({ status, headers }: { status: number; headers: NodeJS.Dict<string | string[]> }): boolean =>
  status === 302 || [headers["set-cookie"] ?? []].flat().some((cookie) => cookie.startsWith("n8n-auth="));

async function tryAll(tries: ReadonlyMap<string, () => Promise<{ name: string; status: number; believed: boolean }>>): Promise<Outcome> {
  const answers = await Promise.all([...tries.values()].map((each) => each()));
  return {
    stoppedBy: words(answers.map(({ status }) => String(status))),
    harms: answers.filter(({ believed }) => believed).map(({ name }) => `believed: ${name}`),
  };
}

/** All that n8n's hook answers to the control plane alone (`hooks.mts`; a test keeps both equal). */
export const privateCalls: readonly (readonly [method: string, path: string, audience: string])[] = [
  ["POST", "/_slipway/claim", "claim"],
  ["POST", "/_slipway/owner", "owner"],
  ["POST", "/_slipway/owner/details", "owner"],
  ["POST", "/_slipway/plan", "plan"],
  ["GET", "/_slipway/sleep", "status"],
  ["GET", "/_slipway/running", "status"],
  ["GET", "/_slipway/usage", "usage"],
  ["POST", "/_slipway/requests/done", "usage"],
  ["GET", "/_slipway/users", "members"],
  ["POST", "/_slipway/invitations", "members"],
  ["POST", "/_slipway/invitations/revoke", "members"],
  ["GET", "/_slipway/community-nodes", "status"],
  ["POST", "/_slipway/variables", "variables"],
  ["POST", "/_slipway/profile", "profile"],
  ["POST", "/_slipway/export", "export"],
  ["POST", "/_slipway/snapshot", "backup"],
  ["POST", "/_slipway/snapshot/remove", "backup"],
  ["GET", "/_slipway/status", "status"],
];

/** Run last, when the old link is old enough. */
export const forgeLate: readonly Attack[] = [
  {
    title: "uses its neighbour's login link a second time, and one that is older than a minute",
    means: "links that it found",
    async run(scene) {
      const { neighbour, slipway, oldLink } = scene;
      const fresh = await loginLink(slipway, neighbour.customer);
      const first = await ask(fresh);
      await delay(Math.max(0, oldLink.madeAtMs + 61_000 - Date.now()));
      const [again, late] = [await ask(fresh), await ask(oldLink.url)];
      const harms = [
        ...(isIn(again) ? ["a link opened twice"] : []),
        ...(isIn(late) ? ["a link opened after its minute"] : []),
        ...(isIn(first) ? [] : ["the owner's own link does not open"]),
      ];
      return { stoppedBy: words([again, late].map(({ status }) => String(status))), harms };
    },
  },
];

/** Signs a code for the workspace `given`, with the key that n8n was started with. */
const signCode = `const { createPrivateKey, sign, randomUUID } = require('node:crypto');
  const key = /SLIPWAY_LOGIN_KEY=([^\\0]+)/.exec(require('node:fs').readFileSync('/proc/self/environ', 'utf8'))[1];
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(key, 'base64url')]);
  const text = 'w1.' + Buffer.from(JSON.stringify({ workspaceId: given, id: randomUUID(), issuedAtMs: Date.now() })).toString('base64url');
  return text + '.' + sign(null, Buffer.from(text), createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).toString('base64url');`;

/** What the owner's session must not be able to do if code in the workspace opened it: change or read what the customer is billed, and more. */
const ownersCalls: readonly (readonly [method: "GET" | "PUT" | "POST" | "PATCH", path: string, body?: object])[] = [
  ["PUT", "/account/billing/details", { name: "Mallory Inc.", line1: "", line2: "", postalCode: "", city: "", country: "US", vatId: "" }],
  ["GET", "/account/billing/details"],
  ["GET", "/account/transactions"],
  ["GET", "/account/payments"],
  ["GET", "/account/payment-information"],
  ["GET", "/auth/sessions"],
  ["GET", "/account/invitations"],
  ["POST", "/account/invite-members", { emails: ["mallory@example.com"] }],
  ["PATCH", "/account/profile", { fullName: "Mallory" }],
  ["GET", "/instance/variables"],
  ["PUT", "/instance/variables", { revision: 0, variables: [] }],
  ["PUT", "/instance/restart"],
];

export const forge: readonly Attack[] = [
  {
    title: "forges login links to its neighbour's workspace",
    means: "self-made tokens",
    async run(scene) {
      const { genuine, publicKey } = await attackersMaterial(scene);
      const { neighbour } = scene;
      const tries = [...forgeries(neighbour.workspaceId, "login", genuine, publicKey)].map(
        ([name, token]) =>
          [
            name,
            async () => {
              const answer = await ask(`${neighbour.url}/_slipway/login?token=${encodeURIComponent(token)}`);
              return { name, status: answer.status, believed: isIn(answer) };
            },
          ] as const,
      );
      return tryAll(new Map(tries));
    },
  },
  {
    title: "calls the worker's private API in its neighbour's n8n",
    means: "self-made tokens, through the gateway",
    async run(scene) {
      const { genuine, publicKey } = await attackersMaterial(scene);
      const { neighbour } = scene;
      const tries = privateCalls.flatMap(([method, path, audience]) =>
        [...forgeries(neighbour.workspaceId, audience, genuine, publicKey)].map(([kind, token]) => {
          const name = `${method} ${path}, ${kind}`;
          return [
            name,
            async () => {
              const answer = await ask(neighbour.url + path, {
                method,
                headers: { authorization: `Bearer ${token}` },
                ...(method === "POST" && { body: { email: "mallory@example.com", name: "x" } }),
              });
              return { name, status: answer.status, believed: ![400, 401, 403, 404].includes(answer.status) };
            },
          ] as const;
        }),
      );
      return tryAll(new Map(tries));
    },
  },
  {
    title: "signs in to its neighbour's account with a code of its own workspace",
    means: "its own key, code in n8n",
    async run(scene) {
      const { slipway, neighbour } = scene;
      // The key that n8n's hook hides from the environment can still be read, and is valid for its own account only.
      const code = String(await scene.script(signCode, neighbour.workspaceId));
      const answer = await slipway.call("POST", "/api/auth/login/code", { body: { code } });
      return { stoppedBy: String(answer.status), harms: answer.status === 200 ? ["a session of the neighbour's was opened"] : [] };
    },
  },
  {
    title: "changes and reads what its customer is billed, in a session that its own key opens",
    means: "its own key, code in n8n",
    async run(scene) {
      const { attacker, slipway } = scene;
      const code = String(await scene.script(signCode, attacker.workspaceId));
      const opened = await slipway.call("POST", "/api/auth/login/code", { body: { code } });
      if (opened.status !== 200)
        return { stoppedBy: String(opened.status), harms: ["its own code opens no session, so nothing was tried"] };
      const { token } = opened.json<{ token: string }>();
      const answers = await Promise.all(
        ownersCalls.map(async ([method, path, body]) => ({
          name: `${method} ${path}`,
          status: (await slipway.call(method, `/api${path}`, { token, ...(body && { body }) })).status,
        })),
      );
      return {
        stoppedBy: words(answers.map(({ status }) => String(status))),
        harms: answers.filter(({ status }) => status !== 403).map(({ name, status }) => `${name}: ${status}`),
      };
    },
  },
  {
    title: "raises its quota by a plan call with a self-made token",
    means: "self-made tokens",
    async run(scene) {
      const { genuine, publicKey } = await attackersMaterial(scene);
      const { attacker } = scene;
      const plan = {
        fingerprint: "x",
        id: "enterprise",
        displayName: "Enterprise",
        group: "paid",
        slug: "e",
        status: "active",
        expiresAt: null,
        trialDays: 0,
        limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
        periodStarts: [new Date().toISOString()],
        counted: { executions: 0, epochs: {} },
        changePlanPath: "/",
        isConfirmed: true,
      };
      const tokens = [...forgeries(attacker.workspaceId, "plan", genuine, publicKey)];
      const tries = tokens.map(
        ([name, token]) =>
          [
            name,
            async () => {
              const answer = await ask(`${attacker.url}/_slipway/plan`, {
                method: "POST",
                headers: { authorization: `Bearer ${token}` },
                body: plan,
              });
              return { name, status: answer.status, believed: answer.status !== 401 };
            },
          ] as const,
      );
      return tryAll(new Map(tries));
    },
  },
  {
    title: "edits and deletes its usage file",
    means: "code in n8n",
    async run(scene) {
      const { slipway, attacker } = scene;
      const used = scene.runs();
      const said = await scene.script(
        `const { DatabaseSync } = require('node:sqlite'); const fs = require('node:fs'); const file = process.env.N8N_USER_FOLDER + '/.slipway/usage.sqlite';
        const database = new DatabaseSync(file); database.exec("update counter set executions = -1000000; delete from counter; update text set value = 'null'; delete from seen"); database.close();
        for (const end of ['', '-wal', '-shm']) fs.rmSync(file + end, { force: true });
        fs.writeFileSync(file, 'not a database'); return 'done';`,
      );
      if (said !== "done") throw new Error(`the usage file could not be spoilt: ${JSON.stringify(said)}`);
      // Counted in memory at first, and recorded by the next pass: within a minute.
      const usage = await eventually(
        "usage on record",
        async () => {
          const answer = await slipway.call("GET", "/api/instance/used-limits", { token: attacker.customer.token });
          const seen = answer.status === 200 ? answer.json<{ executions: number; limits: { executions: number } }>() : undefined;
          return seen && seen.executions >= used ? seen : undefined;
        },
        75_000,
        500,
      ).catch(() => undefined);
      const harms =
        usage === undefined
          ? [`fewer than the ${used} executions that ran are on record`]
          : usage.limits.executions === executionsLimit
            ? []
            : ["its limit is another one"];
      return { stoppedBy: "counts are in memory, and on record at the control plane", harms };
    },
  },
];
