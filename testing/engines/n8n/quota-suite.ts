/** The requirements for plan and quotas in a release of n8n; part of hook-suite.ts, which sets the scene. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { dayMs } from "#platform/clock.ts";
import { EngineRefusal } from "#apps/provisioner/engines/engine.ts";
import type { EnginePlan, EngineUsage } from "#apps/provisioner/engines/port/engine-usage.ts";
import { ask, askJson, callEcho, callWebhook, readData, signIn, webhookWorkflow, type HookPromise, type HookScene } from "./hook-scene.ts";

const waitMs = 60_000;
const limits = { executions: 1000, activeWorkflows: 5, credentials: -1, users: 5, concurrentExecutions: -1 };

const began = new Date(Date.now() - dayMs);

/** A trial, unless the test says otherwise. */
const planOf = (changes: Partial<EnginePlan> = {}): EnginePlan => ({
  fingerprint: randomUUID(),
  id: "trial-1",
  displayName: "Trial",
  group: "trial",
  slug: "trial-1",
  status: "trialing",
  expiresAt: new Date(Date.now() + 3 * dayMs),
  trialDays: 14,
  limits,
  periodStarts: [began],
  counted: { executions: 0, epochs: {} },
  changePlanPath: "/account/change-plan",
  isConfirmed: true,
  ...changes,
});

export const tellPlan = (scene: HookScene, changes: Partial<EnginePlan> = {}): Promise<void> =>
  scene.engine.setPlan!(scene.address(), scene.workspaceId, planOf(changes));
export const readUsage = (scene: HookScene): Promise<EngineUsage> => scene.engine.readUsage!(scene.address(), scene.workspaceId);
export const failedOf = ({ counters }: EngineUsage): number => counters.reduce((sum, { failed }) => sum + failed, 0);
export const countedOf = ({ counters }: EngineUsage): number => counters.reduce((sum, { executions }) => sum + executions, 0);

/** The workflows that it says ran most. */
const busiestOf = async (scene: HookScene) => {
  const { busiest } = await readUsage(scene);
  assert.equal(busiest?.periodStart.getTime(), began.getTime());
  return busiest!.workflows;
};

/** The usage so far, as the control plane would have recorded it. */
async function countedNow(scene: HookScene): Promise<EnginePlan["counted"]> {
  const usage = await readUsage(scene);
  // Counts from before the first plan belong to its first period.
  const counters = usage.counters.filter(({ periodStart }) => periodStart === null || periodStart.getTime() === began.getTime());
  const epochs: Record<string, number> = {};
  for (const { epoch, executions } of counters) epochs[epoch] = (epochs[epoch] ?? 0) + executions;
  return { executions: countedOf({ ...usage, counters }), epochs };
}

export async function until(fits: () => Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + waitMs;
  while (!(await fits())) {
    assert.ok(performance.now() < deadlineMs, `not in time: ${what}`);
    await delay(100);
  }
}

export async function activate(scene: HookScene, cookie: string, workflow: object): Promise<Response> {
  const { id, versionId } = await readData<{ id: string; versionId: string }>(
    await askJson(scene, "/rest/workflows", workflow, { cookie }),
  );
  return askJson(scene, `/rest/workflows/${id}/activate`, { versionId }, { cookie });
}

/** A workflow that only other workflows call. */
const calledWorkflow = (trigger: string) => {
  const node = { id: randomUUID(), name: "Called", type: `n8n-nodes-base.${trigger}`, typeVersion: 1, position: [0, 0], parameters: {} };
  const next = { id: randomUUID(), name: "Next", type: "n8n-nodes-base.noOp", typeVersion: 1, position: [220, 0], parameters: {} };
  return {
    name: trigger,
    settings: {},
    active: false,
    nodes: [node, next],
    connections: { Called: { main: [[{ node: "Next", type: "main", index: 0 }]] } },
  };
};

