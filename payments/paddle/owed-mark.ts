/**
 * Time that is owed and about to be charged, kept with Paddle's customer from before the resumption until after the charge: a process that
 * ends in between loses it nowhere else. Not with the subscription, since of a paused one Paddle lets only the items be changed
 * (developer.paddle.com/errors/subscriptions/subscription_only_update_items_on_paused_subscription, read 2026-11-29).
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { CustomData, Paddle } from "@paddle/paddle-node-sdk";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import type { UnpaidTime } from "../payment-provider.ts";
import { asked } from "./paddle-errors.ts";

/** Longer than a resumption takes, also after its caller has stopped waiting: two that charge together could charge twice. */
const resumingMs = 10 * minuteMs;
/** Longer than it usually takes from reading a customer to writing it: of several who claim a debt, the last to write finds its own name. */
const claimSettlesMs = 2 * secondMs;

interface Mark {
  from: string;
  to: string;
  at: string;
  /** Which piece of work wrote it. */
  by: string;
}

/** What is owed for the subscription since a resumption that ended before its charge; null if nothing, or if it may still be under way. */
export function abandonedDebt(custom: CustomData | null | undefined, subscriptionId: string, now: Date): UnpaidTime | null {
  const { from, to, at } = marksIn(custom)[subscriptionId] ?? {};
  if (!from || !to || !at || now <= after(new Date(at), resumingMs)) return null;
  const debt = { from: new Date(from), to: new Date(to) };
  return debt.from < debt.to ? debt : null;
}

/** By subscription. */
function marksIn(custom: CustomData | null | undefined): Record<string, Partial<Mark> | undefined> {
  const owed = (custom as Record<string, unknown> | null)?.["owed"];
  return typeof owed === "object" && owed !== null ? (owed as Record<string, Partial<Mark>>) : {};
}

/** Keeps the debt, or removes what is kept if null; whatever else is kept with the customer stays. */
export async function keepDebt(paddle: Paddle, customerId: string, id: string, debt: UnpaidTime | null, now: Date): Promise<void> {
  const { customData } = await asked(() => paddle.customers.get(customerId));
  if (debt || marksIn(customData)[id]) await writeMark(paddle, customerId, customData, id, debt && markOf(debt, now));
}

/**
 * Takes an abandoned debt for this work to charge: for others it is under way again for ten minutes. Returns null if it is not abandoned
 * any more, or if another process claimed it at the same time. Takes two seconds.
 */
export async function claimDebt(paddle: Paddle, customerId: string, id: string, now: Date): Promise<UnpaidTime | null> {
  const { customData } = await asked(() => paddle.customers.get(customerId));
  const debt = abandonedDebt(customData, id, now);
  if (!debt) return null;
  const mark = markOf(debt, now);
  await writeMark(paddle, customerId, customData, id, mark);
  // Paddle has no write that depends on what is there. One that read before this was written has written by then.
  await delay(claimSettlesMs);
  const written = await asked(() => paddle.customers.get(customerId));
  return marksIn(written.customData)[id]?.by === mark.by ? debt : null;
}

const markOf = ({ from, to }: UnpaidTime, now: Date): Mark => ({
  from: from.toISOString(),
  to: to.toISOString(),
  at: now.toISOString(),
  by: randomUUID(),
});

/** Replaces the subscription's mark, or removes it if null. Custom data are one value: what they contain besides is written again. */
async function writeMark(paddle: Paddle, customerId: string, before: CustomData | null, id: string, mark: Mark | null): Promise<void> {
  const { owed: _owed, ...rest } = (before ?? {}) as Record<string, unknown>;
  const { [id]: _replaced, ...others } = marksIn(before);
  const owed = mark ? { ...others, [id]: mark } : others;
  await asked(() => paddle.customers.update(customerId, { customData: Object.keys(owed).length > 0 ? { ...rest, owed } : rest }));
}
