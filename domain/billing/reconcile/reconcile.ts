/**
 * Compares the payment provider's lists with our rows: each night, after a gap in the database's memory (a restored dump, an outage), and
 * when an operator asks. Takes over what is provable: a subscription whose checkout named an account that exists. The rest is listed for a
 * person. Nothing is ended, charged or refunded at the provider. Decisions 0189 and 0241.
 */
import { setTimeout as delay } from "node:timers/promises";
import { inArray } from "drizzle-orm";
import { invoices } from "#database/tables.ts";
import { raiseInvoiceNumbers } from "#domain/invoices/invoice-store.ts";
import { closeMemoryGap, noteNumbersKnown, readMemoryGap } from "#domain/memory-gap/memory-gap-store.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { ProviderUnreachable, seriesOf, type ListedObject, type ProviderSubscription } from "#payments/payment-provider.ts";
import { after, dayMs } from "#platform/clock.ts";
import { readingAfresh } from "#platform/loops/read-once.ts";
import { askedToWaitMs, calledBy, type Calling } from "../ask-provider.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { listSoldHere } from "../purchases/checkout/checkout-store.ts";
import { isSold, stateOf } from "../subscription/subscription-states.ts";
import { findSubscription, isNewsIn } from "../subscription/subscription-store.ts";
import { describeTestPurchase, endTestPurchases } from "./end-test-purchases.ts";
import { noteFinding, type Finding, type FindingKind } from "./finding-store.ts";
import { findOwners, listAll, type Owners } from "./provider-books.ts";
import { settleTruths } from "./settle-truths.ts";

/** Clocks differ, and a dump takes a while. */
const marginMs = dayMs;
/** A refund numbers a document about an invoice that may be a year old. */
const numbersReachMs = 400 * dayMs;

/** The caller ends the comparison before it is complete, such as because the process stops. */
export class ComparisonEnded extends Error {
  override readonly name = "ComparisonEnded";
}

interface Wanted {
  /** Where the lists begin, by the provider's time of creation. Accounts of ours are compared whatever their age. */
  since: Date;
  /** True: says what would be done, and writes nothing. */
  dryRun?: boolean;
  /** False: only accounts whose entries in the lists differ from our rows; for each night. */
  everyone?: boolean;
  /** How many plans that were bought with test keys may end now, by a person's word; with more, none does. */
  testPurchases?: number | null;
  /** Called before each account is compared. */
  onAccount?: () => Promise<void>;
  /** Waits while the provider's limit of calls is reached. Like `onAccount`, it throws ComparisonEnded to end the comparison. */
  wait?: (ms: number) => Promise<void>;
}

export interface Reconciliation {
  listed: { customers: number; subscriptions: number; invoices: number };
  /** How many accounts were compared, each by reading its subscriptions. */
  compared: number;
  /** Accounts whose row or documents were brought up to date, or would be. */
  healed: { accountId: string; what: string }[];
  findings: Finding[];
}

/** Since when to look if nobody says: after a gap from its beginning, else from the last time on, with a margin. */
export async function reconcileSince({ db, clock }: Pick<Billing, "db" | "clock">): Promise<Date> {
  const { since, reconciledAt } = await readMemoryGap(db);
  return after(since ?? reconciledAt ?? after(clock.now(), -30 * dayMs), -marginMs);
}

/**
 * Throws ProviderUnreachable if the provider does not answer: nothing is complete then, a gap stays open, and repeating it is safe. An account
 * that fails for another reason is listed and holds up no other.
 */
