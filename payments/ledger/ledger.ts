/**
 * The life of a subscription in sums and periods: what its commands and the passage of time do to it. Pure: the state goes in, and what
 * is to be written comes out as a turn. The sandbox keeps the state in its tables; the stand-ins in `testing` keep it in memory.
 */
import { after, dayMs } from "#platform/clock.ts";
import type { ProviderLine, UnpaidTime } from "../payment-provider.ts";
import { firstPeriod, nextPeriod, toSecond, type Period } from "./billing-cycle.ts";
import { makeBill, payerOf, type Bill, type Customer } from "./bill.ts";
import type { Bank, Charge, ChargeOutcome } from "./charge.ts";
import { fullLines, unpaidLines, type Items } from "./items.ts";
import type { PlannedChange } from "./quote-change.ts";

/** Days after the first failure on which it retries; if the last retry fails, the subscription pauses. */
export const retryDays = [1, 3, 5, 7] as const;
const pauseAfterDays = Math.max(...retryDays);

interface Attempt {
  at: Date;
  outcome: "failed" | "planned";
}

/** Where a subscription stands with its payments. */
interface Standing {
  /** active, trialing, past_due, paused or canceled; text, since a provider may add values. */
  status: string;
  cancelsAtPeriodEnd: boolean;
  pastDueAt: Date | null;
  /** Attempts to pay the open invoice: past, then planned. */
  retries: readonly Attempt[];
  pausedAt: Date | null;
  endedAt: Date | null;
  /** When the next step is due: renewal, next attempt, pause, end. */
  dueAt: Date | null;
}

export interface Subscription extends Period, Standing {
  currency: string;
  taxInclusive: boolean;
  /** Items of the next period, with the prices at which they were bought. */
  items: Items;
  /** Items that the current period was paid for. */
  paidItems: Items;
}

/** The invoice that waits for its payment. */
interface OpenInvoice {
  total: number;
  creditUsed: number;
  /** Failed attempts to pay it. */
  failed: number;
}

/** A subscription, who pays for it, and with what. */
export interface Account<Of extends Customer = Customer> {
  subscription: Subscription;
  customer: Of;
  open: OpenInvoice | null;
  bank: Bank;
}

/** What one command or one step of time did. What is not named in it stays. */
export interface Turn {
  /** The bank's answer; `paid` if it was not asked. */
  outcome: ChargeOutcome;
  changes: Partial<Subscription>;
  /** The customer's credit from now on. */
  credit: number;
  /** A new invoice. `void`: only a record of the refused attempt. */
  invoice: { bill: Bill; status: "paid" | "open" | "void"; creditUsed: number } | null;
  /** What became of the invoice that was open. */
  open: "paid" | "void" | null;
  /** What a card was charged, or would have been; for the new invoice, or else for the open one. */
  attempted: number;
  /** What happened to the subscription, for its event. */
  told: "created" | "updated" | "past_due" | "paused" | "resumed" | "canceled" | null;
}

const paid: ChargeOutcome = { kind: "paid" };
const isHard = (outcome: ChargeOutcome): boolean => outcome.kind === "declined" && outcome.hard;
const nothing = ({ customer }: Pick<Account, "customer">): Turn => ({
  outcome: paid,
  changes: {},
  credit: customer.credit,
  invoice: null,
  open: null,
  attempted: 0,
  told: null,
});

/** The account after a turn, for states that are kept in memory. */
export function afterTurn<Of extends Customer>(account: Account<Of>, { changes, credit, invoice, open, outcome }: Turn): Account<Of> {
  const failed = outcome.kind === "paid" ? 0 : 1;
  const waiting = account.open && open === null ? { ...account.open, failed: account.open.failed + failed } : null;
  return {
    ...account,
    subscription: { ...account.subscription, ...changes },
    customer: { ...account.customer, credit },
    open: invoice?.status === "open" ? { total: invoice.bill.total, creditUsed: invoice.creditUsed, failed } : waiting,
  };
}

type Asked = Pick<Charge, "occasion" | "confirmed">;

/**
 * Charges a bill. Paid: the invoice is paid and the credit used. Not paid: with `keepOpen` the invoice stays open for retries, otherwise
 * only the failed attempt remains, on a void invoice. A total of zero has no invoice.
 */
