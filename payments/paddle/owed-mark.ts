/**
 * Time that is owed and about to be charged, kept with Paddle's customer from before the resumption until after the charge: a process that
 * ends in between loses it nowhere else. Not with the subscription, since of a paused one Paddle lets only the items be changed
 * (developer.paddle.com/errors/subscriptions/subscription_only_update_items_on_paused_subscription, read 2026-11-29).
 */
import type { CustomData, Paddle } from "@paddle/paddle-node-sdk";
import { after, minuteMs } from "#platform/clock.ts";
import type { UnpaidTime } from "../payment-provider.ts";
import { asked } from "./paddle-errors.ts";

/** Longer than a resumption takes, also after its caller has stopped waiting: two that charge together could charge twice. */
const resumingMs = 10 * minuteMs;

interface Mark {
  subscription: string;
  from: string;
  to: string;
  at: string;
}

/** What is owed for the subscription since a resumption that ended before its charge; null if nothing, or if it may still be under way. */
export function abandonedDebt(custom: CustomData | null | undefined, subscriptionId: string, now: Date): UnpaidTime | null {
  const { subscription, from, to, at } = ((custom as Record<string, unknown> | null)?.["owed"] ?? {}) as Partial<Mark>;
  if (subscription !== subscriptionId || !from || !to || !at || now <= after(new Date(at), resumingMs)) return null;
  const debt = { from: new Date(from), to: new Date(to) };
  return debt.from < debt.to ? debt : null;
}

/** Keeps the debt, or removes what is kept if null; whatever else is kept with the customer stays. */
export async function keepDebt(paddle: Paddle, customerId: string, id: string, debt: UnpaidTime | null, now: Date): Promise<void> {
  const { customData } = await asked(() => paddle.customers.get(customerId));
  const { owed: before, ...rest } = (customData ?? {}) as Record<string, unknown>;
  const mark: Mark | null = debt && { subscription: id, from: debt.from.toISOString(), to: debt.to.toISOString(), at: now.toISOString() };
  if (mark === null && (before as Mark | undefined)?.subscription !== id) return;
  await asked(() => paddle.customers.update(customerId, { customData: mark ? { ...rest, owed: mark } : rest }));
}
