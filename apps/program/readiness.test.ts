import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { openSilentLine } from "#testing/network/silent-line.ts";
import { readinessOf } from "./readiness.ts";

test("a process is ready while its database answers, and not ready within three seconds when it does not", async () => {
  await using database = await createTestDatabase();
  const { host, port, ...rest } = database.connection;
  await using line = await openSilentLine({ path: `${host}/.s.PGSQL.${port}` });
  const { db, close } = openDatabase({ ...rest, host: line.host, port: line.port }, createLog("silent"), { max: 2 });
  const check = readinessOf(db, () => true);
  await expect.poll(check).toEqual({ database: true, migrated: true, roles: true });
  line.freeze();
  // Timers fire in their order, however late they are.
  const late = delay(3_000, "late");
  expect(await Promise.race([check(), late])).toEqual({ database: false, migrated: false, roles: true });
  line.thaw();
  await expect.poll(check, { timeout: 40_000 }).toEqual({ database: true, migrated: true, roles: true });
  await close();
});
