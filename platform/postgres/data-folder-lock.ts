/** One program per data folder: a lock in its database, which PostgreSQL releases automatically when its holder dies. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { secondMs } from "../clock.ts";
import { destroyConnection } from "../database.ts";
import { StartTrouble } from "../start-trouble.ts";

export class DataFolderInUse extends StartTrouble {
  constructor(dataDir: string, pid: string | undefined) {
    super(
      `The data folder ${dataDir} is in use by another Slipway${pid ? ` (process ${pid})` : ""}. Stop that one first, or choose another DATA_DIR.`,
    );
    this.name = "DataFolderInUse";
  }
}

export interface DataFolderLock {
  /** Releases the folder if the database keeps running; stopping the embedded database releases it as well. */
  release(): Promise<void>;
  /** Resolves when the lock is gone without `release`: the database ended the session, so another program may take the folder. */
  lost: Promise<void>;
}

const namePrefix = "slipway data folder, process ";
/** A session that died silently is noticed within these two together; then the lock is taken again. */
const pingEveryMs = 10 * secondMs;
const answerTimeoutMs = 5 * secondMs;

/**
 * Locks the data folder for this process, in a separate session; refuses with DataFolderInUse. A refused caller must
 * leave the embedded database running: it serves the other one. Ends no other program's session, so any number may try.
 * If the server stops answering (frozen, failed over, packets dropped), the lock is taken again as soon as possible.
 */
export async function acquireDataFolder(connection: ClientConfig, dataDir: string, everyMs = pingEveryMs): Promise<DataFolderLock> {
  const released = new AbortController();
  // PostgreSQL backends that held the folder for this call: two programs in containers may both be process 1.
  const ours = new Set<number>();
  let session = await openSession(connection, dataDir, ours);
  const lost = keep();

  /** Resolves once another process may have the folder; never after `release`. */
  async function keep(): Promise<void> {
    for (;;) {
      const reason = await Promise.race([session.ended, session.unanswered(everyMs, released.signal)]);
      if (released.signal.aborted) return await new Promise(() => {});
      // PostgreSQL released the lock: from that moment another program could take it.
      if (reason === "ended") return;
      session.destroy();
      const again = await takeAgain();
      if (again === "taken by another") return;
    }
  }

  async function takeAgain(): Promise<"held" | "taken by another"> {
    for (;;) {
      try {
        session = await openSession(connection, dataDir, ours);
        if (released.signal.aborted) await session.close();
        return "held";
      } catch (error) {
        if (error instanceof DataFolderInUse) return "taken by another";
        if (released.signal.aborted) return "held";
        await delay(secondMs, undefined, { ref: false });
      }
    }
  }

  return {
    lost,
    async release() {
      released.abort();
      await session.close();
    },
  };
}

interface Session {
  /** The server ended the session. */
  ended: Promise<"ended">;
  /** Pings the server every `everyMs`, and resolves once it does not answer, or when `stopped`. */
  unanswered(everyMs: number, stopped: AbortSignal): Promise<"unanswered">;
  close(): Promise<void>;
  destroy(): void;
}

async function openSession(connection: ClientConfig, dataDir: string, ours: Set<number>): Promise<Session> {
  const client = new Client({
    ...connection,
    application_name: `${namePrefix}${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  const ended = new Promise<"ended">((resolve) => client.once("end", () => resolve("ended")));
  client.on("error", () => {});
  const destroy = () => destroyConnection(client);
  try {
    await client.connect();
    const key = lockKey(dataDir);
    const take = async () =>
      (await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])).rows[0]?.taken === true;
    // Tried again if it was released in this moment, or if our own earlier session held it.
    for (let tries = 1; !(await take()); tries++) {
      const holder = await findHolder(client, key);
      const isOurs = holder !== undefined && ours.has(holder.backend);
      if (tries === 3 || (holder && !isOurs))
        throw new DataFolderInUse(dataDir, holder?.name.startsWith(namePrefix) ? holder.name.slice(namePrefix.length) : undefined);
      // The server does not know yet that its client is gone.
      if (isOurs) await client.query("select pg_terminate_backend($1, $2)", [holder.backend, answerTimeoutMs / 2]);
    }
    ours.add((await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid);
  } catch (error) {
    destroy();
    throw error;
  }
  return {
    ended,
    async unanswered(everyMs, stopped) {
      while (!stopped.aborted) {
        await delay(everyMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
        if (
          !stopped.aborted &&
          !(await client.query("select 1").then(
            () => true,
            () => false,
          ))
        )
          break;
      }
      return "unanswered";
    },
    // A dead server never answers a polite goodbye.
    close: async () => {
      await Promise.race([client.end().catch(() => undefined), delay(secondMs, undefined, { ref: false })]);
      destroy();
    },
    destroy,
  };
}

/** Includes the folder and the machine: one database may serve several machines, each with a data folder. */
function lockKey(dataDir: string): string {
  return createHash("sha256")
    .update(`slipway data folder\0${hostname()}\0${realpathSync(dataDir)}`)
    .digest()
    .readBigInt64BE()
    .toString();
}

async function findHolder(client: Client, key: string): Promise<{ name: string; backend: number } | undefined> {
  const { rows } = await client.query<{ name: string; backend: number }>(
    `select application_name as name, pid as backend from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1 and pg_locks.database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = $1`,
    [key],
  );
  return rows[0];
}
