/**
 * `npm run test:cluster`: the chart on a Kubernetes of two nodes, with n8n itself in the workspace's pod. A visitor signs up in a browser,
 * launches, and works in n8n's editor. At the end it prints what it measured.
 */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readReleases } from "#apps/provisioner/engines/releases/read-releases.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { writeProgramImage } from "../../tools/image/program-image.ts";
import { writeReleaseImage } from "../../tools/image/release-image.ts";
import { ask } from "../ask.ts";
import { pageTimeoutMs } from "../browser/chromium.ts";
import { watchPages, type PageWatch } from "../browser/watch-page.ts";
import { makeVolumes, storageClass } from "../cluster/local-volumes.ts";
import { nameServer, serveServices, type ServiceAddresses } from "../cluster/service-addresses.ts";
import { startCluster, type TestCluster } from "../cluster/start-cluster.ts";
import { startVisitor, type Visitor } from "../cluster/visitor-browser.ts";
import { containersCacheDir } from "../containers/test-image.ts";
import { enginesCacheDir } from "../engines/engines-cache.ts";
import { makeMemoryFolder } from "../memory-folder.ts";
import type { JournalEntry } from "../program/slipway-customer.ts";
import { findHelm } from "./helm.ts";
import { runHelm, type Values } from "./render-chart.ts";

const run = promisify(execFile);
const minuteMs = 60_000;
const namespace = "slipway";
const workspaces = "slipway-workspaces";
const accountName = "acme-works";
const email = "ada@acme.example.com";
const teammate = "bob@acme.example.com";
/** Browsers treat this name as a secure context without a certificate. */
const panel = "http://localhost:3000";
const workspace = `http://${accountName}.localhost:3000`;
/** The first start of an image reads it from the disk: 98 s were seen. Workers give up after three minutes, and start it again. */
const launchTimeoutMs = 8 * minuteMs;
const [newest] = readReleases("n8n", join(import.meta.dirname, "../../apps/provisioner/engines/n8n/releases"));

/** A trial: production needs a network that enforces policies. */
const values = {
  publicUrl: panel,
  image: { repository: "localhost/slipway/slipway", tag: "under-test" },
  secrets: { SECRET_KEY: { name: "slipway", key: "secret-key" }, DATABASE_URL: { name: "slipway", key: "database-url" } },
  settings: {
    NODE_ENV: "development",
    KUBERNETES_STORAGE_CLASS: storageClass,
    // The size of the cluster's volumes.
    WORKSPACE_DISK_MB: "1024",
    WORKSPACE_NAME_SERVERS: nameServer,
    ALTCHA_MAX_NUMBER: "20",
  },
  workspaces: { images: "localhost/slipway" },
  api: { replicas: 1 },
} satisfies Values;

let cluster: TestCluster;
let database: TestDatabase;
let services: ServiceAddresses;
let visitor: Visitor;
let context: BrowserContext;
let page: Page;
let editor: Page;
let watch: PageWatch;
const figures: Record<string, string> = {};

const kubectl = async (...args: string[]): Promise<string> =>
  (await run((await findHelm()).kubectl, ["--kubeconfig", join(cluster.folder, "control/kubeconfig"), ...args])).stdout;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  figures[what] = seconds(performance.now() - startedMs);
  return result;
}

/** Slipway's own image, and that of workspaces with the release in it as its lock says. */
async function writeImages(folder: string): Promise<void> {
  const scratchDir = makeMemoryFolder("slipway-chart-images-");
  try {
    const name = "localhost/slipway/slipway:under-test";
    await writeProgramImage(join(folder, "slipway.tar"), { name, cacheDir: containersCacheDir, scratchDir });
    figures["image of Slipway"] = megabytes((await stat(join(folder, "slipway.tar"))).size);
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
  const place = async () => join(folder, "workspace.tar");
  const { version } = newest!;
  const release = { engine: "n8n", version, enginesDir: enginesCacheDir, registry: values.workspaces.images } as const;
  await timed("image of n8n written in", () => writeReleaseImage(place, { ...release, cacheDir: containersCacheDir }));
  figures[`image of n8n ${version}`] = megabytes((await stat(join(folder, "workspace.tar"))).size);
}

/** The output of the cluster and the pods, which is lost with them. */
async function describeCluster(): Promise<string> {
  const said = await Promise.allSettled([
    kubectl("get", "pods", "--all-namespaces", "--output=wide"),
    kubectl("--namespace", workspaces, "describe", "pods", "--selector=slipway.dev/role=workspace"),
    kubectl("--namespace", workspaces, "logs", "--selector=slipway.dev/role=workspace", "--tail=60"),
    kubectl("--namespace", namespace, "describe", "pods"),
    kubectl("--namespace", namespace, "logs", "--selector=app.kubernetes.io/name=slipway", "--tail=40", "--prefix"),
  ]);
  return said.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))).join("\n");
}

