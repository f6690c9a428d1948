/** What the fake's calls share: the sandbox's tables behind them, and how a call is defined. */
import type { z } from "zod";
import type { Change } from "#payments/sandbox/calls/change-subscription.ts";
import type { Outcome } from "#payments/sandbox/calls/once.ts";
import { findCustomer, findSubscription, type CustomerRow, type SubscriptionRow } from "#payments/sandbox/sandbox-rows.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import type { IAdjustmentResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import type { SandboxHarness } from "../sandbox-harness.ts";
import { declined, notFound, refused } from "./paddle-fault.ts";

export interface OneTimeProduct {
  name: string;
  tax_category: string;
  custom_data: Record<string, unknown> | null;
}

export interface FakeWorld {
  harness: SandboxHarness;
  /** Addresses and businesses, by the path of their list. */
  kept: Map<string, { id: string }[]>;
  /** Where each transaction's checkout is shown. */
  pages: Map<string, string>;
  /** Requested and completed refunds by transaction, oldest first. */
  adjustments: Map<string, IAdjustmentResponse[]>;
  /** What staff added to subscriptions beside the plan, by subscription: ids of prices that are not in our catalogue. */
  others: Map<string, string[]>;
  /** The products of one-time charges, by transaction: they are in no catalogue. */
  products: Map<string, (OneTimeProduct | undefined)[]>;
  /** One-time charges that wait for their subscription's next renewal. Billed with it: see `billWaiting`. */
  waiting: Map<string, { product: OneTimeProduct; amount: number }[]>;
  /** Whether cards refuse one-time charges, such as for want of money after the renewal. */
  refusesCharges: boolean;
  /** The code with which Paddle itself refuses one-time charges; null: it does not. */
  chargeFault: string | null;
  /** What a discount of staff's takes off the plan of a subscription, in percent, which the sandbox's sums already contain, and since when. */
  discounts: Map<string, { percent: number; since: Date }>;
  /** Transactions of no subscription that staff made by hand, by customer. */
  byHand: Map<string, ITransactionResponse[]>;
  /** Custom data of customers beside the account. */
  customData: Map<string, Record<string, unknown>>;
  /** Requests that are carried out once without an answer, by "POST /subscriptions/…/resume" and the like. */
  unanswered: RegExp[];
  /** Requests whose answers, ready by then, are all sent once `left` of them have come. */
  together: { call: RegExp; left: number; met: PromiseWithResolvers<void> } | null;
  /** Customers that staff archived. */
  archived: Set<string>;
  /** Keys of prices that staff archived. */
  archivedPrices: Set<string>;
  /** Every request that was answered or refused, as "GET /subscriptions/sub_1". */
  asked: string[];
  /** The most requests that are answered in a minute of the harness's clock; null: any number. */
  mostPerMinute: number | null;
  /** Whether the seller has enabled automatic currency conversion (paddle-currency.ts). */
  converts: boolean;
}

export interface Call<Body extends z.ZodType = z.ZodType> {
  method: "GET" | "POST" | "PATCH";
  path: RegExp;
  /** The query parameters in Paddle's reference. */
  query: readonly string[];
  body: Body;
  /** For lists: the most that Paddle returns per page. */
  mostOnPage: number;
  answer(world: FakeWorld, ids: readonly string[], body: z.output<Body>, query: URLSearchParams): Promise<object | object[]>;
}

interface Known {
  query?: readonly string[];
  mostOnPage?: number;
}

/** `known`: what the reference lists besides the body (PaddleHQ/paddle-openapi v1/openapi.yaml, read 2026-11-22). */
export const call = <Body extends z.ZodType>(
  method: Call["method"],
  path: string,
  body: Body,
  answer: Call<Body>["answer"],
  known: Known = {},
): Call =>
  ({
    method,
    path: new RegExp(`^/${path.replaceAll(":id", "([\\w-]+)")}$`),
    body,
    answer,
    query: known.query ?? [],
    mostOnPage: known.mostOnPage ?? 200,
  }) as unknown as Call;

export async function customerOf({ harness }: FakeWorld, id: string): Promise<CustomerRow> {
  const found = await findCustomer(harness.db, id);
  if (!found) throw notFound("customer", id);
  return found;
}

export async function subscriptionOf({ harness }: FakeWorld, id: string): Promise<SubscriptionRow> {
  const found = await findSubscription(harness.db, id);
  if (!found) throw notFound("subscription", id);
  return found;
}

export async function both(world: FakeWorld, id: string): Promise<{ subscription: SubscriptionRow; customer: CustomerRow }> {
  const subscription = await subscriptionOf(world, id);
  return { subscription, customer: await customerOf(world, subscription.customerId) };
}

/** Acts within a transaction and maps a bank's refusal to Paddle's single error for it. */
export async function settle({ harness }: FakeWorld, act: (doing: Change) => Promise<Outcome<string>>): Promise<void> {
  const { findPrice, publicUrl } = harness.world;
  const outcome = await harness.db
    .transaction((tx) => act({ tx, findPrice, publicUrl, now: harness.now(), confirmed: false }))
    .catch((error: unknown) => {
      throw error instanceof ProviderRefusal ? refused("bad_request", error.message) : error;
    });
  if ("declined" in outcome) throw declined(outcome.declined);
  if ("confirm" in outcome) throw declined(outcome.confirm.message);
}
