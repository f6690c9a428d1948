/**
 * Notifications between processes with PostgreSQL's LISTEN: one session for a whole process, which is rebuilt when lost.
 * A notification is only a hint: notifications during a gap are lost, hence `onReconnect`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Client, escapeIdentifier, type ClientConfig } from "pg";
import { secondMs } from "../clock.ts";
import { destroyConnection } from "../database.ts";
import type { Log } from "../log.ts";
import { limitSession, sessionLimits } from "./session-limits.ts";

interface Subscription {
  channels: readonly string[];
  onNotify(channel: string, payload: string): void;
  /** Called once the channels are open again after a gap: check everything, a notification may have been missed. */
  onReconnect(): void;
}

export interface Listener {
  close(): Promise<void>;
}

/** The notifications of a process, in one session for all its parts. The session is opened for the first listener and ended after the last. */
export interface Notifications {
  /**
   * Listens on `channels` until closed; resolves once it does. Rejects if the database cannot be reached now; later losses are repaired in
   * the background, with a growing wait of at most 5 s.
   */
  listen(subscription: Subscription): Promise<Listener>;
}

interface Server {
  connection: ClientConfig;
  log: Log;
}

const firstRetryMs = 100;
const longestRetryMs = 5 * secondMs;
/** A peer that vanished silently (a pulled cable, a paused host) is noticed within the sum of these two. */
const pingEveryMs = 15 * secondMs;
const answerTimeoutMs = sessionLimits.listen.silenceMs;
/** A new session has to be opened, and given its limits. */
const joinTimeoutMs = 2 * answerTimeoutMs;

/** Opens nothing before the first `listen`. */
export function createNotifications({ connection, log }: Server): Notifications {
  // A part that is about to join keeps the session too, and may be notified before it knows that it has joined.
  const wanted = new Set<Subscription>();
  const joined = new Set<Subscription>();
  let session: Session | undefined;

  const channelsInUse = (): string[] => [...new Set([...joined].flatMap(({ channels }) => channels))];
  const isUnused = (channel: string): boolean => ![...wanted].some(({ channels }) => channels.includes(channel));

  /** A part's error must not end the listening, nor keep the notification from the other parts. */
  function report(to: Iterable<Subscription>, call: (each: Subscription) => void): void {
    for (const each of to)
      try {
        call(each);
      } catch (error) {
        log.error({ err: error }, "handling a notification failed");
      }
  }

  const open = (): Session =>
    keepSession(
      { connection, log },
      {
        channels: channelsInUse,
        onNotify: (channel, payload) =>
          report(wanted, (each) => {
            if (each.channels.includes(channel)) each.onNotify(channel, payload);
          }),
        onReconnect: () => report(joined, (each) => each.onReconnect()),
      },
    );

  async function leave(subscription: Subscription): Promise<void> {
    joined.delete(subscription);
    if (!wanted.delete(subscription)) return;
    const current = session;
    if (wanted.size > 0) return current?.ignore(subscription.channels.filter(isUnused));
    session = undefined;
    await current?.close();
  }

  return {
    async listen(subscription) {
      wanted.add(subscription);
      try {
        await (session ??= open()).hear(subscription.channels, () => joined.add(subscription));
      } catch (error) {
        await leave(subscription);
        throw error;
      }
      return { close: () => leave(subscription) };
    },
  };
}

interface Session {
  /**
   * Opens the channels, then calls `onHearing`: from then on a rebuilt connection opens them again. Rejects if the first connection fails, or
   * if a lost one is not back in time.
   */
  hear(channels: readonly string[], onHearing: () => void): Promise<void>;
  /** Closes channels that no part needs any more. */
  ignore(channels: readonly string[]): void;
  close(): Promise<void>;
}

interface Hearing {
  /** Those that a rebuilt connection opens. */
  channels(): string[];
  onNotify(channel: string, payload: string): void;
  onReconnect(): void;
}

