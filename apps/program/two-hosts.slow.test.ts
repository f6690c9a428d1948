/** A stand-in for n8n on two hosts. With a real one: n8n-two-hosts.engine.test.ts */
import { expect, onTestFinished, test } from "vitest";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { workspaceProcesses } from "#testing/fleet/workspace-processes.ts";
import { prepareSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { startTwoHosts } from "#testing/program/two-hosts.ts";
import { waitFor } from "#testing/wait-for.ts";

const patience = { timeout: 90_000, interval: 200 };

test("a workspace is reached through either host, restored on the other when its own dies, and moved back with its data", async () => {
  const { database, main, two, settingsOf, ops, setOpen, silence } = await startTwoHosts();
  // So that the next workspace goes to the other host, even if this one has more memory.
  await setOpen("main", false);
  const customer = await main.launch();
  await main.until(customer, ({ status }) => status === instanceStatus.online);
  await setOpen("main", true);
  expect([main, two].map(({ dataDir }) => workspaceProcesses(dataDir).length)).toEqual([0, 1]);

  const workflows = async (from: Slipway, query = ""): Promise<string[]> => {
    const host = new URL(main.workspaceUrl(customer.accountName)).host;
    const answer = await ask(`http://127.0.0.1:${from.port}/workflows${query}`, { headers: { host } });
    return answer.status === 200 ? answer.json<{ workflows: string[] }>().workflows : [`status ${answer.status}`];
  };
  expect(await workflows(main, "?add=First")).toEqual(["First"]);
  expect(await workflows(two)).toEqual(["First"]);
  expect((await main.call("POST", "/api/export/backups", { token: customer.token, body: {} })).status).toBe(202);
  await waitFor(async () => {
    const { backups } = (await main.call("GET", "/api/export", { token: customer.token })).json<BackupOverview>();
    expect(backups[0]).toMatchObject({ state: "successful", workflows: 1 });
  }, patience);
  await workflows(main, "?add=Lost");

  await expect(ops("restore-host", "two")).rejects.toThrow(/Host two is alive/);
  await two.kill9();
  // Its last heartbeat may still be on its way.
  await waitFor(async () => {
    await silence("two");
    expect(await ops("hosts")).toMatch(/^main: alive.*\ntwo: SILENT.* 1 workspaces/s);
  }, patience);
  expect(await ops("restore-host", "two")).toMatch(/would be restored from .*Nothing was changed/s);
  expect(await ops("restore-host", "two", "--yes")).toMatch(/restored from .*Host two was removed/s);
  await waitFor(async () => expect(await workflows(main)).toEqual(["First"]), patience);
  const told = (await main.journal(customer)).map(({ event }) => event);
  expect(told).toEqual(expect.arrayContaining(["host-lost", "arrived"]));

  // The dead host's process still runs, and ends before anything else when its worker comes back.
  expect(workspaceProcesses(two.dataDir)).toHaveLength(1);
  await two.start();
  expect(workspaceProcesses(two.dataDir)).toEqual([]);
  expect(await workflows(two, "?add=Second")).toEqual(["First", "Second"]);

  // Killed in the middle of a move, its worker continues where the rows say.
  await setOpen("main", false);
  const hasBegun = () => database.pool.query("select 1 from workspace_journal where event = 'move-started'");
  await waitFor(async () => expect((await hasBegun()).rowCount).toBe(1), { ...patience, interval: 5 });
  await main.kill9();
  await main.start();
  expect(await ops("drain", "main", "--yes")).toContain("No workspace is left on host main");
  await waitFor(async () => expect(await workflows(main)).toEqual(["First", "Second"]), patience);
  expect([main, two].map(({ dataDir }) => workspaceProcesses(dataDir).length)).toEqual([0, 1]);

  // Its data folder belongs to the second host permanently.
  const renamed = await prepareSlipway({ dataDir: two.dataDir, env: { ...settingsOf("two"), HOST_NAME: "three" } });
  onTestFinished(() => renamed.close());
  await two.kill9();
  renamed.launchProgram();
  expect(await renamed.ended()).toMatchObject({ code: 1 });
  expect(renamed.output()).toContain("contains the workspaces of host two, but HOST_NAME is three");
});
