/** A fleet update as an operator types it, carried out by the real program, which is killed in the middle of it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { waitFor } from "#testing/wait-for.ts";
import { quickModules } from "../../../../tools/process/server-flags.mjs";

const [older, newer] = ["2.38.7", "2.40.7"];

/** What the command prints, by line. */
async function ops(slipway: Slipway, ...args: string[]): Promise<string[]> {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, DATA_DIR: slipway.dataDir, PUBLIC_URL: slipway.url };
  const main = join(import.meta.dirname, "../../main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [quickModules, main, ...args], { env, timeout: 120_000 });
  return stdout.trimEnd().split("\n");
}

test("a fleet update continues after the program was killed, and so does its rollback", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.register();
  await slipway.confirm(customer);
  await slipway.call("POST", "/api/account/setup", { token: customer.token, body: { timezone: "Etc/UTC", versionName: older } });
  const isOn = (version: string) => (instance: { status: number; versionName: string | null }) =>
    instance.status === instanceStatus.online && instance.versionName === version;
  await slipway.until(customer, isOn(older));

  expect((await ops(slipway, "update-fleet", newer, "--dry-run"))[0]).toBe(
    `1 workspace to update to ${newer}, in waves of 1. On it already: 0.`,
  );
  await ops(slipway, "update-fleet", newer, "--soak", "0", "--reason", "ticket 7");
  await waitFor(async () => expect((await slipway.journal(customer)).map(({ event }) => event)).toContain("update-requested"), {
    timeout: 60_000,
    interval: 250,
  });
  await slipway.kill9();
  await slipway.start();
  await slipway.until(customer, isOn(newer));
  await waitFor(async () => expect((await ops(slipway, "fleet-updates"))[1]).toMatch(/^Done at /), { timeout: 60_000, interval: 250 });

  await ops(slipway, "roll-back-fleet-update", "--reason", "wrong results", "--yes");
  await slipway.kill9();
  await slipway.start();
  await slipway.until(customer, isOn(older));
  await waitFor(async () => expect((await ops(slipway, "fleet-updates"))[1]).toMatch(/^Rolled back at .*: wrong results$/), {
    timeout: 60_000,
    interval: 250,
  });
});
