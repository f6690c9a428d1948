import { afterAll, beforeAll, expect, test } from "vitest";
import { sandboxCheckouts, sandboxCustomers, sandboxInvoices, sandboxSubscriptions } from "#database/tables.ts";
import { hourMs } from "#platform/clock.ts";
import { createSandboxApi, payingForm, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { eq } from "drizzle-orm";
import { testCards } from "../test-cards.ts";

let api: SandboxApi;
beforeAll(async () => {
  api = await createSandboxApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const show = (url: string) =>
  api.app.inject({ method: "GET", url: url.replace("http://localhost:3000", ""), headers: { host: "localhost:3000" } });
const open = async () => api.openCheckout(await registerOnTrial(api));
const idOf = (url: string) => url.split("/").at(-1)!;
const count = async (table: typeof sandboxCustomers | typeof sandboxInvoices | typeof sandboxSubscriptions) =>
  (await api.database.db.select({ id: table.id }).from(table)).length;

test("the page sells what was chosen, says that it is a sandbox, and blocks other scripts", async () => {
  const page = await show(await open());
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("Subscribe to Pro 10K");
  expect(page.body).toContain("$60.00");
  expect(page.body).toContain("No real card is charged");
  expect(page.headers["content-security-policy"]).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(page.headers["cache-control"]).toBe("no-store");
  expect(page.body).not.toMatch(/<script(?! src)|<style| style=| on\w+=/);
  for (const { title } of testCards) expect(page.body).toContain(title.replace("'", "&#39;"));
});

test("every mistake is reported beside its field, and nothing typed is lost", async () => {
  const url = await open();
  const answer = await api.send(
    url,
    payingForm({ number: "4242 4242 4242 4241", expiry: "01 / 20", cvc: "12", name: "", country: "FR", vatId: "DE123456789" }),
  );
  expect(answer.statusCode).toBe(422);
  for (const words of [
    "5 fields are not valid. Nothing was charged.",
    "This card number is not valid.",
    "This card has expired.",
    "has 3 digits",
    "Enter the name on the card.",
    "This is not a valid VAT ID for France.",
  ])
    expect(answer.body).toContain(words);
  for (const typed of ["4242 4242 4242 4241", "01 / 20", "94105", "DE123456789"]) expect(answer.body).toContain(`value="${typed}"`);
  expect(answer.body).toContain('aria-describedby="vatId-error vatId-hint"');
});

test("a sum whose invoice must name the buyer's address asks for street and city, and puts them on the invoice", async () => {
  const token = await registerOnTrial(api);
  const url = await api.openCheckout(token, "pro-1-yearly");
  const shown = (await show(`${url}/price?country=US`)).json<{ due: number }>().due;
  const refused = await api.send(url, payingForm({ shown: String(shown) }));
  expect(refused.statusCode).toBe(422);
  for (const words of ["Enter the street and number", "Enter the city"]) expect(refused.body).toContain(words);
  const paid = await api.send(url, payingForm({ shown: String(shown), line1: "1 Main St", city: "Portland" }));
  expect(paid.statusCode).toBe(303);
  const details = (await api.database.db.select({ details: sandboxCustomers.details }).from(sandboxCustomers)).map((row) => row.details);
  expect(details).toContainEqual(expect.objectContaining({ line1: "1 Main St", city: "Portland", postalCode: "94105", country: "US" }));
});

test.each([
  ["", "Enter the card number."],
  ["4111 1111 1111 1111", "This is not a test card."],
  ["abc", "This card number is not valid."],
  ["<script>alert(1)</script>", "This card number is not valid."],
])("the card number %j is refused", async (number, words) => {
  const answer = await api.send(await open(), payingForm({ number }));
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain(words);
  expect(answer.body).not.toContain("<script>alert");
});

test("an American Express card has a four-digit code", async () => {
  const url = await open();
  expect((await api.send(url, payingForm({ number: "3782 822463 10005" }))).body).toContain("has 4 digits");
  expect((await api.send(url, payingForm({ number: "3782 822463 10005", cvc: "1234" }))).statusCode).toBe(303);
});

test("a paid checkout leads back, and a signed event makes the account's subscription active", async () => {
  const token = await registerOnTrial(api);
  const url = await api.openCheckout(token);
  const paid = await api.send(url, payingForm());
  expect(paid.statusCode).toBe(303);
  expect(await api.runSandbox()).toBeGreaterThan(1);
  const { state, subscriptionId, successUrl } = (
    await api.database.db
      .select()
      .from(sandboxCheckouts)
      .where(eq(sandboxCheckouts.id, idOf(url)))
  )[0]!;
  expect(paid.headers.location).toBe(successUrl);
  expect({ state, subscriptionId }).toEqual({ state: "done", subscriptionId: expect.stringMatching(/^sub_/) });
});

test("pressing the button twice, or going back and pressing it again, pays once", async () => {
  const url = await open();
  const before = await count(sandboxInvoices);
  const [one, other] = await Promise.all([api.send(url, payingForm()), api.send(url, payingForm())]);
  const again = await api.send(url, payingForm());
  expect([one.statusCode, other.statusCode, again.statusCode]).toEqual([303, 303, 303]);
  expect(new Set([one, other, again].map(({ headers }) => headers.location)).size).toBe(1);
  expect(await count(sandboxInvoices)).toBe(before + 1);
  expect((await show(url)).body).toContain("This is already done");
});

test.each([
  ["4000 0000 0000 0002", "The card was declined."],
  ["4000 0000 0000 9995", "The card has insufficient funds."],
  ["4000 0000 0000 0069", "The card has expired."],
  ["4000 0000 0000 0127", "The card&#39;s security code is wrong."],
])("%s is declined, leaves nothing behind, and another card still pays", async (number, words) => {
  const url = await open();
  const before = [await count(sandboxCustomers), await count(sandboxInvoices)];
  const declined = await api.send(url, payingForm({ number }));
  expect(declined.statusCode).toBe(402);
  expect(declined.body).toContain(`${words} Nothing was charged.`);
  expect([await count(sandboxCustomers), await count(sandboxInvoices)]).toEqual(before);
  expect((await api.send(url, payingForm())).statusCode).toBe(303);
});

test("3-D Secure asks the bank: a refusal leads back to the filled-in form, a confirmation pays once", async () => {
  const url = await open();
  const form = payingForm({ number: "4000 0025 0000 3155" });
  const asked = await api.send(url, form);
  expect(asked.headers.location).toBe(`/sandbox/challenge/${idOf(url)}`);
  const bank = `http://localhost:3000${asked.headers.location}`;
  expect((await show(bank)).body).toContain("Confirm a payment of $60.00 to Slipway with Visa ending in 3155.");
  const refused = await api.send(bank, { answer: "fail" });
  const form2 = await show(`http://localhost:3000${refused.headers.location}`);
  expect(form2.body).toContain("Your bank did not confirm the payment. Nothing was charged.");
  expect(form2.body).toContain('value="4000 0025 0000 3155"');
  await api.send(url, form);
  const [one, other] = await Promise.all([api.send(bank, { answer: "confirm" }), api.send(bank, { answer: "confirm" })]);
  expect([one.statusCode, other.statusCode]).toEqual([303, 303]);
  const rows = await api.database.db
    .select()
    .from(sandboxSubscriptions)
    .where(
      eq(
        sandboxSubscriptions.id,
        (
          await api.database.db
            .select()
            .from(sandboxCheckouts)
            .where(eq(sandboxCheckouts.id, idOf(url)))
        )[0]!.subscriptionId!,
      ),
    );
  expect(rows).toHaveLength(1);
});

test("the tax follows the country, and only the sum shown is charged", async () => {
  const url = await open();
  const price = await show(`${url}/price?country=DE`);
  expect(price.json()).toMatchObject({ due: 7140, total: "$71.40", label: "Pay $71.40 USD" });
  expect((await show(`${url}/price?country=FR&vatId=FR12345678901`)).json()).toMatchObject({ due: 6000 });
  const changed = await api.send(url, payingForm({ country: "DE" }));
  expect(changed.statusCode).toBe(409);
  expect(changed.body).toContain("The total has changed because of your country.");
  expect(changed.body).toContain('value="7140"');
  expect((await api.send(url, payingForm({ country: "DE", shown: "7140" }))).statusCode).toBe(303);
});

test("PayPal pays without a card", async () => {
  const url = await open();
  expect((await api.send(url, { country: "US", shown: "6000", method: "paypal" })).statusCode).toBe(303);
});

test("without scripts, a test card's button fills in the form", async () => {
  const answer = await api.send(await open(), { country: "US", shown: "6000", use: "1" });
  expect(answer.body).toContain('value="5555 5555 5555 4444"');
  expect(answer.body).toContain('value="Test Customer"');
});

test("an expired or unknown page is gone and charges nothing", async () => {
  const url = await open();
  api.clock.advance(25 * hourMs);
  for (const gone of [
    await show(url),
    await api.send(url, payingForm()),
    await show("http://localhost:3000/sandbox/checkout/chk_0"),
    await show("http://localhost:3000/sandbox/confirm/x"),
    await show(`http://localhost:3000/sandbox/card/${idOf(url)}`),
  ]) {
    expect(gone.statusCode).toBe(410);
    expect(gone.body).toContain("This page has expired");
  }
});

test("a body that is not a form is refused with a page", async () => {
  const answer = await api.app.inject({
    method: "POST",
    url: new URL(await open()).pathname,
    headers: { "content-type": "application/json", host: "localhost:3000" },
    payload: "{}",
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain("Something went wrong");
});
