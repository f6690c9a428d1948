import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { instanceOf, workspaceProcesses } from "#testing/fleet/workspace-processes.ts";

/** Several starts, while other work runs. */
const isOnline = ({ status }: { status: number }) => status === instanceStatus.online;
/** The ids of all workspace processes so far, in order. */
const bootsOf = ({ dataDir }: Slipway) =>
  globSync(join(dataDir, "workspaces/*/data/boots")).flatMap((file) => readFileSync(file, "utf8").trim().split("\n").map(Number));

test.each(["SIGTERM", "SIGHUP"] as const)(
  "%s ends the program and its database with 0 and leaves workspaces running; the next start adopts them unchanged",
  async (signal) => {
    await using slipway = await startSlipway();
    const customer = await slipway.launch();
    await slipway.until(customer, isOnline);
    const [pid] = workspaceProcesses(slipway.dataDir);
    expect(await slipway.signal(signal)).toEqual({ code: 0, signal: null });
    expect(slipway.postmasterPid()).toBeUndefined();
    expect(workspaceProcesses(slipway.dataDir)).toEqual([pid]);

    await slipway.start();
    await slipway.until(customer, isOnline);
    expect((await ask(`${slipway.workspaceUrl(customer.accountName)}/x`)).json()).toMatchObject({ instance: instanceOf(pid) });
    expect(bootsOf(slipway)).toEqual([instanceOf(pid)]);
    expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual(["requested", "started", "online"]);
  },
);

test("SIGINT stops workspaces too, and the next start restarts them without reporting a crash", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.launch();
  await slipway.until(customer, isOnline);
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  expect(workspaceProcesses(slipway.dataDir)).toEqual([]);
  expect(slipway.postmasterPid()).toBeUndefined();

  await slipway.start();
  await slipway.until(customer, isOnline);
  const answer = await ask(`${slipway.workspaceUrl(customer.accountName)}/x`);
  expect(answer.json()).toMatchObject({ hasOwner: true, instance: instanceOf(workspaceProcesses(slipway.dataDir)[0]) });
  expect(bootsOf(slipway)).toHaveLength(2);
  expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual(["requested", "started", "online", "started", "online"]);
});

test("SIGINT during a launch leaves no process, and the launch continues at the next start", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.launch();
  await vi.waitFor(() => expect(workspaceProcesses(slipway.dataDir)).toHaveLength(1), { timeout: 60_000, interval: 10 });
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  expect(workspaceProcesses(slipway.dataDir)).toEqual([]);
  await slipway.start();
  await slipway.until(customer, isOnline);
  expect((await slipway.journal(customer)).map(({ event }) => event)).not.toContain("died");
});

test("open connections and event streams do not delay the end", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.launch();
  const stream = connect({ port: slipway.port, host: "127.0.0.1" });
  stream.write(
    `GET /api/instance/events HTTP/1.1\r\nHost: localhost:${slipway.port}\r\nCookie: token=${customer.token}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [head] = (await once(stream, "data")) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1.1 200 /);
  const idle = connect({ port: slipway.port, host: "127.0.0.1" });
  await once(idle, "connect");
  stream.on("error", () => undefined);
  const withConnectionsMs = await timeEnd(slipway);
  await slipway.start();
  // If other work makes each end take long, this one may too; waiting for a connection takes half a minute and more.
  expect(withConnectionsMs).toBeLessThan(Math.max(10_000, 3 * (await timeEnd(slipway))));
});

async function timeEnd(slipway: Slipway): Promise<number> {
  const startedAt = performance.now();
  expect(await slipway.signal("SIGTERM")).toEqual({ code: 0, signal: null });
  return performance.now() - startedAt;
}

test("a second signal immediately ends a program that is slow to stop", async () => {
  await using slipway = await startSlipway();
  // A stopped postmaster never finishes its shutdown.
  const pid = slipway.postmasterPid()!;
  process.kill(pid, "SIGSTOP");
  try {
    const ended = slipway.signal("SIGINT");
    await vi.waitFor(() => expect(slipway.output()).toContain("press Ctrl-C again"), { timeout: 15_000 });
    // The same signal may arrive twice within a second; only a later one counts as a second signal.
    const again = setInterval(() => process.kill(slipway.pid(), "SIGINT"), 250);
    expect(await ended.finally(() => clearInterval(again))).toEqual({ code: 130, signal: null });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});
