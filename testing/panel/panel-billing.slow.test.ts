/** Holds the billing of the stand-in of the API against the API's own, with the payment sandbox: the same calls, the same answers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { after, dayMs } from "#platform/clock.ts";
import type { CallOptions } from "../test-api.ts";
import { createTestShop, startSubscriber, type TestShop } from "../payments/test-shop.ts";
import { subscribe, type PanelBilling } from "./panel-billing.ts";
import { servePanel, type PanelPerson, type PanelServer } from "./serve-panel.ts";

let shop: TestShop;
let panel: PanelServer;

beforeAll(async () => {
  [shop, panel] = await Promise.all([createTestShop(), servePanel()]);
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await shop?.[Symbol.asyncDispose]();
});

type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";

interface Both {
  real: unknown;
  standIn: unknown;
}

interface Customers {
  person: PanelPerson;
  billing: PanelBilling;
  /** A day later, so that paid time is used. */
  passDay(): void;
  /** Later, when the service has done what fell due, and the customer has signed in again. */
  passUntil(at: Date): Promise<void>;
  /** Makes the call in both; a body may be made from each one's previous answers. */
  ask(method: Method, path: string, body?: object | ((of: keyof Both) => object)): Promise<Both>;
  /** Makes it, and expects the same answer in both. */
  compare(method: Method, path: string, body?: object | ((of: keyof Both) => object)): Promise<Both>;
}

let keys = 0;

const cards = { visa: "4242424242424242", "renewal-soft": "4000000000000341" } as const;

/** The same customer in both, from Germany, who has just paid. */
async function bothBuy(planId: string, card: keyof typeof cards = "visa"): Promise<Customers> {
  const real = await startSubscriber(shop, planId, card);
  const person = panel.signIn({ now: shop.api.clock.now() });
  const billing = await subscribe(person, planId, cards[card]);
  const { origin, host } = new URL(panel.url);
  const askPanel = async (method: Method, path: string, { body, headers }: CallOptions) =>
    panel.app.inject({
      method,
      url: `/api${path}`,
      ...(body === undefined ? {} : { payload: body as object }),
      headers: { origin, host, cookie: `token=${person.token}`, ...headers },
    });
  const ask: Customers["ask"] = async (method, path, body) => {
    const headers = { "idempotency-key": `both-${(keys += 1)}` };
    const asked = (of: keyof Both): CallOptions => {
      const sent = typeof body === "function" ? body(of) : body;
      return { headers, ...(sent === undefined ? {} : { body: sent }) };
    };
    const [answer, other] = [await real.call(method, path, asked("real")), await askPanel(method, path, asked("standIn"))];
    const read = ({ statusCode, body: text }: { statusCode: number; body: string }) =>
      ({ status: statusCode, json: text ? (JSON.parse(text) as unknown) : null }) as const;
    return { real: read(answer), standIn: read(other) };
  };
  return {
    person,
    billing,
    passDay() {
      shop.api.clock.advance(dayMs);
      person.state.now = shop.api.clock.now();
    },
    async passUntil(at) {
      await shop.pass(at.getTime() - shop.api.clock.now().getTime());
      await real.signIn();
      person.state.now = shop.api.clock.now();
    },
    ask,
    async compare(method, path, body) {
      const both = await ask(method, path, body);
      expect(comparable(both.standIn), `${method} ${path}`).toEqual(comparable(both.real));
      return both;
    },
  };
}

/** What differs between any two customers. */
const personal = ["id", "transactionId", "previewId", "requestId", "instance", "email", "accountName", "number", "updateUrl", "user"];

/** Without what is personal. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (name === "user") return [name, comparable({ billing: (part as { account: { billing: unknown } }).account.billing })];
      return [name, personal.includes(name) && part !== null ? "theirs" : comparable(part)];
    }),
  );
}

const reads = [
  "/account/subscription",
  "/account/payments",
  "/account/transactions",
  "/account/payment-information",
  "/account/plan/next-payment",
  "/account/billing/details",
  "/user/plan",
];

async function compareAll({ compare }: Customers): Promise<void> {
  for (const path of reads) await compare("GET", path);
  await compare("HEAD", "/account/billing/active");
}

/** A value of each answer. */
const valueOf = (both: Both, of: keyof Both, ...path: string[]): string =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], (both[of] as { json: unknown }).json) as string;

test("a purchase, a change of plan and its invoice are answered as by the API", async () => {
  const customers = await bothBuy("starter-monthly");
  const { compare } = customers;
  await compareAll(customers);
  const invoices = await compare("GET", "/account/transactions");
  const path = (of: keyof Both) => `/account/transactions/${valueOf(invoices, of, "transactions", "0", "id")}`;
  const opened: Both = {
    real: (await customers.ask("GET", path("real"))).real,
    standIn: (await customers.ask("GET", path("standIn"))).standIn,
  };
  expect(comparable(opened.standIn)).toEqual(comparable(opened.real));
  await compare("GET", "/account/transactions/00000000-0000-7000-8000-000000000000");
  customers.passDay();
  const preview = await compare("POST", "/account/plan/change/preview", { planId: "starter-yearly" });
  const agreed = (of: keyof Both) => ({ planId: "starter-yearly", timing: "now", previewId: valueOf(preview, of, "preview", "previewId") });
  await compare("POST", "/account/plan/change", agreed);
  await compareAll(customers);
  customers.passDay();
  const upgrade = await compare("POST", "/account/plan/change/preview", { planId: "pro-1-yearly" });
  const agreedUpgrade = (of: keyof Both) => ({
    planId: "pro-1-yearly",
    timing: "now",
    previewId: valueOf(upgrade, of, "preview", "previewId"),
  });
  await compare("POST", "/account/plan/change", agreedUpgrade);
  await compareAll(customers);
});

