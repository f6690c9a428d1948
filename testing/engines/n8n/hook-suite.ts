/**
 * The requirements for a release of n8n: every check of the hook and of the parts of n8n that it relies on. Run by qualification and by the
 * engine's test, in this order, against one real process.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { EngineRefusal } from "#apps/provisioner/engines/engine.ts";
import { tokenLifetimeMs } from "#apps/provisioner/engines/workspace-side/token-claims.mts";
import {
  ask,
  askJson,
  callEcho,
  callWebhook,
  echoWorkflow,
  login,
  readData,
  sign,
  signIn,
  slowWorkflow,
  type HookPromise,
  type HookScene,
} from "./hook-scene.ts";
import { chain, executionsOf, executionWhere, publish, webhook } from "./work-scene.ts";
import { activate, countedOf, failedOf, quotaSuite, readUsage, tellPlan, until } from "./quota-suite.ts";

const owner = { email: "Ada@example.com", fullName: "Ada de Lovelace" };
const ownerBody = { email: owner.email, firstName: "Ada", lastName: "de Lovelace" };

/** Without an end: n8n's database says the year 3000. */
const waitForCall = {
  name: "Wait",
  type: "n8n-nodes-base.wait",
  typeVersion: 1.1,
  webhookId: "0199a000-0000-7000-8000-000000000002",
  parameters: { resume: "webhook" },
};

async function assertPage(response: Response, status: number, words: RegExp): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text.slice(0, 300));
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(text, words);
  assert.match(text, /Back to the panel/);
}

function membersOf({ engine, address, workspaceId }: HookScene) {
  const { invite, revoke, list } = engine.members!;
  return {
    invite: (email: string) => invite(address(), workspaceId, email),
    revoke: (email: string) => revoke(address(), workspaceId, email),
    list: () => list(address(), workspaceId),
  };
}

/** Calls of the editor as the owner: plain bodies, not wrapped in `data`. */
async function assertProfile(scene: HookScene): Promise<void> {
  const { cookie } = await signIn(scene);
  const me = (await (await ask(scene, "/rest/cloud/proxy/user/me", { headers: { cookie } })).json()) as Record<string, unknown>;
  const information = me["information"] as Record<string, unknown>;
  assert.deepEqual([me["email"], me["username"], me["selectedApps"]], ["ada@example.com", "acme", ["n8n-nodes-base.slack"]]);
  assert.equal(information["what_team_are_you_on"], "Marketing");
  assert.equal((information["which_of_these_do_you_feel_comfortable_doing"] as unknown[]).length, 2);
}

const otherKey = generateKeyPairSync("ed25519").privateKey;

