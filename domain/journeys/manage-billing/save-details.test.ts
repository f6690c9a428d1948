/** Billing details that two tabs save, and an undo after another save. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BillingDetails } from "#contract/billing/billing.ts";
import {
  createTestShop,
  germanDetails,
  startCustomer,
  startSubscriber,
  type Customer,
  type TestShop,
} from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

const read = async (customer: Customer) =>
  (await customer.call("GET", "/account/billing/details")).json<{ details: BillingDetails | null; revision: string }>();
const save = (customer: Customer, body: object) => customer.call("PUT", "/account/billing/details", { body });
const details = { ...germanDetails, vatId: "" };

test("of two tabs that save, the second is refused, and nothing of the first is lost", async () => {
  const customer = await startCustomer(shop);
  const { details: none, revision } = await read(customer);
  expect(none).toBeNull();
  const first = (await save(customer, { ...details, revision })).json<{ details: BillingDetails; revision: string }>();
  expect(first).toEqual(await read(customer));
  const second = await save(customer, { ...details, name: "Other tab", revision });
  expect([second.statusCode, second.json()]).toMatchObject([409, { code: "changed_elsewhere" }]);
  expect(await read(customer)).toEqual(first);
  // With the newer revision it may.
  expect((await save(customer, { ...details, name: "Other tab", revision: first.revision })).json().details.name).toBe("Other tab");
});

test("of simultaneous first saves, one is the first", async () => {
  const customer = await startCustomer(shop);
  const { revision } = await read(customer);
  const answers = await Promise.all(["One", "Two", "Three"].map((name) => save(customer, { ...details, name, revision })));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
  const kept = answers.find(({ statusCode }) => statusCode === 200)!.json();
  expect(await read(customer)).toEqual(kept);
});

test("an undo with the revision it saw does not overwrite a newer save", async () => {
  const customer = await startCustomer(shop);
  const before = (await save(customer, details)).json<{ details: BillingDetails; revision: string }>();
  const saved = (await save(customer, { ...details, city: "Hamburg", revision: before.revision })).json<{ revision: string }>();
  await save(customer, { ...details, city: "Bremen", revision: saved.revision });
  expect((await save(customer, { ...before.details, revision: saved.revision })).json()).toMatchObject({ code: "changed_elsewhere" });
  expect((await read(customer)).details!.city).toBe("Bremen");
});

test("without a revision the change applies to whatever is saved", async () => {
  const customer = await startCustomer(shop);
  await save(customer, details);
  expect((await save(customer, { ...details, city: "Bonn" })).json()).toMatchObject({ details: { city: "Bonn" } });
});

test("a save that is overtaken during its call to the provider is refused, and the provider gets the saved details", async () => {
  const customer = await startSubscriber(shop);
  const { revision } = await read(customer);
  const { provider } = shop.api.services.billing;
  const { saveDetails } = provider;
  const told: string[] = [];
  provider.saveDetails = async (_id, { name }) => {
    told.push(name);
    if (name === "Slow") expect((await save(customer, { ...details, name: "Quick", revision })).statusCode).toBe(200);
  };
  try {
    expect((await save(customer, { ...details, name: "Slow", revision })).json()).toMatchObject({ code: "changed_elsewhere" });
    expect(told).toEqual(["Slow", "Quick", "Quick"]);
    expect((await read(customer)).details!.name).toBe("Quick");
    expect((await save(customer, { ...details, name: "Late", revision })).json()).toMatchObject({ code: "changed_elsewhere" });
    expect(told).toHaveLength(3);
  } finally {
    provider.saveDetails = saveDetails;
  }
});

test("a save that is repeated because its answer was lost does not conflict with itself", async () => {
  const customer = await startCustomer(shop);
  const { revision } = await read(customer);
  const first = await save(customer, { ...details, revision });
  const again = await save(customer, { ...details, revision });
  expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
});

/** The details that the provider has in the end; `meanwhile` runs during the given call that sends it a name. */
async function lastTold(meanwhile: (name: string, time: number) => Promise<void>, run: () => Promise<void>): Promise<string | undefined> {
  const { provider } = shop.api.services.billing;
  const { saveDetails } = provider;
  const times = new Map<string, number>();
  let last: string | undefined;
  provider.saveDetails = async (_id, { name }) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    await meanwhile(name, time);
    last = name;
  };
  try {
    await run();
    return last;
  } finally {
    provider.saveDetails = saveDetails;
  }
}

