/**
 * Limits the accounts that are registered in a day from one address, and from the network around it: a script could otherwise fill the tables,
 * and hold a place among known callers for each account (decision 0198). A paying customer has as many, apart from the strangers at their
 * address.
 */
import { AppError } from "#platform/app-error.ts";
import { dayMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { addressSubject } from "./attempt-store.ts";
import { countCall, readCalls } from "./call-count-store.ts";

/** What one address may, times this, is what its network may: a provider gives its customers neighboring addresses. */
export const networkFactor = 4;

/** Who registers: anyone at an address, or someone in the browser of a paying customer. */
export interface Registrant {
  address: string;
  customerId: string | null;
}

/** Refuses (AppError) too_many_requests before anything that costs. Only a look: `countRegistration` decides. */
export async function refuseTooManyRegistrations(db: Connection, registrant: Registrant, perDay: number): Promise<void> {
  for (const { what, subject, most } of countsOf(registrant, perDay)) {
    const { calls, waitSeconds } = await readCalls(db, what, subject);
    if (calls >= most) throw refusal(what, most, waitSeconds);
  }
}

/** Counts an account in the transaction that makes it, and so only if it is made; refuses (AppError) too_many_requests. */
export async function countRegistration(tx: Connection, registrant: Registrant, perDay: number): Promise<void> {
  for (const { what, subject, most } of countsOf(registrant, perDay)) {
    const { calls, waitSeconds } = await countCall(tx, what, subject, dayMs / secondMs);
    if (calls > most) throw refusal(what, most, waitSeconds);
  }
}

/** In this order in every transaction: the address before its network. */
const countsOf = ({ address, customerId }: Registrant, perDay: number) => {
  if (customerId !== null) return [{ what: "registrations of a customer", subject: customerId, most: perDay }];
  const subject = addressSubject(address);
  return [
    { what: "registrations of an address", subject, most: perDay },
    { what: "registrations of a network", subject: networkOf(subject), most: perDay * networkFactor },
  ];
};

/** An IPv4 /24, the smallest that is announced on the internet, or an IPv6 /48, what one site gets. */
const networkOf = (subject: string): string =>
  (subject.includes(":") ? subject.split(":") : subject.split(".")).slice(0, 3).join(subject.includes(":") ? ":" : ".");

const refusal = (what: string, most: number, retryAfterSeconds: number): AppError =>
  new AppError("too_many_requests", { retryAfterSeconds, internal: `${what}: more than ${most}` });
