/** Readiness shows every loop stalled by a hanging database, and work continues when the database is back. */
import { expect, onTestFinished, test } from "vitest";
import { startAuditShipping } from "#domain/audit/ship-audit.ts";
import { inboxTransport } from "#domain/mail/sending/inbox-transport.ts";
import { startMailLoop } from "#domain/mail/sending/mail-loop.ts";
import { systemClock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createRounds } from "#platform/loops/rounds.ts";
import { startSweep } from "#platform/loops/start-sweep.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { openSilentLine } from "#testing/network/silent-line.ts";
import { startMemorySampling } from "../provisioner/looks/sample-memory.ts";
import { startReconcileLoop } from "../provisioner/reconcile/reconcile-loop.ts";
import { readinessOf } from "./readiness.ts";

test("readiness names the loops that wait for a hanging database, and none once it is back", async () => {
  await using database = await createTestDatabase();
  const { host, port, ...rest } = database.connection;
  await using line = await openSilentLine({ path: `${host}/.s.PGSQL.${port}` });
  const connection = { ...rest, host: line.host, port: line.port };
  const log = createLog("silent");
  const { db, close } = openDatabase(connection, log);
  const rounds = createRounds(undefined, 1_000);
  const parts = [
    await startMailLoop({
      db,
      notifications: createNotifications({ connection, log }),
      transport: inboxTransport,
      clock: systemClock,
      log,
      rounds,
    }),
    startAuditShipping(db, log, rounds),
    startReconcileLoop(db, { log, clock: systemClock, isHostBusy: () => false } as never, rounds),
    startSweep({}, { db, clock: systemClock, log, rounds }),
    startMemorySampling({ db, driver: {} as never, clock: systemClock, log, rounds }),
  ];
  onTestFinished(async () => {
    line.thaw();
    await Promise.all(parts.map((part) => part.stop()));
    await close();
  });
  const check = readinessOf(
    db,
    () => true,
    () => rounds.standing().map((loop) => `loop: ${loop}`),
  );
  const good = { database: true, migrated: true, roles: true };
  await expect.poll(check).toEqual(good);
  line.freeze();
  await expect.poll(check).toEqual({
    database: false,
    migrated: false,
    roles: true,
    "loop: audit trail": false,
    "loop: mails": false,
    "loop: workspaces": false,
  });
  line.thaw();
  await expect.poll(check, { timeout: 40_000 }).toEqual(good);
});
