/** The sandbox's pages as a customer gets them whose panel is German. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs } from "#platform/clock.ts";
import { createSandboxApi, payingForm, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { sandboxSubscriptions } from "#database/tables.ts";
import { testCards } from "../test-cards.ts";
import { german } from "./words.de.ts";
import { english } from "./words.ts";

let api: SandboxApi;
beforeAll(async () => {
  api = await createSandboxApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const host = "localhost:3000";
const pathOf = (url: string) => url.replace(`http://${host}`, "");
const show = (url: string, headers: Record<string, string> = { cookie: "language=de", "accept-language": "en" }) =>
  api.app.inject({ method: "GET", url: pathOf(url), headers: { host, ...headers } });
const send = (url: string, fields: Record<string, string>) =>
  api.app.inject({
    method: "POST",
    url: pathOf(url),
    headers: { host, "accept-language": "de-AT,de;q=0.9", "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(fields).toString(),
  });
const open = async () => api.openCheckout(await registerOnTrial(api));
const card = (number: string) => ({ number, expiry: "12 / 40", cvc: "123", name: "Ada Lovelace" });

/** Texts of the catalogue, by their path in it. */
function textsOf(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    if (typeof value === "string") return [[path + key, value]];
    return typeof value === "object" && value !== null ? textsOf(value, `${path}${key}.`) : [];
  });
}
/** The same in both languages. */
const shared = new Set(["badge", "form.optional"]);

/** A page in German, with nothing left that English has other words for. */
function expectGerman({ body }: { body: string }, ...parts: readonly string[]): void {
  expect(body).toContain('<html lang="de">');
  for (const part of parts) expect(body).toContain(part);
  const visible = body.replaceAll(/<[^>]*>/g, "\n");
  for (const [key, text] of textsOf(english)) {
    if (shared.has(key) || key === "language" || !text.includes(" ")) continue;
    expect(visible, key).not.toContain(text);
  }
}

test("every text has its own German translation, and every test card a German title", () => {
  const theirs = new Map(textsOf(german));
  expect([...theirs.keys()]).toEqual(textsOf(english).map(([key]) => key));
  for (const [key, text] of textsOf(english)) if (!shared.has(key)) expect(theirs.get(key), key).not.toBe(text);
  for (const each of testCards) expect(german.testCard(each), each.title).not.toBe(each.title);
});

test("the checkout is in German, its sums, days and countries too, and so is what its script fetches", async () => {
  const url = await open();
  const page = await show(url);
  expectGerman(
    page,
    "Pro 10K abonnieren",
    "60,00\u00a0$",
    "Pro 10K, monatlich",
    "Heute fällig",
    "Deutschland</option>",
    "Visa, zahlt",
    'data-pending="Einen Moment …"',
  );
  expect(page.body).toMatch(/Verlängert sich am \d+\. [A-ZÄ][a-zä]+ \d{4}, dann monatlich, bis Sie kündigen\./);
  expect(page.body).toMatch(/<title>Pro 10K abonnieren · Slipway<\/title>/);
  const price = await show(`${url}/price?country=DE`);
  expect(price.json()).toMatchObject({ due: 7140, total: "71,40\u00a0$", label: "71,40\u00a0$ USD bezahlen" });
  expect(price.json<{ table: string }>().table).toMatch(/USt\. 19\s+%/);
  const englishPage = await show(url, { cookie: "language=en", "accept-language": "de" });
  expect(englishPage.body).toContain('<html lang="en">');
  expect(englishPage.body).toContain("Subscribe to Pro 10K");
});

test("mistakes, a changed total and a declined card are explained in German", async () => {
  const url = await open();
  const wrong = payingForm({ number: "4242 4242 4242 4241", expiry: "01 / 20", cvc: "12", name: "", country: "FR", vatId: "DE123456789" });
  const mistaken = await send(url, wrong);
  expect(mistaken.statusCode).toBe(422);
  expectGerman(
    mistaken,
    "5 Angaben sind ungültig. Es wurde nichts abgebucht.",
    german.errors.numberInvalid,
    german.errors.expired,
    german.errors.codeInvalid(3),
    german.errors.nameMissing,
    german.errors.vatIdInvalid("Frankreich"),
  );
  const empty = await send(url, { country: "", shown: "6000" });
  expectGerman(empty, german.errors.numberMissing, german.errors.expiryMissing, german.errors.codeMissing, german.errors.countryMissing);
  expectGerman(
    await send(url, payingForm({ number: "4111 1111 1111 1111", expiry: "x" })),
    german.errors.notATestCard,
    german.errors.expiryInvalid,
  );
  expectGerman(await send(url, payingForm({ country: "DE" })), german.checkout.changed);
  const declined = await send(url, payingForm({ number: "4000 0000 0000 9995" }));
  expect(declined.statusCode).toBe(402);
  expectGerman(declined, german.checkout.declined("Die Karte ist nicht gedeckt."));
});

test("the bank's page, a refusal there and a page that is done are in German", async () => {
  const url = await open();
  const asked = await send(url, payingForm({ number: "4000 0025 0000 3155" }));
  const bank = asked.headers.location!;
  expectGerman(
    await show(bank),
    german.bank.heading,
    "Bestätigen Sie eine Zahlung von 60,00\u00a0$ an Slipway. Zahlungsart: Visa mit den Endziffern 3155.",
  );
  const refused = await send(bank, { answer: "fail" });
  expectGerman(await show(refused.headers.location!), german.checkout.notConfirmed);
  await send(url, payingForm());
  expectGerman(await show(url), german.done.title, german.done.text, german.continue);
});

test("the card's page is in German, with the open amount, and so is a card that is declined or not confirmed", async () => {
  await send(await open(), payingForm({ number: "4000 0000 0000 0341" }));
  const newest = (await api.database.db.select().from(sandboxSubscriptions)).toSorted((a, b) => a.id.localeCompare(b.id)).at(-1)!;
  api.clock.advance(32 * dayMs);
  await api.runSandbox();
  const url = await api.services.billing.provider.changeCardUrl(newest.id, `http://${host}/manage/billing`);
  expectGerman(
    await show(url),
    german.cardPage.current("Visa mit den Endziffern 0341"),
    german.cardPage.open("60,00\u00a0$"),
    german.cardPage.saveAndPay("60,00\u00a0$"),
  );
  expectGerman(await send(url, card("4000 0000 0000 0002")), german.cardPage.declined("Die Karte wurde abgelehnt."));
  const asked = await send(url, card("4000 0025 0000 3155"));
  expectGerman(await show(asked.headers.location!), "Bestätigen Sie, dass Slipway Ihre Karte belasten darf: Visa mit den Endziffern 3155.");
  const refused = await send(asked.headers.location!, { answer: "fail" });
  expectGerman(await show(refused.headers.location!), german.cardPage.notConfirmed);
});

test("a page that is gone, and one that cannot be read, say so in German", async () => {
  const gone = await show("/sandbox/checkout/chk_0");
  expect(gone.statusCode).toBe(410);
  expectGerman(gone, german.gone.title, german.gone.text, german.backTo("Slipway"));
  const unreadable = await api.app.inject({
    method: "POST",
    url: pathOf(await open()),
    headers: { host, "content-type": "application/json", "accept-language": "de" },
    payload: "{}",
  });
  expect(unreadable.statusCode).toBe(400);
  expectGerman(unreadable, german.trouble.title, german.trouble.text);
});
