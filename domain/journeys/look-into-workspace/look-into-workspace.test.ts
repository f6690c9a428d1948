import { workspaceMemory, workspaces } from "#database/tables.ts";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EngineCommunityNodes } from "#apps/provisioner/engines/engine.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { sampleMemory } from "#apps/provisioner/looks/sample-memory.ts";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { startTestLooks, type TestLooks } from "#testing/fleet/start-test-looks.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { createTestMembers } from "#testing/accounts/test-members.ts";

let api: TestApi;
let looks: TestLooks;
const members = createTestMembers();
/** Workspaces that answer only after their promise resolves. */
const hanging = new Map<string, Promise<unknown>>();
const hangingMembers = { ...members, list: async (address: string, id: string) => (await hanging.get(id), members.list(address, id)) };
/** The workspaces' community nodes, by workspace id. */
const communityNodes = new Map<string, Awaited<ReturnType<EngineCommunityNodes["list"]>>>();
/** Sleeping workspaces, by id: what wakes each. */
const sleepers = new Map<string, () => Promise<void>>();
const nodes: EngineCommunityNodes = { list: async (_address, id) => communityNodes.get(id) ?? { isOffered: true, nodes: [] } };
const worker = () => ({ db: api.database.db, driver: looks.driver, clock: api.clock, log: api.services.log });

