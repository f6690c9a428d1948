/** An operator's own PostgreSQL, behind an address that stays the same while it restarts, hangs or fails over. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { listProcesses } from "#apps/provisioner/drivers/process/running/process-table.ts";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { findPostmaster } from "#platform/postgres/server/postmaster.ts";
import { makeMemoryFolder } from "../memory-folder.ts";
import { openSilentLine } from "../network/silent-line.ts";

export interface RestartingPostgres extends AsyncDisposable {
  /** For DATABASE_URL. */
  url: string;
  /** Past its address. */
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
  /** Stops it, and starts it again after `downMs`. */
  restart(downMs: number): Promise<void>;
  /** Freezes it for this long: connections stay open, and nothing answers. */
  hang(forMs: number): Promise<void>;
  /** Open connections go silent, and after `downMs` new ones lead to another server that has the same rows. */
  failOver(downMs: number): Promise<void>;
}

const prefix = "slipway-test-restarting-";
const settings = { fsync: "off", full_page_writes: "off" };
const log = createLog("silent");

export async function startRestartingPostgres(): Promise<RestartingPostgres> {
  const folders = [makeMemoryFolder(prefix)];
  const start = () => startEmbeddedPostgres({ dataDir: folders.at(-1)!, log, settings });
  let server: EmbeddedPostgres = await start();
  const socketOf = ({ connection: { host, port } }: EmbeddedPostgres): string => `${host}/.s.PGSQL.${port}`;
  const target = { path: socketOf(server) };
  const line = await openSilentLine(target);
  const { user, password, database } = server.connection;
  return {
    url: `postgresql://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${line.port}/${database}`,
    async query<Row extends pg.QueryResultRow>(statement: string) {
      const client = new pg.Client(server.connection as pg.ClientConfig);
      await client.connect();
      try {
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end();
      }
    },
    async restart(downMs) {
      await server.stop();
      await delay(downMs);
      server = await start();
      target.path = socketOf(server);
    },
    async hang(forMs) {
      const postmaster = findPostmaster(join(folders.at(-1)!, "postgres", "cluster"))!.pid;
      const family = [postmaster, ...(await listProcesses(({ parent }) => parent === postmaster, false)).map(({ pid }) => pid)];
      const send = (signal: NodeJS.Signals): void => {
        for (const pid of family)
          try {
            process.kill(pid, signal);
          } catch {
            // One of its sessions ended meanwhile.
          }
      };
      send("SIGSTOP");
      try {
        await delay(forMs);
      } finally {
        send("SIGCONT");
      }
    },
    async failOver(downMs) {
      line.dropOpen();
      line.freeze();
      await server.stop();
      const folder = makeMemoryFolder(prefix);
      // The server insists on the modes and the owner of its files.
      execFileSync("cp", ["-a", join(folders.at(-1)!, "postgres"), join(folder, "postgres")]);
      folders.push(folder);
      await delay(downMs);
      server = await start();
      target.path = socketOf(server);
      line.thaw();
    },
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await server.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
