/** Workers that are killed between two calls, or continue after another one took over the workspace, and an API server that delays them. */
import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import type { Driver } from "../driver.ts";
import { createKubernetesDriver } from "./create-kubernetes-driver.ts";

const spec = buildRunSpec({ image: "stand-in:1", command: ["/bin/true"] }, { generation: 2 });
const name = `w-${spec.workspaceId}`;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

interface Meta {
  name?: string;
  generateName?: string;
  uid?: string;
  annotations?: Record<string, string>;
  finalizers?: string[];
  deletionTimestamp?: string;
}
interface Stored {
  metadata?: Meta;
  status?: object;
  /** Of a deletion. */
  preconditions?: { uid: string };
}
interface Api {
  /** By kind and name: `pods/w-1`. */
  objects: Map<string, Stored>;
  /** Called before each call is carried out. A number is the answer in its place. */
  before(call: string): number | undefined;
}

/** Keeps objects by name, with uids and finalizers, and starts and ends every pod immediately. */
async function startApi() {
  const api: Api = { objects: new Map(), before: () => undefined };
  let uids = 0;
  const put = (path: string, object: Stored): void => {
    const metadata = { name: path.split("/")[1]!, uid: `uid-${(uids += 1)}`, ...object.metadata };
    api.objects.set(path, { ...object, metadata });
  };
  const carryOut = (method: string, path: string, query: URLSearchParams, body: Stored) => {
    const [kind = "", named] = path.split("/");
    const found = api.objects.get(path);
    if (method === "POST") {
      const own = body.metadata?.name ?? `${body.metadata?.generateName}x`;
      if (api.objects.has(`${kind}/${own}`)) return 409;
      put(`${kind}/${own}`, { ...body, ...(kind === "pods" && runs), metadata: { ...body.metadata, name: own } });
      return api.objects.get(`${kind}/${own}`)!;
    }
    if (method === "PATCH" && Array.isArray(body)) {
      delete found?.metadata!.finalizers;
      if (found?.metadata?.deletionTimestamp) api.objects.delete(path);
    } else if (method === "PATCH") put(path, { ...found, ...body, metadata: { ...found?.metadata, ...body.metadata } });
    if (method === "GET" && named === undefined) {
      const wanted = query.get("fieldSelector")?.replace("metadata.name=", "");
      const items = [...api.objects].filter(([key]) => key.startsWith(`${kind}/`) && (!wanted || key === `${kind}/${wanted}`));
      return { metadata: { resourceVersion: "1" }, items: items.map(([, object]) => object) };
    }
    if (method === "DELETE" && named !== undefined && found) {
      if (body.preconditions && body.preconditions.uid !== found.metadata?.uid) return 409;
      if (!found.metadata?.finalizers) api.objects.delete(path);
      else Object.assign(found, ended, { metadata: { ...found.metadata, deletionTimestamp: new Date().toISOString() } });
    }
    return method === "DELETE" && named === undefined ? {} : (api.objects.get(path) ?? found ?? 404);
  };
  server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://api");
    const path = url.pathname.replace(/^\/(api\/v1|apis\/[^/]+\/[^/]+)\/namespaces\/workspaces\//, "");
    const body = JSON.parse((await text(request)) || "{}") as Stored;
    response.setHeader("content-type", "application/json");
    if (url.searchParams.has("watch")) return response.flushHeaders();
    if (/^\/apis?\/[^/]+(\/[^/]+)?$/.test(path)) return response.end(JSON.stringify({ resources: applied }));
    if (path === "/version") return response.end('{"major": "1", "minor": "20"}');
    const refused = api.before(`${request.method} ${path}`);
    const answer = refused ?? carryOut(request.method!, path, url.searchParams, body);
    if (answer === 429) response.setHeader("retry-after", "0.1");
    response.writeHead(typeof answer === "number" ? answer : 200);
    response.end(JSON.stringify(typeof answer === "number" ? { kind: "Status", code: answer } : answer));
  });
  const options = { ...(await listenAsCluster(server)), clock: systemClock, lateMs: 2_000 };
  /** The kinds of the workspace's objects. */
  const kinds = () =>
    [...api.objects.keys()]
      .map((key) => key.split("/")[0])
      .filter((kind) => kind !== "networkpolicies")
      .toSorted();
  return { api, put, kinds, driver: createKubernetesDriver(options), next: createKubernetesDriver(options) };
}

