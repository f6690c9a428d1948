import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, backups, mails, workspaces } from "#database/tables.ts";
import { countAttempt } from "#domain/attempts/attempt-store.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { claimDue, claimWorkspace, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { readHeld } from "#domain/workspaces/observed/observation-store.ts";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { mendClockSetBack } from "./mend-clock-set-back.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const twoHours = sql`interval '2 hours'`;
let number = 0;

/** A workspace written before the clock was set back by two hours. */
async function buildWorkspace(row: Partial<typeof workspaces.$inferInsert> = {}) {
  const [id, accountId, now] = [newId(), newId(), new Date()];
  await database.db.insert(accounts).values({ id: accountId, name: `clock-${(number += 1)}`, createdAt: now });
  await database.db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: "1",
    timezone: "Etc/UTC",
    memoryMb: 512,
    secrets: "-",
    createdAt: now,
    updatedAt: now,
    ...row,
  });
  return { id, accountId };
}
const take = async (worker: string, now: Date, inHand: string[] = []) =>
  (await claimDue(database.db, worker, now, { wake: 100, start: 100, stop: 100, retry: 100, look: 100 }, inHand)).map(({ id }) => id);
const read = async (id: string) => (await database.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;

test("a workspace that was due before the clock was set back is due, and a pause is kept", async () => {
  const now = new Date();
  const { id: stuck } = await buildWorkspace({ reconcileAt: after(now, 2 * hourMs) });
  const pausedUntil = after(now, 10 * minuteMs);
  const { id: paused } = await buildWorkspace({ reconcileAt: pausedUntil });
  const { id: resting } = await buildWorkspace({ reconcileAt: null });
  expect(await mendClockSetBack(database.db, now)).toBe(1);
  expect(await take(newId(), now)).toEqual([stuck]);
  expect((await read(paused)).reconcileAt).toEqual(pausedUntil);
  expect((await read(resting)).reconcileAt).toBeNull();
});

test("the wait of a quiet workspace is kept, but not one longer than the maximum", async () => {
  const now = new Date();
  const healthy = { observedState: "online", observedGeneration: 1 } as const;
  const lookedAt = after(now, 6 * hourMs);
  const { id: quiet } = await buildWorkspace({ reconcileAt: lookedAt, ...healthy });
  const { id: quietTooLong } = await buildWorkspace({ reconcileAt: after(now, 8 * hourMs), ...healthy });
  expect(await mendClockSetBack(database.db, now)).toBe(1);
  expect((await read(quiet)).reconcileAt).toEqual(lookedAt);
  expect((await read(quietTooLong)).reconcileAt).toEqual(now);
});

test("the lease of a worker that died before the clock was set back ends within seconds", async () => {
  const dead = newId();
  const { id } = await buildWorkspace({ reconcileAt: new Date(), leaseOwner: dead });
  await database.db
    .update(workspaces)
    .set({ leaseUntil: sql`clock_timestamp() + ${twoHours}` })
    .where(eq(workspaces.id, id));
  expect(await claimWorkspace(database.db, id, newId())).toBe(false);
  await mendClockSetBack(database.db, new Date());
  const { leaseUntil } = await read(id);
  expect(leaseUntil!.getTime() - Date.now()).toBeLessThan(16 * secondMs);
  expect(await claimWorkspace(database.db, id, newId()), "not taken away from one that may live").toBe(false);
});

test("a living worker keeps its lease when the clock is set back, and no other worker takes over", async () => {
  const living = newId();
  const { id } = await buildWorkspace({ reconcileAt: new Date(), leaseOwner: living });
  await database.db
    .update(workspaces)
    .set({ leaseUntil: sql`clock_timestamp() + ${twoHours}` })
    .where(eq(workspaces.id, id));
  await mendClockSetBack(database.db, new Date());
  expect(await renewLeases(database.db, living, [id])).toEqual([id]);
  expect(await claimWorkspace(database.db, id, newId())).toBe(false);
  expect(await readHeld(database.db, id, newId())).toBeNull();
});

test("a backup and a mail that were due before are due; a mail refused by the server keeps its pause", async () => {
  const now = new Date();
  const { id: workspaceId, accountId } = await buildWorkspace();
  const backup = {
    id: newId(),
    accountId,
    workspaceId,
    kind: "manual" as const,
    engine: "n8n" as const,
    engineVersion: "1",
    dueAt: after(now, 2 * hourMs),
    createdAt: now,
  };
  await database.db.insert(backups).values(backup);
  const mail = (attempts: number) => ({
    id: newId(),
    recipient: "ada@example.com",
    subject: "-",
    text: "-",
    html: "-",
    createdAt: now,
    sendAt: after(now, 2 * hourMs),
    attempts,
  });
  const [fresh, refused] = [mail(0), mail(5)];
  await database.db.insert(mails).values([fresh, refused]);
  await mendClockSetBack(database.db, now);
  expect((await claimBackups(database.db, newId(), now, 10)).map(({ id }) => id)).toEqual([backup.id]);
  const sendAt = async (id: string) => (await database.db.select().from(mails).where(eq(mails.id, id)))[0]!.sendAt;
  expect(await sendAt(fresh.id)).toEqual(now);
  expect(await sendAt(refused.id)).toEqual(refused.sendAt);
});

test("a pause of sign-ins that began before the clock was set back begins now", async () => {
  const now = new Date();
  const before = after(now, 2 * hourMs);
  const subject = newId();
  const tryOnce = (now: Date) => countAttempt(database.db, "sign-in-address", subject, now);
  let made = await tryOnce(before);
  for (let times = 1; times < 50 && !("waitSeconds" in made); times += 1) made = await tryOnce(before);
  const { waitSeconds } = made as { waitSeconds: number };
  expect(await tryOnce(now)).toEqual({ waitSeconds: waitSeconds + 2 * 3600 });
  await mendClockSetBack(database.db, now);
  expect(await tryOnce(now)).toEqual({ waitSeconds });
  expect(await tryOnce(after(now, waitSeconds * secondMs))).toHaveProperty("key");
});

test("a worker does not take its own running work again after a clock that jumped ahead ended its lease", async () => {
  const worker = newId();
  const { id, accountId } = await buildWorkspace({ reconcileAt: new Date(), leaseOwner: worker, leaseUntil: new Date(0) });
  const backup = {
    id: newId(),
    accountId,
    workspaceId: id,
    kind: "manual" as const,
    engine: "n8n" as const,
    engineVersion: "1",
    state: "running" as const,
    dueAt: new Date(0),
    leaseOwner: worker,
    leaseUntil: new Date(0),
    createdAt: new Date(),
  };
  await database.db.insert(backups).values(backup);
  expect(await take(worker, new Date(), [id])).not.toContain(id);
  expect(await claimBackups(database.db, worker, new Date(), 10, [backup.id])).toEqual([]);
  expect(await take(worker, new Date()), "one that it gave up").toContain(id);
  expect((await claimBackups(database.db, worker, new Date(), 10)).map((row) => row.id)).toEqual([backup.id]);
});

test("with a correct clock nothing is changed, however often it is checked", async () => {
  await buildWorkspace({ reconcileAt: new Date() });
  await mendClockSetBack(database.db, new Date());
  expect(await mendClockSetBack(database.db, new Date())).toBe(0);
});
