/**
 * One program per data folder, and one worker per host's workspaces: locks in the database, which PostgreSQL releases
 * automatically when their holder dies. They also end with their session when PostgreSQL restarts: then they are taken again, and what
 * they protect waits until they are (platform/postgres/fenced-database.ts).
 */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Client, type ClientConfig } from "pg";
import { secondMs } from "../../clock.ts";
import { destroyConnection, type Connection } from "../../database.ts";
import { StartTrouble } from "../../start-trouble.ts";
import { limitSession, sessionLimits } from "../session-limits.ts";

export class DataFolderInUse extends StartTrouble {
  constructor(dataDir: string, pid: string | undefined) {
    super(
      `The data folder ${dataDir} is in use by another Slipway${pid ? ` (process ${pid})` : ""}. Stop that one first, or choose another DATA_DIR.`,
    );
    this.name = "DataFolderInUse";
  }
}

/** Another worker already runs the host's workspaces, which are its processes or containers. */
class WorkspacesInUse extends StartTrouble {
  constructor(host: string, holder: Holder | undefined) {
    const whose = host === firstHost ? "this service's workspaces" : `the workspaces of host ${host}`;
    super(
      `Another worker runs ${whose}${holder ? ` (${holder.name})` : ""}. Stop that worker first, or give this host another name (HOST_NAME).${
        holder ? ` If its host is gone, end its database session: select pg_terminate_backend(${holder.backend})` : ""
      }`,
    );
    this.name = "WorkspacesInUse";
  }
}

export interface HeldLock {
  /** Releases the lock if the database keeps running; stopping the embedded database releases it as well. */
  release(): Promise<void>;
  /** Resolves while this process has the lock. In the meantime, another one may have taken it. */
  held(): Promise<void>;
  /** Resolves with a sentence when another process has the lock. Never after `release`. */
  lost: Promise<string>;
}

/** The session of a process that protects nothing: `isOnlyProgram` of the others counts it. */
interface Presence extends Pick<HeldLock, "release"> {
  isOnlyProgram(): Promise<boolean>;
}

interface DataFolderLock extends HeldLock {
  /** Whether no other process of the service, on any machine, is connected to this database. False if the database doesn't answer. */
  isOnlyProgram(): Promise<boolean>;
}

interface Lock {
  /** Null: the session takes no lock. */
  key: string | null;
  /** The session's name in PostgreSQL, for operators and for the messages of those it refuses. */
  sessionName: string;
  refusal(holder: Holder | undefined): StartTrouble;
}

const namePrefix = "slipway data folder, process ";
const presencePrefix = "slipway process ";
const answerTimeoutMs = sessionLimits.lock.silenceMs;
/** Short, because another program that starts meanwhile would get the lock. A restart takes PostgreSQL a second or more. */
const takeAgainEveryMs = secondMs / 4;

interface Pings {
  everyMs: number;
  /** A server that takes longer to answer one counts as silent. */
  answerWithinMs: number;
}

/** A session that died silently is noticed within the sum of these two; then the lock is taken again. */
const usualPings: Pings = { everyMs: 10 * secondMs, answerWithinMs: answerTimeoutMs };

/**
 * Locks the data folder for this process, in a separate session; refuses with DataFolderInUse. A refused caller must
 * leave the embedded database running: it serves the other one. Ends no other program's session, so any number may try.
 * If the server restarts or stops answering (frozen, failed over, packets dropped), the lock is taken again as soon as possible.
 */
export function acquireDataFolder(connection: ClientConfig, dataDir: string, pings: Pings = usualPings): Promise<DataFolderLock> {
  const refusal = (holder: Holder | undefined) =>
    new DataFolderInUse(dataDir, holder?.name.startsWith(namePrefix) ? holder.name.slice(namePrefix.length) : undefined);
  return acquire(connection, { key: lockKey(dataDir), sessionName: `${namePrefix}${process.pid}`, refusal }, pings);
}

/** For a process that writes nothing into its data folder: opens the session that tells the other processes of the service about it. */
export function announceProcess(connection: ClientConfig): Promise<Presence> {
  const refusal = (): StartTrouble => new StartTrouble("A session without a lock is never refused.");
  return acquire(connection, { key: null, sessionName: `${presencePrefix}${process.pid}`, refusal }, usualPings);
}

/**
 * When the oldest session began that says that a process of the service is connected; null: none is. A session begins with its process, or
 * later when PostgreSQL was restarted since.
 */
export async function startOfOldestProgram(db: Pick<Connection, "execute">): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | null }>(
    sql`select extract(epoch from min(backend_start)) * 1000 as at from pg_stat_activity
        where datname = current_database()
          and (starts_with(application_name, ${namePrefix}) or starts_with(application_name, ${presencePrefix}))`,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(Number(at));
}

/** An arbitrary number that must never change: releases with different numbers could run the same workspaces twice. For the first host. */
const workspacesKey = "7236493";
const firstHost = "main";
/** PostgreSQL cuts off what is longer. */
const longestSessionName = 63;

/**
 * Makes this process the only worker of the host's workspaces; refuses with WorkspacesInUse. Two workers would each start every workspace
 * of the host, on different disks.
 */
export function acquireWorkspaces(connection: ClientConfig, host = firstHost): Promise<HeldLock> {
  const sessionName = `slipway worker, process ${process.pid} on ${hostname()}`.slice(0, longestSessionName);
  return acquire(
    connection,
    {
      key: host === firstHost ? workspacesKey : keyOf(`slipway host\0${host}`),
      sessionName,
      refusal: (holder) => new WorkspacesInUse(host, holder),
    },
    usualPings,
  );
}