/** A session that is rebuilt until it is closed, unless its first connection fails. */
function keepSession(server: Server, hearing: Hearing): Session {
  const stopping = new AbortController();
  // Replaced when the connection is lost, and resolved by the next one.
  let current = awaitable();
  const running = keep(stopping.signal);

  async function keep(stopped: AbortSignal): Promise<void> {
    let connected: Connected | undefined;
    try {
      connected = await connect(server, hearing);
    } catch (error) {
      current.reject(error);
    }
    while (connected) {
      current.resolve(connected);
      const reason = await lostOrStopped(connected, stopped);
      current = awaitable();
      await connected.end();
      if (stopped.aborted) break;
      server.log.warn({ err: reason, channels: hearing.channels() }, "the notification connection was lost");
      connected = await reconnect(server, hearing, stopped);
      if (connected && !stopped.aborted) hearing.onReconnect();
    }
    if (stopped.aborted) current.reject(new Error("the notification connection was closed"));
  }

  return {
    async hear(channels, onHearing) {
      const connected = await inTime(current.promise);
      await connected.listen(channels);
      onHearing();
    },
    ignore: (channels) => void current.promise.then((connected) => connected.unlisten(channels)).catch(() => undefined),
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** A promise that may be rejected while nothing waits for it. */
function awaitable(): PromiseWithResolvers<Connected> {
  const made = Promise.withResolvers<Connected>();
  made.promise.catch(() => undefined);
  return made;
}

async function inTime(connecting: Promise<Connected>): Promise<Connected> {
  const waited = new AbortController();
  const late = delay(joinTimeoutMs, undefined, { signal: waited.signal, ref: false }).then(() => {
    throw new Error(`the database has not answered for ${joinTimeoutMs} ms`);
  });
  try {
    return await Promise.race([connecting, late]);
  } finally {
    late.catch(() => undefined);
    waited.abort();
  }
}

/** A new connection, however long it takes; undefined once `stopped`. */
async function reconnect(server: Server, hearing: Hearing, stopped: AbortSignal): Promise<Connected | undefined> {
  for (let waitMs = firstRetryMs; !stopped.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
    try {
      return await connect(server, hearing);
    } catch (error) {
      server.log.debug({ err: error, waitMs }, "no notification connection yet");
      await delay(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return undefined;
}

interface Connected {
  /** Resolves with the reason when the connection ends or stops answering. */
  lost: Promise<unknown>;
  /** Rejects if the connection is lost. */
  listen(channels: readonly string[]): Promise<void>;
  unlisten(channels: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

async function connect({ connection }: Server, hearing: Hearing): Promise<Connected> {
  const client = new Client({
    application_name: "slipway listen",
    ...connection,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  });
  const loss = Promise.withResolvers<unknown>();
  client.on("error", loss.resolve);
  client.on("end", () => loss.resolve(new Error("the server ended the connection")));
  client.on("notification", ({ channel, payload }) => hearing.onNotify(channel, payload ?? ""));
  let last: Promise<unknown> = Promise.resolve();
  /** Statements of several parts, one after the other in the order of the calls. One that fails ends the connection. */
  const run = (statements: readonly string[]): Promise<void> => {
    const done = last.then(async () => {
      for (const statement of statements) await client.query(statement);
    });
    last = done.catch(loss.resolve);
    return done;
  };
  const forEach = (command: "LISTEN" | "UNLISTEN", channels: readonly string[]): Promise<void> =>
    run(channels.map((channel) => `${command} ${escapeIdentifier(channel)}`));
  try {
    await client.connect();
    await limitSession(client, sessionLimits.listen);
    await forEach("LISTEN", hearing.channels());
  } catch (error) {
    destroyConnection(client);
    throw error;
  }
  const ping = setInterval(() => void run(["SELECT 1"]).catch(() => undefined), pingEveryMs);
  return {
    lost: loss.promise,
    listen: (channels) => forEach("LISTEN", channels),
    unlisten: (channels) => forEach("UNLISTEN", channels),
    end: async () => {
      clearInterval(ping);
      // A dead peer never answers a polite goodbye.
      await Promise.race([client.end().catch(() => undefined), delay(secondMs, undefined, { ref: false })]);
      destroyConnection(client);
    },
  };
}

async function lostOrStopped(connected: Connected, stopped: AbortSignal): Promise<unknown> {
  if (stopped.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  stopped.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([connected.lost, promise]);
  } finally {
    stopped.removeEventListener("abort", onAbort);
  }
}
