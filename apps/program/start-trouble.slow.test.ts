import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ordinaryUser } from "#testing/program/ordinary-user.ts";
import { findFreePort, prepareSlipway, startSlipway, type Slipway, type SlipwayOptions } from "#testing/program/start-slipway.ts";

/** Starts the program, which is expected to refuse. */
async function refusedStart(options: SlipwayOptions): Promise<{ slipway: Slipway; code: number | null; output: string }> {
  const slipway = await prepareSlipway({ makesDatabase: true, ...options });
  onTestFinished(() => slipway.close());
  slipway.launchProgram();
  const { code } = await slipway.ended();
  return { slipway, code, output: slipway.output() };
}

test("a taken port is named in a message, and the database that was already started is stopped again", async () => {
  const port = await findFreePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen({ port, host: "127.0.0.1" }, resolve));
  onTestFinished(() => void other.close());
  const { slipway, code, output } = await refusedStart({ port });
  expect(code).toBe(1);
  expect(output).toContain(`Port ${port} is in use by another program.`);
  expect(output).toContain("PORT=");
  expect(output).not.toMatch(/^ {4}at /m);
  expect(slipway.postmasterPid()).toBeUndefined();
});

test("a second start on the same data folder says which process uses it and does not disturb the first", async () => {
  await using first = await startSlipway();
  const { code, output } = await refusedStart({ dataDir: first.dataDir });
  expect(code).toBe(1);
  expect(output).toContain(`The data folder ${first.dataDir} is in use by another Slipway (process ${first.pid()}).`);
  expect(output).not.toMatch(/^ {4}at /m);
  const customer = await first.launch();
  await first.until(customer, ({ status }) => status === 1);
});

test.each([
  ["with the key in it", {}],
  ["with the key from a setting", { SECRET_KEY: "a key of at least thirty-two characters" }],
])("a data folder that cannot be written to is refused with a message, %s", async (_where, env) => {
  const slipway = await prepareSlipway({ env, user: ordinaryUser([process.execPath, join(import.meta.dirname, "../main.ts")]) });
  onTestFinished(() => slipway.close());
  chmodSync(slipway.dataDir, 0o555);
  slipway.launchProgram();
  expect(await slipway.ended()).toEqual({ code: 1, signal: null });
  expect(slipway.output()).toContain(slipway.dataDir);
  expect(slipway.output()).toMatch(/can(no|')t be (used|written to) \(EACCES\)\. (Give this user the right|Make it writable)/);
  expect(slipway.output()).not.toMatch(/^ {4}at /m);
});

test.each([
  ["at which nothing answers", "postgresql://me:hunter2@127.0.0.1:9/slipway"],
  ["with an unknown host name", "postgresql://me:hunter2@no-such-name.invalid/slipway"],
])("a DATABASE_URL %s is refused with a message that does not contain its password", async (_what, DATABASE_URL) => {
  const { code, output, slipway } = await refusedStart({ env: { DATABASE_URL } });
  expect(code).toBe(1);
  expect(output).toMatch(/The database of DATABASE_URL can't be used: .*(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)/);
  expect(output).not.toMatch(/hunter2|^ {4}at /m);
  expect(existsSync(join(slipway.dataDir, "postgres"))).toBe(false);
});

test("a DATABASE_URL with TLS for a server without it is refused with a message", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined).once("data", () => socket.end("N")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, output } = await refusedStart({
    env: { DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${port}/slipway?sslmode=verify-full` },
  });
  expect(code).toBe(1);
  expect(output).toMatch(/The database of DATABASE_URL can't be used: .*does not support SSL/);
  expect(output).not.toMatch(/hunter2|^ {4}at /m);
});

test("all invalid settings are listed, and nothing is started", async () => {
  const { code, output, slipway } = await refusedStart({
    env: { NODE_ENV: "production", PUBLIC_URL: undefined, WORKSPACE_MEMORY_MB: "1" },
  });
  expect(code).toBe(1);
  for (const name of ["SECRET_KEY", "SMTP_URL", "PUBLIC_URL", "WORKSPACE_MEMORY_MB"]) expect(output).toContain(`  - ${name}: `);
  expect(existsSync(join(slipway.dataDir, "postgres"))).toBe(false);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s during a start ends it in order, database included", async (signal) => {
  const slipway = await prepareSlipway({ makesDatabase: true });
  onTestFinished(() => slipway.close());
  // On a busy machine a signal may be late: after the start.
  const interrupt = async () => {
    slipway.launchProgram();
    await vi.waitFor(() => expect(slipway.output()).toContain("the embedded database is running"), { timeout: 60_000, interval: 5 });
    expect(await slipway.signal(signal)).toEqual({ code: 0, signal: null });
    expect(slipway.postmasterPid()).toBeUndefined();
    return slipway.output();
  };
  await expect.poll(interrupt, { timeout: 180_000 }).not.toContain("Slipway is running");
});