async function acquire(connection: ClientConfig, lock: Lock, pings: Pings): Promise<DataFolderLock> {
  const released = new AbortController();
  // The backends that held the lock for this call: two programs in containers may both be process 1.
  const ours = new Set<string>();
  let session = await openSession(connection, lock, ours);
  // Resolved while the lock is held.
  let holding = Promise.withResolvers<void>();
  holding.resolve();
  const lost = keep();

  /** Resolves once the lock will not come back; never after `release`. */
  async function keep(): Promise<string> {
    for (;;) {
      await Promise.race([session.ended, session.unanswered(pings, released.signal)]);
      if (released.signal.aborted) return await new Promise(() => {});
      // The server released the lock, or may have been replaced by one that never knew of it: another program could have it.
      holding = Promise.withResolvers<void>();
      session.destroy();
      const gone = await takeAgain();
      if (gone !== null) return gone;
      holding.resolve();
    }
  }

  async function takeAgain(): Promise<string | null> {
    for (;;) {
      try {
        session = await openSession(connection, lock, ours);
        if (released.signal.aborted) await session.close();
        return null;
      } catch (error) {
        if (released.signal.aborted) return null;
        if (error instanceof StartTrouble) return error.message;
        await delay(takeAgainEveryMs, undefined, { ref: false });
      }
    }
  }

  return {
    lost,
    held: () => holding.promise,
    isOnlyProgram: () => session.isAlone(ours).catch(() => false),
    async release() {
      released.abort();
      await session.close();
    },
  };
}

interface Session {
  /** The server ended the session. */
  ended: Promise<"ended">;
  /** Pings the server, and resolves once it does not answer, or when `stopped`. */
  unanswered(pings: Pings, stopped: AbortSignal): Promise<"unanswered">;
  /** Whether only the sessions of these backends hold a data folder. */
  isAlone(ours: ReadonlySet<string>): Promise<boolean>;
  close(): Promise<void>;
  destroy(): void;
}

async function openSession(connection: ClientConfig, { key, sessionName, refusal }: Lock, ours: Set<string>): Promise<Session> {
  const client = new Client({
    ...connection,
    application_name: sessionName,
    keepAlive: true,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  const ended = new Promise<"ended">((resolve) => client.once("end", () => resolve("ended")));
  client.on("error", () => {});
  const destroy = () => destroyConnection(client);
  try {
    await client.connect();
    await limitSession(client, sessionLimits.lock);
    const take = async () =>
      (await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])).rows[0]?.taken === true;
    const patientUntil = performance.now() + answerTimeoutMs;
    // Tried again if it was released in this moment, or if our own earlier session held it.
    for (let tries = 1; key !== null && !(await take()); tries++) {
      const holder = await findLivingHolder(client, key, patientUntil);
      const isOurs = holder !== undefined && ours.has(holder.session);
      if (tries === 3 || (holder && !isOurs)) throw refusal(holder);
      // The server does not know yet that its client is gone.
      if (isOurs) await client.query("select pg_terminate_backend($1, $2)", [holder.backend, answerTimeoutMs / 2]);
    }
    const own = await client.query<{ session: string }>(
      `select ${sessionId} as session from pg_stat_activity where pid = pg_backend_pid()`,
    );
    ours.add(own.rows[0]!.session);
  } catch (error) {
    destroy();
    throw error;
  }
  return {
    ended,
    async unanswered({ everyMs, answerWithinMs }, stopped) {
      // pg documents this limit; its types lack it.
      const ping = { text: "select 1", query_timeout: answerWithinMs };
      while (!stopped.aborted) {
        await delay(everyMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
        if (
          !stopped.aborted &&
          !(await client.query(ping).then(
            () => true,
            () => false,
          ))
        )
          break;
      }
      return "unanswered";
    },
    isAlone: async (known) => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and (starts_with(application_name, $1) or starts_with(application_name, $2))
           and not ${sessionId} = any($3) limit 1`,
        [namePrefix, presencePrefix, [...known]],
      );
      return rows.length === 0;
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
  return keyOf(`slipway data folder\0${hostname()}\0${realpathSync(dataDir)}`);
}

const keyOf = (name: string): string => createHash("sha256").update(name).digest().readBigInt64BE().toString();

interface Holder {
  /** Its session's name. */
  name: string;
  /** The process number of its PostgreSQL backend. */
  backend: number;
  /** Of all sessions that ever were: a restarted server gives the same process numbers again, and another program may get ours. */
  session: string;
}
const sessionId = "(pid || ' ' || backend_start)";

/** On a busy machine the server learns late that a holder's program was killed: wait for such a holder until then. */
async function findLivingHolder(client: Client, key: string, untilMs: number): Promise<Holder | undefined> {
  for (;;) {
    const holder = await findHolder(client, key);
    if (!holder || !isKilled(holder) || performance.now() >= untilMs) return holder;
    await delay(100);
  }
}

/** Whether its session names a process of this machine that is gone. */
function isKilled({ name }: Holder): boolean {
  const [, pid, host = hostname()] = /, process (\d+)(?: on (.+))?$/.exec(name) ?? [];
  if (pid === undefined || !hostname().startsWith(host)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

async function findHolder(client: Client, key: string): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select application_name as name, pid as backend, ${sessionId} as session from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1 and pg_locks.database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = $1`,
    [key],
  );
  return rows[0];
}
