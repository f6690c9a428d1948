import { expect, test } from "vitest";
import { makeBill } from "./bill.ts";
import { formatMoney, proportion } from "./money-math.ts";
import { taxOn, taxRule } from "./sales-tax.ts";

test("shares are rounded to the nearest minor unit, half away from zero, however large the numbers", () => {
  expect([proportion(100, 1, 3), proportion(100, 1, 2), proportion(1, 1, 2), proportion(-1, 1, 2), proportion(-100, 1, 3)]).toEqual([
    33, 50, 1, -1, -33,
  ]);
  expect(proportion(140_000_00, 31_535_999, 31_536_000)).toBe(14_000_000);
  expect(Object.is(proportion(-1, 1, 1000), 0)).toBe(true);
});

test.each([
  ["DE", "", 190],
  ["FR", "", 200],
  ["GB", "", 200],
  ["CH", "", 81],
  ["DE", "DE123456789", 190],
  ["FR", "FR12345678901", 0],
  ["GR", "EL123456789", 0],
  ["FR", "DE123456789", 200],
])("%s with VAT id %j bears %i tenths of a percent", (country, vatId, permille) => {
  expect(taxRule(country, vatId)?.permille).toBe(permille);
});

test("the United States have no tax, and a VAT id may contain spaces", () => {
  expect(taxRule("US", "US123456789")).toBeNull();
  expect(taxRule("FR", "fr 12 345678901")?.permille).toBe(0);
});

test("inclusive prices contain their tax; for exclusive ones it is added", () => {
  const rule = taxRule("DE", "");
  expect(taxOn(11_900, "EUR", rule, true)).toMatchObject({ amount: { amount: 1900 }, ratePercent: 19, inclusive: true });
  expect(taxOn(10_000, "EUR", rule, false)).toMatchObject({ amount: { amount: 1900 }, inclusive: false });
});

const line = (amount: number) => ({ label: "Pro", quantity: 1, amount: { amount, currency: "EUR" }, isProration: false });
const payer = { currency: "EUR", credit: 0, country: "DE", vatId: "", taxInclusive: false };

test("credit reduces what is due, and the rest of it stays", () => {
  expect(makeBill([line(10_000)], { ...payer, credit: 5000 })).toMatchObject({
    total: 11_900,
    creditUsed: 5000,
    due: 6900,
    creditAfter: 0,
  });
  expect(makeBill([line(10_000)], { ...payer, credit: 20_000 })).toMatchObject({
    total: 11_900,
    creditUsed: 11_900,
    due: 0,
    creditAfter: 8100,
  });
});

test("a negative total becomes credit, including its tax", () => {
  expect(makeBill([line(-10_000)], { ...payer, credit: 100 })).toMatchObject({
    total: -11_900,
    creditUsed: 0,
    due: 0,
    creditAfter: 12_000,
  });
});

test("an inclusive price is not raised by its tax", () => {
  expect(makeBill([line(11_900)], { ...payer, taxInclusive: true })).toMatchObject({ total: 11_900, due: 11_900 });
});

test("money is written with as many decimals as its currency has", () => {
  expect([formatMoney(7140, "USD"), formatMoney(7140, "JPY"), formatMoney(-500, "EUR")]).toEqual(["$71.40", "¥7,140", "-€5.00"]);
});