/** The editor's scripts on its page with matching names, as a browser gets them. */
async function readEditorScripts(scene: HookScene, name: RegExp): Promise<string[]> {
  const page = await (await ask(scene, "/", { headers: { accept: "text/html" } })).text();
  const names = [...new Set([...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, found]) => found!))].filter((found) => name.test(found));
  return Promise.all(names.map(async (found) => (await ask(scene, `/assets/${found}`)).text()));
}

/** Executions in the history, of one workflow or of all. */
async function executionsOf(scene: HookScene, workflowId?: string): Promise<{ id: string; status: string }[]> {
  const { cookie } = await signIn(scene);
  const filter = workflowId === undefined ? "" : `&filter=${encodeURIComponent(JSON.stringify({ workflowId }))}`;
  return (
    await readData<{ results: { id: string; status: string }[] }>(
      await ask(scene, `/rest/executions?limit=100${filter}`, { headers: { cookie } }),
    )
  ).results;
}

const countExecutions = async (scene: HookScene): Promise<number> => (await executionsOf(scene)).length;

/** The error message of the newest execution, as the editor gets it. */
async function newestFailure(scene: HookScene): Promise<string> {
  const { cookie } = await signIn(scene);
  const { results } = await readData<{ results: { id: string; status: string }[] }>(
    await ask(scene, "/rest/executions?limit=1", { headers: { cookie } }),
  );
  assert.equal(results[0]?.status, "error");
  return (await ask(scene, `/rest/executions/${results[0].id}`, { headers: { cookie } })).text();
}

