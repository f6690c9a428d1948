/** Finds the customer behind whatever an operator was given: an address, a host, a number of an invoice, an id of the payment provider. */
import { and, eq, inArray, or } from "drizzle-orm";
import {
  accounts,
  auditLog,
  backups,
  checkouts,
  exports,
  invoices,
  mails,
  payments,
  subscriptions,
  users,
  workspaces,
} from "#database/tables.ts";
import { isId } from "#platform/ids.ts";
import type { Connection } from "#platform/database.ts";

export interface FoundCustomer {
  accountId: string;
  /** What the text is, such as "invoice number". */
  what: string;
}

/**
 * The accounts that the text names, each once, in the order in which the meanings are tried; empty if it names none. `host` is that of the
 * panel, without a port, and `providers` are the names of all payment providers: ids are indexed by them.
 */
export async function findCustomers(
  db: Connection,
  typed: string,
  { host, providers }: { host: string; providers: readonly string[] },
): Promise<FoundCustomer[]> {
  const text = typed.trim();
  const named = nameIn(text.toLowerCase(), host);
  const found: FoundCustomer[] = [];
  const add = (what: string, rows: readonly { accountId: string | null }[]) => {
    for (const { accountId } of rows) if (accountId && !found.some((each) => each.accountId === accountId)) found.push({ accountId, what });
  };
  if (text.includes("@")) {
    add("email address", await db.select({ accountId: users.accountId }).from(users).where(eq(users.email, text.toLowerCase())));
    return found;
  }
  add(named.what, await db.select({ accountId: accounts.id }).from(accounts).where(eq(accounts.name, named.name)));
  if (isId(text.toLowerCase())) await findByOwnId(db, text.toLowerCase(), add);
  else await findByNumber(db, text, providers, add);
  return found;
}

/** The account's name in a URL or host such as `https://ada.example.com:8080/workflow/1`, or the text itself. */
function nameIn(text: string, host: string): { what: string; name: string } {
  const bare = text
    .replace(/^[a-z]+:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(/:\d+$/, "");
  return bare.endsWith(`.${host}`) ? { what: "host name", name: bare.slice(0, -host.length - 1) } : { what: "account name", name: text };
}

type Add = (what: string, rows: readonly { accountId: string | null }[]) => void;

async function findByOwnId(db: Connection, id: string, add: Add): Promise<void> {
  add("account id", await db.select({ accountId: accounts.id }).from(accounts).where(eq(accounts.id, id)));
  add("user id", await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id)));
  add("workspace id", await db.select({ accountId: workspaces.accountId }).from(workspaces).where(eq(workspaces.id, id)));
  add("backup id", await db.select({ accountId: backups.accountId }).from(backups).where(eq(backups.id, id)));
  add("export id", await db.select({ accountId: exports.accountId }).from(exports).where(eq(exports.id, id)));
  add("invoice id", await db.select({ accountId: invoices.accountId }).from(invoices).where(eq(invoices.id, id)));
  add("payment id", await db.select({ accountId: payments.accountId }).from(payments).where(eq(payments.id, id)));
  const mailed = db.select({ recipient: mails.recipient }).from(mails).where(eq(mails.id, id));
  add("mail id", await db.select({ accountId: users.accountId }).from(users).where(inArray(users.email, mailed)));
  add("request id", await db.selectDistinct({ accountId: auditLog.accountId }).from(auditLog).where(eq(auditLog.requestId, id)));
}

async function findByNumber(db: Connection, text: string, providers: readonly string[], add: Add): Promise<void> {
  const ofAny = [...providers];
  add(
    "invoice number",
    await db
      .select({ accountId: invoices.accountId })
      .from(invoices)
      .where(and(inArray(invoices.provider, ofAny), or(eq(invoices.number, text), eq(invoices.providerInvoiceId, text)))),
  );
  add(
    "payment at the provider",
    await db
      .select({ accountId: payments.accountId })
      .from(payments)
      .where(and(inArray(payments.provider, ofAny), eq(payments.providerPaymentId, text))),
  );
  add(
    "customer at the provider",
    await db.select({ accountId: subscriptions.accountId }).from(subscriptions).where(eq(subscriptions.providerCustomerId, text)),
  );
  add(
    "subscription at the provider",
    await db
      .select({ accountId: subscriptions.accountId })
      .from(subscriptions)
      .where(and(inArray(subscriptions.provider, ofAny), eq(subscriptions.providerSubscriptionId, text))),
  );
  add(
    "subscription sold here",
    await db.select({ accountId: checkouts.accountId }).from(checkouts).where(eq(checkouts.subscriptionId, text)),
  );
  add(
    "checkout at the provider",
    await db
      .select({ accountId: checkouts.accountId })
      .from(checkouts)
      .where(and(inArray(checkouts.provider, ofAny), eq(checkouts.checkoutId, text))),
  );
}
