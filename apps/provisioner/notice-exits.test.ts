import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { startNoticingExits } from "./notice-exits.ts";

test("an end that the driver's watch missed is noticed by the comparison, and the workspace is restarted", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const online = (row: { observedState: string; leaseOwner: string | null }) => row.observedState === "online" && row.leaseOwner === null;
  const { startedAt } = await fleet.until(id, online);
  // As if no watch existed: nothing is announced.
  const workspace = fleet.world.get(id);
  workspace.run!.server?.close();
  delete workspace.run;
  const noticed: string[] = [];
  const { db } = fleet.database;
  const noticing = startNoticingExits({
    db,
    driver: fleet.backupTools.driver,
    log: createLog("silent"),
    noticeExit: (ended) => (noticed.push(ended), loop.noticeExit(ended)),
  });
  await fleet.until(id, (row) => online(row) && row.startedAt! > startedAt!);
  await noticing.stop();
  expect(noticed).toEqual([id]);
  expect(await fleet.journal(id)).toContain("died");
});
