/** Which passes are parts of a trace: those that a call or a request caused, until the requested work is done. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { createOtlpTracer } from "#platform/tracing/otlp-tracer.ts";
import { awake, cold, frozen, launched, looked, settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet, type TestFleetOptions } from "#testing/fleet/test-fleet.ts";
import { startCollector } from "#testing/network/start-collector.ts";

async function openScene(options: TestFleetOptions = {}) {
  const collector = await startCollector();
  const tracer = createOtlpTracer({ endpoint: collector.url, headers: {} }, {}, createLog("silent"));
  const fleet = await createTestFleet({ ...options, tracer });
  return {
    collector,
    tracer,
    fleet,
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await tracer.close();
      await collector[Symbol.asyncDispose]();
    },
  };
}

/** A call of the owner, which begins a trace. */
function click<T>({ tracer }: Awaited<ReturnType<typeof openScene>>, name: string, call: () => Promise<T>): Promise<T> {
  return asSpan({}, tracer.begin(name), call);
}

const accountOf = async (fleet: TestFleet, id: string): Promise<string> => (await fleet.row(id)).accountId;

test("a restart is one trace from the call to the process, which ends with it", async () => {
  await using scene = await openScene();
  const { fleet, tracer, collector } = scene;
  const loop = fleet.startLoop();
  const id = await click(scene, "POST /launch", () => fleet.want("acme"));
  await fleet.until(id, (row) => settled(row) && row.traceparent === null);
  await click(scene, "POST /restart", async () => requestRestart(fleet.database.db, await accountOf(fleet, id), new Date()));
  loop.wake();
  await fleet.until(id, (row) => settled(row) && row.traceparent === null);
  // Later looks belong to no call.
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  loop.wake();
  await fleet.until(id, looked);
  await tracer.close();

  for (const call of ["POST /launch", "POST /restart"]) {
    const spans = collector.traceOf(call);
    const named = (name: string) => spans.filter((span) => span.name === name);
    const first = named(call)[0]!;
    expect(named("reconcile").length).toBeGreaterThan(0);
    for (const pass of named("reconcile"))
      expect(pass).toMatchObject({ parentSpanId: first.spanId, attributes: { "slipway.workspace.id": id } });
    const [step] = named("start");
    expect(named("reconcile").map(({ spanId }) => spanId)).toContain(step!.parentSpanId);
    expect(named("driver: start").map(({ parentSpanId }) => parentSpanId)).toContain(step!.spanId);
    expect(named("n8n: health").length).toBeGreaterThan(0);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(spans.filter((span) => span !== first && !ids.has(span.parentSpanId))).toEqual([]);
  }
  expect(new Set(collector.spans().map(({ traceId }) => traceId)).size).toBe(2);
});

const theirs = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${theirs}-00f067aa0ba902b7-01`;

/** Launched, left alone, and asleep. */
async function sleeper(fleet: TestFleet, state: "frozen" | "stopped"): Promise<string> {
  const id = await launched(fleet);
  await fleet.leaveAlone(id, state === "frozen" ? 2 * hourMs : 13 * hourMs);
  await fleet.until(id, state === "frozen" ? frozen : cold);
  return id;
}

test.each<[who: string, state: "frozen" | "stopped", come: (fleet: TestFleet) => Promise<unknown>, outcome: string, parts: string[]]>([
  ["a request", "frozen", (fleet) => fleet.call("acme", "/webhook", { traceparent }), "online", ["wake-up", "driver: thaw"]],
  ["a WebSocket", "frozen", (fleet) => fleet.upgrade("acme"), "online", ["wake-up", "driver: thaw"]],
  ["a request", "stopped", (fleet) => fleet.call("acme", "/webhook", { traceparent }), "online", ["driver: start", "gateway: probe"]],
  ["a person", "stopped", (fleet) => fleet.call("acme", "/", { accept: "text/html" }), "page", ["driver: start", "gateway: probe"]],
])(
  "%s that wakes a %s workspace begins a trace, which ends when it is awake; what visitors send as theirs is not continued",
  async (_who, state, come, outcome, parts) => {
    await using scene = await openScene({ sleeps: true });
    const { fleet, tracer, collector } = scene;
    fleet.startLoop();
    const id = await sleeper(fleet, state);
    await come(fleet);
    await fleet.until(id, (row) => awake(row) && row.traceparent === null);
    await tracer.close();
    const spans = collector.traceOf("gateway: wake");
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["reconcile", ...parts]));
    const first = spans.find(({ name }) => name === "gateway: wake")!;
    expect(first.attributes).toEqual({ "slipway.workspace.id": id, "slipway.outcome": outcome });
    for (const pass of spans.filter(({ name }) => name === "reconcile")) expect(pass.parentSpanId).toBe(first.spanId);
    expect(collector.spans().map(({ traceId }) => traceId)).not.toContain(theirs);
  },
);

test("a workspace that fails again and again is traced once, not with each try", async () => {
  await using scene = await openScene();
  const { fleet, tracer, collector } = scene;
  fleet.engine.setUpOwner = () => Promise.reject(new Error("no owner today"));
  const loop = fleet.startLoop();
  const id = await click(scene, "POST /launch", () => fleet.want("acme"));
  // On a slow machine it has been tried once more by then; so below.
  await fleet.until(id, (row) => row.failures >= 1 && row.traceparent === null);
  for (const failures of [2, 3]) {
    await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
    loop.wake();
    await fleet.until(id, (row) => row.failures >= failures);
  }
  await tracer.close();
  expect(collector.traceOf("POST /launch").filter(({ name, failure }) => name === "reconcile" && failure)).toHaveLength(1);
});

test("a workspace that waits forever is part of the trace for a quarter of an hour", async () => {
  await using scene = await openScene();
  const { fleet, tracer, collector } = scene;
  const id = await click(scene, "POST /launch", () => fleet.want("acme"));
  await fleet.database.db
    .update(workspaces)
    .set({ updatedAt: after(new Date(), -16 * minuteMs) })
    .where(eq(workspaces.id, id));
  fleet.startLoop();
  await fleet.until(id, settled);
  await tracer.close();
  expect(collector.traceOf("POST /launch").map(({ name }) => name)).toEqual(["POST /launch"]);
});

test("a change of plan and of a person are traced to the pass that tells the workspace", async () => {
  await using scene = await openScene();
  const { fleet, tracer, collector } = scene;
  const { db } = fleet.database;
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  const accountId = await accountOf(fleet, id);
  for (const [call, change] of [
    ["POST /plan", entitlementsChanged],
    ["PATCH /profile", makeAccountDue],
  ] as const) {
    await click(scene, call, () => change(db, accountId, new Date()));
    loop.wake();
    await fleet.until(id, (row) => settled(row) && row.traceparent === null);
  }
  await tracer.close();
  for (const call of ["POST /plan", "PATCH /profile"])
    expect(collector.traceOf(call).map(({ name }) => name)).toEqual(expect.arrayContaining(["reconcile", call]));
});

test("without a tracer a traced row is reconciled like any other, and its trace is forgotten", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  const due = { reconcileAt: after(new Date(), -secondMs), traceparent: "no traceparent at all" };
  await fleet.database.db.update(workspaces).set(due).where(eq(workspaces.id, id));
  await fleet.until(id, (row) => settled(row) && row.traceparent === null);
});