function charge(account: Pick<Account, "customer" | "bank">, bill: Bill, asked: Asked, at: Date, keepOpen: boolean): Turn {
  const outcome = account.bank({ ...asked, at, amount: bill.due, failedBefore: 0 });
  // The bank asks for confirmation before the charge, so there is no attempt to show yet.
  if (bill.total === 0 || (outcome.kind === "confirm" && !keepOpen)) return { ...nothing(account), outcome };
  const isPaid = outcome.kind === "paid";
  const isCharged = isPaid || keepOpen;
  return {
    ...nothing(account),
    outcome,
    credit: isCharged ? bill.creditAfter : account.customer.credit,
    invoice: { bill, status: isPaid ? "paid" : keepOpen ? "open" : "void", creditUsed: isCharged ? bill.creditUsed : 0 },
    attempted: bill.due,
  };
}

const billOf = ({ subscription, customer }: Pick<Account, "subscription" | "customer">, lines: readonly ProviderLine[]): Bill =>
  makeBill(lines, payerOf(customer, subscription.taxInclusive));
const termOf = ({ periodStartsAt: from, periodEndsAt: to }: Period) => ({ from, to });

/** Not owing anything, and due again when the period ends. */
const settled = ({ periodEndsAt }: Period) => ({ status: "active", pastDueAt: null, pausedAt: null, retries: [], dueAt: periodEndsAt });

/** A first failed attempt plans the others, except that a permanent decline has none: only another card can help. */
function owing(at: Date, isPermanent: boolean): Pick<Standing, "status" | "pastDueAt" | "pausedAt" | "retries" | "dueAt"> {
  const planned = isPermanent ? [] : retryDays.map((days) => after(at, days * dayMs));
  return {
    status: "past_due",
    pastDueAt: at,
    pausedAt: null,
    retries: [{ at, outcome: "failed" }, ...planned.map((each) => ({ at: each, outcome: "planned" as const }))],
    dueAt: planned[0] ?? after(at, pauseAfterDays * dayMs),
  };
}

/** A further failed attempt; the planned ones that are still to come stay, unless the decline is permanent. */
function failedAgain({ retries, pastDueAt }: Standing, at: Date, isPermanent: boolean): Pick<Standing, "retries" | "dueAt"> {
  const planned = isPermanent ? [] : retries.filter((each) => each.outcome === "planned" && each.at > at);
  return {
    retries: [...retries.filter(({ outcome }) => outcome === "failed"), { at, outcome: "failed" }, ...planned],
    dueAt: planned[0]?.at ?? after(pastDueAt!, pauseAfterDays * dayMs),
  };
}

/** A new customer's first period; with `keepOpen`, the subscription begins even if its payment fails. Not paid: there is none. */
export function buy<Of extends Customer>(
  buyer: { customer: Of; bank: Bank; items: Items; taxInclusive: boolean },
  asked: Asked,
  at: Date,
): { subscription: Subscription; turn: Turn } {
  const { items, taxInclusive, customer } = buyer;
  const period = firstPeriod(toSecond(at), items.cycle);
  const subscription: Subscription = {
    ...period,
    ...settled(period),
    currency: items.currency,
    taxInclusive,
    items,
    paidItems: items,
    cancelsAtPeriodEnd: false,
    endedAt: null,
  };
  const turn = charge(buyer, billOf({ subscription, customer }, fullLines(items, termOf(period))), asked, at, false);
  return { subscription, turn: { ...turn, told: turn.outcome.kind === "paid" ? "created" : null } };
}

/** Does what is due at `at`: one turn, or two if the last attempt fails and the subscription pauses. */
export function passTo(account: Account, at: Date): Turn[] {
  const { status, cancelsAtPeriodEnd, retries, pastDueAt } = account.subscription;
  if (status !== "past_due") return [cancelsAtPeriodEnd ? end(account, at) : renew(account, at)];
  if (!retries.some((each) => each.outcome === "planned" && each.at <= at)) return [pause(account, at)];
  const tried = tryOpen(account, { occasion: "renewal", confirmed: false }, at);
  const isLast = at >= after(pastDueAt!, pauseAfterDays * dayMs);
  return tried.outcome.kind !== "paid" && isLast ? [tried, pause(afterTurn(account, tried), at)] : [tried];
}

function renew(account: Account, at: Date): Turn {
  const { subscription } = account;
  const { items, paidItems } = subscription;
  const period = nextPeriod(subscription, items.cycle, paidItems.cycle);
  const turn = charge(account, billOf(account, fullLines(items, termOf(period))), { occasion: "renewal", confirmed: false }, at, true);
  const isPaid = turn.outcome.kind === "paid";
  return {
    ...turn,
    changes: { ...period, ...(isPaid ? settled(period) : owing(at, isHard(turn.outcome))), paidItems: items },
    told: isPaid ? "updated" : "past_due",
  };
}

