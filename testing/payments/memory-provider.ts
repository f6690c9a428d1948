/** An in-memory payment provider for tests with many histories: it charges, retries, pauses and ends, and records every charge. */
import {
  PaymentDeclined,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  refuseTooLarge,
  SignatureInvalid,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderSubscription,
  type Purchase,
  type UnpaidTime,
} from "#payments/payment-provider.ts";
import { addMonths } from "#platform/calendar.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";

interface Charge {
  subscriptionId: string;
  /** The reason for the charge: once per period, and once per key. */
  what: string;
}

type Held = { -readonly [Key in keyof ProviderSubscription]: ProviderSubscription[Key] } & {
  months: number;
  anchor: Date;
  boughtAt: Date;
  number: number;
};

export interface MemoryProvider extends PaymentProvider {
  readonly charges: readonly Charge[];
  /** The `charges` that were refunded. */
  readonly refunds: readonly Charge[];
  /** Time before pauses that resumptions charged besides. */
  readonly owed: readonly (UnpaidTime & { subscriptionId: string })[];
  readonly checkouts: ReadonlyMap<string, { state: "open" | "paid" | "expired" }>;
  readonly subscriptions: ReadonlyMap<string, Held>;
  /** Events emitted since the last call, oldest first. */
  takeEvents(): ProviderEvent[];
  /** The customer pays at a page; undefined if the page is no longer open. */
  pay(checkoutId: string): string | undefined;
  /** Staff sell this plan, or something else, to the account's customer in the provider's dashboard. */
  sellAsStaff(accountId: string, planId: string): string;
  /** Staff change something that we do not read: an event is sent. */
  touch(subscriptionId: string): void;
  /** Whether card payments succeed. */
  cardPays: boolean;
  /** `away`: every call fails and does nothing. `lost`: every call fails after it was carried out. */
  trouble: "none" | "away" | "lost";
  /** Does what is due at or before the clock's time, in order. */
  runDue(): void;
}

const retryDays = [1, 3, 5, 7];
const isLive = ({ status }: { status: string }) => status === "active" || status === "past_due";