test("a correction that is itself overtaken leaves the provider with the saved details", async () => {
  const customer = await startSubscriber(shop);
  const { revision } = await read(customer);
  const meanwhile = async (name: string, time: number) => {
    if (name === "Slow") await save(customer, { ...details, name: "Quick", revision });
    if (name === "Quick" && time === 2) await save(customer, { ...details, name: "Third", revision: (await read(customer)).revision });
  };
  const last = await lastTold(meanwhile, async () => {
    expect((await save(customer, { ...details, name: "Slow", revision })).json()).toMatchObject({ code: "changed_elsewhere" });
  });
  expect([last, (await read(customer)).details!.name]).toEqual(["Third", "Third"]);
});

test("the provider does not keep what could not be saved", async () => {
  const customer = await startSubscriber(shop);
  await save(customer, { ...details, name: "Kept" });
  const { pool } = shop.api.database;
  await pool.query("alter table billing_details add constraint unsaved check (name <> 'Unsaved')");
  try {
    const last = await lastTold(
      () => Promise.resolve(),
      async () => {
        expect((await save(customer, { ...details, name: "Unsaved" })).statusCode).toBe(500);
      },
    );
    expect([last, (await read(customer)).details!.name]).toEqual(["Kept", "Kept"]);
  } finally {
    await pool.query("alter table billing_details drop constraint unsaved");
  }
});

test("a name that would print a second line on an invoice is refused at its field, and written composed otherwise", async () => {
  const customer = await startCustomer(shop);
  const refused = await save(customer, { ...details, name: "A\nVAT ID ATU12345678", city: "Wien\u202e" });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    {
      errors: [
        { path: "name", code: "text.unseen" },
        { path: "city", code: "text.unseen" },
      ],
    },
  ]);
  expect((await save(customer, { ...details, name: " Cafe\u0301  Zoë\n" })).json()).toMatchObject({ details: { name: "Café Zoë" } });
});

test("what invoices cannot print is refused at its field, and every script that they print is saved", async () => {
  const customer = await startCustomer(shop);
  const refused = await save(customer, { ...details, name: "Rocket 🚀", city: "𠮷野" });
  expect([refused.statusCode, refused.json().errors.map((each: { path: string; code: string }) => [each.path, each.code])]).toEqual([
    422,
    [
      ["name", "text.unprintable"],
      ["city", "text.unprintable"],
    ],
  ]);
  const japanese = { name: "株式会社テスト", line1: "شارع الملك فهد 12", line2: "ул. Ленина 5 · Łódź · Ελλάδα · Đặng", city: "東京 서울" };
  expect((await save(customer, { ...details, ...japanese })).json()).toMatchObject({ details: japanese });
});

test("details saved before a rule existed are still shown to their owner", async () => {
  const customer = await startCustomer(shop);
  await save(customer, details);
  await shop.api.database.pool.query(
    "update billing_details set name = E'A\\nB', vat_id = 'old' where account_id = (select account_id from users where email = $1)",
    [customer.form.email],
  );
  expect((await read(customer)).details).toMatchObject({ name: "A\nB", vatId: "old" });
});

test.each(["ZZ", "EU", "XX", "AA"])("%s is no country: it is refused, and the details stay", async (country) => {
  const customer = await startSubscriber(shop);
  await save(customer, details);
  const refused = await save(customer, { ...details, country });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ errors: [{ path: "country", code: "billing_country.required" }] });
  expect((await read(customer)).details).toMatchObject({ country: "DE" });
});

test("UK is understood as GB", async () => {
  const customer = await startSubscriber(shop);
  expect((await save(customer, { ...details, country: "UK" })).json()).toMatchObject({ details: { country: "GB" } });
});