/** Tries to collect the open invoice. Paid: the subscription is active again, in the period that it is in. */
export function tryOpen(account: Account, asked: Asked, at: Date): Turn {
  const { open, subscription, bank } = account;
  const attempted = open ? open.total - open.creditUsed : 0;
  const outcome = open ? bank({ ...asked, at, amount: attempted, failedBefore: open.failed }) : paid;
  const isPaid = outcome.kind === "paid";
  return {
    ...nothing(account),
    outcome,
    attempted,
    changes: isPaid ? settled(subscription) : failedAgain(subscription, at, isHard(outcome)),
    open: open && isPaid ? "paid" : null,
    told: "updated",
  };
}

/** Unpaid time that was not used is not owed; any credit used in the invoice is returned. */
function dropOpen(account: Account): Turn {
  const { open, customer } = account;
  return open ? { ...nothing(account), open: "void", credit: customer.credit + open.creditUsed } : nothing(account);
}

function pause(account: Account, at: Date): Turn {
  const { cancelsAtPeriodEnd, retries } = account.subscription;
  if (cancelsAtPeriodEnd) return end(account, at);
  const tried = retries.filter(({ outcome }) => outcome === "failed");
  return { ...dropOpen(account), changes: { status: "paused", pausedAt: at, dueAt: null, retries: tried }, told: "paused" };
}

/** Nothing more is charged, and it cannot be resumed. */
export function end(account: Account, at: Date): Turn {
  return {
    ...dropOpen(account),
    changes: { status: "canceled", endedAt: at, dueAt: null, retries: [], cancelsAtPeriodEnd: false },
    told: "canceled",
  };
}

/** Cancels at the period's end, or undoes that. A paused subscription has no paid period left, and ends now. */
export function setCancel(account: Account, cancels: boolean, at: Date): Turn {
  if (cancels && account.subscription.status === "paused") return end(account, at);
  if (account.subscription.cancelsAtPeriodEnd === cancels) return nothing(account);
  return { ...nothing(account), changes: { cancelsAtPeriodEnd: cancels }, told: "updated" };
}

/** Charges a change as it was planned. Not paid: nothing is changed. */
export function change(account: Account, { bill, changes }: PlannedChange, confirmed: boolean, at: Date): Turn {
  const turn = charge(account, bill, { occasion: "change", confirmed }, at, false);
  return turn.outcome.kind === "paid" ? { ...turn, changes, told: "updated" } : turn;
}

/**
 * What resuming at `at` begins and costs: a new period, and what was used of the old one before the pause. The rest of that period's
 * debt is dropped, since it was not delivered.
 */
export function resumption(account: Pick<Account, "subscription" | "customer" | "open">, unpaid: UnpaidTime | null, at: Date) {
  const { subscription, customer, open } = account;
  const period = firstPeriod(toSecond(at), subscription.items.cycle);
  const owed = unpaid ? unpaidLines(subscription.items, unpaid, termOf(subscription)) : [];
  const lines = [...fullLines(subscription.items, termOf(period)), ...owed];
  const bill = billOf({ subscription, customer: { ...customer, credit: customer.credit + (open?.creditUsed ?? 0) } }, lines);
  return { period, bill };
}

/** Charges a paused subscription for a new period. Not paid: it stays paused, or, if `begins`, owes the new period like a renewal. */
export function resume(account: Account, unpaid: UnpaidTime | null, asked: Omit<Asked, "occasion"> & { begins?: boolean }, at: Date): Turn {
  const { period, bill } = resumption(account, unpaid, at);
  const dropped = dropOpen(account);
  const payer = { ...account, customer: { ...account.customer, credit: dropped.credit } };
  const { begins = false, confirmed } = asked;
  const turn = { ...charge(payer, bill, { occasion: "renewal", confirmed }, at, begins), open: dropped.open };
  const isPaid = turn.outcome.kind === "paid";
  if (!isPaid && !begins) return turn;
  const begun = { ...period, paidItems: account.subscription.items, cancelsAtPeriodEnd: false };
  return {
    ...turn,
    changes: { ...begun, ...(isPaid ? settled(period) : owing(at, isHard(turn.outcome))) },
    told: isPaid ? "resumed" : "past_due",
  };
}

/** Charges something besides the periods. Not paid: only the attempt is recorded. */
export const chargeBesides = (account: Account, lines: readonly ProviderLine[], at: Date): Turn =>
  charge(account, billOf(account, lines), { occasion: "renewal", confirmed: false }, at, false);
