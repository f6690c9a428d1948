/**
 * The chart on a real Kubernetes: installed, used by a customer, upgraded under their workspace, and uninstalled, as docs/cluster.md says.
 */
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { AppsV1Api, BatchV1Api, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { readReleases } from "#apps/provisioner/engines/releases/read-releases.ts";
import { writeProgramImage } from "../../tools/image/program-image.ts";
import { writeReleaseImage } from "../../tools/image/release-image.ts";
import { ask } from "../ask.ts";
import { makeVolumes, storageClass } from "../cluster/local-volumes.ts";
import { serveServices, type ServiceAddresses } from "../cluster/service-addresses.ts";
import { clusterHookMs, startCluster, type TestCluster } from "../cluster/start-cluster.ts";
import { containersCacheDir } from "../containers/test-image.ts";
import { placeStandInEngine } from "../engines/place-stand-in-engine.ts";
import { makeMemoryFolder } from "../memory-folder.ts";
import { createCustomers, type Customer, type Customers } from "../program/slipway-customer.ts";
import { findHelm } from "./helm.ts";
import { runHelm, type Values } from "./render-chart.ts";

const run = promisify(execFile);
const namespace = "slipway";
const workspaces = "slipway-workspaces";
const panel = "http://slipway.test";
const [newest] = readReleases("n8n", join(import.meta.dirname, "../../apps/provisioner/engines/n8n/releases"));

/** A trial: production needs a network that enforces policies. */
const values = {
  publicUrl: panel,
  image: { repository: "localhost/slipway/slipway", tag: "under-test" },
  secrets: { SECRET_KEY: { name: "slipway", key: "secret-key" }, DATABASE_URL: { name: "slipway", key: "database-url" } },
  settings: {
    NODE_ENV: "development",
    KUBERNETES_STORAGE_CLASS: storageClass,
    WORKSPACE_DISK_MB: "256",
    WORKSPACE_MEMORY_MB: "512",
    ALTCHA_MAX_NUMBER: "20",
  },
  workspaces: { images: "localhost/slipway" },
  api: { replicas: 1 },
  drainSeconds: 3,
} satisfies Values;

let cluster: TestCluster;
let database: TestDatabase;
let services: ServiceAddresses;
let customers: Customers;
let customer: Customer;
let kubeconfig: string;

/** What goes wrong is in the pods' logs, which are gone with the cluster. */
const helm = (command: readonly string[], changes: Values = {}): Promise<string> =>
  runHelm(command, { ...values, ...changes }, ["--namespace", namespace, "--kubeconfig", kubeconfig, "--wait", "--timeout", "3m"]).catch(
    async (error: unknown) => {
      const [pods, logs] = await Promise.all([
        kubectl("--namespace", namespace, "describe", "pods"),
        kubectl("--namespace", namespace, "logs", "--selector=app.kubernetes.io/name=slipway", "--tail=40", "--prefix"),
      ]);
      throw new Error(`${String(error)}\n${pods}\n${logs}`, { cause: error });
    },
  );
const kubectl = async (...args: string[]): Promise<string> =>
  (await run((await findHelm()).kubectl, ["--kubeconfig", kubeconfig, ...args])).stdout;
/** The processes of Slipway, or the workspaces. */
const podsIn = async (where: typeof namespace | typeof workspaces): Promise<string[]> => {
  const labelSelector = where === workspaces ? "slipway.dev/role=workspace" : "app.kubernetes.io/name=slipway";
  return (await cluster.core.listNamespacedPod({ namespace: where, labelSelector })).items.map(({ metadata }) => metadata!.uid!);
};
/** What runs to keep images on the nodes. */
const heldImages = async (): Promise<string[]> => {
  const { items } = await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role=images" });
  const containers = items.flatMap(({ status }) => status?.containerStatuses ?? []);
  return containers.filter(({ state }) => state?.running).map(({ image }) => image);
};
/** A visitor of the customer's workspace, through whichever gateway is ready. */
const visit = async (path = "/") => {
  const gateway = await services.addressOf(`slipway-gateway.${namespace}.svc`);
  return ask(`http://${gateway}:3000${path}`, { headers: { host: `${customer.accountName}.slipway.test` } });
};

/** The commands of the guide below this mark, as an operator types them. */
async function runGuide(mark: string): Promise<void> {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/cluster.md"), "utf8");
  const [, commands] = new RegExp(`<!-- walked: ${mark} -->\n\`{3}sh\n([^]*?)\`{3}`).exec(guide)!;
  const path = [dirname((await findHelm()).helm), process.env["PATH"]].join(":");
  await run("/bin/sh", ["-ec", commands!], { env: { ...process.env, PATH: path, KUBECONFIG: kubeconfig }, timeout: 4 * 60_000 });
}

/** Slipway's own image, and one of workspaces with the stand-in in n8n's place. */
async function writeImages(folder: string): Promise<void> {
  const scratchDir = makeMemoryFolder("slipway-chart-images-");
  const enginesDir = join(scratchDir, "engines");
  try {
    const name = "localhost/slipway/slipway:under-test";
    await writeProgramImage(join(folder, "slipway.tar"), { name, cacheDir: containersCacheDir, scratchDir });
    placeStandInEngine(enginesDir);
    const place = async () => join(folder, "workspace.tar");
    const registry = values.workspaces.images;
    await writeReleaseImage(place, { engine: "n8n", version: newest!.version, enginesDir, registry, cacheDir: containersCacheDir });
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
}

/** Besides the cluster itself: the installation, and a launch in it. */
const hookMs = clusterHookMs + 8 * 60_000;

beforeAll(async () => {
  cluster = await startCluster({ writeImages });
  kubeconfig = join(cluster.folder, "control/kubeconfig");
  await makeVolumes(cluster, 6);
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
  await helm(["install", "slipway"]);
  customers = createCustomers(`http://${await services.addressOf(`slipway-api.${namespace}.svc`)}:3000`, panel);
  customer = await customers.launch({ accountName: "ada" });
  await customers.until(customer, ({ status }) => status === instanceStatus.online);
}, hookMs);
afterAll(async () => {
  await services?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await database?.close();
});

test("a new cluster sells a workspace: installed, ready, signed up, launched, visited", async () => {
  const api = await services.addressOf(`slipway-api.${namespace}.svc`);
  const gateway = await services.addressOf(`slipway-gateway.${namespace}.svc`);
  for (const address of [api, gateway]) {
    const ready = await ask(`http://${address}:3000/readyz`);
    expect([ready.status, ready.json()]).toEqual([200, { status: "ready", checks: { database: true, migrated: true, roles: true } }]);
  }
  // The job has succeeded and is gone.
  expect((await cluster.config.makeApiClient(BatchV1Api).listNamespacedJob({ namespace })).items).toEqual([]);

  expect((await customers.call("GET", "/")).text).toContain('<div id="root">');
  const seen = await visit("/hello");
  expect(seen.json()).toMatchObject({ path: "/hello", hasOwner: true });
  const { items } = await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role=workspace" });
  const { image } = items[0]!.spec!.containers[0]!;
  expect(image).toMatch(/^localhost\/slipway\/n8n:/);
  // By the worker's own rights; the nodes have no image of the older releases.
  await expect.poll(heldImages, { timeout: 60_000 }).toEqual([image]);
  const offered = (await customers.call("GET", "/api/instance/versions", { token: customer.token })).json<{
    versions: { name: string }[];
  }>();
  expect(offered.versions.map(({ name }) => image!.startsWith(`localhost/slipway/n8n:${name}-`))).toEqual([true]);
});

test("only workers have a token, and it opens only the namespace of the workspaces", async () => {
  const { items } = await cluster.core.listNamespacedPod({ namespace });
  const withToken = items.filter(({ spec }) => JSON.stringify(spec!.containers[0]!.volumeMounts).includes("serviceaccount"));
  expect(withToken.map(({ metadata }) => metadata!.labels!["app.kubernetes.io/component"])).toEqual(["worker"]);
  const worker = `--as=system:serviceaccount:${namespace}:slipway-worker`;
  const may = (where: string, verb: string, what: string) =>
    kubectl("auth", "can-i", verb, what, "--namespace", where, worker).catch(({ stdout }: { stdout: string }) => stdout);
  expect(await may(workspaces, "create", "pods")).toBe("yes\n");
  expect(await may(namespace, "get", "secrets")).toBe("no\n");
  const bindings = await cluster.config.makeApiClient(RbacAuthorizationV1Api).listClusterRoleBinding();
  expect(JSON.stringify(bindings.items)).not.toContain("slipway");
});

test("an upgrade replaces every process, fails no request, and leaves the workspace running", { timeout: 8 * 60_000 }, async () => {
  const { instance } = (await visit()).json<{ instance: number }>();
  const [processes, workspacesPods] = [await podsIn(namespace), await podsIn(workspaces)];
  const answers: string[] = [];
  let upgraded = false;
  const noteAnswer = async (name: string, asked: Promise<{ status: number }>) =>
    answers.push(
      await asked.then(
        ({ status }) => `${name}: ${status}`,
        (error: unknown) => `${name}: ${String(error)}`,
      ),
    );
  const visits = (async () => {
    while (!upgraded) {
      await Promise.all([
        noteAnswer("workspace", visit()),
        noteAnswer("api", customers.call("GET", "/api/instance", { token: customer.token })),
      ]);
      await sleep(200);
    }
  })();
  await helm(["upgrade", "slipway"], { settings: { ...values.settings, LOG_LEVEL: "debug" }, drainSeconds: 4 });
  upgraded = true;
  await visits;
  expect(answers.length).toBeGreaterThan(20);
  expect(answers.filter((answer) => !answer.endsWith(": 200"))).toEqual([]);
  await expect.poll(async () => (await podsIn(namespace)).filter((uid) => processes.includes(uid)), { timeout: 120_000 }).toEqual([]);
  expect(await podsIn(workspaces)).toEqual(workspacesPods);
  expect((await visit()).json()).toMatchObject({ instance });
  expect(await customers.instance(customer)).toMatchObject({ status: instanceStatus.online });
});

/** What happens to a cluster, and to Slipway in it, at random moments. */
const faults: Record<string, () => Promise<unknown>> = {
  "every process of the workspace is killed": () => inWorkspace("kill -9 -1").catch(() => undefined),
  "its Secret is deleted": async () => {
    const pods = await podsIn(workspaces);
    await kubectl("--namespace", workspaces, "delete", "secrets", "--selector=slipway.dev/role=workspace");
    // Its pod goes with it.
    await vi.waitFor(async () => expect(await podsIn(workspaces)).not.toEqual(pods), { timeout: 60_000, interval: 250 });
  },
  "the worker is killed in the middle of a restart": async () => {
    expect((await customers.call("PUT", "/api/instance/restart", { token: customer.token })).status).toBe(202);
    await sleep(700);
    await killRole("worker");
  },
  "its pod is deleted while there is no worker": async () => {
    await kubectl("--namespace", namespace, "scale", "deployment/slipway-worker", "--replicas=0");
    await vi.waitFor(async () => expect(await podsOf("worker")).toEqual([]), 120_000);
    await kubectl("--namespace", workspaces, "delete", "pods", "--selector=slipway.dev/role=workspace", "--wait=false");
    await sleep(4_000);
    // Its exit has not been noted.
    expect(await podsIn(workspaces)).toHaveLength(1);
    await kubectl("--namespace", namespace, "scale", "deployment/slipway-worker", "--replicas=1");
    await vi.waitFor(async () => expect(await podsOf("worker")).toHaveLength(1), 60_000);
  },
  "a gateway is killed, and the cluster's API hangs": async () => {
    const [gone, left] = await podsOf("gateway");
    await kubectl("--namespace", namespace, "delete", "pod", gone!.metadata!.name!, "--grace-period=0", "--force");
    const api = Number(readFileSync(join(cluster.folder, "control/apiserver.pid"), "utf8"));
    process.kill(api, "SIGSTOP");
    try {
      for (let times = 0; times < 20; times += 1, await sleep(200))
        expect((await ask(`http://${left!.status!.podIP!}:3000/`, { headers: workspaceHost() })).status).toBe(200);
    } finally {
      process.kill(api, "SIGCONT");
    }
  },
};
const podsOf = async (role: string) =>
  (await cluster.core.listNamespacedPod({ namespace, labelSelector: `app.kubernetes.io/component=${role}` })).items;
const killRole = (role: string) =>
  kubectl("--namespace", namespace, "delete", "pods", `--selector=app.kubernetes.io/component=${role}`, "--grace-period=0", "--force");
const workspaceHost = () => ({ host: `${customer.accountName}.slipway.test` });
const inWorkspace = async (script: string): Promise<string> => {
  const { items } = await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role=workspace" });
  return kubectl("--namespace", workspaces, "exec", items[0]!.metadata!.name!, "--", "/bin/sh", "-c", script);
};

test(
  "whatever is killed, deleted or hangs, an answered letter is kept once, there is one pod, and nothing is left",
  { timeout: 10 * 60_000 },
  async () => {
    const sent: string[] = [];
    const post = async (letter: string) => {
      const gateway = await services.addressOf(`slipway-gateway.${namespace}.svc`);
      const answer = await ask(`http://${gateway}:3000/letters`, { method: "POST", body: letter, headers: workspaceHost() });
      expect(answer.status).toBe(200);
      sent.push(letter);
    };
    for (const [what, happen] of Object.entries(faults)) {
      await post(`before: ${what}`);
      await happen();
      let tries = 0;
      await vi.waitFor(() => post(`after: ${what} (${(tries += 1)})`), { timeout: 120_000, interval: 250 });
      await customers.until(customer, ({ status }) => status === instanceStatus.online);
      // Like ten quiet minutes, because the pause before another start is not tested here.
      await database.pool.query("update workspaces set failures = 0");
    }
    // One whose answer was lost may exist as well.
    const kept = (await visit("/letters")).text.trim().split("\n");
    expect(kept).toEqual(expect.arrayContaining(sent));
    expect(new Set(kept).size).toBe(kept.length);
    // A killed worker's look for an image is removed later.
    const { items } = await cluster.core.listNamespacedPod({ namespace: workspaces, labelSelector: "slipway.dev/role!=canary" });
    expect(items.map(({ metadata }) => metadata!.labels!["slipway.dev/role"]).toSorted()).toEqual(["images", "workspace"]);
    const journal = (await customers.journal(customer)).map(({ event }) => event);
    expect(journal.filter((event) => ["start-failed", "fault", "files-missing", "hung"].includes(event))).toEqual([]);
  },
);

test("a launch takes the workspace that waits for it, awake: the same pod, from then on its owner's", { timeout: 5 * 60_000 }, async () => {
  const [own] = await podsIn(workspaces);
  await kubectl("--namespace", namespace, "set", "env", "deployment/slipway-worker", "WORKSPACE_POOL=1");
  const ready = async () => (await database.pool.query("select id from blanks where state = 'ready'")).rows as { id: string }[];
  await vi.waitFor(async () => expect(await ready()).toHaveLength(1), { timeout: 3 * 60_000, interval: 250 });
  const [blank] = (await podsIn(workspaces)).filter((uid) => uid !== own);
  const other = await customers.launch({ accountName: "bob" });
  await customers.until(other, ({ status }) => status === instanceStatus.online);
  expect(await podsIn(workspaces)).toEqual(expect.arrayContaining([own, blank]));
  const gateway = await services.addressOf(`slipway-gateway.${namespace}.svc`);
  const seen = await ask(`http://${gateway}:3000/hello`, { headers: { host: "bob.slipway.test" } });
  expect(seen.json()).toMatchObject({ path: "/hello", hasOwner: true });
  expect((await customers.journal(other)).map(({ event }) => event)).toEqual(["requested", "started", "online"]);
  await kubectl("--namespace", namespace, "set", "env", "deployment/slipway-worker", "WORKSPACE_POOL-");
  // Until it ends, the previous worker keeps the pool filled.
  await kubectl("--namespace", namespace, "rollout", "status", "deployment/slipway-worker", "--timeout=3m");
  const blanks = async () => (await database.pool.query("select id from blanks")).rows;
  await vi.waitFor(async () => expect(await blanks()).toEqual([]), { timeout: 3 * 60_000, interval: 250 });
  await vi.waitFor(async () => expect(await podsIn(workspaces)).toHaveLength(2), { timeout: 3 * 60_000, interval: 250 });
});

// The last one, because nothing remains.
test("uninstalling leaves workspaces and files, and keeps no image on the nodes; the guide's commands remove them", async () => {
  const listClaims = async () =>
    (await cluster.core.listNamespacedPersistentVolumeClaim({ namespace: workspaces })).items.map(({ metadata }) => metadata!.name);
  const [workspacePods, claims] = [await podsIn(workspaces), await listClaims()];
  // One for each workspace, and none of what earlier tests removed.
  expect(claims.length).toBeGreaterThan(0);
  expect(claims).toHaveLength(workspacePods.length);
  await runGuide("uninstall");
  await expect.poll(() => podsIn(namespace), { timeout: 120_000 }).toEqual([]);
  expect(await podsIn(workspaces)).toEqual(workspacePods);
  expect((await cluster.config.makeApiClient(AppsV1Api).listNamespacedDaemonSet({ namespace: workspaces })).items).toEqual([]);
  expect(await heldImages()).toEqual([]);
  expect(await listClaims()).toEqual(claims);
  await runGuide("remove everything");
  await expect(cluster.core.readNamespace({ name: workspaces })).rejects.toThrow("404");
});
