/** The panel's API with a payment provider (the sandbox by default) and customers who buy: for tests of everything that costs money. */
import type { LightMyRequestResponse } from "fastify";
import type { z } from "zod";
import { eq } from "drizzle-orm";
import type { ChangePreview, getPayments, getTransactions, Subscription } from "#contract/billing/billing.ts";
import { mails } from "#database/tables.ts";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import { kindNameOf, ProviderUnreachable, type PaymentProvider } from "#payments/payment-provider.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import type { KeyTimes } from "#domain/billing/idempotency.ts";
import { dayMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { ProviderHarness, RawWebhook, SuiteCard } from "./provider-suite/provider-harness.ts";
import { createSandboxHarness, type SandboxHarnessOptions } from "./sandbox-harness.ts";
import { createTestApi, registerConfirmed, type CallOptions, type TestApi } from "../test-api.ts";
import { testSeller } from "./test-seller.ts";

export type Network = "good" | "doubled" | "reversed" | "lost";

export interface TestShop extends AsyncDisposable {
  api: TestApi;
  /** The provider, its customers, its clock and its webhooks. */
  harness: ProviderHarness;
  /** How events are delivered on their way here. */
  network: Network;
  /** While true, the provider cannot be reached. */
  isDown: boolean;
  /** Lets time pass in steps of at most four days: renewals, retries, events and timers fall due as in a running program. */
  pass(ms: number): Promise<void>;
  /** Delivers the provider's events and does what is due. */
  catchUp(): Promise<void>;
}

const stepMs = 4 * dayMs;

const arrivals: Readonly<Record<Network, (sent: RawWebhook[]) => RawWebhook[]>> = {
  good: (sent) => sent,
  doubled: (sent) => [...sent, ...sent],
  reversed: (sent) => sent.toReversed(),
  lost: () => [],
};

/** Time limits that are smaller than usual, and where the log goes. */
interface ShopLimits {
  phases?: NonNullable<TestApi["services"]["phases"]>;
  providerMs?: number;
  keyTimes?: KeyTimes;
  log?: Log;
}

/** Opens a shop over its own database, which the provider from `openHarness` shares, as it does the clock. */
export async function createTestShop(
  changes: Partial<PaymentProvider> = {},
  openHarness: (options: SandboxHarnessOptions) => Promise<ProviderHarness> = createSandboxHarness,
  limits: ShopLimits = {},
): Promise<TestShop> {
  let harness: ProviderHarness | undefined;
  const state = { isDown: false };
  const api = await createTestApi(async (usual) => {
    const { db, clock, log, secrets, publicUrl } = usual;
    harness = await openHarness({ db, clock: clock as TestApi["clock"] });
    const provider = breakable({ ...harness.provider, ...changes }, state);
    const { phases, log: ownLog = log, ...billingLimits } = limits;
    const billing = createBilling({
      db,
      clock,
      log: ownLog,
      secrets,
      provider,
      publicUrl,
      leastNoticeMs: 0,
      lastBackupDays: 30,
      seller: testSeller,
      ...billingLimits,
    });
    return { billing, log: ownLog, ...(phases ? { phases } : {}) };
  });
  const { billing } = api.services;
  const shop: TestShop = {
    api,
    harness: harness!,
    network: "good",
    get isDown() {
      return state.isDown;
    },
    set isDown(value) {
      state.isDown = value;
    },
    async catchUp() {
      for (const { headers, body } of arrivals[shop.network](await harness!.takeWebhooks())) {
        const answer = await api.app.inject({
          method: "POST",
          url: `/api/webhooks/${kindNameOf(billing.provider.name)}`,
          headers: { "content-type": "application/json", ...headers },
          payload: body,
        });
        if (answer.statusCode !== 200) throw new Error(`an event was refused: ${answer.body}`);
      }
      await doWhatIsDue(billing);
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= stepMs) {
        await harness!.advance(Math.min(left, stepMs));
        await shop.catchUp();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await harness![Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
  return shop;
}

/** The provider, unless its connection is cut. */
function breakable(provider: PaymentProvider, state: { isDown: boolean }): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "readWebhook") return member;
      return (...items: unknown[]) =>
        state.isDown
          ? Promise.reject(new ProviderUnreachable("the line is cut"))
          : (member as (...items: unknown[]) => unknown).apply(target, items);
    },
  });
}

