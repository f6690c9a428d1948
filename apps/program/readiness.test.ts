import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { openSilentLine } from "#testing/network/silent-line.ts";
import { isReady } from "../api/serve-health.ts";
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

test("without the database a gateway is ready as long as it knows open workspaces, and then only what it needs counts", async () => {
  const broken = { execute: () => Promise.reject(new Error("no database")) } as never;
  let known = 3;
  let back = Infinity;
  const memory = () => ({ servesFromMemory: () => known, contact: { backSeconds: () => back } });
  const troubles = ["loop: gateway visits"];
  const check = readinessOf(
    broken,
    () => true,
    () => troubles,
    memory,
  );
  const from = async (checked: typeof check): Promise<boolean> => isReady(await checked());
  expect(await check()).toEqual({
    database: false,
    migrated: false,
    roles: true,
    "loop: gateway visits": false,
    "served from memory": true,
  });
  expect(await from(check)).toBe(true);
  troubles.push("host: room");
  expect(await from(check)).toBe(false);
  troubles.pop();
  known = 0;
  expect(await from(check)).toBe(false);
  known = 3;
  expect(await from(readinessOf(broken, () => false, undefined, memory))).toBe(false);
  // Not a gateway.
  expect(await from(readinessOf(broken, () => true))).toBe(false);
  // A loop may wait for a statement that was lost, for a while; later it is a fault.
  await using database = await createTestDatabase();
  const well = readinessOf(
    database.db,
    () => true,
    () => troubles,
    memory,
  );
  back = 10;
  expect(await from(well)).toBe(true);
  back = 60;
  expect(await from(well)).toBe(false);
});
