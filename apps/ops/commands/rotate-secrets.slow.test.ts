/** Runs the command as a process that may be killed at any moment, with a real database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { noteSecretKey } from "#domain/secret-rotation/note-secret-key.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createTestBilling, type TestBilling } from "#testing/payments/test-billing.ts";
import { quickModules } from "../../../tools/process/server-flags.mjs";

const [oldKey, newKey] = ["the old key, which is long enough to be one", "the new key, which is long enough to be one"];
const [old, young] = [createSecrets(oldKey), createSecrets(newKey)];
const howMany = 60;
const runMs = 3 * 60_000;

let world: TestBilling;
let dataDir: string;
beforeAll(async () => {
  world = await createTestBilling();
  dataDir = mkdtempSync(join(tmpdir(), "slipway-rotate-"));
  for (let at = 0; at < howMany; at += 1) await world.addAccount();
  await world.database.db.update(workspaces).set({ secrets: old.encrypt("a secret", "workspace"), observedGeneration: 1 });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs the command while its last workspace is locked, so that it cannot end, and kills it after its first output. */
async function rotateAndKill() {
  const client = await world.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from workspaces order by id desc limit 1 for update");
    return await rotate({ kill: true });
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Runs the command; with `kill`, kills it after its first output. */
async function rotate({
  keys = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey },
  kill = false,
}: { keys?: Record<string, string>; kill?: boolean } = {}) {
  const { PATH, HOME } = process.env;
  const args = [quickModules, join(import.meta.dirname, "..", "main.ts"), "rotate-secrets", "--at-once", "--wave", "1"];
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, DATABASE_URL: world.database.url, DATA_DIR: dataDir, ...keys },
    timeout: runMs,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    if (kill) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

const opens = (key: typeof old, encrypted: string): boolean => {
  try {
    return key.decrypt(encrypted, "workspace") === "a secret";
  } catch {
    return false;
  }
};

test("it needs the previous key and a service that runs with both", async () => {
  expect((await rotate({ keys: { SECRET_KEY: newKey } })).stderr).toContain("Set SECRET_KEY_PREVIOUS to the old key");
  await noteSecretKey(world.database.db, old);
  const { code, stderr } = await rotate();
  expect([code, stderr]).toEqual([1, expect.stringContaining("Restart it with SECRET_KEY and SECRET_KEY_PREVIOUS first.")]);
});

test(
  "killed at any moment, every secret can be decrypted with one of the keys, and the next run completes the rotation",
  { timeout: 4 * runMs },
  async () => {
    await noteSecretKey(world.database.db, createSecrets(newKey, oldKey));
    expect(await rotateAndKill()).toMatchObject({ signal: "SIGKILL" });
    const middle = await world.database.db.select().from(workspaces);
    for (const { secrets, generation } of middle) {
      const isDone = opens(young, secrets);
      expect(isDone || opens(old, secrets)).toBe(true);
      expect(generation).toBe(isDone ? 2 : 1);
    }
    expect(middle.some(({ generation }) => generation === 2)).toBe(true);
    const { code, stdout, stderr } = await rotate();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Everything is re-encrypted. ${howMany} workspaces have not restarted yet`);
    const rows = await world.database.db.select().from(workspaces);
    expect(rows.filter(({ secrets, generation }) => opens(young, secrets) && generation === 2)).toHaveLength(howMany);
    await world.database.db.update(workspaces).set({ observedGeneration: 2 });
    expect((await rotate()).stdout).toContain("All done. Remove SECRET_KEY_PREVIOUS and restart the service.");
  },
);
