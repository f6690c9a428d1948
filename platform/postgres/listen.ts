/**
 * Notifications between processes with PostgreSQL's LISTEN, on a separate connection that is rebuilt when lost.
 * A notification is only a hint: notifications during a gap are lost, hence `onReconnect`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Client, escapeIdentifier, type ClientConfig } from "pg";
import { secondMs } from "../clock.ts";
import { destroyConnection } from "../database.ts";
import type { Log } from "../log.ts";
import { limitSession, sessionLimits } from "./session-limits.ts";

interface ListenOptions {
  connection: ClientConfig;
  channels: readonly string[];
  onNotify(channel: string, payload: string): void;
  /** Called once the channels are open again after a gap: check everything, a notification may have been missed. */
  onReconnect(): void;
  log: Log;
}

export interface Listener {
  close(): Promise<void>;
}

const firstRetryMs = 100;
const longestRetryMs = 5 * secondMs;
/** A peer that vanished silently (a pulled cable, a paused host) is noticed within the sum of these two. */
const pingEveryMs = 15 * secondMs;
const answerTimeoutMs = sessionLimits.listen.silenceMs;

/**
 * Listens on `channels` until closed; resolves once it does. Rejects only if the first connection fails; later losses
 * are repaired in the background, with a growing wait of at most 5 s.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const stopping = new AbortController();
  const first = await connect(options);
  const running = keepListening(options, first, stopping.signal);
  return {
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function keepListening(options: ListenOptions, first: Connected, stopped: AbortSignal): Promise<void> {
  let connected: Connected | undefined = first;
  while (connected) {
    const reason = await lostOrStopped(connected, stopped);
    await connected.end();
    if (stopped.aborted) return;
    options.log.warn({ err: reason, channels: options.channels }, "the notification connection was lost");
    connected = await reconnect(options, stopped);
    if (connected && !stopped.aborted) notifySafely(options, () => options.onReconnect());
  }
}

/** A new connection, however long it takes; undefined once `stopped`. */
async function reconnect(options: ListenOptions, stopped: AbortSignal): Promise<Connected | undefined> {
  for (let waitMs = firstRetryMs; !stopped.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
    try {
      return await connect(options);
    } catch (error) {
      options.log.debug({ err: error, waitMs }, "no notification connection yet");
      await delay(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return undefined;
}

interface Connected {
  /** Resolves with the reason when the connection ends or stops answering. */
  lost: Promise<unknown>;
  end(): Promise<void>;
}

async function connect(options: ListenOptions): Promise<Connected> {
  const client = new Client({
    application_name: "slipway listen",
    ...options.connection,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  });
  const loss = Promise.withResolvers<unknown>();
  client.on("error", loss.resolve);
  client.on("end", () => loss.resolve(new Error("the server ended the connection")));
  client.on("notification", ({ channel, payload }) => notifySafely(options, () => options.onNotify(channel, payload ?? "")));
  try {
    await client.connect();
    await limitSession(client, sessionLimits.listen);
    for (const channel of options.channels) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
  } catch (error) {
    destroyConnection(client);
    throw error;
  }
  const ping = setInterval(() => void client.query("SELECT 1").catch(loss.resolve), pingEveryMs);
  return {
    lost: loss.promise,
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

/** An error in a callback must not end the listening. */
function notifySafely(options: ListenOptions, call: () => void): void {
  try {
    call();
  } catch (error) {
    options.log.error({ err: error }, "handling a notification failed");
  }
}
