import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { addCalls, latencyClass, noCalls, type WebhookCalls } from "#domain/workspaces/webhooks/webhook-calls.ts";
import { createLog } from "#platform/log.ts";
import { ask, deferred, online, probeToken, startPair } from "#testing/network/start-test-gateway.ts";
import { probeHeader } from "./headers/is-probe.ts";
import { startWebhookCounts } from "./webhook-counts.ts";

/** Counts into `saved`, by workspace. */
function startCounts() {
  const saved = new Map<string, WebhookCalls>();
  const state = { fails: false, saves: 0 };
  const counts = startWebhookCounts({
    path: /^\/webhook\//i,
    log: createLog("silent"),
    saveEveryMs: 5,
    add(seen) {
      if (state.fails) return Promise.reject(new Error("no database"));
      state.saves += 1;
      for (const [id, calls] of seen) {
        if (!saved.has(id)) saved.set(id, noCalls());
        addCalls(saved.get(id)!, calls);
      }
      return Promise.resolve();
    },
  });
  return { counts, saved, state };
}

const figures = ({ latency, ...counted }: WebhookCalls) => ({ ...counted, timed: latency.reduce((sum, count) => sum + count, 0) });

test("calls of webhooks are counted by how they were answered, and other requests are not counted", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((req, res) => res.writeHead(Number(req.headers["x-status"] ?? 200)).end("x"), { webhooks: counts });
  const get = (path: string, status = "200", method = "GET", more = {}) =>
    ask(front.port, { path, method, headers: { "x-status": status, ...more } });
  for (const [path, status, method] of [
    ["/webhook/a", "200", "POST"],
    ["/WEBHOOK/another/b?c=d", "302", "GET"],
    ["/webhook/invented", "404", "GET"],
    ["/webhook/a", "500", "PUT"],
    // Refused by the workspace: its plan is used up, or it wants fewer calls.
    ["/webhook/a", "402", "GET"],
    ["/webhook/a", "429", "GET"],
    // A browser's CORS preflight before the call.
    ["/webhook/a", "204", "OPTIONS"],
    ["/", "500", "GET"],
    ["/webhook-test/a", "500", "GET"],
    ["/rest/webhook/a", "500", "GET"],
  ] as const)
    await get(path, status, method);
  await get("/webhook/a", "200", "GET", { [probeHeader]: probeToken });
  await vi.waitFor(() => expect([...saved.values()].map(figures)[0]?.calls).toBe(6), 20_000);
  await counts.stop();
  expect([...saved.keys()]).toEqual([`workspace-at-${front.workspace.address}`]);
  expect(figures([...saved.values()][0]!)).toEqual({ calls: 6, clientErrors: 1, failed: 3, waited: 0, timed: 6 });
});

test("a call that is refused, cut off, or abandoned before an answer counts as failed, and has no duration", async () => {
  const { counts, saved } = startCounts();
  const asked = deferred();
  await using front = await startPair(
    (req, res) => {
      if (req.url === "/webhook/gone") return void req.socket.destroy();
      if (req.url === "/webhook/cut") {
        res.writeHead(200, { "content-length": "10" });
        return void res.write("half", () => req.socket.destroy());
      }
      asked.resolve();
    },
    { webhooks: counts },
  );
  expect((await ask(front.port, { path: "/webhook/gone", method: "POST" })).status).toBe(502);
  await expect(ask(front.port, { path: "/webhook/cut" })).rejects.toThrow();
  const caller = connect(front.port, "127.0.0.1");
  caller.write("GET /webhook/slow HTTP/1.1\r\nhost: acme.localhost\r\n\r\n");
  await asked.promise;
  caller.destroy();
  front.setRoute("acme", { ...online(front.workspace.address), state: "stopped", address: null, open: false });
  front.gateway.invalidate("acme");
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(503);
  await vi.waitFor(() => expect([...saved.values()].map(({ calls }) => calls)).toEqual([4]), 20_000);
  await counts.stop();
  expect(figures([...saved.values()][0]!)).toEqual({ calls: 4, clientErrors: 0, failed: 4, waited: 0, timed: 0 });
});

test("a call to an address without a workspace is not counted", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((_req, res) => res.end(), { webhooks: counts });
  expect((await ask(front.port, { host: "nobody.localhost", path: "/webhook/a" })).status).toBe(404);
  await counts.stop();
  expect(saved.size).toBe(0);
});

