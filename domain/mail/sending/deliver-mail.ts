/**
 * Delivers one mail from the outbox.
 *
 * What SMTP can guarantee: a server may deliver a mail as soon as it has read the message's end. We know that it
 * does when its 250 arrives, and we have recorded it when our statement `markSent` has committed. A process that dies before the
 * end of the message leaves nothing at the server. A process that dies between that end and our commit (the server's processing,
 * its answer on the wire, one commit) leaves a mail that may be out and is not marked. No protocol closes
 * that gap from one side (RFC 1047), so the choice is between possibly twice and possibly never; marking a mail before
 * its end would only swap the two. We send again, and keep duplicates few and harmless. The gap contains one statement
 * of ours and nothing else. At most five mails of a process are in it at a time. The Message-ID is the mail's id, by
 * which mailboxes merge copies. A process told to stop finishes what it has begun. With the development inbox that
 * statement is the delivery, and there is no gap.
 */
import { setTimeout as delay } from "node:timers/promises";
import { after, hourMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { continueTrace, type Span, type Tracer } from "#platform/tracing/tracer.ts";
import type { MailStore } from "../mail-store.ts";
import type { QueuedMail } from "../mail.ts";
import type { SlowDown } from "./slow-down.ts";
import type { MailTransport } from "./transport.ts";

export interface Delivery {
  store: MailStore;
  transport: MailTransport;
  clock: Clock;
  log: Log;
  tracer?: Tracer | null;
  slowDown: SlowDown;
  /** Aborts the attempt, and the waiting for the database after it. */
  signal: AbortSignal;
}

/** Waits between attempts; the last one repeats. */
const retryWaitsMs = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs];
/** With the waits above, over four days, as RFC 5321, 4.5.4.1 asks for: longer than a weekend in which a full mailbox goes unnoticed. */
export const mostAttempts = 53;
const longestErrorLength = 500;

/** Sends a claimed mail and records the result; never rejects. */
export function deliverMail(mail: QueuedMail, delivery: Delivery): Promise<void> {
  const span = continueTrace(delivery.tracer, mail.traceparent ?? null, "mail", { "slipway.attempt": mail.attempts + 1 });
  return asSpan({}, span, () => deliver(mail, delivery, span));
}

async function deliver(mail: QueuedMail, delivery: Delivery, span: Span | null): Promise<void> {
  const { store, transport, clock, log, slowDown, signal } = delivery;
  try {
    await transport.send(mail, signal);
  } catch (error) {
    span?.end("not-sent");
    // We stopped it ourselves, so it is not a failure. The lease runs out and the mail is due again.
    if (!signal.aborted) await recordFailure(mail, error, delivery);
    return;
  }
  slowDown.sent();
  await untilRecorded(delivery, () => store.markSent(mail.id, clock.now(), transport.keepsBody));
  log.info({ mailId: mail.id, attempts: mail.attempts + 1 }, "a mail was sent");
}

/** The wait after this many failed attempts. */
export function retryWaitMs(attempts: number): number {
  return retryWaitsMs[Math.min(attempts, retryWaitsMs.length) - 1] ?? 0;
}

async function recordFailure(mail: QueuedMail, error: unknown, delivery: Delivery): Promise<void> {
  const { store, clock, log, slowDown } = delivery;
  const attempts = mail.attempts + 1;
  const reason = reasonOf(error);
  const consequence = slowDown.failed(mail.recipient, error);
  if (typeof consequence === "object") {
    const { heldUntil } = consequence;
    log.warn({ mailId: mail.id, heldUntil, reason }, "a mail waits for the mail server");
    return untilRecorded(delivery, () => store.markHeld(mail.id, heldUntil, reason));
  }
  if (consequence === "give-up" || attempts >= mostAttempts) {
    log.error({ mailId: mail.id, attempts, reason }, "a mail was given up");
    return untilRecorded(delivery, () => store.markFailed(mail.id, clock.now(), reason));
  }
  const waitMs = retryWaitMs(attempts);
  log.warn({ mailId: mail.id, attempts, waitMs, reason }, "a mail could not be sent; it will be retried");
  return untilRecorded(delivery, () => store.markRetry(mail.id, after(clock.now(), waitMs), reason));
}

/** Keeps trying while the database is unavailable: a mail that is out but not marked would be sent twice. */
async function untilRecorded({ log, signal }: Delivery, record: () => Promise<void>): Promise<void> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 2 * secondMs)) {
    try {
      return await record();
    } catch (error) {
      log.error({ err: error }, "the outcome of a mail could not be recorded yet");
      if (signal.aborted) return;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** An error as one short line that PostgreSQL can store. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\p{Cc}+/gu, " ").slice(0, longestErrorLength);
}