test("a change for the end of the period, its withdrawal, a cancellation and its undoing are answered as by the API", async () => {
  const customers = await bothBuy("pro-1-yearly");
  const { compare } = customers;
  await compare("POST", "/account/plan/change/preview", { planId: "starter-yearly", timing: "now" });
  const preview = await compare("POST", "/account/plan/change/preview", { planId: "starter-yearly" });
  const agreed = (of: keyof Both) => ({
    planId: "starter-yearly",
    timing: "period-end",
    previewId: valueOf(preview, of, "preview", "previewId"),
  });
  await compare("POST", "/account/plan/change", agreed);
  await compareAll(customers);
  await compare("DELETE", "/account/plan/change");
  await compareAll(customers);
  await compare("POST", "/account/plan/change/preview", { planId: "starter-monthly" });
  await compare("POST", "/account/plan/change/preview", { planId: "pro-2-yearly" });
  await compare("POST", "/account/billing/cancel", { accountName: "somebody-else" });
  const name = (of: keyof Both) => ({ accountName: of === "real" ? realName : customers.person.state.user.account.name });
  const realName = valueOf(await customers.ask("GET", "/auth/me"), "real", "user", "account", "name");
  await compare("POST", "/account/billing/cancel", name);
  await compareAll(customers);
  await compare("POST", "/account/plan/change/preview", { planId: "starter-yearly" });
  const kept = await compare("POST", "/account/billing/resubscribe/preview", {});
  await compare("POST", "/account/billing/resubscribe", (of) => ({ previewId: valueOf(kept, of, "preview", "previewId") }));
  await compareAll(customers);
});

test("billing details are saved, and refused when they are outdated, as by the API", async () => {
  const { compare, ask } = await bothBuy("starter-monthly");
  const address = { line1: "", line2: "", postalCode: "", city: "", country: "DE" };
  const details = { ...address, name: "Analytical Engines", vatId: "" };
  await compare("PUT", "/account/billing/details", { ...details, vatId: "nonsense!" });
  const first = await compare("PUT", "/account/billing/details", { ...details, vatId: "DE123456789" });
  const revision = valueOf(first, "real", "revision");
  await compare("PUT", "/account/billing/details", { ...details, city: "London", revision });
  await compare("PUT", "/account/billing/details", { ...details, city: "Paris", revision });
  await compare("GET", "/account/billing/details");
  const current = valueOf(await ask("GET", "/account/billing/details"), "standIn", "revision");
  await compare("PUT", "/account/billing/details", { ...details, city: "Paris", revision: current });
});

test("a failed renewal, an attempt to pay it, and a change meanwhile are answered as by the API", async () => {
  const customers = await bothBuy("starter-monthly", "renewal-soft");
  const { person, billing, compare } = customers;
  await customers.passUntil(new Date(person.state.user.account.planSpec!.expirationDate!));
  billing.failRenewal();
  await compareAll(customers);
  await compare("POST", "/account/plan/change/preview", { planId: "pro-2-monthly" });
  await compare("POST", "/account/billing/retry", { shown: { amount: 2400, currency: "USD" } });
  await compare("POST", "/account/billing/retry", { shown: { amount: 2856, currency: "USD" } });
  await compare("GET", "/account/subscription");
});

test("what it costs to resume a paused subscription, and a card that does not pay for it, are answered as by the API", async () => {
  const customers = await bothBuy("pro-1-monthly", "renewal-soft");
  await customers.passUntil(after(shop.api.clock.now(), 48 * dayMs));
  customers.billing.pause();
  const { compare } = customers;
  await compare("POST", "/account/plan/change/preview", { planId: "pro-2-monthly" });
  await compare("GET", "/account/plan/next-payment");
  const preview = await compare("POST", "/account/billing/resubscribe/preview", {});
  await compare("POST", "/account/billing/resubscribe", {});
  await compare("POST", "/account/billing/resubscribe", (of) => ({ previewId: valueOf(preview, of, "preview", "previewId") }));
});

test("an ended subscription, and what buying it again costs, are answered as by the API", async () => {
  const customers = await bothBuy("starter-monthly");
  const { person, billing, ask, compare } = customers;
  const realName = valueOf(await ask("GET", "/auth/me"), "real", "user", "account", "name");
  await compare("POST", "/account/billing/cancel", (of) => ({
    accountName: of === "real" ? realName : person.state.user.account.name,
  }));
  await customers.passUntil(new Date(person.state.user.account.planSpec!.expirationDate!));
  // Their workspaces were never made, so there is no backup of them.
  billing.end("gone");
  for (const path of reads) await compare("GET", path);
  await compare("HEAD", "/account/billing/active");
  await compare("POST", "/account/billing/resubscribe/preview", {});
});
