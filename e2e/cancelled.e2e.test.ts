/** The end of a cancelled plan and the way back, by the program's API and clock; the workspace is a small engine in n8n's place. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import type { ResubscribePreview } from "#contract/billing/billing.ts";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { ask } from "#testing/ask.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { addInvoices, standInWorkflows } from "#testing/program/stand-in-workflows.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

let slipway: Slipway;
beforeAll(async () => void (slipway = await startSlipway()));
afterAll(() => slipway?.close());

let keys = 0;
async function callAs<Body>({ token }: Customer, method: string, path: string, body?: object): Promise<Body> {
  const headers = { "idempotency-key": `cancelled-${(keys += 1)}` };
  const answer = await slipway.call(method, `/api${path}`, { token, headers, ...(body && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Body>();
}
const me = async (customer: Customer) => (await callAs<{ user: User }>(customer, "GET", "/auth/me")).user;
const complete = (customer: Customer) =>
  callAs<{ user: User }>(customer, "POST", "/account/complete-checkout", { planId: "pro-1-monthly" });
const preview = async (customer: Customer) =>
  (await callAs<{ preview: ResubscribePreview }>(customer, "POST", "/account/billing/resubscribe/preview", {})).preview;

/** Pays at the sandbox's page, from the United States. */
async function pay(url: string): Promise<void> {
  const { due } = (await ask(`${url}/price?country=US`)).json<{ due: number }>();
  const card = { number: "4242 4242 4242 4242", expiry: "12 / 40", cvc: "123", name: "Ada", country: "US", postalCode: "", vatId: "" };
  const paid = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams({ ...card, shown: String(due) }) });
  expect(paid.status).toBe(303);
}

async function subscribe(): Promise<Customer> {
  const customer = await slipway.launch();
  await slipway.until(customer, ({ status }) => status === 1);
  const { url } = await callAs<{ url: string }>(customer, "POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", { currency: "USD" });
  await pay(url);
  expect((await complete(customer)).user.account.billing).toMatchObject({ status: "active" });
  // It restarts with what the plan adds.
  await slipway.until(customer, ({ status }) => status === 1);
  return customer;
}

const clock = async () => (await slipway.call("GET", "/api/dev/clock")).json<{ now: string; settled: boolean }>();
async function advance(days: number): Promise<void> {
  const answer = await slipway.call("POST", "/api/dev/clock", { body: { advance: `${days}d` } });
  expect(answer.status, answer.text).toBe(200);
  await vi.waitFor(async () => expect((await clock()).settled).toBe(true), { timeout: 3 * minuteMs, interval: 250 });
}

/** Sessions end in a month without use. */
async function signIn(customer: Customer): Promise<void> {
  const body = { login: customer.accountName, password: customer.password };
  customer.token = (await slipway.call("POST", "/api/auth/login", { body })).json<{ token: string }>().token;
}
const untilDeleted = (customer: Customer) =>
  vi.waitFor(async () => expect((await me(customer)).account.instance).toBeNull(), { timeout: 3 * minuteMs, interval: 250 });

test("cancelled, deleted at the period's end after a verified backup, and back with everything on day 29; empty on day 31, as said before paying", async () => {
  const [soon, late] = [await subscribe(), await subscribe()];
  for (const customer of [soon, late]) {
    await addInvoices(slipway, customer);
    await callAs(customer, "POST", "/account/billing/cancel", { accountName: customer.accountName });
  }
  // A month has at most 31 days; the sandbox ends both with their period.
  await advance(27);
  expect((await me(soon)).account).toMatchObject({ instance: { status: 1 }, lastBackup: null });
  expect(await standInWorkflows(slipway, soon)).toEqual(["Invoices"]);
  await advance(5);
  for (const customer of [soon, late]) {
    await signIn(customer);
    await untilDeleted(customer);
    expect(await standInWorkflows(slipway, customer)).toBeNull();
    const { billing, lastBackup } = (await me(customer)).account;
    expect(billing).toMatchObject({ status: "deleted" });
    // The date is the backup's own.
    const { backups } = (await slipway.call("GET", "/api/export", { token: customer.token })).json<{
      backups: { kind: string; verifiedAt: string | null; keptUntil: string }[];
    }>();
    const made = backups.filter(({ kind }) => kind === "before-deletion");
    expect(made).toMatchObject([{ verifiedAt: expect.any(String), keptUntil: lastBackup!.keptUntil }]);
    expect(Date.parse(lastBackup!.keptUntil) - Date.parse(lastBackup!.madeAt)).toBeGreaterThanOrEqual(30 * dayMs);
  }
  // A stranger cannot take the address meanwhile.
  const taken = await slipway.register({ accountName: soon.accountName }).catch((error: unknown) => String(error));
  expect(taken).toContain("409");

  // To day 29.
  const kept = Date.parse((await me(soon)).account.lastBackup!.keptUntil);
  await advance(Math.floor((kept - Date.parse((await clock()).now)) / dayMs) - 1);
  await signIn(soon);
  const quote = await preview(soon);
  expect(quote).toMatchObject({ way: "checkout", workspace: "restored", lastBackup: { keptUntil: expect.any(String) } });
  const { url } = await callAs<{ url: string }>(soon, "POST", "/account/billing/resubscribe", { previewId: quote.previewId });
  await pay(url);
  // Two tabs come back at the same moment; the provider's event arrives as well.
  await Promise.all([complete(soon), complete(soon)]);
  await slipway.until(soon, ({ status, life }) => status === 1 && life === 2);
  await vi.waitFor(async () => expect(await standInWorkflows(slipway, soon)).toEqual(["Invoices"]), { timeout: minuteMs, interval: 250 });
  const restores = (await slipway.journal(soon)).filter(({ event }) => event === "restore-started" || event === "restored");
  expect(restores.map(({ event }) => event)).toEqual(["restore-started", "restored"]);
  expect((await me(soon)).account).toMatchObject({ billing: { status: "active" }, lastBackup: null });

  // To day 31.
  await signIn(late);
  const gone = Date.parse((await me(late)).account.lastBackup!.keptUntil);
  await advance(Math.floor((gone - Date.parse((await clock()).now)) / dayMs) + 2);
  const empty = await preview(late);
  expect(empty).toMatchObject({ way: "checkout", workspace: "empty", lastBackup: null });
  await pay((await callAs<{ url: string }>(late, "POST", "/account/billing/resubscribe", { previewId: empty.previewId })).url);
  await complete(late);
  await slipway.until(late, ({ status, life }) => status === 1 && life === 2);
  expect(await standInWorkflows(slipway, late)).toEqual([]);
  expect((await slipway.journal(late)).map(({ event }) => event)).not.toContain("restore-started");

  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string; subject: string; text: string }[] }>();
  const toSoon = messages.filter(({ to }) => to === soon.email);
  expect(toSoon.map(({ subject }) => subject)).toContain(`Your workspace ${soon.accountName} was deleted`);
  const started = (of: Customer) => messages.find(({ to, subject }) => to === of.email && subject.includes("plan is active"))!.text;
  expect(started(soon)).toContain("being restored from its last backup");
  expect(started(late)).toContain("A new, empty workspace is starting");
});
