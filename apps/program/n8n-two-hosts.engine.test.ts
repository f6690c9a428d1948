/** The story of two hosts with a real n8n: moved with its newest data, and restored on the first when the second dies. */
import { expect, test } from "vitest";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { workspaceProcesses } from "#testing/fleet/workspace-processes.ts";
import { startTwoHosts } from "#testing/program/two-hosts.ts";
import { waitFor } from "#testing/wait-for.ts";
import { engineHands } from "../../tools/chaos/engines/engine-hands.ts";

const patience = { timeout: 120_000, interval: 500 };
const hands = engineHands["n8n"];

test(
  "a real n8n moves to another host with its newest workflows, and is restored on the first when that one dies",
  { timeout: 900_000 },
  async () => {
    const { main, two, ops, setOpen, silence } = await startTwoHosts("n8n");
    await setOpen("two", false);
    const customer = await main.launch();
    await main.until(customer, ({ status }) => status === instanceStatus.online);
    await hands.place(main, customer, "marker of the first host");
    await setOpen("two", true);

    expect(await ops("drain", "main", "--yes")).toContain("No workspace is left on host main");
    await main.until(customer, ({ status }) => status === instanceStatus.online);
    await waitFor(async () => expect(await hands.read(main, customer)).toBe("marker of the first host"), patience);
    expect((await hands.send(main, customer, { id: "1", text: "after the move" })).status).toBe(200);
    expect(workspaceProcesses(main.dataDir)).toEqual([]);

    await hands.place(main, customer, "marker of the backup");
    expect((await main.call("POST", "/api/export/backups", { token: customer.token, body: {} })).status).toBe(202);
    await waitFor(async () => {
      const { backups } = (await main.call("GET", "/api/export", { token: customer.token })).json<BackupOverview>();
      expect(backups[0]).toMatchObject({ kind: "manual", state: "successful" });
    }, patience);
    await hands.place(main, customer, "marker that is lost");

    await two.kill9();
    await silence("two");
    await setOpen("main", true);
    expect(await ops("restore-host", "two", "--yes")).toMatch(/restored from .*Host two was removed/s);
    await waitFor(async () => expect(await hands.read(main, customer)).toBe("marker of the backup"), patience);
    expect((await hands.send(main, customer, { id: "2", text: "after the restore" })).status).toBe(200);

    await two.start();
    expect(workspaceProcesses(two.dataDir)).toEqual([]);
    expect(await hands.read(main, customer)).toBe("marker of the backup");
  },
);
