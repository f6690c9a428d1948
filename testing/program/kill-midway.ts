/** Kills a process in the middle of its work, for tests of what is left behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, type ClientConfig } from "pg";
import { expect } from "vitest";
import { quickModules } from "../../tools/process/server-flags.mjs";

/** Of the sessions of a process that will be killed. */
const sessionName = "slipway, to be killed";

/**
 * Starts `program` with `given` as its one argument, lets it begin once it reports that it is ready, and kills it with -9 `afterMs`
 * later; resolves once it is dead, and with it its sessions in the database. True if it had already finished.
 */
export async function killMidway<Given extends { connection: ClientConfig }>(
  program: URL,
  given: Given,
  afterMs: number,
): Promise<boolean> {
  const { connection } = given;
  const argument = JSON.stringify({ ...given, connection: { ...connection, application_name: sessionName } });
  const child = spawn(process.execPath, [quickModules, fileURLToPath(program), argument], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const exited = once(child, "exit");
    await Promise.race([
      once(child.stdout, "data"),
      exited.then(([code]) => Promise.reject(new Error(`the process ended with ${code} before it began`))),
    ]);
    child.stdin.write("go\n");
    await Promise.race([delay(afterMs), exited]);
    child.kill("SIGKILL");
    const [code] = await exited;
    await sessionsEnd(connection);
    return code === 0;
  } finally {
    child.kill("SIGKILL");
  }
}

/** A server notices a dead client only after the client's last statement, which it may not even have begun: until then that one may commit. */
async function sessionsEnd(connection: ClientConfig): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    const open = "select from pg_stat_activity where datname = current_database() and application_name = $1";
    await expect.poll(async () => (await client.query(open, [sessionName])).rowCount, { timeout: 60_000 }).toBe(0);
  } finally {
    await client.end();
  }
}
