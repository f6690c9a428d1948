/** VIES and how its answers affect invoices, with a server that answers as VIES does. */
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { startAnswering, type AnsweringServer } from "#testing/network/start-answering.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { createTestClock } from "#testing/test-clock.ts";
import { copyInvoices } from "../issuing/copy-invoices.ts";
import { listInvoices, readVatAnswer } from "../invoice-store.ts";
import { viesRegister } from "./vat-register.ts";

const json = (response: ServerResponse, answer: object, status = 200) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
const valid = (response: ServerResponse) =>
  json(response, {
    countryCode: "FR",
    vatNumber: "12345678901",
    requestDate: "2026-11-22",
    valid: true,
    requestIdentifier: "WAPIAAAAY1",
    name: "ACME SARL",
    address: "---",
  });
const invalid = (response: ServerResponse) =>
  json(response, { countryCode: "FR", vatNumber: "12345678901", valid: false, requestIdentifier: "", name: "---", address: "---" });
const away = (response: ServerResponse) => json(response, { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] });

async function openVies(
  answer: (response: ServerResponse) => void,
): Promise<AnsweringServer & { register: ReturnType<typeof viesRegister>; clock: ReturnType<typeof createTestClock> }> {
  const server = await startAnswering(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const clock = createTestClock();
  return { ...server, clock, register: viesRegister({ url: server.url, requester: "DE123456789", clock, log: createLog("silent") }) };
}

test("VIES is asked with the seller's own id, and its answer is stored with date and number", async () => {
  const { register, asked, clock } = await openVies(valid);
  expect(await register.ask("FR12345678901")).toEqual({ valid: true, checkedAt: clock.now(), reference: "WAPIAAAAY1" });
  expect(asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    [
      "POST",
      "/check-vat-number",
      { countryCode: "FR", vatNumber: "12345678901", requesterMemberStateCode: "DE", requesterNumber: "123456789" },
    ],
  ]);
});

test("an id from a country that VIES does not cover is not checked", async () => {
  const { register, asked } = await openVies(valid);
  expect([await register.ask("GB123456789"), await register.ask("CHE123456789")]).toEqual([null, null]);
  expect(asked).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["that a country's register is away", away],
  ["an error", (response) => json(response, { errorWrappers: [] }, 500)],
  ["another address", (response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["no JSON", (response) => void response.end("<html>")],
  ["more than any answer needs", (response) => void response.end("x".repeat(200_000))],
  ["nothing, for longer than the time limit", () => undefined],
])("no answer (it says %s) counts as silence, and VIES is left alone for a minute", async (_what, answer) => {
  const { register, asked, clock } = await openVies(answer);
  expect(await register.ask("FR12345678901")).toBeNull();
  expect(await register.ask("FR12345678901")).toBeNull();
  expect(asked).toHaveLength(1);
  clock.advance(minuteMs + 1);
  void register.ask("FR12345678901");
  await expect.poll(() => asked.length).toBe(2);
});

test("while one country's register is down, ids of other countries are checked", async () => {
  const answers = [away, valid];
  const { register, asked } = await openVies((response) => answers.shift()!(response));
  expect([await register.ask("DE111111111"), await register.ask("DE222222222")]).toEqual([null, null]);
  expect(await register.ask("FR12345678901")).toMatchObject({ valid: true });
  expect(asked).toHaveLength(2);
});

test("an id that VIES does not have is reported as invalid", async () => {
  expect(await (await openVies(invalid)).register.ask("FR12345678901")).toMatchObject({ valid: false });
});

test.each([
  ["confirmed", { valid: true }, true],
  ["unknown to the register", { valid: false }, false],
  ["not answered for", null, false],
] as const)("reverse charge is for a VAT id that is %s: %j", async (_what, says, expected) => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const checkedAt = world.clock.now();
  const asked: string[] = [];
  const register = { ask: (vatId: string) => (asked.push(vatId), Promise.resolve(says && { ...says, checkedAt, reference: "WAPI1" })) };
  const eur = (amount: number) => ({ amount, currency: "EUR" });
  const buyer = { name: "Acme SARL", line1: "", line2: "", postalCode: "75001", city: "Paris", country: "FR", vatId: "FR12345678901" };
  const invoice = (id: string): ProviderInvoice => ({
    id,
    subscriptionId,
    number: null,
    issuedAt: world.clock.now(),
    status: "paid",
    takenBack: null,
    lines: [{ label: "Pro", quantity: 1, amount: eur(6000), isProration: false }],
    tax: null,
    total: eur(6000),
    creditUsed: eur(0),
    buyer,
    payments: [],
  });
  const list = [invoice("in_1")];
  const copy = (more: { register?: typeof register }) =>
    copyInvoices(
      { db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller: testSeller, ...more },
      accountId,
    );
  await copy({ register });
  await copy({ register });
  expect(asked).toEqual(["FR12345678901"]);
  const [first] = await listInvoices(db, accountId);
  expect(first!.document).toMatchObject({
    reverseCharge: expected,
    vatCheck: says && { ...says, checkedAt: checkedAt.toISOString(), reference: "WAPI1" },
  });
  expect((await readVatAnswer(db, accountId))!.answer).toEqual(says && { ...says, checkedAt, reference: "WAPI1" });
  // An earlier confirmation counts while the register is silent.
  world.clock.advance(2 * dayMs);
  list.push(invoice("in_2"));
  await copy({ register: { ask: () => Promise.resolve(null as never) } });
  expect((await listInvoices(db, accountId))[0]!.document).toMatchObject({ reverseCharge: expected });
  // Without a register, the right format is enough.
  list.push({ ...invoice("in_3"), issuedAt: new Date(world.clock.now().getTime() + 1000) });
  await copy({});
  expect((await listInvoices(db, accountId))[0]!.document).toMatchObject({ reverseCharge: true });
});
