import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstDaySteps } from "#contract/accounts/account-values.ts";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import { backups, usagePeriods, workspaces } from "#database/tables.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { madeBackup } from "#testing/database/stored-rows.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const path = "/api/account/first-days";

/** An owner with an online workspace. */
async function makeOwner() {
  const { token, accountId, workspaceId } = await setUpOwner(api);
  const change = (changes: Partial<typeof workspaces.$inferInsert>) =>
    api.database.db.update(workspaces).set(changes).where(eq(workspaces.accountId, accountId));
  await change({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", ownerSetUpAt: new Date(), reconcileAt: null });
  const read = async () => (await api.call("GET", path, { token })).json() as FirstDays;
  const isFirstDay = async () => (await api.call("GET", "/api/auth/me", { token })).json().user.account.isFirstDay as boolean;
  const done = async () => (await read()).steps.filter(({ isDone }) => isDone).map(({ name }) => name);
  const recorded = async () =>
    (await api.call("GET", "/api/auth/me", { token })).json().user.account.firstDays as FirstDays["steps"] | null;
  return { token, accountId, workspaceId, change, read, done, isFirstDay, recorded };
}

test("each step is checked when the service learns of it, and stays checked", async () => {
  const { token, accountId, change, read, done, isFirstDay } = await makeOwner();
  expect(await isFirstDay()).toBe(true);
  expect(await read()).toEqual({ steps: firstDaySteps.map((name) => ({ name, isDone: false })), isOver: false });
  await api.call("GET", "/api/instance/url", { token });
  expect(await done()).toEqual(["open"]);
  expect(await isFirstDay()).toBe(true);
  await change({ workflows: 1 });
  expect(await isFirstDay()).toBe(false);
  expect(await done()).toEqual(["open", "workflow"]);
  await change({ workflows: 1, activeWorkflows: 1 });
  expect(await done()).toEqual(["open", "workflow", "publish"]);
  await api.database.db.insert(usagePeriods).values({ accountId, startsAt: new Date("2026-11-01T00:00:00Z"), executions: 1 });
  expect(await done()).toEqual(["open", "workflow", "publish", "execution"]);
  await api.call("POST", "/api/account/invite-members", { token, body: { emails: ["mate@example.com"] } });
  expect(await done()).toEqual(["open", "workflow", "publish", "execution", "teammate"]);
  // Deleted later, and made nevertheless.
  await change({ workflows: 0, activeWorkflows: 0 });
  expect(await done()).toEqual(["open", "workflow", "publish", "execution", "teammate"]);
  expect(await isFirstDay()).toBe(false);
});

test("a backup counts once its owner has seen it; workflows found in the workspace mean that it was opened", async () => {
  const { token, accountId, workspaceId, change, done } = await makeOwner();
  await api.call("GET", "/api/export", { token });
  await change({ workflows: 3 });
  expect(await done()).toEqual(["open", "workflow"]);
  const now = api.clock.now();
  const wanted = { accountId, workspaceId, kind: "manual", engine: "n8n", engineVersion: "2.40.7" } as const;
  const { id } = (await insertBackup(api.database.db, wanted, now))!;
  await api.database.db.update(backups).set(madeBackup(now)).where(eq(backups.id, id));
  expect(await done()).toEqual(["open", "workflow"]);
  // During a restart the dashboard asks for the list, to know whether it is a restore.
  await change({ generation: 2, reconcileAt: null });
  await api.call("GET", "/api/export", { token });
  expect(await done()).toEqual(["open", "workflow"]);
  await change({ observedGeneration: 2, reconcileAt: null });
  await api.call("GET", "/api/export", { token });
  expect(await done()).toEqual(["open", "workflow", "backup"]);
});

test("dismissed on one device, it is over on each", async () => {
  const { token, read, isFirstDay, recorded } = await makeOwner();
  expect(await recorded()).toEqual(firstDaySteps.map((name) => ({ name, isDone: false })));
  expect((await api.call("DELETE", path, { token })).statusCode).toBe(204);
  expect([(await read()).isOver, await isFirstDay(), await recorded()]).toEqual([true, false, null]);
});

test("a dismissed list is shown again when that is undone, with its completed steps", async () => {
  const [one, other] = [await makeOwner(), await makeOwner()];
  await api.call("GET", "/api/instance/url", { token: one.token });
  for (const { token } of [one, other]) await api.call("DELETE", path, { token });
  expect((await api.call("PUT", path, { token: one.token })).statusCode).toBe(204);
  expect([(await one.read()).isOver, await one.done(), (await other.read()).isOver]).toEqual([false, ["open"], true]);
  expect((await one.recorded())?.filter(({ isDone }) => isDone)).toEqual([{ name: "open", isDone: true }]);
  // Undone twice, or without need, it is the same.
  expect((await api.call("PUT", path, { token: one.token })).statusCode).toBe(204);
  expect((await one.read()).isOver).toBe(false);
});

test("one account's steps are not another's, and a visitor has none", async () => {
  const [one, other] = [await makeOwner(), await makeOwner()];
  await api.call("GET", "/api/instance/url", { token: one.token });
  expect(await other.done()).toEqual([]);
  expect((await api.call("GET", path)).statusCode).toBe(401);
  expect((await api.call("DELETE", path)).statusCode).toBe(401);
  expect((await api.call("PUT", path)).statusCode).toBe(401);
});
