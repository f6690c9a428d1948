import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";
import { workspaceLooks } from "#database/tables.ts";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { MemoryWorld } from "#apps/provisioner/drivers/memory/memory-world.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { startLooks } from "#apps/provisioner/looks/answer-looks.ts";
import { workspaceLook } from "#domain/workspaces/observed/look-store.ts";
import { partsOf, workspaceOutput } from "#domain/workspaces/observed/output-channel.ts";
import { createNotifications, type Listener } from "#platform/postgres/listen.ts";
import { openEvents } from "#testing/open-events.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
let url: string;
let world: MemoryWorld;
let looks: ReturnType<typeof startLooks>;
let listener: Listener;
const driver = () => createMemoryDriver({ world, clock: api.clock });
const startWorker = (mostFollowed?: number) =>
  startLooks({ db: api.database.db, driver: driver(), engine: {} as Engine, clock: api.clock, log: api.services.log, mostFollowed });

beforeAll(async () => {
  api = await createTestApi();
  world = new MemoryWorld(api.clock);
  looks = startWorker();
  listener = await createNotifications({ connection: api.database.connection, log: api.services.log }).listen({
    channels: [workspaceLook, workspaceOutput],
    onNotify: (channel, payload) => (channel === workspaceLook ? looks.wake() : api.services.outputWatch.arrived(payload)),
    onReconnect: () => looks.wake(),
  });
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/instance/logs`;
});
afterAll(async () => {
  api.app.server.closeAllConnections();
  await listener.close();
  await looks.stop();
  world.close();
  await api[Symbol.asyncDispose]();
});

/** An owner whose workspace has written its first line. */
async function owner() {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const { rows } = await api.database.pool.query<{ id: string; number: string }>(
    "select w.id, w.number from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [form.accountName],
  );
  const { id, number } = rows[0]!;
  const spec = { workspaceId: id, workspaceNumber: Number(number), run: true, generation: 1, command: ["/engine"], env: {}, files: [] };
  await driver().ensure({ ...spec, ports: ["http"], memoryMb: 512, stopTimeoutMs: 1000 });
  const follow = () => openEvents<OutputEvent>(`${url}/events`, token);
  return { id, token, accountName: String(form.accountName), follow };
}

const text = async ({ next }: Awaited<ReturnType<Awaited<ReturnType<typeof owner>>["follow"]>>) => (await next())?.data.text;

test("the newest lines come first, then each new one; a silent workspace costs no row", async () => {
  const { id, follow } = await owner();
  const events = await follow();
  expect((await events.next())?.data).toMatchObject({ text: expect.stringMatching(/^started \d+\n$/), isWhole: true, isCurrent: true });
  const rows = () =>
    api.database.pool
      .query("select kind, xmin::text from workspace_looks where workspace_id = $1 order by kind", [id])
      .then((all) => all.rows);
  const before = await rows();
  await delay(2_500);
  expect(await rows()).toEqual(before);
  world.write(id, "one\ntwo\nnot yet");
  expect((await events.next())?.data).toMatchObject({ text: "one\ntwo\n", isWhole: false, isCut: false });
  world.write(id, " whole\n");
  expect(await text(events)).toBe("not yet whole\n");
  // A second window begins with all of it.
  const other = await follow();
  expect(await text(other)).toMatch(/^started \d+\none\ntwo\nnot yet whole\n$/);
  world.write(id, "for both\n");
  expect([await text(events), await text(other)]).toEqual(["for both\n", "for both\n"]);
  events.stop();
  other.stop();
});

test("another account's lines are never sent", async () => {
  const [mine, other] = [await owner(), await owner()];
  const events = await mine.follow();
  const others = await other.follow();
  await Promise.all([events.next(), others.next()]);
  world.write(other.id, "private\n");
  expect(await text(others)).toBe("private\n");
  world.write(mine.id, "mine\n");
  expect(await text(events)).toBe("mine\n");
  events.stop();
  others.stop();
});

test("a flood is cut and says so, and bytes that the database refuses are replaced", async () => {
  const { id, follow } = await owner();
  const events = await follow();
  await events.next();
  world.write(id, `${"a line of a flood\n".repeat(5_000)}the \u0000 last \u001b[31m😀\n`);
  const first = (await events.next())!.data;
  expect(first).toMatchObject({ isWhole: false, isCut: true });
  let all = first.text;
  while (!all.includes("last")) {
    const next = (await events.next())!.data;
    expect(next.isCut).toBe(false);
    all += next.text;
  }
  expect(all).toMatch(/^.{0,18}\n(a line of a flood\n)+the /);
  expect(all.slice(all.indexOf("the \uFFFD"))).toBe("the \uFFFD last \u001b[31m😀\n");
  const { answer } = (await api.database.db.select().from(workspaceLooks).where(eq(workspaceLooks.workspaceId, id)))[0]!;
  expect(answer).not.toBeNull();
  events.stop();
});

test("parts fit into a notification, in the order of the text and without half characters", () => {
  for (const given of ["x".repeat(40_000), "\u0001".repeat(9_000), "😀".repeat(9_001), `${"line\n".repeat(4_000)}end`, ""]) {
    const parts = partsOf(given);
    expect(parts.join("")).toBe(given);
    for (const part of parts) {
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(7_700);
      expect(part.isWellFormed()).toBe(true);
    }
  }
});

test("the stream ends with its session, and sends nothing that is written later", async () => {
  const { id, token, follow } = await owner();
  const events = await follow();
  await events.next();
  await api.call("GET", "/api/auth/logout", { token });
  await delay(2_100);
  world.write(id, "for nobody\n");
  expect(await events.next()).toBeNull();
});

test("when another worker takes over, or notifications were lost, everything is sent again", async () => {
  const { id, follow } = await owner();
  const events = await follow();
  await events.next();
  await looks.stop();
  looks = startWorker();
  world.write(id, "meanwhile\n");
  api.services.outputWatch.lost();
  expect((await events.next())?.data).toMatchObject({ text: expect.stringMatching(/meanwhile\n$/), isWhole: true });
  world.write(id, "after\n");
  expect(await text(events)).toBe("after\n");
  api.services.outputWatch.close();
  expect(await events.next()).toBeNull();
});

test("a worker that follows as many as it can says that the others' lines are read periodically", async () => {
  const [first, second] = [await owner(), await owner()];
  await looks.stop();
  looks = startWorker(1);
  const events = await first.follow();
  expect((await events.next())?.data).toMatchObject({ isCurrent: true, isLive: true });
  const others = await second.follow();
  expect((await others.next())?.data).toMatchObject({ text: expect.stringMatching(/^started \d+\n$/), isCurrent: true, isLive: false });
  world.write(first.id, "live\n");
  expect((await events.next())?.data).toMatchObject({ text: "live\n", isLive: true });
  events.stop();
  others.stop();
  await looks.stop();
  looks = startWorker();
});

test("a session follows in a few windows at a time", async () => {
  const { token, follow } = await owner();
  const open = await Promise.all(Array.from({ length: 5 }, follow));
  expect(open.map(({ answer }) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 429]);
  for (const each of open) each.stop();
  await vi.waitFor(async () => expect((await openEvents(`${url}/events`, token)).answer.status).toBe(200), 20_000);
});

test("all that is kept is downloaded as a text file, and not kept in the database", async () => {
  const { id, token, accountName } = await owner();
  world.write(id, "ünï\u0000\n");
  const answer = await api.call("GET", "/api/instance/logs/download", { token });
  expect(answer.headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": expect.stringMatching(new RegExp(`^attachment; filename="${accountName}-\\d{4}-\\d\\d-\\d\\d\\.log"$`)),
  });
  expect(answer.body).toMatch(/^started \d+\n/);
  expect(answer.body.endsWith("\nünï\u0000\n")).toBe(true);
  expect((await api.database.db.select().from(workspaceLooks).where(eq(workspaceLooks.workspaceId, id)))[0]).toMatchObject({
    kind: "kept-logs",
    answer: null,
  });
  // Without an answer, the file says why it is empty.
  await driver().remove(id);
  expect((await api.call("GET", "/api/instance/logs/download", { token })).body).toBe("The workspace's host did not respond.\n");
});

test("downloads at the same moment each get all of it", async () => {
  const { id, token } = await owner();
  world.write(id, "kept\n");
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.call("GET", "/api/instance/logs/download", { token })));
  for (const { body } of answers) expect(body).toMatch(/^started \d+\nkept\n$/);
});

test("visitors, and accounts without a workspace, follow and download nothing", async () => {
  const { token } = await registerConfirmed(api);
  for (const path of ["/api/instance/logs/events", "/api/instance/logs/download"]) {
    expect((await api.call("GET", path, { token })).json()).toMatchObject({ code: "workspace_not_found" });
    expect((await api.call("GET", path)).statusCode).toBe(401);
  }
});
