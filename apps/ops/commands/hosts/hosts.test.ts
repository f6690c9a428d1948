/**
 * The operator's commands for hosts: what they refuse, show and change. The moves themselves are tested in
 * apps/provisioner/host/two-hosts.slow.test.ts.
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hosts, workspaces } from "#database/tables.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { systemClock } from "#platform/clock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { CommandRefused, type Command, type OpsContext } from "../../command.ts";
import { drainHost } from "./drain-host.ts";
import { hostList } from "./list-hosts.ts";
import { restoreHost } from "./restore-host.ts";

let fleet: TestFleet;
let id: string;
beforeAll(async () => {
  fleet = await createTestFleet();
  id = await fleet.want("acme");
});
afterAll(() => fleet.close());
/** Two hosts that are alive, and a workspace on the second. */
beforeEach(async () => {
  const { db } = fleet.database;
  await db.delete(hosts);
  for (const name of ["one", "two"]) await joinHost(db, { name, address: `10.0.0.1:${name.length}`, freeMb: 100 });
  await db
    .update(workspaces)
    .set({ host: "two", ownerSetUpAt: new Date(), observedState: "online", reasonCode: null })
    .where(eq(workspaces.id, id));
});

async function run(
  command: Command,
  args: readonly string[],
  options: Record<string, boolean> = {},
  backupsUrl: string | undefined = "s3://b?region=x",
) {
  const lines: string[] = [];
  const context = { config: { backupsUrl }, db: fleet.database.db, clock: systemClock, print: (line: string) => lines.push(line) };
  await command.run(context as unknown as OpsContext, { arguments: args, options });
  return lines;
}

const silence = (name: string) =>
  fleet.database.pool.query("update hosts set seen_at = clock_timestamp() - interval '1 minute' where name = $1", [name]);
const stateOf = async (name: string) => (await listHosts(fleet.database.db)).find((host) => host.name === name);

test("the list shows which hosts are alive, and what is on them", async () => {
  await silence("two");
  expect(await run(hostList, [])).toEqual([
    expect.stringMatching(/^one: alive, last heartbeat \d+ s ago; 0 workspaces, 0 online; 100 MB free; gateway 10\.0\.0\.1:3$/),
    expect.stringMatching(/^two: SILENT, last heartbeat \d+ s ago; 1 workspaces, 1 online/),
  ]);
});

test("the list names hosts whose workspaces lack their files", async () => {
  await fleet.database.db.update(workspaces).set({ observedState: "offline", reasonCode: "files-missing" }).where(eq(workspaces.id, id));
  const lines = await run(hostList, []);
  expect(lines[1]).toMatch(/; 1 workspaces, 0 online, 1 WITHOUT THEIR FILES; /);
  expect(lines[2]).toBe("  without their files on two: acme");
});

test("a drain names the workspaces that can't leave because their files are missing, and says what to do instead of waiting", async () => {
  await fleet.database.db.update(workspaces).set({ observedState: "offline", reasonCode: "files-missing" }).where(eq(workspaces.id, id));
  const explained = /missing on host two, so they cannot be moved: acme\. Mount the disk .* restore-host two/;
  expect(await run(drainHost, ["two"])).toEqual([
    "acme: would stay, ITS FILES ARE MISSING",
    expect.stringMatching(explained),
    "Host two: 1 workspaces. Nothing was changed. Add --yes to move them.",
  ]);
  await expect(run(drainHost, ["two"], { yes: true })).rejects.toThrow(explained);
  // Its worker continues: they leave once their files are back.
  expect(await stateOf("two")).toMatchObject({ drainingSince: expect.any(Date) });
});

test("nothing is restored from a host that is alive, is unknown, or has no other that could take its workspaces", async () => {
  await expect(run(restoreHost, ["two"], { yes: true })).rejects.toThrow("Host two is alive");
  await expect(run(restoreHost, ["three"], { yes: true })).rejects.toThrow("Unknown host: three. Known hosts: one, two.");
  await silence("two");
  await expect(run(restoreHost, ["two"], { yes: true }, "")).rejects.toThrow("BACKUPS_URL is not set");
  await silence("one");
  await expect(run(restoreHost, ["two"], { yes: true })).rejects.toThrow("No other host is alive");
  expect(await stateOf("two")).toMatchObject({ lostAt: null });
});

test("without --yes it only says what would be lost; a workspace without a backup stays", async () => {
  await silence("two");
  expect((await run(restoreHost, ["two"])).slice(0, 2)).toEqual([
    "acme: has no backup and would stay on this host",
    "Host two: 1 workspaces. Nothing was changed.",
  ]);
  expect(await stateOf("two")).toMatchObject({ lostAt: null });
  expect(await run(restoreHost, ["two"], { yes: true })).toEqual([
    "acme: NOT restored because it has no backup. It stays on two and runs again if that host returns",
    "0 workspaces are being restored on the other hosts, 1 have no backup.",
  ]);
  expect(await stateOf("two")).toMatchObject({ lostAt: expect.any(Date), workspaces: 1 });
});

test("an empty host without a heartbeat is forgotten", async () => {
  await silence("one");
  expect(await run(restoreHost, ["one"], { yes: true })).toEqual([
    "0 workspaces are being restored on the other hosts, 0 have no backup. Host one was removed.",
  ]);
  expect(await stateOf("one")).toBeUndefined();
});

test("draining requires --yes and a second host, and can be ended", async () => {
  expect(await run(drainHost, ["two"])).toEqual([
    "acme: would be stopped, backed up, and started on another host",
    "Host two: 1 workspaces. Nothing was changed. Add --yes to move them.",
  ]);
  expect(await stateOf("two")).toMatchObject({ drainingSince: null });
  await fleet.database.db.update(workspaces).set({ host: "one" }).where(eq(workspaces.id, id));
  expect((await run(drainHost, ["two"], { yes: true })).at(-1)).toContain("No workspace is left on host two.");
  expect(await stateOf("two")).toMatchObject({ drainingSince: expect.any(Date) });
  await expect(run(drainHost, ["one"], { yes: true })).rejects.toThrow("No other host is alive");
  await run(drainHost, ["two"], { stop: true });
  expect(await stateOf("two")).toMatchObject({ drainingSince: null });
  await silence("two");
  await expect(run(drainHost, ["two"], { yes: true })).rejects.toThrow(CommandRefused);
});