/** `monthsOf`: the length of a plan's period. Each charge is one unit of money. */
export function createMemoryProvider(clock: Clock, monthsOf: (planId: string) => number): MemoryProvider {
  const subscriptions = new Map<string, Held>();
  const checkouts = new Map<
    string,
    {
      accountId: string;
      purchase: Purchase;
      currency: string;
      state: "open" | "paid" | "expired";
      subscriptionId: string | null;
      customerId: string;
      createdAt: Date;
    }
  >();
  const charges: Charge[] = [];
  const refunds: Charge[] = [];
  const owed: (UnpaidTime & { subscriptionId: string })[] = [];
  const done = new Map<string, unknown>();
  let events: ProviderEvent[] = [];
  let count = 0;

  const provider: MemoryProvider = {
    name: "sandbox",
    isSeller: false,
    lockedBeforeRenewalMs: 0,
    checkouts,
    charges,
    refunds,
    owed,
    subscriptions,
    cardPays: true,
    trouble: "none",
    takeEvents: () => events.splice(0),
    createCheckout: (request, key) =>
      once(key, () => {
        const checkoutId = `checkout-${++count}`;
        checkouts.set(checkoutId, {
          accountId: request.accountId,
          purchase: request.purchase,
          currency: request.currency,
          state: "open",
          subscriptionId: null,
          customerId: request.customerId ?? `customer-${request.accountId}`,
          createdAt: clock.now(),
        });
        return { checkoutId, url: `https://pay.example/${checkoutId}` };
      }),
    readCheckout: (id) => ask(() => ({ state: checkouts.get(id)!.state, subscriptionId: checkouts.get(id)!.subscriptionId })),
    expireCheckout: (id) =>
      ask(() => {
        const page = checkouts.get(id)!;
        if (page.state === "open") page.state = "expired";
        return page.state as "paid" | "expired";
      }),
    refundSubscription: (id, key, most) =>
      once(key, () => {
        const { currency } = find(id);
        const paid = charges.filter((charge) => charge.subscriptionId === id && !refunds.includes(charge));
        refuseTooLarge({ amount: paid.length, currency }, most);
        refunds.push(...paid);
        return { amount: paid.length, currency };
      }),
    readSubscription: (id) => ask(() => (subscriptions.has(id) ? { ...subscriptions.get(id)! } : null)),
    previewChange: (request, quotedAt) =>
      ask(() => quote(quotedAt ?? clock.now(), request.billing === "now" ? 1 : 0, find(request.subscriptionId))),
    change: (request, { quotedAt }, key) =>
      once(key, () => {
        const held = find(request.subscriptionId);
        if (held.status !== "active") throw new ProviderRefusal(`it is ${held.status}`);
        if (quotedAt < held.periodStartsAt) throw new QuoteStale("another period");
        if (request.billing === "now") {
          if (!provider.cardPays) throw new PaymentDeclined("The card was declined.");
          charges.push({ subscriptionId: held.id, what: `change ${key}` });
        }
        held.purchase = request.purchase;
        const months = monthsOf(request.purchase.planId);
        if (request.billing === "now" && months !== held.months) begin(held, clock.now(), months);
        held.months = months;
        return tell(held, clock.now());
      }),
    cancelAtPeriodEnd: (id, key) =>
      once(key, () => set(id, (held) => (held.status === "paused" ? end(held, clock.now()) : (held.cancelAt = held.periodEndsAt)))),
    undoCancel: (id, key) => once(key, () => set(id, (held) => (held.cancelAt = null))),
    cancelNow: (id, key) => once(key, () => set(id, (held) => end(held, clock.now()), true)),
    previewResume: (id) => ask(() => quote(clock.now(), find(id).status === "paused" ? 1 : 0, find(id))),
    resume: (id, _expectedDueNow, key, unpaid) =>
      once(key, () => {
        const held = find(id);
        if (held.status === "active") return { ...held };
        if (held.status !== "paused") throw new ProviderRefusal(`it is ${held.status}`);
        if (!provider.cardPays) throw new PaymentDeclined("The card was declined.");
        charges.push({ subscriptionId: id, what: `resume ${key}` });
        Object.assign(held, { status: "active", providerStatus: "active", pausedAt: null, pastDueAt: null, retries: [], cancelAt: null });
        begin(held, clock.now(), held.months);
        if (unpaid) owed.push({ subscriptionId: id, ...unpaid });
        return tell(held, clock.now());
      }),
    retryPayment: (id, key) =>
      once(key, () => {
        const held = find(id);
        if (held.status === "active") return { ...held };
        if (!provider.cardPays) throw new PaymentDeclined("The card was declined.");
        settle(held, `retry ${key}`, clock.now());
        return { ...held };
      }),
    changeCardUrl: (id) => ask(() => `https://pay.example/card/${id}`),
    saveDetails: () => ask(() => undefined),
    saveEmail: () => ask(() => undefined),
    listInvoices: () => ask(() => []),
    invoiceUrl: () => ask(() => null),
    nextPayment: () => ask(() => null),
    listPage: (list, since) =>
      ask(() => ({
        entries:
          list === "subscriptions"
            ? [...subscriptions.values()]
                .filter(({ boughtAt }) => boughtAt >= since)
                .map(({ id, customerId, accountId, boughtAt, status }) => ({
                  id,
                  customerId,
                  subscriptionId: id,
                  accountId,
                  name: customerId,
                  at: boughtAt,
                  isLive: status !== "deleted",
                  paid: null,
                  numbers: {},
                }))
            : [],
        next: null,
      })),
    keepNumbers: () => ask(() => undefined),
    whoseEvent: () => ask(() => null),
    readWebhook: () => {
      throw new SignatureInvalid("this provider has no webhooks");
    },
    pay(checkoutId) {
      const page = checkouts.get(checkoutId);
      if (page?.state !== "open" || !provider.cardPays) return undefined;
      const id = sell(page);
      Object.assign(page, { state: "paid", subscriptionId: id });
      return id;
    },
    sellAsStaff: (accountId, planId) =>
      sell({
        accountId,
        customerId: `customer-${accountId}`,
        purchase: { planId, extraExecutionUnits: 0, extraWorkflowUnits: 0 },
        currency: "USD",
      }),
    touch: (id) => void tell(find(id), clock.now()),
    runDue() {
      for (;;) {
        const due = [...subscriptions.values()]
          .map((held) => ({ held, at: dueAt(held) }))
          .filter(({ at }) => at !== null && at <= clock.now())
          .toSorted((a, b) => a.at!.getTime() - b.at!.getTime())[0];
        if (!due) return;
        step(due.held, due.at!);
      }
    },
  };

  function sell({
    customerId,
    accountId,
    purchase,
    currency,
  }: Pick<Held, "customerId" | "accountId" | "currency"> & { purchase: Purchase }): string {
    const id = `sub-${++count}`;
    const at = clock.now();
    const held: Held = {
      id,
      customerId,
      accountId,
      status: "active",
      providerStatus: "active",
      purchase,
      currency,
      periodStartsAt: at,
      periodEndsAt: at,
      cancelAt: null,
      pastDueAt: null,
      retries: [],
      pausedAt: null,
      endedAt: null,
      credit: { amount: 0, currency },
      taxInclusive: false,
      card: null,
      changedAt: at,
      months: monthsOf(purchase.planId),
      anchor: at,
      boughtAt: at,
      number: 0,
    };
    subscriptions.set(id, held);
    begin(held, at, held.months);
    charges.push({ subscriptionId: id, what: `period ${at.toISOString()}` });
    tell(held, at);
    return id;
  }

  function dueAt(held: Held): Date | null {
    if (held.status === "active") return held.periodEndsAt;
    return held.status === "past_due"
      ? (held.retries.find(({ outcome }) => outcome === "planned")?.at ?? after(held.pastDueAt!, 7 * dayMs))
      : null;
  }

  function step(held: Held, at: Date): void {
    if (held.status === "past_due") return tryAgain(held, at);
    if (held.cancelAt) return void tell(end(held, at), at);
    held.number += 1;
    held.periodStartsAt = at;
    held.periodEndsAt = addMonths(held.anchor, (held.number + 1) * held.months);
    if (provider.cardPays) charges.push({ subscriptionId: held.id, what: `period ${at.toISOString()}` });
    else
      Object.assign(held, {
        status: "past_due",
        providerStatus: "past_due",
        pastDueAt: at,
        retries: [{ at, outcome: "failed" }, ...retryDays.map((days) => ({ at: after(at, days * dayMs), outcome: "planned" }))],
      });
    tell(held, at);
  }

  function tryAgain(held: Held, at: Date): void {
    if (provider.cardPays) return settle(held, `period ${held.periodStartsAt.toISOString()}`, at);
    held.retries = held.retries.map((retry) => (retry.at <= at ? { ...retry, outcome: "failed" as const } : retry));
    if (!held.retries.some(({ outcome }) => outcome === "planned"))
      Object.assign(held, { status: "paused", providerStatus: "paused", pausedAt: at });
    tell(held, at);
  }

  function settle(held: Held, what: string, at: Date): void {
    charges.push({ subscriptionId: held.id, what });
    Object.assign(held, { status: "active", providerStatus: "active", pastDueAt: null, retries: [] });
    tell(held, at);
  }

  function begin(held: Held, at: Date, months: number): void {
    Object.assign(held, { anchor: at, number: 0, months, periodStartsAt: at, periodEndsAt: addMonths(at, months) });
  }

  function end(held: Held, at: Date): Held {
    return Object.assign(held, { status: "deleted", providerStatus: "canceled", endedAt: at, cancelAt: null, retries: [] });
  }

  function set(id: string, change: (held: Held) => unknown, alsoEnded = false): ProviderSubscription {
    const held = find(id);
    if (held.status === "deleted" && !alsoEnded) throw new ProviderRefusal("it has ended");
    if (held.status !== "deleted") change(held);
    return tell(held, clock.now());
  }

  function tell(held: Held, at: Date): ProviderSubscription {
    if (at > held.changedAt) held.changedAt = at;
    events.push({
      id: `event-${++count}`,
      kind: "subscription",
      type: "subscription.updated",
      occurredAt: at,
      subscriptionId: held.id,
      customerId: held.customerId,
      accountId: held.accountId,
      payload: {},
    });
    return { ...held };
  }

  function find(id: string): Held {
    const held = subscriptions.get(id);
    if (!held) throw new ProviderRefusal(`there is no ${id}`);
    return held;
  }

  const quote = (quotedAt: Date, units: number, held: Held) => ({
    quotedAt,
    lines: [],
    tax: null,
    dueNow: { amount: units, currency: held.currency },
    givenBack: { amount: 0, currency: held.currency },
    creditAfter: { amount: 0, currency: held.currency },
    nextRenewal: { at: held.periodEndsAt, amount: { amount: 1, currency: held.currency } },
  });

  function ask<T>(read: () => T): Promise<T> {
    return provider.trouble === "none" ? Promise.resolve().then(read) : Promise.reject(new ProviderUnreachable("no answer"));
  }

  /** Runs once per key; with `lost` trouble it runs, but the answer is lost. */
  async function once<T>(key: string, act: () => T): Promise<T> {
    if (provider.trouble === "away") throw new ProviderUnreachable("no answer");
    if (!done.has(key)) done.set(key, structuredClone(act()));
    if (provider.trouble === "lost") throw new ProviderUnreachable("no answer");
    return done.get(key) as T;
  }

  return provider;
}

/** Pages that can still be paid at. */
export const payable = (provider: MemoryProvider): string[] =>
  [...provider.checkouts].filter(([, { state }]) => state === "open").map(([id]) => id);

/** An account's live subscriptions; more than one would mean a double charge. */
export const liveSubscriptions = (provider: MemoryProvider, accountId: string): ProviderSubscription[] =>
  [...provider.subscriptions.values()].filter((held) => held.accountId === accountId && isLive(held));
