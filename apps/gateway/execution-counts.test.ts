import { expect, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { ask, deferred, startPair } from "#testing/network/start-test-gateway.ts";
import { startExecutionCounts, type ExecutionCount } from "./execution-counts.ts";

const sign = { path: /^\/webhook\//i, header: "content-security-policy", value: "sandbox allow-scripts" };
const ran = { "Content-Security-Policy": sign.value };
const noon = "2026-11-21T12:00:00Z";

/** Counts into `written`. `at` is the machine's time; `write` waits until all counts are saved. */
function startCounts() {
  const written = new Map<string, number>();
  const state = { at: noon, fails: false };
  const saved: ExecutionCount[][] = [];
  const counts = startExecutionCounts({
    sign,
    clock: { now: () => new Date(state.at) },
    log: createLog("silent"),
    writeEveryMs: 5,
    save(some) {
      if (state.fails) return Promise.reject(new Error("no database"));
      saved.push(some);
      for (const { workspaceId, date, executions } of some) written.set(`${date} ${workspaceId}`, executions);
      return Promise.resolve();
    },
  });
  const turns = (at: string) => (
    (state.at = at),
    vi.waitFor(() => expect(counts.dayFor("/webhook/x")?.date ?? null).toBe(/T(00:00|23:59)/.test(at) ? null : at.slice(0, 10)), 20_000)
  );
  return { counts, written, saved, state, turns };
}

test("a response counts if its path and its exact header show that an execution started", async () => {
  const { counts, written } = startCounts();
  await using front = await startPair(
    (req, res) => {
      const given = req.headers["x-answer"] as string;
      res.writeHead(Number(req.headers["x-status"] ?? 200), given ? { "Content-Security-Policy": given } : {}).end("x");
    },
    { executions: counts },
  );
  const get = (path: string, answer: string, status = "200", method = "GET") =>
    ask(front.port, { path, method, headers: { "x-answer": answer, "x-status": status } });
  for (const path of ["/webhook/a", "/WEBHOOK/a/b?c=d", "/webhook/"]) await get(path, sign.value);
  for (const [status, method] of [
    ["404", "POST"],
    ["302", "GET"],
    ["500", "PUT"],
    ["204", "DELETE"],
  ] as const)
    await get("/webhook/own-status", sign.value, status, method);
  for (const path of ["/", "/webhook", "/webhook-test/a", "/webhook-waiting/1", "/rest/webhook/a", "//webhook/a"])
    await get(path, sign.value);
  for (const answer of ["", "sandbox", `${sign.value} allow-more`, sign.value.toUpperCase()]) await get("/webhook/a", answer);
  await counts.stop();
  expect([...written]).toEqual([[`2026-11-21 workspace-at-${front.workspace.address}`, 7]]);
});

test("a workspace that refuses or disconnects without a response has started nothing", async () => {
  const { counts, saved } = startCounts();
  await using front = await startPair((req, res) => (req.url === "/webhook/gone" ? req.socket.destroy() : res.writeHead(401).end()), {
    executions: counts,
  });
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(401);
  expect((await ask(front.port, { path: "/webhook/gone", method: "POST" })).status).toBe(502);
  front.setRoute("acme", null);
  front.gateway.invalidate("acme");
  expect((await ask(front.port, { path: "/webhook/a" })).status).toBe(404);
  await counts.stop();
  expect(saved).toEqual([]);
});

test("counts are totals: a failed save is included in the next one, and saved counts are not saved again", async () => {
  const { counts, written, saved, state } = startCounts();
  await using front = await startPair((_req, res) => res.writeHead(200, ran).end(), { executions: counts });
  const key = `2026-11-21 workspace-at-${front.workspace.address}`;
  state.fails = true;
  for (let call = 0; call < 3; call++) await ask(front.port, { path: "/webhook/a" });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(written.size).toBe(0);
  state.fails = false;
  await vi.waitFor(() => expect(written.get(key)).toBe(3), 20_000);
  await ask(front.port, { path: "/webhook/a" });
  await vi.waitFor(() => expect(written.get(key)).toBe(4), 20_000);
  const writes = saved.length;
  await counts.stop();
  expect(saved).toHaveLength(writes);
});

test("a request close to midnight, or one that ends on another day, is not counted", async () => {
  const { counts, written, turns } = startCounts();
  const answer = deferred();
  const asked = deferred();
  await using front = await startPair(
    (req, res) => {
      if (req.url !== "/webhook/slow") return void res.writeHead(200, ran).end();
      asked.resolve();
      void answer.promise.then(() => res.writeHead(200, ran).end());
    },
    { executions: counts },
  );
  const call = () => ask(front.port, { path: "/webhook/a" });
  await turns("2026-11-21T23:58:59Z");
  await call();
  const slow = ask(front.port, { path: "/webhook/slow" });
  await asked.promise;
  for (const at of ["2026-11-21T23:59:00Z", "2026-11-22T00:00:59.999Z"]) {
    await turns(at);
    await call();
  }
  await turns("2026-11-22T00:01:00Z");
  answer.resolve();
  await slow;
  await call();
  // After the clock is set back, counting continues from the earlier total.
  await turns("2026-11-21T12:00:00Z");
  await call();
  await counts.stop();
  const id = `workspace-at-${front.workspace.address}`;
  expect(Object.fromEntries(written)).toEqual({ [`2026-11-21 ${id}`]: 2, [`2026-11-22 ${id}`]: 1 });
});

test("counting for a known workspace allocates nothing: a million responses leave the heap unchanged", () => {
  const { counts } = startCounts();
  const day = counts.dayFor("/webhook/a")!;
  const headers = ["content-type", "application/json", "content-security-policy", sign.value, "content-length", "1"];
  const count = (times: number) => {
    for (let left = times; left > 0; left--) counts.dayFor("/webhook/a")!.noteAnswer("a workspace", headers);
  };
  count(10_000);
  const before = process.memoryUsage().heapUsed;
  count(1_000_000);
  const grownMb = (process.memoryUsage().heapUsed - before) / 1e6;
  expect(day.unwritten()).toEqual([{ workspaceId: "a workspace", date: "2026-11-21", executions: 1_010_000 }]);
  // One object of 16 bytes per response would be 16 MB, most of which a collection might free; so the limit is
  // close to what V8 needs anyway.
  expect(grownMb).toBeLessThan(40);
});