export const quotaSuite: readonly HookPromise[] = [
  {
    promise: "only the control plane sends a plan and reads usage",
    keep: async (scene) => {
      for (const authorization of ["", "Bearer x.y"]) {
        assert.equal((await askJson(scene, "/_slipway/plan", planOf(), { authorization })).status, 401);
        assert.equal((await ask(scene, "/_slipway/usage", { headers: { authorization } })).status, 401);
        assert.equal((await askJson(scene, "/_slipway/owner/details", {}, { authorization })).status, 401);
      }
    },
  },
  {
    promise: "the editor shows the trial, its usage, and a link to the panel's plans that signs the owner in",
    keep: async (scene) => {
      await tellPlan(scene, { counted: { executions: 40, epochs: {} } });
      const { cookie } = await signIn(scene);
      const plan = (await (await ask(scene, "/rest/admin/cloud-plan", { headers: { cookie } })).json()) as Record<string, unknown>;
      const banner = plan["bannerConfig"] as { cta: { href: string }; showExecutions: boolean };
      assert.deepEqual(
        [plan["displayName"], plan["monthlyExecutionsLimit"], plan["userIsTrialing"], banner.showExecutions],
        ["Trial", 1000, true, true],
      );
      const used = (await (await ask(scene, "/cloud/limits", { headers: { cookie } })).json()) as {
        executions: number;
        activeWorkflows: number;
      };
      assert.ok(used.executions >= 40 && used.activeWorkflows >= 1, JSON.stringify(used));
      const way = await ask(scene, new URL(banner.cta.href).pathname, { headers: { cookie } });
      const panel = new URL(way.headers.get("location") ?? "", "http://nowhere");
      assert.deepEqual([way.status, panel.pathname, panel.searchParams.get("returnPath")], [302, "/login", "/account/change-plan"]);
      assert.equal(scene.engine.readLoginCode(panel.searchParams.get("code") ?? "")?.isSignedWith(scene.secrets), true);
      const stranger = await ask(scene, new URL(banner.cta.href).pathname);
      assert.equal(new URL(stranger.headers.get("location") ?? "", "http://nowhere").searchParams.has("code"), false);
    },
  },
  {
    promise: "each webhook counts once, in the hook and in n8n's own statistics",
    keep: async (scene) => {
      const before = await readUsage(scene);
      for (let call = 0; call < 3; call++) assert.equal((await callEcho(scene)).status, 200);
      const after = await readUsage(scene);
      assert.equal(countedOf(after) - countedOf(before), 3);
      assert.equal(after.executions - before.executions, 3);
      await until(async () => (await readUsage(scene)).statistics!.succeeded - before.statistics!.succeeded === 3, "n8n's statistics");
    },
  },
  {
    promise:
      "beyond the plan's executions a call is refused before anything runs, in a form its caller understands; more executions lift the refusal immediately",
    keep: async (scene) => {
      const counted = await countedNow(scene);
      const executions = () => countExecutions(scene);
      await tellPlan(scene, { counted, limits: { ...limits, executions: counted.executions } });
      const before = await executions();
      for (const [accept, status, type, words] of [
        ["*/*", 402, /^application\/problem\+json/, /"code":"executions_used_up"/],
        ["text/plain", 402, /^text\/plain/, /^This workspace has used all of its executions\. Nothing was run\./],
        ["text/html", 402, /^text\/html/, /<h1>This workspace has used all of its executions<\/h1>/],
      ] as const) {
        const answer = await ask(scene, "/webhook/double?number=21", { headers: { accept } });
        assert.deepEqual([answer.status, answer.headers.get("retry-after")], [status, "3600"]);
        assert.match(answer.headers.get("content-type") ?? "", type);
        const text = await answer.text();
        assert.match(text, words);
        assert.doesNotMatch(text, /<a |Trial/);
      }
      assert.equal((await ask(scene, "/webhook/nobody")).status, 404);
      // One of them is kept for the owner, with a message that names the plan and the next step. n8n removes the others a moment later.
      await until(async () => (await executions()) === before + 1, "one refused execution is kept");
      const words = await newestFailure(scene);
      assert.match(words, /Your Trial plan includes [\d,]+ executions, and all of them are used/);
      assert.match(words, /http:\/\/localhost:3000\/account\/change-plan/);
      const refused = await readUsage(scene);
      assert.deepEqual([countedOf(refused), failedOf(refused)], [counted.executions, 0]);
      await tellPlan(scene, { counted, limits: { ...limits, executions: counted.executions + 1 } });
      // Of simultaneous calls, one fits.
      const answers = await Promise.all(Array.from({ length: 4 }, () => callEcho(scene)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 402, 402, 402]);
      assert.equal((await callEcho(scene)).status, 402);
    },
  },
  {
    promise:
      "a schedule beyond the plan leaves one refused execution an hour, and a banner in the editor says that all executions are used",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const trigger = {
        id: randomUUID(),
        name: "Schedule",
        type: "n8n-nodes-base.scheduleTrigger",
        typeVersion: 1.2,
        position: [0, 0],
        parameters: { rule: { interval: [{ field: "seconds", secondsInterval: 1 }] } },
      };
      await tellPlan(scene);
      const { id } = await readData<{ id: string }>(
        await activate(scene, cookie, { name: "clock", settings: {}, active: false, nodes: [trigger], connections: {} }),
      );
      const counted = await countedNow(scene);
      const settings = await readData<{ dynamicBanners: { endpoint: string } }>(
        await ask(scene, "/rest/settings", { headers: { cookie } }),
      );
      const banners = async () =>
        (await (await ask(scene, new URL(settings.dynamicBanners.endpoint).pathname)).json()) as { content: string }[];
      assert.deepEqual(await banners(), []);
      const nextPeriod = new Date(Date.now() + 10 * dayMs);
      await tellPlan(scene, {
        counted,
        displayName: "Pro",
        status: "active",
        periodStarts: [began, nextPeriod],
        limits: { ...limits, executions: 0 },
      });
      const [banner] = await banners();
      assert.match(
        banner!.content,
        /^All executions of this workspace's plan are used\. Workflows run again on \d+ \w+ \d{4}\. \[Choose a larger plan\]\(http/,
      );
      const answer = await ask(scene, "/webhook/double?number=21");
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "3600"]);
      const kept = async () => (await executionsOf(scene, id)).filter(({ status }) => status === "error").length;
      await until(async () => (await kept()) > 0, "the first refused execution");
      // Several seconds, with a refusal in each: the first stays, the others are removed.
      await delay(6000);
      assert.equal((await askJson(scene, `/rest/workflows/${id}/deactivate`, {}, { cookie })).status, 200);
      await until(async () => (await kept()) === 1, "one refused execution is kept");
      await tellPlan(scene);
    },
  },
  {
    promise: "a new usage period begins on time, even without a call from the control plane",
    keep: async (scene) => {
      const counted = await countedNow(scene);
      const plan = { counted, group: "opt-out", status: "active", limits: { ...limits, executions: counted.executions } } as const;
      await tellPlan(scene, plan);
      assert.equal((await callEcho(scene)).status, 402);
      await tellPlan(scene, { ...plan, periodStarts: [began, new Date(Date.now() + 1000)] });
      await until(async () => (await callEcho(scene)).status === 200, "the next period");
      assert.equal((await readUsage(scene)).executions, 1);
    },
  },
  {
    promise: "one active workflow too many is refused with a message that names the plan, even when two are activated simultaneously",
    keep: async (scene) => {
      await tellPlan(scene, { displayName: "Starter", limits: { ...limits, activeWorkflows: 2 } });
      const { cookie } = await signIn(scene);
      const answers = await Promise.all(["one", "two"].map((path) => activate(scene, cookie, webhookWorkflow(path))));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
      const { message } = (await answers.find(({ status }) => status === 400)!.json()) as { message: string };
      assert.match(message, /Your Starter plan allows 2 active workflows\. .*http:\/\/localhost:3000\/account\/change-plan/);
    },
  },
  {
    promise: "sub-workflows and error workflows are active beyond the plan's number, as n8n itself counts",
    keep: async (scene) => {
      // The two that are active by now; n8n saves a workflow's number of triggers a moment after its activation.
      const activeWorkflows = 2;
      await until(async () => (await readUsage(scene)).activeWorkflows === activeWorkflows, "n8n's count of triggers");
      await tellPlan(scene, { displayName: "Starter", limits: { ...limits, activeWorkflows } });
      const { cookie } = await signIn(scene);
      for (const type of ["executeWorkflowTrigger", "errorTrigger"]) {
        const answer = await activate(scene, cookie, calledWorkflow(type));
        assert.equal(answer.status, 200, await answer.text());
      }
      assert.equal((await readUsage(scene)).activeWorkflows, activeWorkflows);
      assert.equal((await activate(scene, cookie, webhookWorkflow("too-many"))).status, 400);
    },
  },
  {
    promise: "workflows that are published and unpublished in quick succession do not use up the plan's number",
    keep: async (scene) => {
      const { activeWorkflows } = await readUsage(scene);
      await tellPlan(scene, { limits: { ...limits, activeWorkflows: activeWorkflows + 1 } });
      const { cookie } = await signIn(scene);
      for (const path of ["brief-1", "brief-2", "brief-3"]) {
        const answer = await activate(scene, cookie, webhookWorkflow(path));
        const { id } = await readData<{ id: string }>(answer);
        assert.equal((await askJson(scene, `/rest/workflows/${id}/deactivate`, {}, { cookie })).status, 200);
      }
    },
  },
  {
    promise:
      "one credential too many is refused with a message that names the plan, even when two are created simultaneously; deleting one makes room",
    keep: async (scene) => {
      await tellPlan(scene, { displayName: "Starter", limits: { ...limits, credentials: 1 } });
      const { cookie } = await signIn(scene);
      const create = (name: string) =>
        askJson(scene, "/rest/credentials", { name, type: "httpBasicAuth", data: { user: "ada", password: "secret" } }, { cookie });
      const answers = await Promise.all(["one", "two"].map(create));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
      const { message } = (await answers.find(({ status }) => status === 400)!.json()) as { message: string };
      assert.match(message, /Your Starter plan allows 1 credential\. .*\/account\/change-plan/);
      const { id } = await readData<{ id: string }>(answers.find(({ status }) => status === 200)!);
      assert.equal((await ask(scene, `/rest/credentials/${id}`, { method: "DELETE", headers: { cookie } })).status, 200);
      assert.equal((await create("three")).status, 200);
      await tellPlan(scene);
      assert.equal((await create("four")).status, 200);
    },
  },
  {
    promise: "features listed without a license work: a week of insights, a day of workflow history, the execution log for the plan's time",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const settings = await readData<{ activeModules: string[]; workflowHistory: object; pruning: object }>(
        await ask(scene, "/rest/settings", { headers: { cookie } }),
      );
      assert.ok(settings.activeModules.includes("insights"));
      assert.deepEqual(settings.workflowHistory, { pruneTime: 24, licensePruneTime: 24 });
      assert.deepEqual(settings.pruning, { isEnabled: true, maxAge: 168, maxCount: 1000 });
      const since = (days: number) =>
        `/rest/insights/summary?startDate=${new Date(Date.now() - days * dayMs).toISOString()}&endDate=${new Date().toISOString()}`;
      assert.equal((await ask(scene, since(6), { headers: { cookie } })).status, 200);
      assert.notEqual((await ask(scene, since(30), { headers: { cookie } })).status, 200);
    },
  },
  {
    promise: "the editor names this plan and this operator, has no page about n8n's community edition, and links support to the panel",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const settings = await readData<{ hideUsagePage: boolean }>(await ask(scene, "/rest/settings", { headers: { cookie } }));
      assert.equal(settings.hideUsagePage, true);
      const scripts = await readEditorScripts(scene, /^useBugReporting/);
      assert.ok(scripts.length > 0, "a script with the editor's support link");
      for (const script of scripts) {
        assert.match(script, /http:\/\/localhost:3000\/help/);
        assert.doesNotMatch(script, /support\.n8n\.io/);
      }
    },
  },
  {
    promise:
      "each request of the editor, for a confirmation mail or with an event, reaches the control plane once, and the editor offers nothing that the panel does not",
    keep: async (scene) => {
      const { cookie } = await signIn(scene);
      const post = async (path: string, body: object) => (await askJson(scene, `/rest/cloud/proxy/${path}`, body, { cookie })).json();
      assert.equal((await askJson(scene, "/rest/cloud/proxy/upgrade-offer", {})).status, 401);
      await tellPlan(scene, { isConfirmed: true });
      assert.deepEqual(await post("user/resend-confirmation-email", {}), { confirmed: true });
      assert.deepEqual((await readUsage(scene)).requests, []);
      await tellPlan(scene, { isConfirmed: false });
      for (let click = 0; click < 2; click++) assert.deepEqual(await post("user/resend-confirmation-email", {}), { confirmed: false });
      assert.deepEqual(await post("user/event", { eventType: "credential-saved", metadata: { credential_type: "x" } }), { reported: true });
      assert.deepEqual(await post("user/event", { eventType: "<b>" }), { reported: false });
      const requests = (await readUsage(scene)).requests!;
      assert.deepEqual(
        requests.map((request) => (request.kind === "event" ? request.name : request.kind)),
        ["confirmation-mail", "credential-saved"],
      );
      assert.equal((await askJson(scene, "/_slipway/requests/done", { ids: requests.map(({ id }) => id) })).status, 401);
      await scene.engine.requestsDone!(
        scene.address(),
        scene.workspaceId,
        requests.map(({ id }) => id),
      );
      assert.deepEqual((await readUsage(scene)).requests, []);
      const offer = (await post("upgrade-offer", {})) as { slug: null; plansUrl: string };
      assert.equal(offer.slug, null);
      assert.match(offer.plansUrl, /\/account\/change-plan$/);
    },
  },
  {
    promise: "one user too many is refused in n8n's own invitations, with a message that names the plan",
    keep: async (scene) => {
      await tellPlan(scene, { displayName: "Starter", limits: { ...limits, users: 2 } });
      const { cookie } = await signIn(scene);
      const refused = await askJson(scene, "/rest/invitations", [{ email: "dora@example.com", role: "global:member" }], { cookie });
      assert.equal(refused.status, 400);
      assert.match(((await refused.json()) as { message: string }).message, /Your Starter plan allows 2 people .*\/account\/change-plan/);
      const { members } = scene.engine;
      await assert.rejects(
        members!.invite(scene.address(), scene.workspaceId, "dora@example.com"),
        (error: Error) => error instanceof EngineRefusal && !error.message.includes("<"),
      );
      await tellPlan(scene);
      assert.equal(
        (await askJson(scene, "/rest/invitations", [{ email: "dora@example.com", role: "global:member" }], { cookie })).status,
        200,
      );
    },
  },
  {
    promise: "a response has the mark of a started execution if one was started, and only then",
    keep: async (scene) => {
      await tellPlan(scene, { limits: { ...limits, activeWorkflows: -1 } });
      const { cookie } = await signIn(scene);
      const kinds = [
        ["at-once", { responseMode: "onReceived" }],
        ["filtered", { responseMode: "onReceived", options: { onlyRunIf: "={{ false }}" } }],
        ["guarded", { responseMode: "onReceived", options: { ipWhitelist: "192.0.2.1" } }],
      ] as const;
      const made: string[] = [];
      for (const [path, parameters] of kinds) {
        const workflow = webhookWorkflow(path);
        Object.assign(workflow.nodes[0]!.parameters, parameters);
        made.push((await readData<{ id: string }>(await activate(scene, cookie, workflow))).id);
      }
      const began = async (call: () => Promise<Response>) => {
        const before = countedOf(await readUsage(scene));
        const response = await call();
        await response.arrayBuffer();
        const { header, value } = scene.engine.executionSign!;
        // An immediate answer comes a moment before its execution is counted.
        if (response.headers.get(header) === value)
          await until(async () => countedOf(await readUsage(scene)) > before, "the execution that was shown");
        return { shown: response.headers.get(header) === value, counted: countedOf(await readUsage(scene)) - before };
      };
      for (const call of [() => callEcho(scene), () => callWebhook(scene, "at-once")])
        assert.deepEqual(await began(call), { shown: true, counted: 1 });
      const preflight = { method: "OPTIONS", headers: { origin: "https://example.com", "access-control-request-method": "GET" } };
      const nothings = [
        () => callWebhook(scene, "filtered"),
        () => callWebhook(scene, "guarded"),
        () => ask(scene, "/webhook/nobody"),
        () => ask(scene, "/webhook/double", preflight),
        () => ask(scene, "/webhook/double", { method: "POST" }),
      ];
      for (const call of nothings) assert.deepEqual(await began(call), { shown: false, counted: 0 });
      for (const id of made) assert.equal((await askJson(scene, `/rest/workflows/${id}/deactivate`, {}, { cookie })).status, 200);
    },
  },
  {
    promise: "the workflows that ran most in this usage period are told with their names, executions and failed ones",
    keep: async (scene) => {
      await tellPlan(scene, { limits: { ...limits, activeWorkflows: -1 } });
      const { cookie } = await signIn(scene);
      const before = await busiestOf(scene);
      const stop = { name: "Stop", type: "n8n-nodes-base.stopAndError", typeVersion: 1, parameters: { errorMessage: "on purpose" } };
      const failing = { ...webhookWorkflow("fails", stop), name: "Fails on purpose \u202e<b>" };
      const { id } = await readData<{ id: string }>(await activate(scene, cookie, failing));
      assert.equal((await callWebhook(scene, "fails")).status, 500);
      for (let call = 0; call < 3; call++) assert.equal((await callEcho(scene)).status, 200);
      await until(async () => (await busiestOf(scene)).some((each) => each.id === id && each.failed === 1), "the failure");
      const after = await busiestOf(scene);
      assert.deepEqual(
        after.find((each) => each.id === id),
        { id, name: "Fails on purpose <b>", executions: 1, failed: 1 },
      );
      const sum = (workflows: readonly { executions: number }[]) => workflows.reduce((all, { executions }) => all + executions, 0);
      assert.equal(sum(after) - sum(before), 4);
      assert.equal((await askJson(scene, `/rest/workflows/${id}/deactivate`, {}, { cookie })).status, 200);
    },
  },
];
