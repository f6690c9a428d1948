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
import { firstPeriod, isSameCycle, type Cycle, type Period } from "#payments/ledger/billing-cycle.ts";
import type { Bank } from "#payments/ledger/charge.ts";
import { makeBill, payerOf } from "#payments/ledger/bill.ts";
import { fullLines, type Items } from "#payments/ledger/items.ts";
import { buy, change, end, passTo, resume, retryDays, setCancel, tryOpen, type Account, type Turn } from "#payments/ledger/ledger.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";

interface Charge {
  subscriptionId: string;
  /** The reason for the charge: once per period, and once per key. */
  what: string;
}

/** Tests may change it, as the provider's staff would. */
type Held = { -readonly [Key in keyof ProviderSubscription]: ProviderSubscription[Key] } & Period & {
    /** The cycle that the running period was paid for. */
    cycle: Cycle;
    boughtAt: Date;
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
        const items = itemsOf(request.purchase, held.currency);
        const isNow = request.billing === "now";
        const bill = makeBill(isNow ? fullLines(items) : [], payerOf(payerFor(held), false));
        const period = isNow && !isSameCycle(items.cycle, held.cycle) ? firstPeriod(clock.now(), items.cycle) : {};
        const changes = { items, ...(isNow && { paidItems: items }), ...period };
        const nextRenewal = { at: held.periodEndsAt, items };
        return act(held, change(accountOf(held), { bill, changes, nextRenewal }, false, clock.now()), `change ${key}`);
      }),
    cancelAtPeriodEnd: (id, key) => once(key, () => cancel(id, true)),
    undoCancel: (id, key) => once(key, () => cancel(id, false)),
    cancelNow: (id, key) =>
      once(key, () => (find(id).status === "deleted" ? { ...find(id) } : act(find(id), end(accountOf(find(id)), clock.now())))),
    previewResume: (id) => ask(() => quote(clock.now(), find(id).status === "paused" ? 1 : 0, find(id))),
    resume: (id, _expectedDueNow, key, unpaid) =>
      once(key, () => {
        const held = find(id);
        if (held.status === "active") return { ...held };
        if (held.status !== "paused") throw new ProviderRefusal(`it is ${held.status}`);
        const resumed = act(held, resume(accountOf(held), null, { confirmed: false }, clock.now()), `resume ${key}`);
        if (unpaid) owed.push({ subscriptionId: id, ...unpaid });
        return resumed;
      }),
    retryPayment: (id, key) =>
      once(key, () => {
        const held = find(id);
        if (held.status === "active") return { ...held };
        if (!provider.cardPays) throw declined();
        return act(held, tryOpen(accountOf(held), { occasion: "renewal", confirmed: false }, clock.now()), `retry ${key}`);
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
        for (const turn of passTo(accountOf(due.held), due.at!)) act(due.held, turn, "period", due.at!);
      }
    },
  };

  function sell({
    customerId,
    accountId,
    purchase,
    currency,
  }: Pick<Held, "customerId" | "accountId" | "currency"> & { purchase: Purchase }): string {
    const [id, at, items] = [`sub-${++count}`, clock.now(), itemsOf(purchase, currency)];
    const buyer = { customer: { currency, credit: 0, details: null }, bank: () => ({ kind: "paid" }) as const };
    const { subscription, turn } = buy({ ...buyer, items, taxInclusive: false }, { occasion: "new-card", confirmed: false }, at);
    const { items: _items, paidItems: _paid, dueAt: _due, cancelsAtPeriodEnd: _cancels, ...bought } = subscription;
    const held: Held = {
      ...bought,
      id,
      customerId,
      accountId,
      status: "active",
      providerStatus: "active",
      purchase,
      currency,
      cancelAt: null,
      credit: { amount: 0, currency },
      taxInclusive: false,
      card: null,
      changedAt: at,
      cycle: items.cycle,
      boughtAt: at,
    };
    subscriptions.set(id, held);
    act(held, turn, "period");
    return id;
  }

  function dueAt(held: Held): Date | null {
    if (held.status === "active") return held.periodEndsAt;
    return held.status === "past_due"
      ? (held.retries.find(({ outcome }) => outcome === "planned")?.at ?? after(held.pastDueAt!, Math.max(...retryDays) * dayMs))
      : null;
  }

  const declined = () => new PaymentDeclined("The card was declined.");
  const bank: Bank = () => (provider.cardPays ? { kind: "paid" } : { kind: "declined", hard: false, reason: "The card was declined." });
  const payerFor = ({ currency }: Held) => ({ currency, credit: 0, details: null });
  /** Each period of a plan costs one unit of money. */
  const itemsOf = (purchase: Purchase, currency: string): Items => ({
    purchase,
    planName: purchase.planId,
    cycle: { unit: "month", count: monthsOf(purchase.planId) },
    currency,
    planAmount: 1,
    executionUnitAmount: 0,
    executionsPerUnit: 0,
    workflowUnitAmount: 0,
  });

  function accountOf(held: Held): Account {
    const items = itemsOf(held.purchase!, held.currency);
    const failed = held.retries.filter(({ outcome }) => outcome === "failed").length;
    return {
      subscription: {
        ...held,
        items,
        paidItems: { ...items, cycle: held.cycle },
        cancelsAtPeriodEnd: held.cancelAt !== null,
        dueAt: dueAt(held),
      },
      customer: payerFor(held),
      open: held.status === "past_due" ? { total: 1, creditUsed: 0, failed } : null,
      bank,
    };
  }

  /** Takes over what the ledger did. `what` was charged, if anything. Throws the refusal of what the customer asked for. */
  function act(held: Held, turn: Turn, what = "", at = clock.now()): ProviderSubscription {
    const { changes, outcome, attempted, told } = turn;
    if (outcome.kind !== "paid" && !told) throw declined();
    const { items, paidItems, cancelsAtPeriodEnd, dueAt: _due, status, ...same } = changes;
    Object.assign(held, same, status && { status: status === "canceled" ? "deleted" : status, providerStatus: status });
    if (items) held.purchase = items.purchase;
    if (paidItems) held.cycle = paidItems.cycle;
    if (cancelsAtPeriodEnd !== undefined) held.cancelAt = cancelsAtPeriodEnd ? held.periodEndsAt : null;
    if (attempted > 0 && outcome.kind === "paid")
      charges.push({ subscriptionId: held.id, what: what === "period" ? `period ${held.periodStartsAt.toISOString()}` : what });
    return told ? tell(held, at) : { ...held };
  }

  function cancel(id: string, cancels: boolean): ProviderSubscription {
    const held = find(id);
    if (held.status === "deleted") throw new ProviderRefusal("it has ended");
    return act(held, setCancel(accountOf(held), cancels, clock.now()));
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