beforeAll(async () => {
  await timed("cluster with both images on two nodes", async () => {
    cluster = await startCluster({ nodes: 2, oneNetwork: true, writeImages });
  });
  await makeVolumes(cluster, 1);
  services = await serveServices(cluster);
  database = await createTestDatabase({ empty: true });
  const { host, port, user, password, database: name } = database.connection;
  const address = await services.reach(5432, { path: `${host}/.s.PGSQL.${port}` });
  await cluster.core.createNamespace({ body: { metadata: { name: namespace } } });
  await cluster.core.createNamespacedSecret({
    namespace,
    body: {
      metadata: { name: "slipway" },
      stringData: {
        "secret-key": "a key for the test of the chart, long enough",
        "database-url": `postgresql://${user}:${encodeURIComponent(String(password))}@${address}:5432/${name}`,
      },
    },
  });
}, 40 * minuteMs);
afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]();
  await services?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await database?.close();
  for (const [what, figure] of Object.entries(figures)) console.log(`${what}: ${figure}`);
}, 5 * minuteMs);
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const each of context?.pages() ?? [])
    console.error(`${each.url()}\n${await each.innerText("body", { timeout: 5_000 }).catch(String)}\n`);
  console.error(await describeCluster());
});

test(
  "the chart installs Slipway on two nodes",
  async () => {
    const options = ["--namespace", namespace, "--kubeconfig", join(cluster.folder, "control/kubeconfig"), "--wait", "--timeout", "5m"];
    await timed("helm install", () => runHelm(["install", "slipway"], values, options));
    const { items } = await cluster.core.listNamespacedPod({ namespace, labelSelector: "app.kubernetes.io/name=slipway" });
    expect(new Set(items.map(({ spec }) => spec!.nodeName))).toEqual(new Set(["node1", "node2"]));
  },
  10 * minuteMs,
);

const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

test("a visitor registers, says what they do, chooses an app and invites a teammate", async () => {
  visitor = await startVisitor({
    localhost: await services.addressOf(`slipway-api.${namespace}.svc`),
    "*.localhost": await services.addressOf(`slipway-gateway.${namespace}.svc`),
  });
  context = await visitor.browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  // Otherwise chance decides how many questions an account gets.
  await context.addInitScript(() =>
    localStorage.setItem("slipway.experiment-overrides", JSON.stringify({ "026_easy_ai_workflow": "control" })),
  );
  watch = await watchPages(context, `${panel}/`);
  page = await context.newPage();
  await page.goto(`${panel}/register`);
  await heading("Create your account");
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Account name").fill(accountName);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Confirm email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByLabel("I am human").check();
  await page.getByRole("button", { name: "Create account" }).click();

  // The address changes before the page does, so the next button may still be the previous one: each step waits for its own heading.
  await page.waitForURL("**/account/survey");
  await heading("Tell us about you");
  for (const position of [1, 2, 3, 4]) {
    await page.getByText(`Question ${position} of 4`, { exact: true }).waitFor();
    if (position === 4)
      await page.getByRole("group", { name: "How large is your company?" }).getByText("20 to 99", { exact: true }).click();
    await page.getByRole("button", { name: "Continue" }).click();
  }
  await page.waitForURL("**/account/apps");
  await heading("Which apps do you want to connect?");
  await page.getByRole("searchbox", { name: "Search apps" }).fill("slack");
  await page.getByRole("option", { name: "Slack", exact: true }).click();
  await page.getByRole("button", { name: "Continue with 1 app" }).click();
  await page.waitForURL("**/invite-teammate");
  await heading("Invite teammates");
  await page.getByLabel("Email addresses").fill(teammate);
  await page.getByRole("button", { name: /^(Invite 1 person|Send invitations)$/ }).click();
  await page.getByText("Your invitations are saved").waitFor();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.waitForURL("**/verify-email");
  await heading("Check your inbox");
});

