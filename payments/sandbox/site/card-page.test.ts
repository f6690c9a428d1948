import { afterAll, beforeAll, expect, test } from "vitest";
import { sandboxSubscriptions } from "#database/tables.ts";
import { PaymentActionRequired } from "../../payment-provider.ts";
import { dayMs } from "#platform/clock.ts";
import { createSandboxApi, payingForm, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";

let api: SandboxApi;
beforeAll(async () => {
  api = await createSandboxApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const show = (url: string) =>
  api.app.inject({ method: "GET", url: url.replace("http://localhost:3000", ""), headers: { host: "localhost:3000" } });
const card = (number: string) => ({ number, expiry: "12 / 40", cvc: "123", name: "Ada Lovelace" });
const newestSubscription = async () =>
  (await api.database.db.select().from(sandboxSubscriptions)).toSorted((one, other) => one.id.localeCompare(other.id)).at(-1)!;

async function bought(number: string) {
  const token = await registerOnTrial(api);
  const url = await api.openCheckout(token);
  const paid = await api.send(url, payingForm({ number }));
  if (paid.headers.location?.startsWith("/sandbox/challenge/"))
    await api.send(`http://localhost:3000${paid.headers.location}`, { answer: "confirm" });
  const { id } = await newestSubscription();
  return { id, provider: api.services.billing.provider, look: async () => (await api.services.billing.provider.readSubscription(id))! };
}
const cardPage = async ({ id, provider }: Awaited<ReturnType<typeof bought>>) =>
  provider.changeCardUrl(id, "http://localhost:3000/manage/billing");

test("a new card is saved, and the page cannot be used again", async () => {
  const subscription = await bought("4242424242424242");
  const url = await cardPage(subscription);
  expect((await show(url)).body).toContain("Your current payment method is Visa ending in 4242.");
  const saved = await api.send(url, card("5555 5555 5555 4444"));
  expect([saved.statusCode, saved.headers.location]).toEqual([303, "http://localhost:3000/manage/billing"]);
  expect((await subscription.look()).card).toEqual({ brand: "mastercard", lastFour: "4444", expiryMonth: 12, expiryYear: 2040 });
  expect((await show(url)).body).toContain("This is already done");
});

test("a refused card, a mistyped number and a refusal at the bank change nothing", async () => {
  const subscription = await bought("4242424242424242");
  const url = await cardPage(subscription);
  const declined = await api.send(url, card("4000 0000 0000 0002"));
  expect(declined.statusCode).toBe(402);
  expect(declined.body).toContain("The card was declined. Your card was not changed.");
  expect((await api.send(url, card("4242"))).statusCode).toBe(422);
  const asked = await api.send(url, card("4000 0025 0000 3155"));
  const bank = `http://localhost:3000${asked.headers.location}`;
  expect((await show(bank)).body).toContain("Allow Slipway to charge Visa ending in 3155");
  const refused = await api.send(bank, { answer: "fail" });
  expect((await show(refused.headers.location!)).body).toContain("Your bank did not confirm the card.");
  expect((await subscription.look()).card?.lastFour).toBe("4242");
  await api.send(bank, { answer: "confirm" });
  expect((await subscription.look()).card?.lastFour).toBe("3155");
});

test("the open amount is paid with the new card, and the page says so first", async () => {
  const subscription = await bought("4000 0000 0000 0341");
  api.clock.advance(32 * dayMs);
  await api.runSandbox();
  expect((await subscription.look()).status).toBe("past_due");
  const url = await cardPage(subscription);
  expect((await show(url)).body).toContain("$60.00 is due and will be charged to the new card.");
  expect((await api.send(url, { method: "paypal" })).statusCode).toBe(303);
  expect(await subscription.look()).toMatchObject({ status: "active", card: { brand: "paypal" } });
});

test("a payment that waits for the bank is confirmed at the bank's page, once", async () => {
  const subscription = await bought("4000 0027 6000 3184");
  const request = {
    subscriptionId: subscription.id,
    purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
    billing: "now",
  } as const;
  const { quotedAt, dueNow } = await subscription.provider.previewChange(request, null);
  const refusal: unknown = await subscription.provider
    .change(request, { quotedAt, expectedDueNow: dueNow }, "up")
    .catch((error: unknown) => error);
  const url = (refusal as PaymentActionRequired).url!;
  expect((await show(url)).body).toMatch(/Confirm a payment of \$[\d.]+ to Slipway with /);
  expect((await api.send(url, { answer: "fail" })).headers.location).toBe("http://localhost:3000/manage/billing");
  expect((await subscription.look()).purchase?.planId).toBe("pro-1-monthly");
  const answers = await Promise.all([api.send(url, { answer: "confirm" }), api.send(url, { answer: "confirm" })]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
  expect((await subscription.look()).purchase?.planId).toBe("pro-2-monthly");
});

test("a late confirmation charges nothing and says so", async () => {
  const subscription = await bought("4000 0027 6000 3184");
  const request = {
    subscriptionId: subscription.id,
    purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
    billing: "now",
  } as const;
  const { quotedAt, dueNow } = await subscription.provider.previewChange(request, null);
  const refusal: unknown = await subscription.provider
    .change(request, { quotedAt, expectedDueNow: dueNow }, "late")
    .catch((error: unknown) => error);
  await subscription.provider.cancelNow(subscription.id, "end");
  const answer = await api.send((refusal as PaymentActionRequired).url!, { answer: "confirm" });
  expect(answer.statusCode).toBe(402);
  expect(answer.body).toContain("What you confirmed is no longer possible. Nothing was charged.");
});
