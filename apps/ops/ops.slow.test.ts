/** Commands as an operator runs them: as a separate process, with and without a running service. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("while the service is stopped, a command starts its database and stops it again", async () => {
  await slipway.signal("SIGINT");
  expect(slipway.postmasterPid()).toBeUndefined();
  const { code, stdout, stderr } = await ops(["resend-failed-mails"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "0 mails will be resent.\n", stderr: "" });
  expect(slipway.postmasterPid()).toBeUndefined();
});
