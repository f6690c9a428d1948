/** The headline of an invoice's page never claims more money than was paid or returned. */
import { expect, test } from "vitest";
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import { cardOf, headlineOf, paidBy, unchargedText } from "./say-invoice.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const paid = (given: Partial<Record<keyof InvoiceSheet["paid"], number>> = {}): InvoiceSheet["paid"] => {
  const { byCard = 0, fromCredit = 0, otherwise = 0, open = 0 } = given;
  return { byCard: usd(byCard), fromCredit: usd(fromCredit), otherwise: usd(otherwise), open: usd(open) };
};
const sheet = (of: Partial<InvoiceSheet> & { because?: string }): InvoiceSheet =>
  ({
    kind: "invoice",
    status: "paid",
    total: usd(2856),
    paid: paid(),
    payments: [],
    corrections: [],
    document: { because: of.because ?? null },
    ...of,
  }) as unknown as InvoiceSheet;
const note = { kind: "credit-note", total: usd(-2856) } as const;

test("a credit note that cancels an unpaid invoice promises no money, and one whose refund failed is withdrawn", () => {
  expect(headlineOf(sheet({ ...note, because: "cancelled" }))).toBe("Invoice cancelled. Nothing is owed for it.");
  expect(headlineOf(sheet({ ...note, because: "refunded" }))).toBe("$28.56 refunded");
  expect(headlineOf(sheet(note))).toBe("$28.56 credited to you");
  const corrections = [{ kind: "debit-note" }] as InvoiceSheet["corrections"];
  expect(headlineOf(sheet({ ...note, because: "refunded", corrections }))).toBe("Withdrawn. The refund failed.");
});

test("only what went back to the card counts as refunded, not what was paid from credit", () => {
  const payments = [
    { status: "refunded", amount: usd(1856) },
    { status: "failed", amount: usd(1856) },
  ] as InvoiceSheet["payments"];
  expect(headlineOf(sheet({ status: "refunded", payments, paid: paid({ byCard: 1856, fromCredit: 1000 }) }))).toBe("$18.56 refunded");
});

test.each([
  [["visa"], "card"],
  [["generic", "amex"], "card"],
  [["paypal"], "paypal"],
  [[null], "unknown"],
  [["visa", "paypal"], "unknown"],
  [["visa", null], "unknown"],
  [[], "unknown"],
] as const)("an invoice paid by %j says that it was paid by: %s", (brands, means) => {
  const received = brands.map((brand) => ({ status: "succeeded", brand }));
  // A failed attempt paid nothing.
  const payments = [{ status: "failed", brand: "visa" }, ...received] as InvoiceSheet["payments"];
  expect(paidBy(payments)).toBe(means);
});

test("the card that paid is named if there was only one", () => {
  const by = (...cards: [brand: string, lastFour: string | null, status?: string][]) =>
    cardOf(cards.map(([brand, lastFour, status = "succeeded"]) => ({ brand, lastFour, status })) as InvoiceSheet["payments"])?.lastFour;
  expect(by(["visa", "4242"])).toBe("4242");
  expect(by(["visa", "4242", "refunded"], ["visa", "4242"])).toBe("4242");
  expect(by(["visa", "0002", "failed"], ["visa", "4242"])).toBe("4242");
  expect(by(["visa", "4242"], ["visa", "1881"])).toBeUndefined();
  expect(by(["visa", "4242"], ["amex", "4242"])).toBeUndefined();
  expect(by(["generic", null])).toBeUndefined();
  expect(by(["paypal", "4242"])).toBeUndefined();
});

test("without a payment, the page says why: nothing yet, from credit, or by other means", () => {
  expect(unchargedText(sheet({ status: "open", paid: paid({ fromCredit: 1000, open: 1856 }) }))).toBe("No payment yet.");
  expect(unchargedText(sheet({ paid: paid({ fromCredit: 2856 }) }))).toContain("Paid in full from your credit.");
  expect(unchargedText(sheet({ paid: paid({ otherwise: 2856 }) }))).toContain("paid by other means");
  expect(unchargedText(sheet({ paid: paid({ fromCredit: 1000, otherwise: 1856 }) }))).toContain("paid by other means");
  expect(unchargedText(sheet({ status: "void" }))).toBeNull();
});