test("the mail's link confirms the address, and the waiting page continues to the set-up", async () => {
  const inbox = await context.newPage();
  await inbox.goto(`${panel}/dev/inbox`);
  await inbox.getByRole("list", { name: "Messages" }).getByText(email).click();
  await inbox.getByRole("list", { name: "Links in this message" }).getByRole("link").first().click();
  await inbox.waitForURL(/account\/setup|confirm-email/);
  await page.waitForURL("**/account/setup");
  await inbox.close();
});

let clickedMs = 0;

test(
  "the launch is watched until n8n, in a pod, is online",
  async () => {
    await expect.poll(() => page.getByRole("combobox", { name: "Timezone" }).innerText()).toContain("Europe/Berlin");
    const launch = page.getByRole("button", { name: "Launch workspace" });
    await launch.waitFor();
    clickedMs = performance.now();
    await launch.click();
    await page.waitForURL("**/account/launching");
    await page.getByRole("heading", { name: "Your workspace is now online." }).waitFor({ timeout: launchTimeoutMs });
    figures["click on Launch to online"] = seconds(performance.now() - clickedMs);

    const { items } = await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role=workspace" });
    expect(items).toHaveLength(1);
    const [{ metadata, spec, status }] = items as [(typeof items)[0]];
    expect(spec!.containers[0]!.image).toMatch(new RegExp(`^localhost/slipway/n8n:${newest!.version}`));
    expect(status!.containerStatuses).toMatchObject([{ restartCount: 0, state: { running: {} } }]);
    const { entries } = await page.evaluate(
      async () => (await fetch("/api/instance/journal")).json() as Promise<{ entries: JournalEntry[] }>,
    );
    // Its claim may wait for a volume for a moment.
    expect(entries.map(({ event }) => event).filter((event) => event !== "start-waits")).toEqual(["online", "started", "requested"]);
    const online = entries.find(({ event }) => event === "online")!;
    // The pod's own time is in whole seconds.
    figures["pod created to ready"] = seconds(Date.parse(online.at) - metadata!.creationTimestamp!.getTime());
  },
  launchTimeoutMs + minuteMs,
);

test("Open leads through the gateway into n8n's editor, signed in as its owner", async () => {
  const openedMs = performance.now();
  [editor] = await Promise.all([context.waitForEvent("page"), page.getByRole("button", { name: "Open workspace" }).click()]);
  await editor.waitForURL(`${workspace}/home/**`);
  await editor.locator('[data-test-id="main-sidebar-cloud-admin"]').waitFor();
  figures["click on Open to signed-in editor"] = seconds(performance.now() - openedMs);
  figures["click on Launch to signed-in editor"] = seconds(performance.now() - clickedMs);
  const me = await editor.evaluate(async () => (await fetch("/rest/login")).json() as Promise<{ data: { email: string; role: string } }>);
  expect(me.data).toMatchObject({ email, role: "global:owner" });
  const settings = await editor.evaluate(async () => (await fetch("/rest/settings")).json() as Promise<{ data: Record<string, unknown> }>);
  expect(settings.data).toMatchObject({ timezone: "Europe/Berlin", urlBaseWebhook: `${workspace}/`, versionCli: newest!.version });
});

test(
  "a workflow that is built in the editor and published answers through the gateway",
  async () => {
    await editor.goto(`${workspace}/workflow/new`);
    const at = (id: string) => editor.locator(`[data-test-id="${id}"]`);
    await at("canvas-add-button").click();
    await at("node-creator-search-bar").or(at("node-creator")).first().waitFor();
    await editor.keyboard.type("webhook");
    await at("item-iterator-item").filter({ hasText: "Webhook" }).first().click();
    await at("parameter-input-path").locator("input").fill("hello");
    await at("ndv-close-button").click();
    await at("workflow-open-publish-modal-button").click();
    await at("workflow-publish-button").click();
    const call = () => editor.evaluate(async () => (await fetch("/webhook/hello")).text());
    await expect.poll(call, { timeout: minuteMs }).toContain("Workflow was started");
  },
  5 * minuteMs,
);