test("a call that waited for the workspace is counted, and the wait is not part of the workspace's time", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((_req, res) => res.end("x"), { webhooks: counts });
  front.setRoute("acme", { ...online(front.workspace.address), state: "starting", address: null, open: false });
  front.gateway.invalidate("acme");
  const waiting = ask(front.port, { path: "/webhook/a" });
  await vi.waitFor(() => expect(front.lookedUp.length).toBeGreaterThan(0), 20_000);
  front.setRoute("acme", { ...online(front.workspace.address), workspaceId: "the same" });
  front.gateway.invalidate("acme");
  expect((await waiting).status).toBe(200);
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(200);
  await vi.waitFor(() => expect(saved.get("the same")?.calls).toBe(2), 20_000);
  await counts.stop();
  expect(figures(saved.get("the same")!)).toEqual({ calls: 2, clientErrors: 0, failed: 0, waited: 1, timed: 1 });
});

test("a call whose workspace does not come in time has failed at that workspace", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((_req, res) => res.end("x"), { webhooks: counts, limits: { maxWaitMs: 100 } });
  for (const [workspaceId, state] of [
    ["starting", { state: "starting", address: null, open: false }],
    ["dead", { address: "127.0.0.1:1" }],
  ] as const) {
    front.setRoute("acme", { ...online(front.workspace.address), workspaceId, ...state });
    front.gateway.invalidate("acme");
    expect((await ask(front.port, { path: "/webhook/a", method: "POST" })).status).toBe(503);
  }
  await counts.stop();
  expect([...saved].map(([id, calls]) => [id, figures(calls)])).toEqual([
    ["starting", { calls: 1, clientErrors: 0, failed: 1, waited: 1, timed: 0 }],
    ["dead", { calls: 1, clientErrors: 0, failed: 1, waited: 1, timed: 0 }],
  ]);
});

test("the time ends with the answer's head, however long the rest takes", async () => {
  // Time passes only as the test says.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { counts, saved } = startCounts();
  const arrived = deferred();
  const head = deferred();
  const rest = deferred();
  await using front = await startPair(
    (_req, res) => {
      void head.promise.then(() => res.writeHead(200).write("first"));
      void rest.promise.then(() => res.end("rest"));
      arrived.resolve();
    },
    { webhooks: counts },
  );
  const req = request({ port: front.port, host: "127.0.0.1", path: "/webhook/a", headers: { host: "acme.localhost" } }).end();
  await arrived.promise;
  vi.advanceTimersByTime(400);
  head.resolve();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  vi.advanceTimersByTime(60_000);
  rest.resolve();
  expect((await res.setEncoding("utf8").toArray()).join("")).toBe("firstrest");
  await vi.waitFor(() => expect(saved.size).toBe(1), 20_000);
  await counts.stop();
  const { latency } = [...saved.values()][0]!;
  expect(latency.flatMap((count, place) => (count === 0 ? [] : [place]))).toEqual([latencyClass(400)]);
});

test("a gateway that passes a call on leaves counting to the workspace's own gateway, unless it cannot reach that", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((_req, res) => res.end("x"), { webhooks: counts });
  front.setRoute("acme", { ...online(front.workspace.address), elsewhere: "heard" });
  front.gateway.invalidate("acme");
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(200);
  front.setRoute("acme", { ...online("127.0.0.1:1"), workspaceId: "unreachable", elsewhere: "silent" });
  front.gateway.invalidate("acme");
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(503);
  await vi.waitFor(() => expect(saved.size).toBe(1), 20_000);
  await counts.stop();
  expect([...saved.keys()]).toEqual(["unreachable"]);
});

test("without the database, counts wait in one tally for each workspace, and are saved once", async () => {
  const { counts, saved, state } = startCounts();
  state.fails = true;
  for (let call = 0; call < 1000; call++) counts.note("one", { status: 200, ms: 3, hasWaited: false });
  await new Promise((resolve) => setTimeout(resolve, 30));
  counts.note("one", { status: 200, ms: 3, hasWaited: false });
  state.fails = false;
  await vi.waitFor(() => expect(saved.get("one")?.calls).toBe(1001), 20_000);
  const { saves } = state;
  await counts.stop();
  expect(state.saves).toBe(saves);
  expect(saved.get("one")!.latency[0]).toBe(1001);
});
