/** Runs the command as a process, with a real database and the sandbox as the payment provider. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";
import { createTestShop, startSubscriber } from "#testing/payments/test-shop.ts";
import { quickModules } from "../../../tools/process/server-flags.mjs";

const runMs = 3 * 60_000;

test("the command compares with the provider, prints what it found and changed, and exits with 0; what it cannot read ends with 1", async () => {
  const shop = await createTestShop({}, createSandboxHarness);
  const dataDir = mkdtempSync(join(tmpdir(), "slipway-reconcile-"));
  onTestFinished(async () => {
    await shop[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { url, pool } = shop.api.database;
  const reconcile = async (...args: string[]) => {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [quickModules, join(import.meta.dirname, "..", "main.ts"), "reconcile", ...args], {
      env: { PATH, HOME, DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY: "a key for tests, long enough to be one" },
      timeout: runMs,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, stderr };
  };
  await startSubscriber(shop);
  // As after a restored dump that does not know of the purchase.
  const { rows } = await pool.query("update subscriptions set plan_id = 'starter-monthly', spec_id = 'starter' returning account_id");
  const { account_id: accountId } = rows[0] as { account_id: string };

  const shown = await reconcile("--dry-run");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(/^sandbox since \S+Z: 1 customers, 1 subscriptions, 1 invoices\.\n/);
  expect(shown.stdout).toContain(`would change  ${accountId}: `);
  expect(shown.stdout).toMatch(/\n1 accounts compared, 1 would be changed\.\nNothing was written\.\n$/);

  const changed = await reconcile();
  expect(changed.code).toBe(0);
  expect(changed.stdout).toContain(`changed  ${accountId}: `);
  expect(changed.stdout).toMatch(/\n1 accounts compared, 1 changed\.\nNothing awaits a decision\.\n$/);
  expect((await pool.query("select plan_id from subscriptions")).rows).toEqual([{ plan_id: "pro-1-monthly" }]);
  expect((await reconcile("--dry-run")).stdout).toContain("1 accounts compared, 0 would be changed.");

  const refused = await reconcile("--since", "yesterday");
  expect([refused.code, refused.stdout, refused.stderr.trim()]).toEqual([1, "", "--since must be a day such as 2027-03-01."]);
});
