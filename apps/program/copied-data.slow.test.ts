/** Starts a copy of the whole data folder, database included, on the same host beside its original. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { prepareSlipway, startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { instanceOf, workspaceProcesses } from "#testing/fleet/workspace-processes.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const isOnline = ({ status }: { status: number }) => status === instanceStatus.online;

test.runIf(isRoot)(
  "a copy of the data folder beside the original logs that it is one, and visitors of each program reach its own workspace",
  async () => {
    await using original = await startSlipway({ makesDatabase: true });
    const customer = await original.launch();
    await original.until(customer, isOnline);
    await original.signal("SIGTERM");
    const [running] = workspaceProcesses(original.dataDir);
    const dataDir = `${original.dataDir}-copy`;
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    // The workspace keeps running, so the copy's disk is like one after a power loss, which ext4 recovers from.
    execFileSync("/bin/sh", ["-c", 'sync && cp -a --sparse=always --one-file-system "$0" "$1"', original.dataDir, dataDir]);

    await using copy = await prepareSlipway({ dataDir });
    await Promise.all([original.start(), copy.start()]);
    expect(copy.output()).toContain("this data folder is a copy of another one on this host");
    expect(copy.output()).toContain(`${original.dataDir}/workspaces`);
    await Promise.all([original, copy].map((each) => each.until(customer, isOnline)));
    const met = async (slipway: Slipway) => (await ask(`${slipway.workspaceUrl(customer.accountName)}/x`)).json() as { instance: number };
    expect(await met(original)).toMatchObject({ instance: instanceOf(running) });
    expect(workspaceProcesses(original.dataDir)).toEqual([running]);
    const [beside] = workspaceProcesses(dataDir);
    expect(beside).not.toBe(running);
    expect(await met(copy)).toMatchObject({ instance: instanceOf(beside) });
    await copy.signal("SIGINT");
    expect(workspaceProcesses(original.dataDir)).toEqual([running]);
  },
);
