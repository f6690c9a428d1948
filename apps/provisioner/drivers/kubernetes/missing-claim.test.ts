/** What is seen of a workspace whose claim was deleted, by an API server that only tells. */
import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import { openCluster, type Cluster } from "./open-cluster.ts";
import { observeWorkspace, stopPod } from "./run-pod.ts";

const spec = buildRunSpec({ image: "stand-in:1", command: ["/bin/true"] }, { run: false });
const name = `w-${spec.workspaceId}`;
const ended = { state: { terminated: { exitCode: 7, finishedAt: "2026-11-01T10:00:00Z" } } };
const running = { state: { running: { startedAt: "2026-11-01T09:00:00Z" } } };
const claims = {
  whole: { metadata: { name } },
  "being deleted": { metadata: { name, deletionTimestamp: "2026-11-01T10:00:00Z", finalizers: ["kubernetes.io/pvc-protection"] } },
  gone: undefined,
};

let server: Server;
afterEach(() => void server.close());

/** A cluster with one pod, which has ended as soon as it is deleted. `changes` are the calls that would change something else. */
async function clusterWith(pod: { hasEnded: boolean }, claim: object | undefined): Promise<{ cluster: Cluster; changes: string[] }> {
  const changes: string[] = [];
  server = createServer(({ method, url = "" }, response) => {
    const [path = ""] = url.replace("/api/v1/namespaces/workspaces/", "").split("?");
    if (method === "DELETE" && path === `pods/${name}`) pod.hasEnded = true;
    else if (method !== "GET") changes.push(`${method} ${path}`);
    const seen = {
      metadata: { name, uid: "1", annotations: { "slipway.dev/workspace-id": spec.workspaceId } },
      status: { podIP: "10.0.0.9", containerStatuses: [{ name: "workspace", ...(pod.hasEnded ? ended : running) }] },
    };
    const found: Record<string, object | undefined> = {
      [`pods/${name}`]: seen,
      pods: { metadata: { resourceVersion: "1" }, items: [seen] },
      [`persistentvolumeclaims/${name}`]: claim,
    };
    response.writeHead(found[path] ? 200 : 404, { "content-type": "application/json" });
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

test("a stop makes no new claim for a workspace that ran with one that is gone", async () => {
  const { cluster, changes } = await clusterWith({ hasEnded: false }, claims.gone);
  expect(await stopPod(cluster, spec)).toEqual({ state: "absent" });
  expect(changes).toEqual([]);
});