beforeAll(async () => {
  api = await createTestApi();
  looks = await startTestLooks(api, { members: hangingMembers, communityNodes: nodes }, async (id) => sleepers.get(id)?.());
});
afterAll(async () => {
  await looks?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

/** An owner whose workspace runs on the simulated host. */
async function owner({ runs = true } = {}) {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const { rows } = await api.database.pool.query<{ id: string; number: string }>(
    "select w.id, w.number from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [form.accountName],
  );
  const { id, number } = rows[0]!;
  if (runs) {
    const { address } = await looks.driver.ensure({
      workspaceId: id,
      workspaceNumber: Number(number),
      run: true,
      generation: 1,
      command: ["/engine"],
      env: {},
      files: [],
      ports: ["http"],
      memoryMb: 512,
      stopTimeoutMs: 1000,
    });
    await api.database.db
      .update(workspaces)
      .set({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", address: address!, gatewayOpen: true })
      .where(eq(workspaces.id, id));
  }
  return { token, id, get: async <Body>(path: string) => (await api.call("GET", path, { token })).json<Body>() };
}

test("the owner reads the workspace's newest output, fresh from its host", async () => {
  const { id, get } = await owner();
  looks.world.write(id, "n8n ready on ::, port 5678\n");
  expect(await get("/api/instance/logs")).toMatchObject({
    isCurrent: true,
    readAt: expect.any(String),
    text: expect.stringMatching(/n8n ready on ::, port 5678\n$/),
  });
  looks.world.write(id, "Last session crashed\n");
  expect(await get("/api/instance/logs")).toMatchObject({ text: expect.stringMatching(/Last session crashed\n$/) });
});

test("if no host answers, the last output read is shown and marked as such", async () => {
  const { id, get } = await owner({ runs: false });
  expect(await get("/api/instance/logs")).toEqual({ text: "", readAt: null, isCurrent: false });
  await api.database.pool.query('update workspace_looks set answer = \'{"text":"older"}\', answered_at = now() where workspace_id = $1', [
    id,
  ]);
  expect(await get("/api/instance/logs")).toMatchObject({ text: "older", isCurrent: false });
});

test("several simultaneous requests are all answered", async () => {
  const { get } = await owner();
  const answers = await Promise.all(Array.from({ length: 5 }, () => get<{ isCurrent: boolean }>("/api/instance/logs")));
  expect(answers.map(({ isCurrent }) => isCurrent)).toEqual([true, true, true, true, true]);
});

test("the people of a workspace are its owner and its members, with their roles", async () => {
  const { id, get } = await owner();
  await members.invite("address", id, "bob@example.com");
  members.join(id, "bob@example.com");
  Object.assign(members.of(id)[0]!, { role: "admin", name: "Bob Example", lastActiveOn: "2026-11-22" });
  await members.invite("address", id, "carl@example.com");
  expect(await get("/api/account/members")).toMatchObject({
    isCurrent: true,
    askedAt: expect.any(String),
    usersLimit: 5,
    members: [
      { name: "Ada Lovelace", role: "owner", hasJoined: true },
      { email: "bob@example.com", name: "Bob Example", role: "admin", hasJoined: true, lastActiveOn: "2026-11-22" },
      { email: "carl@example.com", name: null, role: "member", hasJoined: false, lastActiveOn: null },
    ],
  });
});

test("an unreachable workspace shows its last known people, and says that they may have changed", async () => {
  const { id, get } = await owner();
  await members.invite("address", id, "dora@example.com");
  await get("/api/account/members");
  await api.database.db.update(workspaces).set({ observedState: "offline", gatewayOpen: false }).where(eq(workspaces.id, id));
  expect(await get("/api/account/members")).toMatchObject({
    isCurrent: false,
    askedAt: expect.any(String),
    members: [{ role: "owner" }, { email: "dora@example.com" }],
  });
});

test("its community nodes are listed as the workspace reports them, or as last reported while it is unreachable", async () => {
  const { id, get } = await owner();
  const path = "/api/instance/community-nodes";
  expect(await get(path)).toEqual({ isOffered: true, nodes: [], askedAt: expect.any(String), isCurrent: true });
  const has = [
    { name: "@acme/n8n-nodes-other", version: "2.1.0", isHeldBack: true },
    { name: "n8n-nodes-greeting", version: "1.0.0", isHeldBack: false },
  ];
  communityNodes.set(id, { isOffered: true, nodes: has });
  expect(await get(path)).toMatchObject({ isOffered: true, nodes: has, isCurrent: true });
  await api.database.db.update(workspaces).set({ observedState: "offline", gatewayOpen: false }).where(eq(workspaces.id, id));
  expect(await get(path)).toMatchObject({ isOffered: true, nodes: has, askedAt: expect.any(String), isCurrent: false });
});

test("a workspace without support for community nodes says so, and if the operator allows none, no workspace is asked", async () => {
  const { id, get } = await owner();
  communityNodes.set(id, { isOffered: false, nodes: [] });
  expect(await get("/api/instance/community-nodes")).toMatchObject({ isOffered: false, nodes: [] });
  await using strict = await createTestApi(async (usual) => ({ workspace: { ...usual.workspace, hasCommunityNodes: false } }));
  const { token } = await registerConfirmed(strict);
  await strict.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect((await strict.call("GET", "/api/instance/community-nodes", { token })).json()).toEqual({
    isOffered: false,
    nodes: [],
    askedAt: null,
    isCurrent: true,
  });
});

test("a workspace that hangs delays only its own owner", async () => {
  const [stuck, other] = [await owner(), await owner()];
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.set(stuck.id, promise);
  const waiting = stuck.get("/api/account/members");
  await expect
    .poll(() =>
      api.database.pool
        .query("select 1 from workspace_looks where workspace_id = $1 and asked_at is not null", [stuck.id])
        .then(({ rowCount }) => rowCount),
    )
    .toBe(1);
  expect(await other.get("/api/account/members")).toMatchObject({ isCurrent: true });
  expect(await waiting).toMatchObject({ isCurrent: false });
  resolve();
  await expect.poll(() => stuck.get("/api/account/members")).toMatchObject({ isCurrent: true });
});

test("before there is a workspace, its owner is the only person", async () => {
  const { token } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/account/members", { token })).json()).toMatchObject({ members: [{ role: "owner" }], askedAt: null });
});

test("memory is sampled while a workspace runs, kept for two days, and shown as peaks of five minutes with the newest value", async () => {
  const { id, get } = await owner();
  const begin = Math.ceil(api.clock.now().getTime() / (5 * minuteMs)) * 5 * minuteMs - api.clock.now().getTime();
  api.clock.advance(begin);
  const from = api.clock.now().getTime();
  for (const memoryMb of [400, 650, 420, 430, 440, 300, 280]) {
    Object.assign(looks.world.get(id), { memoryMb });
    await sampleMemory(worker());
    api.clock.advance(minuteMs);
  }
  const memory = await get<{ limitMb: number; samples: { at: string; memoryMb: number }[] }>("/api/instance/monitoring");
  expect(memory).toMatchObject({ limitMb: 1024, plannedMb: 1024, samples: [{ memoryMb: 650 }, { memoryMb: 300 }, { memoryMb: 280 }] });
  expect(memory.samples.map(({ at }) => (Date.parse(at) - from) / minuteMs)).toEqual([1, 5, 6]);
  // Samples of a deleted workspace do not belong to the new one.
  await api.database.db.update(workspaces).set({ renewedAt: api.clock.now() }).where(eq(workspaces.id, id));
  expect(await get("/api/instance/monitoring")).toMatchObject({ samples: [] });
  await api.database.db.update(workspaces).set({ renewedAt: null }).where(eq(workspaces.id, id));
  api.clock.advance(49 * hourMs);
  await sampleMemory(worker());
  await deleteOldRows(api.database.db, api.clock.now());
  expect(await get("/api/instance/monitoring")).toMatchObject({ samples: [{ memoryMb: 280 }] });
  const stored = () => api.database.db.select().from(workspaceMemory).where(eq(workspaceMemory.workspaceId, id));
  expect(await stored()).toHaveLength(1);
  // One that sleeps is not measured.
  await api.database.db.update(workspaces).set({ asleepSince: api.clock.now() }).where(eq(workspaces.id, id));
  api.clock.advance(minuteMs);
  await sampleMemory(worker());
  expect(await stored()).toHaveLength(1);
});

test("visitors, and accounts without a workspace, see nothing", async () => {
  const { token } = await registerConfirmed(api);
  for (const path of ["/api/instance/logs", "/api/instance/monitoring", "/api/instance/community-nodes"]) {
    expect((await api.call("GET", path, { token })).json()).toMatchObject({ code: "workspace_not_found" });
    expect((await api.call("GET", path)).statusCode).toBe(401);
  }
  expect((await api.call("GET", "/api/account/members")).statusCode).toBe(401);
});

test.each(["/api/account/members", "/api/instance/community-nodes"])("%s waits until a stopped sleeper has started", async (path) => {
  const { id, get } = await owner();
  const { db } = api.database;
  const asleep = { asleepSince: api.clock.now(), coldSince: api.clock.now(), asleepRevision: api.clock.now(), gatewayOpen: false };
  await db.update(workspaces).set(asleep).where(eq(workspaces.id, id));
  const awake = { asleepSince: null, coldSince: null, asleepRevision: null, gatewayOpen: true };
  sleepers.set(id, async () => {
    // Longer than a workspace that is awake may take.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    await db.update(workspaces).set(awake).where(eq(workspaces.id, id));
  });
  expect(await get(path)).toMatchObject({ isCurrent: true, askedAt: expect.any(String) });
});
