import { expect, test } from "vitest";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { newId } from "#platform/ids.ts";
import { addBlank } from "../blanks/blank-store.ts";
import { listReleaseUses } from "./release-use-store.ts";

test("a release is in use by workspaces that run it or will get it, and by blanks; those that do not run count without a start", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const { startedAt, engine } = await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  await loop.stop();
  expect(await listReleaseUses(db)).toEqual([{ engine, version: "2.0.0", runsSince: startedAt }]);
  await pool.query("update workspaces set desired_version = '2.1.0', address = null");
  const now = new Date();
  await addBlank(db, { engine, version: "2.2.0", memoryMb: 512, secrets: "-" }, { most: 1, worker: newId(), now });
  expect(await listReleaseUses(db)).toEqual([
    { engine, version: "2.0.0", runsSince: null },
    { engine, version: "2.1.0", runsSince: null },
    { engine, version: "2.2.0", runsSince: now },
  ]);
});
