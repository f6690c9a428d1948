/** What is observed of a workspace whose claim was deleted, or whose node does not report its exit; the API server is a stand-in. */
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import { openCluster, type Cluster } from "./open-cluster.ts";
import { observeWorkspace, stopPod } from "./run-pod.ts";
import { exitFinalizer } from "./workspace-objects.ts";

const spec = buildRunSpec({ image: "stand-in:1", command: ["/bin/true"] }, { run: false });
const name = `w-${spec.workspaceId}`;
const ended = { state: { terminated: { exitCode: 7, finishedAt: "2026-11-01T10:00:00Z" } } };
/** A busy node has deleted the container before it reported how it ended. */
const untold = { state: { waiting: { reason: "ContainerCreating" } } };
const running = { state: { running: { startedAt: "2026-11-01T09:00:00Z" } } };
const claims = {
  whole: { metadata: { name } },
  "being deleted": { metadata: { name, deletionTimestamp: "2026-11-01T10:00:00Z", finalizers: ["kubernetes.io/pvc-protection"] } },
  gone: undefined,
};

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A cluster with one pod, which ends as soon as it is deleted. `changes` are the calls that would change something else. */
async function clusterWith(
  pod: { hasEnded: boolean; end?: object },
  claim: object | undefined,
): Promise<{ cluster: Cluster; changes: string[] }> {
  const changes: string[] = [];
  let annotations = {};
  server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    const [path = ""] = url.replace("/api/v1/namespaces/workspaces/", "").split("?");
    if (method === "DELETE" && path === `pods/${name}`) pod.hasEnded = true;
    else if (method !== "GET") changes.push(`${method} ${path}`);
    if (method === "PATCH" && path === `secrets/${name}`) annotations = JSON.parse(await text(request)).metadata.annotations;
    const deletion = pod.hasEnded ? { deletionTimestamp: "2026-11-01T10:00:00Z", deletionGracePeriodSeconds: 0 } : {};
    const seen = {
      metadata: {
        name,
        uid: "1",
        annotations: { "slipway.dev/workspace-id": spec.workspaceId },
        ...(pod.end && { finalizers: [exitFinalizer], ...deletion }),
      },
      spec: { nodeName: "one" },
      status: { podIP: "10.0.0.9", containerStatuses: [{ name: "workspace", ...(pod.hasEnded ? (pod.end ?? ended) : running) }] },
    };
    const found: Record<string, object | undefined> = {
      [`pods/${name}`]: seen,
      pods: { metadata: { resourceVersion: "1" }, items: [seen] },
      [`persistentvolumeclaims/${name}`]: claim,
      [`secrets/${name}`]: pod.end && { metadata: { name, annotations } },
    };
    response.writeHead(found[path] ? 200 : 404, { "content-type": "application/json" });
    // Nothing changes any more, so a watch reports nothing.
    if (url.includes("watch=true")) return void response.flushHeaders();
    response.end(JSON.stringify(found[path] ?? { kind: "Status", code: 404 }));
  });
  const cluster = openCluster(await listenAsCluster(server));
  return { cluster, changes };
}

test("an ended pod is a workspace only with its claim: without it, the next start would be empty", async () => {
  const look = async (claim: object | undefined) => {
    const { cluster } = await clusterWith({ hasEnded: true }, claim);
    const { seen } = await observeWorkspace(cluster, spec.workspaceId);
    server.close();
    return seen;
  };
  expect(await look(claims.whole)).toMatchObject({ state: "stopped", exit: { code: 7 } });
  expect(await look(claims["being deleted"])).toEqual({ state: "absent" });
  expect(await look(claims.gone)).toEqual({ state: "absent" });
});

test("a stop creates no new claim for a workspace that ran with one that is gone", async () => {
  const { cluster, changes } = await clusterWith({ hasEnded: false }, claims.gone);
  expect(await stopPod(cluster, spec)).toEqual({ state: "absent" });
  expect(changes).toEqual([]);
});

test("a stop whose exit code the node never reports is still seen as an exit, by its time", async () => {
  const before = Date.now();
  const { cluster } = await clusterWith({ hasEnded: false, end: untold }, claims.whole);
  const { exit } = await stopPod(cluster, spec);
  expect(exit).toMatchObject({ code: null, signal: null });
  expect(exit!.at.getTime()).toBeGreaterThanOrEqual(before);
});
