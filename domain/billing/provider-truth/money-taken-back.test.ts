import { expect, test } from "vitest";
import { after, dayMs } from "#platform/clock.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { correctionCounts } from "../count-correction.ts";
import { endingInvoice } from "./money-taken-back.ts";
import { receiveEvent } from "./provider-event-store.ts";

const periodStartsAt = new Date("2027-03-01T10:00:00Z");
const held = { subscriptionId: "sub-1", periodStartsAt };
const invoice = (takenBack: "refund" | "chargeback" | null, days: number, subscriptionId = "sub-1") => ({
  id: `${takenBack} ${days}`,
  subscriptionId,
  issuedAt: after(periodStartsAt, days * dayMs),
  takenBack,
});

test.each([
  ["nothing was taken back", [invoice(null, 0), invoice(null, -31)], null],
  ["the payment of the running period was refunded", [invoice("refund", 0), invoice(null, -31)], "refund 0"],
  ["an upgrade in it was refunded", [invoice("refund", 9), invoice(null, 0)], "refund 9"],
  ["a payment of an earlier period was refunded", [invoice(null, 0), invoice("refund", -31)], null],
  ["a bank took the payment of the running period", [invoice("chargeback", 0)], "chargeback 0"],
  ["a bank took one of an earlier period", [invoice(null, 0), invoice("chargeback", -31)], "chargeback -31"],
  ["all of it is another subscription's", [invoice(null, 0), invoice("chargeback", 0, "sub-0"), invoice("refund", 0, "sub-0")], null],
])("%s: the invoice that ends the plan is the right one", (_what, invoices, expected) => {
  expect(endingInvoice(invoices, held)).toBe(expected);
});

test("an early fraud warning is counted for an operator and takes nothing from the customer", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { providerCustomerId: customerId } = await world.find(accountId);
  const warning = {
    id: "evt_warned",
    kind: "fraud-warning" as const,
    type: "radar.early_fraud_warning.created",
    occurredAt: world.clock.now(),
    subscriptionId: null,
    customerId,
    accountId: null,
    payload: {},
  };
  for (let times = 0; times < 2; times += 1) await receiveEvent(world.database.db, "sandbox", warning, world.clock.now());
  await world.settle();
  expect(await correctionCounts(world.database.db)).toEqual({ "fraud-warning": 1 });
  expect(await world.state(accountId)).toBe("active");
});