export const hookSuite: readonly HookPromise[] = [
  {
    promise: "the health path answers 200 when n8n's own interface and editor work",
    keep: async (scene) => {
      assert.equal((await ask(scene, scene.engine.healthPath)).status, 200);
      await readData(await ask(scene, "/rest/settings"));
      assert.equal((await ask(scene, "/", { headers: { accept: "text/html" } })).status, 200);
    },
  },
  {
    promise: "its first start uses the editor's files and the data folder that the release's rehearsal left",
    keep: async (scene) => {
      const logs = await scene.logs();
      for (const what of ["compiled code", "editor files", "data folder"]) assert.match(logs, new RegExp(`^quick start: ${what}$`, "m"));
      assert.doesNotMatch(logs, /Starting migration/);
      const page = await (await ask(scene, "/home/workflows", { headers: { accept: "text/html" } })).text();
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
      assert.ok(script, page.slice(0, 300));
      assert.equal((await ask(scene, script)).status, 200);
      assert.equal((await ask(scene, "/types/nodes.json")).status, 401);
    },
  },
  {
    promise: "a stranger can't become the owner of a workspace that has none",
    keep: async (scene) => {
      const body = { ...ownerBody, password: "Correct-horse-1" };
      assert.equal((await askJson(scene, "/rest/owner/setup", body)).status, 403);
      assert.equal((await askJson(scene, "/rest/Owner/setup/", body)).status, 403);
      assert.equal((await askJson(scene, "/_slipway/owner", ownerBody)).status, 401);
      for (const token of [
        sign(scene, { audience: "owner" }, otherKey),
        sign(scene, { audience: "login" }),
        sign(scene, { audience: "owner", workspaceId: "another" }),
      ]) {
        assert.equal((await askJson(scene, "/_slipway/owner", ownerBody, { authorization: `Bearer ${token}` })).status, 401);
      }
    },
  },
  {
    promise: "a sign-in before the owner exists is asked to wait",
    keep: async (scene) => assertPage(await login(scene, sign(scene, {})), 503, /still being set up/),
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
    promise: "a sign-in link signs the owner in and lands where it says",
    keep: async (scene) => {
      const { cookie, location } = await signIn(scene, "/home/workflows?from=panel");
      assert.equal(location, "/home/workflows?from=panel");
      const user = await readData<{ email: string; firstName: string; lastName: string; role: string }>(
        await ask(scene, "/rest/login", { headers: { cookie } }),
      );
      assert.deepEqual([user.email, user.firstName, user.lastName, user.role], ["ada@example.com", "Ada", "de Lovelace", "global:owner"]);
    },
  },
  {
    promise: "a sign-in link works once, and only looking at it does not use it up",
    keep: async (scene) => {
      const token = sign(scene, {});
      assert.equal((await ask(scene, `/_slipway/login?token=${token}`, { method: "HEAD" })).status, 503);
      assert.equal((await ask(scene, `/_slipway/login?token=${token}`, { headers: { "sec-purpose": "prefetch" } })).status, 503);
      assert.equal((await login(scene, token)).status, 302);
      await assertPage(await login(scene, token), 401, /already been used/);
    },
  },
  {
    promise: "an expired, a long-lived, a foreign, a forged and a broken sign-in link are refused with a page that says why",
    keep: async (scene) => {
      await assertPage(await login(scene, sign(scene, {}, scene.signingKey, -tokenLifetimeMs - 1)), 401, /has expired/);
      await assertPage(await login(scene, sign(scene, {}, scene.signingKey, 3_600_000)), 401, /has expired/);
      await assertPage(await login(scene, sign(scene, { workspaceId: "another" })), 401, /another workspace/);
      await assertPage(await login(scene, sign(scene, {}, otherKey)), 401, /not valid/);
      await assertPage(await login(scene, sign(scene, { audience: "status" })), 401, /not valid/);
      await assertPage(await login(scene, "x.y"), 401, /not valid/);
      await assertPage(await ask(scene, "/_slipway/login"), 401, /not valid/);
    },
  },
  {
    promise: "a sign-in link never leads to another host",
    keep: async (scene) => {
      for (const landingPath of ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example"]) {
        const response = await login(scene, sign(scene, { landingPath }));
        assert.equal(response.headers.get("location"), "/");
      }
    },
  },
  {
    promise: "the editor is told to send no telemetry and to make no calls to n8n's own services",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const settings = await readData<Record<string, { enabled?: boolean; whatsNewEnabled?: boolean; endpoint?: string }>>(
        await ask(scene, "/rest/settings", { headers: { cookie } }),
      );
      for (const name of ["telemetry", "versionNotifications", "templates", "posthog"]) assert.equal(settings[name]?.enabled, false, name);
      assert.equal(settings["versionNotifications"]?.whatsNewEnabled, false);
      // The workspace serves its own banners.
      assert.match(settings["dynamicBanners"]?.endpoint ?? "", /^http:\/\/[a-z]+\.localhost:3000\/_slipway\/banners$/);
      // Without internet access, each attempt leaves an error that names the host.
      assert.doesNotMatch(await scene.logs(), /(api|telemetry|license|ph)\.n8n\.io/);
    },
  },
  {
    promise: "the editor's calls of n8n's hosted service answer only the owner",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      for (const path of ["/rest/admin/cloud-plan", "/cloud/limits", "/rest/cloud/proxy/user/me", "/rest/cloud/proxy/login/code"]) {
        assert.equal((await ask(scene, path)).status, 401, path);
        const response = await ask(scene, path, { headers: { cookie } });
        assert.equal(response.status, 200, path);
        assert.match(response.headers.get("content-type") ?? "", /json/);
      }
    },
  },
  {
    promise: "only the owner's editor gets codes for the panel, signed by this workspace, each one new",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const askCode = async () =>
        ((await (await ask(scene, "/rest/cloud/proxy/login/code", { headers: { cookie } })).json()) as { code: string }).code;
      const [one, two] = [scene.engine.readLoginCode(await askCode()), scene.engine.readLoginCode(await askCode())];
      assert.equal(one?.workspaceId, scene.workspaceId);
      assert.notEqual(one.id, two?.id);
      assert.ok(Math.abs(one.ageMs) < tokenLifetimeMs, `${one.ageMs} ms`);
      assert.equal(one.isSignedWith(scene.secrets), true);
      assert.equal(one.isSignedWith(scene.engine.createSecrets()), false);
      assert.equal((await ask(scene, "/rest/cloud/proxy/login/code")).status, 401);
    },
  },
  {
    promise: "the editor receives the owner's survey answers and apps, which only the control plane may send",
    keep: async (scene) => {
      const profile = {
        username: "acme",
        selectedApps: ["n8n-nodes-base.slack"],
        answers: { workArea: "marketing-growth", codingSkills: 2 },
      };
      for (const token of [sign(scene, { audience: "owner" }), sign(scene, { audience: "profile", workspaceId: "another" })]) {
        assert.equal((await askJson(scene, "/_slipway/profile", profile, { authorization: `Bearer ${token}` })).status, 401);
      }
      await scene.engine.setProfile(scene.address(), scene.workspaceId, { ...profile, selectedApps: [] });
      await scene.engine.setProfile(scene.address(), scene.workspaceId, profile);
      await assertProfile(scene);
    },
  },
  {
    promise: "a workflow made through n8n's interface answers its webhook, code node included",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const workflow = await readData<{ id: string; versionId: string }>(await askJson(scene, "/rest/workflows", echoWorkflow, { cookie }));
      await readData(await askJson(scene, `/rest/workflows/${workflow.id}/activate`, { versionId: workflow.versionId }, { cookie }));
      const answer = await callEcho(scene);
      assert.deepEqual(await answer.json(), { doubled: 42 });
    },
  },
  {
    promise: "the status reports version, active workflows and users only to the control plane",
    keep: async (scene) => {
      assert.equal((await ask(scene, "/_slipway/status")).status, 401);
      const status = async () => {
        const response = await ask(scene, "/_slipway/status", {
          headers: { authorization: `Bearer ${sign(scene, { audience: "status" })}` },
        });
        return (await response.json()) as Record<string, unknown>;
      };
      // A webhook is answered a moment before its execution has ended.
      await until(async () => (await status())["runningExecutions"] === 0, "the end of the execution");
      assert.deepEqual(await status(), { version: scene.version, activeWorkflows: 1, users: 1, runningExecutions: 0 });
    },
  },
  {
    promise: "a person is invited once, however often this is repeated, and joins through n8n's own form",
    keep: async (scene) => {
      const { invite, list } = membersOf(scene);
      const first = await invite("bob@example.com");
      const again = await invite("Bob@example.com");
      assert.equal(again.memberId, first.memberId);
      assert.deepEqual(await list(), [{ id: first.memberId, email: "bob@example.com", joined: false, name: "", role: "member" }]);
      assert.equal((await ask(scene, again.acceptPath!, { headers: { accept: "text/html" } })).status, 200);
      const token = new URL(again.acceptPath!, "http://workspace").searchParams.get("token");
      await readData(await ask(scene, `/rest/resolve-signup-token?token=${token}`));
      const joined = await askJson(scene, "/rest/invitations/accept", {
        token,
        firstName: "Bob",
        lastName: "Builder",
        password: "Correct-horse-1",
      });
      const user = await readData<{ email: string; role: string }>(joined);
      assert.deepEqual([user.email, user.role], ["bob@example.com", "global:member"]);
      // n8n notes a person's last day when they call it with the session that joining gave them.
      const [session] = joined.headers.getSetCookie().map((each) => each.split(";")[0]!);
      await ask(scene, "/rest/login", { headers: { cookie: session! } });
      const member = { id: first.memberId, email: "bob@example.com", joined: true, name: "Bob Builder", role: "member" };
      const seen = await list();
      assert.deepEqual(seen, [{ ...member, lastActiveOn: seen[0]!.lastActiveOn }]);
      assert.match(seen[0]!.lastActiveOn ?? "", /^\d{4}-\d\d-\d\d$/);
      assert.deepEqual(await invite("bob@example.com"), { memberId: first.memberId, acceptPath: null });
    },
  },
  {
    promise: "an invitation is revoked and its link stops working; members who have joined stay",
    keep: async (scene) => {
      const { invite, revoke, list } = membersOf(scene);
      const { acceptPath } = await invite("carl@example.com");
      assert.equal(await revoke("carl@example.com"), true);
      assert.equal(await revoke("carl@example.com"), true);
      const token = new URL(acceptPath!, "http://workspace").searchParams.get("token");
      const late = await askJson(scene, "/rest/invitations/accept", {
        token,
        firstName: "Carl",
        lastName: "Late",
        password: "Correct-horse-1",
      });
      assert.equal(late.status, 400, await late.text());
      assert.equal(await revoke("bob@example.com"), false);
      assert.deepEqual(
        (await list()).map(({ email }) => email),
        ["bob@example.com"],
      );
    },
  },
  {
    promise: "only the control plane invites, revokes or lists through the hook",
    keep: async (scene) => {
      const login = `Bearer ${sign(scene, { audience: "login" })}`;
      for (const authorization of ["", login, `Bearer ${sign(scene, { audience: "members" }, otherKey)}`]) {
        for (const path of ["/_slipway/invitations", "/_slipway/invitations/revoke"]) {
          assert.equal((await askJson(scene, path, { email: "eve@example.com" }, { authorization })).status, 401);
        }
        assert.equal((await ask(scene, "/_slipway/users", { headers: { authorization } })).status, 401);
      }
    },
  },
  ...quotaSuite,
  {
    promise:
      "after a kill a used link stays used, the workflow answers, the plan still applies, each execution has counted once, and a waiting one waits",
    keep: async (scene) => {
      await tellPlan(scene);
      const token = sign(scene, {});
      const { cookie } = await signIn(scene);
      assert.equal((await login(scene, token)).status, 302);
      assert.equal((await activate(scene, cookie, slowWorkflow)).status, 200);
      const waiting = await publish(scene, cookie, chain("pause", [webhook("pause", { httpMethod: "GET" }), waitForCall]));
      const paused = callWebhook(scene, "pause").catch(() => undefined);
      const { id } = await executionWhere(scene, cookie, waiting, ({ status }) => status === "waiting");
      const before = await readUsage(scene);
      const cut = callWebhook(scene, "slow").catch(() => undefined);
      await until(async () => countedOf(await readUsage(scene)) === countedOf(before) + 1, "the slow execution");
      await scene.restart({ kill: true });
      await Promise.all([cut, paused]);
      await assertPage(await login(scene, token), 401, /expired|already been used/);
      // n8n marks it as failed a moment after it has started again.
      await until(async () => failedOf(await readUsage(scene)) > failedOf(before), "the failure of the slow execution");
      const after = await readUsage(scene);
      assert.equal(after.plan, before.plan);
      assert.deepEqual([countedOf(after), after.executions], [countedOf(before) + 1, before.executions + 1]);
      assert.equal(failedOf(after), failedOf(before) + 1);
      const interrupted = after.requests?.flatMap((request) => (request.kind === "workflows-interrupted" ? [request.workflows] : []));
      assert.deepEqual(interrupted, [["slow"]]);
      const recovered = [...(await scene.logs()).matchAll(/Found unfinished executions: ([\d, ]+)/g)].flatMap(([, ids]) =>
        ids!.split(", "),
      );
      assert.equal(recovered.length > 0 && !recovered.includes(id), true, `recovered: ${recovered.join(" ")}`);
      assert.deepEqual(
        (await executionsOf(scene, cookie, waiting)).map(({ status }) => status),
        ["waiting"],
      );
      assert.deepEqual(await (await callEcho(scene)).json(), { doubled: 42 });
      await assertProfile(scene);
    },
  },
  {
    promise: "the owner has the panel's email address and name, unless another user has the address",
    keep: async (scene) => {
      const update = (email: string, fullName: string) =>
        scene.engine.updateOwner!(scene.address(), scene.workspaceId, { email, fullName });
      await assert.rejects(update("bob@example.com", "Ada"), EngineRefusal);
      await update("Augusta@example.com", "Augusta King");
      await update("augusta@example.com", "Augusta King");
      const { cookie } = await signIn(scene);
      const user = await readData<{ email: string; firstName: string; lastName: string }>(
        await ask(scene, "/rest/login", { headers: { cookie } }),
      );
      assert.deepEqual([user.email, user.firstName, user.lastName], ["augusta@example.com", "Augusta", "King"]);
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, owner);
    },
  },
];