/** What the client requests before it applies an object. */
const applied = [
  { name: "secrets", kind: "Secret", namespaced: true },
  { name: "networkpolicies", kind: "NetworkPolicy", namespaced: true },
];
const runs = { status: { podIP: "10.0.0.9", containerStatuses: [{ name: "workspace", state: { running: {} } }] } };
const ended = { status: { containerStatuses: [{ name: "workspace", state: { terminated: { exitCode: 0 } } }] } };
/** Another worker's pod of the workspace, made from something else. */
const anothers = (generation: number): Stored => ({
  ...runs,
  metadata: {
    annotations: {
      "slipway.dev/workspace-id": spec.workspaceId,
      "slipway.dev/spec-hash": "another",
      "slipway.dev/generation": String(generation),
    },
  },
});
/** Acts once, before the first call like this. */
const once = (like: RegExp, act: () => number | void) => {
  let isDone = false;
  return (call: string): number | undefined => {
    if (isDone || !like.test(call)) return undefined;
    isDone = true;
    return act() ?? undefined;
  };
};

test.each([2, 3])("a pod of generation %i that another worker made after this one had looked is adopted, not ended", async (generation) => {
  const { api, put, driver } = await startApi();
  api.before = once(/^POST pods$/, () => put(`pods/${name}`, anothers(generation)));
  expect(await driver.ensure(spec)).toMatchObject({ state: "running", generation, specHash: "another" });
});

test("one of an earlier generation is replaced", async () => {
  const { api, put, driver } = await startApi();
  api.before = once(/^POST pods$/, () => put(`pods/${name}`, anothers(1)));
  expect(await driver.ensure(spec)).toMatchObject({ state: "running", generation: 2 });
});

test("a late removal deletes nothing of a new workspace with the same name", async () => {
  const { api, put, kinds, driver } = await startApi();
  await driver.ensure(spec);
  api.before = once(new RegExp(`^DELETE persistentvolumeclaims/`), () => {
    for (const kind of ["persistentvolumeclaims", "secrets"]) put(`${kind}/${name}`, {});
  });
  await driver.remove(spec.workspaceId);
  expect(kinds()).toEqual(["persistentvolumeclaims", "secrets"]);
});

test("files are not replaced in a workspace that was started while the pod for its files was created", async () => {
  const { api, put, driver } = await startApi();
  await driver.ensure({ ...spec, run: false });
  api.before = once(/^POST pods$/, () => put(`pods/${name}`, anothers(2)));
  await expect(driver.replaceStorage(spec, ["a"], Readable.from([]))).rejects.toThrow(/has been started since/);
  expect([...api.objects.keys()].filter((key) => key.startsWith("pods/"))).toEqual([`pods/${name}`]);
});

test("calls to an overloaded API server are repeated when it says so, and no start fails because of it", async () => {
  const { api, driver } = await startApi();
  const refusals = ["GET", "PATCH", "POST"].map((method) => once(new RegExp(`^${method} `), () => 429));
  const asked: string[] = [];
  api.before = (call) => {
    asked.push(call);
    return refusals.map((refuse) => refuse(call)).find((status) => status !== undefined);
  };
  expect(await driver.ensure(spec)).toMatchObject({ state: "running" });
  expect(asked.filter((call) => call === "POST persistentvolumeclaims")).toHaveLength(2);
});

const acts = {
  start: { act: (driver: Driver) => driver.ensure(spec), leaves: ["persistentvolumeclaims", "pods", "secrets"], state: "running" },
  stop: {
    act: (driver: Driver) => driver.ensure({ ...spec, run: false }),
    leaves: ["persistentvolumeclaims", "secrets"],
    state: "stopped",
  },
  removal: { act: (driver: Driver) => driver.remove(spec.workspaceId), leaves: [], state: "absent" },
};
test.each(Object.entries(acts))("wherever a worker is killed in a %s, the next one finishes it", async (what, { act, leaves, state }) => {
  for (let step = 0; ; step += 1) {
    const { api, kinds, driver, next } = await startApi();
    if (what !== "start") await driver.ensure(spec);
    let changes = 0;
    api.before = (call) => {
      if (!call.startsWith("GET")) changes += 1;
      return changes > step ? 500 : undefined;
    };
    const wasKilled = await act(driver).then(
      () => false,
      () => true,
    );
    api.before = () => undefined;
    await act(next);
    expect(kinds(), `after ${step} changes`).toEqual(leaves);
    expect(await next.observe(spec.workspaceId)).toMatchObject({ state });
    server.closeAllConnections();
    server.close();
    if (!wasKilled) return expect(step).toBeGreaterThan(2);
  }
});
