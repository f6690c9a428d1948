/** A watch that breaks in every possible way, against an API server that breaks it on request. */
import { createServer, type ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import { openCluster } from "./open-cluster.ts";
import { RunningPods, waitForPod, watchPods } from "./watch-pods.ts";

const pod = (uid: string, resourceVersion = "1") => ({ apiVersion: "v1", kind: "Pod", metadata: { name: uid, uid, resourceVersion } });

/** Lists `pods`, and lets the test decide what each watch receives. */
async function startApi() {
  const api = {
    pods: [pod("one")],
    lists: 0,
    watches: [] as { from: string; response: ServerResponse }[],
    /** Answers each watch with this status, and nothing else. */
    endsWatchesWith: undefined as number | undefined,
  };
  const server = createServer((request, response) => {
    const query = new URL(request.url!, "http://api").searchParams;
    response.setHeader("content-type", "application/json");
    if (query.has("watch")) {
      api.watches.push({ from: query.get("resourceVersion")!, response });
      if (api.endsWatchesWith !== undefined) return void response.writeHead(api.endsWatchesWith).end();
      return response.flushHeaders();
    }
    api.lists += 1;
    response.end(
      JSON.stringify({ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: String(10 * api.lists) }, items: api.pods }),
    );
  });
  const cluster = openCluster(await listenAsCluster(server));
  const seen: string[] = [];
  const follow = (relistMs?: number) =>
    watchPods(
      cluster,
      {
        seen: ({ metadata }) => seen.push(metadata!.uid!),
        gone: ({ metadata }) => seen.push(`-${metadata!.uid}`),
        listed: () => undefined,
      },
      relistMs,
    );
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { ...api, api, cluster, seen, follow, [Symbol.dispose]: close };
}

const patient = { timeout: 20_000 };
const tell = (response: ServerResponse, type: string, object: object) => response.write(`${JSON.stringify({ type, object })}\n`);

test("a watch that ends continues where it was, and one whose position was forgotten lists again", async () => {
  using scene = await startApi();
  const { api, seen } = scene;
  const end = scene.follow();
  await vi.waitFor(() => expect(api.watches).toHaveLength(1), patient);
  expect([seen, api.watches[0]!.from]).toEqual([["one"], "10"]);
  tell(api.watches[0]!.response, "ADDED", pod("two", "17"));
  tell(api.watches[0]!.response, "BOOKMARK", pod("", "19"));
  tell(api.watches[0]!.response, "DELETED", pod("one", "18"));
  api.watches[0]!.response.end();
  await vi.waitFor(() => expect(api.watches).toHaveLength(2), patient);
  expect([seen, api.watches[1]!.from, api.lists]).toEqual([["one", "two", "-one"], "18", 1]);
  tell(api.watches[1]!.response, "ERROR", { kind: "Status", code: 410, reason: "Expired" });
  api.watches[1]!.response.end();
  await vi.waitFor(() => expect(api.watches).toHaveLength(3), patient);
  expect([api.lists, api.watches[2]!.from]).toEqual([2, "20"]);
  end();
});

test("a silent watch is not trusted forever: everything is listed again", async () => {
  using scene = await startApi();
  const end = scene.follow(1_000);
  await vi.waitFor(() => expect(scene.api.watches).toHaveLength(1), patient);
  // The API server ends a watch after the requested time.
  setTimeout(() => scene.api.watches[0]!.response.end(), 1_000);
  await vi.waitFor(() => expect(scene.api.lists).toBe(2), patient);
  end();
});

test.each([200, 403])("a server that ends every watch immediately, with status %i, is not called without a pause", async (status) => {
  using scene = await startApi();
  scene.api.endsWatchesWith = status;
  const end = scene.follow();
  const found = await waitForPod(scene.cluster, "one", 1_000, () => false);
  expect(found).toBeUndefined();
  expect(scene.api.watches.length).toBeLessThan(10);
  await vi.waitFor(() => expect(scene.api.watches.length).toBeGreaterThan(1), patient);
  end();
});

test("the end of a workspace is announced once, even if it is only missing from a list", () => {
  const running = new RunningPods();
  const heard: string[] = [];
  running.listen((workspaceId) => heard.push(workspaceId));
  running.noteRunning("a", pod("1") as never);
  running.noteRunning("b", pod("2") as never);
  running.noteEnded("a", "1");
  running.noteEnded("a", "1");
  // Of an earlier pod of the same name.
  running.noteEnded("b", "0");
  expect(heard).toEqual(["a"]);
  const begunAt = performance.now() + 1;
  running.noteListed(new Set(["2"]), begunAt);
  expect(heard).toEqual(["a"]);
  running.noteListed(new Set(), begunAt);
  expect(heard).toEqual(["a", "b"]);
  running.noteRunning("c", pod("3") as never);
  // The list is older than that start.
  running.noteListed(new Set(), 0);
  expect(heard).toEqual(["a", "b"]);
});