test("the teammate is invited by the worker, who reaches n8n in its pod", async () => {
  await page.goto(`${panel}/invite-teammate`);
  const row = page.getByRole("region", { name: "Invited people" }).getByRole("listitem").filter({ hasText: teammate });
  await row.getByText("Email sent").waitFor();
});

test("no page of the panel logged an error or called another machine", () => {
  expect(watch.trouble()).toEqual([]);
});

/** Rejects unless the answer is 200 and has this text. */
async function call(role: "api" | "gateway", path: string, said: string): Promise<void> {
  const address = await services.addressOf(`slipway-${role}.${namespace}.svc`);
  const { host } = new URL(role === "api" ? panel : workspace);
  const { status, text } = await ask(`http://${address}:3000${path}`, { headers: { host } });
  if (status !== 200 || !text.includes(said)) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
}
const callWorkflow = () => call("gateway", "/webhook/hello", "Workflow was started");
const workspacePod = async () =>
  (await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role=workspace" })).items[0];

test(
  "every process is replaced while visitors call, and no call fails",
  async () => {
    const failures: unknown[] = [];
    let calls = 0;
    let isOver = false;
    const visits = (async () => {
      for (; !isOver; calls += 1, await sleep(50))
        await (calls % 10 === 0 ? call("api", "/", "root") : call("gateway", "/healthz", "ok")).catch((error: unknown) =>
          failures.push(error),
        );
    })();
    const options = ["--namespace", namespace, "--kubeconfig", join(cluster.folder, "control/kubeconfig"), "--wait", "--timeout", "5m"];
    const changed = { ...values, settings: { ...values.settings, LOG_LEVEL: "debug" } };
    await timed("rolling restart of api, two gateways and worker, with the job before", () =>
      runHelm(["upgrade", "slipway"], changed, options),
    );
    isOver = true;
    await visits;
    expect(failures).toEqual([]);
    figures["calls meanwhile, none of which failed"] = String(calls);
  },
  10 * minuteMs,
);

test(
  "a drain of its node starts n8n on the other one, with its workflow",
  async () => {
    const { spec, metadata } = (await workspacePod())!;
    const drained = performance.now();
    // Its pod is released to the cluster once a worker has noted how it ended, of which the watch learns.
    const drain = timed("drain of a node with n8n and processes of Slipway", () =>
      kubectl("drain", spec!.nodeName!, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=4m"),
    );
    await expect
      .poll(workspacePod, { timeout: 4 * minuteMs, interval: 100 })
      .toMatchObject({ metadata: { uid: expect.not.stringMatching(metadata!.uid!) as unknown } });
    figures["drain begun to n8n's new pod made"] = seconds(performance.now() - drained);
    await drain;
    await vi.waitFor(callWorkflow, { timeout: launchTimeoutMs, interval: 250 });
    figures["drain begun to its workflow answering on the other node"] = seconds(performance.now() - drained);
    expect((await workspacePod())!.spec!.nodeName).not.toBe(spec!.nodeName);
    await kubectl("uncordon", spec!.nodeName!);
  },
  launchTimeoutMs + 5 * minuteMs,
);

test(
  "a killed n8n is noticed immediately, and starts again",
  async () => {
    const name = (await workspacePod())!.metadata!.name!;
    const killed = performance.now();
    await kubectl("--namespace", workspaces, "exec", name, "--", "/bin/sh", "-c", "kill -9 -1").catch(() => undefined);
    const deaths = async () => {
      const { rows } = await database.pool.query<{ at: Date }>(
        "select at from workspace_journal where event in ('died', 'out-of-memory') order by at desc limit 1",
      );
      expect(rows[0]!.at.getTime()).toBeGreaterThan(Date.now() - (performance.now() - killed));
    };
    await vi.waitFor(deaths, { timeout: 2 * minuteMs, interval: 20 });
    figures["n8n killed to its death in the journal"] = seconds(performance.now() - killed);
    await vi.waitFor(callWorkflow, { timeout: launchTimeoutMs, interval: 250 });
    figures["n8n killed to its workflow answering again"] = seconds(performance.now() - killed);
  },
  launchTimeoutMs + 5 * minuteMs,
);