export async function reconcile(
  given: Billing,
  { since, dryRun = false, everyone = true, testPurchases = null, onAccount, wait = (ms) => delay(ms) }: Wanted,
): Promise<Reconciliation> {
  const billing = patient(given, wait);
  const { db, clock, provider, log } = billing;
  const gap = (await readMemoryGap(db)).since;
  const mails = gap === null;
  const numbered = await listAll(provider, "invoices", gap ? after(since, -numbersReachMs) : since);
  if (!dryRun) await keepNumbersFree(billing, numbered);
  const [customers, subscriptions] = [await listAll(provider, "customers", since), await listAll(provider, "subscriptions", since)];
  const bills = numbered.filter(({ at }) => at >= since);
  const owners = await findOwners(db, provider, [...customers, ...subscriptions, ...bills]);
  const due = await findDue(billing, { owners, subscriptions, bills, everyone });

  const done: Reconciliation = {
    listed: { customers: customers.length, subscriptions: subscriptions.length, invoices: bills.length },
    compared: due.size,
    healed: [],
    findings: ownerless(owners, { customers, subscriptions, bills }),
  };
  // First, so that what the account has bought since is taken over. Not while a gap is open: what it has forgotten is known only after this.
  for (const purchase of await endTestPurchases(billing, { dryRun: dryRun || gap !== null, allowed: testPurchases }))
    if (purchase.after && gap === null)
      done.healed.push({ accountId: purchase.accountId, what: changeOf(purchase.before, purchase.after) });
    else done.findings.push(describeTestPurchase(purchase));
  for (const [accountId, ids] of due) {
    await onAccount?.();
    try {
      const { what, findings } = await readingAfresh(() =>
        compareAccount(billing, { accountId, ids, owners, dryRun, mails, everyone, bills, subscriptions }),
      );
      if (what.length > 0) done.healed.push({ accountId, what: what.join("; ") });
      done.findings.push(...findings);
    } catch (error) {
      if (error instanceof ProviderUnreachable || error instanceof ComparisonEnded) throw error;
      log.error({ err: error, accountId }, "an account could not be compared with the payment provider");
      const detail = error instanceof Error ? error.message : String(error);
      done.findings.push({ kind: "not-compared", objectId: accountId, accountId, name: "", paid: {}, detail });
    }
  }
  if (dryRun) return done;
  const now = clock.now();
  for (const finding of done.findings) {
    log.error({ finding }, "the payment provider has something that no account here explains: npm run ops -- reconcile --list");
    await noteFinding(db, provider.name, finding, now);
  }
  for (const { accountId, what } of done.healed)
    log.warn({ accountId, what }, "an account was brought up to date with the payment provider");
  await closeMemoryGap(db, gap, now);
  return done;
}

/** A comparison of many accounts comes up against the provider's limit again and again. */
const mostWaits = 60;

/** Calls that the provider puts off are repeated when it allows them: a comparison has all night. */
function patient(billing: Billing, wait: (ms: number) => Promise<void>): Billing {
  const calling: Calling = async (call) => {
    for (let waits = 0; ; waits += 1) {
      try {
        return await call();
      } catch (error) {
        const ms = askedToWaitMs(error);
        if (ms === 0 || waits >= mostWaits) throw error;
        await wait(ms);
      }
    }
  };
  return {
    ...billing,
    provider: calledBy(billing.provider, calling),
    settlePayments: (accountId, beside) => billing.settlePayments(accountId, beside, calling),
  };
}

/** Numbers that were mailed before a dump was restored are given to nobody else. */
async function keepNumbersFree({ db, provider }: Billing, listed: readonly ListedObject[]): Promise<void> {
  await raiseInvoiceNumbers(
    db,
    seriesOf(provider.name),
    listed.flatMap(({ numbers }) => Object.values(numbers).map(({ number }) => number)),
  );
  await noteNumbersKnown(db);
}

