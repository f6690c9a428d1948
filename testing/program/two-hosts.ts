/** Two programs with separate data folders and names, which act as two hosts: the same machine, one database, one bucket. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import S3rver from "s3rver";
import { onTestFinished } from "vitest";
import { quickModules } from "../../tools/process/server-flags.mjs";
import { createTestDatabase, type TestDatabase } from "../postgres.ts";
import { findFreePort, startSlipway, type Slipway, type SlipwayOptions } from "./start-slipway.ts";

interface TwoHosts {
  database: TestDatabase;
  /** Has all roles; customers and their addresses belong to it. */
  main: Slipway;
  /** Worker and gateway. */
  two: Slipway;
  settingsOf(name: "main" | "two"): Record<string, string>;
  /** Output of an operator's command. Rejects with it if that fails. */
  ops(...args: string[]): Promise<string>;
  /** Whether new workspaces may be placed there, even if the other has more memory. */
  setOpen(name: "main" | "two", isOpen: boolean): Promise<void>;
  /** As if its worker had sent no heartbeat for a minute. */
  silence(name: "main" | "two"): Promise<void>;
}

/** A drain waits until a real n8n has been stopped and copied. */
const opsTimeoutMs = 240_000;

const opsProgram = fileURLToPath(new URL("../../apps/ops/main.ts", import.meta.url));

/** Starts them for the current test, and closes them after it. */
export async function startTwoHosts(engine: SlipwayOptions["engine"] = "stand-in"): Promise<TwoHosts> {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  const ports = { main: await findFreePort(), two: await findFreePort() };
  const shared = {
    DATABASE_URL: database.url,
    BACKUPS_URL: await openBucket(),
    SECRET_KEY: "one key for all of these processes",
    PUBLIC_URL: `http://localhost:${ports.main}`,
  };
  const settingsOf = (name: keyof typeof ports) => ({ ...shared, HOST_NAME: name, HOST_ADDRESS: `127.0.0.1:${ports[name]}` });
  const start = async (name: keyof typeof ports, ROLES?: string): Promise<Slipway> => {
    const slipway = await startSlipway({ engine, port: ports[name], env: { ...settingsOf(name), ...(ROLES && { ROLES }) } });
    onTestFinished(() => slipway.close());
    return slipway;
  };
  const main = await start("main");
  const two = await start("two", "worker,gateway");
  return {
    database,
    main,
    two,
    settingsOf,
    ops: (...args) =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env["PATH"], DATA_DIR: main.dataDir, ...shared };
        execFile(process.execPath, [quickModules, opsProgram, ...args], { env, timeout: opsTimeoutMs }, (error, stdout, stderr) =>
          error ? reject(new Error(`${stderr}${stdout}`)) : resolve(stdout),
        );
      }),
    async setOpen(name, isOpen) {
      await database.pool.query(`update hosts set draining_since = ${isOpen ? "null" : "now()"} where name = $1`, [name]);
    },
    async silence(name) {
      await database.pool.query("update hosts set seen_at = seen_at - interval '1 minute' where name = $1", [name]);
    },
  };
}

async function openBucket(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "slipway-s3-"));
  const configureBuckets = [{ name: "backups", configs: [] }];
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  onTestFinished(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/backups?region=eu-central-1`;
}
