/** Calls of a sleeping workspace's webhooks: only what one of its workflows would take wakes it, and so does whatever is not known. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sleepingWebhooks, workspaces } from "#database/tables.ts";
import type { KnownWebhooks } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { after, hourMs, secondMs } from "#platform/clock.ts";
import { asleep, awake, cold, driverOf, fallAsleep, launched, sleeping } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

const webhooks: KnownWebhooks = {
  paths: { orders: ["GET"], "a:b ?": ["POST"] },
  templates: ["some-id 2"],
  executions: { first: 5, last: 9 },
};
const rest = { sleepable: true, due: null };
const unowned = ["/webhook/none", "/webhook-test/orders", "/mcp/none", "/form/none", "/webhook-waiting/10", "/webhook/a:b%20%3F"];

/** Asleep, with these webhooks. */
async function sleepingWith(fleet: TestFleet, known: KnownWebhooks | null = webhooks): Promise<string> {
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { ...rest, webhooks: known });
  await fallAsleep(fleet, id);
  return id;
}

/** Once the gateway has heard that it sleeps. */
const heard = (fleet: TestFleet) => expect.poll(() => fleet.call("acme", "/monitored")).toEqual({ status: 200, body: '{"status":"ok"}' });

test("a path that no workflow owns gets n8n's own 404 and wakes nothing; one that a workflow owns wakes", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleepingWith(fleet);
  await heard(fleet);
  for (const path of unowned) expect([path, (await fleet.call("acme", path)).status]).toEqual([path, 404]);
  const { body } = await fleet.call("acme", "/webhook/none", { origin: "https://shop.example", accept: "text/html" });
  expect(JSON.parse(body)).toMatchObject({ code: 404, message: 'The requested webhook "GET none" is not registered.' });
  expect((await fleet.call("acme", "/form/none", { accept: "text/html" })).body).toContain("There is nothing at this URL");
  expect(await fleet.row(id)).toMatchObject({ wakeAskedAt: null, usedAt: null, asleepSince: expect.any(Date) });
  expect((await fleet.call("acme", "/webhook/orders")).status).toBe(200);
  await fleet.until(id, awake);
  // Awake, the workspace itself answers.
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(200);
});

test.each(["/webhook/some-id/a/b", "/webhook-waiting/9", "/webhook//none", "/", "/rest/settings"])(
  "%s wakes a sleeping workspace",
  async (path) => {
    await using fleet = await createTestFleet({ sleeps: true });
    fleet.startLoop();
    const id = await sleepingWith(fleet);
    await heard(fleet);
    expect((await fleet.call("acme", path)).status).toBe(200);
    await fleet.until(id, awake);
  },
);

test("one that has not reported its webhooks is woken by each call", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  await heard(fleet);
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(200);
  await fleet.until(id, awake);
});

test("what was known of an earlier sleep is forgotten by the next one", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleepingWith(fleet);
  await fleet.call("acme", "/");
  await fleet.until(id, awake);
  fleet.engine.rests.set(id, { ...rest, webhooks: null });
  await fallAsleep(fleet, id);
  expect(await fleet.database.db.select().from(sleepingWebhooks)).toEqual([]);
  await heard(fleet);
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(200);
  await fleet.until(id, awake);
});

test.each([
  [
    "is of another sleep",
    (id: string, fleet: TestFleet) =>
      fleet.database.db
        .update(sleepingWebhooks)
        .set({ asleepSince: new Date(0) })
        .where(eq(sleepingWebhooks.workspaceId, id)),
  ],
  [
    "cannot be read",
    (_id: string, fleet: TestFleet) => fleet.database.db.execute("alter table sleeping_webhooks rename column paths to lost"),
  ],
])("if what is known %s, each call wakes", async (_how, spoil) => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleepingWith(fleet);
  await heard(fleet);
  await spoil(id, fleet);
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(200);
  await fleet.until(id, awake);
});

test("a restore, a change of version or any other change since it fell asleep counts: its webhooks may be others", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleepingWith(fleet);
  await heard(fleet);
  await loop.stop();
  await fleet.database.db
    .update(workspaces)
    .set({ updatedAt: after(new Date(), secondMs) })
    .where(eq(workspaces.id, id));
  const answer = fleet.call("acme", "/webhook/none");
  fleet.startLoop();
  expect((await answer).status).toBe(200);
});

test("a call is judged by what is known now, although the gateway still thinks that the workspace sleeps", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleepingWith(fleet);
  await heard(fleet);
  await loop.stop();
  // Awake without the notification: a webhook may have been added since.
  await driverOf(fleet).thaw!(id);
  await fleet.database.db
    .update(workspaces)
    .set({ asleepSince: null, asleepRevision: null, reconcileAt: null })
    .where(eq(workspaces.id, id));
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(200);
});

test("stopped for longer, it is still known, and its call that a workflow owns starts it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { ...rest, webhooks });
  await fleet.leaveAlone(id, 13 * hourMs);
  await fleet.until(id, cold);
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(404);
  expect((await fleet.row(id)).wakeAskedAt).toBeNull();
  expect((await fleet.call("acme", "/webhook/orders")).status).toBe(200);
  await fleet.until(id, awake);
});

test("a host that cannot freeze records them with the stop", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop({ driver: driverOf(fleet, { canFreeze: false }) });
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { ...rest, webhooks });
  await fleet.leaveAlone(id, 13 * hourMs);
  await fleet.until(id, asleep);
  expect((await fleet.call("acme", "/webhook/none")).status).toBe(404);
  expect((await fleet.row(id)).wakeAskedAt).toBeNull();
});