/** The accounts to compare, with the subscriptions to read for each. */
async function findDue(
  { db, provider }: Billing,
  given: { owners: Owners; subscriptions: readonly ListedObject[]; bills: readonly ListedObject[]; everyone: boolean },
): Promise<Map<string, Set<string>>> {
  const { owners, subscriptions, bills, everyone } = given;
  const due = new Map<string, Set<string>>();
  const add = (accountId: string, id?: string | null) => {
    const held = owners.rows.get(accountId)?.providerSubscriptionId;
    const ids = due.get(accountId) ?? new Set(held ? [held] : []);
    if (id) ids.add(id);
    due.set(accountId, ids);
  };
  if (everyone) for (const [accountId, row] of owners.rows) if (!row.deletedAt || !row.endedAt) add(accountId);
  for (const entry of subscriptions) {
    const accountId = owners.of(entry);
    if (!accountId) continue;
    const row = owners.rows.get(accountId);
    const isKnown = row?.providerSubscriptionId === entry.id && isSold(stateOf(row)) === entry.isLive;
    // One that has ended, of an account that has another, explains old invoices only.
    const isPast = !entry.isLive && row !== undefined && row.providerSubscriptionId !== entry.id;
    if (everyone || (!isKnown && !isPast)) add(accountId, entry.id);
  }
  const copied = await copiesOf(
    db,
    provider.name,
    bills.map(({ id }) => id),
  );
  for (const entry of bills) {
    const accountId = owners.of(entry);
    if (accountId && !copied.has(entry.id)) add(accountId, entry.subscriptionId);
  }
  return due;
}

async function copiesOf(db: Billing["db"], provider: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += 1000) {
    const part = ids.slice(from, from + 1000);
    const rows = await db
      .select({ id: invoices.providerInvoiceId, provider: invoices.provider })
      .from(invoices)
      .where(inArray(invoices.providerInvoiceId, part));
    for (const row of rows) if (row.provider === provider) found.add(row.id);
  }
  return found;
}

interface Comparing {
  accountId: string;
  ids: ReadonlySet<string>;
  owners: Owners;
  dryRun: boolean;
  mails: boolean;
  everyone: boolean;
  bills: readonly ListedObject[];
  subscriptions: readonly ListedObject[];
}

async function compareAccount(billing: Billing, comparing: Comparing): Promise<{ what: string[]; findings: Finding[] }> {
  const { provider } = billing;
  const { accountId, ids, owners, dryRun, mails, everyone, bills } = comparing;
  const findings: Finding[] = [];
  const truths: ProviderSubscription[] = [];
  for (const id of ids) {
    const truth = await provider.readSubscription(id);
    if (truth) truths.push(truth);
    else findings.push(about("unknown-there", id, accountId, comparing, `${id} is ours and unknown to the provider`));
  }
  const { what, left } = await takeOver(billing, { accountId, truths, dryRun, mails });
  for (const { truth, why } of left) {
    const kind = why === "second-subscription" ? why : "not-understood";
    const detail = kind === why ? `${truth.id} is paid beside another subscription of the account` : `${truth.id} ${why}`;
    findings.push(about(kind, truth.id, accountId, comparing, detail));
  }
  const missing = await missingBills(billing, accountId, owners, bills);
  if (missing > 0) what.push(`${missing} ${missing === 1 ? "document" : "documents"} missing`);
  if (dryRun || (!everyone && what.length === 0)) return { what, findings };
  await billing.settlePayments(accountId);
  // What was bought and ended in a gap is on no row of ours, but its documents are.
  for (const { id, customerId } of truths)
    if (missing > 0 && id !== owners.rows.get(accountId)?.providerSubscriptionId)
      await billing.settlePayments(accountId, { id, customerId });
  return { what, findings };
}

