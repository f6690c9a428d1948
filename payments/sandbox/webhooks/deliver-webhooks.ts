/** Delivers events as a provider on the web does: signed, over HTTP, with retries until they arrive. */
import { after, dayMs, hourMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { readControls } from "./webhook-controls.ts";
import { signatureHeader, signWebhook } from "./webhook-signature.ts";
import { claimWebhook, markArrived, markFailed, type WebhookRow } from "./webhook-store.ts";

/** Posts a body and resolves with the status; rejects if there is no answer. */
export type PostWebhook = (headers: Record<string, string>, rawBody: Buffer) => Promise<number>;

interface Delivery {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: readonly Buffer[];
  post: PostWebhook;
}

const longestPauseMs = hourMs;
/** As long as Stripe and Paddle retry. */
const giveUpAfterMs = 3 * dayMs;

/** Delivers due events one after the other until none is left; resolves with the number delivered. */
export async function deliverDue(delivery: Delivery): Promise<number> {
  const { db, clock } = delivery;
  let arrived = 0;
  for (;;) {
    const { reorder } = await readControls(db);
    const webhook = await claimWebhook(db, clock.now(), reorder);
    if (!webhook) return arrived;
    arrived += await deliverOne(delivery, webhook);
  }
}

async function deliverOne({ db, clock, log, secrets, post }: Delivery, webhook: WebhookRow): Promise<number> {
  const rawBody = Buffer.from(JSON.stringify(webhook.payload));
  const now = clock.now();
  try {
    const status = await post({ "content-type": "application/json", [signatureHeader]: signWebhook(secrets, rawBody, now) }, rawBody);
    if (status < 200 || status > 299) throw new Error(`the receiver answered with ${status}`);
    await markArrived(db, webhook.id, clock.now());
    return 1;
  } catch (error) {
    const pauseMs = Math.min(longestPauseMs, secondMs * 2 ** webhook.attempts);
    const isOver = now.getTime() - webhook.occurredAt.getTime() > giveUpAfterMs && webhook.attempts > 10;
    log.warn({ err: error, webhook: webhook.id, attempts: webhook.attempts + 1 }, "a sandbox webhook could not be delivered");
    await markFailed(db, webhook.id, isOver ? null : after(clock.now(), pauseMs), String(error));
    return 0;
  }
}
