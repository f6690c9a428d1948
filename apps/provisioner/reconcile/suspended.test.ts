/** A suspended account's workspace: it stops, its files stay, and nothing that starts or wakes workspaces starts it. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#database/tables.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { requestRestore } from "#domain/backups/restores/request-restore.ts";
import { resumeAccount } from "#domain/journeys/suspend-account/resume-account.ts";
import { suspendAccount } from "#domain/journeys/suspend-account/suspend-account.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { lookSoon, makeAccountDue, noteVisits, retryFailing } from "#domain/workspaces/observed/due-store.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

const parts = ({ database: { db } }: TestFleet) => ({
  db,
  clock: systemClock,
  log: createLog("silent"),
  publicUrl: "https://example.com",
  supportEmail: "help@example.com",
  lastBackupDays: 30,
});

async function suspend(fleet: TestFleet, id: string, reason = "It sends spam."): Promise<string> {
  const { accountId } = await fleet.row(id);
  const [account] = await fleet.database.db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  await suspendAccount(parts(fleet), { accountId, accountName: account!.name }, { by: "grace", reason, until: null });
  return accountId;
}

test("a suspended workspace stops, visitors see that it is not available, and afterwards it continues with everything", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, ({ observedState, gatewayOpen }) => observedState === "online" && gatewayOpen);
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  const accountId = await suspend(fleet, id);
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  const page = await fleet.call("acme", "/", { accept: "text/html" });
  expect(page.status).toBe(503);
  expect(page.body).toContain("This workspace is not available");
  expect(page.body).not.toContain("spam");
  expect((await fleet.upgrade("acme")).status).toBe(503);
  await resumeAccount(parts(fleet), accountId, { operator: "grace" });
  await fleet.until(id, ({ observedState, gatewayOpen }) => observedState === "online" && gatewayOpen);
  expect(fleet.world.get(id).storage.has("things/count.json")).toBe(true);
  expect((await fleet.row(id)).life).toBe(1);
});

test("neither visits, a restart, a restore, an update, a plan nor a retry starts a suspended workspace", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const accountId = await suspend(fleet, id);
  const { db } = fleet.database;
  const now = new Date();
  const account = { accountId, accountName: "acme" };
  const update = { workspaceId: id, fromVersion: "2.0.0", toVersion: "2.1.0", askedBy: "operator" } as const;
  expect(await requestRestart(db, accountId, now)).toBeNull();
  await expect(db.transaction((tx) => requestRestore(tx, { ...account, backupId: newId(), actor: "Ada" }, now))).rejects.toMatchObject({
    code: "workspace_not_online",
  });
  expect(await db.transaction((tx) => requestUpdate(tx, update as never, now))).toBeNull();
  await makeAccountDue(db, accountId, now);
  await lookSoon(db, accountId, now);
  await noteVisits(db, [id], now);
  await recordUse(db, [id], now);
  await entitlementsChanged(db, accountId, now);
  await retryFailing(db, now);
  fleet.startLoop();
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  expect(await fleet.row(id)).toMatchObject({ desiredState: "stopped", address: null });
  expect(await fleet.journal(id)).not.toContain("started");
});

test("a sleeping workspace is not woken by a visitor once its account is suspended", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, ({ observedState, gatewayOpen }) => observedState === "online" && gatewayOpen);
  await fleet.database.pool.query("update workspaces set asleep_since = now(), cold_since = now() where id = $1", [id]);
  await suspend(fleet, id);
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  expect((await fleet.call("acme")).status).toBe(503);
  expect(await fleet.row(id)).toMatchObject({ desiredState: "stopped", observedState: "stopped", wakeAskedAt: null });
});