/** Applies everything to the row in one decision; in a dry run only says what would change. */
async function takeOver(
  billing: Billing,
  { accountId, truths, dryRun, mails }: { accountId: string; truths: readonly ProviderSubscription[]; dryRun: boolean; mails: boolean },
): Promise<{ what: string[]; left: { truth: ProviderSubscription; why: string }[] }> {
  const provider = billing.provider.name;
  const soldHere = await listSoldHere(
    billing.db,
    provider,
    truths.map(({ id }) => id),
  );
  if (dryRun) {
    const held = await findSubscription(billing.db, accountId);
    const plans = await readPlans(billing.db);
    const { row, left } = settleTruths({ accountId, held, provider, truths, soldHere, plans, now: billing.clock.now() });
    return { what: row && isNewsIn(held, row) ? [changeOf(held, row)] : [], left };
  }
  const { what, left } = await changeSubscription(billing, accountId, { actor: theService }, ({ held, plans, now }) => {
    const settled = settleTruths({ accountId, held, provider, truths, soldHere, plans, now });
    const { row, effects } = settled;
    const isNews = row !== null && isNewsIn(held, row);
    return {
      next: row && row !== held ? { row, effects: mails ? effects : effects.filter(({ kind }) => kind !== "mail") } : null,
      what: isNews ? [changeOf(held, row)] : [],
      left: settled.left,
    };
  });
  return { what, left };
}

type Row = Parameters<typeof stateOf>[0] & { planId: string };
const changeOf = (held: Row | null, row: Row): string => {
  const said = (one: Row | null) => (one ? `${stateOf(one)} on ${one.planId}` : "no plan");
  return said(held) === said(row) ? `${said(row)}, other dates or amounts` : `${said(held)} becomes ${said(row)}`;
};

/** Paid invoices in the lists that have no copy here. */
async function missingBills({ db, provider }: Billing, accountId: string, owners: Owners, bills: readonly ListedObject[]): Promise<number> {
  const own = bills.filter((entry) => owners.of(entry) === accountId && (entry.paid?.amount ?? 0) !== 0);
  const copied = await copiesOf(
    db,
    provider.name,
    own.map(({ id }) => id),
  );
  return own.filter(({ id }) => !copied.has(id)).length;
}

const paidFor = (bills: readonly ListedObject[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { paid } of bills) if (paid && paid.amount !== 0) sums[paid.currency] = (sums[paid.currency] ?? 0) + paid.amount;
  return sums;
};

function about(kind: FindingKind, id: string, accountId: string, { bills, subscriptions }: Comparing, detail: string): Finding {
  const own = bills.filter(({ subscriptionId }) => subscriptionId === id);
  const name = [...subscriptions, ...own].find((entry) => entry.subscriptionId === id && entry.name)?.name ?? "";
  return { kind, objectId: id, accountId, name, paid: paidFor(own), detail };
}

/** Customers whose checkout named an account that does not exist here, if they paid or may be charged. What we did not sell is left alone. */
function ownerless(
  owners: Owners,
  { customers, subscriptions, bills }: Record<"customers" | "subscriptions" | "bills", readonly ListedObject[]>,
): Finding[] {
  const sold = new Set(subscriptions.flatMap(({ id, accountId }) => (accountId ? [id] : [])));
  const isOurs = (entry: ListedObject) => entry.accountId !== null || sold.has(entry.subscriptionId ?? "");
  const without = (entries: readonly ListedObject[]) => entries.filter((entry) => isOurs(entry) && owners.of(entry) === null);
  const [live, paid] = [
    without(subscriptions).filter(({ isLive }) => isLive),
    without(bills).filter((entry) => (entry.paid?.amount ?? 0) > 0),
  ];
  return [...new Set([...live, ...paid].map(({ customerId }) => customerId))].map((customerId) => {
    const isTheirs = (entry: ListedObject) => entry.customerId === customerId;
    const [running, bought] = [live.filter(isTheirs), paid.filter(isTheirs)];
    const name = [...customers, ...running, ...bought].find((entry) => isTheirs(entry) && entry.name)?.name ?? "";
    const account = [...running, ...bought].find(({ accountId }) => accountId)?.accountId ?? "?";
    const charges =
      running.length > 0 ? `${running.map(({ id }) => id).join(", ")} will be charged again` : "nothing will be charged again";
    return {
      kind: "no-account",
      objectId: customerId,
      accountId: null,
      name,
      paid: paidFor(bought),
      detail: `account ${account} does not exist; ${charges}`,
    } as const;
  });
}
