/** Commands as an operator runs them: as a separate process, with and without a running service. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { quickModules } from "../../tools/process/server-flags.mjs";

const runMs = 3 * 60_000;

let slipway: Slipway;
let customer: Customer;
beforeAll(async () => {
  slipway = await startSlipway();
  customer = await slipway.register();
});
afterAll(() => slipway?.close());

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function ops(args: readonly string[], env: Record<string, string> = { DATA_DIR: slipway.dataDir, PUBLIC_URL: slipway.url }): Promise<Ran> {
  const { PATH, HOME, TMPDIR } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [quickModules, join(import.meta.dirname, "main.ts"), ...args],
      { env: { PATH, HOME, TMPDIR, ...env }, timeout: runMs },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

const signInBy = (address: string) =>
  slipway.call("POST", "/api/auth/login/code", { body: { code: new URL(address).searchParams.get("code") } });

test("an operator's login code signs in as the customer, once, while the service runs", async () => {
  const { code, stdout, stderr } = await ops(["login-code", customer.email, "--reason", "ticket 7"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  const answer = await signInBy(stdout.trim());
  expect(answer.json<{ user: { email: string } }>().user.email).toBe(customer.email);
  expect((await signInBy(stdout.trim())).status).toBe(401);
});

test.each([
  [
    "an unknown address",
    ["login-code", "nobody@example.com", "--reason", "ticket 7"],
    "No account has the email address or account name nobody@example.com.",
  ],
  ["a missing argument", ["login-code"], "Usage: npm run ops -- login-code <email or account name> [--as …] [--reason …]"],
  ["no reason where one is asked for", ["login-code", "ada"], 'Say why, for the audit log: --reason "ticket 7".'],
  ["an unknown option", ["login-code", "ada", "--force"], "Usage: npm run ops -- login-code"],
  ["an unknown command", ["log-in"], "Unknown command: log-in."],
  ["invalid days", ["resend-failed-mails", "--days", "some"], "--days must be a number up to 90"],
])("%s is refused with a message", async (_what, args, words) => {
  const { code, stdout, stderr } = await ops(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/^ {4}at /m);
});

test("without a command every command is listed", async () => {
  const { code, stdout } = await ops([]);
  expect(code).toBe(0);
  for (const name of ["login-code", "resend-failed-mails"]) expect(stdout).toContain(`  ${name}`);
});

test("a folder without a service is refused and left unchanged", async () => {
  const empty = mkdtempSync(join(tmpdir(), "slipway-ops-"));
  try {
    const { code, stderr } = await ops(["resend-failed-mails"], { DATA_DIR: empty });
    expect(code).toBe(1);
    expect(stderr).toContain(`No Slipway data found in ${empty}.`);
    expect(readdirSync(empty)).toEqual([]);
  } finally {
    rmSync(empty, { recursive: true });
  }
});

test("the control plane is restored from a dump of the running service into an empty folder, and its customers sign in", async () => {
  const as = ["--as", "ada"];
  const written = await ops(["backup-control-plane", "--keep", "1", ...as]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/^Written and restored on trial: \d{4}-\d\d-\d\d-\d{6} \(\d+ bytes, \d+ rows\) in /);
  const [name] = /\d{4}-\d\d-\d\d-\d{6}/.exec(written.stdout)!;
  await slipway.register({ accountName: "after-the-dump" });

  const folder = mkdtempSync(join(tmpdir(), "slipway-ops-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const env = { DATA_DIR: dataDir };
  cpSync(join(slipway.dataDir, "backups"), join(dataDir, "backups"), { recursive: true });
  const wrongKey = await ops(["restore-control-plane", ...as], { ...env, SECRET_KEY: "another key, which encrypted nothing here" });
  expect(wrongKey).toMatchObject({ code: 1, stdout: "" });
  expect(wrongKey.stderr).toContain(`dumps/${name} is encrypted with the key`);
  cpSync(join(slipway.dataDir, "secret-key"), join(dataDir, "secret-key"));
  expect((await ops(["restore-control-plane", "--dump", "2020-01-01-000000", ...as], env)).stderr).toContain(`There are: ${name}.`);
  const restored = await ops(["restore-control-plane", ...as], env);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toContain(`Restored: ${name}, `);
  // However fresh the dump is, the service first asks the payment provider what it has forgotten.
  const beat = "select value ->> 'beatAt' as at from service_state where key = 'memory gap'";
  expect((await ops(["sql", beat, ...as], env)).stdout).toContain("1970-01-01");
  // Neither restored twice nor over a service that is in use.
  expect((await ops(["restore-control-plane", ...as], env)).stderr).toContain("Nothing was restored: The database is not empty");
  expect((await ops(["restore-control-plane", ...as])).stderr).toContain("is in use by another Slipway");

  await using other = await startSlipway({ dataDir });
  const signIn = (login: string) => other.call("POST", "/api/auth/login", { body: { login, password: customer.password } });
  expect((await signIn(customer.accountName)).status).toBe(200);
  expect((await signIn("after-the-dump")).status).toBe(401);
});

test("dumps beyond those to keep are removed, oldest first, and a dump that cannot be restored does not replace one", async () => {
  const write = (...args: string[]) => ops(["backup-control-plane", ...args, "--as", "ada"]);
  const list = async () => (await write("--list")).stdout.split("\n").filter((line) => /^[\d-]+$/.test(line));
  const before = await list();
  expect((await write("--keep", "2")).code).toBe(0);
  const two = await list();
  expect(two).toEqual([before.at(-1), expect.any(String)]);
  expect((await write("--keep", "2")).stdout).toContain(`Removed: ${two[0]}.`);
  expect((await list())[0]).toBe(two[1]);
  // Two at once: one is made, and nothing of its trial is left.
  const both = await Promise.all([write("--keep", "2"), write("--keep", "2")]);
  expect(both.map(({ stderr }) => stderr).toSorted()).toEqual(["", expect.stringContaining("Another dump is being made.")]);
  expect((await ops(["sql", "select datname from pg_database", "--as", "ada"])).stdout).not.toContain("slipway_dump_trial");
  expect((await write("--keep", "0")).stderr).toContain("--keep must be a number from 1 to 1000.");
  // No room in the storage.
  const dumps = join(slipway.dataDir, "backups", "dumps");
  const kept = await list();
  renameSync(dumps, `${dumps}-aside`);
  writeFileSync(dumps, "");
  expect((await write()).stderr).toContain("No dump was written");
  rmSync(dumps);
  renameSync(`${dumps}-aside`, dumps);
  expect(await list()).toEqual(kept);
});

test("while the service is stopped, a command starts its database and stops it again", async () => {
  await slipway.signal("SIGINT");
  expect(slipway.postmasterPid()).toBeUndefined();
  const { code, stdout, stderr } = await ops(["resend-failed-mails"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "0 mails will be resent.\n", stderr: "" });
  expect(slipway.postmasterPid()).toBeUndefined();
});
