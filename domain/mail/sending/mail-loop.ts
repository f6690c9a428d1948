/**
 * Sends the mails of the outbox. Notifications make it fast, periodic sweeps make it reliable: a missed notification costs
 * seconds, never a mail. Any number of processes may run a loop; each mail is claimed by one of them at a time.
 */
import { setTimeout as delay } from "node:timers/promises";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Notifications } from "#platform/postgres/listen.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { deliverMail, type Delivery } from "./deliver-mail.ts";
import { createMailStore, mailQueuedChannel } from "../mail-store.ts";
import { createSlowDown } from "./slow-down.ts";
import type { MailTransport } from "./transport.ts";

interface MailLoopOptions {
  db: Database;
  notifications: Notifications;
  /** Owned by the loop: closed by `stop`. */
  transport: MailTransport;
  clock: Clock;
  log: Log;
  tracer?: Tracer | null;
  rounds?: Rounds | undefined;
}

export interface MailLoop {
  /** Checks the outbox now. */
  wake(): void;
  /** Takes no new mail, gives those being sent 10 s to finish, then resolves. */
  stop(): Promise<void>;
}

const sweepEveryMs = 5 * secondMs;
/** Two renewals may fail before a lease runs out. */
const renewEveryMs = 6 * secondMs;
/** One for each SMTP connection that is kept open. */
const sendingAtOnce = 5;
const stopTimeoutMs = 10 * secondMs;

/** Starts sending; resolves once it listens for notifications, and rejects if the database cannot be reached. */
export async function startMailLoop(options: MailLoopOptions): Promise<MailLoop> {
  const abort = new AbortController();
  const store = createMailStore(options.db);
  const slowDown = createSlowDown(options);
  const sending = createSending({ ...options, store, slowDown, signal: abort.signal }, options.rounds);
  const listener = await options.notifications.listen({
    channels: [mailQueuedChannel],
    onNotify: sending.wake,
    onReconnect: sending.wake,
  });
  const renewal = setInterval(sending.renew, renewEveryMs);
  sending.start(sweepEveryMs);
  return {
    wake: sending.wake,
    stop: async () => {
      await listener.close();
      await Promise.race([sending.finish(), delay(stopTimeoutMs, undefined, { ref: false })]);
      clearInterval(renewal);
      abort.abort();
      await sending.finish();
      options.transport.close();
    },
  };
}

/** The mails being sent by this process. */
function createSending(delivery: Delivery, rounds: Rounds | undefined) {
  const { store, clock, log, slowDown } = delivery;
  const underWay = new Map<string, Promise<void>>();
  const loop = createWakeLoop({
    work: claimAndSend,
    followed: { by: rounds, name: "mails" },
    onError: (error) => log.error({ err: error }, "the outbox could not be read; the next sweep tries again"),
  });

  async function claimAndSend(): Promise<void> {
    const room = slowDown.room(sendingAtOnce, underWay.size);
    // Full: the next mail that finishes wakes us again. Slowed down: a sweep does.
    if (room <= 0) return;
    for (const mail of await store.claim(clock.now(), room)) send(mail);
  }

  function send(mail: Parameters<typeof deliverMail>[0]): void {
    // Our own lease ran out while the database was unavailable: the mail is still ours.
    if (underWay.has(mail.id)) return;
    const delivered = deliverMail(mail, delivery).finally(() => {
      underWay.delete(mail.id);
      loop.wake();
    });
    underWay.set(mail.id, delivered);
  }

  /** A slow server gets its time: the lease is extended, so that no other process sends the mail. */
  function renew(): void {
    if (underWay.size === 0) return;
    store.renew([...underWay.keys()], clock.now()).catch((error: unknown) => {
      log.error({ err: error }, "the lease of mails being sent could not be renewed");
    });
  }

  async function finish(): Promise<void> {
    await loop.stop();
    await Promise.all(underWay.values());
  }

  return { wake: loop.wake, start: loop.start, renew, finish };
}