type Transactions = z.infer<typeof getTransactions.success.body>["transactions"];
type Payments = z.infer<typeof getPayments.success.body>["payments"];

/** A customer on a trial, and what they can do. */
export interface Customer {
  form: Record<string, unknown>;
  call(
    method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    options?: Omit<CallOptions, "token">,
  ): Promise<LightMyRequestResponse>;
  /** Uses a new key unless given one. */
  pay(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown, key?: string): Promise<LightMyRequestResponse>;
  billing(): Promise<{ status: string; planId: string } | null>;
  subscription(): Promise<Subscription>;
  /** Newest first, like all lists. */
  invoices(): Promise<Transactions>;
  payments(): Promise<Payments>;
  /** All mails to the customer, oldest first. */
  mails(): Promise<{ subject: string; attachment: { name: string; base64: string } | null }[]>;
  /** Signs in again, after a session's thirty days. */
  signIn(): Promise<void>;
}

let keys = 0;

/** Registers and confirms a customer, and launches: their trial runs. */
export async function startCustomer({ api }: TestShop): Promise<Customer> {
  const registered = await registerConfirmed(api);
  const { form } = registered;
  let { token } = registered;
  const call: Customer["call"] = (method, path, options = {}) => api.call(method, `/api${path}`, { token, ...options });
  const launched = await call("POST", "/account/setup", { body: { timezone: "Etc/UTC" } });
  if (launched.statusCode !== 202) throw new Error(`launching failed: ${launched.body}`);
  return {
    form,
    call,
    pay: (method, path, body, key = `key-${(keys += 1)}`) => call(method, path, { body, headers: { "idempotency-key": key } }),
    billing: async () => (await call("GET", "/auth/me")).json().user.account.billing,
    subscription: async () => (await call("GET", "/account/subscription")).json().subscription,
    invoices: async () => (await call("GET", "/account/transactions")).json().transactions,
    payments: async () => (await call("GET", "/account/payments")).json().payments,
    mails: () =>
      api.database.db
        .select({ subject: mails.subject, attachment: mails.attachment })
        .from(mails)
        .where(eq(mails.recipient, String(form["email"])))
        .orderBy(mails.createdAt, mails.id),
    signIn: async () => {
      token = (await api.call("POST", "/api/auth/login", { body: { login: form["email"], password: form["password"] } })).json().token;
    },
  };
}

/** Pays for a plan at the provider's page and returns to the panel. */
export async function buyPlan(
  shop: TestShop,
  customer: Customer,
  planId: string,
  { card = "visa" as SuiteCard, body = {} } = {},
): Promise<LightMyRequestResponse> {
  const link = await customer.pay("POST", `/v1/paddle/plan/${planId}/generatePayLink`, body);
  if (link.statusCode !== 200) throw new Error(`no pay link: ${link.body}`);
  await payAt(shop, link.json().url, card);
  return customer.call("POST", "/account/complete-checkout", { body: { planId } });
}

/** Pays at the address of a pay link. */
export async function payAt(shop: TestShop, url: string, card: SuiteCard = "visa"): Promise<"paid" | "declined"> {
  const { pathname, searchParams } = new URL(url);
  // Paddle's page is ours and names the checkout in the query.
  return shop.harness.pay({ url, checkoutId: searchParams.get("_ptxn") ?? pathname.split("/").at(-1)! }, card);
}

/** A customer on a plan whose first invoice is paid and recorded. */
export async function startSubscriber(shop: TestShop, planId = "pro-1-monthly", card: SuiteCard = "visa"): Promise<Customer> {
  const customer = await startCustomer(shop);
  const answer = await buyPlan(shop, customer, planId, { card });
  if (answer.json().user?.account.billing?.status !== "active") throw new Error(`buying ended as ${answer.body}`);
  return customer;
}

/** The preview of a change; throws if there is none. */
export async function previewChange(customer: Customer, planId: string, timing?: "now" | "period-end"): Promise<ChangePreview> {
  const answer = await customer.call("POST", "/account/plan/change/preview", { body: { planId, ...(timing ? { timing } : {}) } });
  if (answer.statusCode !== 200) throw new Error(`no preview: ${answer.body}`);
  return answer.json().preview;
}

/** Billing details of a German company, its VAT id as a person types it. */
export const germanDetails = {
  name: "Acme GmbH",
  line1: "Straße 1",
  line2: "",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "de 123.456.789",
};
